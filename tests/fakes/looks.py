"""How a screen looks, kept as text: its class, its words once, and for each theme the colours of cells by a letter.

`LMS_TUI_SNAPSHOTS=write pytest …` makes them anew. A change of one is looked at by a person before it is kept.
"""

import os
import string
from pathlib import Path
from typing import Any, Protocol

from textual.app import App
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

THEMES = ("dark", "light")
SIZES = ((80, 24), (120, 40))
LOOKS = 20
FOLDER = Path(__file__).parents[1] / "tui" / "snapshots"
_WRITE = os.environ.get("LMS_TUI_SNAPSHOTS") == "write"
_LETTERS = string.ascii_letters + string.digits


class Shown(Protocol):
    """An app that a test drives: the whole program, or a runner in an app of its own."""

    @property
    def app(self) -> App[Any]: ...
    @property
    def pilot(self) -> Pilot[Any]: ...
    def rows(self) -> list[str]: ...


async def looks_as_kept(run: Shown, name: str) -> bool:
    """Compare what is shown in every theme with what is kept under this name and size, or keep it.

    On a busy machine a screen may be laid out late: what is not yet as it is kept is looked at again.
    """
    file = FOLDER / f"{name}-{run.app.size.width}x{run.app.size.height}.txt"
    if _WRITE:
        file.parent.mkdir(exist_ok=True)
        file.write_text(await _look(run), encoding="utf-8")
        return True
    if not file.exists():
        return False
    kept = file.read_text(encoding="utf-8")
    for _ in range(LOOKS):
        if await _look(run) == kept:
            return True
    return False


async def _look(run: Shown) -> str:
    """Return what is shown, in every theme."""
    for field in (*run.app.screen.query(Input), *run.app.screen.query(TextArea)):
        field.cursor_blink = False  # a cursor that comes and goes is there in one run and not in the next
        field._cursor_visible = True
    await run.pilot.pause()
    shown = [type(run.app.screen).__name__, *run.rows()]
    before = run.app.theme
    for theme in THEMES:
        run.app.theme = theme
        await run.pilot.pause()
        await run.pilot.pause()
        shown += ["", f"═══ {theme}", *_colours(run)]
    run.app.theme = before
    await run.pilot.pause()
    return "\n".join(line.rstrip() for line in shown) + "\n"


def _colours(run: Shown) -> list[str]:
    """A letter for each cell that is not looked at as the first of them is, and what the letters stand for."""
    known: dict[str, str] = {}
    rows = []
    for strip in run.app.screen._compositor.render_strips():
        row = ""
        for segment in strip:
            style = segment.style
            front, back = (style.color, style.bgcolor) if style else (None, None)
            look = f"{front.name if front else '-'} on {back.name if back else '-'}"
            look += " bold" if style and style.bold else ""
            look += " underline" if style and style.underline else ""
            letter = known.setdefault(look, _LETTERS[len(known) % len(_LETTERS)])
            row += letter * segment.cell_length
        rows.append(row)
    return [*rows, "", *(f"{letter} {look}" for look, letter in known.items())]
