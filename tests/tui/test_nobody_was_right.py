"""What the review says of the others where nobody has answered correctly yet."""

from lms_tui.plain.review import reviewed
from lms_tui.views import times
from lms_tui.views.outcomes import best_seconds, share_correct
from lms_tui.views.rows import plain
from lms_tui.wire.attempts import ReviewQuestion, ReviewQuestionBody

NOBODY: dict[str, object] = {"best_duration": 0.0, "average_duration": 48.0, "correct_percentage": 0.0}
ESSAY = ReviewQuestion(
    id=1, order=1, duration="0:09:40", essay_text="Tides.", question=ReviewQuestionBody(type="E"), **NOBODY
)


def test_without_a_correct_answer_there_is_no_best_time() -> None:
    assert "Time: you 9 min 40 s, average 48 s." in reviewed(ESSAY)
    drawn = [plain(line) for line in times.chosen_rows(times.Times.of([ESSAY]), 0, 60)]
    assert not any("0 s" in line for line in drawn if line.startswith("best"))
    assert best_seconds(ReviewQuestion(best_duration=0.0, correct_percentage=50.0)) == 0.0


def test_answers_that_wait_for_marks_are_not_told_as_incorrect() -> None:
    assert not any("answered correctly" in line for line in reviewed(ESSAY))
    choice = ReviewQuestion(id=2, order=2, question=ReviewQuestionBody(type="R"), correct_percentage=0.0)
    assert share_correct(choice) == 0.0
