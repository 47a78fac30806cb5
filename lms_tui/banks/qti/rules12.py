"""Read scores and feedback of answers from the response processing of QTI 1.2."""

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Final

from lms_tui.banks.texts import number
from lms_tui.banks.xml_tree import Node
from lms_tui.common.frozen import frozen

WHOLE: Final = Decimal(1)
"""The score that Blackboard writes as `SCORE.max`."""
_LOW: Final = frozenset({"vargte", "vargt"})
_HIGH: Final = frozenset({"varlte", "varlt"})
_OF_WHOLE: Final = re.compile(r"(?:general_)?(?:in)?correct(?:_fb)?|all_(?:in)?correct", re.IGNORECASE)


@frozen
class Test:
    """A comparison. The response must be `value`, or must not be if `wanted` is False."""

    response: str
    value: str
    wanted: bool = True
    part: bool = False
    """If true, the response only has to contain the value."""
    case_sensitive: bool = False


@frozen
class Span:
    response: str
    low: Decimal | None
    high: Decimal | None


@frozen
class Rule:
    """A condition and its effect. `score` None leaves the score. `other` applies to values that no test names."""

    tests: tuple[Test, ...]
    spans: tuple[Span, ...]
    score: Decimal | None
    feedback: tuple[str, ...]
    other: bool
    line: int

    @property
    def wanted(self) -> tuple[Test, ...]:
        return tuple(test for test in self.tests if test.wanted)

    @property
    def earns(self) -> bool:
        return self.score is not None and self.score > 0

    @property
    def feedback_of_answer(self) -> str:
        """Return the name of the feedback to a single answer."""
        if len(self.wanted) != 1:
            return ""
        return next((name for name in self.feedback if not _OF_WHOLE.fullmatch(name)), "")


def rules(item: Node) -> list[Rule]:
    return [_rule(node) for node in item.walk("respcondition")]


def earning(found: Iterable[Rule]) -> Iterator[tuple[Rule, Test]]:
    """Yield each value that earns marks, with its rule."""
    return ((rule, test) for rule in found if rule.earns for test in rule.wanted)


def _rule(node: Node) -> Rule:
    condition = node.find("conditionvar")
    tests = tuple(_tests(condition, wanted=True)) if condition else ()
    spans = tuple(_spans(condition)) if condition else ()
    scores = [value for value in (_score(setvar) for setvar in node.all("setvar")) if value is not None]
    feedback = tuple(shown.get("linkrefid") for shown in node.all("displayfeedback"))
    other = condition is not None and condition.first("other") is not None
    return Rule(tests, spans, scores[0] if scores else None, feedback, other, node.line)


def _score(node: Node) -> Decimal | None:
    value = WHOLE if node.text.strip() == "SCORE.max" else number(node.text)
    return -value if value is not None and node.get("action").lower() == "subtract" else value


def _tests(node: Node, *, wanted: bool) -> Iterator[Test]:
    for child in node:
        match child.name:
            case "not":
                yield from _tests(child, wanted=not wanted)
            case "and" | "or":
                yield from _tests(child, wanted=wanted)
            case "varequal" | "varsubstring":
                sensitive = child.get("case").lower() == "yes"
                part = child.name == "varsubstring"
                yield Test(child.get("respident"), child.text.strip(), wanted, part, sensitive)
            case _:
                pass


def _spans(node: Node) -> Iterator[Span]:
    """Yield correct numbers. Neighbouring bounds make one span."""
    lows = [child for child in node if child.name in _LOW]
    highs = [child for child in node if child.name in _HIGH]
    for response in dict.fromkeys(child.get("respident") for child in (*lows, *highs)):
        yield Span(response, _bound(lows, response), _bound(highs, response))
    for child in node:
        if child.name in {"and", "or"}:
            yield from _spans(child)


def _bound(bounds: list[Node], response: str) -> Decimal | None:
    return next((number(bound.text) for bound in bounds if bound.get("respident") == response), None)
