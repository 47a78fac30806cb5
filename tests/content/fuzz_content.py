"""Feed the content pipeline random markup: `python -m tests.content.fuzz_content 1000000` (`make fuzz-content`).

Every input is made from its number, so that a failure is one number to run again: `… fuzz_content 1 --from NUMBER`.
"""

import argparse
import os
import random
import re
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from lms_tui.content.cells import width
from lms_tui.content.html import parse
from lms_tui.content.layout import layout
from lms_tui.content.model import MathsStyle

DANGEROUS = re.compile(
    "[\x00-\x1f\x7f-\x9f\u2028\u2029\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f\ud800-\udfff]"
)
FORMULAS = (Path(__file__).parent / "formulas.txt").read_text(encoding="utf-8")
TOKENS = sorted(set(re.findall(r"\\[A-Za-z]+\*?|\\.|[^\\\n]", FORMULAS)))
HTML = [
    "<p>", "</p>", "<b>", "</b>", "<ul>", "<ol type=i start=-3>", "<li>", "</ul>", "<table>", "<tr>", "<td>",
    "<th colspan=3>", "<td rowspan=2>", "</table>", "<pre>", "</pre>", "<sub>", "</sub>", "<sup>", "<br>", "<hr>",
    "<h1>", "<blockquote>", "<math>", "<mfrac>", "<mi>", "<mtable>", "<mo>(</mo>", "<script>", "</script>", "<!--",
    "-->", "<svg>", "<iframe src=//x>", "<img src=x onerror=y alt='a&#27;b'>", "<a href='javascript:&#x9b;'>", "</a>",
    "<div dir=rtl>", "<select><option>", "$", "$$", r"\(", r"\)", r"\[", r"\]", r"\ce{", "}", "[[1]]", "&#27;",
    "&#155;", "&#x202e;", "&lt;", "&nbsp;", "\x1b]8;;x\x07", "\x9b6n", "\u202e", "\u200b", "\u200d", "\ud800", "\ufe0f",
    "क्षि", "தமிழ்", "שלום", "اردو", "漢字", "👍🏽", "é", "word ", "\n", "\t",
    "<img src='data:image/png;base64,iVBORw0KGgo='>",
]  # fmt: skip
_PLAIN = "".join(map(chr, (*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2067, 0xFEFF, 0xE0041, 0xD83D, 0x1F600, 0x0BBE)))
_STYLES = tuple(MathsStyle)


def input_of(number: int) -> tuple[str, int, MathsStyle]:
    """Input `number`: markup, the cells of a line, and the rung of the maths ladder."""
    chance = random.Random(number)
    parts = []
    for _ in range(chance.randrange(1, 24)):
        kind = chance.random()
        if kind < 0.5:
            parts.append(chance.choice(HTML))
        elif kind < 0.85:
            parts.append(chance.choice(TOKENS))
        elif kind < 0.95:
            parts.append(chance.choice(_PLAIN))
        else:
            parts.append(chr(chance.randrange(0x110000)))
    return "".join(parts), chance.randrange(1, 100), chance.choice(_STYLES)


def check(html: str, cells: int, style: MathsStyle) -> None:
    """Lay out: no error, nothing dangerous, and every line as wide as the screen counts it."""
    for line in layout(parse(html), cells, style):
        assert line.width == sum(width(run.text) for run in line.runs), "a line is not as wide as it says"
        assert not DANGEROUS.search(line.text), "something dangerous came out"


def run(first: int, count: int) -> list[tuple[int, str]]:
    """The numbers of inputs that failed, each with what went wrong."""
    failed = []
    for number in range(first, first + count):
        try:
            check(*input_of(number))
        except Exception as error:  # noqa: BLE001 - any error is what is looked for
            failed.append((number, f"{type(error).__name__}: {error}"))
    return failed


def _parts(first: int, count: int, size: int = 2000) -> Iterator[tuple[int, int]]:
    for start in range(first, first + count, size):
        yield start, min(size, first + count - start)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int)
    parser.add_argument("--from", dest="first", type=int, default=0, metavar="NUMBER")
    options = parser.parse_args()
    started = time.monotonic()
    workers = os.cpu_count() or 1
    with ProcessPoolExecutor(workers) as pool:
        starts, counts = zip(*_parts(options.first, options.count), strict=True)
        failed = [failure for part in pool.map(run, starts, counts) for failure in part]
    for number, reason in failed[:20]:
        print(f"input {number}: {reason}: {input_of(number)!r}")  # noqa: T201 - a command prints
    took = time.monotonic() - started
    print(f"{options.count:,} inputs, {len(failed)} failed, {took:.0f} s on {workers} cores")  # noqa: T201 - the same
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
