"""Read the values of a YAML exam: texts, numbers, shares, times. Invalid values are reported and left out."""

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal
from typing import Final

from lms_tui.banks.collect import Collector
from lms_tui.banks.file_types import MOST_FILES, file_type
from lms_tui.banks.markup import Markup, to_html
from lms_tui.banks.texts import number, share
from lms_tui.banks.unreadable import Unreadable
from lms_tui.banks.yaml_tree import Mapping, Scalar, Sequence, Tree, folded
from lms_tui.common.cleaning import clean, clean_line

_SPAN: Final = re.compile(r"(\S+)\s*(?:to|\.\.|…)\s*(\S+)\Z")
_AROUND: Final = re.compile(r"(\S+?)\s*(?:±|\+-|\+/-)\s*(\S+)\Z")
_CLOCK: Final = re.compile(r"(?:(\d+):)?(\d{1,4}):(\d{2}(?:\.\d+)?)\Z")
_MAY_BE_HOURS: Final = re.compile(r"\d:\d{2}\Z")
_UNITS: Final = re.compile(r"(\d+(?:\.\d+)?)\s*(d|days?|h|hours?|m|min|minutes?|s|sec|seconds?)?\b\s*", re.IGNORECASE)
_SECONDS: Final = {"d": 86400, "h": 3600, "m": 60, "s": 1}
AFTER_CLOSING: Final = "after closing"
YES: Final = frozenset({"yes", "true", "on", "y"})
NO: Final = frozenset({"no", "false", "off", "n"})


def nearest(name: str, known: Iterable[str]) -> str:
    """Return a sentence with the most similar known name, after a space. Empty if none is similar."""
    near = difflib.get_close_matches(name, list(known), 1)
    return f" Did you mean “{near[0]}”?" if near else ""


@dataclass(slots=True)
class Values:
    """Reads values and reports invalid ones to `collector`. A missing value is read as None."""

    collector: Collector = field(default_factory=Collector)

    def known(self, node: Mapping, names: Iterable[str]) -> None:
        """Report unknown and repeated names."""
        seen: set[str] = set()
        for key, _ in node.entries:
            name = folded(key.text)
            if name not in names:
                what = f"“{clean_line(key.text)[:40]}” is unknown and was left out.{nearest(name, names)}"
                self.collector.warn(what, key.line)
            elif name in seen:
                self.collector.warn(f"“{name}” is given twice. The first one counts.", key.line)
            seen.add(name)

    def warn(self, tree: Tree | None, message: str) -> None:
        self.collector.warn(message, tree.line if tree else 0)

    @staticmethod
    def listed(tree: Tree | None) -> tuple[Tree, ...]:
        """Return the items of a list. A single value is a list of one, and a missing value is an empty list."""
        if tree is None or (isinstance(tree, Scalar) and not tree.text):
            return ()
        return tree.items if isinstance(tree, Sequence) else (tree,)

    def text(self, tree: Tree | None) -> str:
        """Return the text unchanged."""
        if tree is None:
            return ""
        if not isinstance(tree, Scalar):
            self.warn(tree, "Expected a text, but found a list or names. It was left out.")
            return ""
        return tree.text

    def line(self, tree: Tree | None) -> str:
        return clean_line(self.text(tree))

    def lines(self, tree: Tree | None) -> list[str]:
        return [clean_line(self.text(item)) for item in self.listed(tree)]

    def html(self, tree: Tree | None, markup: Markup) -> str:
        return to_html(self.text(tree).rstrip("\n"), markup)

    def format(self, tree: Tree | None, usual: Markup) -> Markup:
        written = self.line(tree).lower()
        if written in {"markdown", "html", "plain"}:
            return Markup(written)
        if written:
            self.warn(tree, f"“{written[:40]}” is not a format. Write markdown, html or plain.")
        return usual

    def decimal(self, tree: Tree | None) -> Decimal | None:
        written = self.line(tree)
        value = number(written)
        if written and value is None:
            self.warn(tree, f"“{written[:40]}” is not a number and was left out.")
        return value

    def marks(self, tree: Tree | None) -> Decimal | None:
        """Return the marks of a correct answer. They cannot be below 0."""
        value = self.decimal(tree)
        if value is None or value >= 0:
            return value
        message = (
            f"“{self.line(tree)[:40]}” is below 0. Write what a correct answer gives, and the cost as negative marks."
        )
        self.collector.error(message, tree.line if tree else 0)
        return None

    def weight(self, tree: Tree | None, usual: Decimal | None = None) -> Decimal | None:
        written = self.line(tree)
        value = share(written) if written.endswith("%") else number(written)
        if written and value is None:
            self.warn(tree, f"“{written[:40]}” is not a weight. Write a share such as 0.5 or 50 %.")
        return usual if value is None else value

    def file_types(self, tree: Tree | None) -> tuple[str, ...]:
        """Return the types of files, such as `.pdf`."""
        types: dict[str, None] = {}
        for written in self.lines(tree):
            if found := file_type(written):
                types[found] = None
            else:
                named = f"“{written[:40]}” is not a file type."
                self.warn(tree, f"{named} Write the end of a file name, such as pdf.")
        return tuple(types)

    def most_files(self, tree: Tree | None) -> int:
        written = self.line(tree)
        if written.isdecimal() and 1 <= int(written[:6]) <= MOST_FILES:
            return int(written)
        if written:
            self.warn(tree, f"“{written[:40]}” is not a number of files. Write a number from 1 to {MOST_FILES}.")
        return 1

    def flag(self, tree: Tree | None) -> bool | None:
        written = self.line(tree).lower()
        if written and written not in YES | NO:
            self.warn(tree, f"“{written[:40]}” is not yes or no. It was left out.")
            return None
        return written in YES if written else None

    def duration(self, tree: Tree | None) -> timedelta | None:
        written = self.line(tree)
        found = duration_of(written)
        if written and found is None and not self.is_untimed(tree):
            self.warn(tree, f"“{written[:40]}” is not a duration. Write 45 min, 1 h 30 min, 1:30:00 or none.")
        if found and _MAY_BE_HOURS.match(written):
            minutes, seconds = written.split(":")
            self.warn(tree, f"“{written}” means {minutes} min {seconds} s. For hours, write {written}:00.")
        return found

    def is_untimed(self, tree: Tree | None) -> bool:
        """Return whether a duration says that there is no time limit."""
        return self.line(tree).lower() == "none"


def duration_of(text: str) -> timedelta | None:
    """Read `45 min`, `1 h 30 min`, `1:30:00` or a number of minutes, or return None."""
    clock = _CLOCK.match(text)
    if clock:
        return timedelta(hours=int(clock[1] or 0), minutes=int(clock[2]), seconds=float(clock[3]))
    total, at = 0.0, 0
    while found := _UNITS.match(text, at):
        total += float(found[1]) * _SECONDS[(found[2] or "m")[0].lower()]
        at = found.end()
    return timedelta(seconds=total) if at == len(text) and 0 < total < 10_000_000 else None


def span_of(text: str) -> tuple[Decimal, Decimal]:
    """Return the lowest and highest number of `5`, `5 ± 0.1` or `1 to 3`. Raises Unreadable."""
    written = clean(text)
    if found := _SPAN.match(written):
        ends = number(found[1]), number(found[2])
        if ends[0] is not None and ends[1] is not None:
            return min(ends[0], ends[1]), max(ends[0], ends[1])
    elif found := _AROUND.match(written):
        value, reach = number(found[1]), number(found[2])
        if value is not None and reach is not None:
            return value - abs(reach), value + abs(reach)
    elif (alone := number(written)) is not None:
        return alone, alone
    raise Unreadable(f"“{written[:40]}” is not a number. Write 5, 5 ± 0.1 or 1 to 3.")
