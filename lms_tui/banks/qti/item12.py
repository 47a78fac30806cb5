"""One item of QTI 1.2, as Canvas, Respondus, Moodle and the standard's own examples write it."""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final

from lms_tui.banks.markup import plain_to_html
from lms_tui.banks.model import Kind, NumericKey, Option, Pair, Question, TextKey
from lms_tui.banks.pictures import Missing, data_uri, from_base64
from lms_tui.banks.qti.rules12 import Rule, rules
from lms_tui.banks.qti.source import Source
from lms_tui.banks.texts import BLANK, literal, number, plain, ratio
from lms_tui.banks.unreadable import Unreadable
from lms_tui.banks.xml_tree import Node, inner_html
from lms_tui.cleaning import clean_line

_RESPONSES: Final = (
    "response_lid",
    "response_str",
    "response_num",
    "response_grp",
    "response_xy",
    "response_extension",
)
_MARKUP: Final = re.compile(r"</?(?:p|br|div|span|img|b|i|em|strong|sub|sup|ul|ol|li|table|a|h[1-6])\b[^<>]*>|&\w+;")
_BLOCK: Final = re.compile(r"\s*<(?:p|div|ul|ol|table|h[1-6]|blockquote|pre)\b", re.IGNORECASE)
_PROFILES: Final = {
    "multiple_choice": "multiple_choice_question", "multiple_response": "multiple_answers_question",
    "true_false": "true_false_question", "fib": "short_answer_question", "essay": "essay_question",
    "pattern_match": "short_answer_question",
}  # fmt: skip
_GENERAL: Final = ("general_fb", "solution", "general")
_HUNDRED: Final = Decimal(100)


def metadata(node: Node) -> dict[str, str]:
    """The labelled entries of an item or assessment; the first of a name counts."""
    entries: dict[str, str] = {}
    for field_ in node.walk("qtimetadatafield"):
        entries.setdefault(field_.text_of("fieldlabel").lower(), field_.text_of("fieldentry"))
    return entries


@dataclass(slots=True)
class Item12:
    """`passage`: a text shared with other items, from the stimulus that this one names."""

    node: Node
    source: Source
    passage: str = ""
    meta: dict[str, str] = field(init=False)
    rules: list[Rule] = field(init=False)
    responses: list[Node] = field(init=False)

    def __post_init__(self) -> None:
        own = Node("", {}, 0, [child for child in self.node if child.name in {"itemmetadata", "qtimetadata"}])
        self.meta = metadata(own)
        self.rules = rules(self.node)
        presentation = self.node.find("presentation")
        self.responses = [] if presentation is None else list(presentation.walk(*_RESPONSES))

    @property
    def type(self) -> str:
        written = self.meta.get("question_type", "").lower()
        if written:
            return written
        profile = self.meta.get("cc_profile", "").lower()
        return next((kind for name, kind in _PROFILES.items() if profile.startswith(f"cc.{name}")), "")

    @property
    def is_text(self) -> bool:
        return self.type == "text_only_question" or (not self.responses and not self.rules and not self.type)

    def question(self) -> Question:
        """Read the item; raises Unreadable."""
        match self.type:
            case "essay_question":
                return self._build(Kind.ESSAY)
            case "file_upload_question":
                return self._build(Kind.FILES)
            case "calculated_question":
                raise Unreadable("It computes its numbers anew for each student, which cannot be asked here.")
            case _:
                pass
        if not self.responses:
            raise Unreadable("It asks for no answer.")
        names = {response.name for response in self.responses}
        if names == {"response_lid"}:
            return self._of_choices()
        if names <= {"response_str", "response_num"}:
            return self._of_fields()
        if names <= {"response_str", "response_num", "response_lid"}:
            return self._gaps()
        raise Unreadable(f"An answer of the form {clean_line(', '.join(sorted(names)))} cannot be given here.")

    # --- choices

    def _of_choices(self) -> Question:
        first = self.responses[0]
        if first.get("rcardinality").lower() == "ordered":
            return self._order(first)
        if len(self.responses) == 1:
            return self._choice(first)
        blanks = self.type in {"fill_in_multiple_blanks_question", "multiple_dropdowns_question"}
        if not blanks and all(response.find("material") for response in self.responses):
            return self._match()
        return self._gaps()

    def _choice(self, response: Node) -> Question:
        labels = list(response.walk("response_label"))
        if not labels:
            raise Unreadable("It has no answers to choose from.")
        several = response.get("rcardinality").lower() == "multiple" or self.type == "multiple_answers_question"
        weights, total = self._weights(several=several)
        told = {rule.wanted[0].value: rule.feedback_of_answer for rule in self.rules if rule.feedback_of_answer}
        options = tuple(
            Option(
                self._label(label),
                *_weighted(weights, label.get("ident"), several=several),
                self._feedback(told.get(label.get("ident"), "")),
            )
            for label in labels
        )
        return self._build(Kind.MULTIPLE if several else Kind.SINGLE, total, options=options)

    def _weights(self, *, several: bool) -> tuple[dict[str, Decimal | None], Decimal | None]:
        """Share of the marks by answer (None: part of a key that counts as a whole), and the score of the key."""
        scoring = [rule for rule in self.rules if rule.score is not None and rule.wanted]
        best = max((rule for rule in scoring if rule.earns), key=lambda rule: rule.score or 0, default=None)
        if best is None:
            return {}, None
        together = several and any(len(rule.wanted) > 1 or len(rule.tests) > 1 for rule in scoring if rule.earns)
        if together or (several and len([rule for rule in scoring if rule.earns]) == 1):
            return {test.value: None for test in best.wanted}, best.score
        scores: dict[str, Decimal] = {}
        for rule in scoring:
            for test in rule.wanted:
                scores[test.value] = max(scores.get(test.value, rule.score or Decimal(0)), rule.score or Decimal(0))
        positive = [score for score in scores.values() if score > 0]
        top = sum(positive, Decimal(0)) if several else max(positive)
        return {value: ratio(score, top) for value, score in scores.items()}, top

    def _label(self, label: Node) -> str:
        return self._materials(label)

    def _order(self, response: Node) -> Question:
        labels = {label.get("ident"): plain(self._label(label)) for label in response.walk("response_label")}
        scored = [rule for rule in self.rules if rule.earns and len(rule.wanted) == len(labels)]
        if not scored or len(labels) < 2:
            raise Unreadable("Its right order is not told as a whole.")
        order = [labels.get(test.value, "") for test in scored[0].wanted]
        self.warn("The question asks for an order; it is asked as a match of places to things.")
        pairs = tuple(Pair(f"{at}.", text) for at, text in enumerate(order, 1))
        return self._build(Kind.MATCH, scored[0].score, pairs=pairs)

    def _match(self) -> Question:
        keys = {
            test.response: test.value
            for rule in self.rules
            if rule.earns
            for test in rule.wanted
            if len(rule.wanted) == 1
        } or {test.response: test.value for rule in self.rules if rule.earns for test in rule.wanted}
        pairs: list[Pair] = []
        offered: dict[str, str] = {}
        for response in self.responses:
            texts = {label.get("ident"): plain(self._label(label)) for label in response.walk("response_label")}
            offered |= texts
            left = self._materials(response)
            right = texts.get(keys.get(response.get("ident"), ""))
            if right:
                pairs.append(Pair(left, right))
            else:
                self.warn(f"The row “{plain(left)[:40]}” has no right side and was left out.", response.line)
        if not pairs:
            raise Unreadable("No row of this match has a right side.")
        used = {pair.right for pair in pairs}
        distractors = [Pair("", text) for text in dict.fromkeys(offered.values()) if text and text not in used]
        return self._build(Kind.MATCH, pairs=(*pairs, *distractors))

    # --- fields

    def _of_fields(self) -> Question:
        if len(self.responses) > 1:
            return self._gaps()
        response = self.responses[0]
        if _is_numeric(response) or self.type == "numerical_question":
            return self._build(Kind.NUMERIC, self._top(), numbers=tuple(self._numbers(response)), blank=True)
        keys = tuple(self._texts(response, 0))
        return self._build(
            Kind.SHORT if keys else Kind.ESSAY, self._top() if keys else None, texts=keys, blank=bool(keys)
        )

    def _top(self) -> Decimal | None:
        return max((rule.score or Decimal(0) for rule in self.rules if rule.earns), default=None)

    def _numbers(self, response: Node, gap: int = 0) -> Iterator[NumericKey]:
        """The numbers that one response takes; the only one, or that of a gap."""
        top = self._top() or Decimal(1)
        name = response.get("ident")
        for rule in self.rules:
            if not rule.earns:
                continue
            weight = Decimal(1) if gap else ratio(rule.score or top, top)
            spans = []
            for span in rule.spans:
                if gap and span.response != name:
                    continue
                if span.low is None or span.high is None:
                    raise Unreadable("A span of right numbers has only one end.")
                spans.append(NumericKey(min(span.low, span.high), max(span.low, span.high), weight, gap=gap))
            yield from spans
            for test in rule.wanted:
                if gap and test.response != name:
                    continue
                value = number(test.value)
                if value is None:
                    raise Unreadable(f"“{clean_line(test.value)[:40]}” is not a number.")
                if not any(span.low <= value <= span.high for span in spans):
                    yield NumericKey(value, value, weight, self._feedback(rule.feedback_of_answer), gap)

    def _texts(self, response: Node, gap: int) -> Iterator[TextKey]:
        top = self._top() or Decimal(1)
        told = {rule.wanted[0].value: rule.feedback_of_answer for rule in self.rules if rule.feedback_of_answer}
        seen: set[str] = set()
        for rule in self.rules:
            if not rule.earns:
                continue
            for test in rule.wanted:
                if test.response != response.get("ident") or test.value in seen:
                    continue
                seen.add(test.value)
                text = f"*{literal(test.value)}*" if test.part else literal(test.value)
                weight = Decimal(1) if gap else ratio(rule.score or top, top)
                yield TextKey(text, gap, test.case_sensitive, weight, self._feedback(told.get(test.value, "")))

    def _gaps(self) -> Question:
        """Several fields, or lists to choose from, each with its own keys."""
        keys: list[TextKey] = []
        numbers: list[NumericKey] = []
        choices: list[tuple[str, ...]] = []
        named: dict[str, int] = {}
        for gap, response in enumerate(self.responses, 1):
            named[response.get("ident").removeprefix("response_")] = gap
            labels = {label.get("ident"): plain(self._label(label)) for label in response.walk("response_label")}
            numeric = _is_numeric(response)
            numbers += self._numbers(response, gap) if numeric else ()
            found = [] if numeric else list(self._texts(response, gap))
            if response.name == "response_lid":
                found = [TextKey(literal(labels[key.text]), gap) for key in found if key.text in labels]
            typed = self.type == "fill_in_multiple_blanks_question"
            if typed and response.name == "response_lid":
                found = [TextKey(literal(text), gap) for text in labels.values()]
            keys += found
            choices.append(tuple(labels.values()) if response.name == "response_lid" and not typed else ())
        if not keys and not numbers:
            raise Unreadable("No gap has a right answer.")
        offered = tuple(choices) if any(choices) else ()
        return self._build(Kind.GAPS, texts=tuple(keys), numbers=tuple(numbers), gap_choices=offered, gaps=named)

    # --- text

    def _build(
        self,
        kind: Kind,
        top: Decimal | None = None,
        *,
        blank: bool = False,
        gaps: dict[str, int] | None = None,
        **parts: object,
    ) -> Question:
        explanation = "".join(filter(None, (self._feedback(name) for name in self._explaining())))
        self._account()
        return Question(
            kind,
            self._stem(blank=blank, gaps=gaps),
            title=clean_line(self.node.get("title")),
            direction_html=self.passage,
            explanation_html=explanation,
            marks=self._marks(top),
            identifier=clean_line(self.node.get("ident")),
            language=clean_line(self.node.get("lang")),
            line=self.node.line,
            **parts,  # type: ignore[arg-type] # the parts are named as the fields
        )

    def stem(self) -> str:
        return self._stem(blank=False, gaps=None)

    def _stem(self, *, blank: bool, gaps: dict[str, int] | None) -> str:
        presentation = self.node.find("presentation")
        pieces = list(self._flow(presentation)) if presentation else []
        told = "\0" in "".join(pieces[:-1]) or any(pieces[at] == "\0" for at in range(len(pieces) - 1))
        text = _joined([piece for piece in pieces if piece != "\0" or gaps is not None or (blank and told)])
        if gaps is not None:
            return _numbered(text, gaps)
        return text.replace("\0", BLANK)

    def _flow(self, node: Node) -> Iterator[str]:
        r"""Yield the texts of a presentation, and \0 where a field stands."""
        lone = len(self.responses) == 1
        for child in node:
            if child.name in _RESPONSES:
                if lone:
                    yield from self._prompt(child)
                yield "\0"
            elif child.name == "material":
                yield self._material(child)
            elif child.name not in {"qticomment", "reference"}:
                yield from self._flow(child)

    def _prompt(self, response: Node) -> Iterator[str]:
        for child in response:
            if child.name == "material":
                yield self._material(child)

    def _materials(self, node: Node) -> str:
        """The texts of an element, those of the answers below it left out."""
        direct = [self._material(child) for child in node.all("material")]
        if not direct and node.name == "response_label":
            direct = [self._material(child) for child in node.walk("material")]
        if not direct and node.name == "response_label":
            return plain_to_html(clean_line(node.text))
        return _joined(direct)

    def _material(self, node: Node) -> str:
        parts = [
            self._mat(child)
            for child in node.walk("mattext", "matemtext", "matimage", "matbreak", "mataudio", "matvideo")
        ]
        return self.source.embed(" ".join(filter(None, parts)))

    def _mat(self, node: Node) -> str:
        match node.name:
            case "mattext" | "matemtext":
                return _mattext(node)
            case "matbreak":
                return "<br>"
            case "matimage":
                return self._image(node)
            case _:
                self.source.collector.left_out("sound and video")
                return ""

    def _image(self, node: Node) -> str:
        reference = node.get("uri") or node.get("label")
        if node.get("embedded").lower() == "base64" or (not reference and node.text.strip()):
            try:
                reference = data_uri(from_base64(node.text))
            except Missing as problem:
                self.warn(f"A picture {problem}.", node.line)
        return f'<img src="{html.escape(reference)}" alt="{html.escape(clean_line(node.get("label")))}">'

    def _feedback(self, name: str) -> str:
        if not name:
            return ""
        found = next((node for node in self.node.all("itemfeedback") if node.get("ident") == name), None)
        if found is None:
            return ""
        return _joined([self._material(node) for node in found.walk("material")])

    def _explaining(self) -> Iterator[str]:
        """Names of the feedback that explains the question whatever was answered."""
        for node in self.node.all("itemfeedback"):
            name = node.get("ident")
            if name.lower() in _GENERAL or node.find("solution"):
                yield name

    def _account(self) -> None:
        used = {rule.feedback_of_answer for rule in self.rules} | set(self._explaining())
        for node in self.node.all("itemfeedback"):
            if node.get("ident") not in used and clean_line(node.text):
                self.source.collector.left_out("feedback to a right or wrong answer as a whole")

    def _marks(self, top: Decimal | None) -> Decimal | None:
        told = (number(self.meta.get(name, "")) for name in ("points_possible", "qmd_weighting"))
        written = next((value for value in told if value is not None), None)
        if written is None and top is not None and top not in {_HUNDRED, Decimal(1)}:
            written = top
        return written if written is not None and written >= 0 else None

    def warn(self, message: str, line: int = 0) -> None:
        self.source.collector.warn(message, line or self.node.line, self.source.collector.next_number)


def _is_numeric(response: Node) -> bool:
    """Whether a field takes a number."""
    fib = response.first("render_fib")
    kind = fib.get("fibtype").lower() if fib else ""
    return response.name == "response_num" or kind in {"decimal", "integer", "scientific"}


def _weighted(weights: dict[str, Decimal | None], ident: str, *, several: bool) -> tuple[bool, Decimal | None]:
    """Whether an answer is right, and its share of the marks where one is to be kept."""
    if ident not in weights:
        return False, None
    weight = weights[ident]
    if weight is None:
        return True, None
    correct = weight > 0 if several else weight >= 1
    return correct, weight if weight and (several or weight < 1) else None


def _mattext(node: Node) -> str:
    if any(isinstance(child, Node) for child in node.children):
        return inner_html(node)
    text, kind = node.text.strip(), node.get("texttype").lower()
    if "html" in kind or (not kind and _MARKUP.search(text)):
        return text
    return plain_to_html(text)


def _joined(parts: list[str]) -> str:
    """Join texts: fields stand in their line, plain texts each in a line of their own."""
    result = ""
    for part in filter(None, parts):
        if not result:
            result = part
        elif part == "\0" or result.endswith("\0"):
            result += f" {part}"
        elif _BLOCK.match(part) or result.endswith(("</p>", "</div>")):
            result += part
        else:
            result += f"<br>{part}"
    return result.strip()


def _numbered(text: str, gaps: dict[str, int]) -> str:
    """Put [[n]] where `[name]` stands, or where the fields stand in their order."""
    named = {name: gap for name, gap in gaps.items() if f"[{name}]" in text}
    for name, gap in named.items():
        text = text.replace(f"[{name}]", f"[[{gap}]]")
    missing = iter([gap for name, gap in gaps.items() if name not in named])
    text = re.sub("\0", lambda _found: _next_gap(missing), text).strip()
    return text + "".join(f" [[{gap}]]" for gap in missing)


def _next_gap(missing: Iterator[int]) -> str:
    gap = next(missing, 0)
    return f"[[{gap}]]" if gap else ""
