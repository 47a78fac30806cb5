"""Read one item of QTI 1.2 as Canvas, Respondus, Moodle and the standard write it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final

from lms_tui.banks.model import NumericKey, Option, Pair, Question, TextKey
from lms_tui.banks.qti import blackboard12 as blackboard
from lms_tui.banks.qti import matches12 as matches
from lms_tui.banks.qti.blanks12 import chosen_keys, is_blank, offers, typed_keys
from lms_tui.banks.qti.body12 import Body12
from lms_tui.banks.qti.rules12 import Rule, Span, earning
from lms_tui.banks.qti.source import Source
from lms_tui.banks.texts import literal, number, ratio
from lms_tui.banks.unreadable import Unreadable
from lms_tui.banks.xml_tree import Node
from lms_tui.common.cleaning import clean_line
from lms_tui.wire.question_types import QuestionType

_PROFILES: Final = {
    "multiple_choice": "multiple_choice_question", "multiple_response": "multiple_answers_question",
    "true_false": "true_false_question", "fib": "short_answer_question", "essay": "essay_question",
    "pattern_match": "short_answer_question",
}  # fmt: skip
_FIELDS: Final = frozenset({"response_str", "response_num", "response_lid"})
_ASKED: Final = {
    "response_xy": "a place in a picture", "response_grp": "groups", "response_extension": "a custom type of answer",
}  # fmt: skip
_HUNDRED: Final = Decimal(100)
_MARKS: Final = ("points_possible", "cc_weighting", "qmd_weighting", "respondusapi_qpoints")


def metadata(node: Node) -> dict[str, str]:
    """Return the metadata entries of an item or assessment. The first of each name counts."""
    entries: dict[str, str] = {}
    for field_ in node.walk("qtimetadatafield", "qti_metadatafield"):
        entries.setdefault(field_.text_of("fieldlabel").lower(), field_.text_of("fieldentry"))
    return entries


@dataclass(slots=True)
class Item12:
    """Reads one item. `passage` is the text of the stimulus that the item names."""

    node: Node
    source: Source
    passage: str = ""
    meta: dict[str, str] = field(init=False)
    rules: list[Rule] = field(init=False)
    body: Body12 = field(init=False)

    def __post_init__(self) -> None:
        own = Node("", {}, 0, [child for child in self.node if child.name in {"itemmetadata", "qtimetadata"}])
        self.meta = metadata(own)
        self.rules = blackboard.rules(self.node)
        self.body = Body12(self.node, self.source)

    @property
    def type(self) -> str:
        written = self.meta.get("question_type", "").lower()
        if written:
            return written
        if kind := blackboard.kind_of(self.node):
            return kind
        profile = self.meta.get("cc_profile", "").lower()
        return next((kind for name, kind in _PROFILES.items() if profile.startswith(f"cc.{name}")), "")

    @property
    def responses(self) -> list[Node]:
        return self.body.responses

    @property
    def is_text(self) -> bool:
        return self.type == "text_only_question" or (not self.responses and not self.rules and not self.type)

    def question(self) -> Question:
        """Read the item. Raises Unreadable."""
        blackboard.refuse(self.node)
        match self.type:
            case "essay_question":
                return self._build(QuestionType.ESSAY)
            case "file_upload_question":
                return self._build(QuestionType.FILES)
            case "calculated_question":
                raise Unreadable("It generates different numbers for each student, which is not supported.")
            case _:
                pass
        if not self.responses:
            raise Unreadable("It has no answer field.")
        names = {response.name for response in self.responses}
        if names == {"response_lid"}:
            return self._of_choices()
        if names <= {"response_str", "response_num"}:
            return self._of_fields()
        if names <= _FIELDS:
            return self._gaps()
        asked = ", ".join(sorted(_ASKED.get(name, clean_line(name)[:40]) for name in names - _FIELDS))
        raise Unreadable(f"It asks for {asked}, which is not supported.")

    # --- choices

    def _of_choices(self) -> Question:
        first = self.responses[0]
        if first.get("rcardinality").lower() == "ordered":
            return self._order(first)
        if self.type in {"fill_in_multiple_blanks_question", "multiple_dropdowns_question"} or is_blank(first):
            return self._gaps()
        if self.type == "blackboard_match":
            return self._build(QuestionType.MATCH, pairs=matches.rows_of_blackboard(self.body, self.rules))
        if len(self.responses) == 1:
            return self._choice(first)
        if all(response.find("material") for response in self.responses):
            read = matches.categories if self.type == "categorization_question" else matches.rows
            return self._build(QuestionType.MATCH, pairs=read(self.body, self.rules, self.warn))
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
                blackboard.choice_text(self.body.materials(label)),
                *_weighted(weights, label.get("ident"), several=several),
                self.body.feedback(told.get(label.get("ident"), "")),
                fixed=label.get("rshuffle").lower() == "no",
            )
            for label in labels
        )
        return self._build(QuestionType.MULTIPLE if several else QuestionType.SINGLE, total, options=options)

    def _weights(self, *, several: bool) -> tuple[dict[str, Decimal | None], Decimal | None]:
        """Return the share of the marks by answer and the score of the key.

        The share is None for an answer that counts only as part of the whole key.
        """
        scoring = [rule for rule in self.rules if rule.score is not None and rule.wanted]
        earning = [rule for rule in scoring if rule.earns]
        if not earning:
            return {}, None
        if several and _earn_together(earning):
            best = max(earning, key=lambda rule: rule.score or 0)
            return {test.value: None for test in best.wanted}, best.score
        scores = _best_scores(scoring)
        positive = [score for score in scores.values() if score > 0]
        top = sum(positive, Decimal(0)) if several else max(positive)
        return {value: ratio(score, top) for value, score in scores.items()}, top

    def _order(self, response: Node) -> Question:
        labels = self.body.offered(response)
        scored = [rule for rule in self.rules if rule.earns and len(rule.wanted) == len(labels)]
        if not scored or len(labels) < 2 or {test.value for test in scored[0].wanted} != set(labels):
            raise Unreadable("Its correct order is incomplete.")
        order = [labels[test.value] for test in scored[0].wanted]
        self.warn("The ordering question was imported as a match of positions and items.")
        pairs = tuple(Pair(f"{at}.", text) for at, text in enumerate(order, 1))
        return self._build(QuestionType.MATCH, scored[0].score, pairs=pairs)

    # --- fields

    def _of_fields(self) -> Question:
        if len(self.responses) > 1:
            return self._gaps()
        response = self.responses[0]
        if _is_numeric(response) or self.type == "numerical_question":
            return self._build(QuestionType.NUMERIC, self._top(), numbers=tuple(self._numbers(response)), blank=True)
        keys = tuple(self._texts(response, 0))
        if not keys and any(rule.wanted for rule in self.rules):
            raise Unreadable("Its answers have no score.")
        return self._build(
            QuestionType.SHORT if keys else QuestionType.ESSAY,
            self._top() if keys else None,
            texts=keys,
            blank=bool(keys),
        )

    def _top(self) -> Decimal | None:
        return max((rule.score or Decimal(0) for rule in self.rules if rule.earns), default=None)

    def _numbers(self, response: Node, gap: int = 0) -> Iterator[NumericKey]:
        """Yield the correct numbers of one response. `gap` is its gap, or 0."""
        top = self._top() or Decimal(1)
        name = response.get("ident")
        for rule in self.rules:
            if not rule.earns:
                continue
            weight = Decimal(1) if gap else ratio(rule.score or top, top)
            spans = [_range(span, weight, gap) for span in rule.spans if not gap or span.response == name]
            yield from spans
            for test in rule.wanted:
                if gap and test.response != name:
                    continue
                value = number(test.value)
                if value is None:
                    raise Unreadable(f"“{clean_line(test.value)[:40]}” is not a number.")
                if not any(span.low <= value <= span.high for span in spans):
                    yield NumericKey(value, value, weight, self.body.feedback(rule.feedback_of_answer), gap)

    def _texts(self, response: Node, gap: int) -> Iterator[TextKey]:
        top = self._top() or Decimal(1)
        told = {rule.wanted[0].value: rule.feedback_of_answer for rule in self.rules if rule.feedback_of_answer}
        seen: set[str] = set()
        for rule, test in earning(self.rules):
            if test.response != response.get("ident") or test.value in seen:
                continue
            seen.add(test.value)
            text = f"*{literal(test.value)}*" if test.part else literal(test.value)
            weight = Decimal(1) if gap else ratio(rule.score or top, top)
            yield TextKey(text, gap, test.case_sensitive, weight, self.body.feedback(told.get(test.value, "")))

    def _gaps(self) -> Question:
        """Read several fields or drop-down lists, each with its own keys."""
        keys: list[TextKey] = []
        numbers: list[NumericKey] = []
        choices: list[tuple[str, ...]] = []
        named: dict[str, int] = {}
        for gap, response in enumerate(self.responses, 1):
            named[response.get("ident").removeprefix("response_")] = gap
            if response.name == "response_lid":
                labels = self.body.offered(response)
                typed = not offers(response) and (self.type == "fill_in_multiple_blanks_question" or is_blank(response))
                right = [key.text for key in self._texts(response, gap)]
                keys += typed_keys(response, labels, gap) if typed else chosen_keys(labels, right, gap)
                choices.append(() if typed else tuple(labels.values()))
                continue
            choices.append(())
            if _is_numeric(response):
                numbers += self._numbers(response, gap)
            else:
                keys += self._texts(response, gap)
        if not keys and not numbers:
            raise Unreadable("No gap has a correct answer.")
        offered = tuple(choices) if any(choices) else ()
        return self._build(
            QuestionType.GAPS, texts=tuple(keys), numbers=tuple(numbers), gap_choices=offered, gaps=named
        )

    # --- text

    def _build(
        self,
        kind: QuestionType,
        top: Decimal | None = None,
        *,
        blank: bool = False,
        gaps: dict[str, int] | None = None,
        **parts: object,
    ) -> Question:
        explanation = "".join(filter(None, (self.body.feedback(name) for name in self.body.explaining())))
        self._account()
        return Question(
            kind,
            self.body.stem(blank=blank, gaps=gaps),
            title=clean_line(self.node.get("title")),
            direction_html=self.passage,
            explanation_html=explanation,
            marks=self._marks(top),
            identifier=clean_line(self.node.get("ident")),
            language=clean_line(self.node.get("lang")),
            line=self.node.line,
            **parts,  # type: ignore[arg-type] # the names of the parts are field names
        )

    def stem(self) -> str:
        return self.body.stem()

    def _account(self) -> None:
        used = {rule.feedback_of_answer for rule in self.rules} | set(self.body.explaining())
        for node in self.node.all("itemfeedback"):
            if node.get("ident") not in used and clean_line(node.text):
                self.source.collector.left_out("general feedback to correct or incorrect answers", line=node.line)

    def _marks(self, top: Decimal | None) -> Decimal | None:
        told = (number(self.meta.get(name, "")) for name in _MARKS)
        written = blackboard.marks_of(self.node) or next((value for value in told if value is not None), None)
        if written is None and top is not None and top not in {_HUNDRED, Decimal(1)}:
            written = top
        return written if written is not None and written >= 0 else None

    def warn(self, message: str, line: int = 0) -> None:
        self.source.collector.warn(message, line or self.node.line, self.source.collector.next_number)


def _range(span: Span, weight: Decimal, gap: int) -> NumericKey:
    if span.low is None or span.high is None:
        raise Unreadable("A range of correct numbers has only one end.")
    return NumericKey(min(span.low, span.high), max(span.low, span.high), weight, gap=gap)


def _is_numeric(response: Node) -> bool:
    """Return whether a field takes a number."""
    fib = response.first("render_fib")
    kind = fib.get("fibtype").lower() if fib else ""
    return response.name == "response_num" or kind in {"decimal", "integer", "scientific"}


def _earn_together(earning: Sequence[Rule]) -> bool:
    """Return whether the answers earn marks only as a whole key."""
    return len(earning) == 1 or any(len(rule.wanted) > 1 or len(rule.tests) > 1 for rule in earning)


def _best_scores(scoring: Sequence[Rule]) -> dict[str, Decimal]:
    """Return the highest score of each answer."""
    scores: dict[str, Decimal] = {}
    for rule in scoring:
        score = rule.score or Decimal(0)
        for test in rule.wanted:
            scores[test.value] = max(scores.get(test.value, score), score)
    return scores


def _weighted(weights: dict[str, Decimal | None], ident: str, *, several: bool) -> tuple[bool, Decimal | None]:
    """Return whether an answer is right, and its share of the marks, or None for a whole key."""
    if ident not in weights:
        return False, None
    weight = weights[ident]
    if weight is None:
        return True, None
    correct = weight > 0 if several else weight >= 1
    return correct, weight if weight and (several or weight < 1) else None
