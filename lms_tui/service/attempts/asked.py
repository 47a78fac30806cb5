"""Questions as students see them, without their keys.

They are read as columns, because a page has 20 questions and 80 options. Objects of the ORM would take twice as long.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from operator import itemgetter
from typing import Any, Final, TypeVar

from sqlalchemy import Row, Select, select
from sqlalchemy.orm import Session

from lms_tui.banks.asked import match_choices, match_html
from lms_tui.common.frozen import frozen
from lms_tui.service.core.database.loading import PARENTS
from lms_tui.service.core.database.tables import Option, Pair, Passage, Question, Subject
from lms_tui.wire import attempts as wire
from lms_tui.wire.question_types import QuestionType

Choice = TypeVar("Choice")
_Columns = tuple[Any, ...]

COLUMNS: Final = (
    Question.id.label("question_id"),
    Question.kind.label("kind"),
    Question.html.label("question_html"),
    Question.essay_topics.label("essay_topics"),
    Passage.html.label("direction"),
    Subject.name.label("subject"),
)
"""The columns of a question that `load_asked` needs. `with_context` joins the tables that they come from."""


@frozen
class AskedQuestion:
    """A question without its key. `options`: their IDs and texts, in the order of the exam."""

    kind: str
    html: str
    direction: str | None
    essay_topics: Sequence[str]
    subject: str
    options: Sequence[tuple[int, str]]

    def view(self, option_order: Sequence[int] = ()) -> wire.AttemptQuestionBody:
        """Return the question with its options in an order of their IDs. See `in_order`."""
        options = in_order(self.options, option_order, itemgetter(0)) if option_order else self.options
        return wire.AttemptQuestionBody(
            question_html=self.html,
            direction=self.direction,
            answers=[wire.AnswerOption(id=id_, text_html=html) for id_, html in options],
            essay_topics=self.essay_topics,
            subject=self.subject,
            type=self.kind,
        )


def in_order(options: Iterable[Choice], order: Sequence[int], id_of: Callable[[Choice], int]) -> list[Choice]:
    """Return options in an order of their IDs. Those that it lacks come last."""
    places = {option_id: place for place, option_id in enumerate(order)}
    return sorted(options, key=lambda option: places.get(id_of(option), len(places)))


def with_context(statement: Select[*_Columns]) -> Select[Any]:
    """Join the passage and the subject to a statement that selects from questions."""
    return statement.outerjoin(Passage, Passage.id == Question.passage_id).outerjoin(
        Subject, Subject.id == Question.subject_id
    )


@cache
def _options() -> Select[int, int, str]:
    statement = select(Option.question_id, Option.id, Option.html)
    return statement.where(Option.question_id.in_(PARENTS)).order_by(Option.order)


@cache
def _pairs() -> Select[int, str, str]:
    return (
        select(Pair.question_id, Pair.left_html, Pair.right).where(Pair.question_id.in_(PARENTS)).order_by(Pair.order)
    )


def load_asked(session: Session, rows: Sequence[Row[*_Columns]]) -> dict[int, AskedQuestion]:
    """Return the questions of rows with `COLUMNS`, by their IDs."""
    pairs = _lists(session, _pairs(), [row.question_id for row in rows if row.kind == QuestionType.MATCH])
    options = _lists(session, _options(), [row.question_id for row in rows if row.kind != QuestionType.MATCH])
    return {
        row.question_id: _match(row, pairs[row.question_id])
        if row.kind == QuestionType.MATCH
        else _asked(row, row.question_html, options[row.question_id])
        for row in rows
    }


def _lists(session: Session, statement: Select[*_Columns], questions: list[int]) -> dict[int, list[_Columns]]:
    """Return what each of these questions has, without the first column, which is its ID."""
    found: dict[int, list[_Columns]] = {id_: [] for id_ in questions}
    if questions:
        for row in session.execute(statement, {PARENTS.key: questions}):
            found[row[0]].append(row[1:])
    return found


def _match(row: Row[*_Columns], pairs: Sequence[_Columns]) -> AskedQuestion:
    html = match_html(row.question_html, [left for left, _ in pairs if left])
    return _asked(row, html, list(enumerate(match_choices(right for _, right in pairs), start=1)))


def _asked(row: Row[*_Columns], html: str, options: Sequence[Any]) -> AskedQuestion:
    return AskedQuestion(row.kind, html, row.direction, row.essay_topics, row.subject or "", options)
