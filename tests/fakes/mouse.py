"""The mouse as a terminal tells it: presses, moves and releases, each taking effect before the next one.

The pilot makes a click of every button by itself.
"""

from typing import Final, Protocol

from textual.app import App
from textual.events import MouseDown, MouseEvent, MouseMove, MouseUp
from textual.pilot import Pilot

LEFT: Final = 1
RIGHT: Final = 3
NO_BUTTON: Final = 0
Cell = tuple[int, int]
"""Column and row of the screen."""


class Running(Protocol):
    """A program in a test."""

    @property
    def app(self) -> App[None]: ...

    @property
    def pilot(self) -> Pilot[None]: ...


async def send(run: Running, kind: type[MouseEvent], at: Cell, button: int = LEFT) -> None:
    x, y = at
    run.app.post_message(kind(None, x, y, 0, 0, button, False, False, False, x, y))
    for _ in range(4):
        await run.pilot.pause()


async def press(run: Running, at: Cell, button: int = LEFT) -> None:
    """Press and release a button."""
    await send(run, MouseDown, at, button)
    await send(run, MouseUp, at, button)


async def drag(run: Running, start: Cell, *way: Cell) -> None:
    await send(run, MouseDown, start)
    for place in way:
        await send(run, MouseMove, place)
    await send(run, MouseUp, way[-1])
