"""Compute the visual order of a line of right-to-left text: the implicit part of the Unicode Bidirectional Algorithm.

The caller reorders styled clusters and whole formulas, so it needs a permutation. python-bidi returns only a reordered
string and does not mirror brackets. This module therefore implements the rules W1 to W7, N0 to N2, I1, I2, L2 and L4.
The tests use python-bidi as the oracle. Explicit embeddings and isolates cannot occur, because cleaning has replaced
them.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from functools import lru_cache
from typing import Final, TypeVar

_T = TypeVar("_T")

_STRONG: Final = frozenset({"L", "R", "AL"})
_NEUTRAL: Final = frozenset({"B", "S", "WS", "ON", "LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI", "BN"})
_BRACKETS: Final = {"(": ")", "[": "]", "{": "}", "⟨": "⟩", "〈": "〉", "⟦": "⟧"}
_CLOSERS: Final = frozenset(_BRACKETS.values())
_MIRRORS: Final = {
    **_BRACKETS,
    **{closing: opening for opening, closing in _BRACKETS.items()},
    "<": ">", ">": "<", "«": "»", "»": "«", "≤": "≥", "≥": "≤", "‹": "›", "›": "‹",
}  # fmt: skip


@lru_cache(maxsize=2048)
def _kind(char: str) -> str:
    return unicodedata.bidirectional(char) or "L"


def base_direction(text: str) -> str:
    """Return `R` if a text runs from right to left, else `L`.

    The first letter with a direction decides (rule P2), unless most letters run from right to left. Urdu and Hebrew
    exams often have one Latin word at the start of a text: "C زبان میں …".
    """
    if text.isascii():
        return "L"
    kinds = [kind for char in text if (kind := _kind(char)) in _STRONG]
    lefts = sum(kind != "L" for kind in kinds)
    return "R" if lefts and (kinds[0] != "L" or lefts * 2 > len(kinds)) else "L"


def has_right_to_left(text: str) -> bool:
    return not text.isascii() and any(_kind(char) in {"R", "AL", "AN"} for char in text)


def has_letters(text: str) -> bool:
    """Return whether a text has any letter with a direction."""
    return any(_kind(char) in _STRONG for char in text)


def mirrored(char: str) -> str:
    """Return the mirror image of a bracket, or the character itself."""
    return _MIRRORS.get(char, char)


def levels(chars: Sequence[str], base: int) -> list[int]:
    """Return the embedding level of each character. `base` is 1 for a right-to-left paragraph, else 0."""
    kinds = [_kind(char) for char in chars]
    original = list(kinds)
    edge = "R" if base else "L"
    _weak(kinds, edge)
    _paired(chars, kinds, original, edge)
    _neutral(kinds, edge)
    result = [_level(kind, base) for kind in kinds]
    for at in range(len(result) - 1, -1, -1):  # rule L1: blanks at the end of a line get the paragraph's level
        if original[at] not in {"WS", "S", "B", "BN"}:
            break
        result[at] = base
    return result


def _level(kind: str, base: int) -> int:
    if base % 2 == 0:
        return {"R": base + 1, "AN": base + 2, "EN": base + 2}.get(kind, base)
    return base + 1 if kind in {"L", "EN", "AN"} else base


def order(resolved: Sequence[int]) -> list[int]:
    """Return the indices of the characters from left to right (rule L2)."""
    places = list(range(len(resolved)))
    if not places:
        return places
    odd = [level for level in resolved if level % 2]
    for level in range(max(resolved), (min(odd) if odd else max(resolved) + 1) - 1, -1):
        at = 0
        while at < len(places):
            if resolved[places[at]] < level:
                at += 1
                continue
            end = at
            while end < len(places) and resolved[places[end]] >= level:
                end += 1
            places[at:end] = places[at:end][::-1]
            at = end
    return places


_TURNING: Final[ContextVar[bool]] = ContextVar("turning", default=False)
_LEFTWARD: Final = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe]")


def turns_words(environment: Mapping[str, str]) -> bool:
    """Return whether the terminal reorders each right-to-left word itself, as kitty does.

    Such a terminal does not reorder the words of a line. The layout then orders the words but not their letters.
    """
    return "KITTY_WINDOW_ID" in environment or environment.get("TERM") == "xterm-kitty"


def leave_words_to_terminal(*, turning: bool) -> None:
    """Set whether the terminal reorders words, for this task and the tasks it starts."""
    _TURNING.set(turning)


def placed(parts: Sequence[tuple[str, _T]]) -> Sequence[tuple[str, _T]]:
    """Return characters with their parts in the order that this terminal expects."""
    if not _TURNING.get():
        return parts
    result: list[tuple[str, _T]] = []
    word: list[tuple[str, _T]] = []
    for part in parts:
        if _LEFTWARD.match(part[0]):
            word.append(part)
            continue
        result += [*reversed(word), part]
        word = []
    return result + word[::-1]


def _weak(kinds: list[str], edge: str) -> None:
    """Resolve weak types (rules W1 to W7)."""
    _marks_and_arabic_numbers(kinds, edge)
    for at in range(1, len(kinds) - 1):
        left, right = kinds[at - 1], kinds[at + 1]
        if left == right and ((kinds[at] == "ES" and left == "EN") or (kinds[at] == "CS" and left in {"EN", "AN"})):
            kinds[at] = left
    _terminators(kinds)
    strong = edge
    for at, kind in enumerate(kinds):
        if kind in {"ES", "CS", "ET"}:
            kinds[at] = "ON"
        elif kind == "EN" and strong == "L":
            kinds[at] = "L"
        elif kind in {"L", "R"}:
            strong = kind


def _marks_and_arabic_numbers(kinds: list[str], edge: str) -> None:
    """Resolve marks and Arabic numbers (rules W1 to W3)."""
    before = strong = edge
    for at, kind in enumerate(kinds):
        if kind == "NSM":
            kinds[at] = before
        elif kind == "EN" and strong == "AL":
            kinds[at] = "AN"
        if kinds[at] in _STRONG:
            strong = kinds[at]
        before = kinds[at]
    kinds[:] = ["R" if kind == "AL" else kind for kind in kinds]


def _terminators(kinds: list[str]) -> None:
    """Resolve signs beside a number (rule W5)."""
    at = 0
    while at < len(kinds):
        if kinds[at] != "ET":
            at += 1
            continue
        end = at
        while end < len(kinds) and kinds[end] in {"ET", "BN"}:
            end += 1
        if (at and kinds[at - 1] == "EN") or (end < len(kinds) and kinds[end] == "EN"):
            kinds[at:end] = ["EN"] * (end - at)
        at = end


def _direction(kind: str) -> str:
    return "R" if kind in {"R", "EN", "AN"} else kind


def _paired(chars: Sequence[str], kinds: list[str], original: list[str], edge: str) -> None:
    """Give each pair of brackets the direction of its content or of the text before it (rule N0)."""
    for opening, closing in _bracket_pairs(chars, kinds):
        inside = {_direction(kind) for kind in kinds[opening + 1 : closing]} & {"L", "R"}
        if not inside:
            continue
        chosen = edge
        if edge not in inside:
            before = next(
                (_direction(kind) for kind in reversed(kinds[:opening]) if _direction(kind) in {"L", "R"}), edge
            )
            chosen = before if before != edge else edge
        for at in (opening, closing):
            kinds[at] = chosen
            following = at + 1
            while following < len(kinds) and original[following] == "NSM":
                kinds[following] = chosen
                following += 1


def _bracket_pairs(chars: Sequence[str], kinds: Sequence[str]) -> list[tuple[int, int]]:
    stack: list[tuple[str, int]] = []
    pairs: list[tuple[int, int]] = []
    for at, char in enumerate(chars):
        if kinds[at] != "ON":
            continue
        if char in _BRACKETS:
            if len(stack) == 63:
                break
            stack.append((_BRACKETS[char], at))
        elif char in _CLOSERS:
            for depth in range(len(stack) - 1, -1, -1):
                if stack[depth][0] == char:
                    pairs.append((stack[depth][1], at))
                    del stack[depth:]
                    break
    return sorted(pairs)


def _neutral(kinds: list[str], edge: str) -> None:
    """Resolve neutral characters (rules N1 and N2)."""
    at = 0
    while at < len(kinds):
        if kinds[at] not in _NEUTRAL:
            at += 1
            continue
        end = at
        while end < len(kinds) and kinds[end] in _NEUTRAL:
            end += 1
        left = _direction(kinds[at - 1]) if at else edge
        right = _direction(kinds[end]) if end < len(kinds) else edge
        kinds[at:end] = [left if left == right else edge] * (end - at)
        at = end
