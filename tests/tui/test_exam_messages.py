"""Texts around a question in small windows: messages of the last line, the pace and the marks in the title."""

from decimal import Decimal

import pytest

from lms_tui.wire.errors import Offline
from tests.fakes.attempts import AttemptInMemory, an_exam
from tests.fakes.sitting import sitting


@pytest.mark.parametrize("keys", [("g", "3", "enter"), ("]", "u"), ("i",), ("H",), ("o", "escape")], ids=" ".join)
async def test_a_message_leaves_with_its_question_and_when_something_opens(keys: tuple[str, ...]) -> None:
    async with sitting(AttemptInMemory(an_exam(3)), size=(40, 12)) as sit:
        await sit.press("b", "x")
        assert "A chosen option cannot be struck out." in sit.rows()[-1]
        await sit.press(*keys)
        assert "struck out" not in sit.text()


@pytest.mark.parametrize("key", ["a", "space", "m", "backspace", "u"])
async def test_a_message_leaves_when_the_answer_changes(key: str) -> None:
    async with sitting(AttemptInMemory(an_exam(3)), size=(40, 12)) as sit:
        await sit.press("b", "x", key)
        assert "struck out" not in sit.text()


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("f", "Overview: unanswered questions"),
        ("s", "No answer from another device."),
        ("w", "on plan · this one 0:00 of 1:00:00"),
        ("F", "Not read yet. Try again."),
        ("=", "Calculator: not known yet. Try again."),
    ],
)
async def test_a_message_is_complete_in_the_smallest_window(key: str, words: str) -> None:
    unknown = Offline("The server cannot be reached.")
    async with sitting(AttemptInMemory(an_exam(3)), size=(40, 12), aids=unknown) as sit:
        await sit.press(key)
        assert sit.rows()[-1].strip() == words


async def test_the_pace_fits_into_a_narrow_window() -> None:
    async with sitting(AttemptInMemory(an_exam(3)), size=(40, 40)) as sit:
        await sit.press("w")
        assert "on plan · this one 0:00 of 1:00:00" in sit.text()
        assert "…" not in sit.text()


@pytest.mark.parametrize(
    ("loss", "title"),
    [
        ("0.5", "◆ marked ─ +4 −0.5 ─╮"),
        ("0.55", "◆ marked  +4 −0.55 ─╮"),
        ("0.555", "◆ marked +4 −0.555 ─╮"),
        ("0.5555", "◆ marked ───────────╮"),
    ],
)
async def test_the_marks_in_the_title_are_whole_or_left_out(loss: str, title: str) -> None:
    service = AttemptInMemory(an_exam(3))
    service.exam = service.exam.model_copy(update={"negative_marks": Decimal(loss)})
    async with sitting(service, size=(40, 12)) as sit:
        await sit.press("m")
        assert sit.rows()[1] == f"╭─ Question 1 of 3 {title}"
