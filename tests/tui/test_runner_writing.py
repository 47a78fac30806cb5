"""Short texts, numbers, essays, gaps and matches: answered from the keyboard, kept at a pause."""

import random
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from textual import events
from textual.widgets import Input

from lms_tui.attempt.values import Answer, Phase
from lms_tui.common.settings import Appearance
from lms_tui.tui.screens.runner import autosave
from lms_tui.tui.screens.runner.screen import RunnerScreen
from lms_tui.tui.widgets.answer_editor import AnswerEditor
from lms_tui.tui.widgets.question import QuestionView
from lms_tui.wire.attempts import AttemptQuestion, GapFill
from lms_tui.wire.errors import SignInNeeded
from tests.fakes.attempts import AttemptInMemory, an_exam, question, two_sections
from tests.fakes.sitting import Sitting, settings, sitting

GAPS = "<p>Plants take in carbon [[1]] and give off [[2]].</p>"
MATCH = (
    "<p>What measures what?</p><table><tr><td>Ammeter</td><td>[[1]]</td></tr>"
    "<tr><td>Barometer</td><td>[[2]]</td></tr></table>"
)
RIGHTS = ["electric current", "pressure &lt; 2 bar", "speed"]


def asked(kind: str, text: str = "<p>Q</p>", options: list[str] | None = None, **answer: object) -> AttemptQuestion:
    """One question of a type; the topics of an essay are its options."""
    made = question(1, text, options or ["x"], kind=kind).model_copy(update=answer)
    body = made.question.model_copy(update={"answers": made.question.answers if kind == "M" else ()})
    if kind == "E":
        body = body.model_copy(update={"essay_topics": tuple(options or ())})
    return made.model_copy(update={"question": body})


def exam_of(first: AttemptQuestion) -> AttemptInMemory:
    return AttemptInMemory([first, *an_exam(3)[1:]])


def answer(sit: Sitting) -> Answer:
    return sit.keeper.session.items[0].answer


async def until(sit: Sitting, true: Callable[[], bool]) -> None:
    await sit.until(true)


async def type_in(sit: Sitting, text: str) -> None:
    await sit.press(*({" ": "space", "?": "question_mark", "]": "right_square_bracket"}.get(c, c) for c in text))


# One line.


async def test_every_printable_key_in_a_field_is_text_and_escape_leaves_it() -> None:
    async with sitting(exam_of(asked("S"))) as sit:
        await sit.press("enter")
        await type_in(sit, "npabmgux ?]u 123")
        assert "npabmgux ?]u 123" in sit.text()
        assert "Question 1 of 3" in sit.text()
        await sit.press("escape")
        assert answer(sit).short_text == "npabmgux ?]u 123"
        await sit.press("n")
        assert "Question 2 of 3" in sit.text()


async def test_text_is_saved_at_a_pause_without_leaving_the_field(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RunnerScreen, "_begin_ticking", lambda _: None)  # only the pause may save
    async with sitting(exam_of(asked("S"))) as sit:
        await sit.press("enter", "h", "i")
        await until(sit, lambda: answer(sit).short_text == "hi")
        assert sit.app.runner.query_one("#line").has_focus
        assert "saved 1" in sit.text()


async def test_text_without_a_pause_is_saved_within_two_ticks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(autosave, "PAUSE", 3600.0)
    async with sitting(exam_of(asked("S"))) as sit:
        await sit.press("enter", "h", "i")
        await sit.pass_time(2)
        assert answer(sit).short_text == "hi"


@pytest.mark.case(7)
async def test_the_last_key_before_the_end_of_the_time_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(autosave, "PAUSE", 3600.0)
    service = AttemptInMemory([asked("S")], duration=timedelta(minutes=1))
    async with sitting(service) as sit:
        await sit.press("enter", "a")
        await sit.jump(56)
        await sit.press("b")
        assert answer(sit).short_text == "ab"
        await sit.jump(5)
        assert sit.keeper.session.phase is Phase.TIME_OVER
        await sit.press("c")
        await sit.work()
        assert service.asked[1].short_text == "ab"


async def test_keys_typed_at_the_end_of_a_section_are_not_commands_in_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(RunnerScreen, "_begin_ticking", lambda _: None)  # seconds pass where this test lets them
    paper = [asked("S"), *an_exam(4)[1:]]
    service = AttemptInMemory(paper, sections=two_sections(), duration=timedelta(hours=1))
    async with sitting(service) as sit:
        await sit.press("enter", "h")
        await sit.jump(30 * 60 + 1)
        service.sections[1] = service.sections[1].model_copy(update={"remaining_time": timedelta(minutes=20)})
        await sit.press("b")
        await sit.work()
        assert "Question 3 of 4" in sit.text()
        await sit.press("b", "n", "m")
        assert "Question 3 of 4" in sit.text()
        assert sit.chosen(3) == ()
        await sit.pass_time(3)
        await sit.press("b")
        assert sit.chosen(3) == (32,)
        assert answer(sit).short_text == "h"


async def test_text_typed_after_the_server_closed_the_exam_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(autosave, "PAUSE", 3600.0)
    service = exam_of(asked("S"))
    async with sitting(service) as sit:
        await sit.press("enter", "h", "i")
        service.state = "Completed"
        sit.keeper._sender.gap()
        await sit.work()
        told = " ".join(sit.text().split())
        assert "The attempt has ended on the server." in told
        assert "Question 1: this text came after the exam was closed: “…hi”" in told.replace("│ ", "")


async def test_text_is_saved_before_the_end_dialog_opens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(autosave, "PAUSE", 3600.0)
    async with sitting(exam_of(asked("S"))) as sit:
        await sit.press("enter", "h", "escape", "ctrl+e")
        assert "1  answered" in sit.text()


async def test_a_click_on_another_question_saves_the_text_and_leaves_the_field(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(autosave, "PAUSE", 3600.0)
    async with sitting(exam_of(asked("S"))) as sit:
        await sit.press("enter", "h", "o")
        await sit.pilot.click(offset=sit.place_of("3·"))
        await sit.press("b")
        assert answer(sit).short_text == "ho"
        assert sit.chosen(3) == (32,)


async def test_an_earlier_text_is_shown_and_not_sent_again() -> None:
    service = exam_of(asked("S", short_text="Gangtok", review=False))
    async with sitting(service) as sit:
        assert "Gangtok" in sit.text()
        await sit.press("enter", "escape", "n", "a", "p")
        await sit.work()
        assert service.calls["save"] == 1  # the answer to question 2
        assert service.asked[1].short_text == "Gangtok"


async def test_text_can_be_undone_and_cleared_by_key() -> None:
    async with sitting(exam_of(asked("S"))) as sit:
        await sit.press("enter", "h", "i", "enter", "backspace")
        assert answer(sit).short_text is None
        assert "│ hi" not in sit.text()
        await sit.press("u")
        assert answer(sit).short_text == "hi"
        assert "│ hi" in sit.text()


async def test_a_digit_starts_a_number_and_invalid_numbers_are_saved_with_a_warning() -> None:
    async with sitting(exam_of(asked("N"))) as sit:
        await sit.press("minus", "4", "2", "enter")
        assert answer(sit).short_text == "-42"
        assert "not a number" not in sit.text()
        await sit.press("enter", "x", "enter")
        assert answer(sit).short_text == "-42x"
        assert "not a number" in sit.text()


@pytest.mark.parametrize(
    ("clipboard", "field"),
    [
        ("two\nlines \x1b[31m\u202ered", "two lines \u241b[31m\ufffdred"),
        ("Gangtok\r", "Gangtok"),
        ("Gangtok\r\n", "Gangtok"),
        ("one\rtwo\r\rlast", "one two last"),
    ],
)
async def test_pasted_text_is_cleaned_and_put_on_one_line(clipboard: str, field: str) -> None:
    async with sitting(exam_of(asked("S"))) as sit:
        await sit.press("enter")
        sit.app.runner.query_one("#line").post_message(events.Paste(clipboard))
        await sit.pilot.pause()
        await sit.press("escape")
        assert answer(sit).short_text == field


@pytest.mark.parametrize(("kind", "field"), [("S", "#line"), ("E", "#area")])
async def test_joiner_characters_are_part_of_the_text(kind: str, field: str) -> None:
    async with sitting(exam_of(asked(kind))) as sit:
        await sit.press("enter")
        for char in "क्\u200dष":
            sit.app.runner.query_one(field).post_message(events.Key("x", char))
        await sit.press("escape")
        assert "क्\u200dष" in {answer(sit).short_text, answer(sit).essay_text}


async def test_a_field_of_a_closed_section_is_read_only() -> None:
    service = exam_of(asked("S"))
    async with sitting(service) as sit:
        service.state = "Completed"
        sit.keeper.session.find(1)
        await sit.press("ctrl+e", "tab", "enter")
        await sit.press("enter", "h")
        assert answer(sit).short_text is None


async def test_an_expired_sign_in_opens_no_dialog_over_a_field() -> None:
    service = exam_of(asked("S"))
    async with sitting(service) as sit:
        await sit.press("enter", "h")
        service.silent = SignInNeeded("Your sign-in has expired.", status=401)
        await sit.pass_time(2)
        await sit.work()
        assert "Sign in again to send your answers: press ctrl+r." in sit.text()
        await sit.press("o", "escape")
        assert answer(sit).short_text == "ho"


async def test_an_older_snapshot_does_not_remove_the_newest_key() -> None:
    async with sitting(exam_of(asked("S"))) as sit:
        await sit.press("enter", "h")
        line = sit.app.runner.query_one("#line", Input)
        line.insert_text_at_cursor("i")
        sit.app.runner._changed(replace(sit.keeper.session))
        assert line.value == "hi"
        await sit.press("escape")
        assert answer(sit).short_text == "hi"


# Essays.


async def test_an_essay_has_lines_a_topic_and_a_count_of_words() -> None:
    async with sitting(exam_of(asked("E", options=["Rain", "A town"]))) as sit:
        await sit.press("2", "enter")
        await type_in(sit, "One two")
        await sit.press("enter")
        await type_in(sit, "n")
        await sit.press("escape")
        assert "3 words, 9 characters" in sit.text()
        assert (answer(sit).essay_text, answer(sit).essay_topic) == ("One two\nn", "A town")
        assert "B (●) A town" in sit.text()
        await sit.work()
        assert sit.service.asked[1].essay_text == "One two\nn"
        assert sit.service.asked[1].essay_topic == "A town"


async def test_the_count_of_words_changes_when_the_text_is_saved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(autosave, "PAUSE", 3600.0)
    async with sitting(exam_of(asked("E"))) as sit:
        await sit.press("enter")
        await type_in(sit, "One two")
        assert "0 words, 0 characters · not saved yet" in sit.text()
        await sit.pass_time(2)
        assert "2 words, 7 characters · saved" in sit.text()


@pytest.mark.parametrize("size", [(40, 12), (80, 24), (120, 40), (200, 60)])
async def test_the_field_of_an_essay_uses_the_rows_that_the_question_leaves(size: tuple[int, int]) -> None:
    async with sitting(exam_of(asked("E", text="<p>Why is the sea warm?</p>")), size=size) as sit:
        question = sit.app.runner.query_one(QuestionView)
        assert question.window == question.length


@pytest.mark.parametrize("seed", range(4))
async def test_the_painted_rows_of_an_essay_are_its_rows(seed: int) -> None:
    """After a key only a part of the field is painted."""
    chance = random.Random(seed)
    keys = ["x", "(", ")", "space", "enter", "backspace", "up", "left", "home", "shift+up", "shift+left", "ctrl+k"]
    async with sitting(exam_of(asked("E")), size=(60, 14)) as sit:
        await sit.press("enter")
        area = sit.app.runner.query_one("#area")
        area.post_message(events.Paste("(a few words) and more of them\n" * 12))
        for _ in range(30):
            await sit.press(*chance.choices(keys, k=2))
            rows = slice(area.region.y, area.region.bottom)
            painted = sit.rows()[rows]
            area.refresh()
            await sit.pilot.pause()
            assert painted == sit.rows()[rows]


async def test_a_long_question_keeps_its_rows_beside_the_field_of_an_essay() -> None:
    stem = "".join(f"<p>Paragraph {number}</p>" for number in range(60))
    async with sitting(exam_of(asked("E", text=stem))) as sit:
        runner = sit.app.runner
        assert runner.query_one(QuestionView).size.height > runner.query_one(AnswerEditor).outer_size.height


async def test_lines_that_are_pasted_into_an_essay_stay_lines() -> None:
    async with sitting(exam_of(asked("E"))) as sit:
        await sit.press("enter")
        sit.app.runner.query_one("#area").post_message(events.Paste("one\r\ntwo\x07"))
        await sit.pilot.pause()
        await sit.press("escape")
        assert answer(sit).essay_text == "one\ntwo\u2407"


async def test_a_chosen_topic_can_be_cleared() -> None:
    async with sitting(exam_of(asked("E", options=["Rain", "A town"]))) as sit:
        await sit.press("down", "space")
        assert answer(sit).essay_topic == "Rain"
        await sit.press("space")
        assert not answer(sit).essay_topic


# Gaps.


async def test_gaps_are_filled_in_their_places_in_the_text() -> None:
    async with sitting(exam_of(asked("G", GAPS))) as sit:
        assert "[ 1 ______ ]" in sit.text().replace("\xa0", " ")
        await sit.press("enter")
        await type_in(sit, "dioxide")
        assert "carbon [ 1 dioxide ] and" in sit.text().replace("\xa0", " ")
        await sit.press("enter")
        assert "Gap 2 of 2" in sit.text()
        await type_in(sit, "oxygen")
        await sit.press("enter")
        assert answer(sit).gaps == (("1", "dioxide"), ("2", "oxygen"))
        await sit.press("n")
        assert "Question 2 of 3" in sit.text()
        await sit.work()
        assert sit.service.asked[1].gap_fill_responses == (
            GapFill(order="1", answer="dioxide"),
            GapFill(order="2", answer="oxygen"),
        )


async def test_after_escape_a_digit_goes_to_its_gap_and_tab_cycles_through_gaps() -> None:
    async with sitting(exam_of(asked("G", GAPS))) as sit:
        await sit.press("escape", "2", "b", "tab", "a", "shift+tab", "c", "escape")
        assert dict(answer(sit).gaps) == {"1": "a", "2": "bc"}


# Matches.


async def test_a_letter_matches_the_highlighted_row_and_highlights_the_next() -> None:
    async with sitting(exam_of(asked("M", MATCH, RIGHTS))) as sit:
        assert "▸ 1 [ ] Ammeter" in sit.text()
        await sit.press("a")
        assert "▸ 2 [ ] Barometer" in sit.text()
        await sit.press("b")
        assert answer(sit).gaps == (("1", "electric current"), ("2", "pressure < 2 bar"))
        assert "[A] Ammeter" in sit.text()
        await sit.work()
        assert {gap.order: gap.answer for gap in sit.service.asked[1].gap_fill_responses} == {
            "1": "electric current",
            "2": "pressure < 2 bar",
        }


async def test_in_matching_every_letter_is_a_choice_and_escape_ends_it() -> None:
    async with sitting(exam_of(asked("M", MATCH, [*RIGHTS, "m", "n", "o"]))) as sit:
        await sit.press("enter", "f", "e")
        assert answer(sit).gaps == (("1", "o"), ("2", "n"))
        await sit.press("1", "space", "right", "escape", "n")
        assert answer(sit).gaps == (("1", "electric current"), ("2", "n"))
        assert "Question 2 of 3" in sit.text()


async def test_a_match_can_be_made_by_mouse() -> None:
    async with sitting(exam_of(asked("M", MATCH, RIGHTS))) as sit:
        await sit.pilot.click(offset=sit.place_of("Barometer"))
        await sit.pilot.pause()
        await sit.pilot.click(offset=sit.place_of("speed"))
        await sit.pilot.pause()
        assert answer(sit).gaps == (("2", "speed"),)


async def test_an_unknown_answer_of_a_match_is_shown_as_sent() -> None:
    given = (GapFill(order="1", answer="volume"), GapFill(order="2", answer="SPEED"))
    async with sitting(exam_of(asked("M", MATCH, RIGHTS, gap_fill_responses=given))) as sit:
        assert "1 [?] Ammeter" in sit.text()
        assert "2 [C] Barometer" in sit.text()


@pytest.mark.parametrize("size", [(40, 12), (60, 20), (80, 24), (120, 40), (240, 70)])
@pytest.mark.parametrize("kind", ["S", "N", "E", "G", "M"])
async def test_question_field_time_and_save_state_are_visible_in_every_window(kind: str, size: tuple[int, int]) -> None:
    texts = {"G": GAPS, "M": MATCH}
    first = asked(kind, texts.get(kind, "<p>Quite a question?</p>"), RIGHTS if kind == "M" else None)
    async with sitting(exam_of(first), size=size) as sit:
        await sit.press("a" if kind == "M" else "enter", *(() if kind == "M" else ("7",)))
        await until(sit, lambda: answer(sit).given)
        seen = sit.text()
        assert "03:00:00" in seen
        assert "saved 1" in seen
        assert {"G": "Plants", "M": "[A] Ammeter"}.get(kind, "Quite a question?") in seen
        if kind != "M":
            assert "│ 7" in seen


async def test_a_resize_while_writing_loses_nothing() -> None:
    async with sitting(exam_of(asked("E"))) as sit:
        await sit.press("enter", "a")
        for size in ((40, 12), (20, 5), (200, 60), (80, 24)):
            await sit.pilot.resize_terminal(*size)
            await sit.press("b")
        await sit.press("escape")
        assert answer(sit).essay_text == "abbbb"


async def test_keys_typed_ahead_reach_their_field() -> None:
    async with sitting(exam_of(asked("G", GAPS))) as sit:
        line = sit.app.runner.query_one("#line")
        await sit.press("enter")
        for key in ("x", "enter", "y", "escape", "n", "b"):
            line.post_message(events.Key(key, key if len(key) == 1 else None))
        await until(sit, lambda: sit.chosen(2) == (22,))
        assert dict(answer(sit).gaps) == {"1": "x", "2": "y"}


# Keys that settings gave.


async def test_messages_name_the_keys_of_the_settings() -> None:
    chosen = replace(settings(), keys={"pick": "f8", "hide_clock": "f9", "filter_palette": "f10"})
    async with sitting(exam_of(asked("S")), chosen=chosen) as sit:
        assert "Type your answer" in sit.text()
        assert "f10 filter" in sit.text()
        await sit.press("escape")
        assert "f8: write" in sit.text()
        await sit.press("f9")
        assert "hidden (f9)" in sit.text()
        await sit.press("f8", "x", "escape")
        assert answer(sit).short_text == "x"


@pytest.mark.parametrize("kind", ["S", "E", "G", "M"])
async def test_fields_and_matches_are_ascii_in_ascii_mode(kind: str) -> None:
    texts = {"G": "<p>a [[1]] b</p>", "M": MATCH}
    first = asked(kind, texts.get(kind, "<p>Q</p>"), ["p", "q"])
    service = AttemptInMemory([first], title="Trial")
    async with sitting(service, chosen=settings(appearance=Appearance(ascii=True))) as sit:
        await sit.press("a", "enter", "b")
        assert sit.text().isascii()


async def test_a_key_shows_and_hides_the_pace() -> None:
    async with sitting(AttemptInMemory(an_exam(4))) as sit:
        await sit.press("a", "w")
        assert "answered 25 %" in sit.text()
        await sit.press("w")
        assert "answered 25 %" not in sit.text()


async def test_the_pace_counts_the_time_on_each_question_against_the_plan() -> None:
    async with sitting(AttemptInMemory(an_exam(4), duration=timedelta(minutes=8))) as sit:
        await sit.press("w")
        await sit.pass_time(10)
        assert "this one 0:10 of 2:00" in sit.text()
        await sit.press("n")
        await sit.pass_time(5)
        assert "this one 0:05 of 2:00" in sit.text()
        await sit.press("p")
        await sit.pass_time(1)
        assert "this one 0:10 of 2:00" in sit.text()
        await sit.jump(300)
        assert "behind" in sit.text()


@pytest.mark.parametrize("size", [(40, 12), (120, 40)])
async def test_a_click_on_a_gap_opens_it(size: tuple[int, int]) -> None:
    async with sitting(exam_of(asked("G", GAPS)), size=size) as sit:
        await sit.click("[ 2")
        assert "Gap 2 of 2" in sit.text()
        await sit.press("o", "x")
        await sit.click("[ 1")
        assert "Gap 1 of 2" in sit.text()
        await sit.press("c")
        await sit.click("[ 2 ox")
        await sit.press("y", "escape")
        assert dict(answer(sit).gaps) == {"1": "c", "2": "oxy"}
        await sit.click("Plants")
        assert sit.app.focused is None


async def test_a_gap_with_a_long_answer_is_opened_by_a_click_on_any_of_its_lines() -> None:
    async with sitting(exam_of(asked("G", GAPS)), size=(40, 12)) as sit:
        await sit.press("f")
        await type_in(sit, "irst words of a long answer and its end")
        await sit.press("enter")
        assert "Gap 2 of 2" in sit.text()
        await sit.click("its end")
        assert "Gap 1 of 2" in sit.text()
