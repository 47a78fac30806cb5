"""Corrections of a question that students have already answered."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal

from sqlalchemy import select
from sqlalchemy.orm import Session

from lms_tui.banks.progress import Progress, untold
from lms_tui.banks.scoring import BY_HAND, read_number
from lms_tui.banks.texts import letter, literal
from lms_tui.common.frozen import frozen
from lms_tui.service.attempts.shares import Ranking
from lms_tui.service.core.database.tables import (
    Attempt,
    Correction,
    Exam,
    NumericKey,
    Question,
    TextKey,
    User,
)
from lms_tui.service.core.errors import Invalid
from lms_tui.service.grading.rescoring import rescore
from lms_tui.service.grading.results import Standings
from lms_tui.wire.attempt_states import AttemptState
from lms_tui.wire.question_types import CHOICE_TYPES, QuestionType

_RANGE = ".."


@frozen
class Place:
    """The score and the rank of an attempt."""

    username: str
    name: str
    score: Decimal
    ranking: Ranking


@frozen
class Moved:
    """An attempt whose score or rank a correction changes."""

    attempt: int
    before: Place
    after: Place


def correct(
    session: Session,
    exam: Exam,
    question: Question,
    kind: Correction,
    key: Sequence[str],
    now: datetime,
    progress: Progress = untold,
) -> list[Moved]:
    """Correct a question and mark all ended attempts again. Return whose score or rank changes.

    `key`: the letters of the right options, or the accepted texts or numbers, for another key. Raises Invalid for a key
    that the question cannot have.
    """
    if kind is Correction.FULL_MARKS and question.kind in BY_HAND:
        raise Invalid({"question": ["A person marks this question. Give the marks with `exam mark`."]})
    before = _places(session, exam)
    if kind is Correction.KEY:
        _write_key(question, key)
    question.is_bonus = kind is Correction.FULL_MARKS
    question.correction, question.corrected = kind.value, now
    rescore(session, exam.id, [question.id], progress)
    after = _places(session, exam)
    return [Moved(id_, before[id_], after[id_]) for id_ in after if before[id_] != after[id_]]


def described(question: Question) -> dict[str, object]:
    """Return what the audit tells of a question: its key, and how it counts."""
    texts = [f"{text.gap}={text.text}" if text.gap else text.text for text in question.texts]
    numbers = [_span(number) for number in question.numbers]
    options = [letter(place) for place, option in enumerate(question.options) if option.is_correct]
    return {"key": [*options, *numbers, *texts], "correction": question.correction, "marks": question.marks}


def _places(session: Session, exam: Exam) -> dict[int, Place]:
    standings = Standings(session, exam.id)
    rows = session.execute(
        select(Attempt.id, Attempt.score, User.id, User.username, User.first_name, User.last_name)
        .join(User, User.id == Attempt.user_id)
        .where(Attempt.exam_id == exam.id, Attempt.state == AttemptState.COMPLETED)
        .order_by(Attempt.score.desc(), Attempt.id)
    )
    return {
        id_: Place(username, f"{first} {last}".strip() or username, score, standings.of(user, score))
        for id_, score, user, username, first, last in rows
    }


def _write_key(question: Question, key: Sequence[str]) -> None:
    kind = question.kind
    if kind in CHOICE_TYPES:
        _choose(question, key)
    elif kind == QuestionType.NUMERIC:
        question.numbers = [_number(text) for text in key]
    elif kind == QuestionType.SHORT:
        question.texts = [TextKey(text=literal(text), weight=Decimal(1)) for text in key]
    elif kind == QuestionType.GAPS:
        _fill(question, key)
    else:
        raise _refused("This type of question has no key to change. Make it void, or give full marks.")


def _choose(question: Question, key: Sequence[str]) -> None:
    """Make exactly these options right, and forget shares of the marks that belong to the old key."""
    letters = {letter(place): option for place, option in enumerate(question.options)}
    wanted = {text.strip().upper() for text in key}
    if not wanted or not wanted <= letters.keys():
        raise _refused(f"The options of this question are {', '.join(letters)}.")
    for name, option in letters.items():
        option.is_correct, option.weight = name in wanted, None


def _fill(question: Question, key: Sequence[str]) -> None:
    """Replace the keys of the named gaps: `2=sea`."""
    gaps = {text.gap for text in question.texts} | {number.gap for number in question.numbers}
    found = [text.partition("=") for text in key]
    named = {int(gap) for gap, _, _ in found if gap.strip().isascii() and gap.strip().isdecimal()}
    if not found or not named <= gaps or any(not text.strip() for _, _, text in found):
        raise _refused(f"Write a gap and its text, such as {min(gaps, default=1)}=sea.")
    kept = [text for text in question.texts if text.gap not in named]
    question.numbers = [number for number in question.numbers if number.gap not in named]
    question.texts = kept + [
        TextKey(text=literal(text.strip()), gap=int(gap), weight=Decimal(1)) for gap, _, text in found
    ]


def _number(text: str) -> NumericKey:
    low, _, high = text.partition(_RANGE)
    least, most = read_number(low), read_number(high or low)
    if least is None or most is None or least > most:
        raise _refused(f"“{text}” is not a number such as 3.14, or a range such as 3.1..3.2.")
    return NumericKey(low=least, high=most, weight=Decimal(1))


def _span(number: NumericKey) -> str:
    span = f"{number.low}" if number.low == number.high else f"{number.low}{_RANGE}{number.high}"
    return f"{number.gap}={span}" if number.gap else span


def _refused(sentence: str) -> Invalid:
    return Invalid({"key": [sentence]})
