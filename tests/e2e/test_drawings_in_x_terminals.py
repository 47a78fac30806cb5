"""SVG, around a formula, is seen in real xterm, kitty and mlterm, under Xvfb, in its place: nothing scrolls for it."""

import time
from pathlib import Path

import pytest
from PIL import Image, ImageGrab, features

from tests.e2e.x_windows import Window, open_window

PATIENCE = 120.0
_TERMINALS = {
    "xterm": ("sixel", ["xterm", "-u8", "-ti", "vt340", "-bg", "white", "-fg", "black", "-geometry", "60x12", "-e"]),
    "kitty": ("kitty", ["kitty", "-o", "confirm_os_window_close=0", "-o", "background=#ffffff"]),
    "mlterm": ("iterm", ["mlterm", "--bg=white", "--fg=black", "-e"]),
}
_DRAWING = (
    "<svg xmlns='http://www.w3.org/2000/svg' width='60' height='30'><rect width='60' height='30' fill='{}'/></svg>"
)
_RED, _YELLOW = (255, 0, 0), (255, 255, 0)
_SCRIPT = r"""
import os, sys
from lms_tui.commands.show import opened, show
from pathlib import Path
for _ in range(9):
    print()
show(opened(Path(sys.argv[1])), maths="picture", width=50)
sys.stdout.flush()
Path(sys.argv[2]).touch()
sys.stdin.read()
"""


@pytest.mark.parametrize("terminal", _TERMINALS)
def test_drawings_at_the_end_of_a_full_screen_do_not_overlap(terminal: str, display: str, tmp_path: Path) -> None:
    pytest.importorskip("typst")
    if not features.check("xcb"):
        pytest.skip("Pillow cannot look at X")
    page, told = tmp_path / "page.html", tmp_path / "told"
    red, yellow = (
        f'<p><img alt="field" src="data:image/svg+xml,{_DRAWING.format(name)}"></p>' for name in ("red", "yellow")
    )
    page.write_text(f"{red}<p>\\(\\color{{black}}x^2\\)</p>{yellow}")
    protocol, command = _TERMINALS[terminal]
    window = open_window(display, tmp_path, command, _SCRIPT, str(page), str(told), LMS_TUI_PICTURES=protocol)
    try:
        image = seen(display, window)
    finally:
        window.close()
    rows = {colour: rows_of(image, colour) for colour in (_RED, _YELLOW)}
    if not told.exists() and not all(rows.values()):
        pytest.skip(window.cannot_draw())
    assert all(rows.values()), rows
    for each in rows.values():
        assert each == list(range(each[0], each[0] + len(each)))
    assert rows[_RED][-1] + 20 < rows[_YELLOW][0]


def seen(display: str, window: Window) -> Image.Image:
    """Look until both drawings are there and stay as they are, or patience ends."""
    end, before = time.monotonic() + PATIENCE, None
    while True:
        image = ImageGrab.grab(xdisplay=display).convert("RGB")
        found = image == before and all(rows_of(image, colour) for colour in (_RED, _YELLOW))
        if found or time.monotonic() > end or window.process.poll() is not None:
            return image
        before = image
        time.sleep(0.2)


def rows_of(image: Image.Image, colour: tuple[int, int, int]) -> list[int]:
    """Rows in which a run of this colour is seen."""
    near = image.point(lambda value: 255 if value > 200 else 0)
    wanted = bytes(colour) * 20
    line, pixels = image.width * 3, near.tobytes()
    return [y for y in range(image.height) if wanted in pixels[y * line : (y + 1) * line]]
