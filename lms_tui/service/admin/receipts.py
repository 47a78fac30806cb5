"""Receipts of students, compared with the database, and answers of receipts that are taken in."""

from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.orm import Session, joinedload

from lms_tui.banks.texts import letter
from lms_tui.common.frozen import frozen
from lms_tui.service.admin.administration import AdminError, Administration, exam_named, translate_errors
from lms_tui.service.attempts.answers import AnswerBody, apply, check
from lms_tui.service.core.answer_words import gaps_in_words
from lms_tui.service.core.audit import note
from lms_tui.service.core.database.tables import Attempt, AttemptQuestion, HandMark, Question, SecondMark
from lms_tui.service.grading.rescoring import rescore
from lms_tui.wire.acknowledgement import ClaimedAnswer, GivenAnswer
from lms_tui.wire.attempt_states import AttemptState
from lms_tui.wire.files import FileRules


class Found(StrEnum):
    """How an answer of a receipt compares. Too late: it was chosen after the attempt had ended."""

    SAME = "same"
    MISSING = "missing here"
    DIFFERS = "differs"
    TOO_LATE = "too late"


@frozen
class Compared:
    """An answer of a receipt (`claim`) and that of the database, both also in words.

    `question`: its number in the exam.
    """

    question: int
    found: Found
    claim: ClaimedAnswer
    here: GivenAnswer
    claimed: str
    kept: str


@frozen
class Comparison:
    attempt: int
    slug: str
    username: str
    answers: tuple[Compared, ...]

    def of(self, *found: Found) -> list[Compared]:
        return [one for one in self.answers if one.found in found]


def compare(admin: Administration, attempt_id: int, user_id: int, claims: Sequence[ClaimedAnswer]) -> Comparison:
    """Compare the answers of a receipt with the database. Raises AdminError for an attempt that is not here."""
    with admin.database.read() as session:
        return _compared(session, _attempt(session, attempt_id, user_id), claims)


def take_in(
    admin: Administration,
    attempt_id: int,
    user_id: int,
    claims: Sequence[ClaimedAnswer],
    questions: Collection[int] = (),
    reason: str = "",
) -> list[Compared]:
    """Write answers of a receipt that are not in the database to an ended attempt, and mark it again.

    `questions`: only these. Marks by hand of a changed answer are deleted. Raises AdminError.
    """
    with translate_errors(), admin.database.write() as session:
        exam = exam_named(session, _attempt(session, attempt_id, user_id).exam.slug, lock=True)
        attempt = _attempt(session, attempt_id, user_id, lock=True)
        if attempt.state != AttemptState.COMPLETED:
            raise AdminError("The attempt still runs.", "Wait for its end. The student's app sends these answers.")
        compared = _compared(session, attempt, claims)
        taken = [one for one in compared.of(Found.MISSING, Found.DIFFERS, Found.TOO_LATE) if _wanted(one, questions)]
        about = f"exam {exam.slug}, user {compared.username}, attempt {attempt_id}"
        for one in taken:
            _take(session, admin, one)
            before = {"answer": one.kept}
            after = {"answer": one.claimed, "chosen": one.claim.at, "found": one.found.value, "reason": reason}
            place = f"{about}, question {one.question}"
            note(session, at=admin.now, who=admin.who, what="answer.take-in", about=place, before=before, after=after)
        rows = [session.get_one(AttemptQuestion, one.here.question_id).question_id for one in taken]
        if rows:
            rescore(session, exam.id, rows)
        return taken


def _wanted(one: Compared, questions: Collection[int]) -> bool:
    return not questions or one.question in questions


def _take(session: Session, admin: Administration, one: Compared) -> None:
    given, here = one.claim.given, one.here
    row = session.get_one(AttemptQuestion, here.question_id)
    body: dict[str, Any] = {"selected_answers": list(given.selected)}
    for name in ("short_text", "essay_text", "essay_topic"):
        if getattr(given, name) or getattr(here, name):
            body[name] = getattr(given, name) or ""
    if any(given.gaps) or any(here.gaps):
        body["gap_fill_responses"] = [{"order": gap, "answer": text} for gap, text in given.gaps]
    answer = AnswerBody.model_validate(body)
    rules = FileRules(most=row.question.most_files, types=tuple(row.question.file_types))
    check(row.question.kind, {option.id for option in row.question.options}, answer, rules)
    taken, seen = row.duration, row.last_seen
    apply(row, answer, timedelta(), admin.now)
    # The time on a question is what the service saw.
    row.duration, row.last_seen = taken, seen or admin.now
    for marks in (HandMark, SecondMark):
        session.execute(delete(marks).where(marks.attempt_question_id == row.id))


def _attempt(session: Session, attempt_id: int, user_id: int, *, lock: bool = False) -> Attempt:
    statement = select(Attempt).where(Attempt.id == attempt_id, Attempt.user_id == user_id)
    if lock:
        statement = statement.with_for_update(of=Attempt).execution_options(populate_existing=True)
    found = session.scalar(statement.options(joinedload(Attempt.exam), joinedload(Attempt.user)))
    if found is None:
        raise AdminError(
            f"This institute has no attempt {attempt_id} of user {user_id}.",
            "Check --data-dir and --database-url, and the server that the receipt names.",
        )
    return found


def _compared(session: Session, attempt: Attempt, claims: Sequence[ClaimedAnswer]) -> Comparison:
    rows = session.scalars(
        select(AttemptQuestion)
        .where(AttemptQuestion.attempt_id == attempt.id)
        .options(joinedload(AttemptQuestion.question).selectinload(Question.options))
    )
    here = {row.id: row for row in rows}
    unknown = [claim.given.question_id for claim in claims if claim.given.question_id not in here]
    if unknown:
        raise AdminError(
            f"Attempt {attempt.id} has no question with the ID {unknown[0]}.", "This receipt is not of this attempt."
        )
    found = [_one(attempt, here[claim.given.question_id], claim) for claim in claims]
    found.sort(key=lambda one: one.question)
    return Comparison(attempt.id, attempt.exam.slug, attempt.user.username, tuple(found))


def _one(attempt: Attempt, row: AttemptQuestion, claim: ClaimedAnswer) -> Compared:
    gaps = [(gap["order"], gap["answer"]) for gap in row.gap_fill_responses]
    texts = (row.short_text, row.essay_text, row.essay_topic)
    here = GivenAnswer(row.id, tuple(row.selected_answers), *texts, gaps)
    letters = {option.id: letter(place) for place, option in enumerate(row.question.options)}
    return Compared(
        *(row.question.order, _found(attempt, claim, here), claim, here),
        *(_words(claim.given, letters), _words(here, letters)),
    )


def _words(given: GivenAnswer, letters: Mapping[int, str]) -> str:
    chosen = ", ".join(sorted(letters.get(option, "?") for option in set(given.selected)))
    parts = (chosen, given.short_text, given.essay_topic, given.essay_text, gaps_in_words(given.gaps))
    return "\n".join(part for part in parts if part)


def _found(attempt: Attempt, claim: ClaimedAnswer, here: GivenAnswer) -> Found:
    if claim.given.content == here.content:
        return Found.SAME
    if attempt.ended is not None and claim.at > attempt.ended:
        return Found.TOO_LATE
    return Found.DIFFERS if any(here.content) else Found.MISSING
