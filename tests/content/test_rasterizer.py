"""Untrusted drawings in a separate process: nothing in them is fetched, and none of them ends the program."""

import base64
from collections.abc import Iterator
from pathlib import Path

import pytest

from lms_tui.content.images import Formula
from lms_tui.content.model import Maths
from lms_tui.tui.terminal.rasterizer import Rasterizer, is_svg
from tests.waiting import PATIENCE

INK, PAPER = "#e0e0e0", "#101418"
_SVG = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"{}>{}</svg>'
_SIZE = ' width="200" height="100"'
_RED = '<rect width="200" height="100" fill="#ff0000"/>'
_LOL = "".join(f'<!ENTITY {chr(98 + at)} "{f"&{chr(97 + at)};" * 10}">' for at in range(9))


@pytest.fixture(scope="module")
def rasterizer() -> Iterator[Rasterizer]:
    pytest.importorskip("typst")
    rasterizer = Rasterizer(seconds=PATIENCE)
    yield rasterizer
    rasterizer.close()


def svg(inner: str, size: str = _SIZE) -> bytes:
    return _SVG.format(size, inner).encode()


def colours(formula: Formula) -> set[bytes]:
    pixels = formula.bitmap.pixels
    return {pixels[at : at + 3] for at in range(0, len(pixels), 3)}


def test_svg_keeps_its_own_size(rasterizer: Rasterizer) -> None:
    found = rasterizer.svg(b"\xef\xbb\xbf<?xml version='1.0'?>\n" + svg(_RED))
    assert found is not None
    assert found.shown == (200, 100)
    assert set(zip(*[iter(found.pixels)] * 3, strict=True)) == {(255, 0, 0)}


def test_nothing_is_left_in_the_temporary_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("typst")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    rasterizer = Rasterizer(seconds=PATIENCE)
    try:
        assert rasterizer.svg(svg(_RED)) is not None
    finally:
        rasterizer.close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("size", [' width="200000" height="1000"', ' width="2000000000" height="2000000000"'])
def test_large_svg_is_made_smaller(rasterizer: Rasterizer, size: str) -> None:
    found = rasterizer.svg(svg('<circle r="9"/>', size))
    assert found is not None
    assert found.width <= 640
    assert found.height <= 640


@pytest.mark.parametrize(
    "hostile",
    [
        svg('<image href="FILE" width="200" height="100"/>'),
        svg('<image href="file://FILE" width="200" height="100"/>'),
        svg('<image xlink:href="http://127.0.0.1:9/x.png" width="200" height="100"/>'),
        b'<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>' + svg('<text y="20">&x;</text>'),
        f'<!DOCTYPE svg [<!ENTITY a "ha">{_LOL}]>'.encode() + svg('<text y="20">&j;</text>'),
        svg("<g>" * 20_000 + "</g>" * 20_000),
        svg(_RED, ' width="0" height="0"'),
        svg(_RED)[:-4],
        b"<svg>" + b"\xff" * 1_000,
        b"<html><svg></svg></html>",
        b"",
    ],
)
def test_a_hostile_svg_gives_no_picture(rasterizer: Rasterizer, hostile: bytes, tmp_path: Path) -> None:
    file = tmp_path / "a.png"
    pixel = b"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
    file.write_bytes(base64.b64decode(pixel))
    assert rasterizer.svg(hostile.replace(b"FILE", str(file).encode())) is None
    assert rasterizer.svg(svg(_RED)) is not None


def test_a_machine_with_many_processors_draws_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("typst")
    monkeypatch.setenv("RAYON_NUM_THREADS", "256")  # the typesetter's number of threads on such a machine
    rasterizer = Rasterizer(seconds=PATIENCE)
    assert rasterizer.svg(svg(_RED)) is not None
    assert rasterizer.formula(Maths("x"), INK, PAPER) is not None
    rasterizer.close()


@pytest.mark.slow
def test_a_drawing_that_needs_too_much_processor_time_gives_no_picture() -> None:
    pytest.importorskip("typst")
    noise = '<feTurbulence numOctaves="100000" baseFrequency="0.05"/>'
    endless = svg(f'<filter id="f" width="1" height="1">{noise}</filter><rect width="400" filter="url(#f)"/>')
    rasterizer = Rasterizer(seconds=10 * PATIENCE)
    assert rasterizer.svg(endless.replace(b'"400"', b'"400" height="400"')) is None
    assert rasterizer.svg(svg(_RED)) is not None
    rasterizer.close()


def test_process_restarts_after_an_svg_that_crashes_it() -> None:
    pytest.importorskip("typst")
    noise = '<feTurbulence numOctaves="1000" baseFrequency="0.05"/>'
    hostile = svg(f'<filter id="f" width="99999" height="99999">{noise}</filter><rect width="9" filter="url(#f)"/>')
    rasterizer = Rasterizer(seconds=PATIENCE)
    rasterizer.svg(hostile.replace(b'"9"', b'"200" height="100"'))
    assert rasterizer.svg(svg(_RED)) is not None
    rasterizer.close()


def test_drawing_that_takes_too_long_gives_no_picture() -> None:
    pytest.importorskip("typst")
    rasterizer = Rasterizer(seconds=0.001)
    assert rasterizer.svg(svg(_RED)) is None
    rasterizer.close()


def test_a_closed_rasterizer_draws_nothing() -> None:
    rasterizer = Rasterizer()
    rasterizer.close()
    assert rasterizer.svg(svg(_RED)) is None
    assert rasterizer.formula(Maths("x"), INK, PAPER) is None


def test_only_svg_is_recognised_as_svg() -> None:
    assert is_svg(svg(_RED))
    assert is_svg(b"<!-- drawn --> <svg/>")
    assert not is_svg(b"\x89PNG svg")
    assert not is_svg(b"<?xml version='1.0'?><rss/>")


@pytest.mark.parametrize(
    ("source", "display", "rows", "text"),
    [
        ("x^2", False, 1, ("x²",)),
        (r"\frac{1}{2}", False, 1, ("1/2",)),
        (r"\int_0^x \frac{t^2}{1+t^4}\,dt", True, 3, ("⌠x   t²", "⎮  ────── dt", "⌡0 1 + t⁴")),
        (r"\begin{aligned}x &= 1\\ y+1 &= 2\end{aligned}", True, 3, ("    x = 1", "y + 1 = 2")),
        (r"\ce{2H2 + O2 -> 2H2O}", False, 1, ("2H₂ + O₂ ⟶ 2H₂O",)),
    ],
)
def test_formula_picture_covers_its_rows_of_text(
    rasterizer: Rasterizer, source: str, display: bool, rows: int, text: tuple[str, ...]
) -> None:
    drawn = rasterizer.formula(Maths(source, display), INK, PAPER)
    assert drawn is not None
    assert drawn.rows == rows
    assert tuple(row.rstrip() for row in drawn.text) == text
    assert drawn.columns >= max(map(len, text))
    assert bytes.fromhex(PAPER[1:]) in colours(drawn)
    assert max(map(sum, colours(drawn))) > 3 * 0x80
    assert bytes.fromhex("ff00fe") not in colours(drawn)


@pytest.mark.parametrize("source", [r"\text{हिन्दी}", r"\text{水}", "x" * 5_000, "{" * 60])
def test_formula_that_cannot_be_drawn_stays_text(rasterizer: Rasterizer, source: str) -> None:
    assert rasterizer.formula(Maths(source), INK, PAPER) is None
    assert rasterizer.formula(Maths("x"), INK, PAPER) is not None


def test_a_formula_runs_no_command_of_the_typesetter(rasterizer: Rasterizer) -> None:
    for source in (r'\text{#read("/etc/passwd")}', r'\text{"); #panic(("}', "$#sys.inputs$", r"\# read(x)"):
        assert rasterizer.formula(Maths(source), INK, PAPER) is not None
