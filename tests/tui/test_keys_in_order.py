"""Keys that arrive at once mean what they mean one after the other."""

import asyncio
import random
from pathlib import Path
from typing import ClassVar

import pytest
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.events import Key, MouseDown, Paste
from textual.screen import Screen
from textual.widgets import Input, Static, TextArea
from textual.widgets.text_area import Edit, EditResult

from lms_tui.tui.terminal import key_order
from tests.fakes.attempts import AttemptInMemory, an_exam, question
from tests.fakes.program import program
from tests.fakes.served import served
from tests.fakes.sitting import Sitting, sitting
from tests.service.service_world import World
from tests.tui.test_mouse_buttons import mouse

NAMED = {"\r": "enter", "\t": "tab", "\x1b": "escape", "\x7f": "backspace", "/": "slash"}


async def deliver(app: App[None], keys: str, seed: int = 0) -> None:
    """Deliver keys as reads of a terminal do: all before any is looked at, or (with a seed) some while others are."""
    chance = random.Random(seed)
    for key in keys:
        app.post_message(Key(NAMED.get(key, key), key if key.isprintable() else None))
        for _ in range(chance.choice((0, 0, 1, 3, 9)) if seed else 0):
            await asyncio.sleep(0)


async def burst(sit: Sitting, keys: str, seed: int = 0) -> None:
    await deliver(sit.app, keys, seed)
    for _ in range(10):
        await sit.pilot.pause()


@pytest.mark.parametrize("seed", range(8))
async def test_an_answer_after_next_belongs_to_the_next_question(seed: int) -> None:
    async with sitting(AttemptInMemory(an_exam(6))) as sit:
        await burst(sit, "anbncp", seed)
        assert [sit.chosen(number) for number in (1, 2, 3)] == [(11,), (22,), (33,)]
        assert sit.keeper.session.current == 1


@pytest.mark.parametrize("seed", range(8))
async def test_a_number_after_go_to_is_a_question_number(seed: int) -> None:
    async with sitting(AttemptInMemory(an_exam(12))) as sit:
        await burst(sit, "g4\rcg12\ra", seed)
        assert sit.chosen(1) == ()
        assert sit.chosen(4) == (43,)
        assert sit.chosen(12) == (121,)


@pytest.mark.parametrize("event", [Key("a", "a"), Paste("a"), mouse(MouseDown, (1, 1), 1)])
async def test_keys_and_clicks_after_the_last_screen_was_closed_are_dropped(event: Key | Paste | MouseDown) -> None:
    async with sitting(AttemptInMemory(an_exam(2))) as sit:
        stack, sit.app._screen_stacks[sit.app._current_mode] = sit.app.screen_stack, []
        try:
            await sit.app.on_event(event)
        finally:
            sit.app._screen_stacks[sit.app._current_mode] = stack
        assert sit.chosen(1) == ()


class Later(Screen[None]):
    """Opens while a key of the screen below is under way, and has a command of that key."""

    BINDINGS: ClassVar[list[BindingType]] = [("x", "show_text")]
    shown = 0

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static("text", id="text")

    def action_show_text(self) -> None:
        self.query_one("#text", Static).update("shown")
        self.shown += 1


class Opener(Static, can_focus=True):
    def on_key(self) -> None:
        self.app.push_screen(Later())


class Openers(key_order.SequentialKeysApp[None]):
    def compose(self) -> ComposeResult:
        yield Opener()


async def test_a_key_that_nobody_took_is_no_key_for_a_screen_that_has_opened_since() -> None:
    async with Openers().run_test() as pilot:
        await pilot.press("x")
        await pilot.pause()
        assert isinstance(pilot.app.screen, Later)
        assert pilot.app.screen.shown == 0
        await pilot.press("x")
        assert pilot.app.screen.shown == 1


async def test_keys_after_a_two_key_sequence_act_after_it() -> None:
    async with sitting(AttemptInMemory(an_exam(4))) as sit:
        await burst(sit, "a]ub]uc")
        assert [sit.chosen(number) for number in (1, 2, 3)] == [(11,), (22,), (33,)]


@pytest.mark.parametrize("seed", range(8))
async def test_text_after_the_slash_goes_into_the_search(tmp_path: Path, seed: int) -> None:
    async with program(tmp_path) as shown:
        await deliver(shown.app, "/quick\r", seed)
        for _ in range(10):
            await shown.settle()
        assert shown.app.screen.query_one("#search", Input).value == "quick"


@pytest.mark.parametrize("seed", range(4))
async def test_text_a_paste_and_the_next_answer_stay_separate(seed: int) -> None:
    paper = (question(1, "<p>Who?</p>", kind="S"), *an_exam(3)[1:])
    async with sitting(AttemptInMemory(paper)) as sit:
        await deliver(sit.app, "\rab", seed)
        sit.app.post_message(Paste("cd"))
        await burst(sit, "e\x1bnb", seed)
        assert sit.keeper.session.items[0].answer.short_text == "abcde"
        assert sit.chosen(2) == (22,)


async def test_text_that_arrives_at_once_changes_an_essay_in_one_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """A paste without brackets arrives as keys."""
    changes: list[str] = []
    changed = TextArea.edit

    def counted(area: TextArea, edit: Edit) -> EditResult:
        changes.append(edit.text)
        return changed(area, edit)

    monkeypatch.setattr(TextArea, "edit", counted)
    text = "The sea is warm.\r\rAnd \u200d salty: [/b] \x7f \x7f  end "
    async with sitting(AttemptInMemory((question(1, "<p>Why?</p>", kind="E"), *an_exam(3)[1:]))) as sit:
        await sit.press("enter")
        await burst(sit, f"{text * 20}\x1bnb")
        assert sit.keeper.session.items[0].answer.essay_text == (
            "The sea is warm.\n\nAnd \u200d salty: [/b]  end " * 20
        )
        assert len(changes) < 200
        assert sit.chosen(2) == (22,)


@pytest.mark.parametrize("pasted", [False, True])
async def test_the_end_of_text_that_arrives_at_once_is_in_sight(pasted: bool) -> None:
    """The field knows how high its text is only after the cursor has moved."""
    text = "".join(f"Row {number} of many words that fill the row.\n" for number in range(60))
    async with sitting(AttemptInMemory((question(1, "<p>Why?</p>", kind="E"), *an_exam(3)[1:]))) as sit:
        await sit.press("enter", "x")
        if pasted:
            sit.app.post_message(Paste(f"{text}The end"))
        await burst(sit, "" if pasted else text.replace("\n", "\r") + "The end")
        assert "The end" in sit.text()


@pytest.mark.parametrize("kind", ["S", "E"])
async def test_text_that_arrives_at_once_replaces_the_selection(kind: str) -> None:
    async with sitting(AttemptInMemory((question(1, "<p>Who?</p>", kind=kind), *an_exam(3)[1:]))) as sit:
        await burst(sit, "\rold text")
        await sit.press("shift+left", "shift+left", "shift+left", "shift+left")
        await burst(sit, "word\x1b")
        item = sit.keeper.session.items[0]
        assert "old word" in {item.answer.short_text, item.answer.essay_text}


async def test_a_slow_key_does_not_block_later_keys_forever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(key_order, "_PATIENCE", 0.05)
    begun, held = asyncio.Event(), asyncio.Event()

    class Busy(Input):
        async def on_key(self) -> None:
            begun.set()
            await held.wait()

    async with sitting(AttemptInMemory(an_exam(3))) as sit, asyncio.timeout(30):
        await sit.app.screen.mount(busy := Busy())
        busy.focus()
        await sit.pilot.pause()
        await deliver(sit.app, "x")
        await begun.wait()
        sit.app.screen.set_focus(None)
        await deliver(sit.app, "nb")
        while sit.chosen(2) != (22,):  # noqa: ASYNC110 - no event tells, and no time is slept
            await asyncio.sleep(0)
        held.set()


async def test_text_after_the_slash_goes_into_the_search_of_any_list(world: World, tmp_path: Path) -> None:
    async with served(world, "admin", tmp_path) as run:
        await run.press("m")
        await run.see("For administrators")
        await run.press(*["down"] * 8, "enter")
        await run.see("Foundation Morning")
        await deliver(run.app, "/even\r")
        await run.see("“even”")
        await run.gone("Foundation Morning")
        assert run.app.screen.query_one("#search", Input).value == "even"
