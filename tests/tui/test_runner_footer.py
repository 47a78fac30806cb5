"""The last line of the exam: it offers what does something with the question on the screen."""

import pytest

from lms_tui.common.settings import Appearance
from tests.fakes.sitting import settings, sitting
from tests.tui.test_runner_writing import GAPS, MATCH, RIGHTS, asked, exam_of


@pytest.mark.parametrize(
    ("kind", "text", "options", "offered", "useless"),
    [
        ("S", "<p>Q</p>", None, ("letters write", "esc commands", "alt+m mark"), ("choose", "strike", "toggle")),
        ("N", "<p>Q</p>", None, ("enter write", "m mark"), ("choose", "strike", "toggle")),
        ("E", "<p>Q</p>", ["One", "Two"], ("1-2 topic", "letters write", "space toggle"), ("choose", "strike")),
        ("E", "<p>Q</p>", [], ("letters write",), ("topic", "choose", "strike")),
        ("G", GAPS, None, ("letters write",), ("choose", "strike", "toggle")),
        ("M", MATCH, RIGHTS, ("a-e match", "enter all letters", "space clear row"), ("choose", "strike", "toggle")),
        ("F", "<p>Q</p>", None, ("n next",), ("choose", "strike", "toggle")),
    ],
)
async def test_the_footer_offers_the_commands_of_this_question_type(
    kind: str, text: str, options: list[str] | None, offered: tuple[str, ...], useless: tuple[str, ...]
) -> None:
    async with sitting(exam_of(asked(kind, text, options)), size=(200, 40)) as sit:
        line = sit.rows()[-1]
        assert all(entry in line for entry in ("m mark", "u undo", *offered))
        assert not [word for word in useless if word in line]
        await sit.press("right")
        assert "a-e choose" in sit.rows()[-1]
        assert "x strike" in sit.rows()[-1]


async def test_where_letters_are_text_the_footer_names_no_key_that_types_a_character() -> None:
    async with sitting(exam_of(asked("S")), size=(200, 40)) as sit:
        assert "f2 calculator" in sit.rows()[-1]
        assert "equals_sign" not in sit.rows()[-1]


async def test_enter_is_done_in_the_last_gap() -> None:
    async with sitting(exam_of(asked("G", GAPS)), size=(200, 40)) as sit:
        await sit.press("a")
        assert "enter next gap" in sit.rows()[-1]
        await sit.press("enter")
        assert "enter done" in sit.rows()[-1]
        await sit.press("tab")
        assert "enter next gap" in sit.rows()[-1]
        await sit.pilot.click(offset=sit.place_of("[ 2"))
        assert "enter done" in sit.rows()[-1]


async def test_the_hint_to_write_disappears_while_writing() -> None:
    async with sitting(exam_of(asked("S"))) as sit:
        await sit.press("escape", "a")
        assert "Press enter to write the answer." in sit.text()
        await sit.press("enter")
        assert "Press enter to write" not in sit.text()
        assert "esc back to the question" in sit.rows()[-1]


async def test_keys_of_a_match_are_words_in_ascii_mode() -> None:
    async with sitting(exam_of(asked("M", MATCH, RIGHTS)), chosen=settings(appearance=Appearance(ascii=True))) as sit:
        await sit.press("enter")
        assert "up down row" in sit.rows()[-1]
        assert "left right cycle" in sit.rows()[-1]
