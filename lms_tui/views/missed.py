"""Cards for practice from the review of an attempt (pure)."""

from collections.abc import Iterable, Iterator
from typing import Final

from lms_tui.banks import scoring
from lms_tui.banks.asked import match_choices
from lms_tui.common.cleaning import clean_line
from lms_tui.practice.cards import Card, key_of
from lms_tui.practice.grading import Grade, grade
from lms_tui.practice.store import Review
from lms_tui.views.outcomes import Outcome, outcome, own_seconds
from lms_tui.wire.attempts import AnswerOption, Attempt, AttemptQuestionBody, ReviewQuestion
from lms_tui.wire.question_types import CHOICE_TYPES, QuestionType

_KINDS: Final = frozenset(QuestionType)
_OUTCOMES: Final = {
    Outcome.CORRECT: scoring.Outcome.CORRECT,
    Outcome.PARTLY: scoring.Outcome.PARTIAL,
    Outcome.INCORRECT: scoring.Outcome.INCORRECT,
    Outcome.UNANSWERED: scoring.Outcome.UNANSWERED,
}


def card_of(question: ReviewQuestion, exam: str) -> Card | None:
    """Return a question of a review as a card. Return None if it has no key or cannot be answered here."""
    body = question.question
    if body.type not in _KINDS or question.correction == "void":
        return None
    if not any(option.is_correct for option in body.answers):
        return None
    key = key_of(body.type, body.answers)
    choices: tuple[AnswerOption, ...] = ()
    if body.type in CHOICE_TYPES:
        choices = tuple(AnswerOption(id=option.id, text_html=option.text_html) for option in body.answers)
    elif body.type == QuestionType.MATCH:
        rights = match_choices(text.text for text in key.texts)
        choices = tuple(AnswerOption(id=place, text_html=text) for place, text in enumerate(rights, 1))
    asked = AttemptQuestionBody(
        question_html=body.question_html,
        direction=body.direction,
        answers=choices,
        subject=body.subject,
        type=body.type,
    )
    number = f"{body.id}" if body.id else ""
    usual = question.average_duration or None
    return Card(asked, key, body.answers, body.explanation_html, clean_line(exam), number, usual)


def answers_of(attempt: Attempt, questions: Iterable[ReviewQuestion], now: float) -> Iterator[tuple[Card, Review]]:
    """Return each question that can be practised with its answer in this attempt. An attempt was before `now`."""
    at = min(now, attempt.date.timestamp()) if attempt.date else now
    for question in questions:
        card, found = card_of(question, attempt.exam.title), _OUTCOMES.get(outcome(question))
        if card is None or found is None:
            continue
        seconds = own_seconds(question)
        rating = grade(found, seconds=seconds, usual=card.usual)
        source = f"attempt {attempt.id} question {question.id}"
        yield card, Review(at, found, rating, seconds=seconds, subject=card.subject, source=source)


def missed(attempt: Attempt, questions: Iterable[ReviewQuestion]) -> list[Card]:
    """Return the questions of an attempt that were not known."""
    return [card for card, review in answers_of(attempt, questions, 0.0) if review.grade is Grade.AGAIN]
