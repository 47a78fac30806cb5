"""How a screen looks, kept as text: its words once, and for each theme the colours of each cell by a letter.

`LMS_TUI_SNAPSHOTS=write pytest …` makes them anew. A change of one is looked at by a person before it is kept.
"""

import os
import string
from pathlib import Path

from textual.widgets import Input, TextArea

from tests.fakes.program import Program

THEMES = ("dark", "light")
SIZES = ((80, 24), (120, 40))
_FOLDER = Path(__file__).parents[1] / "tui" / "snapshots"
_WRITE = os.environ.get("LMS_TUI_SNAPSHOTS") == "write"
_LETTERS = string.ascii_letters + string.digits


async def looks_as_kept(run: Program, name: str) -> bool:
    """Compare what is shown in every theme with what is kept under this name, or keep it."""
    for field in (*run.app.screen.query(Input), *run.app.screen.query(TextArea)):
        field.cursor_blink = False  # a cursor that comes and goes is there in one run and not in the next
        field._cursor_visible = True
    await run.pilot.pause()
    shown = run.rows()
    before = run.app.theme
    for theme in THEMES:
        run.app.theme = theme
        await run.pilot.pause()
        await run.pilot.pause()
        shown += ["", f"═══ {theme}", *_colours(run)]
    run.app.theme = before
    await run.pilot.pause()
    file = _FOLDER / f"{name}.txt"
    text = "\n".join(line.rstrip() for line in shown) + "\n"
    if _WRITE:
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return file.exists() and file.read_text(encoding="utf-8") == text


def _colours(run: Program) -> list[str]:
    known: dict[str, str] = {}
    rows = []
    for strip in run.app.screen._compositor.render_strips():
        row = ""
        for text, style, _ in strip:
            front, back = (style.color, style.bgcolor) if style else (None, None)
            bold = " bold" if style and style.bold else ""
            look = f"{front.name if front else '-'} on {back.name if back else '-'}{bold}"
            letter = known.setdefault(look, _LETTERS[len(known) % len(_LETTERS)])
            row += letter * len(text)
        rows.append(row)
    return [*rows, "", *(f"{letter} {look}" for look, letter in known.items())]
