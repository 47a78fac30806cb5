"""One item of QTI 2.x or 3.0: its text, its declarations, and the parts of a question that all interactions share."""

import re
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final

from lms_tui.banks.model import Question
from lms_tui.banks.qti.body2 import Body, is_interaction
from lms_tui.banks.qti.declared import Declaration, Scored, declarations, default_of, maximum, scored
from lms_tui.banks.qti.source import Source
from lms_tui.banks.texts import joined, number, plain
from lms_tui.banks.xml_tree import Node, inner_html
from lms_tui.common.cleaning import clean_line
from lms_tui.common.frozen import frozen
from lms_tui.wire.question_types import QuestionType

_EXPLAINS: Final = re.compile(r"explanation|general|solution|rationale", re.IGNORECASE)


@frozen
class Stem:
    """The text of a question, the suffix of its identifier among its siblings, and its shared text."""

    text: str
    suffix: str = ""
    direction: str = ""


@dataclass(slots=True)
class Item2:
    """Reads one item. `passage` is the text of the stimulus that the item names, as HTML."""

    node: Node
    source: Source
    passage: str = ""
    subject: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    weight: Decimal | None = None
    declared: dict[str, Declaration] = field(init=False)
    scored: list[Scored] = field(init=False)
    body: Node = field(init=False)
    used_feedback: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.declared = declarations(self.node)
        self.scored = scored(self.node)
        self.body = self.node.find("itemBody") or Node("itemBody", {}, self.node.line)
        self._separate_stimulus()

    def _separate_stimulus(self) -> None:
        """Move a shared text at the start of the body to the passage, unless the body has no other text."""
        stimulus = _stimulus(self.body)
        if stimulus is None:
            return
        rest = Node("itemBody", {}, self.body.line, [each for each in self.body.children if each is not stimulus])
        if not plain(inner_html(rest, Body(self.source, prompts=True).rewrite)):
            return
        inside = [stimulus] if stimulus.name == "include" else stimulus.children
        shared = self.html(Node("div", {}, stimulus.line, [*inside]))
        self.body = rest
        self.passage = f"<div>{self.passage}</div><div>{shared}</div>" if self.passage else shared

    @property
    def interactions(self) -> list[Node]:
        return [node for node in self.body.walk() if is_interaction(node)]

    @property
    def is_text(self) -> bool:
        return not self.interactions and not self.declared

    @property
    def is_ours(self) -> bool:
        """Whether our own writer made the item."""
        return self.node.get("toolName") == "lms-tui"

    def text(self) -> str:
        return Body(self.source, prompts=True).html(self.body)

    def html(self, node: Node) -> str:
        return Body(self.source).html(node)

    def declaration(self, node: Node) -> Declaration:
        """Return the declaration of an interaction. Without a key there, the key comes from the response processing."""
        name = node.get("responseIdentifier")
        found = self.declared.get(name, Declaration())
        if found.correct or found.mapping:
            return found
        values = tuple(part.text for part in self.scored if part.response == name and part.text and part.low is None)
        return Declaration(found.cardinality, found.base, values) if values else found

    def modal_feedback(self, name: str) -> Node | None:
        found = next((node for node in self.node.all("modalFeedback") if node.get("identifier") == name), None)
        if found:
            self.used_feedback.add(name)
        return found

    def build(self, kind: QuestionType, stem: Stem, declared: Declaration | None, **parts: object) -> Question:
        return Question(
            kind,
            stem.text,
            title=clean_line(self.node.get("title")),
            direction_html=joined([text for text in (self.passage, stem.direction) if text]),
            explanation_html=self._explanation(),
            subject=self.subject,
            marks=self._marks(declared),
            negative_marks=number(default_of(self.node, "PENALTY")),
            language=clean_line(self.node.get("lang")),
            identifier=self._identifier() + stem.suffix,
            tags=self.tags,
            line=self.node.line,
            **parts,  # type: ignore[arg-type] # the names of the parts are field names
        )

    def _identifier(self) -> str:
        """Return the identifier. Our own writer keeps it in the label, because it may not be a valid name."""
        return clean_line(self.node.get("label" if self.is_ours else "identifier"))

    def _marks(self, declared: Declaration | None) -> Decimal | None:
        value = maximum(self.node)
        if value is None and declared is not None and declared.mapping and declared.scale != 1:
            value = declared.scale
        if self.weight is not None and self.weight != 1:
            value = (value or Decimal(1)) * self.weight
        return value if value is not None and value >= 0 else None

    def _explanation(self) -> str:
        """Return the feedback that is named as an explanation, or else the only text of all feedback."""
        rest = [node for node in self.node.all("modalFeedback") if node.get("identifier") not in self.used_feedback]
        named = [node for node in rest if _EXPLAINS.fullmatch(node.get("identifier"))]
        texts = {self.html(node): node for node in named or rest}
        ambiguous = not named and len(texts) > 1
        if ambiguous or (named and len(rest) > len(named)):
            self.source.collector.left_out("general feedback to correct or incorrect answers", line=rest[0].line)
        return "" if ambiguous else "".join(texts)

    def warn(self, message: str) -> None:
        self.source.collector.warn(message, self.node.line, self.source.collector.next_number)


def _stimulus(body: Node) -> Node | None:
    """Return the shared text at the start of the body: an included text, or an element of the class `stimulus`."""
    first = next((each for each in body.children if isinstance(each, Node) or each.strip()), None)
    if not isinstance(first, Node) or any(is_interaction(node) for node in first.walk()):
        return None
    inside = [each for each in first.children if isinstance(each, Node) or each.strip()]
    drawn = first.name == "div" and len(inside) == 1 and isinstance(inside[0], Node) and inside[0].name == "include"
    return first if drawn or first.name == "include" or "stimulus" in first.get("class").split() else None
