import math
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lms_tui.attempt.deadline import Deadline
from lms_tui.attempt.session import Session
from lms_tui.attempt.values import Answer, Contact, Goal, Item, Phase, Section
from lms_tui.content.model import MathsStyle
from lms_tui.views import ending, time_left
from lms_tui.views import runner as present
from lms_tui.views.answers import form_of, why_read_only
from lms_tui.views.format import spoken
from lms_tui.views.glyphs import ASCII, UNICODE
from lms_tui.views.pace import against_plan, pace, seconds_of
from lms_tui.views.question_layout import Passage, lay_out, prefix
from lms_tui.views.runner import Filter, Mark, Severity
from lms_tui.wire.attempt_states import AttemptState
from lms_tui.wire.exams import Exam, ExamSection
from tests.fakes.attempts import PASSAGE, question


def item(number: int, *selected: int, review: bool | None = None, **facts: object) -> Item:
    answer = Answer(selected=selected, review=review)
    return Item(question_id=number, number=number, kind="R", options=(1, 2), answer=answer, **facts)  # type: ignore[arg-type]  # tests name the fields


def session(*items: Item, **facts: object) -> Session:
    return Session(attempt_id=1, title="Trial", items=items or (item(1),), **facts)  # type: ignore[arg-type]  # tests name the fields


@pytest.mark.parametrize(
    ("left", "text"),
    [
        (None, "no limit"),
        (0, "00:00:00"),
        (59.99, "00:00:59"),
        (6127, "01:42:07"),
        (20 * 86400 + 5, "480:00:05"),
        (-3, "00:00:00"),
    ],
)
def test_the_clock_never_shows_too_much_time_and_counts_any_hours(left: float | None, text: str) -> None:
    assert time_left.clock_text(left) == text


@given(st.floats(0, 1e5), st.floats(0.4, 0.95), st.floats(0, 0.39))
def test_a_clock_that_is_drawn_late_skips_no_second_and_shows_none_twice(
    left: float, fraction: float, late: float
) -> None:
    wait = time_left.first_tick(left, fraction)
    assert 0 <= wait < 1
    first, second = left - wait, left - wait - 1 - late
    assert math.floor(first) - math.floor(second) == 1


def test_exams_that_end_together_draw_their_clocks_at_the_moments_that_were_chosen() -> None:
    assert time_left.first_tick(600.0, 0.75) == pytest.approx(0.25)
    assert time_left.first_tick(600.0, 0.5) == pytest.approx(0.5)
    assert time_left.first_tick(None, 0.75) == pytest.approx(0.75)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (6127, "1 hour 42 minutes"),
        (250, "4 minutes 10 seconds"),
        (60, "1 minute"),
        (1, "1 second"),
        (0.4, "0 seconds"),
        (90_000, "1 day 1 hour"),
    ],
)
def test_a_time_has_its_two_largest_units(seconds: float, words: str) -> None:
    assert spoken(seconds) == words


@pytest.mark.parametrize(
    ("before", "left", "words"),
    [
        (601, 600, "10 minutes left."),
        (600, 599, ""),
        (301.5, 299.5, "5 minutes left."),
        (61, 60, "1 minute left."),
        (4000, 50, "1 minute left."),
        (5, 0, ""),
        (None, 30, ""),
        (30, None, ""),
    ],
)
def test_a_threshold_is_announced_once_when_it_is_passed(before: float | None, left: float | None, words: str) -> None:
    assert time_left.warning(before, left) == words


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (1000.0, 1300.0, "You have been given 5 minutes more."),
        (1300.0, 1000.0, "The server corrected the time: 5 minutes less."),
        (1000.0, 1000.4, ""),
        (1000.0, 997.5, ""),
        (1000.0, 996.0, "The server corrected the time: 4 seconds less."),
        (None, 1000.0, ""),
        (1000.0, None, ""),
    ],
)
def test_a_moved_end_is_announced_in_minutes(before: float | None, after: float | None, words: str) -> None:
    assert time_left.change_of_time(Deadline(before), Deadline(after)) == words


def test_an_end_that_moves_within_what_a_slow_reply_left_open_is_not_announced() -> None:
    slow, exact = Deadline(1000.0, error=10.0), Deadline(991.0, error=0.02)
    assert time_left.change_of_time(slow, exact) == ""
    assert time_left.change_of_time(exact, Deadline(1291.0, error=5.0)) == "You have been given 5 minutes more."
    assert time_left.change_of_time(slow, Deadline(700.0)) == "The server corrected the time: 5 minutes less."


@pytest.mark.parametrize(("before", "after"), [(None, 400.0), (400.0, 430.0), (430.0, None)])
def test_a_stopped_clock_announces_no_time(before: float | None, after: float | None) -> None:
    """Its end moves with each heartbeat, and the time left stays the same."""
    moved = (Deadline(1000.0, stopped_at=before), Deadline(1030.0, stopped_at=after))
    assert time_left.change_of_time(*moved) == ""


@pytest.mark.parametrize(
    ("known", "mark"),
    [
        (item(1), Mark.UNSEEN),
        (item(1, review=False), Mark.SEEN),
        (item(1, 2, review=False), Mark.ANSWERED),
        (item(1, review=True), Mark.MARKED),
        (item(1, 2, review=True), Mark.MARKED_ANSWERED),
        (item(1, 2), Mark.ANSWERED),
    ],
)
def test_the_palette_distinguishes_five_states(known: Item, mark: Mark) -> None:
    assert present.mark_of(known) is mark


def test_every_state_has_a_sign_of_its_own_in_both_sets() -> None:
    for glyphs in (UNICODE, ASCII):
        assert len({getattr(glyphs, mark.value) for mark in Mark}) == len(Mark)


def test_the_ascii_set_is_ascii() -> None:
    for name in ASCII.__dataclass_fields__:
        assert "".join(getattr(ASCII, name)).isascii()


def test_the_counts_agree_with_the_session() -> None:
    trial = session(
        item(1, 1, review=False, latest=3, here=3, there=3),
        item(2, review=True, latest=4, here=4, there=0),
        item(3, review=False, latest=5, here=5, visit_only=True),
        item(4),
        item(5, 2, review=True, latest=6, here=0, refused="late"),
    )
    counts = present.tally(trial)
    assert (counts.total, counts.answered, counts.marked, counts.seen) == (5, trial.answered, trial.marked, 4)
    assert (counts.here, counts.there) == (trial.saved_here, trial.saved_there)
    assert (counts.unsent, counts.refused) == (1, 1)


@pytest.mark.parametrize(
    ("facts", "silence", "sign", "severity"),
    [
        ({}, 5.0, UNICODE.well, Severity.GOOD),
        ({"contact": Contact(trouble="No connection.")}, 5.0, UNICODE.offline, Severity.WARNING),
        ({"contact": Contact(sign_in_needed=True)}, 5.0, UNICODE.offline, Severity.WARNING),
        ({}, 200.0, UNICODE.offline, Severity.WARNING),
        ({"journal_trouble": "The disk is full."}, 5.0, UNICODE.broken, Severity.BAD),
    ],
)
def test_the_save_light_has_a_sign_for_each_problem(
    facts: dict[str, object], silence: float, sign: str, severity: Severity
) -> None:
    trial = session(item(1, 1, review=False, latest=1, here=1, there=1), **facts)
    shown = present.light(trial, present.tally(trial), silence, UNICODE)
    assert (shown.sign, shown.severity) == (sign, severity)
    assert shown.text == "saved 1 · sent 1"


def test_an_answer_being_sent_is_neither_good_nor_a_problem() -> None:
    trial = session(item(1, 1, review=False, latest=1, here=1, there=0))
    assert present.light(trial, present.tally(trial), 5.0, UNICODE).sign == UNICODE.sending


def test_only_a_reply_that_is_late_is_told() -> None:
    trial = session(item(1, 1, review=False, latest=1, here=1, there=1))
    assert present.notice(trial, present.tally(trial), 89.0) is None
    late = present.notice(trial, present.tally(trial), 125.0)
    assert late is not None
    assert late.text.startswith("Offline for 2 minutes.")


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"phase": Phase.CLOSED, "reason": "Ended on another device."}, "Ended on another device."),
        ({"phase": Phase.TIME_OVER}, "Time is over: sending 1 answer. Answers cannot be changed any more."),
        ({"phase": Phase.TIME_OVER, "goal": Goal.SECTION}, "Section time is over:"),
        ({"phase": Phase.ENDING}, "Ending the exam:"),
        (
            {"phase": Phase.TIME_OVER, "contact": Contact(trouble="x")},
            "Time is over. Offline: 1 answer saved here. Trying again.",
        ),
        ({"journal_trouble": "The disk is full."}, "Not saved on this computer. The disk is full."),
        (
            {"contact": Contact(trouble="No connection."), "deadline": Deadline(2000.0, estimated=True)},
            "Offline. The time left is an estimate. Your answers are saved here.",
        ),
        ({"journal_note": "The journal was removed."}, "The journal was removed."),
        ({"lost_there": 1}, "The server was restored and had lost 1 answer. It is sent again."),
        ({"lost_there": 180}, "The server was restored and had lost 180 answers. They are sent again."),
        ({"contact": Contact(sign_in_needed=True)}, "Sign in again to send your answers: press ctrl+r."),
        ({"contact": Contact(trouble="x")}, "Offline for 40 seconds. Continue:"),
    ],
)
def test_a_notice_says_what_happened_and_what_to_do(facts: dict[str, object], words: str) -> None:
    trial = session(item(1, 1, review=False, latest=1, here=1, there=0), **facts)
    shown = present.notice(trial, present.tally(trial), 45.0)
    assert shown is not None
    assert words in shown.text
    assert len(shown.short) <= 38
    assert len(shown.text) <= 78


def test_without_problems_there_is_no_notice() -> None:
    trial = session(item(1, 1, review=False, latest=1, here=1, there=1))
    assert present.notice(trial, present.tally(trial), 1.0) is None


def test_the_top_line_names_the_section_or_the_subject() -> None:
    parts = (Section(1, "Physics"), Section(2, "Chemistry"))
    grouped = session(item(1, section=0), item(2, section=1, subject="Acids"), sections=parts, current=1)
    assert present.group_name(grouped) == "Chemistry"
    assert present.group_name(session(item(1, subject="Algebra"), item(2, subject="Logic"), current=1)) == "Logic"
    assert present.group_name(session(item(1), item(2), current=1)) == ""
    long = session(item(1, subject="Reading comprehension of unseen passages"), item(2))
    assert present.group_name(long) == "Reading comprehension of un…"


def test_tabs_show_which_section_is_done_and_which_is_locked() -> None:
    parts = (
        Section(1, "Physics", AttemptState.COMPLETED, timed=True),
        Section(2, "Chemistry", AttemptState.RUNNING, timed=True),
        Section(3, "Maths", AttemptState.NOT_STARTED, timed=True),
    )
    shown = present.tabs(session(item(1, section=1), sections=parts))
    assert [(tab.text, tab.current, tab.locked) for tab in shown] == [
        ("Physics (ended)", False, True),
        ("Chemistry", True, False),
        ("Maths (locked)", False, True),
    ]
    assert present.tabs(session(item(1))) == ()


def test_answers_missing_on_the_server_are_listed_by_question() -> None:
    trial = session(
        item(1, 1, review=False, latest=2, there=2),
        item(2, 1, review=False, latest=3, refused="The exam has already ended."),
        item(3, 1, review=False, latest=4),
        item(4, review=False, latest=5, visit_only=True),
    )
    assert ending.not_accepted(trial) == ("Question 2: The exam has already ended.", "Question 3: not sent.")


@pytest.mark.parametrize("kind", ["G", "M", "X", ""])
def test_an_unsupported_type_has_a_message(kind: str) -> None:
    known = Item(question_id=1, number=1, kind=kind)
    assert "An earlier answer is kept." in why_read_only(known, form_of(kind, question(1).question))


def test_filters_cycle() -> None:
    assert [each.following() for each in Filter] == [Filter.UNANSWERED, Filter.MARKED, Filter.UNSEEN, Filter.ALL]


# Sheets.


def laid(
    asked: object, *, width: int = 60, height: int = 30, passage: Passage = Passage.FOLDED, **facts: object
) -> str:
    known = question(1, **asked) if isinstance(asked, dict) else question(1, str(asked))
    body = known.question
    place = Item(
        question_id=1,
        number=1,
        kind=body.type,
        options=tuple(option.id for option in body.answers),
        **facts,  # type: ignore[arg-type]  # tests name the fields
    )
    found = lay_out(place, body, width, height, MathsStyle.TWO_DIMENSIONAL, passage)
    return "\n".join(row.line.text for row in found.rows)


def test_options_have_blank_rows_between_them_if_they_fit() -> None:
    known = question(1, "<p>Q</p>", ["a", "b", "c"])
    place = Item(question_id=1, number=1, kind="R", options=(11, 12, 13))
    roomy = lay_out(place, known.question, 40, 20, MathsStyle.LINE, Passage.FOLDED)
    tight = lay_out(place, known.question, 40, 6, MathsStyle.LINE, Passage.FOLDED)
    assert (len(roomy.rows), len(tight.rows)) == (7, 5)
    assert [rows.start for rows in tight.options] == [2, 3, 4]


def test_a_passage_without_room_is_folded_into_one_line() -> None:
    asked = {"text": "<p>Q</p>", "direction": PASSAGE}
    assert "[r] Passage: Read the passage" in laid(asked, height=9)
    assert "sculptures" in laid(asked, height=9, passage=Passage.UNFOLDED)
    assert "sculptures" in laid(asked, height=40)
    assert "sculptures" not in laid(asked, height=40, passage=Passage.BESIDE)


def test_a_passage_that_does_not_fit_fills_the_room_there_is() -> None:
    asked = {"text": "<p>Q</p>", "options": ["x", "y"], "direction": PASSAGE}
    whole = laid(asked, height=40).split("\n").index("─" * 60)
    for height in range(8, 5 + whole):
        rows = laid(asked, height=height).split("\n")
        rule = rows.index("─" * 60)
        assert len(rows) <= height
        if height >= 9:
            assert len(rows) == height
            left = whole - rule + 1
            assert rows[rule - 1] == f"[r] {left} more line{'' if left == 1 else 's'} of the passage"


def test_an_unsupported_type_shows_its_answer_and_no_options() -> None:
    text = laid({"text": "<p>Q</p>", "kind": "X"}, answer=Answer(short_text="forty-two"))
    assert "Your answer:" in text
    assert "forty-two" in text
    assert "Questions of type X" in " ".join(text.split())


def test_a_choice_outside_the_options_is_reported() -> None:
    text = laid("<p>Q</p>", answer=Answer(selected=(99,)))
    assert "none of these options" in " ".join(text.split())


def test_an_option_is_readable_without_colour() -> None:
    known = {"kind": "R", "glyphs": UNICODE}
    assert prefix(0, chosen=False, struck=False, cursor=False, **known) == "  A ( ) "  # type: ignore[arg-type]  # named once
    assert prefix(1, chosen=True, struck=False, cursor=True, **known) == "▸ B (●) "  # type: ignore[arg-type]  # named once
    assert prefix(2, chosen=False, struck=True, cursor=False, **known) == "  C  ✗  "  # type: ignore[arg-type]  # named once
    assert prefix(0, kind="C", chosen=True, struck=False, cursor=False, glyphs=ASCII) == "  A [x] "


def test_an_untimed_attempt_has_no_time_to_be_announced() -> None:
    assert Deadline().left(5.0) is None
    assert time_left.clock_severity(None) is Severity.PLAIN


@pytest.mark.parametrize(
    ("right", "wrong", "varies", "words"),
    [
        ("4.00", "1.00", False, "+4 −1"),
        ("1", "0.25", False, "+1 −0.25"),
        ("2", "-0.50", False, "+2 −0.5"),
        ("10", "0.00", False, "+10"),
        (None, "1", False, ""),
        ("4", "1", True, ""),
    ],
)
def test_marks_show_the_values_of_correct_and_incorrect_answers(
    right: str | None, wrong: str, *, varies: bool, words: str
) -> None:
    exam = Exam.model_validate(
        {"mark_per_question": right, "negative_marks": wrong, "variable_mark_per_question": varies}
    )
    assert present.marks(exam) == words


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({}, ""),
        ({"refused": "Too late."}, "not accepted: Too late."),
        ({"other_answer": Answer(selected=(2,))}, "your answer here counts. Your other device gave B"),
        ({"other_answer": Answer()}, "your answer here counts. Your other device gave no answer"),
        ({"other_answer": Answer(short_text="42")}, "your answer here counts. Your other device gave 42"),
        ({"other_answer": Answer(selected=(2,)), "latest": 3}, "not sent yet. Your other device gave B"),
        (
            {"other_answer": Answer(selected=(2,)), "theirs": True},
            "the answer from your other device counts. Here you gave B",
        ),
    ],
)
def test_the_lower_border_shows_the_state_of_the_answer(facts: dict[str, object], words: str) -> None:
    assert present.note(item(1, 1, **facts)) == words  # type: ignore[arg-type]  # tests name the fields


@pytest.mark.parametrize(
    ("subjects", "headed"),
    [
        ("AAAAABBBBB", True),
        ("AAAAABBBBBA", False),
        ("ABCDE", False),
        ("AAAA", False),
        ("AAAAA", True),
    ],
)
def test_subjects_are_headings_only_if_their_questions_are_consecutive(subjects: str, headed: bool) -> None:
    items = [item(number, subject=subject) for number, subject in enumerate(subjects, 1)]
    assert present.headed(session(*items)) is headed


def test_sections_are_always_headings() -> None:
    assert present.headed(session(item(1, section=0), sections=(Section(1, "Physics"),)))


def test_the_end_dialog_of_a_section_counts_its_questions() -> None:
    sections = (
        Section(1, "One", AttemptState.COMPLETED, timed=True),
        Section(2, "Two", AttemptState.RUNNING, timed=True),
    )
    items = [item(1, section=0), item(2, 1, section=1), *(item(number, section=1) for number in range(3, 12))]
    trial = session(*items, sections=sections)
    assert ending.end_lines(trial, Goal.SECTION)[:2] == ((1, "answered"), (9, "unanswered: 3, 4, 5, 6, 7, 8 …"))
    assert ending.end_lines(trial, Goal.ATTEMPT)[1] == (10, "unanswered: 1, 3, 4, 5, 6, 7 …")


def test_the_end_dialog_of_the_exam_counts_sections_that_were_never_opened() -> None:
    sections = (
        Section(1, "One", AttemptState.RUNNING, timed=True),
        Section(2, "Two", AttemptState.NOT_STARTED, timed=True),
        Section(3, "Three", AttemptState.NOT_STARTED, timed=True),
    )
    items = [item(1, 1, section=0, review=False), item(2, section=0, review=True)]
    trial = session(*items, sections=sections, total=9)
    assert ending.end_lines(trial, Goal.ATTEMPT) == (
        (1, "answered"),
        (8, "unanswered: 2, 3, 4, 5, 6, 7 …"),
        (1, "marked for review: 2"),
        (0, "not yet sent"),
        (2, "sections never opened: Two, Three"),
    )
    assert ending.end_lines(trial, Goal.SECTION)[1:] == (
        (1, "unanswered: 2"),
        (1, "marked for review: 2"),
        (0, "not yet sent"),
    )


def test_a_section_that_is_always_open_is_not_seen_until_one_of_its_questions_is() -> None:
    sections = (Section(1, "One"), Section(2, "Two"))
    items = [item(1, section=0, review=False), item(2, section=1)]
    assert (1, "section not seen: Two") in ending.end_lines(session(*items, sections=sections))
    items[1] = item(2, section=1, review=False)
    assert not any("section" in label for _, label in ending.end_lines(session(*items, sections=sections)))


# Pace.


def test_the_pace_compares_time_used_and_questions_done() -> None:
    trial = session(item(1, 1), item(2), item(3), item(4))
    found = pace(trial, 3600, 1800, 47)
    assert found is not None
    whole = "time 50 % · answered 25 % · 15:00 behind · 10:00 for each of 3 left · this one 0:45 of 15:00"
    assert found.text(92) == whole
    assert found.text(91) == "15:00 behind · this one 0:45 of 15:00 · 10:00 each"
    assert found.text(38) == "15:00 behind · this one 0:45 of 15:00"
    assert (found.used, found.done, found.severity) == (0.5, 0.25, Severity.WARNING)


def test_the_pace_of_a_locked_section_uses_its_clock_and_questions() -> None:
    sections = (
        Section(1, "One", AttemptState.COMPLETED, timed=True),
        Section(2, "Two", AttemptState.RUNNING, timed=True),
    )
    trial = session(item(1, 1, section=0), item(2, 1, section=1), item(3, section=1), sections=sections)
    parts = tuple(ExamSection(order=at, duration=timedelta(minutes=10 * at)) for at in (1, 2))
    exam = Exam(duration=timedelta(hours=1), sections=parts)
    assert seconds_of(exam, trial) == 1200
    found = pace(trial, 1200, 600, 0)
    assert found is not None
    assert found.text(120).startswith("time 50 % · answered 50 % · on plan · 10:00 for the last one")


@pytest.mark.parametrize(
    ("ahead", "words"), [(0, "on plan"), (59, "on plan"), (-59, "on plan"), (95, "1:30 ahead"), (-269, "4:00 behind")]
)
def test_the_plan_says_how_far_ahead_or_behind(ahead: float, words: str) -> None:
    assert against_plan(ahead, 60) == words


def test_without_a_clock_there_is_no_pace() -> None:
    assert pace(session(), seconds_of(Exam(), session()), None, 0) is None
