"""Read what only Blackboard writes in an item of QTI 1.2."""

import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Final

from lms_tui.banks.qti.rules12 import WHOLE, Rule, Test
from lms_tui.banks.qti.rules12 import rules as plain_rules
from lms_tui.banks.texts import number, ratio
from lms_tui.banks.unreadable import Unreadable
from lms_tui.banks.xml_tree import Node

_KINDS: Final = {
    "File Upload": "file_upload_question", "Calculated": "calculated_question", "Matching": "blackboard_match",
    "Essay": "essay_question", "Short Response": "essay_question", "Numeric": "numerical_question",
    "Jumbled Sentence": "multiple_dropdowns_question", "Multiple Answer": "multiple_answers_question",
}  # fmt: skip
_EITHER_OR: Final = re.compile(r"([a-z]+)_([a-z]+)\.(true|false)")
"""The name of an answer of Either/Or, such as `yes_no.true`."""
_HUNDRED: Final = Decimal(100)


def kind_of(item: Node) -> str:
    """Return the type of an item by the name that Canvas gives it, or an empty string."""
    return _KINDS.get(_written(item), "")


def refuse(item: Node) -> None:
    """Raise Unreadable for what an exam cannot mark."""
    if _written(item) == "Quiz Bowl":
        raise Unreadable("Its answer is a question of a quiz bowl, which is not supported.")
    if any("MATCHES" in _ways(node) for node in item.walk("respcondition")):
        raise Unreadable("Its answer is a pattern (regular expression), which is not supported.")


def marks_of(item: Node) -> Decimal | None:
    """Return the marks of an item of Blackboard, or None where it has none."""
    marks = number(item.text_of("itemmetadata", "qmd_absolutescore_max")) if _written(item) else None
    return marks or None


def choice_text(text: str) -> str:
    """Return the word of an answer of Either/Or, and every other text unchanged."""
    found = _EITHER_OR.fullmatch(text)
    return found[1 if found[3] == "true" else 2].capitalize() if found else text


def rules(item: Node) -> list[Rule]:
    """Return the conditions of an item. Those of Blackboard are written as Canvas would."""
    found = plain_rules(item)
    if not _written(item):
        return found
    responses = list(item.walk("response_lid"))
    names = _names(responses[0], found) if len(responses) == 1 else {}
    partial = item.text_of("itemmetadata", "bbmd_partialcredit").lower() == "true"
    changed = [
        _plain(rule, node, responses[0].get("ident") if responses else "", names, partial=partial)
        for rule, node in zip(found, item.walk("respcondition"), strict=True)
    ]
    return list(_without_whole_key(changed)) if partial else changed


def _names(response: Node, found: list[Rule]) -> dict[str, str]:
    """Return the name of each option by the name that the conditions give it.

    Some versions of Blackboard write other names in the conditions, in the order of the options.
    """
    options = [label.get("ident") for label in response.walk("response_label")]
    own = [test.response for rule in found for test in rule.tests if not test.value]
    compared = max((rule.tests for rule in found), key=len, default=())
    told = list(dict.fromkeys(own or [test.value for test in compared]))
    ordered = response.get("rcardinality").lower() == "ordered"
    if not ordered and len(told) == len(options) and set(told) != set(options):
        return dict(zip(told, options, strict=True))
    return dict(zip(options, options, strict=True))


def _written(item: Node) -> str:
    return item.text_of("itemmetadata", "bbmd_questiontype")


def _plain(rule: Rule, node: Node, response: str, names: dict[str, str], *, partial: bool) -> Rule:
    """Return a condition with tests of the response and the score of the marks."""
    if rule.wanted and all(not test.value and test.response in names for test in rule.wanted):
        tests = tuple(Test(response, names[test.response]) for test in rule.wanted)
        score = ratio(rule.score, _HUNDRED) if partial and rule.score is not None else None
        return replace(rule, tests=tests, score=score)
    if names:
        rule = replace(rule, tests=tuple(replace(test, value=names.get(test.value, "")) for test in rule.tests))
    if rule.score is not None or rule.other or not (rule.wanted or rule.spans):
        return rule
    return replace(rule, tests=tuple(_compared(rule, node)), score=WHOLE)


def _compared(rule: Rule, node: Node) -> Iterator[Test]:
    """Yield the tests of a blank, which is compared as its `EvaluationType` says."""
    part = "CONTAINS" in _ways(node)
    for test in rule.tests:
        yield replace(test, part=test.part or part)


def _ways(node: Node) -> Iterator[str]:
    """Yield how the texts of a condition are compared."""
    for setvar in node.all("setvar"):
        if setvar.get("variablename") == "EvaluationType":
            yield setvar.text.strip()


def _without_whole_key(found: list[Rule]) -> Iterator[Rule]:
    """Leave out the score of the whole key of several answers whose shares say the same."""
    shared = {rule.wanted[0].value for rule in found if rule.earns and len(rule.tests) == 1}
    for rule in found:
        whole = len(rule.tests) > 1 and {test.value for test in rule.wanted} == shared
        yield replace(rule, score=None) if whole else rule
