"""Parse YAML into a tree of texts with line numbers.

There are no tags and no aliases, and values such as `no` or `1e3` stay text.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

import yaml

from lms_tui.common.cleaning import UNSEEN
from lms_tui.common.frozen import frozen

_DEEPEST: Final = 12
_UNREADABLE: Final = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_WORDS: Final = (
    ("tab", "A tab stands in the indent. Use blanks."),
    ("flow sequence", "The bracket [ is not closed with ]."),
    ("flow mapping", "The bracket { is not closed with }."),
    ("quoted scalar.*end of stream", "The quotes are not closed."),
    ("escape", "A backslash between double quotes begins a code. Write single quotes in their place."),
    ("block scalar", "After | and >, the text begins in the next line."),
    ("block sequence entries", "Begin the list in the next line."),
    ("mapping values", "The indent is wrong, or a text has a colon. Put a text with a colon between quotes."),
    ("cannot start|node content", "A text begins with a special character. Put it between quotes."),
    ("block collection|block mapping", "The indent does not fit the lines above, or a text goes on after its quotes."),
)
"""Patterns of the parser's messages, each with words for a person who writes an exam. The first that fits counts."""


class BadYaml(Exception):
    """`str(error)` is a sentence about the problem at `line`."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


@frozen
class Scalar:
    text: str
    line: int


@frozen
class Sequence:
    items: "tuple[Tree, ...]"
    line: int


@frozen
class Mapping:
    entries: "tuple[tuple[Scalar, Tree], ...]"
    line: int

    def get(self, name: str) -> "Tree | None":
        """Return the value of a key. Case, hyphens and underscores do not matter."""
        return next((value for key, value in self.entries if folded(key.text) == name), None)


Tree = Scalar | Sequence | Mapping


@lru_cache(maxsize=512)
def folded(key: str) -> str:
    return " ".join(re.split(r"[\s_-]+", key.strip().casefold()))


def parse_yaml(text: str) -> Tree:
    """Parse the first document of a text. Raises BadYaml."""
    try:
        return _document(yaml.parse(_UNREADABLE.sub(UNSEEN, text), Loader=_LOADER))
    except yaml.MarkedYAMLError as error:
        # An unclosed quote is detected at the end of the file, but the error is at its start.
        unclosed = re.search("quoted|flow", error.context or "") is not None
        mark = (error.context_mark if unclosed else error.problem_mark) or error.context_mark
        line = mark.line if mark else 0
        reason = " ".join(filter(None, (error.context, error.problem))) or "it cannot be read"
        raise BadYaml(f"The YAML is broken here. {_in_words(reason, text, line)}", line + 1) from None
    except (yaml.YAMLError, RecursionError):
        raise BadYaml("The YAML cannot be read.", 1) from None


def second_document(text: str) -> int:
    """Return the line of a second document after `---`, 0 if there is none. The text must be one that can be parsed."""
    documents = 0
    try:
        for event in yaml.parse(_UNREADABLE.sub(UNSEEN, text), Loader=_LOADER):
            documents += isinstance(event, yaml.DocumentStartEvent)
            if documents > 1 and isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent):
                return int(event.start_mark.line) + 1
    except (yaml.YAMLError, RecursionError):
        return 0
    return 0


def _in_words(reason: str, text: str, line: int) -> str:
    """Say in plain words what the parser found in a line, counted from 0, and what to do."""
    lines = text.split("\n")
    begin = re.match(r"\s*", lines[line] if line < len(lines) else "")
    if begin is not None and "\t" in begin[0]:
        reason = "tab"
    return next((words for found, words in _WORDS if re.search(found, reason)), f"{reason[:1].upper()}{reason[1:]}.")


def _document(events: Iterator[Any]) -> Tree:
    for event in events:
        if isinstance(event, yaml.DocumentStartEvent):
            return _node(next(events), events, 0)
        if isinstance(event, yaml.StreamEndEvent):
            break
    raise BadYaml("The file is empty.", 1)


def _node(event: Any, events: Iterator[Any], depth: int) -> Tree:
    line = event.start_mark.line + 1
    if depth > _DEEPEST:
        raise BadYaml(f"The YAML is nested deeper than {_DEEPEST} levels.", line)
    match event:
        case yaml.ScalarEvent():
            return Scalar("" if event.style is None and event.value in {"~", "null"} else event.value, line)
        case yaml.SequenceStartEvent():
            items: list[Tree] = []
            while not isinstance(event := next(events), yaml.SequenceEndEvent):
                items.append(_node(event, events, depth + 1))
            return Sequence(tuple(items), line)
        case yaml.MappingStartEvent():
            entries: list[tuple[Scalar, Tree]] = []
            while not isinstance(event := next(events), yaml.MappingEndEvent):
                key = _node(event, events, depth + 1)
                if not isinstance(key, Scalar):
                    raise BadYaml("Expected a name, but found a list or a mapping.", key.line)
                entries.append((key, _node(next(events), events, depth + 1)))
            return Mapping(tuple(entries), line)
        case _:
            raise BadYaml("Aliases such as *name are not supported. Write the text again.", line)


def without_item(text: str, line: int) -> str:
    """Blank the question around a broken line. Returns the same text if there is none."""
    lines = text.split("\n")
    head = next((at for at, each in enumerate(lines) if re.match(r"\s*questions\s*:\s*(?:#.*)?$", each)), None)
    if head is None:
        return text
    first = next((found for each in lines[head + 1 :] if (found := re.match(r"(\s*)-\s", each))), None)
    if first is None:
        return text
    item = re.compile(rf"{first[1]}-(?:\s|$)")
    outside = re.compile(rf"\s{{0,{max(0, len(first[1]) - 1)}}}\S") if first[1] else re.compile(r"[^\s-]")
    start = next((at for at in range(min(line, len(lines)) - 1, head, -1) if item.match(lines[at])), None)
    if start is None:
        return text
    followers = range(start + 1, len(lines))
    end = next((at for at in followers if item.match(lines[at]) or outside.match(lines[at])), len(lines))
    return "\n".join([*lines[:start], *[""] * (end - start), *lines[end:]])
