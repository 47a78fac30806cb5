"""Read a QTI 1.2 file: an assessment with its sections, an object bank, or items alone."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import timedelta
from decimal import Decimal
from typing import Final

from lms_tui.banks.model import Section
from lms_tui.banks.qti.banks12 import Banks
from lms_tui.banks.qti.item12 import Item12, metadata
from lms_tui.banks.qti.source import Source, seconds
from lms_tui.banks.texts import number, plain
from lms_tui.banks.unreadable import Unreadable
from lms_tui.banks.xml_tree import Node
from lms_tui.common.cleaning import clean_line
from lms_tui.common.frozen import frozen

_LOST: Final = {
    "presentation_material": "texts before a section", "objectives": "objectives",
    "assessfeedback": "feedback to the exam",
    "sectionfeedback": "feedback to a section", "sectionprecondition": "preconditions",
    "sectionpostcondition": "preconditions", "itemprecondition": "preconditions", "itempostcondition": "preconditions",
    "itemrubric": "notes for markers", "duration": "time limits of questions", "hint": "hints",
}  # fmt: skip
_SELECTION: Final = ("selection_ordering", "selection")
_MINUTES: Final = ("qmd_timelimit", "cc_timelimit", "time_limit")


@frozen
class Heading:
    """The settings of the exam in a file."""

    title: str = ""
    duration: timedelta | None = None
    language: str = ""


@dataclass(slots=True)
class Document12:
    source: Source
    stimuli: dict[str, str] = field(default_factory=dict)
    wanted: set[str] = field(default_factory=set)
    banks: Banks = field(default_factory=Banks)
    group_marks: Decimal | None = None
    """The marks of each question of the group that is being read."""
    here: set[str] = field(default_factory=set)
    """The names of the banks in this file."""
    items: Iterator[Node] = field(default_factory=lambda: iter(()))
    """The items that stand in the tree without their contents."""

    def read(self, root: Node) -> Heading:
        """Add every item below `root` and return the settings of the exam."""
        self.wanted |= {stimulus_of(node) for node in root.walk("item", "section")}
        self.wanted.discard("")
        self.here = {node.get("ident") for node in root.all("objectbank")}
        heading = Heading()
        for node in [root] if root.name in {"item", "section", "assessment"} else list(root):
            match node.name:
                case "assessment":
                    heading = self._assessment(node)
                case "objectbank" | "section":
                    self._section(node, outermost=node.name == "section")
                case "item":
                    self.item(node, "")
                case _:
                    pass
        return heading

    def _assessment(self, node: Node) -> Heading:
        self._account(node)
        for child in node:
            if child.name == "section":
                self._section(child, outermost=True)
            elif child.name == "item":
                self.item(child, "")
        meta = metadata(Node("", {}, 0, list(node.all("qtimetadata"))))
        minutes = next((value for name in _MINUTES if (value := number(meta.get(name, "")))), None)
        duration = timedelta(minutes=float(minutes)) if minutes and 0 < minutes < 100_000 else _duration(node)
        return Heading(clean_line(node.get("title")), duration, clean_line(node.get("lang")))

    def _section(self, node: Node, *, outermost: bool, stimulus: str = "") -> None:
        if outermost:
            instructions = node.find("rubric")
            if instructions:
                self.source.collector.left_out("rubrics of sections", line=instructions.line)
            self.source.collector.begin_section(Section(clean_line(node.get("title")), (), _duration(node)))
        self._account(node)
        stimulus = node.get("parent_stimulus_item_ident") or stimulus
        outer, marks = self.group_marks, number(node.text_of(*_SELECTION, "selection_extension", "points_per_item"))
        self.group_marks = outer if marks is None else marks
        bank, start = node.text_of(*_SELECTION, "sourcebank_ref"), len(self.source.collector.questions)
        if bank:
            self._draw(node, bank)
        for child in node:
            if child.name == "section":
                self._section(child, outermost=False, stimulus=stimulus)
            elif child.name == "item":
                self.item(child, stimulus)
            elif child.name == "bankentry_item":
                self._draw(child, child.get("sourcebank_ref"), child.get("item_ref"))
            elif child.name in {"itemref", "sectionref"}:
                name = clean_line(child.get("linkrefid"))[:60]
                self.source.collector.error(f"The item “{name}” is not in this file.", child.line)
        self._pick(node, bank, start)
        self.group_marks = outer

    def _pick(self, node: Node, bank: str, start: int) -> None:
        """Draw some of the questions of a group for each attempt. Two groups can draw from one bank."""
        collector, written = self.source.collector, number(node.text_of(*_SELECTION, "selection_number"))
        if written is None:
            return
        if bank in self.banks.pools:
            collector.picks[self.banks.pools[bank] - 1] += int(written)
        elif not bank or bank in self.banks.known:
            pool = collector.pick(int(written), collector.since(start), node.line, clean_line(node.get("title")))
            self.banks.pools |= {bank: pool} if bank and pool else {}
        elif bank in self.here:
            message = f"A group asks {written} questions of a bank in this file. All of the bank are imported."
            collector.warn(message, node.line)

    def _draw(self, node: Node, name: str, item: str = "") -> None:
        """Add the questions of a bank, or one of them. A bank in the same file is read where it stands."""
        collector, bank = self.source.collector, self.banks.known.get(name)
        wanted = clean_line(item or name)[:60]
        if bank is None and name in self.here:
            return
        if bank is None or (item and item not in {each.get("ident") for each in bank.items}):
            what = "question" if item else "question bank"
            collector.error(f"The {what} “{wanted}”, which the exam draws from a bank, is not in the file.", node.line)
            return
        drawn = self.banks.draw(bank, item)
        marks = number(node.get("points_possible")) or self.group_marks
        document = Document12(bank.source, self.stimuli, self.wanted, group_marks=marks)
        for each in drawn:
            document.item(each, node.get("parent_stimulus_item_ident"))

    def _account(self, node: Node) -> None:
        """Record the parts of an assessment, a section or an item that an exam cannot keep."""
        for child in node:
            what = _LOST.get(child.name)
            if what and (node.name == "item" or child.name != "duration"):
                self.source.collector.left_out(what, line=child.line)

    def item(self, node: Node, stimulus: str) -> None:
        """Add one item. An item that cannot be read is reported."""
        node = next(each for each in self.items if each.number == node.number) if node.number else node
        self._account(node)
        item = Item12(node, self.source)
        item.passage = self.stimuli.get(stimulus_of(node) or stimulus, "")
        try:
            if item.is_text:
                self._text(item)
                return
            question = item.question()
        except Unreadable as error:
            self.source.pictures.told()
            title = clean_line(node.get("title") or node.get("ident") or plain(item.stem()))[:60]
            self.source.collector.error(f"The question “{title}” was left out. {error}", node.line)
            return
        self.source.add(question if self.group_marks is None else replace(question, marks=self.group_marks))

    def _text(self, item: Item12) -> None:
        """Add a text that is not a question: a stimulus if items name it, else a passage."""
        text = item.stem()
        for problem in self.source.pictures.told():
            self.source.collector.warn(problem, item.node.line)
        if item.node.get("ident") in self.wanted:
            self.stimuli[item.node.get("ident")] = text
        elif text:
            self.source.collector.describe(text, item.node.line)


def stimulus_of(node: Node) -> str:
    """Return the name of the stimulus that a section or an item names."""
    named = metadata(node).get("parent_stimulus_item_ident", "") if node.name == "item" else ""
    return named or node.get("parent_stimulus_item_ident")


def _duration(node: Node) -> timedelta | None:
    total = seconds(node.text_of("duration"))
    return timedelta(seconds=float(total)) if total and total < 10_000_000 else None
