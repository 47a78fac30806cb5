"""Keys that arrive at once mean what they mean one after the other."""

from pathlib import Path

import pytest
from textual.events import Key
from textual.widgets import Input

from tests.fakes.attempts import AttemptInMemory, an_exam
from tests.fakes.program import program
from tests.fakes.served import served
from tests.fakes.sitting import Sitting, sitting
from tests.service.service_world import World

NAMED = {"\r": "enter", "\t": "tab", "\x1b": "escape", "\x7f": "backspace", "/": "slash"}


async def burst(sit: Sitting, keys: str) -> None:
    """Deliver keys as one read of a terminal does, before any of them is looked at."""
    for key in keys:
        named = NAMED.get(key, key)
        sit.app.post_message(Key(named, key if key.isprintable() else None))
    for _ in range(10):
        await sit.pilot.pause()


@pytest.mark.parametrize("times", range(5))
async def test_an_answer_after_next_is_the_next_questions(times: int) -> None:
    async with sitting(AttemptInMemory(an_exam(6))) as sit:
        await burst(sit, "anbncp")
        assert [sit.chosen(number) for number in (1, 2, 3)] == [(11,), (22,), (33,)]
        assert sit.keeper.session.current == 1


async def test_a_number_after_go_to_is_a_question_and_no_answer() -> None:
    async with sitting(AttemptInMemory(an_exam(12))) as sit:
        await burst(sit, "g4\rcg12\ra")
        assert sit.chosen(1) == ()
        assert sit.chosen(4) == (43,)
        assert sit.chosen(12) == (121,)


async def test_two_keys_of_a_sequence_and_what_follows_stay_together() -> None:
    async with sitting(AttemptInMemory(an_exam(4))) as sit:
        await burst(sit, "a]ub]uc")
        assert [sit.chosen(number) for number in (1, 2, 3)] == [(11,), (22,), (33,)]


async def test_what_is_typed_behind_the_slash_is_searched_for(tmp_path: Path) -> None:
    async with program(tmp_path) as shown:
        for key in "/quick\r":
            shown.app.post_message(Key(NAMED.get(key, key), key if key.isprintable() else None))
        for _ in range(10):
            await shown.settle()
        assert shown.app.screen.query_one("#search", Input).value == "quick"


async def test_what_is_typed_behind_the_slash_of_any_list_is_searched_for(world: World, tmp_path: Path) -> None:
    async with served(world, "admin", tmp_path) as run:
        await run.press("m")
        await run.see("For administrators")
        await run.press(*["down"] * 7, "enter")
        await run.see("Foundation Morning")
        for key in "/even\r":
            run.app.post_message(Key(NAMED.get(key, key), key if key.isprintable() else None))
        await run.see("“even”")
        await run.gone("Foundation Morning")
        assert run.app.screen.query_one("#search", Input).value == "even"
