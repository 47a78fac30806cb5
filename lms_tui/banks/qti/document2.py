"""Read a QTI 2 or 3 file: an item, or a test with parts, sections and references to items."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal
from typing import Any, Final

from lms_tui.banks.model import Section
from lms_tui.banks.pictures import Missing
from lms_tui.banks.qti.body2 import Body
from lms_tui.banks.qti.declared import default_of
from lms_tui.banks.qti.interactions2 import questions
from lms_tui.banks.qti.item2 import Item2
from lms_tui.banks.qti.modern import in_words_of_2
from lms_tui.banks.qti.source import Source
from lms_tui.banks.texts import joined, number
from lms_tui.banks.unreadable import Unreadable
from lms_tui.banks.xml_tree import Malformed, Node, decode_xml, inner_html, parse_xml
from lms_tui.common.cleaning import clean_line
from lms_tui.common.frozen import frozen

_DEEPEST: Final = 20
_MEMBERS: Final = ("assessmentItemRef", "assessmentItem", "assessmentSection", "assessmentSectionRef")
_LOST: Final = {
    "preCondition": "preconditions", "branchRule": "branch rules", "testFeedback": "feedback to the exam",
}  # fmt: skip


@frozen
class Labels:
    """The metadata of an item in a manifest."""

    subject: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


@dataclass(slots=True)
class Document2:
    """Reads the documents of a package.

    `labels` holds metadata by path of an item's file. `taken` holds the members that were read as part of a test.
    """

    source: Source
    labels: Mapping[str, Labels] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)
    stimuli: dict[str, str] = field(default_factory=dict)

    # --- items

    def item(self, node: Node, weight: Decimal | None = None) -> None:
        """Add one item. An item that cannot be read is reported."""
        self._account(node, limit=True)
        labels = self.labels.get(self.source.place.name, Labels())
        item = Item2(node, self.source, self._stimulus(node), labels.subject, labels.tags, weight)
        try:
            if item.is_text:
                self._text(item)
                return
            found = questions(item)
        except Unreadable as error:
            self.source.pictures.told()
            title = clean_line(node.get("title") or node.get("identifier"))[:60]
            self.source.collector.error(f"The question “{title}” was left out. {error}", node.line)
            return
        for question in found:
            self.source.add(question)

    def _text(self, item: Item2) -> None:
        text = item.text()
        for problem in self.source.pictures.told():
            self.source.collector.warn(problem, item.node.line)
        if text:
            self.source.collector.describe(text, item.node.line)

    def _stimulus(self, item: Node) -> str:
        texts = [self._stimulus_at(node.get("href")) for node in item.all("assessmentStimulusRef") if node.get("href")]
        return joined([text for text in texts if text])

    def _stimulus_at(self, reference: str) -> str:
        if reference not in self.stimuli:
            self.stimuli[reference] = ""
            try:
                beside = self.source.beside(reference)
                root = in_words_of_2(parse_xml(decode_xml(self.source.place.read(reference)).text))
            except Missing:
                self.source.collector.error(f"The shared text “{clean_line(reference)[:60]}” is not in the file.")
            except Malformed as error:
                self.source.collector.error(f"The shared text “{clean_line(reference)[:60]}” cannot be read. {error}")
            else:
                self.stimuli[reference] = Body(beside, {}).html(root.find("stimulusBody") or root)
        return self.stimuli[reference]

    # --- tests

    def test(self, root: Node) -> dict[str, Any]:
        """Add a test and return the settings of the exam."""
        parts = root.all("testPart")
        sections = self._sections(parts or [root])
        for node in (root, *parts):
            self._account(node)
        several = parts if len(parts) > 1 else []
        for node in several:
            if _limit(node):
                self.source.collector.left_out("time limits of parts", line=node.line)
        for at, section in enumerate(sections, 1):
            cut_off = number(default_of(root, f"CUT_OFF_{at}"))
            self.section(section, 0, int(cut_off) if cut_off is not None and 0 <= cut_off < 1_000_000 else 0)
        whole = [root] if several else [root, *parts]
        settings: dict[str, Any] = {
            "duration": next(filter(None, map(_limit, whole)), None),
            "language": clean_line(root.get("lang")),
        }
        for name, outcome in (("mark_per_question", "MARK_PER_QUESTION"), ("negative_marks", "NEGATIVE_MARKS")):
            value = number(default_of(root, outcome))
            if value is not None:
                settings[name] = value
        return settings

    def _sections(self, parts: Sequence[Node]) -> list[Node]:
        """Return the sections of a test, or those inside its only one."""
        sections = [section for part in parts for section in part.all("assessmentSection", "assessmentSectionRef")]
        nested = sections[0].all("assessmentSection") if len(sections) == 1 else []
        if len(nested) < 2 or sections[0].all("assessmentItemRef"):
            return sections
        self._account(sections[0], limit=True)
        return nested

    def section(self, node: Node, depth: int, cut_off: int = 0) -> None:
        """Add a section. The sections inside it become part of it."""
        if node.name == "assessmentSectionRef":
            found = self._member(node)
            if found is not None and depth < _DEEPEST:
                document, root = found
                document.section(root, depth, cut_off)
            return
        if depth == 0:
            instructions = "".join(
                inner_html(rubric)
                for rubric in node.all("rubricBlock")
                if "candidate" in rubric.get("view", "candidate")
            )
            section = Section(clean_line(node.get("title")), (), _limit(node), cut_off, self.source.embed(instructions))
            self.source.collector.begin_section(section)
        self._account(node, limit=depth > 0)
        start = len(self.source.collector.questions)
        for child in node:
            if child.name == "assessmentItemRef":
                self.reference(child)
            elif child.name in {"assessmentSection", "assessmentSectionRef"} and depth < _DEEPEST:
                self.section(child, depth + 1)
            elif child.name == "assessmentItem":
                self.item(child)
        self._pick(node, start)

    def _account(self, node: Node, *, limit: bool = False) -> None:
        """Record the rules of a test that an exam cannot keep. `limit` includes a time limit."""
        collector = self.source.collector
        for child in node:
            if child.name in _LOST:
                collector.left_out(_LOST[child.name], line=child.line)
        limits = node.find("timeLimits")
        if limits is not None and number(limits.get("minTime")):
            collector.left_out("shortest times", line=limits.line)
        if limit and limits is not None and _limit(node):
            what = "questions" if node.name.startswith("assessmentItem") else "sections inside a section"
            collector.left_out(f"time limits of {what}", line=limits.line)
        if node.get("navigationMode").lower() == "linear":
            message = "The test allows no way back to an earlier question (linear navigation). The exam allows it."
            collector.warn(message, node.line)

    def _pick(self, node: Node, start: int) -> None:
        """Draw some of the questions of a section for each attempt. Sections inside it are not drawn as a whole."""
        collector, selection = self.source.collector, node.find("selection")
        picked = number(selection.get("select")) if selection else None
        inside, named = node.all(*_MEMBERS), clean_line(node.get("title"))
        if picked is None:
            return
        if len(inside) == len(collector.since(start)) and not any("Section" in each.name for each in inside):
            collector.pick(int(picked), collector.since(start), node.line, named)
        elif picked < len(inside):
            message = f"The section “{named[:60]}” asks {picked} of its {len(inside)} parts. All are imported."
            collector.warn(message, node.line)

    def reference(self, node: Node) -> None:
        """Add the item that a test refers to."""
        self._account(node, limit=True)
        found = self._member(node)
        if found is None:
            return
        document, root = found
        if root.name != "assessmentItem":
            self.source.collector.error(f"“{clean_line(node.get('href'))[:80]}” is not a question.", node.line)
            return
        weights = [value for weight in node.all("weight") if (value := number(weight.get("value"))) is not None]
        document.item(root, weights[0] if weights else None)

    def _member(self, node: Node) -> "tuple[Document2, Node] | None":
        reference = node.get("href")
        named = clean_line(reference or node.get("identifier"))[:80]
        try:
            data, beside = self.source.place.read(reference), self.source.beside(reference)
            root = in_words_of_2(parse_xml(decode_xml(data).text))
        except Missing:
            self.source.collector.error(f"“{named}” is named by the test but is not in the file.", node.line)
            return None
        except Malformed as error:
            self.source.collector.error(f"“{named}” was left out. {error}", error.line)
            return None
        self.taken.add(beside.place.name)
        return Document2(beside, self.labels, self.taken), root


def _limit(node: Node) -> timedelta | None:
    limits = node.find("timeLimits")
    total = number(limits.get("maxTime")) if limits else None
    return timedelta(seconds=float(total)) if total and 0 < total < 10_000_000 else None
