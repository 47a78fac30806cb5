"""What became of each question of an ended attempt (pure)."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from lms_tui.wire.attempts import ReviewQuestion
from lms_tui.wire.base import parse_duration

SLOW: Final = 1.5
"""A question is slow from this many times the average."""


class Outcome(StrEnum):
    CORRECT = "correct"
    PARTLY = "partly right"
    INCORRECT = "incorrect"
    UNANSWERED = "unanswered"
    ANSWERED = "answered"
    """Answered, and the service does not say whether rightly."""


SIGNS: Final = {
    Outcome.CORRECT: "✓",
    Outcome.PARTLY: "~",
    Outcome.INCORRECT: "✗",
    Outcome.UNANSWERED: "·",
    Outcome.ANSWERED: "?",
}
LOOKS: Final = {
    Outcome.CORRECT: "good",
    Outcome.PARTLY: "warning",
    Outcome.INCORRECT: "bad",
    Outcome.UNANSWERED: "dim",
    Outcome.ANSWERED: "accent",
}


def outcome(question: ReviewQuestion) -> Outcome:
    """From the key, where there is one; an answer in words is compared without case and outer blanks."""
    right = {option.id for option in question.question.answers if option.is_correct}
    chosen = set(question.selected_answers)
    written = written_answer(question)
    if not chosen and not written:
        return Outcome.UNANSWERED
    if not right:
        return Outcome.ANSWERED
    if written and not chosen:
        keys = {option.text_html.strip().casefold() for option in question.question.answers if option.is_correct}
        return Outcome.CORRECT if written.strip().casefold() in keys else Outcome.INCORRECT
    if chosen == right:
        return Outcome.CORRECT
    return Outcome.PARTLY if chosen < right else Outcome.INCORRECT


def written_answer(question: ReviewQuestion) -> str:
    gaps = " · ".join(f"{gap.order}: {gap.answer}" for gap in question.gap_fill_responses if gap.answer)
    return question.short_text or question.essay_text or gaps


def own_seconds(question: ReviewQuestion) -> float | None:
    """The time spent on it; None where the service does not tell."""
    spent = parse_duration(question.duration)
    return None if spent is None else max(0.0, spent.total_seconds())


def is_slow(question: ReviewQuestion) -> bool:
    own, average = own_seconds(question), question.average_duration
    return own is not None and bool(average) and own > SLOW * (average or 0)


@dataclass(frozen=True, slots=True)
class Filter:
    """Which questions are shown: `kind` is one of KINDS, `subject` "" for all."""

    kind: str = "all"
    subject: str = ""

    def takes(self, question: ReviewQuestion) -> bool:
        if self.subject and question.question.subject != self.subject:
            return False
        match self.kind:
            case "incorrect":
                return outcome(question) in {Outcome.INCORRECT, Outcome.PARTLY}
            case "unanswered":
                return outcome(question) is Outcome.UNANSWERED
            case "marked":
                return question.review is True
            case "slow":
                return is_slow(question)
            case _:
                return True


KINDS: Final = ("all", "incorrect", "unanswered", "marked", "slow")
