"""Match questions in API responses, which have no field for pairs."""

from collections.abc import Sequence
from functools import cache

from sqlalchemy import Select, select
from sqlalchemy.orm import Session, load_only

from lms_tui.banks.asked import match_choices, match_html
from lms_tui.service.core.database.loading import PARENTS, load_lists
from lms_tui.service.core.database.tables import Option, Pair, Question
from lms_tui.wire.attempts import AnswerOption
from lms_tui.wire.question_types import QuestionType


def asked_html(question: Question, *, key: bool = False) -> str:
    """Return the text of a question, with a table of gaps if it is a match question. `key`: with the solution."""
    if question.kind != QuestionType.MATCH:
        return question.html
    pairs = [pair for pair in question.pairs if pair.left_html]
    return match_html(question.html, [pair.left_html for pair in pairs], [pair.right for pair in pairs] if key else ())


@cache
def _options() -> Select[Option]:
    shown = load_only(Option.question_id, Option.html, raiseload=True)
    return select(Option).where(Option.question_id.in_(PARENTS)).order_by(Option.order).options(shown)


@cache
def _pairs() -> Select[Pair]:
    return select(Pair).where(Pair.question_id.in_(PARENTS)).order_by(Pair.order)


def load_choices(session: Session, questions: Sequence[Question]) -> None:
    """Load what a student may choose from: the pairs of match questions, and the options of others."""
    matches = [question for question in questions if question.kind == QuestionType.MATCH]
    others = [question for question in questions if question.kind != QuestionType.MATCH]
    load_lists(session, matches, Question.pairs, _pairs(), Pair.question_id)
    load_lists(session, others, Question.options, _options(), Option.question_id)


def ordered(question: Question, order: Sequence[int]) -> list[Option]:
    """Return the options as an attempt shows them. `order`: their IDs, or none for the order of the exam."""
    places = {option_id: place for place, option_id in enumerate(order)}
    return sorted(question.options, key=lambda option: places.get(option.id, len(places)))


def choices(question: Question, order: Sequence[int] = ()) -> list[AnswerOption]:
    """Return the answers for a student in this order of options. Those of a match question are sorted."""
    if question.kind != QuestionType.MATCH:
        return [AnswerOption(id=option.id, text_html=option.html) for option in ordered(question, order)]
    return [
        AnswerOption(id=number, text_html=text)
        for number, text in enumerate(match_choices(pair.right for pair in question.pairs), start=1)
    ]
