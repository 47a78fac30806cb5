"""The numbers and letters that Word writes before the paragraphs of a list."""

from dataclasses import dataclass, field
from typing import Final

from lms_tui.banks.xml_tree import Node
from lms_tui.common.frozen import frozen

_KINDS: Final = {
    "decimal": "number", "decimalZero": "number", "decimalEnclosedCircle": "number", "chineseCounting": "number",
    "chineseCountingThousand": "number", "japaneseCounting": "number", "ideographDigital": "number",
    "lowerLetter": "letter", "upperLetter": "letter", "russianLower": "letter", "russianUpper": "letter",
    "lowerRoman": "roman", "upperRoman": "roman", "bullet": "bullet",
}  # fmt: skip


@frozen
class Label:
    """The number or letter that Word writes before a paragraph.

    `kind` is number, letter, roman or bullet, and `value` counts from 1.
    """

    kind: str
    value: int
    level: int
    series: str
    """The list that the paragraph belongs to."""


@dataclass(slots=True)
class Numbering:
    """Counts the paragraphs of every list."""

    abstract: dict[str, str] = field(default_factory=dict)
    levels: dict[tuple[str, int], tuple[str, int]] = field(default_factory=dict)
    """The kind and the first value of a level of a list."""
    overrides: dict[tuple[str, int], int] = field(default_factory=dict)
    counts: dict[tuple[str, int], int] = field(default_factory=dict)
    met: set[tuple[str, int]] = field(default_factory=set)

    @classmethod
    def of(cls, root: Node) -> "Numbering":
        numbering = cls()
        for node in root.all("abstractNum"):
            for level in node.all("lvl"):
                numbering._level(node.get("abstractNumId"), level)
        for node in root.all("num"):
            name = node.get("numId")
            found = node.find("abstractNumId")
            numbering.abstract[name] = found.get("val") if found else ""
            for override in node.all("lvlOverride"):
                start, depth = override.find("startOverride"), _whole(override.get("ilvl"))
                if start is not None:
                    numbering.overrides[name, depth] = _whole(start.get("val"), 1)
        return numbering

    def _level(self, series: str, node: Node) -> None:
        form, start = node.find("numFmt"), node.find("start")
        kind = _KINDS.get(form.get("val") if form else "decimal", "")
        self.levels[series, _whole(node.get("ilvl"))] = kind, _whole(start.get("val"), 1) if start else 1

    def next(self, name: str, level: int) -> Label | None:
        """Count a paragraph of the list `name`. Returns None if nothing is written before it."""
        series = self.abstract.get(name)
        if series is None:
            return None
        kind, start = self.levels.get((series, level), ("number", 1))
        if (name, level) in self.overrides and (name, level) not in self.met:
            self.counts[series, level] = self.overrides[name, level] - 1
        self.met.add((name, level))
        value = self.counts.get((series, level), start - 1) + 1
        self.counts[series, level] = value
        for below in range(level + 1, 9):
            self.counts.pop((series, below), None)
        return Label(kind, value, level, series) if kind else None


def _whole(text: str, usual: int = 0) -> int:
    return int(text) if text.isdecimal() and len(text) < 6 else usual
