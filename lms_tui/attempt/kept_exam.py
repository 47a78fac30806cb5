"""The content of an exam, kept in the journal so that an attempt can be resumed without the server."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from lms_tui.attempt import mapping
from lms_tui.attempt.deadline import Deadline
from lms_tui.attempt.desk import AIDS, fact_of
from lms_tui.attempt.journal.undelivered import ATTEMPT
from lms_tui.attempt.ports import Clock, JournalRecord
from lms_tui.attempt.values import Answer, Item
from lms_tui.common.frozen import frozen
from lms_tui.wire.attempt_states import AttemptState
from lms_tui.wire.attempts import Attempt, AttemptQuestion

_ORDER: Final = "questions"
_TIME: Final = "time"


@frozen
class KeptExam:
    attempt: Attempt
    questions: Sequence[AttemptQuestion]
    items: tuple[Item, ...]
    """The questions without answers. A question whose row was damaged is missing, the others keep their numbers."""


def facts_of(attempt: Attempt, questions: Sequence[AttemptQuestion], items: Sequence[Item]) -> dict[str, str]:
    """The facts of a journal from which `kept_exam` makes the exam again."""
    places = {item.question_id: (item.number, item.section) for item in items}
    order = [(question.id, *places[question.id]) for question in questions if question.id in places]
    facts = {ATTEMPT: attempt.model_dump_json(), _ORDER: json.dumps(order)}
    return facts | {_question(question.id): _unanswered(question).model_dump_json() for question in questions}


def names_of(journal: JournalRecord) -> list[str]:
    """The names of the facts that hold the content of the exam."""
    order = json.loads(journal.recall(_ORDER) or "[]")
    return [ATTEMPT, _ORDER, fact_of(AIDS), *(_question(question_id) for question_id, *_ in order)]


def kept_exam(journal: JournalRecord) -> KeptExam | None:
    """Return the exam in a journal, or None if it holds none. Journals of earlier versions hold none."""
    if not journal.recall(ATTEMPT):
        return None
    questions: list[AttemptQuestion] = []
    items: list[Item] = []
    for question_id, number, section in json.loads(journal.recall(_ORDER) or "[]"):
        if text := journal.recall(_question(question_id)):
            question = AttemptQuestion.model_validate_json(text)
            questions.append(question)
            (item,) = mapping.items_of([question], section)
            items.append(replace(item, number=number))
    if not items:
        return None
    return KeptExam(Attempt.model_validate_json(journal.recall(ATTEMPT)), questions, tuple(items))


def in_ended_sections(journal: JournalRecord, attempt: Attempt) -> KeptExam:
    """Return what was kept of locked sections that have ended, which the server does not show any more."""
    exam = None if mapping.running_section(attempt) is None else kept_exam(journal)
    if exam is None:
        return KeptExam(attempt, (), ())
    sections = enumerate(mapping.in_order(attempt))
    ended = {place for place, section in sections if section.state == AttemptState.COMPLETED}
    pairs = zip(exam.questions, exam.items, strict=True)
    found = [(question, item) for question, item in pairs if item.section in ended]
    return KeptExam(attempt, [question for question, _ in found], tuple(item for _, item in found))


def time_facts(deadline: Deadline, clock: Clock) -> Mapping[str, str]:
    """The fact of a journal from which `kept_deadline` makes the deadline again."""
    reading = {"ends_at": deadline.ends_at, "boot": clock.boot(), "wall": clock.wall(), "boot_id": clock.boot_id}
    return {_TIME: json.dumps(reading)}


def kept_deadline(journal: JournalRecord, clock: Clock) -> Deadline:
    """Return the end of the time by the boot clock.

    After a restart of the computer it is an estimate by the wall clock.
    """
    reading = json.loads(journal.recall(_TIME) or "{}")
    if reading.get("ends_at") is None:
        return Deadline(estimated=not reading)
    if reading["boot_id"] and reading["boot_id"] == clock.boot_id:
        return Deadline(reading["ends_at"])
    gone = max(0.0, clock.wall() - reading["wall"])
    left = max(0.0, reading["ends_at"] - reading["boot"] - gone)
    return Deadline(clock.boot() + left, estimated=True)


def last_acknowledged(journal: JournalRecord) -> dict[int, Answer]:
    """The answer of each question that the server was last known to hold."""
    return {kept.entry.question_id: kept.entry.answer for kept in journal.history() if kept.acknowledged}


def _question(question_id: int) -> str:
    return f"question {question_id}"


def _unanswered(question: AttemptQuestion) -> AttemptQuestion:
    """Return the question without its answer, which the journal has as a change."""
    nothing = {"selected_answers": (), "short_text": None, "essay_text": None, "essay_topic": None, "review": None}
    return question.model_copy(update={**nothing, "gap_fill_responses": ()})
