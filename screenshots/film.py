"""Film the program in a terminal: `python -m screenshots.film` writes the moving pictures beside this script.

Each film is also a cast, for `asciinema play screenshots/film-exam.cast`.

A film is an animated SVG without scripts. Each row of the terminal is drawn once for each time that it looks the same.
"""

import json
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any

from benchmarks.terminal import KEYS, Terminal

HERE = Path(__file__).parent
COLUMNS, ROWS = 100, 22
WIDE, HIGH, SIZE = 8.4, 18.0, 14
BACKGROUND, FOREGROUND = "#0d1117", "#c5c8c6"
NAMED = {"red": "#ff6b6b", "green": "#57cc8a", "blue": "#6cb6ff", "black": "#000000", "white": "#ffffff"}
Piece = tuple[int, str, str, str, bool]
"""The column, the text, its two colours and whether it is bold."""


@dataclass
class Film:
    """What each row showed, and until when. Times are seconds of the film."""

    length: float = 0.0
    spans: dict[int, list[tuple[float, tuple[Piece, ...]]]] = field(default_factory=dict)

    def show(self, row: int, at: float, pieces: tuple[Piece, ...]) -> None:
        spans = self.spans.setdefault(row, [])
        if not spans or spans[-1][1] != pieces:
            spans.append((at, pieces))


@dataclass
class Camera:
    """Runs the program and films it, one run after the other."""

    folder: Path
    film: Film = field(default_factory=Film)
    terminal: Terminal = field(init=False)

    def start(self, words: Sequence[str], wait: str) -> None:
        self._caption(f"$ lms-tui {' '.join(words)}")
        places = {"LMS_TUI_DATA_DIR": str(self.folder / "data"), "LMS_TUI_CONFIG_DIR": str(self.folder / "config")}
        self.terminal = Terminal([sys.executable, "-m", "lms_tui", *words], COLUMNS, ROWS, places)
        self.terminal.wait(wait, 90)
        self.hold(1.4)

    def press(self, keys: str, seconds: float = 0.8) -> None:
        """Press keys, parted by blanks, and film what follows each of them."""
        for key in keys.split():
            sent = bytes([ord(key[-1]) & 0x1F]) if key.startswith("ctrl+") else KEYS.get(key, key.encode())
            self._caption(f"key: {key}")
            self.terminal.write(sent)
            self.hold(seconds)

    def until(self, text: str) -> None:
        """Wait without filming: nobody wants to watch a busy computer."""
        self.terminal.wait(text, 90)

    def hold(self, seconds: float) -> None:
        began, before = time.monotonic(), self.film.length
        while (passed := time.monotonic() - began) < seconds:
            self.terminal.read(0.04)
            self._look(before + passed)
        self.film.length = before + seconds

    def kill(self) -> None:
        self._caption("kill -9: the program is gone, in the middle of the exam")
        os.kill(self.terminal.pid, signal.SIGKILL)
        os.waitpid(self.terminal.pid, 0)
        for row in range(ROWS):
            self.film.show(row, self.film.length, ())
        self.film.length += 2.0

    def close(self) -> None:
        os.kill(self.terminal.pid, signal.SIGTERM)
        os.waitpid(self.terminal.pid, 0)

    def forget(self) -> None:
        """Leave out what was filmed so far."""
        self.film = Film()

    def _caption(self, words: str) -> None:
        self.film.show(ROWS, self.film.length, ((1, words, "efb429", "default", True),))

    def _look(self, at: float) -> None:
        self.terminal.emulate()
        screen = self.terminal.screen
        for y in range(ROWS):
            cells = [(x, screen.buffer[y][x]) for x in range(COLUMNS)]
            self.film.show(y, at, tuple(_pieces(cells)))


def _pieces(cells: Sequence[tuple[int, Any]]) -> Iterator[Piece]:
    for look, group in groupby(cells, key=lambda cell: (cell[1].fg, cell[1].bg, cell[1].bold, cell[1].reverse)):
        run = list(group)
        text = "".join(char.data for _, char in run)
        front, back, bold, reverse = look
        if reverse:
            front, back = (back if back != "default" else "0d1117"), (front if front != "default" else "c5c8c6")
        if text.strip() or back != "default":
            yield run[0][0], text, front, back, bold


def _colour(name: str) -> str:
    return f"#{name}" if len(name) == 6 and set(name) <= set("0123456789abcdef") else NAMED.get(name, FOREGROUND)


def drawn(film: Film, title: str) -> str:
    """Return the film as an animated SVG that runs again and again."""
    moves: dict[tuple[float, float], str] = {}
    rows: list[str] = []
    for y, spans in sorted(film.spans.items()):
        ends = [at for at, _ in spans[1:]] + [film.length]
        for (begin, pieces), end in zip(spans, ends, strict=True):
            if pieces and end - begin > 0.03:
                name = moves.setdefault((begin, end), f"m{len(moves)}")
                rows.append(f'<g class="{name}">{"".join(_piece(y, each) for each in pieces)}</g>')
    wide, high = COLUMNS * WIDE + 16, (ROWS + 1) * HIGH + 24
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:g} {high:g}" role="img">'
        f"<title>{escape(title)}</title><style>"
        f"text{{font:{SIZE}px 'Fira Code','DejaVu Sans Mono',Menlo,Consolas,monospace;white-space:pre}}"
        f".b{{font-weight:700}}g{{visibility:hidden;animation:{film.length:.2f}s step-end infinite}}"
        f"{''.join(_rules(moves, film.length))}</style>"
        f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>{"".join(rows)}</svg>\n'
    )


def _rules(moves: dict[tuple[float, float], str], length: float) -> Iterator[str]:
    for (begin, end), name in moves.items():
        first, last = 100 * begin / length, 100 * end / length
        steps = "0%{visibility:hidden}" if first > 0 else ""
        steps += f"{first:.2f}%{{visibility:visible}}"
        steps += f"{last:.2f}%{{visibility:hidden}}" if end < length else "100%{visibility:visible}"
        yield f".{name}{{animation-name:{name}}}@keyframes {name}{{{steps}}}"


def _piece(y: int, piece: Piece) -> str:
    x, text, front, back, bold = piece
    left, top = 8 + x * WIDE, 10 + y * HIGH
    box = ""
    if back != "default":
        size = f'width="{len(text) * WIDE:.1f}" height="{HIGH:g}"'
        box = f'<rect x="{left:.1f}" y="{top:.1f}" {size} fill="{_colour(back)}"/>'
    if not text.strip():
        return box
    kept = text.rstrip()
    left += (len(kept) - len(kept.lstrip())) * WIDE
    kept = kept.lstrip()
    weight = ' class="b"' if bold else ""
    return (
        f'{box}<text x="{left:.1f}" y="{top + 13.5:.1f}" textLength="{len(kept) * WIDE:.1f}" '
        f'lengthAdjust="spacingAndGlyphs" fill="{_colour(front)}"{weight}>{escape(kept)}</text>'
    )


def cast(film: Film, title: str) -> str:
    """Return the film as a cast of asciinema, version 2."""
    head = {"version": 2, "width": COLUMNS, "height": ROWS + 1, "title": title}
    shown = sorted((at, y, pieces) for y, spans in film.spans.items() for at, pieces in spans)
    frames = [[0.0, "o", "\x1b[?25l\x1b[2J"]]
    for at, group in groupby(shown, key=lambda span: span[0]):
        text = "".join(f"\x1b[{y + 1}H\x1b[0m\x1b[2K{''.join(map(_sent, pieces))}" for _, y, pieces in group)
        frames.append([round(at, 3), "o", text])
    frames.append([round(film.length, 3), "o", ""])  # how long the last picture stands
    return "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in (head, *frames))


def _sent(piece: Piece) -> str:
    """Return what draws a piece in a terminal."""
    x, text, front, back, bold = piece
    looks = ["1"] * bold + [
        f"{3 + ground}8;2;{_rgb(name)}" for ground, name in enumerate((front, back)) if name != "default"
    ]
    return f"\x1b[{x + 1}G\x1b[{';'.join(['0', *looks])}m{text}"


def _rgb(name: str) -> str:
    return ";".join(str(part) for part in bytes.fromhex(_colour(name)[1:]))


def exam(camera: Camera) -> None:
    camera.press("down down enter", 0.8)
    camera.until("Press enter to start")
    camera.press("enter", 0.2)
    camera.until("Question 1 of")
    camera.hold(1.2)
    camera.press("a n c m n b n", 0.8)
    camera.press("o", 1.6)
    camera.press("escape", 0.6)
    camera.press("ctrl+e", 1.5)
    camera.press("tab", 0.6)
    camera.press("enter", 0.3)
    camera.until("Score")
    camera.hold(3.0)


def killed(camera: Camera) -> None:
    camera.press("enter", 0.3)
    camera.until("Press enter to start")
    camera.hold(0.8)
    camera.press("enter", 0.2)
    camera.until("Question 1 of")
    camera.hold(1.0)
    camera.press("a n c n b", 0.9)
    camera.kill()
    camera.start(["demo"], "Resume")
    camera.press("enter", 0.3)
    camera.until("saved 3|saved 2")
    camera.hold(3.5)


def main() -> None:
    films = (
        ("film-exam", exam, "An exam: answers, the overview and the result"),
        ("film-killed", killed, "The program is killed in an exam and started again: every answer is there"),
    )
    for name, play, title in films:
        with tempfile.TemporaryDirectory() as folder:
            camera = Camera(Path(folder))
            camera.start(["demo"], "Available")
            camera.close()  # the first start makes the institute
            camera.forget()
            camera.start(["demo"], "Available")
            play(camera)
            camera.close()
            for end, draw in (("svg", drawn), ("cast", cast)):
                (HERE / f"{name}.{end}").write_text(draw(camera.film, title), encoding="utf-8")


if __name__ == "__main__":
    main()
