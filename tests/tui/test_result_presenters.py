from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest

from lms_tui.attempt.ports import AttemptKey, Unfinished
from lms_tui.content.model import MathsStyle
from lms_tui.views import attempts, exam_columns, insight, instructions, result, review, stats, subjects, times
from lms_tui.views.attempts import ExamGroup, ExamLists, ExamRow
from lms_tui.views.compare import OF_STUDENT
from lms_tui.views.marks import unmarked
from lms_tui.views.outcomes import Outcome, ReviewFilter, decision, outcome
from lms_tui.views.practice import Practice
from lms_tui.views.rows import Row, cells, plain
from lms_tui.wire.attempt_states import AttemptState
from lms_tui.wire.attempts import GapFill, ReviewOption, ReviewQuestion, ReviewQuestionBody, SubjectAnalytics
from lms_tui.wire.exams import Exam, ExamSection, ListedExam, SingleExam
from lms_tui.wire.stats import Report, ReportGroup, StudentStats
from tests.fakes import institute
from tests.fakes.institute import NOW


def text_of(rows: list[Row]) -> str:
    return "\n".join(plain(row) for row in rows)


ROOMS = (18, 36, 58, 76, 110)

# Home.


def test_running_attempts_come_first_then_available_upcoming_and_done() -> None:
    holdings = ExamLists(attempts=tuple(institute.ATTEMPTS), available=(institute.QUICK,), upcoming=(institute.LATER,))
    groups = [ExamGroup.RESUME, ExamGroup.AVAILABLE, ExamGroup.UPCOMING, *[ExamGroup.DONE] * 4]
    assert [item.kind for item in holdings.items()] == groups


def test_unsent_answers_come_first() -> None:
    left = Unfinished(AttemptKey("o", 7, 180), "JEE", 3)
    first = ExamLists(attempts=tuple(institute.ATTEMPTS), unfinished=(left,)).items()[0]
    assert (first.kind, first.unsent, first.attempt_id) == (ExamGroup.UNSENT, 3, 180)


@pytest.mark.parametrize(("unsent", "reached"), [(0, True), (0, False), (2, False)])
def test_an_attempt_that_ended_while_the_program_was_closed_is_done(*, unsent: int, reached: bool) -> None:
    """Its journal does not know of the end. A time limit ends an exam that a student has left."""
    ended = institute.finished(180, institute.QUICK, 3, 1)
    left = Unfinished(AttemptKey("o", 7, 180), "Quick", unsent)
    (row,) = ExamLists(attempts=(ended,), unfinished=(left,), reached=reached).items()
    assert (row.kind, row.attempt) == (ExamGroup.DONE, ended)


def test_unsent_answers_of_a_running_attempt_stay_with_it() -> None:
    left = Unfinished(AttemptKey("o", 7, 190), "Numerical literacy", 2)
    first = ExamLists(attempts=tuple(institute.ATTEMPTS), unfinished=(left,)).items()[0]
    assert (first.kind, first.unsent) == (ExamGroup.RESUME, 2)


def test_without_exam_lists_the_exams_of_attempts_that_can_be_retaken_are_available() -> None:
    spent = institute.finished(1, institute.QUICK, 3, 1, remaining_attempts=0)
    holdings = ExamLists(attempts=(*institute.JEE_ATTEMPTS, spent), listed=False)
    available = [item.exam.slug for item in holdings.items() if item.kind is ExamGroup.AVAILABLE]
    assert available == [institute.JEE.slug]


def test_an_exam_with_a_running_attempt_is_resumed_and_not_offered_twice() -> None:
    running = institute.attempt(5, institute.QUICK, AttemptState.RUNNING)
    kinds = [item.kind for item in ExamLists(attempts=(running,), available=(institute.QUICK,)).items()]
    assert kinds == [ExamGroup.RESUME]


def test_pages_that_repeat_rows_add_nothing_twice() -> None:
    once = ExamLists().with_attempts(institute.JEE_ATTEMPTS).with_exams(available=[institute.QUICK])
    twice = once.with_attempts(institute.JEE_ATTEMPTS).with_exams(available=[institute.QUICK])
    assert once == twice


@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("kind", list(ExamGroup))
def test_rows_and_headings_of_the_list_have_the_given_width(kind: ExamGroup, room: int) -> None:
    item = ExamRow(kind, institute.HINDI, institute.finished(1, institute.JEE, 50, 10), 1, 2)
    columns = exam_columns.Columns.of([item], room, NOW)
    assert cells(exam_columns.line(item, columns, NOW)) == room
    assert cells(exam_columns.heading(kind, columns)) == room


@pytest.mark.parametrize("room", range(40, 200))
def test_a_title_of_the_list_is_cut_only_where_no_cell_beside_it_is_free(room: int) -> None:
    items = ExamLists(attempts=tuple(institute.ATTEMPTS)).items()
    columns = exam_columns.Columns.of(items, room, NOW)
    rows = [plain(exam_columns.line(item, columns, NOW)) for item in items]
    if not any("…" in row[: columns.cells[0] + 2] for row in rows):
        return
    rows += [plain(exam_columns.heading(kind, columns)) for kind in {item.kind for item in items}]
    start = columns.cells[0] + 2
    for used in filter(None, columns.cells[1:]):
        texts = [row[start + 2 : start + 2 + used] for row in rows]
        assert max(len(text.strip()) for text in texts) == used
        start += 2 + used


@pytest.mark.parametrize("room", range(40, 200))
def test_a_title_of_a_group_is_cut_only_where_no_cell_of_its_columns_is_free(room: int) -> None:
    listed = ExamLists(attempts=tuple(institute.ATTEMPTS), upcoming=(institute.LATER,)).items()
    items = [
        replace(item, exam=item.exam.model_copy(update={"title": f"{item.exam.title}, Part A"})) for item in listed
    ]
    every = exam_columns.Columns.of(items, room, NOW)
    for kind in {item.kind for item in items}:
        columns = every.of_group(kind)
        rows = [plain(exam_columns.line(item, columns, NOW)) for item in items if item.kind is kind]
        if not any("…" in row[: columns.cells[0] + 2] for row in rows):
            continue
        rows.append(plain(exam_columns.heading(kind, columns)))
        start = columns.cells[0] + 2
        for used in filter(None, columns.cells[1:]):
            assert max(len(row[start + 2 : start + 2 + used].strip()) for row in rows) == used
            start += 2 + used


def test_the_time_gives_way_to_a_whole_title() -> None:
    exam = institute.JEE.model_copy(
        update={"title": "Foundation Test 1: Science, Maths, Reasoning and Languages, Part A"}
    )
    items = [ExamRow(ExamGroup.AVAILABLE, exam, None, 1)]

    def listed(room: int, order: exam_columns.Order = exam_columns.GIVEN) -> tuple[bool, bool]:
        """Return whether the title is whole, and whether the time is there."""
        columns = exam_columns.Columns.of(items, room, NOW, order=order)
        (row,) = [plain(exam_columns.line(item, columns, NOW)) for item in items]
        return exam.title in row, exam_columns.Column.TIME in columns.shown

    whole = [room for room in range(62, 100) if listed(room)[0]]
    assert listed(whole[0]) == (True, False)
    assert listed(whole[0] - 1) == (False, True)
    assert listed(whole[-1]) == (True, True)
    assert listed(whole[0], exam_columns.Order(exam_columns.Column.TIME)) == (False, True)


@pytest.mark.parametrize("room", range(100, 200))
def test_a_course_of_the_list_is_cut_only_where_no_cell_of_its_group_is_free(room: int) -> None:
    listed = ExamLists(attempts=tuple(institute.ATTEMPTS)).items()
    course = "Foundation Science and Maths"
    items = [replace(item, exam=item.exam.model_copy(update={"course": course})) for item in listed]
    every = exam_columns.Columns.of(items, room, NOW)
    for kind in {item.kind for item in items}:
        columns = every.of_group(kind)
        title, shown = columns.cells[:2]
        rows = [plain(exam_columns.line(item, columns, NOW)) for item in items if item.kind is kind]
        if not shown or all(course in row for row in rows):
            continue
        rows.append(plain(exam_columns.heading(kind, columns)))
        assert max(len(row[: title + 2].rstrip()) for row in rows) == title + 2
        start = title + shown + 4
        for used in filter(None, columns.cells[2:]):
            assert any(row[start + 2 : start + 2 + used].strip() for row in rows)
            start += 2 + used


@pytest.mark.parametrize("room", range(40, 200))
def test_no_heading_of_the_list_is_cut(room: int) -> None:
    items = ExamLists(attempts=tuple(institute.ATTEMPTS)).items()
    columns = exam_columns.Columns.of(items, room, NOW)
    assert not any("…" in plain(exam_columns.heading(kind, columns)) for kind in {item.kind for item in items})


@pytest.mark.parametrize("room", ROOMS)
def test_details_fit_their_width(room: int) -> None:
    holdings = ExamLists(attempts=tuple(institute.ATTEMPTS))
    for item in holdings.items():
        assert all(cells(row) <= room for row in attempts.details(item, holdings, room, NOW))


def test_details_show_marks_sections_retakes_and_the_course_of_own_scores() -> None:
    holdings = ExamLists(attempts=tuple(institute.ATTEMPTS))
    told = text_of(attempts.details(ExamRow(ExamGroup.AVAILABLE, institute.JEE), holdings, 40, NOW))
    assert "+4 correct, −1 incorrect" in told
    assert "Physics, Chemistry," in told
    assert "up to 3" in told
    assert "best  195" in told
    assert "▁" in told


@pytest.mark.parametrize(
    ("allowed", "most", "left", "told"),
    [
        (True, -1, None, "no limit"),
        (True, None, None, "no limit"),
        (True, 3, None, "up to 3"),
        (False, 3, None, "one attempt"),
        (True, 3, 1, "1 left"),
        (True, 3, 0, "none left"),
    ],
)
def test_retakes_are_shown_as_the_service_counts_them(
    allowed: bool, most: int | None, left: int | None, told: str
) -> None:
    exam = Exam(allow_retake=allowed, max_retakes=most)
    attempt = institute.attempt(1, exam, remaining_attempts=left) if left is not None else None
    assert attempts.retakes(exam, attempt) == told


# Instructions.

KEYS = instructions.AidKeys(calculator="press =", sheet="press F")


def told_by(exam: Exam) -> dict[str, str]:
    return dict(instructions.instructions_of(exam, KEYS))


def test_an_untimed_exam_mentions_no_end_of_time() -> None:
    told = told_by(institute.HINDI)
    assert "no time limit" in told["Time"]
    assert told["Time over"] == "The exam ends when you end it."
    assert "clock" not in told["Leaving"]


def test_marks_are_described_in_words() -> None:
    assert told_by(institute.JEE)["Marks"] == (
        "A correct answer gives 4 marks. An incorrect answer costs 1 mark. An unanswered question gives 0 marks."
    )
    free = institute.exam("x", "X", negative_marks=Decimal(0), mark_per_question=Decimal(1))
    assert "1 mark. An incorrect answer costs nothing" in told_by(free)["Marks"]


def test_an_exam_with_immediate_feedback_says_why_there_is_none_during_the_exam() -> None:
    shown, hidden = (
        told_by(institute.exam("x", "X", immediate_feedback=True, show_answers=show)) for show in (True, False)
    )
    reason = "This exam is set to show each correct answer at once, but the server sends no answers before the end."
    assert shown["Feedback"] == f"{reason} The review shows them."
    assert hidden["Feedback"] == reason
    assert "Feedback" not in told_by(institute.JEE)


@pytest.mark.parametrize(
    ("own", "words"),
    [
        ("", "2 questions in 30 min. The clock starts when you start the exam."),
        ("0:45:00", "2 questions in 45 min (others have 30 min). The clock starts when you start the exam."),
        ("none", "2 questions, no time limit."),
        ("x", "2 questions in 30 min. The clock starts when you start the exam."),
    ],
)
def test_the_instructions_tell_the_time_of_the_student(own: str, words: str) -> None:
    exam = ListedExam(duration=timedelta(minutes=30), number_of_questions=2, own_time=own)
    assert told_by(exam)["Time"] == words


def test_sections_lock_only_if_there_are_several_and_all_are_timed() -> None:
    timed = (ExamSection(name="A", duration=timedelta(minutes=5)), ExamSection(name="B", duration=timedelta(minutes=5)))
    locked = institute.JEE.model_copy(update={"sections": timed})
    assert "cannot return to an earlier section" in told_by(locked)["Sections"]
    assert "at any time" in told_by(institute.JEE)["Sections"]
    half = institute.JEE.model_copy(update={"sections": (timed[0], ExamSection(name="B"))})
    assert "cannot return to an earlier section" not in told_by(half)["Sections"]


@pytest.mark.parametrize(
    ("calculator", "sheet", "words"),
    [
        ("no", False, "No calculator. No reference sheet."),
        ("no", True, "No calculator. A reference sheet: press F in the exam."),
        (
            "basic",
            True,
            "A basic calculator (+ - * / % √): press = in the exam. A reference sheet: press F in the exam.",
        ),
        ("scientific", False, "A scientific calculator: press = in the exam. No reference sheet."),
        ("", False, None),
    ],
)
def test_the_instructions_say_which_aids_the_exam_allows_and_how_they_open(
    calculator: str, sheet: bool, words: str | None
) -> None:
    exam = SingleExam(slug="sums", title="Sums", calculator=calculator, has_reference_sheet=sheet)
    assert told_by(exam).get("Aids") == words
    assert "Aids" not in told_by(institute.JEE)


@pytest.mark.parametrize("room", ROOMS)
def test_instructions_and_keys_fit_their_width(room: int) -> None:
    assert all(cells(row) <= room for row in instructions.instruction_rows(institute.JEE, KEYS, [], room))
    assert all(cells(row) <= room for row in instructions.key_rows([("n · →", "Next question " * 5)], room))


# Outcomes.


def asked(kind: str = "R", right: tuple[int, ...] = (2,), **given: object) -> ReviewQuestion:
    options = tuple(ReviewOption(id=n, text_html=str(n), is_correct=n in right) for n in (1, 2, 3))
    return ReviewQuestion(id=9, order=4, question=ReviewQuestionBody(type=kind, answers=options), **given)


def written(kind: str, keys: list[str], **given: object) -> ReviewQuestion:
    """A question whose key the service puts among the answers, because it is written and not chosen."""
    options = tuple(ReviewOption(id=n, text_html=key, is_correct=True) for n, key in enumerate(keys, 1))
    return ReviewQuestion(id=9, order=4, question=ReviewQuestionBody(type=kind, answers=options), **given)


def gaps(kind: str, keys: list[str], *answers: str) -> ReviewQuestion:
    responses = [GapFill(order=str(n), answer=answer) for n, answer in enumerate(answers, 1)]
    return written(kind, keys, gap_fill_responses=responses)


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
        (written("S", ["Chennai"], short_text=" chennai "), Outcome.CORRECT),
        (written("S", ["New * Delhi", "Delhi*"], short_text="Delhi city"), Outcome.CORRECT),
        (written("S", [r"2 \* 3"], short_text="2 times 3"), Outcome.INCORRECT),
        (written("N", ["3.14 to 3.15"], short_text="3,145"), Outcome.CORRECT),
        (written("N", ["3.14 to 3.15"], short_text="3.2"), Outcome.INCORRECT),
        (written("N", ["2"], short_text="2.0"), Outcome.CORRECT),
        (written("N", ["2"], short_text="two"), Outcome.INCORRECT),
        (gaps("G", ["1. a", "2. b"], "a", "b"), Outcome.CORRECT),
        (gaps("G", ["1. a", "2. b", "2. c"], "a", "c"), Outcome.CORRECT),
        (gaps("G", ["1. a", "2. b"], "a", "x"), Outcome.PARTLY),
        (gaps("M", ["1. x", "2. y"], "y", "x"), Outcome.INCORRECT),
    ],
)
def test_the_outcome_follows_the_key_and_is_unknown_without_one(question: ReviewQuestion, found: Outcome) -> None:
    assert outcome(question) is found


@pytest.mark.parametrize(
    ("kind", "takes"), [("all", True), ("incorrect", True), ("unanswered", False), ("marked", True), ("slow", True)]
)
def test_each_filter_matches_its_questions(kind: str, takes: bool) -> None:
    question = asked(selected_answers=[1], review=True, duration="0:02:00", average_duration=60.0)
    assert ReviewFilter(kind).takes(question) is takes
    assert not ReviewFilter(kind, subject="Physics").takes(question)


# Result.


@pytest.mark.parametrize("room", ROOMS)
def test_result_cards_fit_their_width(room: int) -> None:
    attempt = institute.JEE_ATTEMPTS[-1]
    cards = [
        result.score_rows(attempt, room, NOW),
        result.answer_rows(attempt, room),
        result.earlier_rows(attempt, institute.JEE_ATTEMPTS, room, NOW),
        insight.pace_rows(attempt, room),
        insight.subject_words(institute.subjects(), room),
    ]
    for card in cards:
        assert all(cells(row) <= max(room, 30) for row in card)


def test_the_score_has_percentage_rank_and_percentile_if_published() -> None:
    told = text_of(result.score_rows(institute.JEE_ATTEMPTS[-1], 40, NOW))
    assert "195 of 300   65 %" in told
    assert "rank        4 of 139" in told
    assert "You did as well as or better" in told


def test_an_unpublished_rank_has_its_publishing_date() -> None:
    exam = institute.exam("x", "X", rank_publishing_date=NOW + timedelta(days=3))
    told = text_of(result.score_rows(institute.finished(3, exam, 5, 1, rank=None), 60, NOW))
    assert "published 17 Mar" in told


@pytest.mark.parametrize(
    ("score", "percentage", "told"),
    [
        ("4", "57.14", "4 of 7   57.14 %"),
        ("4", "66.67", "4 of 6   66.67 %"),  # one of its seven questions is an essay that nobody has marked yet
        ("-1", "-16.67", "−1 of 7   −16.67 %"),
        ("0", "0.00", "0 of 7"),
        ("4", "NA", "4 of 7"),
        ("4", "NaN", "4 of 7"),
        ("4", "31.39", "4   31.39 %"),
        ("5.33", "88.89", "5.33 of 6   88.89 %"),  # both are rounded
        ("1.33", "22.22", "1.33 of 6   22.22 %"),
        ("0.33", "1.10", "0.33   1.1 %"),  # of 29.5, 30 or 30.5
        ("1", "0.33", "1   0.33 %"),
    ],
)
def test_full_marks_agree_with_the_percentage(score: str, percentage: str, told: str) -> None:
    exam = Exam(title="x", number_of_questions=7, mark_per_question="1.00")
    attempt = institute.attempt(1, exam, allow_retake=False)
    given = attempt.model_copy(update={"score": Decimal(score), "percentage": percentage})
    assert told in text_of(result.score_rows(given, 40, NOW))


def test_attempt_without_any_score_is_shown_with_dashes() -> None:
    bare = institute.attempt(1, Exam(title="x"), allow_retake=False)
    assert "–" in text_of(result.score_rows(bare, 40, NOW))
    assert "no counts" in text_of(result.answer_rows(bare, 40))


ESSAY_WAITS = institute.finished(
    1, institute.exam("x", "X", number_of_questions=7, mark_per_question=Decimal(1)), 1, 5, unanswered_count=0
)
"""Seven questions, all answered; nobody has marked the essay yet."""


def test_unmarked_answers_are_counted_and_reported() -> None:
    assert unmarked(ESSAY_WAITS) == 1
    told = text_of(result.answer_rows(ESSAY_WAITS, 40, 1))
    assert "▒▒ ~ partly correct     1    14 %" in told
    assert "✗ incorrect          4    57 %" in told
    assert "?? ? not marked         1    14 %" in told
    assert "count a partly correct answer as incorrect. 1 answer is not marked yet." in " ".join(told.split())


def test_a_partly_correct_answer_is_not_called_incorrect() -> None:
    told = text_of(result.answer_rows(ESSAY_WAITS.model_copy(update={"incorrect_count": 1}), 40, 1))
    assert "~ partly correct     1" in told
    assert "✗ incorrect          0" in told


def test_a_server_that_counts_partly_correct_answers_in_another_way_keeps_its_counts() -> None:
    told = text_of(result.answer_rows(ESSAY_WAITS.model_copy(update={"incorrect_count": 0}), 40, 1))
    assert "partly" not in told
    assert "✗ incorrect      0" in told


def test_the_chart_of_times_tells_partly_correct_from_incorrect() -> None:
    half = asked("C", (1, 2), selected_answers=[1]).model_copy(update={"duration": "00:00:40"})
    wrong = asked("C", (1, 2), selected_answers=[3]).model_copy(update={"duration": "00:00:40"})
    told = text_of(times.chart_rows(times.Times.of([half, wrong]), 0, 60))
    assert "▒ partly correct" in told
    assert "▓ incorrect" in told


def test_no_unmarked_answers_are_reported_if_all_are_marked() -> None:
    assert [unmarked(attempt) for attempt in institute.JEE_ATTEMPTS] == [0, 0, 0]
    assert unmarked(institute.attempt(1, institute.JEE)) == 0
    assert "not marked" not in text_of(result.answer_rows(institute.JEE_ATTEMPTS[0], 40))


def test_accuracy_covers_marked_answers_only() -> None:
    told = text_of(insight.pace_rows(ESSAY_WAITS, 200))
    assert "Accuracy 17 %: 1 of the 6 answers that are marked was correct." in told
    one = ESSAY_WAITS.model_copy(update={"correct_count": 1, "incorrect_count": 0, "accuracy": None})
    assert "Accuracy 100 %: the answer that is marked was correct." in text_of(insight.pace_rows(one, 200))
    only = ESSAY_WAITS.model_copy(update={"correct_count": 0, "incorrect_count": 0, "speed": None})
    assert "No answer is marked yet" in text_of(insight.pace_rows(only, 200))


def test_the_cost_of_incorrect_answers_is_shown_only_if_it_explains_the_score() -> None:
    assert "5 incorrect answers cost you 5 marks." in text_of(insight.pace_rows(ESSAY_WAITS, 200))
    assert "3 incorrect and 2 partly correct answers cost" in text_of(insight.pace_rows(ESSAY_WAITS, 200, 2))
    assert "5 partly correct answers cost" in text_of(insight.pace_rows(ESSAY_WAITS, 200, 5))
    partly = ESSAY_WAITS.model_copy(update={"score": Decimal("-2.5")})
    assert "cost you" not in text_of(insight.pace_rows(partly, 200))


def test_a_subject_is_rated_by_its_marked_answers() -> None:
    writing = SubjectAnalytics(id=1, name="Writing", total=3, correct=2, incorrect=0, unanswered=0)
    assert "✓ Writing: 2 of 2 correct" in text_of(insight.subject_words([writing], 60))
    essay = SubjectAnalytics(id=2, name="Essays", total=2)
    assert "enough questions" in text_of(insight.subject_words([essay], 60))


def drawn_tree(parts: list[SubjectAnalytics], room: int, closed: frozenset[int] = frozenset()) -> str:
    shown = subjects.branches(parts, closed)
    columns = subjects.Columns.of(shown, room)
    rows = [subjects.heading(columns), *(subjects.line(branch, columns) for branch in shown)]
    assert all(cells(row) <= room for row in rows)
    return text_of(rows)


@pytest.mark.parametrize("room", [32, 58, 110])
def test_subjects_are_a_tree_with_bars_and_scores_in_any_room(room: int) -> None:
    told = drawn_tree(institute.subjects(), room)
    assert "▾ Physics" in told
    assert "\n    Mech" in told
    assert "46" in told


def test_a_closed_subject_hides_its_parts_and_nothing_else() -> None:
    told = drawn_tree(institute.subjects(), 70, frozenset({1}))
    assert "▸ Physics" in told
    assert "Mechanics" not in told
    assert "Chemistry" in told


def test_a_circle_of_parent_subjects_hides_nothing() -> None:
    circle = [SubjectAnalytics(id=1, name="A", parent=2), SubjectAnalytics(id=2, name="B", parent=1)]
    lonely = SubjectAnalytics(id=3, name="C", parent=99)
    told = drawn_tree([*circle, lonely], 70)
    assert all(name in told for name in "ABC")


def test_strengths_and_weaknesses_name_the_smallest_subjects() -> None:
    told = text_of(insight.subject_words(institute.subjects(), 60))
    assert "✓ Mechanics: 12 of 15 correct" in told
    assert "✗ Chemistry: 14 of 25 correct, 6 incorrect" in told
    assert "Physics" not in told
    assert "enough questions" in text_of(insight.subject_words([], 60))


def test_unanswered_and_incorrect_are_distinguished() -> None:
    idle = SubjectAnalytics(id=1, name="Biology", total=5, correct=1, incorrect=0, unanswered=4)
    assert "1 of 5 correct, 4 unanswered" in text_of(insight.subject_words([idle], 60))


def test_accuracy_and_speed_are_explained() -> None:
    told = text_of(insight.pace_rows(institute.JEE_ATTEMPTS[-1], 200))
    assert "Accuracy 80 %: 52 of the 65 questions you answered were correct." in told
    assert "31 questions per hour: 1 min 56 s per answer; the exam allows 2 min 24 s" in told
    assert "13 incorrect answers cost you 13 marks." in told
    assert "You answered no question." in text_of(insight.pace_rows(institute.attempt(1, institute.JEE), 60))


@pytest.mark.parametrize(("takers", "shown"), [(1, False), (4, False), (5, True)])
def test_rank_and_percentile_are_shown_from_five_students_on(takers: int, shown: bool) -> None:
    exam = institute.exam("x", "X", rank_publishing_date=NOW - timedelta(days=1))
    attempt = institute.finished(3, exam, 5, 1, rank=1, max_rank=takers, percentile=100.0)
    told = text_of(result.score_rows(attempt, 60, NOW))
    assert (f"1 of {takers}" in told) is shown
    assert ("as well as or better" in told) is shown
    assert ("shown when five students have taken it" in told) is not shown


@pytest.mark.parametrize(("days", "shown"), [(-1, True), (3, False)])
def test_rank_and_percentile_are_shown_only_after_publication(days: int, shown: bool) -> None:
    exam = institute.exam("x", "X", rank_publishing_date=NOW + timedelta(days=days))
    told = text_of(result.score_rows(institute.finished(3, exam, 5, 1), 60, NOW))
    assert ("12 of 139" in told) is shown
    assert ("91.4" in told) is shown


@pytest.mark.parametrize(
    ("left", "told"),
    [
        (timedelta(minutes=73), "2 min of 1 h 15 min"),  # 45 minutes and 30 minutes more
        (timedelta(minutes=43), "2 min of 45 min"),
        (timedelta(0), "2 min of 45 min"),
        (None, "2 min of 45 min"),
    ],
)
def test_the_time_taken_is_compared_with_the_time_that_this_student_had(left: timedelta | None, told: str) -> None:
    exam = institute.QUICK.model_copy(update={"duration": timedelta(minutes=45)})
    given = institute.finished(3, exam, 5, 1, time_taken=timedelta(minutes=2), remaining_time=left)
    assert told in text_of(result.score_rows(given, 60, NOW))


# Times.


def paper(count: int) -> list[ReviewQuestion]:
    return [institute.reviewed(n) for n in range(1, count + 1)]


@pytest.mark.parametrize("room", [30, 36, 58, 110, 236])
@pytest.mark.parametrize("count", [1, 12, 75, 500])
def test_the_time_chart_fits_its_width_and_keeps_its_height(room: int, count: int) -> None:
    known = times.Times.of(paper(count))
    drawn = [times.chart_rows(known, cursor, room) for cursor in (0, count // 2, count - 1)]
    assert len({len(rows) for rows in drawn}) == 1
    for rows, cursor in zip(drawn, (0, count // 2, count - 1), strict=True):
        assert all(cells(row) <= room for row in rows)
        assert f"▲{cursor + 1}" in text_of(rows)
        assert f"Question {cursor + 1} of {count}" in text_of(rows)


def test_own_average_and_best_times_are_shown_for_one_question_and_for_all() -> None:
    told = text_of(times.chart_rows(times.Times.of(paper(10)), 3, 60))
    assert "✓ correct" in told
    assert "H₂SO₄ is a" in told
    for label in ("you ", "average ", "best ", "longest ", "incorrect answers "):
        assert label in told
    assert "no times" in text_of(times.chart_rows(times.Times.of([asked()]), 0, 60))


def test_the_axis_of_the_time_chart_names_the_selected_question_once() -> None:
    axis = next(row for row in text_of(times.chart_rows(times.Times.of(paper(4)), 0, 60)).splitlines() if "▲" in row)
    assert axis.split() == ["▲1", "4"]
    axis = next(row for row in text_of(times.chart_rows(times.Times.of(paper(4)), 3, 60)).splitlines() if "▲" in row)
    assert axis.split() == ["1", "▲4"]


def test_an_unmarked_answer_is_not_drawn_as_correct() -> None:
    waiting = asked("E", (), essay_text="One.", duration="0:02:00")
    told = text_of(times.chart_rows(times.Times.of([waiting]), 0, 60))
    assert "? not marked" in told
    assert "█" not in text_of(times.chart_rows(times.Times.of([waiting]), 0, 60)[:7])
    assert "? not marked" not in text_of(times.chart_rows(times.Times.of(paper(4)), 0, 60))
    assert text_of(review.question_rows(waiting, 60)).startswith("? not marked")
    without_key = asked("R", (), selected_answers=(1,), duration="0:02:00")
    assert "? answered" in text_of(times.chart_rows(times.Times.of([without_key]), 0, 60))


def test_one_question_that_took_an_hour_does_not_flatten_the_others() -> None:
    hour = institute.reviewed(5).model_copy(update={"duration": "1:00:00"})
    known = times.Times.of([*paper(40), hour])
    assert known.most < 600
    assert "▲" in text_of(times.chart_rows(known, 0, 110)[:1])


@pytest.mark.parametrize("count", [5, 75, 500])
def test_a_click_on_a_column_selects_its_question(count: int) -> None:
    frame = times.Frame.of(count, count // 2, 76)
    for place in (frame.first, frame.first + frame.shown - 1):
        assert frame.place_at(frame.label + (place - frame.first) * frame.pitch) == place
    assert frame.place_at(0) == -1


def test_the_comparison_marks_this_attempt_and_shows_the_progress() -> None:
    told = text_of(result.earlier_rows(institute.JEE_ATTEMPTS[-1], institute.JEE_ATTEMPTS, 40, NOW))
    assert "36 more than your best score before." in told
    assert told.count("▸") == 1
    first = institute.finished(1, institute.QUICK, 2, 1)
    assert "first attempt" in text_of(result.earlier_rows(first, [first], 40, NOW))


def test_earlier_attempts_show_unmarked_answers_at_any_width() -> None:
    before = ESSAY_WAITS.model_copy(update={"id": 0, "incorrect_count": 6})
    for room in ROOMS:
        rows = result.earlier_rows(ESSAY_WAITS, [before], room, NOW)
        assert "1 not marked" in " ".join(text_of(rows).split())
        assert all(cells(row) <= max(room, 30) for row in rows)
    assert "1 not marked\n  14 min\n" in text_of(result.earlier_rows(ESSAY_WAITS, [before], 44, NOW))
    assert "−1 incorrect, +1 not marked" in text_of(result.earlier_rows(ESSAY_WAITS, [before], 110, NOW))


# Review.


def test_the_summary_of_the_review_names_each_outcome() -> None:
    read = [
        asked(selected_answers=[2]),
        asked(selected_answers=[1]),
        asked(),
        asked("C", (1, 2), selected_answers=[1]),
        asked("E", (), essay_text="One."),
        asked("S", (), short_text="One."),
    ]
    assert review.summary(read[:3], 3) == "1 correct · 1 incorrect · 1 unanswered"
    told = "1 correct · 1 incorrect · 1 partly correct · 1 not marked · 1 answered · 1 unanswered"
    assert review.summary(read, 6) == told


@pytest.mark.parametrize("room", [24, 36, 58, 90])
def test_a_question_of_the_review_fits_its_width(room: int) -> None:
    for number in range(1, 7):
        assert all(cells(row) <= room for row in review.question_rows(institute.reviewed(number), room))


def test_the_review_marks_correct_and_chosen_options_in_words() -> None:
    wrong = text_of(review.question_rows(institute.reviewed(3), 70))
    assert "✗ incorrect" in wrong
    assert "✓ C  3  ◂ correct answer" in wrong
    assert "✗ D  11  ◂ your answer" in wrong
    assert "Explanation" in wrong
    assert "% correct" in wrong
    right = text_of(review.question_rows(institute.reviewed(1), 70))
    assert "◂ correct, your answer" in right
    assert "You gave no answer." in text_of(review.question_rows(institute.reviewed(5), 70))
    for_staff = text_of(review.question_rows(institute.reviewed(5), 70, whose=OF_STUDENT))
    assert "The student gave no answer." in for_staff
    assert "you" not in for_staff.casefold().split()


def test_written_answers_are_shown_as_they_were_written() -> None:
    told = text_of(review.question_rows(asked("E", (), essay_text="One.\nTwo."), 60))
    assert "Your answer\nOne.\nTwo." in told


@pytest.mark.parametrize("room", [30, 36, 58, 90, 140])
@pytest.mark.parametrize(
    ("question", "told"),
    [
        (written("S", ["Chennai"], short_text="Madras"), ["Your answer", "Madras", "Correct answer", "Chennai"]),
        (written("S", ["Chennai"]), ["Correct answer", "Chennai", "You gave no answer."]),
        (written("N", ["3.14 to 3.15"], short_text="3"), ["Your answer", "3.14 to 3.15"]),
        (written("E", [], essay_text="By its steps.", essay_topic="Wells"), ["Wells", "By its steps.", "3 words"]),
        (gaps("G", ["1. sea", "2. b"], "lake"), ["Gap", "✗ 1", "lake", "sea", "· 2"]),
        (gaps("M", ["1. x", "2. y"], "x", "x"), ["Pair", "✓ 1", "✗ 2"]),
        (written("F", []), ["file upload", "You gave no answer."]),
        (asked("C", (1, 2), selected_answers=[1]), ["~ partly correct", "correct, your answer"]),
    ],
)
def test_every_question_type_shows_the_given_and_the_correct_answer(
    question: ReviewQuestion, told: list[str], room: int
) -> None:
    rows = review.question_rows(question, room)
    assert all(cells(row) <= room for row in rows)
    assert all(text in text_of(rows) for text in told)


@pytest.mark.parametrize("room", [30, 90])
def test_headings_of_gaps_and_matches_are_separated(room: int) -> None:
    for kind, title in (("M", "Pair Your answer"), ("G", "Gap Your answer")):
        rows = review.question_rows(gaps(kind, ["1. x", "2. y"], "x", "x"), room)
        assert title in text_of(rows)


def test_own_and_correct_answer_are_side_by_side_in_a_wide_window() -> None:
    wide = text_of(review.question_rows(institute.reviewed(3), 90)).splitlines()
    heading = next(n for n, line in enumerate(wide) if "Your answer" in line)
    assert "Correct answer" in wide[heading]
    assert "✗ D  11" in wide[heading + 1]
    assert "✓ C  3" in wide[heading + 1]
    assert "Correct answer" not in text_of(review.question_rows(institute.reviewed(3), 50))


@pytest.mark.parametrize(("text", "takes"), [("ph HCL", True), ("sulphur", False), ("11", True), ("log", True)])
def test_a_search_covers_question_options_and_explanation(text: str, takes: bool) -> None:
    assert ReviewFilter(text=text).takes(institute.reviewed(3)) is takes


# Once more.


def test_a_single_choice_shows_its_outcome_at_once() -> None:
    wrong = institute.reviewed(3)
    begun = Practice()
    assert (
        "right"
        not in text_of(begun.rows(wrong, 60, MathsStyle.LINE)).split("Choose a letter")[0].split("one answer")[1]
    )
    chosen = begun.choose(wrong, 2)
    told = text_of(chosen.rows(wrong, 60, MathsStyle.LINE))
    assert "✓ Now correct (before: incorrect)" in told
    assert chosen.summary([wrong]) == "practice: 1 correct of 1 tried"


def test_choices_can_change_until_the_answer_is_shown() -> None:
    several = institute.reviewed(6)
    chosen = Practice().choose(several, 0).choose(several, 1).choose(several, 1).choose(several, 2)
    assert chosen.is_covered(several)
    done = chosen.uncover(several)
    assert "✓ Now correct" in text_of(done.rows(several, 60, MathsStyle.LINE))
    assert done.choose(several, 3) == done


def test_the_answer_of_a_written_question_is_shown_without_a_choice() -> None:
    short = written("S", ["Chennai"], short_text="Madras")
    begun = Practice()
    assert begun.choose(short, 0) == begun
    assert "Chennai" not in text_of(begun.rows(short, 60, MathsStyle.LINE))
    assert "Chennai" in text_of(begun.uncover(short).rows(short, 60, MathsStyle.LINE))


@pytest.mark.parametrize("room", [14, 18, 32])
def test_rows_of_the_review_list_fit(room: int) -> None:
    for number in (1, 4, 75):
        assert cells(review.list_row(institute.reviewed(number), room)) <= max(room, 17)


# Stats.


def test_a_place_that_needs_two_rows_goes_on_below_itself() -> None:
    best = stats.Point(83, "18 Nov 2026", "Chapter Test: Acids and Bases")
    told = text_of(stats.trend_rows([best], 56)).split("\n")
    assert told[1] == "best     83 %  Chapter Test: Acids and Bases, 18 Nov"
    assert told[2] == " " * 15 + "2026"


@pytest.mark.parametrize("room", [30, 52, 74])
def test_statistics_fit_their_room(room: int) -> None:
    points = stats.trend(institute.ATTEMPTS)
    report = institute.STATS.student_report.reports[0]
    for card in (stats.progress_rows(institute.STATS, room), stats.report_rows(report, room)):
        assert all(cells(row) <= room for row in card)
    assert stats.trend_rows(points, room)


def test_the_eight_counts_become_four_bars() -> None:
    told = text_of(stats.progress_rows(institute.STATS, 70))
    assert all(text in told for text in ("5 of 9", "11 of 24", "5 of 6", "1 of 4"))
    assert "0 of 0" in text_of(stats.progress_rows(StudentStats(), 70))


def test_running_attempts_are_not_part_of_the_trend() -> None:
    assert len(stats.trend(institute.ATTEMPTS)) == 4
    assert [point.day for point in stats.trend(institute.JEE_ATTEMPTS)] == ["23 Jan 2026", "7 Feb 2026", "22 Feb 2026"]


def test_report_groups_show_least_average_and_most() -> None:
    told = text_of(stats.report_rows(institute.STATS.student_report.reports[0], 70))
    assert "8 – 61.5 – 96" in told
    assert "●" in told
    assert "you 78.5   8 – 61.5 – 96" in told
    assert "Mathematics" in told
    assert told.count("▲") == len(("total", "Physics", "Chemistry", "legend"))
    empty = Report(report_title="x", groups=(ReportGroup(name="Physics"),))
    assert "empty" in text_of(stats.report_rows(empty, 70))


@pytest.mark.parametrize(
    ("told", "found", "sentences"),
    [
        ({"outcome": "", "score": "4.00"}, Outcome.ANSWERED, []),
        ({"outcome": "partial", "score": "2.50"}, Outcome.PARTLY, ["Marks: 2.5 of 4."]),
        (
            {"outcome": "correct", "score": "4", "comment": "a\x1b[31m"},
            Outcome.CORRECT,
            ["Marks: 4 of 4.", "Comment: a␛[31m"],
        ),
        ({"outcome": "unscored", "correction": "void"}, Outcome.ANSWERED, ["This question does not count."]),
    ],
)
def test_marks_by_hand_and_corrections_are_told(told: dict[str, str], found: Outcome, sentences: list[str]) -> None:
    body = {"question": {"type": "E", "marks": "4.00"}, "essay_text": "words"}
    question = ReviewQuestion.model_validate(body | told)
    assert outcome(question) is found
    assert decision(question) == sentences
    shown = text_of(review.question_rows(question, 40))
    assert all(sentence in shown for sentence in sentences)
