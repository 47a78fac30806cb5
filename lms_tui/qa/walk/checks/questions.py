"""Checks of questions and of answers."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from lms_tui.client.recording import Exchange
from lms_tui.qa.walk.checks.replies import each_has, has_shape
from lms_tui.qa.walk.shapes import KEY_FIELDS, shape
from lms_tui.qa.walk.values import Tree, as_rows, as_tree, at, integer, shown

CHOICES: Final = frozenset({"R", "C"})
"""Types of questions that the document names."""

Answers = Mapping[int, Mapping[str, object]]
"""The last body that was sent for each question, by its id."""


def has_questions(rows: Sequence[Tree]) -> Iterator[str]:
    yield from each_has(rows, shape("question"), "question")
    for place, row in enumerate(rows):
        options = as_rows(at(row, "question", "answers"))
        yield from each_has(options, shape("option"), f"question {place + 1}, answer")


def hides_its_key(rows: Sequence[Tree]) -> Iterator[str]:
    for row in rows:
        question = as_tree(row.get("question"))
        for part in (row, question, *as_rows(question.get("answers"))):
            told = sorted(KEY_FIELDS & part.keys())
            if told:
                yield f"question {shown(row.get('id'))} tells {', '.join(told)}"
                break


def is_untouched(rows: Sequence[Tree]) -> Iterator[str]:
    for row in rows:
        if row.get("selected_answers"):
            yield f"question {shown(row.get('id'))} of a new attempt has an answer"
        if row.get("review") is not None:
            yield f"question {shown(row.get('id'))} of a new attempt has review {shown(row.get('review'))}"


def has_echo(exchange: Exchange, row: Tree) -> Iterator[str]:
    """Check the reply to an answer. It is the question of the list with another answer."""
    yield from has_shape(exchange, shape("question"))
    for name in ("id", "url", "question"):
        if at(exchange.tree(), name) != row.get(name):
            yield f"{name} is {shown(at(exchange.tree(), name))}, not {shown(row.get(name))} as in the list"


def has_answer(found: object, sent: Mapping[str, object]) -> Iterator[str]:
    """Compare a question with the last answer that was sent. The order of several options does not matter."""
    for name, value in sent.items():
        here = at(found, name)
        if name == "selected_answers":
            same = sorted(map(str, here if isinstance(here, list) else ["?"])) == sorted(map(str, _items(value)))
        elif name == "gap_fill_responses":
            same = _gaps(here) == _gaps(value)
        else:
            same = here == value
        if not same:
            yield f"{name} is {_told(here)}, and {_told(value)} was sent"


def is_answered(exchange: Exchange, sent: Mapping[str, object]) -> Iterator[str]:
    yield from has_answer(exchange.tree(), sent)


def has_answers(rows: Sequence[Tree], sent: Answers) -> Iterator[str]:
    """Check that each question has the last answer that was sent, and other questions have none."""
    for row in rows:
        expected = sent.get(integer(row.get("id")), {"selected_answers": []})
        for words in has_answer(row, expected):
            yield f"question {shown(row.get('id'))}: {words}"


def has_not_counted(rows: Sequence[Tree], late: Mapping[int, Sequence[int]]) -> Iterator[str]:
    for row in rows:
        if is_late(row, late):
            yield f"question {shown(row.get('id'))} has the answer that was sent after the end"


def is_late(row: Tree, late: Mapping[int, Sequence[int]]) -> bool:
    return row.get("selected_answers") == late.get(integer(row.get("id")), None)


def has_same_reply(first: Exchange, second: Exchange) -> Iterator[str]:
    for name in ("selected_answers", "review"):
        was, now = at(first.tree(), name), at(second.tree(), name)
        if was != now:
            yield f"{name} was {_told(was)} at first and {_told(now)} then"


def _items(value: object) -> Sequence[object]:
    return value if isinstance(value, list | tuple) else ()


def _gaps(value: object) -> list[tuple[str, str]]:
    return sorted((str(gap.get("order")), str(gap.get("answer"))) for gap in as_rows(value))


def _told(value: object) -> str:
    return str(value)[:60] if isinstance(value, list) else shown(value)
