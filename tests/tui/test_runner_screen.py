from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from lms_tui.attempt.events import Foreign
from lms_tui.attempt.ports import Entry, JournalError, Visit
from lms_tui.attempt.values import Answer, Phase
from lms_tui.common.settings import Appearance, Runner
from lms_tui.tui import dialogs
from lms_tui.tui.screens.runner.exam_widgets import ExamWidgets
from lms_tui.tui.widgets.question import QuestionView
from lms_tui.wire.attempts import Attempt, AttemptNotice, ToldAttempt
from lms_tui.wire.errors import Forbidden, Offline, SignInNeeded
from lms_tui.wire.notices import NoticeMark
from tests.fakes.attempts import PASSAGE, AttemptInMemory, a_paper, an_exam, question, two_sections
from tests.fakes.sitting import settings, sitting

# Answering.


async def test_one_letter_or_digit_chooses_and_it_is_durable_before_it_shows_as_saved() -> None:
    async with sitting(AttemptInMemory(an_exam(3))) as sit:
        await sit.press("b")
        assert sit.chosen(1) == (12,)
        assert "▸ B (●) 3" in sit.text()
        assert "saved 1 · sent 0" in sit.text()
        await sit.press("4")
        assert sit.chosen(1) == (14,)
        await sit.work()
        assert "saved 1 · sent 1" in sit.text()


async def test_a_question_with_several_answers_toggles_and_shows_boxes() -> None:
    async with sitting(AttemptInMemory([question(1, "<p>Q</p>", ["p", "q", "r"], kind="C")])) as sit:
        await sit.press("a", "c", "a")
        assert sit.chosen(1) == (13,)
        assert "several answers" in sit.text()
        assert "C [✓] r" in sit.text()


async def test_arrows_move_enter_chooses_and_space_clears() -> None:
    async with sitting(AttemptInMemory(an_exam(2))) as sit:
        await sit.press("down", "down", "enter")
        assert sit.chosen(1) == (12,)
        await sit.press("enter")
        assert sit.chosen(1) == (12,)
        await sit.press("space")
        assert sit.chosen(1) == ()
        await sit.press("up", "up", "up", "space")
        assert sit.chosen(1) == (11,)


async def test_a_key_for_a_missing_option_changes_nothing() -> None:
    async with sitting(AttemptInMemory(an_exam(2))) as sit:
        await sit.press("e", "9", "enter", "space")
        assert sit.chosen(1) == ()


async def test_a_strike_is_drawn_with_sign_and_line_and_never_sent() -> None:
    async with sitting(AttemptInMemory(an_exam(2))) as sit:
        await sit.press("x")
        assert "Highlight an option" in sit.text()
        await sit.press("down", "x")
        assert "A  ✗" in sit.text()
        await sit.work()
        assert sit.service.calls["save"] == 0
        await sit.press("x")
        assert "A  ✗" not in sit.text()


async def test_a_chosen_option_is_not_struck_out_behind_its_sign() -> None:
    async with sitting(AttemptInMemory(an_exam(2))) as sit:
        await sit.press("b", "x")
        assert "A chosen option cannot be struck out." in sit.text()
        await sit.press("a")
        assert "✗" not in sit.text()


async def test_the_key_of_the_passage_says_that_a_question_has_none() -> None:
    async with sitting(AttemptInMemory(an_exam(2))) as sit:
        await sit.press("r")
        assert "This question has no passage." in sit.text()


async def test_the_key_of_the_passage_says_where_a_passage_is_that_it_cannot_fold() -> None:
    asked = [
        question(1, "<p>Why?</p>", ["x", "y"], direction="<p>Short.</p>"),
        question(2, "<p>When?</p>", ["x", "y"], direction=PASSAGE),
    ]
    async with sitting(AttemptInMemory(asked), size=(60, 18)) as sit:
        await sit.press("r")
        assert "The passage is shown in full." in sit.text()
        await sit.press("n")
        assert "[r] 5 more lines of the passage" in sit.text()
    async with sitting(AttemptInMemory(asked[1:])) as sit:
        await sit.press("r")
        assert "The passage is beside the question." in sit.text()


async def test_clear_undo_and_mark_work_by_key_and_show() -> None:
    async with sitting(AttemptInMemory(an_exam(2))) as sit:
        await sit.press("a", "backspace")
        assert sit.chosen(1) == ()
        await sit.press("u")
        assert sit.chosen(1) == (11,)
        await sit.press("m")
        assert "◆ marked" in sit.text()
        assert "1◈" in sit.text()


@pytest.mark.parametrize("kind", ["F", "G", "M", "Q"])
@pytest.mark.case(27)
async def test_an_unsupported_type_is_shown_and_never_changed(kind: str) -> None:
    asked = question(1, "<p>Explain.</p>", ["x", "y"], kind=kind, short_text="sent before", selected_answers=(11, 12))
    async with sitting(AttemptInMemory([asked, *an_exam(3)[1:]])) as sit:
        await sit.press("a", "2", "down", "enter", "space", "x")
        await sit.work()
        assert sit.chosen(1) == (11, 12)
        assert "sent before" in sit.text()
        assert "An earlier answer is kept." in " ".join(sit.text().replace("│", " ").split())
        assert sit.service.calls["save"] == 0


@pytest.mark.case(27)
async def test_two_choices_of_a_single_choice_question_are_shown_as_sent() -> None:
    async with sitting(AttemptInMemory([question(1, "<p>Q</p>", ["x", "y"], selected_answers=(11, 12))])) as sit:
        assert "A (●) x" in sit.text()
        assert "B (●) y" in sit.text()


async def test_text_of_a_server_is_never_markup() -> None:
    text = "<p>a [/b] b [@click=app.bell]go[/] &#27;[2J</p>"
    async with sitting(AttemptInMemory([question(1, text, ["[red]one", "x [/b] y"])], title="T [/i] t")) as sit:
        for literal in ("a [/b] b [@click=app.bell]go[/]", "[red]one", "x [/b] y", "T [/i] t"):
            assert literal in sit.text()
        assert "\x1b" not in sit.text()


# Moving.


async def test_next_previous_and_their_ends() -> None:
    async with sitting(AttemptInMemory(an_exam(3))) as sit:
        await sit.press("p")
        assert "Question 1 of 3" in sit.text()
        await sit.press("n", "right", "n")
        assert "Question 3 of 3" in sit.text()
        await sit.press("left")
        assert "Question 2 of 3" in sit.text()


async def test_a_number_after_g_goes_to_a_question_and_chooses_nothing() -> None:
    async with sitting(AttemptInMemory(an_exam(30))) as sit:
        await sit.press("g", "2", "7")
        assert "then enter: 27" in sit.text()
        await sit.press("backspace", "5", "enter")
        assert "Question 25 of 30" in sit.text()
        assert sit.keeper.session.answered == 0
        await sit.press("g", "9", "9", "enter")
        assert "There is no question 99." in sit.text()
        await sit.press("g", "b", "b")
        assert sit.chosen(25) == (252,)


async def test_a_click_on_another_question_ends_the_typing_of_a_number() -> None:
    async with sitting(AttemptInMemory(an_exam(30))) as sit:
        await sit.press("g", "2")
        await sit.click(" 7·")
        assert "Question 7 of 30" in sit.text()
        assert "Go to question" not in sit.text()
        await sit.press("b")
        assert len(sit.chosen(7)) == 1


async def test_two_key_sequences_go_to_the_next_unanswered_and_marked_question() -> None:
    async with sitting(AttemptInMemory(an_exam(6))) as sit:
        await sit.press("a", "n", "a", "n", "n", "m", "p", "p")
        await sit.press("right_square_bracket", "u")
        assert "Question 3 of 6" in sit.text()
        await sit.press("right_square_bracket", "m")
        assert "Question 4 of 6" in sit.text()
        await sit.press("left_square_bracket", "u")
        assert "Question 3 of 6" in sit.text()


async def test_the_palette_filters_and_a_click_opens_a_question() -> None:
    async with sitting(AttemptInMemory(an_exam(9))) as sit:
        await sit.press("a", "n", "n", "m", "f")
        assert "Only unanswered" in sit.text()
        assert "1●" not in sit.text()
        await sit.press("f")
        assert "Only marked" in sit.text()
        await sit.press("f")
        await sit.pilot.click(offset=sit.place_of("7·"))
        await sit.pilot.pause()
        assert "Question 7 of 9" in sit.text()


async def test_a_click_on_an_option_chooses_it() -> None:
    async with sitting(AttemptInMemory(an_exam(2))) as sit:
        await sit.pilot.click(offset=sit.place_of("C ( )"))
        await sit.pilot.pause()
        assert sit.chosen(1) == (13,)


async def test_the_overview_goes_to_a_question_in_a_narrow_window() -> None:
    async with sitting(AttemptInMemory(an_exam(40)), size=(80, 24)) as sit:
        await sit.press("o")
        assert "0 of 40 answered" in sit.text()
        await sit.press("right", "right", "enter")
        assert "Question 3 of 40" in sit.text()
        await sit.press("o", "down", "escape")
        assert "Question 3 of 40" in sit.text()


# Windows.


@pytest.mark.case(30)
async def test_at_40_by_12_question_choice_time_left_and_save_state_are_all_visible() -> None:
    service = AttemptInMemory([question(1, "<p>How many?</p>", ["one", "two", "three", "four"]), *an_exam(9)[1:]])
    async with sitting(service, size=(40, 12)) as sit:
        await sit.press("b")
        for shown in ("How many?", "B (●) two", "03:00:00", "saved 1 · sent 0", "Question 1 of 9"):
            assert shown in sit.text()


async def test_at_40_by_12_the_choice_is_named_even_if_its_row_is_hidden() -> None:
    long = "<p>" + "A long question goes on and on. " * 20 + "</p>"
    async with sitting(AttemptInMemory([question(1, long, ["one", "two"])]), size=(40, 12)) as sit:
        await sit.press("b")
        assert "chosen B: two" in sit.text()
        assert "more" in sit.text()
        await sit.press(*["pagedown"] * 6)
        assert "B (●) two" in sit.text()
        await sit.press("pageup")
        assert "above" in sit.text()


@pytest.mark.case(30)
async def test_below_the_smallest_window_keys_still_answer() -> None:
    async with sitting(AttemptInMemory(an_exam(3)), size=(39, 11)) as sit:
        assert "window is too small" in " ".join(sit.text().split())
        await sit.press("c", "n", "a")
        assert (sit.chosen(1), sit.chosen(2)) == ((13,), (21,))
        assert sit.keeper.session.saved_here == 2


@pytest.mark.case(30)
async def test_any_resize_repaints_the_exam() -> None:
    async with sitting(AttemptInMemory(a_paper())) as sit:
        for size in ((1, 1), (20, 5), (40, 12), (60, 17), (99, 30), (112, 18), (200, 60), (3, 40), (120, 40)):
            await sit.pilot.resize_terminal(*size)
            await sit.press("right")
        await sit.press("escape", "g", "1", "enter", "b")
        assert "Question 1 of 6" in sit.text()
        assert "B (●)" in sit.text()
        assert "1●" in sit.text()


@pytest.mark.case(30)
async def test_a_session_painted_before_the_event_of_a_new_size_is_arranged_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    arrange = ExamWidgets.on_resize

    async with sitting(AttemptInMemory(an_exam(3))) as sit:

        def painted_first(widgets: ExamWidgets) -> None:
            widgets.paint(sit.keeper.session)
            arrange(widgets)

        monkeypatch.setattr(ExamWidgets, "on_resize", painted_first)
        await sit.pilot.resize_terminal(30, 10)
        assert "window is too small" in " ".join(sit.text().split())
        await sit.pilot.resize_terminal(80, 24)
        assert "too small" not in sit.text()
        assert "Question 1 of 3" in sit.text()


async def test_a_passage_is_beside_the_question_in_a_wide_window() -> None:
    asked = [question(1, "<p>Why?</p>", ["x", "y"], direction=PASSAGE), *an_exam(2)[1:]]
    async with sitting(AttemptInMemory(asked)) as sit:
        row = next(row for row in sit.rows() if "Why?" in row)
        assert "Read the passage" in row
        await sit.press("n")
        assert "Read the passage" not in sit.text()


async def test_a_passage_is_folded_in_a_narrow_window_and_one_key_unfolds_it() -> None:
    asked = [question(1, "<p>Why?</p>", ["x", "y"], direction=PASSAGE)]
    async with sitting(AttemptInMemory(asked), size=(60, 18)) as sit:
        assert "[r] 5 more lines of the passage" in sit.text()
        assert "Why?" in sit.text()
        await sit.press("r")
        assert "stepwell" in sit.text()
        await sit.press("b")
        assert sit.chosen(1) == (12,)
        await sit.press("r")
        assert "Why?" in sit.text()


@pytest.mark.parametrize("size", [(40, 12), (80, 24)])
async def test_a_click_on_the_line_for_hidden_rows_of_the_passage_unfolds_it(size: tuple[int, int]) -> None:
    passage = "<p>" + "A sentence of the passage. " * 60 + "</p><p>Its last words.</p>"
    async with sitting(
        AttemptInMemory([question(1, "<p>Why?</p>", ["This", "That"], direction=passage)]), size=size
    ) as sit:
        await sit.click("[r] ")
        assert "[r] " not in sit.text()
        await sit.press(*["pagedown"] * 20)
        assert "Its last words." in sit.text()
        assert sit.chosen(1) == ()


async def test_a_wide_table_scrolls_sideways_inside_the_box() -> None:
    cells = "".join(f"<td>column{n:02}</td>" for n in range(12))
    asked = [question(1, f"<pre>{'0123456789' * 12}END</pre><table><tr>{cells}</tr></table>", ["x", "y"])]
    async with sitting(AttemptInMemory(asked), size=(80, 24)) as sit:
        assert "END" not in sit.text()
        await sit.press(*["greater_than_sign"] * 12)
        assert "END" in sit.text()
        assert "A ( ) x" in sit.text()
        await sit.press(*["less_than_sign"] * 12)
        assert "END" not in sit.text()


async def test_formulas_are_shown_in_two_dimensions_in_a_line_as_their_source_and_in_words() -> None:
    asked = [question(1, r"<p>Simplify $\frac{a+b}{c}$ now</p>", ["x", "y"])]
    async with sitting(AttemptInMemory(asked)) as sit:
        two_dimensional = sit.text()
        assert "a + b" in two_dimensional
        await sit.press("v")
        assert "in one line" in sit.text()
        assert sit.text() != two_dimensional
        await sit.press("v")
        assert r"\frac{a+b}{c}" in sit.text()
        await sit.press("v")
        assert "in words" in sit.text()
        assert "over" in sit.text()
        await sit.press("v")
        assert "a + b" in sit.text()


async def test_without_symbols_everything_but_the_content_is_ascii() -> None:
    chosen = settings(appearance=Appearance(ascii=True))
    async with sitting(AttemptInMemory(an_exam(3), title="Trial"), chosen=chosen) as sit:
        await sit.press("a", "n", "m")
        assert sit.text().isascii()


# Time.


async def test_a_hidden_clock_reappears_at_a_threshold() -> None:
    async with sitting(AttemptInMemory(an_exam(3), duration=timedelta(minutes=11))) as sit:
        assert "00:11:00" in sit.text()
        await sit.press("h")
        assert "hidden" in sit.text()
        await sit.jump(59)
        assert "10 minutes left." not in sit.text()
        await sit.jump(2)
        assert "10 minutes left." in sit.text()
        assert "00:09:59" in sit.text()
        await sit.pass_time(7)
        assert "10 minutes left." not in sit.text()


async def test_the_clock_may_be_hidden_from_the_start() -> None:
    async with sitting(AttemptInMemory(an_exam(1)), chosen=settings(runner=Runner(show_clock=False))) as sit:
        assert "03:00:00" not in sit.text()
        await sit.press("t")
        assert "3 hours left." in sit.text()


async def test_extra_time_is_announced_once() -> None:
    service = AttemptInMemory(an_exam(2), duration=timedelta(minutes=30))
    async with sitting(service) as sit:
        service.remaining = timedelta(minutes=35, seconds=1)
        await sit.jump(61)
        await sit.work()
        assert "You have been given 5 minutes 1 second more." in sit.text()
        assert "00:34:00 +5 min" in sit.text()
        await sit.press("t")
        assert "34 minutes left." in sit.text()
        await sit.pass_time(20)
        assert "You have been given 5 minutes 1 second more." in sit.text()
        await sit.pass_time(10)
        assert "You have been given" not in sit.text()
        assert "+5 min" in sit.text()


async def test_the_end_of_the_exam_takes_the_place_of_extra_time() -> None:
    service = AttemptInMemory(an_exam(2), duration=timedelta(minutes=30))
    async with sitting(service) as sit:
        service.remaining = timedelta(minutes=35, seconds=1)
        await sit.jump(61)
        await sit.work()
        await sit.press("a", "ctrl+e", "tab", "enter")
        assert sit.keeper.session.phase is Phase.ENDING
        assert "Ending the exam" in sit.text()


class _Telling(AttemptInMemory):
    """A service that tells the student something with its next reply."""

    words: tuple[str, ...] = ()

    async def start(self, attempt_id: int) -> Attempt:
        fields = dict(await super().start(attempt_id))
        return ToldAttempt(**fields).model_copy(update={"notices": NoticeMark(len(self.words))})

    async def notices(self, attempt_id: int) -> list[AttemptNotice]:
        return [AttemptNotice(id=number, kind="message", text=text) for number, text in enumerate(self.words, 1)]

    async def notices_seen(self, attempt_id: int, notice_id: int) -> None:
        pass


@pytest.mark.parametrize("size", [(40, 12), (80, 24), (120, 40)])
async def test_newer_words_of_the_institute_take_the_place_of_extra_time(size: tuple[int, int]) -> None:
    service = _Telling(an_exam(2), duration=timedelta(minutes=30))
    async with sitting(service, size=size) as sit:
        service.remaining = timedelta(minutes=35, seconds=1)
        await sit.jump(61)
        await sit.work()
        assert "You have been given 5 minutes" in sit.text()
        service.words = ("Look at the board.",)
        service.remaining = timedelta(minutes=34)
        await sit.jump(61)
        await sit.work()
        assert "Look at the board." in sit.text()
        assert "You have been given" not in sit.text()
        await sit.press("n")
        assert "Look at the board." in sit.text()


async def test_two_notices_that_arrive_close_together_are_both_readable() -> None:
    long = " ".join(["In question 2, the mass of the car is 900 kilograms and not 9 kilograms."] * 3)
    service = _Telling(an_exam(2), duration=timedelta(minutes=30))
    async with sitting(service, size=(80, 24)) as sit:
        service.words = ("The door stays open.", long)
        await sit.jump(61)
        await sit.work()
        rows = [row.strip() for row in sit.text().splitlines()]
        first = rows.index("1 of 2: The door stays open.")
        assert " ".join(rows[first + 1 : first + 5]) == f"2 of 2: {long}"
        service.words += ("Ten minutes are left.",)
        await sit.jump(61)
        await sit.work()
        for told in ("1 of 3: The door stays open.", "2 of 3: In question 2", "3 of 3: Ten minutes are left."):
            assert told in sit.text()


async def test_a_low_window_shows_every_notice_in_turn_and_in_full() -> None:
    service = _Telling(an_exam(2), duration=timedelta(minutes=30))
    async with sitting(service, size=(40, 12)) as sit:
        service.words = ("The door stays open.", "In question 2, the mass of the car is 900 kilograms.")
        await sit.jump(61)
        await sit.work()
        seen = []
        for _ in range(12):
            await sit.pass_time(1)
            seen.append(sit.rows()[-1].strip())
        assert list(dict.fromkeys(seen)) == [
            "1 of 2: The door stays open.",
            "2 of 2: In question 2, the mass of the",
            "car is 900 kilograms.",
        ]


async def test_a_long_notice_leaves_room_for_an_essay_and_its_question() -> None:
    service = _Telling((question(1, "<p>Describe a stepwell.</p>", kind="E"),), duration=timedelta(minutes=30))
    async with sitting(service, size=(80, 24)) as sit:
        service.words = ("The mass of the car in question 2 is 900 kilograms. " * 6,)
        for seconds in (61, 1):
            await sit.jump(seconds)
            await sit.work()
        assert " ".join(sit.text().split()).count("900 kilograms.") == 6
        assert "Describe a stepwell." in sit.text()
        assert "0 words" in sit.text()


@pytest.mark.parametrize("size", [(40, 12), (80, 24), (200, 60)])
async def test_a_click_acknowledges_the_notice_of_extra_time(size: tuple[int, int]) -> None:
    service = AttemptInMemory(an_exam(2), duration=timedelta(minutes=30))
    async with sitting(service, size=size) as sit:
        service.remaining = timedelta(minutes=35, seconds=1)
        await sit.jump(61)
        await sit.work()
        assert ("n next" in sit.text()) == (size[1] >= 24), "only the smallest window has no line for it"
        await sit.click("You have been given")
        assert "You have been given" not in sit.text()
        assert "00:34:00 +5 min" in sit.text()


async def test_an_untimed_exam_has_no_clock_and_is_never_over() -> None:
    async with sitting(AttemptInMemory(an_exam(2), duration=None)) as sit:
        await sit.jump(100_000)
        assert "no limit" in sit.text()
        assert sit.keeper.session.phase is Phase.RUNNING
        await sit.press("t")
        assert "no time limit" in sit.text()


async def test_at_the_end_of_the_time_answers_are_sent_and_the_exam_ends() -> None:
    async with sitting(AttemptInMemory(an_exam(3), duration=timedelta(minutes=2))) as sit:
        await sit.jump(119)
        await sit.press("b")
        await sit.jump(1.5)
        assert "Time is over" in sit.text()
        await sit.press("c", "m", "u")
        assert sit.chosen(1) == (12,)
        assert "Answers cannot be changed any more." in sit.text()
        await sit.work()
        assert sit.left_as() == "ended"
        assert sit.service.asked[1].selected_answers == (12,)


@pytest.mark.case(17)
async def test_time_over_without_contact_keeps_the_answers_and_says_so() -> None:
    service = AttemptInMemory(an_exam(3), duration=timedelta(minutes=2))
    async with sitting(service) as sit:
        service.silent = Offline("The server cannot be reached.")
        await sit.press("b")
        await sit.work()
        await sit.jump(121)
        await sit.work()
        assert "Offline: 1 answer saved here" in sit.text()
        assert not sit.left_as()
        service.silent = None
        sit.keeper.retry()
        await sit.work()
        assert sit.left_as() == "ended"


# The line.


async def test_offline_a_notice_says_to_continue_and_answers_are_saved() -> None:
    service = AttemptInMemory(an_exam(3))
    async with sitting(service) as sit:
        service.silent = Offline("The server cannot be reached.")
        await sit.press("b")
        await sit.work()
        await sit.jump(40)
        assert "Offline for 40 seconds. Continue:" in sit.text()
        await sit.press("n", "a")
        assert "saved 2 · sent 0" in sit.text()
        service.silent = None
        await sit.press("ctrl+r")
        await sit.work()
        assert "saved 2 · sent 2" in sit.text()
        assert "Offline for" not in sit.text()


async def test_in_a_small_window_the_offline_notice_replaces_the_keys() -> None:
    service = AttemptInMemory(an_exam(3))
    async with sitting(service, size=(40, 12)) as sit:
        service.silent = Offline("The server cannot be reached.")
        await sit.press("b")
        await sit.work()
        assert "Offline: continue, saved here" in sit.text()


async def test_in_a_small_window_the_mark_and_the_note_of_a_long_title_are_visible() -> None:
    service = AttemptInMemory([question(number, kind="C") for number in range(1, 13)])
    async with sitting(service, size=(40, 12)) as sit:
        await sit.press("m")
        assert "◆ Question 1 of 12" in sit.text()
        await sit.press("i", "x", "escape")
        assert "◆ ✎ Question 1 of 12" in sit.text()


async def test_answering_continues_with_an_expired_sign_in() -> None:
    service = AttemptInMemory(an_exam(3))
    async with sitting(service) as sit:
        service.silent = SignInNeeded("Your sign-in has expired.", status=401)
        await sit.press("b")
        await sit.work()
        assert "Sign in again to send your answers: press ctrl+r." in sit.text()
        await sit.press("c")
        assert sit.chosen(1) == (13,)


async def test_a_full_disk_is_reported_in_full_and_answering_continues() -> None:
    async with sitting(AttemptInMemory(an_exam(3)), size=(80, 24)) as sit:

        def full(*entries: Entry, visits: Sequence[Visit] = ()) -> None:
            raise JournalError("The disk is full.")

        sit.keeper._journal._journal.record = full  # type: ignore[method-assign]  # this disk takes nothing
        await sit.press("b")
        await sit.pilot.pause()
        told = " ".join(sit.text().split())
        assert f"Not saved on this computer. The disk is full. {JournalError('').advice}" in told
        assert "saved 0" in told
        assert sit.chosen(1) == (12,)


async def test_a_refused_answer_is_reported_at_its_question() -> None:
    service = AttemptInMemory(an_exam(3))
    async with sitting(service) as sit:
        service.coming["save"] = [Forbidden("This question is closed.", status=409) for _ in range(3)]
        await sit.press("b")
        for _ in range(3):
            await sit.work()
            await sit.jump(20)
        assert "not accepted: This question is closed." in sit.text()
        assert "The server did not accept 1 answer. They stay saved here" in sit.text()


async def test_one_key_switches_between_the_answers_of_two_devices() -> None:
    async with sitting(AttemptInMemory(an_exam(3))) as sit:
        await sit.press("b")
        sit.keeper._live.apply(Foreign(1, Answer((13,), review=False), taken=False))
        await sit.pilot.pause()
        assert "Your other device gave C (s: switch)" in sit.text()
        await sit.press("s")
        assert sit.chosen(1) == (13,)
        assert "Your other device gave B (s: switch)" in sit.text()
        await sit.press("s")
        assert sit.chosen(1) == (12,)
        await sit.press("n", "s")
        assert "No other device has answered this question." in sit.text()


# The end.


async def test_the_end_dialog_shows_the_counts_and_enter_alone_ends_nothing() -> None:
    async with sitting(AttemptInMemory(an_exam(5))) as sit:
        await sit.press("a", "n", "m", "ctrl+e")
        text = sit.text()
        for count in ("1  answered", "4  unanswered", "1  marked for review", "2  not yet sent"):
            assert count in text
        await sit.press("enter")
        assert sit.keeper.session.phase is Phase.RUNNING
        assert sit.app.screen is sit.app.runner


@pytest.mark.parametrize("size", [(40, 12), (60, 14), (80, 24)])
async def test_the_end_dialog_fits_every_window(size: tuple[int, int]) -> None:
    async with sitting(AttemptInMemory(an_exam(5)), size=size) as sit:
        await sit.press("a", "ctrl+e")
        await sit.pilot.pause()
        for shown in ("1  answered", "not yet sent", "Go back", "End the exam "):
            assert shown in sit.text()


async def test_the_end_is_sent_after_every_answer() -> None:
    async with sitting(AttemptInMemory(an_exam(5))) as sit:
        await sit.press("a", "ctrl+e", "tab", "enter")
        assert sit.keeper.session.phase is Phase.ENDING
        assert "Ending the exam" in sit.text()
        await sit.work()
        assert sit.left_as() == "ended"
        assert sit.service.calls["end"] == 1
        assert sit.service.asked[1].selected_answers == (11,)


async def test_the_leave_dialog_says_that_the_exam_does_not_end() -> None:
    async with sitting(AttemptInMemory(an_exam(5))) as sit:
        await sit.press("a", "ctrl+q")
        assert "Leaving does not end the exam" in sit.text()
        await sit.press("escape")
        assert not sit.left_as()
        await sit.press("ctrl+q", "enter")
        assert sit.left_as() == "left"
        assert sit.keeper.session.phase is Phase.RUNNING
        assert sit.service.calls["end"] == 0


async def test_an_attempt_that_ended_elsewhere_shows_the_reason_and_refused_answers() -> None:
    service = AttemptInMemory(an_exam(5))
    async with sitting(service) as sit:
        await sit.press("a", "n", "b")
        service.state = "Completed"
        service.coming["save"] = [Forbidden("The exam has already ended.", status=403) for _ in range(2)]
        await sit.work()
        text = " ".join(sit.text().split())
        assert "The attempt has ended on the server." in text
        assert "Question 1: The attempt had already ended on the server." in text
        await sit.until(lambda: sit.app.focused is not None)
        await sit.press("enter")
        assert sit.left_as() == "closed"


async def test_keys_typed_for_the_exam_do_not_close_a_new_notice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(dialogs, "PAUSE", 3600.0)
    service = AttemptInMemory(an_exam(3))
    async with sitting(service) as sit:
        await sit.press("a")
        service.state = "Completed"
        service.coming["save"] = [Forbidden("The exam has already ended.", status=403) for _ in range(2)]
        await sit.work()
        assert "The exam is closed" in sit.text()
        await sit.press("enter", "space", "y", "n", "escape")
        assert "The exam is closed" in sit.text()
        assert sit.left_as() is None


@pytest.mark.case(30)
async def test_a_dialog_closes_when_the_time_is_over() -> None:
    async with sitting(AttemptInMemory(an_exam(2), duration=timedelta(minutes=1))) as sit:
        await sit.press("a", "ctrl+e")
        await sit.jump(61)
        assert sit.app.screen is sit.app.runner
        await sit.work()
        assert sit.left_as() == "ended"


# Sections.


async def test_locked_sections_show_their_lock_and_clock() -> None:
    service = AttemptInMemory(an_exam(4), sections=two_sections(), duration=timedelta(hours=1))
    async with sitting(service) as sit:
        assert "Chemistry (locked)" in sit.text()
        assert "00:30:00" in sit.text()
        await sit.press("b", "ctrl+n")
        assert "End the section?" in sit.text()
        await sit.press("tab", "enter")
        service.sections[1] = service.sections[1].model_copy(update={"remaining_time": timedelta(minutes=20)})
        await sit.work()
        assert "Question 3 of 4" in sit.text()
        assert "Physics (ended)" in sit.text()
        assert "00:20:00" in sit.text()
        await sit.press("p", "p", "c")
        assert sit.chosen(1) == (12,)
        assert "This section has ended" in sit.text()


async def test_the_open_section_is_marked_without_colours_too() -> None:
    service = AttemptInMemory(an_exam(4), sections=two_sections(), duration=timedelta(hours=1))
    async with sitting(service, chosen=settings(Appearance(ascii=True)), size=(80, 24)) as sit:
        name = service.sections[0].name
        assert f"[{name}]" in sit.text()


async def test_questions_of_locked_sections_count_before_they_open() -> None:
    service = AttemptInMemory(an_exam(4), sections=two_sections(), duration=timedelta(hours=1))
    async with sitting(service) as sit:
        assert "Question 1 of 4" in sit.text()
        assert "answered 0 of 4" in sit.text()


@pytest.mark.parametrize(
    ("preemptive", "told"), [(True, "ctrl+n ends the section."), (False, "It ends with its time.")]
)
async def test_the_last_question_of_a_section_says_how_the_section_ends(*, preemptive: bool, told: str) -> None:
    service = AttemptInMemory(an_exam(4), sections=two_sections(), preemptive=preemptive)
    async with sitting(service) as sit:
        await sit.press("n", "n")
        assert f"This is the last question of the section. {told}" in sit.text()


async def test_questions_of_a_section_that_is_not_open_are_not_denied() -> None:
    service = AttemptInMemory(an_exam(4), sections=two_sections())
    async with sitting(service) as sit:
        await sit.press("g", "3", "enter")
        assert "Question 3 is in a section that is not open yet." in sit.text()
        await sit.press("g", "9", "enter")
        assert "There is no question 9." in sit.text()
        await sit.press("a", "n", "a", "N")
        assert "Every question of this section has an answer." in sit.text()


async def test_the_first_and_the_last_question_say_that_they_are() -> None:
    async with sitting(AttemptInMemory(an_exam(3)), size=(80, 24)) as sit:
        await sit.press("p")
        assert "This is the first question." in sit.text()
        await sit.press("n", "n")
        assert "This is the" not in sit.text()
        await sit.press("n")
        assert "This is the last question. ctrl+e ends the exam." in sit.text()
        await sit.press("a")
        assert sit.chosen(3) == (31,)


async def test_the_end_dialog_counts_the_sections_that_are_not_open() -> None:
    service = AttemptInMemory(an_exam(4), sections=two_sections(), duration=timedelta(hours=1))
    async with sitting(service, size=(80, 24)) as sit:
        await sit.press("b", "ctrl+e")
        assert "1  answered" in sit.text()
        assert "3  unanswered: 2, 3, 4" in sit.text()
        assert "1  section never opened: Chemistry" in sit.text()


async def test_a_section_that_cannot_end_early_has_a_message() -> None:
    service = AttemptInMemory(an_exam(4), sections=two_sections(), preemptive=False)
    async with sitting(service) as sit:
        await sit.press("ctrl+n")
        assert "ends when its time is over" in sit.text()


async def test_sections_without_time_limits_have_no_lock_and_no_end() -> None:
    async with sitting(AttemptInMemory(an_exam(4), sections=two_sections(timed=False))) as sit:
        assert "Chemistry (locked)" not in sit.text()
        await sit.press("ctrl+n")
        assert "All sections are open until the end of the exam." in sit.text()
        await sit.press("n", "n")
        assert "Question 3 of 4" in sit.text()


async def test_an_exam_without_sections_has_none_to_end() -> None:
    async with sitting(AttemptInMemory(an_exam(4))) as sit:
        await sit.press("ctrl+n")
        assert "This exam has no sections to end." in sit.text()


async def test_an_exam_without_questions_can_be_opened_and_left() -> None:
    async with sitting(AttemptInMemory([])) as sit:
        assert "This exam has no questions." in sit.text()
        await sit.press("b", "n", "m", "down", "space", "u", "g", "v", "r", "o", "f", "h", "t", "pagedown")
        await sit.pass_time(2)
        await sit.press("ctrl+q", "enter")
        assert sit.left_as() == "left"


# Looks.


async def test_marks_and_badge_are_shown() -> None:
    async with sitting(AttemptInMemory(an_exam(2)), badge="dry run") as sit:
        assert "+4 −1" in sit.text()
        assert "dry run" in sit.text()


async def test_a_change_of_colours_repaints_every_row() -> None:
    async with sitting(AttemptInMemory(an_exam(3))) as sit:
        await sit.press("b")
        view = sit.app.runner.query_one(QuestionView)
        dark = [style for _, style, _ in view.strip(1)]
        sit.app.theme = "light"
        await sit.pilot.pause()
        light = [style for _, style, _ in view.strip(1)]
        assert dark != light


async def test_the_next_question_is_laid_out_in_advance() -> None:
    async with sitting(AttemptInMemory(an_exam(12))) as sit:
        board = sit.app.runner._widgets
        await sit.until(lambda: board._layouts.has(*board._layout_key(sit.keeper.session.items[1])))


async def test_the_same_snapshot_twice_paints_nothing() -> None:
    async with sitting(AttemptInMemory(an_exam(3))) as sit:
        await sit.press("b")
        view = sit.app.runner.query_one(QuestionView)
        rows = list(view._rows)
        sit.app.runner._changed(sit.keeper.session)
        sit.app.runner._changed(replace(sit.keeper.session))
        assert view._rows == rows


async def test_a_question_that_cannot_be_laid_out_is_shown_as_sent_and_can_be_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("lms_tui.tui.screens.runner.layout_cache.lay_out", broken)
    async with sitting(AttemptInMemory(an_exam(3))) as sit:
        assert "cannot be displayed" in sit.text()
        assert "Question number 1: what is 1 + 1?" in sit.text()
        await sit.press("b")
        assert sit.chosen(1) == (12,)
        assert "B (●) 3" in sit.text()
