from datetime import timedelta
from decimal import Decimal

import pytest

from lms_tui.attempt.ports import AttemptKey, Unfinished
from lms_tui.tui.presenters import attempts, instructions, result, review, stats
from lms_tui.tui.presenters.attempts import Holdings, Item, Kind
from lms_tui.tui.presenters.outcomes import Filter, Outcome, outcome
from lms_tui.tui.presenters.rows import Row, cells, plain
from lms_tui.wire.attempts import RUNNING, GapFill, ReviewOption, ReviewQuestion, ReviewQuestionBody, SubjectAnalytics
from lms_tui.wire.exams import Exam, ExamSection
from lms_tui.wire.stats import Report, ReportGroup, StudentStats
from tests.fakes import institute
from tests.fakes.institute import NOW


def text_of(rows: list[Row]) -> str:
    return "\n".join(plain(row) for row in rows)


ROOMS = (18, 36, 58, 76, 110)

# Home.


def test_running_attempts_come_first_then_available_upcoming_and_done() -> None:
    holdings = Holdings(attempts=tuple(institute.ATTEMPTS), available=(institute.QUICK,), upcoming=(institute.LATER,))
    assert [item.kind for item in holdings.items()] == [Kind.RESUME, Kind.AVAILABLE, Kind.UPCOMING, *[Kind.DONE] * 4]


def test_answers_that_only_this_computer_has_are_offered_on_top() -> None:
    left = Unfinished(AttemptKey("o", 7, 180), "JEE", 3)
    first = Holdings(attempts=tuple(institute.ATTEMPTS), unfinished=(left,)).items()[0]
    assert (first.kind, first.unsent, first.attempt_id) == (Kind.UNSENT, 3, 180)


def test_unsent_answers_of_a_running_attempt_stay_with_it() -> None:
    left = Unfinished(AttemptKey("o", 7, 190), "Numerical literacy", 2)
    first = Holdings(attempts=tuple(institute.ATTEMPTS), unfinished=(left,)).items()[0]
    assert (first.kind, first.unsent) == (Kind.RESUME, 2)


def test_without_exam_lists_the_exams_of_attempts_that_can_be_retaken_are_available() -> None:
    spent = institute.finished(1, institute.QUICK, 3, 1, remaining_attempts=0)
    holdings = Holdings(attempts=(*institute.JEE_ATTEMPTS, spent), listed=False)
    available = [item.exam.slug for item in holdings.items() if item.kind is Kind.AVAILABLE]
    assert available == [institute.JEE.slug]


def test_an_exam_with_a_running_attempt_is_resumed_and_not_offered_twice() -> None:
    running = institute.attempt(5, institute.QUICK, RUNNING)
    kinds = [item.kind for item in Holdings(attempts=(running,), available=(institute.QUICK,)).items()]
    assert kinds == [Kind.RESUME]


def test_pages_that_repeat_rows_add_nothing_twice() -> None:
    once = Holdings().with_attempts(institute.JEE_ATTEMPTS).with_exams(available=[institute.QUICK])
    twice = once.with_attempts(institute.JEE_ATTEMPTS).with_exams(available=[institute.QUICK])
    assert once == twice


@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("kind", list(Kind))
def test_rows_and_headings_of_the_list_take_exactly_the_room(kind: Kind, room: int) -> None:
    item = Item(kind, institute.HINDI, institute.finished(1, institute.JEE, 50, 10), 1, 2)
    assert cells(attempts.line(item, room, NOW)) == room
    assert cells(attempts.heading(kind, room)) == room


@pytest.mark.parametrize("room", ROOMS)
def test_details_never_outgrow_their_room(room: int) -> None:
    holdings = Holdings(attempts=tuple(institute.ATTEMPTS))
    for item in holdings.items():
        assert all(cells(row) <= room for row in attempts.details(item, holdings, room, NOW))


def test_details_show_marks_sections_retakes_and_the_course_of_own_scores() -> None:
    holdings = Holdings(attempts=tuple(institute.ATTEMPTS))
    told = text_of(attempts.details(Item(Kind.AVAILABLE, institute.JEE), holdings, 40, NOW))
    assert "+4 right, −1 wrong" in told
    assert "Physics, Chemistry," in told
    assert "up to 3" in told
    assert "best  195" in told
    assert "▁" in told


@pytest.mark.parametrize(
    ("allowed", "most", "left", "told"),
    [
        (True, -1, None, "as often as you like"),
        (True, None, None, "as often as you like"),
        (True, 3, None, "up to 3"),
        (False, 3, None, "one attempt only"),
        (True, 3, 1, "1 left"),
        (True, 3, 0, "none left"),
    ],
)
def test_retakes_are_told_as_the_service_counts_them(
    allowed: bool, most: int | None, left: int | None, told: str
) -> None:
    exam = Exam(allow_retake=allowed, max_retakes=most)
    attempt = institute.attempt(1, exam, remaining_attempts=left) if left is not None else None
    assert attempts.retakes(exam, attempt) == told


# Instructions.


def test_untimed_exam_is_never_said_to_end_by_itself() -> None:
    told = dict(instructions.rules(institute.HINDI))
    assert "without a time limit" in told["Time"]
    assert told["Time over"] == "Nothing ends the exam but you."
    assert "clock" not in told["Leaving"]


def test_marks_are_told_in_words() -> None:
    assert dict(instructions.rules(institute.JEE))["Marks"] == (
        "A right answer gives 4 marks, a wrong one takes 1 away, no answer changes nothing."
    )
    free = institute.exam("x", "X", negative_marks=Decimal(0), mark_per_question=Decimal(1))
    assert "1 mark. A wrong answer costs nothing" in dict(instructions.rules(free))["Marks"]


def test_sections_are_locked_only_when_all_of_two_or_more_have_a_time() -> None:
    timed = (ExamSection(name="A", duration=timedelta(minutes=5)), ExamSection(name="B", duration=timedelta(minutes=5)))
    locked = institute.JEE.model_copy(update={"sections": timed})
    assert "no way back" in dict(instructions.rules(locked))["Sections"]
    assert "as you like" in dict(instructions.rules(institute.JEE))["Sections"]
    half = institute.JEE.model_copy(update={"sections": (timed[0], ExamSection(name="B"))})
    assert "no way back" not in dict(instructions.rules(half))["Sections"]


@pytest.mark.parametrize("room", ROOMS)
def test_rules_and_keys_fit_their_room(room: int) -> None:
    assert all(cells(row) <= room for row in instructions.rule_rows(institute.JEE, [], room))
    assert all(cells(row) <= room for row in instructions.key_rows({}, room))


# Outcomes.


def asked(kind: str = "R", right: tuple[int, ...] = (2,), **given: object) -> ReviewQuestion:
    options = tuple(ReviewOption(id=n, text_html=str(n), is_correct=n in right) for n in (1, 2, 3))
    return ReviewQuestion(id=9, order=4, question=ReviewQuestionBody(type=kind, answers=options), **given)


@pytest.mark.parametrize(
    ("question", "found"),
    [
        (asked(selected_answers=[2]), Outcome.CORRECT),
        (asked(selected_answers=[1]), Outcome.INCORRECT),
        (asked(), Outcome.UNANSWERED),
        (asked("C", (1, 2), selected_answers=[1]), Outcome.PARTLY),
        (asked("C", (1, 2), selected_answers=[1, 3]), Outcome.INCORRECT),
        (asked("C", (1, 2), selected_answers=[2, 1]), Outcome.CORRECT),
        (asked("R", (), selected_answers=[1]), Outcome.ANSWERED),
        (asked("S", (), short_text="oxygen"), Outcome.ANSWERED),
        (asked("N", (2,), short_text=" 2 "), Outcome.CORRECT),
        (asked("N", (2,), short_text="5"), Outcome.INCORRECT),
        (asked("G", (), gap_fill_responses=[{"order": "1", "answer": "sea"}]), Outcome.ANSWERED),
        (asked("G", (), gap_fill_responses=[GapFill(order="1", answer="")]), Outcome.UNANSWERED),
    ],
)
def test_outcome_follows_the_key_and_is_not_guessed_without_one(question: ReviewQuestion, found: Outcome) -> None:
    assert outcome(question) is found


@pytest.mark.parametrize(
    ("kind", "takes"), [("all", True), ("incorrect", True), ("unanswered", False), ("marked", True), ("slow", True)]
)
def test_filters_take_what_they_say(kind: str, takes: bool) -> None:
    question = asked(selected_answers=[1], review=True, duration="0:02:00", average_duration=60.0)
    assert Filter(kind).takes(question) is takes
    assert not Filter(kind, subject="Physics").takes(question)


# Result.


@pytest.mark.parametrize("room", ROOMS)
def test_result_cards_fit_their_room(room: int) -> None:
    attempt = institute.JEE_ATTEMPTS[-1]
    questions = [institute.reviewed(n) for n in range(1, 76)]
    cards = [
        result.score_rows(attempt, room, NOW),
        result.answer_rows(attempt, room),
        result.earlier_rows(attempt, institute.JEE_ATTEMPTS, room, NOW),
        *([result.subject_rows(institute.subjects(), room), result.time_rows(questions, room)] if room >= 36 else []),
    ]
    for card in cards:
        assert all(cells(row) <= max(room, 40) for row in card)


def test_score_says_share_rank_and_percentile_where_they_are_published() -> None:
    told = text_of(result.score_rows(institute.JEE_ATTEMPTS[-1], 40, NOW))
    assert "195 of 300   65 %" in told
    assert "rank        4 of 139" in told
    assert "percentile  96.2" in told


def test_rank_that_is_not_published_yet_says_when_it_will_be() -> None:
    exam = institute.exam("x", "X", rank_publishing_date=NOW + timedelta(days=3))
    told = text_of(result.score_rows(institute.finished(3, exam, 5, 1, rank=None), 60, NOW))
    assert "published 17 Mar" in told


def test_attempt_without_any_score_is_shown_with_dashes() -> None:
    bare = institute.attempt(1, Exam(title="x"), allow_retake=False)
    assert "–" in text_of(result.score_rows(bare, 40, NOW))
    assert "no counts" in text_of(result.answer_rows(bare, 40))


def test_subjects_are_a_tree_and_a_circle_of_parents_hangs_nothing() -> None:
    told = text_of(result.subject_rows(institute.subjects(), 70))
    assert "Physics" in told
    assert "\n  Mechanics" in told
    circle = [SubjectAnalytics(id=1, name="A", parent=2), SubjectAnalytics(id=2, name="B", parent=1)]
    lonely = SubjectAnalytics(id=3, name="C", parent=99)
    told = text_of(result.subject_rows([*circle, lonely], 70))
    assert all(name in told for name in "ABC")


def test_comparison_points_at_this_attempt_and_tells_the_progress() -> None:
    told = text_of(result.earlier_rows(institute.JEE_ATTEMPTS[-1], institute.JEE_ATTEMPTS, 40, NOW))
    assert "36 better than your best before." in told
    assert told.count("▸") == 1
    first = institute.finished(1, institute.QUICK, 2, 1)
    assert "first attempt" in text_of(result.earlier_rows(first, [first], 40, NOW))


def test_times_are_told_as_own_average_and_best() -> None:
    told = text_of(result.time_rows([institute.reviewed(n) for n in range(1, 11)], 60))
    assert "you " in told
    assert "average " in told
    assert "best " in told
    assert "no times" in text_of(result.time_rows([asked()], 60))


# Review.


@pytest.mark.parametrize("room", [24, 36, 58, 90])
def test_question_of_the_review_fits_its_room(room: int) -> None:
    for number in range(1, 7):
        assert all(cells(row) <= room for row in review.question_rows(institute.reviewed(number), room))


def test_review_says_by_words_what_was_right_and_what_was_chosen() -> None:
    wrong = text_of(review.question_rows(institute.reviewed(3), 70))
    assert "✗ incorrect" in wrong
    assert "✓ C  3  ◂ right" in wrong
    assert "✗ D  11  ◂ yours" in wrong
    assert "Explanation" in wrong
    assert "got it right" in wrong
    right = text_of(review.question_rows(institute.reviewed(1), 70))
    assert "◂ right, and yours" in right
    assert "You gave no answer." in text_of(review.question_rows(institute.reviewed(5), 70))


def test_written_answers_are_shown_as_they_were_written() -> None:
    told = text_of(review.question_rows(asked("E", (), essay_text="One.\nTwo."), 60))
    assert "Your answer\nOne.\nTwo." in told


@pytest.mark.parametrize("room", [14, 18, 32])
def test_rows_of_the_review_list_fit(room: int) -> None:
    for number in (1, 4, 75):
        assert cells(review.list_row(institute.reviewed(number), room)) <= max(room, 17)


# Stats.


@pytest.mark.parametrize("room", [30, 52, 74])
def test_statistics_fit_their_room(room: int) -> None:
    points = stats.trend(institute.ATTEMPTS)
    report = institute.STATS.student_report.reports[0]
    for card in (stats.progress_rows(institute.STATS, room), stats.report_rows(report, room)):
        assert all(cells(row) <= room for row in card)
    assert stats.trend_rows(points, room)


def test_the_eight_counts_are_four_bars() -> None:
    told = text_of(stats.progress_rows(institute.STATS, 70))
    assert all(text in told for text in ("5 of 9", "11 of 24", "5 of 6", "1 of 4"))
    assert "0 of 0" in text_of(stats.progress_rows(StudentStats(), 70))


def test_running_attempts_are_no_part_of_the_trend() -> None:
    assert len(stats.trend(institute.ATTEMPTS)) == 4
    assert [point.day for point in stats.trend(institute.JEE_ATTEMPTS)] == ["23 Jan 2026", "7 Feb 2026", "22 Feb 2026"]


def test_report_groups_show_least_average_and_most() -> None:
    told = text_of(stats.report_rows(institute.STATS.student_report.reports[0], 70))
    assert "8 – 61.5 – 96" in told
    assert "●" in told
    empty = Report(report_title="x", groups=(ReportGroup(name="Physics"),))
    assert "empty" in text_of(stats.report_rows(empty, 70))
