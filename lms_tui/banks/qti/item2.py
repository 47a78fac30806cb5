"""One item of QTI 2.x or 3.0, interaction by interaction."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final

from lms_tui.banks.model import NumericKey, Option, Pair, Question, TextKey
from lms_tui.banks.qti.body2 import INLINE, Body, is_interaction
from lms_tui.banks.qti.declared import Declaration, Scored, declarations, default_of, maximum, scored
from lms_tui.banks.qti.numbers import best, numeric_keys
from lms_tui.banks.qti.source import Source
from lms_tui.banks.texts import counted, literal, number, plain, ratio
from lms_tui.banks.unreadable import Unreadable
from lms_tui.banks.xml_tree import Node, inner_html
from lms_tui.common.cleaning import clean_line
from lms_tui.wire.question_types import QuestionType

_EXPLAINS: Final = re.compile(r"explanation|general|solution|rationale", re.IGNORECASE)


@dataclass(slots=True)
class Item2:
    """`passage`: what a stimulus that the item names says, as HTML."""

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
        self._part_stimulus()

    def _part_stimulus(self) -> None:
        """Take the shared text that stands first out of the body, unless it is all there is to read."""
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

    def text(self) -> str:
        return Body(self.source, prompts=True).html(self.body)

    def questions(self) -> list[Question]:
        """Read the item, as one question or one for each of its interactions; raises Unreadable."""
        if self.body.first("printedVariable", "templateInline") or self.node.find("templateProcessing"):
            raise Unreadable("It generates a different text for each student, which is not supported.")
        found = self.interactions
        if not found:
            raise Unreadable("It has no answer field.")
        inline = [node for node in found if node.name in INLINE]
        blocks = [node for node in found if node.name not in INLINE]
        if inline and not blocks:
            return [self._inline(inline)]
        if len(blocks) == 1 and not inline:
            return [self._block(blocks[0], self.text(), "")]
        return self._several(inline, blocks)

    def _several(self, inline: list[Node], blocks: list[Node]) -> list[Question]:
        count = len(blocks) + bool(inline)
        self.warn(f"The item asks for {count} answers. Each became a separate question.")
        questions = [self._inline(inline)] if inline else []
        shared = "" if inline else Body(self.source).html(self.body)
        for node in blocks:
            suffix = f"-{len(questions) + 1}" if questions else ""
            text = self.source.embed(Body(self.source).prompt(node))
            questions.append(self._block(node, text, suffix, direction=shared))
        return questions

    # --- one interaction

    def _block(self, node: Node, text: str, suffix: str, direction: str = "") -> Question:
        read = _READERS.get(node.name)
        if read is None:
            name = node.name if node.name != "customInteraction" else f"customInteraction {node.get('class')}"
            raise Unreadable(f"The interaction “{clean_line(name)[:60]}” is not supported.")
        return read(self, node, _Base(text, suffix, direction))

    def _declared(self, node: Node) -> Declaration:
        name = node.get("responseIdentifier")
        found = self.declared.get(name, Declaration())
        if found.correct or found.mapping:
            return found
        values = tuple(part.text for part in self.scored if part.response == name and part.text and part.low is None)
        return Declaration(found.cardinality, found.base, values) if values else found

    def choice(self, node: Node, base: "_Base") -> Question:
        declared = self._declared(node)
        several = declared.several or (node.get("maxChoices") not in {"", "1"} and not declared.correct)
        options = tuple(
            self._option(choice, declared, several=several) for choice in node.walk("simpleChoice", "hottext")
        )
        if not options:
            raise Unreadable("It has no answers to choose from.")
        return self.build(QuestionType.MULTIPLE if several else QuestionType.SINGLE, base, declared, options=options)

    def _option(self, node: Node, declared: Declaration, *, several: bool) -> Option:
        name = node.get("identifier")
        correct = name in declared.keys
        weight = declared.share(name)
        if not weight or (correct and not several and weight >= 1):
            weight = None
        inside = next((child for child in node.walk("feedbackInline") if child.get("identifier") in {name, ""}), None)
        told = inside or self._modal(name)
        feedback = self.html(told) if told else ""
        return Option(_without_feedback(node, Body(self.source)), correct, weight, feedback)

    def _modal(self, name: str) -> Node | None:
        found = next((node for node in self.node.all("modalFeedback") if node.get("identifier") == name), None)
        if found:
            self.used_feedback.add(name)
        return found

    def order(self, node: Node, base: "_Base") -> Question:
        texts = {choice.get("identifier"): plain(self.html(choice)) for choice in node.walk("simpleChoice")}
        order = [texts[name] for name in self._declared(node).keys if name in texts]
        if len(order) < 2:
            raise Unreadable("Its right order is missing.")
        self.warn("The ordering question was imported as a match of positions and items.")
        rest = [text for name, text in texts.items() if name not in self._declared(node).keys]
        pairs = [*(Pair(f"{at}.", text) for at, text in enumerate(order, 1)), *(Pair("", text) for text in rest)]
        return self.build(QuestionType.MATCH, base, None, pairs=tuple(pairs))

    def html(self, node: Node) -> str:
        return Body(self.source).html(node)

    def match(self, node: Node, base: "_Base") -> Question:
        sets = node.all("simpleMatchSet")
        if len(sets) != 2:
            raise Unreadable("It does not have two sides.")
        lefts, rights = ({each.get("identifier"): each for each in side.all("simpleAssociableChoice")} for side in sets)
        keys = [tuple(key.split()) for key in self._declared(node).keys]
        pairs = [(key[0], key[1]) for key in keys if len(key) == 2 and key[0] in lefts and key[1] in rights]
        if len({left for left, _ in pairs}) < len(pairs):
            if len({right for _, right in pairs}) < len(pairs):
                raise Unreadable("A row matches several others, which is not supported.")
            lefts, rights, pairs = rights, lefts, [(right, left) for left, right in pairs]
        return self._matched(base, pairs, lefts, rights, self._declared(node))

    def _matched(
        self,
        base: "_Base",
        pairs: list[tuple[str, str]],
        lefts: Mapping[str, Node],
        rights: Mapping[str, Node],
        declared: Declaration,
    ) -> Question:
        if not pairs:
            raise Unreadable("Its matching pairs are missing.")
        alone = len(lefts.keys() - {left for left, _ in pairs})
        if alone:
            self.warn(f"{counted(alone, 'row')} without a match left out.")
        order = {name: at for at, name in enumerate(lefts)}
        rows = [
            Pair(self.html(lefts[left]), plain(self.html(rights[right])))
            for left, right in sorted(pairs, key=lambda pair: order[pair[0]])
        ]
        used = {right for _, right in pairs}
        rows += [Pair("", plain(self.html(node))) for name, node in rights.items() if name not in used]
        return self.build(QuestionType.MATCH, base, declared, pairs=tuple(rows))

    def associate(self, node: Node, base: "_Base") -> Question:
        choices = {each.get("identifier"): each for each in node.walk("simpleAssociableChoice")}
        keys = [tuple(key.split()) for key in self._declared(node).keys]
        pairs = [(key[0], key[1]) for key in keys if len(key) == 2 and key[0] in choices and key[1] in choices]
        named = [name for pair in pairs for name in pair]
        if len(set(named)) < len(named):
            raise Unreadable("An item is associated with several others, which is not supported.")
        rights = {name: each for name, each in choices.items() if name not in {left for left, _ in pairs}}
        lefts = {left: choices[left] for left, _ in pairs}
        return self._matched(base, pairs, lefts, rights, self._declared(node))

    def gap_match(self, node: Node, base: "_Base") -> Question:
        texts = {each.get("identifier"): plain(_spoken(each, self)) for each in node.walk("gapText", "gapImg")}
        gaps = list(node.walk("gap"))
        places = {gap.get("identifier"): at for at, gap in enumerate(gaps, 1)}
        keys = []
        for key in self._declared(node).keys:
            parts = key.split()
            if len(parts) == 2 and parts[0] in texts and parts[1] in places:
                keys.append(TextKey(literal(texts[parts[0]]), places[parts[1]]))
        if not keys:
            raise Unreadable("The right choices for its gaps are missing.")
        numbered = Body(self.source, {id(gap): at for at, gap in enumerate(gaps, 1)}, prompts=True)
        stem = f"{base.text}{numbered.html(node)}" if base.direction else numbered.html(self.body)
        offered = tuple(texts.values())
        return self.build(
            QuestionType.GAPS,
            _Base(stem, base.suffix, base.direction),
            self._declared(node),
            texts=tuple(sorted(keys, key=lambda key: key.gap)),
            gap_choices=(offered,) * len(gaps),
        )

    def essay(self, _node: Node, base: "_Base") -> Question:
        return self.build(QuestionType.ESSAY, base, None)

    def upload(self, _node: Node, base: "_Base") -> Question:
        return self.build(QuestionType.FILES, base, None)

    def slider(self, node: Node, base: "_Base") -> Question:
        declared = self._declared(node)
        return self.build(QuestionType.NUMERIC, base, declared, numbers=tuple(self._numbers(node, declared)))

    # --- interactions inside a text

    def _inline(self, nodes: list[Node]) -> Question:
        gaps = {id(node): at for at, node in enumerate(nodes, 1)}
        if len(nodes) > 1:
            return self._gaps(nodes, Body(self.source, gaps).html(self.body))
        node = nodes[0]
        declared = self._declared(node)
        base = _Base(Body(self.source, gaps, blank=True).html(self.body))
        if node.name == "inlineChoiceInteraction":
            options = tuple(self._option(choice, declared, several=False) for choice in node.walk("inlineChoice"))
            return self.build(QuestionType.SINGLE, base, declared, options=options)
        if declared.numeric:
            return self.build(QuestionType.NUMERIC, base, declared, numbers=tuple(self._numbers(node, declared)))
        keys = tuple(self._texts(node, declared, 0))
        return self.build(QuestionType.SHORT if keys else QuestionType.ESSAY, base, declared, texts=keys)

    def _gaps(self, nodes: list[Node], text: str) -> Question:
        keys: list[TextKey] = []
        numbers: list[NumericKey] = []
        choices: list[tuple[str, ...]] = []
        for gap, node in enumerate(nodes, 1):
            declared = self._declared(node)
            if node.name == "inlineChoiceInteraction":
                texts = {each.get("identifier"): plain(self.html(each)) for each in node.walk("inlineChoice")}
                keys += [TextKey(literal(texts[key]), gap) for key in declared.keys if key in texts]
                choices.append(tuple(texts.values()))
            else:
                if declared.numeric:
                    numbers += self._numbers(node, declared, gap)
                else:
                    keys += self._texts(node, declared, gap)
                choices.append(())
        offered = tuple(choices) if any(choices) else ()
        parts = {"numbers": tuple(numbers), "texts": tuple(keys), "gap_choices": offered}
        return self.build(QuestionType.GAPS, _Base(text), None, **parts)

    def _texts(self, node: Node, declared: Declaration, gap: int) -> Iterator[TextKey]:
        told: dict[str, tuple[Decimal, bool]] = {}
        lenient = any(
            part.response == node.get("responseIdentifier") and not part.case_sensitive for part in self.scored
        )
        top = max((part.score for part in self.scored if part.text), default=Decimal(1))
        for part in self.scored:
            if part.response == node.get("responseIdentifier") and part.text and not declared.mapping:
                told[part.text] = (ratio(part.score, top), part.case_sensitive)
        for value in declared.correct:
            told.setdefault(value, (Decimal(1), not lenient and not declared.numeric))
        for key, entry in declared.mapping.items():
            told[key] = (ratio(entry.value, declared.scale), entry.case_sensitive)
        for text, (weight, sensitive) in told.items():
            if weight > 0:
                yield TextKey(literal(text), gap, sensitive, weight)

    def _numbers(self, node: Node, declared: Declaration, gap: int = 0) -> Iterator[NumericKey]:
        """Yield number keys. A gap is worth its best score, but our own writer writes shares."""
        name = node.get("responseIdentifier")
        conditions = [part for part in self.scored if part.response == name and part.low is not None]
        whole = (Decimal(1) if self._ours else None) if gap else maximum(self.node)
        return numeric_keys(declared, conditions, whole or best(conditions), gap)

    # --- the rest

    def build(self, kind: QuestionType, base: "_Base", declared: Declaration | None, **parts: object) -> Question:
        directions = [text for text in (self.passage, base.direction) if text]
        joined = directions[0] if len(directions) == 1 else "".join(f"<div>{text}</div>" for text in directions)
        penalty = number(default_of(self.node, "PENALTY"))
        return Question(
            kind,
            base.text,
            title=clean_line(self.node.get("title")),
            direction_html=joined,
            explanation_html=self._explanation(),
            subject=self.subject,
            marks=self._marks(declared),
            negative_marks=penalty,
            language=clean_line(self.node.get("lang")),
            identifier=self._identifier() + base.suffix,
            tags=self.tags,
            line=self.node.line,
            **parts,  # type: ignore[arg-type] # the names of the parts are field names
        )

    def _identifier(self) -> str:
        """Return the identifier. Our own writer keeps it in the label, because it may not be a valid name."""
        return clean_line(self.node.get("label" if self._ours else "identifier"))

    @property
    def _ours(self) -> bool:
        return self.node.get("toolName") == "lms-tui"

    def _marks(self, declared: Declaration | None) -> Decimal | None:
        value = maximum(self.node)
        if value is None and declared is not None and declared.mapping and declared.scale != 1:
            value = declared.scale
        if self.weight is not None and self.weight != 1:
            value = (value or Decimal(1)) * self.weight
        return value if value is not None and value >= 0 else None

    def _explanation(self) -> str:
        """Return the feedback that is always shown, or that always says the same."""
        rest = [node for node in self.node.all("modalFeedback") if node.get("identifier") not in self.used_feedback]
        named = [node for node in rest if _EXPLAINS.fullmatch(node.get("identifier"))]
        texts = {self.html(node): node for node in named or rest}
        if not named and len(texts) > 1:
            self.source.collector.left_out("general feedback to right or wrong answers")
            return ""
        if named and len(rest) > len(named):
            self.source.collector.left_out("general feedback to right or wrong answers")
        return "".join(texts)

    def warn(self, message: str) -> None:
        self.source.collector.warn(message, self.node.line, self.source.collector.next_number)


@dataclass(frozen=True, slots=True)
class _Base:
    """The text of a question, the suffix of its identifier among its siblings, and its shared text."""

    text: str
    suffix: str = ""
    direction: str = ""


def _stimulus(body: Node) -> Node | None:
    """The text that an item draws in, or begins with, to share it with others."""
    first = next((each for each in body.children if isinstance(each, Node) or each.strip()), None)
    if not isinstance(first, Node) or any(is_interaction(node) for node in first.walk()):
        return None
    inside = [each for each in first.children if isinstance(each, Node) or each.strip()]
    drawn = first.name == "div" and len(inside) == 1 and isinstance(inside[0], Node) and inside[0].name == "include"
    return first if drawn or first.name == "include" or "stimulus" in first.get("class").split() else None


def _without_feedback(node: Node, body: Body) -> str:
    kept = [child for child in node.children if isinstance(child, str) or child.name != "feedbackInline"]
    return body.html(Node(node.name, {}, node.line, kept))


def _spoken(node: Node, item: Item2) -> str:
    if node.name == "gapText":
        return item.html(node)
    picture = node.first("object", "img")
    return node.get("objectLabel") or (picture.get("alt") or picture.text if picture else "")


_Reader = Callable[[Item2, Node, _Base], Question]
_READERS: Final[Mapping[str, _Reader]] = {
    "choiceInteraction": Item2.choice,
    "hottextInteraction": Item2.choice,
    "orderInteraction": Item2.order,
    "matchInteraction": Item2.match,
    "associateInteraction": Item2.associate,
    "gapMatchInteraction": Item2.gap_match,
    "extendedTextInteraction": Item2.essay,
    "uploadInteraction": Item2.upload,
    "sliderInteraction": Item2.slider,
}
