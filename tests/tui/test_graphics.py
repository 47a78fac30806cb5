"""Pictures that the terminal draws: what it is told, what it is asked, and that what lies over them hides them."""

import base64
import io
import re
import zlib
from pathlib import Path
from typing import cast

import pytest
from PIL import Image
from rich.segment import Segment
from rich.style import Style
from textual.app import App
from textual.events import CursorPosition
from textual.geometry import Region

from lms_tui.common.settings import Appearance, Drawing
from lms_tui.content.html import parse
from lms_tui.content.images import Bitmap, decode, showing
from lms_tui.content.images.bitmap import Formula
from lms_tui.content.layout import layout
from lms_tui.content.lines import Part
from lms_tui.content.model import Maths, MathsStyle
from lms_tui.tui.terminal.graphics import (
    Graphics,
    Placement,
    Protocol,
    iterm,
    kitty_placed,
    kitty_sent,
    placements,
    sixel,
)
from lms_tui.tui.widgets.drawn import part_style
from lms_tui.wire.attempts import ReviewQuestion
from tests.fakes import institute
from tests.fakes.lms import FakeLms
from tests.fakes.program import Program, program


def png(size: tuple[int, int] = (64, 64), left: str = "#ff0000", right: str = "#0000ff") -> bytes:
    image = Image.new("RGB", size, left)
    image.paste(right, (size[0] // 2, 0, *size))
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def uri() -> str:
    return f"data:image/png;base64,{base64.b64encode(png()).decode()}"


@pytest.fixture
def bitmap() -> Bitmap:
    found = decode(png())
    assert found is not None
    return found


WHOLE = Placement(1, 4, 2, 8, 4, 0, 4)


def _of(share: str) -> int:
    return round(int(share) * 2.55)


def painted(text: str) -> Image.Image:
    """Read sixels as a terminal does."""
    head = re.match(r'\x1bP0;0;0q"1;1;(\d+);(\d+)', text)
    assert head is not None
    image = Image.new("RGB", (int(head[1]), int(head[2])), "#00ff00")
    colours: dict[int, tuple[int, int, int]] = {}
    x = y = colour = 0
    body = text[head.end() :].removesuffix("\x1b\\")
    for found in re.finditer(r"#(\d+);2;(\d+);(\d+);(\d+)|#(\d+)|!(\d+)(.)|(\$)|(-)|(.)", body):
        if found[1]:
            colours[int(found[1])] = (_of(found[2]), _of(found[3]), _of(found[4]))
        elif found[5]:
            colour = int(found[5])
        elif found[8]:
            x = 0
        elif found[9]:
            x, y = 0, y + 6
        else:
            bits = ord(found[7] or found[10]) - 63
            run = int(found[6] or 1)
            for bit in range(6):
                if bits >> bit & 1:
                    image.paste(colours[colour], (x, y + bit, x + run, y + bit + 1))
            x += run
    return image


def test_sixels_decode_to_the_picture_and_fit_its_cells(bitmap: Bitmap) -> None:
    image = painted(sixel(bitmap, WHOLE, (10, 20)))
    assert image.size == (80, 80)
    assert image.getpixel((5, 40)) == (255, 0, 0)
    assert image.getpixel((75, 79)) == (0, 0, 255)
    lowest = painted(sixel(bitmap, WHOLE, (10, 20), lowest=True))
    assert lowest.size == (80, 78)
    assert lowest.getpixel((75, 77)) == (0, 0, 255)
    half = painted(sixel(bitmap, Placement(1, 4, 2, 8, 4, 2, 2), (10, 20)))
    assert half.size == (80, 40)


def test_kitty_gets_every_pixel_in_short_chunks_and_places_the_visible_part(bitmap: Bitmap) -> None:
    sent = kitty_sent(bitmap, 7)
    chunks = re.findall(r"\x1b_G([^;]*);([^\x1b]*)\x1b\\", sent)
    assert "i=7,f=24,o=z,s=64,v=64" in chunks[0][0]
    assert [control[-3:] for control, _ in chunks] == ["m=1"] * (len(chunks) - 1) + ["m=0"]
    assert max(len(data) for _, data in chunks) <= 4096
    assert zlib.decompress(base64.b64decode("".join(data for _, data in chunks))) == bitmap.pixels
    assert "i=7,c=8,r=2,y=32,h=32" in kitty_placed(bitmap, 7, Placement(1, 4, 2, 8, 4, 2, 2))


def test_iterm_gets_a_file_of_the_visible_part(bitmap: Bitmap) -> None:
    told = iterm(bitmap, Placement(1, 4, 2, 8, 4, 2, 2))
    found = re.fullmatch(r"\x1b\]1337;File=inline=1;size=(\d+);width=8;height=2;preserveAspectRatio=0:(.*)\x07", told)
    assert found is not None
    data = base64.b64decode(found[2])
    assert len(data) == int(found[1])
    assert Image.open(io.BytesIO(data)).size == (64, 32)


def rows_of(bitmap: Bitmap, seen: range, cells: int = 8) -> list[list[Segment]]:
    return [
        [Segment("    "), Segment(" " * cells, part_style(Part(bitmap, row, 8, 4)) + Style(bgcolor="red"))]
        for row in seen
    ]


def test_only_fully_visible_rows_are_drawn(bitmap: Bitmap) -> None:
    (whole,) = placements([[Segment("text")], *rows_of(bitmap, range(4))])
    assert (whole.x, whole.y, whole.first, whole.count) == (4, 1, 0, 4)
    (cropped,) = placements(rows_of(bitmap, range(2, 4)))
    assert (cropped.y, cropped.first, cropped.count) == (0, 2, 2)
    assert placements(rows_of(bitmap, range(4), cells=5)) == ()


class Terminal:
    """Stands for an app on a terminal: hears what is written, and has the screen of now."""

    is_headless = is_web = False

    def __init__(self, size: tuple[int, int] = (80, 24)) -> None:
        self.size = Region(0, 0, *size).size
        self.written: list[str] = []
        self.rows: list[list[Segment]] = []
        self._driver = self
        self.screen = self
        self._compositor = self
        self.console = None

    def render_strips(self) -> list[list[Segment]]:
        return self.rows

    def write(self, text: str) -> None:
        self.written.append(text)

    def flush(self) -> None:
        pass


ANSWERS = {
    "kitty": ([(2, 22), (0, 22), (0, 1)], Protocol.KITTY),
    "xterm with sixels": ([(0, 22), (0, 22), (0, 4)], Protocol.SIXEL),
    "iTerm2, which has both": ([(0, 22), (2, 22), (0, 5)], Protocol.SIXEL),
    "iTerm2 of old": ([(0, 22), (2, 22), (0, 1)], Protocol.ITERM),
    "one that prints what it does not know": ([(46, 22), (60, 22), (40, 1)], None),
    "a plain one": ([(0, 22), (0, 22), (0, 1)], None),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_the_graphics_protocol_is_found_by_the_cursor(name: str) -> None:
    terminal = Terminal()
    graphics = Graphics(cast("App[None]", terminal), environment={"TERM": "xterm-256color"})
    answers, protocol = ANSWERS[name]
    graphics.ask()
    assert terminal.written[0].count("\x1b[6n") == 3
    graphics.hear(CursorPosition(2, 23))  # of another question, on the last row
    heard = [graphics.hear(CursorPosition(x, y)) for x, y in answers]
    assert heard == [False, False, protocol is not None]
    assert graphics.protocol is protocol


def test_multiplexer_is_asked_for_sixels_only() -> None:
    terminal = Terminal()
    graphics = Graphics(cast("App[None]", terminal), environment={"TERM": "tmux-256color"})
    graphics.ask()
    assert "\x1b_G" not in terminal.written[0]
    assert "1337" not in terminal.written[0]
    assert graphics.hear(CursorPosition(0, 4))
    assert graphics.protocol is Protocol.SIXEL


@pytest.mark.parametrize("size", [(59, 40), (80, 15)])
def test_small_window_is_not_asked(size: tuple[int, int]) -> None:
    terminal = Terminal(size)
    graphics = Graphics(cast("App[None]", terminal), environment={})
    graphics.ask()
    assert terminal.written == []


def test_pictures_are_drawn_again_only_after_a_move_or_an_overwrite(bitmap: Bitmap) -> None:
    terminal = Terminal()
    graphics = Graphics(cast("App[None]", terminal), Protocol.SIXEL, {})
    terminal.rows = rows_of(bitmap, range(4))
    graphics._draw()
    graphics._draw()
    assert len(terminal.written) == 1
    for beside in ("\x1b[1;81H\x1b[1m12:00", "\x1b[4;60H\x1b[1m12 saved", "\x1b[4;1H", terminal.written[0]):
        graphics.wrote(f"\x1b[?2026h{beside}\x1b[40;1H\x1b[?2026l")
        graphics._draw()
        assert len(terminal.written) == 1
    graphics.wrote("\x1b[4;1H\x1b[1mA whole row")
    graphics._draw()
    assert len(terminal.written) == 2
    terminal.rows = rows_of(bitmap, range(1, 4))
    graphics._draw()
    assert len(terminal.written) == 3


def test_kitty_gets_a_picture_once_and_a_deletion_at_the_end(bitmap: Bitmap) -> None:
    terminal = Terminal()
    graphics = Graphics(cast("App[None]", terminal), Protocol.KITTY, {})
    for rows in (rows_of(bitmap, range(4)), rows_of(bitmap, range(2)), []):
        terminal.rows = rows
        graphics._draw()
    assert [text.count("a=t,") for text in terminal.written] == [1, 0, 0]
    assert [text.count("a=p,") for text in terminal.written] == [1, 1, 0]
    assert [text.count("a=d,") for text in terminal.written] == [0, 1, 1]


def test_a_formula_picture_is_aligned_at_its_baseline(bitmap: Bitmap) -> None:
    class Drawn:
        graphics = True
        formulas = True

        def find(self, source: str) -> None:
            return None

        def formula(self, maths: Maths) -> Formula:
            return Formula(bitmap, 8, 3, 1)

    with showing(Drawn()):
        lines = layout(parse(r"so \(x\), then"), 40, MathsStyle.PICTURE)
    assert [line.text for line in lines] == ["           ", "so         , then", "           "]
    with showing(None):
        assert [line.text for line in layout(parse(r"so \(x\), then"), 40, MathsStyle.PICTURE)] == ["so x, then"]


async def until_written(run: Program, written: list[str], pattern: str) -> None:
    await run.until(lambda: any(re.search(pattern, text) for text in written))


@pytest.mark.parametrize(("drawing", "drawn"), [(Drawing.SIXEL, "\x1bP0;0;0q"), (Drawing.KITTY, "\x1b_Ga=p")])
async def test_a_picture_in_the_review_is_removed_with_its_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, drawing: Drawing, drawn: str
) -> None:
    plain = institute.reviewed

    def reviewed(number: int) -> ReviewQuestion:
        asked = plain(number)
        html = f"<p>Look: <img src='{uri()}' alt='two colours'></p>"
        return asked.model_copy(update={"question": asked.question.model_copy(update={"question_html": html})})

    monkeypatch.setattr(institute, "reviewed", reviewed)
    async with program(tmp_path, FakeLms(), appearance=Appearance(pictures=drawing)) as run:
        written: list[str] = []
        driver = run.app._driver
        assert driver is not None
        monkeypatch.setattr(driver, "write", written.append)
        await run.press("down", "down", "down", "down", "enter", "enter")
        await until_written(run, written, re.escape(drawn))
        assert "▀" not in run.text()
        assert "[image: two colours, 64×64]" in run.text()
        written.clear()
        await run.press("z")
        await until_written(run, written, re.escape(drawn))
        if drawing is Drawing.KITTY:
            written.clear()
            await run.press("escape", "question_mark")
            await until_written(run, written, r"\x1b_Ga=d,d=a")
