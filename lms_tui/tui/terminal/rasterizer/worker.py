"""The drawing process. It reads one JSON request a line and replies with a JSON line and RGB pixels.

The reply to a request that cannot be drawn is an empty object.
"""

import io
import json
import math
import os
import sys
import tempfile
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from lms_tui.common.frozen import frozen

if TYPE_CHECKING:
    from PIL.Image import Image

_MEMORY: Final = 1 << 30
_SECONDS: Final = 5
"""Processor seconds for one request, also if the program that asked is gone."""
_MOST_PIXELS: Final = 4_000_000
_LARGEST: Final = 640
_SCALE: Final = 2
"""Pixels drawn for each pixel of the screen, because letters are small."""
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
"""Letter sizes of a formula in pixels. The second is used if it saves a row."""
_MARK: Final = "#ff00fe"
"""Colour of a square before the formula. Its lower edge marks the baseline."""
_PIXELS: Final = (8 * _SCALE, 16 * _SCALE)
"""Width and height of a cell."""
_LINE: Final = 12 * _SCALE
"""Pixels from the top of a cell down to its baseline."""
_SPARE: Final = 1
"""Pixels by which a formula may exceed its rows before it takes another row."""

Compile = Callable[[bytes, Mapping[str, str], float], bytes]
Answer = tuple[dict[str, int], bytes]


def svg(request: Mapping[str, Any], compile_png: Compile) -> Answer:
    """Draw an SVG on white, at most _LARGEST wide and high. `wide` and `tall` are its own size."""
    image = _opened(compile_png(_SVG, {"svg": request["svg"]}, 96 * _SCALE))
    wide, tall = (max(1, round(side / _SCALE)) for side in image.size)
    image.thumbnail((_LARGEST, _LARGEST))
    return {"width": image.width, "height": image.height, "wide": wide, "tall": tall}, image.tobytes()


def formula(request: Mapping[str, Any], compile_png: Compile) -> Answer:
    """Draw a formula in whole cells: at least `columns`, and rows `above` and `below` the row of its baseline."""
    drawn = _typeset(request, compile_png, _SIZES[0])
    if drawn.above + drawn.below > request["above"] + request["below"]:
        smaller = _typeset(request, compile_png, _SIZES[1])
        if smaller.above + smaller.below < drawn.above + drawn.below:
            drawn = smaller
    return _on_cells(drawn, request["paper"])


@frozen
class _Typeset:
    """A drawn formula: `high` pixels above the baseline, rows `above` and `below` the row of the baseline."""

    image: "Image"
    high: int
    columns: int
    above: int
    below: int


def _typeset(request: Mapping[str, Any], compile_png: Compile, size: int) -> _Typeset:
    source = _FORMULA.format(
        paper=request["paper"], ink=request["ink"], mark=_MARK, size=size, markup=request["markup"]
    )
    image = _opened(compile_png(source.encode(), {}, 72 * _SCALE))
    high = _baseline(image)
    image = image.crop((_SCALE, 0, image.width, image.height))
    (wide, tall), spare = _PIXELS, _SPARE * _SCALE
    above = max(request["above"], math.ceil((high - _LINE - spare) / tall))
    below = max(request["below"], math.ceil((image.height - high - (tall - _LINE) - spare) / tall))
    below += image.height > (above + 1 + below) * tall
    return _Typeset(image, high, max(request["columns"], math.ceil((image.width - spare) / wide)), above, below)


def _on_cells(drawn: _Typeset, colour: str) -> Answer:
    from PIL import Image  # noqa: PLC0415 - see _opened

    (wide, tall), rows = _PIXELS, drawn.above + 1 + drawn.below
    paper = Image.new("RGB", (drawn.columns * wide, rows * tall), colour)
    top = max(0, min(paper.height - drawn.image.height, drawn.above * tall + _LINE - drawn.high))
    paper.paste(drawn.image, ((paper.width - drawn.image.width) // 2, top))
    size = {"width": paper.width, "height": paper.height}
    return {**size, "columns": drawn.columns, "rows": rows, "baseline": drawn.above}, paper.tobytes()


def _baseline(image: "Image") -> int:
    """Return the row of pixels below the mark before the formula."""
    mark = tuple(bytes.fromhex(_MARK[1:]))
    rows = [y for y in range(image.height) if image.getpixel((0, y)) == mark]
    if not rows:
        raise ValueError(_MARK)
    return rows[-1] + 1


def _opened(data: bytes) -> "Image":
    from PIL import Image  # noqa: PLC0415 - its import takes 20 ms

    image = Image.open(io.BytesIO(data), formats=("PNG",))
    if not 0 < image.width * image.height <= _MOST_PIXELS:
        raise ValueError(image.size)
    return image.convert("RGB")


def _limit_memory() -> None:
    try:
        import resource  # noqa: PLC0415 - missing on Windows
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _limit_time() -> None:
    try:
        import resource  # noqa: PLC0415 - missing on Windows
    except ImportError:
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + _SECONDS, hard))


def main() -> None:
    """Reply to requests until the input ends."""
    import typst  # noqa: PLC0415 - after the limits

    if hasattr(os, "nice"):
        os.nice(5)
    drawers = {"svg": svg, "formula": formula}
    # The compiler wants a directory that exists, and reads nothing there. This process is killed in the end.
    with tempfile.TemporaryDirectory(prefix="lms-rasterizer-") as empty:
        compiler = typst.Compiler(root=empty, ignore_system_fonts=True)

    def compile_png(source: bytes, inputs: Mapping[str, str], ppi: float) -> bytes:
        compiled: Any = compiler.compile(source, format="png", ppi=ppi, sys_inputs=dict(inputs))
        if not isinstance(compiled, bytes):
            raise TypeError(source)
        return compiled

    for line in sys.stdin.buffer:
        _limit_time()
        header: dict[str, int] = {}
        pixels = b""
        try:
            request = json.loads(line)
            header, pixels = drawers[request["kind"]](request, compile_png)
        except Exception:  # noqa: BLE001, S110 - the typesetter raises many kinds of errors
            pass
        sys.stdout.buffer.write(json.dumps(header).encode() + b"\n" + pixels)
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    _limit_memory()
    main()
