"""The plain lines about an attempt after its end."""

from datetime import UTC, datetime
from decimal import Decimal

from lms_tui.plain.review import result, subjects
from lms_tui.wire.attempt_states import AttemptState
from lms_tui.wire.attempts import Attempt, SubjectAnalytics
from lms_tui.wire.exams import Exam

NOW = datetime(2026, 3, 1, tzinfo=UTC)
MOTION = Exam(title="Motion", number_of_questions=7, mark_per_question=Decimal(1))


def ended(*, total: int, right: int, wrong: int, unanswered: int, accuracy: float = 100.0) -> Attempt:
    return Attempt(
        exam=MOTION,
        state=AttemptState.COMPLETED,
        total_questions=total,
        score=Decimal(right),
        percentage="100.00",
        correct_count=right,
        incorrect_count=wrong,
        unanswered_count=unanswered,
        accuracy=accuracy,
    )


def test_unmarked_answers_are_reported_with_the_result() -> None:
    lines = result(ended(total=7, right=6, wrong=0, unanswered=0), NOW)
    assert lines[1:5] == [
        "Score 6 of 6, 100 %.",
        "6 correct, 0 incorrect, 0 unanswered, 1 not marked yet.",
        "1 answer is not marked yet; the score is without it.",
        "Accuracy 100 %: correct answers among those marked.",
    ]
    assert "2 answers are not marked yet; the score is without them." in result(
        ended(total=7, right=3, wrong=1, unanswered=1), NOW
    )


def test_a_fully_marked_result_does_not_mention_marking() -> None:
    lines = result(ended(total=7, right=5, wrong=1, unanswered=1), NOW)
    assert "5 correct, 1 incorrect, 1 unanswered." in lines
    assert "Accuracy 100 %: correct answers among those given." in lines
    assert not any("mark" in line for line in lines)


def test_a_result_without_counts_does_not_mention_marking() -> None:
    attempt = Attempt(
        exam=MOTION, state=AttemptState.COMPLETED, total_questions=7, score=Decimal(6), percentage="85.71"
    )
    assert not any("mark" in line for line in result(attempt, NOW))


def test_a_result_tells_that_partly_correct_answers_count_as_incorrect() -> None:
    told = "A partly correct answer is counted as incorrect here."
    assert told in result(ended(total=7, right=5, wrong=1, unanswered=1), NOW)
    assert told not in result(ended(total=7, right=6, wrong=0, unanswered=1), NOW)


def test_a_percentile_is_said_only_where_the_screen_shows_it() -> None:
    alone = ended(total=7, right=7, wrong=0, unanswered=0).model_copy(update={"percentile": Decimal(100)})
    assert not any("Percentile" in line for line in result(alone, NOW))
    ranked = alone.model_copy(update={"exam": MOTION.model_copy(update={"enable_ranks": True})})
    assert "Percentile 100." in result(ranked, NOW)


def test_subjects_report_unmarked_answers() -> None:
    found = SubjectAnalytics(name="Writing", total=3, correct=1, incorrect=1, score=Decimal(1))
    assert subjects([found, found.model_copy(update={"unanswered": 1})]) == [
        "Writing: 1 correct, 1 incorrect, 0 unanswered, 1 not marked yet, score 1.",
        "Writing: 1 correct, 1 incorrect, 1 unanswered, score 1.",
    ]
