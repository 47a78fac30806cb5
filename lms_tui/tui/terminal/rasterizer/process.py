"""Orders to the process that draws, one at a time, each with a limit of time; a process that dies is started again."""

import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from threading import Lock, Timer
from typing import Final

import lms_tui
from lms_tui.content.images import Bitmap, Formula
from lms_tui.content.images.bitmap import LARGEST
from lms_tui.content.maths.render import render_maths, tree_of
from lms_tui.content.maths.typeset import in_line
from lms_tui.content.model import Maths, MathsStyle

_SECONDS: Final = 5.0
_MOST_DEATHS: Final = 20
"""Processes that are started before nothing is drawn any more."""
_LONGEST: Final = 8_000
"""Characters of a formula as the typesetter reads it."""
_WIDEST: Final = 200
_MOST_BYTES: Final = 16_000_000
_FOREIGN: Final = re.compile("[^\0-\u052f\u1e00-\u2bff\u2e00-\u2e4f\U0001d400-\U0001d7ff]")
"""What the typesetter's own fonts do not have."""
_SVG: Final = re.compile(rb"\s*(?:<\?xml|<!--|<!DOCTYPE\s+svg|<(?:\w{1,20}:)?svg[\s>])", re.IGNORECASE)
_BOM: Final = b"\xef\xbb\xbf"


def is_installed() -> bool:
    """Say whether there is something to draw with (`lms-tui[pictures]`)."""
    return find_spec("typst") is not None


def is_svg(data: bytes) -> bool:
    """Say whether these bytes look like an SVG."""
    data = data.removeprefix(_BOM)
    return _SVG.match(data) is not None and b"svg" in data[:4_096]


class Easel:
    """Draws in a process that is started with the first order. Orders wait for each other: call it from threads."""

    def __init__(self, seconds: float = _SECONDS) -> None:
        self._seconds = seconds
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._started = 0
        self._closed = False

    def svg(self, data: bytes) -> Bitmap | None:
        """Draw an SVG of at most LARGEST bytes; None where it cannot be drawn, or asks for a file or an address."""
        if len(data) > LARGEST or not is_svg(data):
            return None
        answer = self._ordered({"kind": "svg", "svg": data.decode("utf-8", "replace").removeprefix("\ufeff")})
        if answer is None:
            return None
        size, pixels = answer
        shown = size["wide"], size["tall"]
        return Bitmap(size["width"], size["height"], pixels, shown, hashlib.sha256(data).digest())

    def formula(self, maths: Maths, ink: str, paper: str) -> Formula | None:
        """Draw a formula in these colours (#rrggbb), with room for its letters in the cells under it.

        None where it is only a text, holds letters that there is no font for, or cannot be drawn.
        """
        tree = tree_of(maths)
        try:
            markup = "" if tree is None else in_line(tree, display=maths.display)
        except RecursionError:  # deeper than this thread has room for
            return None
        if not markup or len(markup) > _LONGEST or _FOREIGN.search(markup):
            return None
        text = render_maths(maths, MathsStyle.TWO_DIMENSIONAL, _WIDEST)
        least = {"columns": text.width, "above": text.above, "below": text.below}
        answer = self._ordered({"kind": "formula", "markup": markup, "ink": ink, "paper": paper, **least})
        if answer is None:
            return None
        size, pixels = answer
        key = hashlib.sha256(pixels).digest()
        bitmap = Bitmap(size["width"], size["height"], pixels, (size["width"], size["height"]), key)
        return Formula(bitmap, size["columns"], size["rows"], size["baseline"], text.rows, text.baseline)

    def close(self) -> None:
        """End the process; an order that is being drawn is answered with nothing, as are those after it."""
        self._closed = True
        if (process := self._process) is not None:
            process.kill()
        with self._lock:
            self._end()

    def _ordered(self, order: Mapping[str, object]) -> tuple[dict[str, int], bytes] | None:
        with self._lock:
            process = self._running()
            if process is None:
                return None
            limit = Timer(self._seconds, process.kill)
            limit.start()
            try:
                return _asked(process, order)
            except (OSError, ValueError, KeyError):  # it died, or said what it never says
                self._end()
                return None
            finally:
                limit.cancel()

    def _running(self) -> "subprocess.Popen[bytes] | None":
        if self._closed or (self._process is None and self._started >= _MOST_DEATHS):
            return None
        if self._process is None:
            self._started += 1
            command = [sys.executable, "-m", "lms_tui.tui.terminal.rasterizer.worker"]
            try:
                self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and our own arguments
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    # Where `-m` finds this very package, whatever lies in the directory the program was started in.
                    cwd=Path(lms_tui.__file__).parents[1],
                    # Keys such as ctrl+c are for the program, not for this one.
                    start_new_session=True,
                )
            except OSError:
                return None
        return self._process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        try:
            process.communicate()
        except (OSError, ValueError):  # what was not written to it is lost with it
            process.wait()


def _asked(process: "subprocess.Popen[bytes]", order: Mapping[str, object]) -> tuple[dict[str, int], bytes] | None:
    """Hand an order over and read the answer; raises OSError, ValueError or KeyError where there is none."""
    if process.stdin is None or process.stdout is None:
        raise OSError
    process.stdin.write(json.dumps(order).encode() + b"\n")
    process.stdin.flush()
    size: dict[str, int] = json.loads(process.stdout.readline(1_000))
    if not size:
        return None
    expected = size["width"] * size["height"] * 3
    if not 0 < expected <= _MOST_BYTES:
        raise ValueError(expected)
    pixels = process.stdout.read(expected)
    if len(pixels) != expected:
        raise OSError
    return size, pixels
