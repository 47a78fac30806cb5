"""Start the drawing process, send it one request at a time with a time limit, and restart it after a crash."""

import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from threading import Lock, Timer
from typing import Final

from lms_tui.common import own_process
from lms_tui.content.images import Bitmap, Formula
from lms_tui.content.images.bitmap import LARGEST
from lms_tui.content.model import Maths, MathsStyle

_SECONDS: Final = 30.0
"""Seconds for one request. A busy machine needs some for the start. The process limits its processor time itself."""
_MOST_DEATHS: Final = 20
"""Starts of the process after which nothing is drawn."""
_LONGEST: Final = 8_000
"""Most characters of a formula in the typesetter's notation."""
_WIDEST: Final = 200
_MOST_BYTES: Final = 16_000_000
_FOREIGN: Final = re.compile("[^\0-\u052f\u1e00-\u2bff\u2e00-\u2e4f\U0001d400-\U0001d7ff]")
"""Characters that the typesetter's own fonts do not have."""
_SVG: Final = re.compile(rb"\s*(?:<\?xml|<!--|<!DOCTYPE\s+svg|<(?:\w{1,20}:)?svg[\s>])", re.IGNORECASE)
_BOM: Final = b"\xef\xbb\xbf"


def is_installed() -> bool:
    """Return whether the typesetter (`lms-tui[pictures]`) is installed."""
    return find_spec("typst") is not None


def is_svg(data: bytes) -> bool:
    """Return whether these bytes look like an SVG."""
    data = data.removeprefix(_BOM)
    return _SVG.match(data) is not None and b"svg" in data[:4_096]


class Rasterizer:
    """Draws SVG and formulas in a separate process, which starts with the first request.

    Calls block until the drawing is done and run one after another. Call it from threads.
    """

    def __init__(self, seconds: float = _SECONDS) -> None:
        self._seconds = seconds
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._started = 0
        self._closed = False

    def svg(self, data: bytes) -> Bitmap | None:
        """Draw an SVG of at most LARGEST bytes.

        Returns None if it cannot be drawn or refers to a file or an address.
        """
        if len(data) > LARGEST or not is_svg(data):
            return None
        answer = self._send({"kind": "svg", "svg": data.decode("utf-8", "replace").removeprefix("\ufeff")})
        if answer is None:
            return None
        size, pixels = answer
        shown = size["wide"], size["tall"]
        return Bitmap(size["width"], size["height"], pixels, shown, hashlib.sha256(data).digest())

    def formula(self, maths: Maths, ink: str, paper: str) -> Formula | None:
        """Draw a formula in the colours `ink` and `paper` (#rrggbb), at least as large as its rows of text.

        Returns None if the formula cannot be parsed or drawn, or if no font has its letters.
        """
        from lms_tui.content.maths.render import render_maths, tree_of  # noqa: PLC0415 - most texts have no formula
        from lms_tui.content.maths.typeset import in_line  # noqa: PLC0415 - the same

        tree = tree_of(maths)
        try:
            markup = "" if tree is None else in_line(tree, display=maths.display)
        except RecursionError:  # the tree is too deep for the stack of this thread
            return None
        if not markup or len(markup) > _LONGEST or _FOREIGN.search(markup):
            return None
        text = render_maths(maths, MathsStyle.TWO_DIMENSIONAL, _WIDEST)
        least = {"columns": text.width, "above": text.above, "below": text.below}
        answer = self._send({"kind": "formula", "markup": markup, "ink": ink, "paper": paper, **least})
        if answer is None:
            return None
        size, pixels = answer
        key = hashlib.sha256(pixels).digest()
        bitmap = Bitmap(size["width"], size["height"], pixels, (size["width"], size["height"]), key)
        return Formula(bitmap, size["columns"], size["rows"], size["baseline"], text.rows, text.baseline)

    def close(self) -> None:
        """End the process. A running call and all later calls return None."""
        self._closed = True
        if (process := self._process) is not None:
            process.kill()
        with self._lock:
            self._end()

    def _send(self, request: Mapping[str, object]) -> tuple[dict[str, int], bytes] | None:
        with self._lock:
            process = self._running()
            if process is None:
                return None
            limit = Timer(self._seconds, process.kill)
            limit.start()
            try:
                return _exchange(process, request)
            except (OSError, ValueError, KeyError):  # the process died or its reply is malformed
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
                    cwd=own_process.FOLDER,
                    # By default it has a thread for each processor, and 128 of them exceed its limit on memory.
                    env={**os.environ, "RAYON_NUM_THREADS": "1"},
                    # Keep signals of the terminal, such as ctrl+c, away from this process.
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
        except (OSError, ValueError):  # its input was not written completely
            process.wait()


def _exchange(process: "subprocess.Popen[bytes]", request: Mapping[str, object]) -> tuple[dict[str, int], bytes] | None:
    """Write a request and read the reply. Raises OSError, ValueError or KeyError if there is none."""
    if process.stdin is None or process.stdout is None:
        raise OSError
    process.stdin.write(json.dumps(request).encode() + b"\n")
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
