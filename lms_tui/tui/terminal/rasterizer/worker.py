"""The process that draws: one JSON order a line on its input; a JSON line and pixels, three bytes each, on its output.

An order that cannot be drawn is answered with an empty object.
"""

import io
import json
import math
import os
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from PIL.Image import Image

_MEMORY: Final = 1 << 30
_SECONDS: Final = 10
"""Of the processor, for one order: a last resort where whoever ordered is gone."""
_MOST_PIXELS: Final = 4_000_000
_LARGEST: Final = 640
_SCALE: Final = 2
"""Pixels of a drawing for each of the screen: letters are small."""
_SVG: Final = b"""#set page(width: auto, height: auto, margin: 0pt, fill: white)
#let data = bytes(sys.inputs.svg)
#context {
  let size = measure(image(data, format: "svg"))
  let part = calc.min(1, 480pt / size.width, 480pt / size.height)
  image(data, format: "svg", width: size.width * part, height: size.height * part)
}
"""
_FORMULA: Final = """#set page(width: auto, height: auto, margin: 0pt, fill: rgb("{paper}"))
#set text(size: {size}pt, fill: rgb("{ink}"), top-edge: "bounds", bottom-edge: "bounds")
#set par(leading: 0pt)
#box(width: 1pt, height: 1pt, fill: rgb("{mark}")){markup}
"""
_SIZES: Final = (14, 12)
"""Pixels of the letters of a formula beside the letters of a cell; the second where that saves a row."""
_MARK: Final = "#ff00fe"
"""Of a spot before the formula, whose lower edge is the baseline."""
_PIXELS: Final = (8 * _SCALE, 16 * _SCALE)
"""Of a cell."""
_LINE: Final = 12 * _SCALE
"""From the top of a cell down to its baseline."""
_SPARE: Final = 1
"""Pixels that a formula may stand above or below its baseline before it takes one row more."""

Press = Callable[[bytes, Mapping[str, str], float], bytes]
Answer = tuple[dict[str, int], bytes]


def svg(order: Mapping[str, Any], press: Press) -> Answer:
    """Draw an SVG on white, at most _LARGEST wide and high; `shown` is its own size, as far as that is shown."""
    image = _opened(press(_SVG, {"svg": order["svg"]}, 96 * _SCALE))
    wide, tall = (max(1, round(side / _SCALE)) for side in image.size)
    image.thumbnail((_LARGEST, _LARGEST))
    return {"width": image.width, "height": image.height, "wide": wide, "tall": tall}, image.tobytes()


def formula(order: Mapping[str, Any], press: Press) -> Answer:
    """Draw a formula in whole cells: at least `columns`, with rows `above` and `below` the one of its baseline."""
    drawn = _set(order, press, _SIZES[0])
    if drawn.above + drawn.below > order["above"] + order["below"]:
        smaller = _set(order, press, _SIZES[1])
        if smaller.above + smaller.below < drawn.above + drawn.below:
            drawn = smaller
    return _on_cells(drawn, order["paper"])


@dataclass(frozen=True, slots=True)
class _Set:
    """A formula, `high` pixels of it above its baseline, and the cells it takes around the one of its baseline."""

    image: "Image"
    high: int
    columns: int
    above: int
    below: int


def _set(order: Mapping[str, Any], press: Press, size: int) -> _Set:
    source = _FORMULA.format(paper=order["paper"], ink=order["ink"], mark=_MARK, size=size, markup=order["markup"])
    image = _opened(press(source.encode(), {}, 72 * _SCALE))
    high = _baseline(image)
    image = image.crop((_SCALE, 0, image.width, image.height))
    (wide, tall), spare = _PIXELS, _SPARE * _SCALE
    above = max(order["above"], math.ceil((high - _LINE - spare) / tall))
    below = max(order["below"], math.ceil((image.height - high - (tall - _LINE) - spare) / tall))
    below += image.height > (above + 1 + below) * tall
    return _Set(image, high, max(order["columns"], math.ceil((image.width - spare) / wide)), above, below)


def _on_cells(drawn: _Set, colour: str) -> Answer:
    from PIL import Image  # noqa: PLC0415 - the drawing came from it

    (wide, tall), rows = _PIXELS, drawn.above + 1 + drawn.below
    paper = Image.new("RGB", (drawn.columns * wide, rows * tall), colour)
    top = max(0, min(paper.height - drawn.image.height, drawn.above * tall + _LINE - drawn.high))
    paper.paste(drawn.image, ((paper.width - drawn.image.width) // 2, top))
    size = {"width": paper.width, "height": paper.height}
    return {**size, "columns": drawn.columns, "rows": rows, "baseline": drawn.above}, paper.tobytes()


def _baseline(image: "Image") -> int:
    """The row under the spot before the formula, which is taken for it."""
    mark = tuple(bytes.fromhex(_MARK[1:]))
    rows = [y for y in range(image.height) if image.getpixel((0, y)) == mark]
    if not rows:
        raise ValueError(_MARK)
    return rows[-1] + 1


def _opened(data: bytes) -> "Image":
    from PIL import Image  # noqa: PLC0415 - 20 ms that a process without an order saves

    image = Image.open(io.BytesIO(data), formats=("PNG",))
    if not 0 < image.width * image.height <= _MOST_PIXELS:
        raise ValueError(image.size)
    return image.convert("RGB")


def _limit_memory() -> None:
    try:
        import resource  # noqa: PLC0415 - not everywhere
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _limit_time() -> None:
    try:
        import resource  # noqa: PLC0415 - not everywhere
    except ImportError:
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + _SECONDS, hard))


def main() -> None:
    """Answer orders until the input ends."""
    import typst  # noqa: PLC0415 - after the limits

    if hasattr(os, "nice"):
        os.nice(5)
    orders = {"svg": svg, "formula": formula}
    with tempfile.TemporaryDirectory(prefix="lms-easel-") as empty:
        compiler = typst.Compiler(root=empty, ignore_system_fonts=True)

        def press(source: bytes, inputs: Mapping[str, str], ppi: float) -> bytes:
            compiled: Any = compiler.compile(source, format="png", ppi=ppi, sys_inputs=dict(inputs))
            if not isinstance(compiled, bytes):
                raise TypeError(source)
            return compiled

        for line in sys.stdin.buffer:
            _limit_time()
            header: dict[str, int] = {}
            pixels = b""
            try:
                order = json.loads(line)
                header, pixels = orders[order["kind"]](order, press)
            except Exception:  # noqa: BLE001, S110 - whatever a stranger's drawing leads the typesetter to, it is no drawing
                pass
            sys.stdout.buffer.write(json.dumps(header).encode() + b"\n" + pixels)
            sys.stdout.buffer.flush()


if __name__ == "__main__":
    _limit_memory()
    main()
