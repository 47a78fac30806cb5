"""Escape before another key, alt with a key, and escape sequences, in whatever pieces they arrive."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual._xterm_parser import XTermParser
from textual.events import Key

from lms_tui.tui.terminal.escape_keys import EscapeKeys

ESC = "\x1b"
END = "\x1b[201~"


def arrived(*pieces: str) -> list[str]:
    """The keys that Textual reads from these pieces."""
    parser, keys = XTermParser(), EscapeKeys()
    read = [event for piece in pieces if (text := keys.read(piece)) for event in parser.feed(text)]
    read += parser.feed("")
    return [event.key for event in read if isinstance(event, Key)]


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("\x1bn\x1bn", ["alt+n", "alt+n"]),
        ("\x1bA\x1b", ["alt+shift+a", "escape"]),
        ("\x1bm\x1b[A", ["alt+m", "up"]),
        ("ab\x1b\x05", ["a", "b", "escape", "ctrl+e"]),
        ("\x1b\rcd\x1b", ["escape", "enter", "c", "d", "escape"]),
        ("\x1b?", ["escape", "question_mark"]),
        ("ab\x1b2cd\x1b", ["a", "b", "escape", "2", "c", "d", "escape"]),
        ("\x1b-5\x1b=", ["escape", "minus", "5", "escape", "equals_sign"]),
        ("\x1b\x1bn", ["escape", "alt+n"]),
        ("\x1bé\x1bé", ["alt+é", "alt+é"]),
        ("\x1bb\x1bf\x1b\x7f\x1b\t", ["ctrl+left", "ctrl+right", "ctrl+w", "shift+tab"]),
        ("\x1b[A\x1bOP\x1b[1;5C", ["up", "f1", "ctrl+right"]),
        ("x^2", ["x", "circumflex_accent", "2"]),
    ],
)
def test_keys_that_arrive_at_once_are_the_keys_that_were_pressed(text: str, keys: list[str]) -> None:
    assert arrived(text) == keys
    assert arrived(*text) == keys


def test_an_escape_alone_is_not_the_alt_of_a_key_that_is_pressed_later() -> None:
    keys = EscapeKeys()
    assert keys.read(ESC) == ESC
    keys.pause()
    assert keys.read("n") == "n"


@pytest.mark.parametrize("text", ["\x1b[31mred ha\x1b[0m", "\x1b]0;title\x07a", "a\x1bb", "\x1b[A\x1bOP", "\x1b[200~c"])
def test_pasted_escape_sequences_are_no_keys(text: str) -> None:
    assert arrived(f"\x1b[200~{text}{END}n") == ["n"]
    assert arrived(*f"\x1b[200~{text}{END}n") == ["n"]


def test_a_pause_in_the_mark_at_the_end_of_a_paste_does_not_hide_it() -> None:
    keys = EscapeKeys()
    assert keys.read("\x1b[200~a\x1b[2") == "\x1b[200~a"
    keys.pause()
    assert keys.read("01~\x1bn") == f"{END}\x1b[110;3u"


@given(st.text(alphabet="ab\x1bn[201~\r", max_size=12).filter(lambda text: END not in text), st.data())
def test_pasted_text_loses_nothing_but_its_escapes_in_any_pieces(text: str, data: st.DataObject) -> None:
    sent = f"\x1b[200~{text}{END}\x1bn"
    cuts = sorted(data.draw(st.sets(st.integers(0, len(sent)))))
    pieces = [sent[start:end] for start, end in zip([0, *cuts], [*cuts, len(sent)], strict=True)]
    keys = EscapeKeys()
    assert "".join(keys.read(piece) for piece in pieces) == f"\x1b[200~{text.replace(ESC, '')}{END}\x1b[110;3u"
