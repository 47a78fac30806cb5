"""The calculator beside a question: by keys, by mouse, in small windows, and after a crash."""

import asyncio
from pathlib import Path

import pytest
from textual.events import MouseScrollUp

from lms_tui.attempt.desk import desk_text
from lms_tui.attempt.journal.store import FileJournals
from lms_tui.common.settings import Appearance
from lms_tui.tui.widgets.calculator import CalculatorView
from lms_tui.views.calculations import NAME, Calculations
from lms_tui.wire.attempts import ExamAids
from lms_tui.wire.errors import Offline
from tests.fakes.attempts import KEY, AttemptInMemory, an_exam, question
from tests.fakes.sitting import Sitting, settings, sitting


def _paper() -> AttemptInMemory:
    gaps = question(2, "<p>The [[1]] is [[2]].</p>", kind="G")
    return AttemptInMemory(
        [
            question(1, "<p>What is six times seven?</p>", kind="N"),
            gaps,
            question(3, "<p>Who?</p>", kind="S"),
            *an_exam(4)[3:],
        ]
    )


def _answer(sit: Sitting, question_id: int) -> str | None:
    item = sit.keeper.session.find(question_id)
    assert item is not None
    return item.answer.short_text


@pytest.mark.parametrize("size", [(40, 12), (80, 24), (120, 40), (200, 60)])
async def test_an_expression_is_calculated_by_keys(size: tuple[int, int]) -> None:
    async with sitting(_paper(), size=size) as sit:
        await sit.press(*"=0.1+0.2", "enter", *"*2=")
        assert "= 0.3" in sit.text()
        assert "= 0.6" in sit.text()
        await sit.press(*"1/0", "enter")
        rows = sit.rows()
        below = next(y for y, row in enumerate(rows) if "Division by zero" in row)
        assert "= 0.6" in rows[below - 1]


@pytest.mark.parametrize("rounds", range(12))
async def test_a_calculator_that_is_asked_for_while_the_exam_closes_causes_no_error(rounds: int) -> None:
    async with sitting(_paper(), size=(120, 40)) as sit:
        runner = sit.app.runner
        runner.dismiss("left")
        for _ in range(rounds):
            await asyncio.sleep(0)
        await runner.action_calculator()


async def test_letters_in_the_calculator_are_no_commands_and_escape_gives_them_back() -> None:
    async with sitting(_paper()) as sit:
        await sit.press(*"=abs(-2)m", "escape", "m")
        item = sit.keeper.session.find(1)
        assert item is not None
        assert item.answer.marked
        assert "Calculator" not in sit.text()


async def test_the_key_of_the_result_is_named_only_where_an_answer_takes_it() -> None:
    async with sitting(_paper(), size=(120, 40)) as sit:
        await sit.press("=")
        assert "f4 use as answer" in sit.rows()[-1]
        await sit.press("escape", "right", "right", "right", "=")
        assert "enter calculate" in sit.rows()[-1]
        assert "f4" not in sit.rows()[-1]


async def test_the_up_key_brings_back_earlier_expressions() -> None:
    async with sitting(_paper()) as sit:
        await sit.press(*"=2+3", "enter", *"4*5", "enter", "up", "up", *"0", "enter")
        assert [each.result for each in sit.app.runner._calculating.sums.done] == ["5", "20", "32"]
        await sit.press("up", "down", "enter")
        assert len(sit.app.runner._calculating.sums.done) == 3


async def test_one_key_puts_the_result_into_the_answer() -> None:
    async with sitting(_paper()) as sit:
        await sit.press("f4")
        assert "no result yet" in sit.text()
        await sit.press(*"=6*7", "enter", "f4")
        assert _answer(sit, 1) == "42"
        assert "42 is your answer now." in sit.text()
        await sit.press("escape", "right", "down", "f4")
        item = sit.keeper.session.find(2)
        assert item is not None
        assert dict(item.answer.gaps) == {"2": "42"}
        await sit.press("right", "right", "f4")
        assert "is not a number" in sit.text()


async def test_the_result_replaces_an_answer_only_while_the_calculator_is_open() -> None:
    async with sitting(_paper()) as sit:
        await sit.press(*"=6*7", "enter", "escape", "9", "enter", "f4")
        assert _answer(sit, 1) == "9"
        assert "Your answer stays. Open the calculator to replace it." in sit.text()
        await sit.press("=", "f4")
        assert _answer(sit, 1) == "42"


async def test_a_key_opens_it_where_letters_are_text() -> None:
    async with sitting(_paper()) as sit:
        await sit.press("right", "right", *"Ada =", "f2", *"1+1", "enter")
        assert _answer(sit, 3) == "Ada ="
        assert "= 2" in sit.text()


async def test_tab_goes_back_to_the_question_beside_it_and_the_key_returns() -> None:
    async with sitting(_paper()) as sit:
        await sit.press(*"=1+1", "enter", "tab", "right", "right", "right", "b")
        assert sit.chosen(4) == (42,)
        assert "Calculator" in sit.text()
        await sit.press(*"=5!", "enter")
        assert "= 120" in sit.text()


@pytest.mark.parametrize("opened", [(), ("=",)], ids=["closed", "open"])
async def test_the_message_names_the_unit_of_angles_that_is_used_now(opened: tuple[str, ...]) -> None:
    async with sitting(_paper()) as sit:
        await sit.press(*opened, "f3")
        assert "Angles are in radians." in sit.text()
        await sit.press("f3")
        assert "Angles are in degrees." in sit.text()


async def test_angles_switch_between_degrees_and_radians_and_the_unit_is_shown() -> None:
    async with sitting(_paper()) as sit:
        await sit.press("=")
        assert "degrees ─╯" in sit.text()
        await sit.press(*"sin30", "enter", "f3", *"sin pi", "enter")
        assert "radians ─╯" in sit.text()
        assert [each.result for each in sit.app.runner._calculating.sums.done] == ["0.5", "0"]


@pytest.mark.parametrize("size", [(40, 12), (80, 24), (120, 40)])
async def test_the_wheel_shows_calculations_that_are_above_the_window(size: tuple[int, int]) -> None:
    async with sitting(_paper(), size=size) as sit:
        await sit.press("=")
        for number in range(1, 31):
            await sit.press(*f"{number}+1000", "enter")
        assert "= 1001" not in sit.text()
        x, y = sit.place_of("= 1030")
        for _ in range(40):
            sit.app.post_message(MouseScrollUp(None, x, y, 0, 0, 0, False, False, False, x, y))
        await sit.until(lambda: "= 1001" in sit.text())
        await sit.click("= 1001")
        await sit.press("enter")
        assert sit.app.runner._calculating.sums.result == "1001"
        assert "= 1030" in sit.text()


async def test_the_pad_and_the_tape_take_the_mouse() -> None:
    async with sitting(_paper()) as sit:
        await sit.press("=")
        for key in ("7", "×", "6", "="):
            column, row = next(
                (line.index(f"  {key}  ") + 2, y) for y, line in enumerate(sit.rows()) if f"  {key}  " in line
            )
            await sit.pilot.click(offset=(column, row))
        assert "= 42" in sit.text()
        column, row = sit.place_of("clear  answer  close")
        await sit.pilot.click(offset=(column + len("clear  "), row))
        assert _answer(sit, 1) == "42"
        await sit.pilot.click(offset=sit.place_of("7*6"))
        await sit.press("enter")
        assert len(sit.app.runner._calculating.sums.done) == 2
        await sit.pilot.click(offset=sit.place_of("deg  clear"))
        assert "rad  clear" in sit.text()
        await sit.pilot.click(offset=(column + len("clear  answer  "), row))
        assert not sit.app.runner.query_one(CalculatorView).display


async def test_the_footer_opens_it() -> None:
    async with sitting(_paper(), size=(160, 40)) as sit:
        await sit.pilot.click(offset=sit.place_of("= calculator"))
        await sit.press(*"2^10", "enter")
        assert "= 1024" in sit.text()


async def test_the_mouse_reaches_the_list_of_commands_in_a_window_of_80_columns() -> None:
    async with sitting(_paper(), size=(80, 24)) as sit:
        await sit.pilot.click(offset=sit.place_of("ctrl+p more"))
        assert len(sit.app.screen_stack) == 3


async def test_the_calculations_are_there_again_after_a_crash_and_are_never_sent(tmp_path: Path) -> None:
    service, journals = _paper(), FileJournals(tmp_path)
    journal = journals.open(KEY, "An exam")
    async with sitting(service, journal=journal) as sit:
        service.silent = Offline("no network")
        await sit.press(*"=6*7", "enter")
        await sit.work()
    assert Calculations.from_text(desk_text(journals.look(KEY), NAME)).result == "42"
    journal.close()
    service.silent = None
    async with sitting(service, journal=journals.open(KEY, "An exam")) as sit:
        await sit.press("=")
        assert "= 42" in sit.text()
        await sit.work()
    assert service.calls["save"] == 0


async def test_the_end_of_the_time_closes_it() -> None:
    async with sitting(_paper()) as sit:
        await sit.press(*"=1")
        await sit.jump(3 * 3600 + 5)
        assert "Calculator" not in sit.text()


async def test_it_can_be_drawn_in_ascii() -> None:
    async with sitting(_paper(), chosen=settings(Appearance(ascii=True))) as sit:
        await sit.press(*"=1+1", "enter")
        assert all(row[87:].isascii() for row in sit.rows())


async def test_an_exam_can_forbid_it() -> None:
    async with sitting(_paper(), aids=ExamAids(calculator="no")) as sit:
        await sit.press("=", "1")
        assert "This exam does not allow a calculator." in sit.text()
        assert not sit.app.runner.query(CalculatorView)


async def test_a_basic_calculator_has_basic_keys_and_operations() -> None:
    async with sitting(_paper(), aids=ExamAids(calculator="basic")) as sit:
        await sit.press(*"=2+3", "enter", *"sin 30", "enter")
        assert "Basic calculator" in sit.text()
        assert "asin" not in sit.text()
        assert "= 5" in sit.text()
        below = [row[88:-1].strip() for row in sit.rows()]
        at = below.index("This exam allows a basic")
        assert " ".join(below[at : at + 3]) == "This exam allows a basic calculator: + - * / % sqrt and brackets."


async def test_without_a_reply_it_waits_until_the_server_has_said_what_is_allowed() -> None:
    async with sitting(_paper(), aids=Offline("no network")) as sit:
        await sit.press("=")
        assert "has not said yet whether this exam allows a calculator" in sit.text()
        await sit.press(*"=1+1", "enter")
        assert "= 2" in sit.text()
