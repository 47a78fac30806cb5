"""At a question of words, letters are the answer. Their commands have another key, or need escape."""

from datetime import timedelta

import pytest
from textual import events

from lms_tui.tui.commands import Where, commands_of, help_of
from tests.fakes.attempts import PASSAGE, AttemptInMemory, an_exam, question, two_sections
from tests.fakes.sitting import Sitting, sitting
from tests.tui.test_keys_in_order import burst
from tests.tui.test_runner_writing import GAPS, answer, asked, exam_of, type_in

WRITTEN = [("S", "<p>Q</p>"), ("E", "<p>Q</p>"), ("G", GAPS)]


@pytest.mark.parametrize(("kind", "text"), WRITTEN)
@pytest.mark.parametrize("typed", ["Gangtok", "nNmgo ]u[m?", "1947 was it", "√2, or so", "(a) <b> & 'c'"])
async def test_typed_text_is_the_answer_from_its_first_character(kind: str, text: str, typed: str) -> None:
    async with sitting(exam_of(asked(kind, text))) as sit:
        for character in typed:
            sit.app.post_message(events.Key("space" if character == " " else character, character))
            await sit.pilot.pause()
        await sit.press("escape")
        given = answer(sit)
        assert typed in (given.short_text, given.essay_text, dict(given.gaps).get("1"))
        assert sit.keeper.session.current == 0
        assert not given.marked


@pytest.mark.parametrize(("kind", "text"), WRITTEN)
async def test_text_in_one_burst_is_the_answer(kind: str, text: str) -> None:
    async with sitting(exam_of(asked(kind, text))) as sit:
        await burst(sit, "Gangtok on sea\x1b")
        given = answer(sit)
        assert "Gangtok on sea" in (given.short_text, given.essay_text, dict(given.gaps).get("1"))


@pytest.mark.parametrize(("kind", "text"), [*WRITTEN, ("N", "<p>Q</p>")])
async def test_a_paste_begins_an_answer_too(kind: str, text: str) -> None:
    async with sitting(exam_of(asked(kind, text))) as sit:
        sit.app.post_message(events.Paste("40 n m\n"))
        await sit.pilot.pause()
        await sit.press("x", "escape")
        given = answer(sit)
        assert "40 n m" in (given.short_text or given.essay_text or dict(given.gaps)["1"])
        assert sit.keeper.session.current == 0


async def test_a_paste_at_a_question_with_options_changes_nothing() -> None:
    async with sitting(AttemptInMemory(an_exam(3))) as sit:
        sit.app.post_message(events.Paste("b"))
        await sit.pilot.pause()
        assert sit.chosen(1) == ()


async def test_after_escape_letters_are_commands_until_the_next_question() -> None:
    paper = [asked("S"), asked("S").model_copy(update={"id": 2}), *an_exam(4)[2:]]
    async with sitting(AttemptInMemory(paper)) as sit:
        await sit.press("escape", "m", "n")
        assert answer(sit).marked
        assert "Question 2 of 4" in sit.text()
        await sit.press("n", "o", "escape", "n")
        assert sit.keeper.session.items[1].answer.short_text == "no"
        assert "Question 3 of 4" in sit.text()
        await sit.press("p", "p", "escape")
        assert "Question 2 of 4" in sit.text()
        assert sit.keeper.session.items[1].answer.short_text == "nop"


async def test_after_enter_letters_are_commands() -> None:
    async with sitting(exam_of(asked("S"))) as sit:
        await sit.press("h", "i", "enter", "m", "n")
        assert answer(sit).short_text == "hi"
        assert answer(sit).marked
        assert "Question 2 of 3" in sit.text()


@pytest.mark.parametrize("where", ["question", "field"])
async def test_alt_with_a_letter_is_the_command_of_the_letter(where: str) -> None:
    async with sitting(exam_of(asked("S"))) as sit:
        if where == "field":
            await sit.press("h", "i")
        await press_alt(sit, "m")
        assert answer(sit).marked
        await press_alt(sit, "n")
        assert "Question 2 of 3" in sit.text()
        assert answer(sit).short_text == ("hi" if where == "field" else None)


async def press_alt(sit: Sitting, letter: str) -> None:
    """Send what a terminal sends for alt and a letter."""
    sit.app.post_message(events.Key(f"alt+{letter}", letter))
    for _ in range(5):
        await sit.pilot.pause()


async def test_a_number_after_go_to_is_no_text() -> None:
    async with sitting(exam_of(asked("S"))) as sit:
        await sit.press("h")
        await press_alt(sit, "g")
        await sit.press("3", "enter")
        assert answer(sit).short_text == "h"
        assert "Question 3 of 3" in sit.text()


async def test_every_command_of_a_letter_has_another_key() -> None:
    async with sitting(exam_of(asked("S"))) as sit:
        keys = sit.app.runner._bindings.key_to_bindings
        for command in commands_of(Where.RUNNER):
            for key in (each for each in command.keys.split(",") if len(each) == 1 and each.isalpha()):
                alt = f"alt+{key}" if key.islower() else f"alt+shift+{key.lower()}"
                assert [binding.action for binding in keys[alt]] == [command.action]


async def test_an_essay_with_topics_takes_digits_for_topics_and_letters_as_text() -> None:
    async with sitting(exam_of(asked("E", options=["Rain", "A town"]))) as sit:
        await sit.press("2", "b")
        assert (answer(sit).essay_topic, sit.app.runner.query_one("#area").has_focus) == ("A town", True)
        await sit.press("escape")
        assert answer(sit).essay_text == "b"
        assert answer(sit).essay_topic == "A town"


async def test_letters_stay_commands_where_nothing_can_be_written() -> None:
    service = AttemptInMemory([asked("S"), *an_exam(4)[1:]], sections=two_sections(), duration=timedelta(hours=1))
    async with sitting(service) as sit:
        await sit.press("ctrl+n", "tab", "enter")
        service.sections[1] = service.sections[1].model_copy(update={"remaining_time": timedelta(minutes=20)})
        await sit.work()
        await sit.press("p", "p")
        assert "Question 1 of 4" in sit.text()
        await sit.press("n")
        assert "Question 2 of 4" in sit.text()


async def test_letters_stay_commands_at_a_number() -> None:
    async with sitting(exam_of(asked("N"))) as sit:
        await sit.press("m", "n")
        assert answer(sit).marked
        assert "Question 2 of 3" in sit.text()


# What the screen says.


async def test_the_last_line_names_keys_that_work_at_a_question_of_words() -> None:
    async with sitting(exam_of(asked("S")), size=(160, 40)) as sit:
        line = sit.rows()[-1]
        for entry in ("letters write", "esc commands", "→ next", "alt+m mark", "← previous", "alt+g go to", "? help"):
            assert entry in line
        await sit.press("escape")
        assert "enter write" in sit.rows()[-1]
        assert "n next" in sit.rows()[-1]
        await type_in(sit, "n")
        assert "n next" in sit.rows()[-1]


async def test_hints_on_the_screen_name_keys_that_work_at_a_question_of_words() -> None:
    body = question(1, "<p>Why?</p>", kind="S", direction=PASSAGE)
    async with sitting(AttemptInMemory([body, *an_exam(3)[1:]]), size=(100, 18)) as sit:
        assert "alt+f filter" in sit.text()
        assert "alt+r" in sit.text()
        await press_alt(sit, "h")
        assert "(alt+h)" in sit.text()
        await sit.press("escape")
        assert "alt+f filter" not in sit.text()


def test_the_help_names_both_ways() -> None:
    rows = {keys: text for _, entries in help_of(Where.RUNNER) for keys, text in entries}
    assert "escape" in rows["letters"]
    assert "while you write" in rows["alt+letter"]
