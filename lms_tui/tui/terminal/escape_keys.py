"""Tell escape followed by a key from escape sequences, however fast the keys arrive.

A terminal sends alt and a letter as escape and the letter, and escape pressed before another key looks the same. On a
slow line or a busy computer several of them arrive at once. Textual 8.2 then takes the first for an unknown sequence
and types it as text: two times alt+n becomes `^n` and alt+n. Here each of them becomes a sequence that Textual knows,
in the form of kitty's keyboard protocol.
"""

from typing import Final

ESCAPE: Final = "\x1b"
_PASTE_STARTS: Final = "\x1b[200~"
_PASTE_ENDS: Final = "\x1b[201~"
_BEGIN_SEQUENCES: Final = frozenset("[]OPNX^_\\" + ESCAPE)
"""The characters with which a longer sequence continues after its escape."""
_KNOWN: Final = frozenset("bf\t\x7f")
"""The characters after an escape that Textual knows and we leave to it: moves by a word, shift+tab, and ctrl+w.

Textual also takes escape and a digit for a character that macOS writes with alt. At a question with gaps, they are
escape and the number of the next gap, and the answer would get a `™`.
"""
_ALT: Final = 3
_ALT_SHIFT: Final = 4


class EscapeKeys:
    """Rewrites the input of a terminal, piece by piece. Pasted text loses its escapes, and is not changed otherwise.

    Textual takes what follows an escape in a paste for keys. Some terminals, such as tmux, do not filter escapes. A
    pasted text in colours would answer questions there.
    """

    def __init__(self) -> None:
        self._last = ""
        """The last characters that were read: as many as the marks of a paste are long."""
        self._pasted = False
        self._held = ""
        """An escape in pasted text and what follows it, while it may be the end of the paste."""

    def read(self, text: str) -> str:
        """Return the next piece, rewritten. An escape at its end is returned, because it may be the key alone."""
        if ESCAPE not in self._last + text:  # most keys, and the middle of a long paste
            self._last = text[-len(_PASTE_STARTS) :]
            return text
        return "".join(map(self._rewritten, text))

    def pause(self) -> None:
        """Take an escape that was read last for the key: what comes next belongs to another key."""
        if not self._pasted:
            self._last = ""

    def _rewritten(self, character: str) -> str:
        follows = self._last.endswith(ESCAPE)
        self._last = (self._last + character)[-len(_PASTE_STARTS) :]
        if self._pasted:
            return self._of_paste(character)
        if self._last == _PASTE_STARTS:
            self._pasted = True
        if not follows or character in _BEGIN_SEQUENCES | _KNOWN:
            return character
        if character.isalpha():
            modifiers = _ALT if character == character.lower() else _ALT_SHIFT
            return f"[{ord(character.lower()[0])};{modifiers}u"
        return f"[27u{character}"

    def _of_paste(self, character: str) -> str:
        """Return what is known to be pasted text or the end of the paste. Hold the rest."""
        if character == ESCAPE:
            pasted, self._held = self._held[1:], ESCAPE
            return pasted
        if not self._held:
            return character
        held, self._held = self._held + character, ""
        if held == _PASTE_ENDS:
            self._pasted = False
            return held
        if _PASTE_ENDS.startswith(held):
            self._held = held
            return ""
        return held[1:]
