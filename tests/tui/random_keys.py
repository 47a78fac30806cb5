"""Random keys, clicks and sizes at the whole program, over a server that answers early and late.

`python -m tests.tui.random_keys SEED RUNS` plays runs of 300 steps each, and prints those that end the program.
"""

import asyncio
import contextlib
import inspect
import string
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import Any

from textual.events import Key, MouseDown, MouseUp, Paste
from textual.geometry import Size
from textual.keys import key_to_character

from tests.fakes.lms import FakeLms, school
from tests.fakes.program import program
from tests.tui.test_mouse_buttons import mouse

STEPS = 300
LONGEST = 120.0
"""Seconds after which a run is said to hang."""
SIZES = [(80, 24), (100, 30), (120, 40), (40, 12), (200, 60)]
KEYS = [
    *string.ascii_lowercase,
    *string.digits,
    *("question_mark", "slash", "equals_sign", "plus", "minus", "full_stop", "space"),
    *(["enter"] * 12 + ["escape"] * 6 + ["tab", "shift+tab", "up", "down", "left", "right"] * 2),
    *("home", "end", "pageup", "pagedown", "backspace", "delete"),
    *(f"f{number}" for number in range(1, 13) if number != 8),
    *(["ctrl+p", "f7", "f12", "f1"] * 2),
    *(
        "ctrl+e",
        "ctrl+r",
        "ctrl+s",
        "ctrl+u",
        "ctrl+a",
        "ctrl+k",
        "ctrl+w",
        "ctrl+left",
        "ctrl+right",
        "alt+n",
        "alt+b",
    ),
]
"""The keys of the program, without those that quit it."""
PASTES = ["two words", "a\nb", "\x1b[31mred", "7", "x" * 3000, "अ"]


def late(function: Callable[..., Awaitable[Any]], random: Random) -> Callable[..., Awaitable[Any]]:
    """Return the function, which begins after some rounds of the event loop."""

    async def answer(*arguments: Any, **named: Any) -> Any:
        for _ in range(random.choice([0, 0, 5, 50, 200])):
            await asyncio.sleep(0)
        return await function(*arguments, **named)

    return answer


def slow(lms: FakeLms, random: Random) -> FakeLms:
    """Let each endpoint answer after a random time."""
    for part in (lms.attempts, lms.exams, lms.posts, lms.users, lms.videos):
        for name, function in inspect.getmembers(part, inspect.iscoroutinefunction):
            setattr(part, name, late(function, random))
    return lms


async def play(folder: Path, seed: int) -> list[str]:
    """Play one run. Return the steps. Raises what has ended the program."""
    random = Random(seed)
    size = random.choice(SIZES)
    with contextlib.chdir(folder):  # a path that is typed for a file begins here
        return await _played(folder, random, size)


async def _played(folder: Path, random: Random, size: tuple[int, int]) -> list[str]:
    steps: list[str] = []
    async with program(folder, slow(school(), random), size=size, home=True) as run:
        app = run.app
        for _ in range(STEPS):
            if not app.is_running:  # somebody has quit by the palette
                break
            match random.random():
                case chance if chance < 0.12:
                    at = random.randrange(app.size.width), random.randrange(app.size.height)
                    button = random.choice([1, 1, 1, 3])
                    steps.append(f"click {button} {at}")
                    for kind in (MouseDown, MouseUp):
                        app.post_message(mouse(kind, at, button))
                case chance if chance < 0.14:
                    steps.append("paste")
                    app.post_message(Paste(random.choice(PASTES)))
                case chance if chance < 0.15:
                    await run.pilot.resize_terminal(*Size(*random.choice(SIZES)))
                    steps.append(f"size {app.size}")
                case _:
                    key = random.choice(KEYS)
                    steps.append(key)
                    app.post_message(Key(key, key_to_character(key)))
            if random.random() < 0.3:
                await run.pilot.pause()
            else:
                for _ in range(random.choice([0, 1, 5, 30, 100])):
                    await asyncio.sleep(0)
        for _ in range(5):  # what was begun may wait for a person
            await run.pilot.pause()
        await run.until(lambda: not app.is_running or app.screen.is_mounted)
    return steps


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def main() -> int:
    seed, runs = map(int, sys.argv[1:3])
    failed = 0
    for number in range(seed, seed + runs):
        with tempfile.TemporaryDirectory() as folder:
            try:
                asyncio.run(asyncio.wait_for(play(Path(folder), number), LONGEST))
            except Exception as error:  # noqa: BLE001 - each is a defect, and the next run may find another
                failed += 1
                say(f"seed {number}: {type(error).__name__}: {error}")
                for report in Path(folder).rglob("crash.log"):
                    say(report.read_text(encoding="utf-8"))
    say(f"{runs} runs, {failed} have ended the program")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
