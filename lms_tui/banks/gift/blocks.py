"""Cut a GIFT file into blocks at blank lines and remove comments."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from lms_tui.common.frozen import frozen

_BRACE: Final = re.compile("[{}]")
_ID: Final = re.compile(r"\[id:((?:[^\]\\]|\\.)+)\]")
_TAG: Final = re.compile(r"\[tag:((?:[^\]\\]|\\.)+)\]")
_CATEGORY: Final = re.compile(r"\s*\$CATEGORY:", re.IGNORECASE)
_GOES_ON: Final = ("=", "~", "}", "####")


@frozen
class Block:
    """Lines of one block with hidden escapes. `line` is the number of the first, from 1."""

    line: int
    text: str
    identifier: str = ""
    tags: tuple[str, ...] = ()

    @property
    def is_category(self) -> bool:
        return _CATEGORY.match(self.text) is not None


@dataclass(slots=True)
class _Draft:
    line: int = 0
    lines: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    depth: int = 0
    answered: bool = False

    def add(self, number: int, line: str) -> None:
        if not self.lines:
            self.line = number
        self.lines.append(line)
        for brace in _BRACE.findall(line):
            self.depth = max(0, self.depth + (1 if brace == "{" else -1))
            self.answered |= brace == "}" and self.depth == 0

    def block(self) -> Block:
        remarks = "\n".join(self.comments)
        identifier = _ID.search(remarks)
        return Block(
            self.line,
            "\n".join(self.lines),
            _plain(identifier[1]) if identifier else "",
            tuple(_plain(tag) for tag in _TAG.findall(remarks)),
        )


def _plain(name: str) -> str:
    return re.sub(r"\\(.)", r"\1", name).strip()


def cut(text: str) -> Iterator[Block]:
    """Yield the blocks of a text with hidden escapes.

    A blank line ends a question, as in Moodle. It does not if braces are open and the next brace closes them. A line
    with a title starts a question even without a blank line before it.
    """
    lines = text.split("\n")
    del text  # the lines of a large file are in memory once, and each of them until it is read
    closes = _closes_next(lines)
    draft = _Draft()
    for at, line in enumerate(lines):
        lines[at] = ""
        stripped = line.strip()
        if stripped.startswith("//"):
            draft.comments.append(stripped)
            continue
        category = _CATEGORY.match(line) is not None
        begins = category or (stripped.startswith("::") and draft.depth == 0 and draft.answered)
        ends = not stripped and not (draft.depth and _goes_on(lines, closes, at))
        if draft.lines and (begins or ends):
            yield draft.block()
            draft = _Draft()
        if category:
            yield Block(at + 1, line)
        elif stripped or draft.lines:
            draft.add(at + 1, line)
    if draft.lines:
        yield draft.block()


def _closes_next(lines: list[str]) -> list[bool]:
    """Return for each line whether the next brace is a closing one and comes before another question."""
    closes = [False] * (len(lines) + 1)
    for at in range(len(lines) - 1, -1, -1):
        line = lines[at]
        brace = _BRACE.search(line)
        if line.lstrip().startswith(("::", "$CATEGORY:")):
            closes[at] = False
        elif brace and not line.lstrip().startswith("//"):
            closes[at] = brace[0] == "}"
        else:
            closes[at] = closes[at + 1]
    return closes


def _goes_on(lines: list[str], closes: list[bool], at: int) -> bool:
    follower = next((line.lstrip() for line in lines[at : at + 20] if line.strip()), "")
    return closes[at] or follower.startswith(_GOES_ON)
