"""Pictures of strangers become cells within bounds, or stay their words."""

import base64
import hashlib
import io
import time
import xml.etree.ElementTree as ET

import pytest
from PIL import Image

from lms_tui.content.html import parse
from lms_tui.content.images import decode, embedded, half_blocks, payload_of, size_in_cells
from lms_tui.content.images.found import images_of
from lms_tui.content.layout import layout
from lms_tui.content.lines import Line
from lms_tui.content.model import Image as Image_


def picture(size: tuple[int, int] = (64, 48), kind: str = "PNG", colour: object = "red", **options: object) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, colour).save(out, kind, **options)  # type: ignore[arg-type] # a colour is a name or numbers
    return out.getvalue()


def uri(data: bytes, kind: str = "png") -> str:
    return f"data:image/{kind};base64,{base64.b64encode(data).decode()}"


def shown(html: str, cells: int = 60) -> tuple[Line, ...]:
    return layout(parse(html), cells)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP", "BMP"])
def test_each_common_format_is_read(kind: str) -> None:
    found = decode(picture(kind=kind))
    assert found is not None
    assert found.shown == (64, 48)


def test_a_picture_has_its_own_lines_above_its_text_and_size() -> None:
    lines = shown(f'<p>before <img alt="a red field" src="{uri(picture())}"> after</p>')
    assert [line.text for line in lines] == ["before", *[" " * 8] * 3, "[image: a red field, 64×48] after"]
    assert {run.colours for line in lines[1:4] for run in line.runs} == {(0xFF0000, 0xFF0000)}


def test_upper_and_lower_half_of_a_cell_are_two_pixels() -> None:
    image = Image.new("RGB", (8, 16), "black")
    image.paste("white", (0, 0, 8, 8))
    out = io.BytesIO()
    image.save(out, "PNG")
    found = decode(out.getvalue())
    assert found is not None
    ((run,),) = half_blocks(found, 1, 1)
    assert (run.text, run.colours) == ("▀", (0xFFFFFF, 0))


def test_transparent_parts_have_the_background_colour() -> None:
    out = io.BytesIO()
    Image.new("RGBA", (8, 16), (0, 0, 0, 0)).save(out, "PNG")
    found = decode(out.getvalue())
    assert found is not None
    assert set(found.pixels) == {255}


def test_first_frame_of_an_animation_is_shown() -> None:
    out = io.BytesIO()
    frames = [Image.new("RGB", (16, 16), colour) for colour in ("red", "blue")]
    frames[0].save(out, "GIF", save_all=True, append_images=frames[1:])
    found = decode(out.getvalue())
    assert found is not None
    assert found.pixels[0] > 200


@pytest.mark.parametrize(
    "data",
    [b"", b"GIF89a", b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>", picture()[:60], b"\x00" * 5_000_000],
)
def test_invalid_and_too_large_pictures_are_none(data: bytes) -> None:
    assert decode(data) is None


def test_a_small_file_with_too_many_pixels_is_not_decompressed() -> None:
    bomb = picture((13_000, 13_000), colour=0)
    started = time.process_time()
    assert decode(bomb) is None
    assert time.process_time() - started < 0.2


@pytest.mark.parametrize(
    "source",
    ["https://example.org/a.png", "data:text/html;base64,AAAA", "data:image/png;base64,!!!!",
     "data:image/svg+xml,<svg/>", ""],
)  # fmt: skip
def test_pictures_at_addresses_are_not_read_and_show_their_text(source: str) -> None:
    assert embedded(source) is None
    assert [line.text for line in shown(f'<img alt="a map" src="{source}" width=9 height=8>')] == [
        "[image: a map, 9×8]"
    ]


def test_a_picture_keeps_its_size_within_limits() -> None:
    def cells(size: tuple[int, int], columns: int = 72) -> tuple[int, int]:
        found = decode(picture(size))
        assert found is not None
        return size_in_cells(found, columns)

    assert cells((160, 160)) == (20, 10)
    assert cells((1600, 400)) == (72, 9)
    assert cells((1600, 400), 20) == (20, 2)
    assert cells((400, 1600)) == (10, 20)
    assert cells((16, 8)) == (12, 3)


def test_a_large_picture_does_not_shorten_the_text() -> None:
    noise = hashlib.sha512(b"x").digest() * 3000
    html = f'<p>before <img alt="x" src="{uri(noise)}"> behind</p>'
    assert len(html) > 200_000
    assert [line.text for line in shown(html)] == ["before [image: x] behind"]


def test_picture_in_a_table_or_an_option_keeps_its_lines_together() -> None:
    html = f"<table><tr><td><img src='{uri(picture((32, 32)))}'><td>text</table>"
    lines = shown(html)
    assert {line.width for line in lines} == {lines[0].width}
    assert len([run for line in lines for run in line.runs if run.colours]) == 3


# Drawings in the page.


def drawn(html: str) -> list[Image_]:
    return list(images_of(parse(html)))


def test_an_inline_svg_is_a_picture_described_by_its_title_and_text() -> None:
    html = (
        "<p>See <svg viewbox='0 0 10 20' width=100 stroke='#333'><title>A &amp; B</title><path d='M0 0h9'/>"
        "<linearGradient id=a /><text x=1>3 &lt; 5&nbsp;<tspan>cm</tspan></text><text>C</text></svg> here</p>"
    )
    (image,) = drawn(html)
    assert (image.alt, image.width, image.height) == ("A & B: 3 < 5 cm, C", 100, 200)
    payload = payload_of(image.source)
    assert payload is not None
    root = ET.fromstring(payload)  # noqa: S314 - the test's own words
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert (root.get("viewBox"), root.get("width"), root.get("height")) == ("0 0 10 20", "100", "200")
    assert root.find("{http://www.w3.org/2000/svg}linearGradient") is not None
    assert [line.text for line in shown(html)] == ["See [image: A & B: 3 < 5 cm, C, 100×200] here"]


def test_broken_svg_elements_keep_their_text() -> None:
    assert [line.text for line in shown("<p>the <text> of <svg><rect/></svg> a <marker></p>")] == [
        "the <text> of [image: drawing] a <marker>"
    ]
    assert "lonely" in "".join(line.text for line in shown("<p>a <svg><rect/>lonely"))
    assert [image.alt for image in drawn("<svg><svg><text>in</text></svg><text>out</text></svg><svg><g/></svg>")] == [
        "drawing: in, out",
        "drawing",
    ]


@pytest.mark.parametrize("lead", ["", "<?xml version='1.0'?> ", "<!-- a --> <!DOCTYPE svg>"])
def test_an_svg_data_uri_stays_a_source(lead: str) -> None:
    source = f"data:image/svg+xml;utf8,{lead}<svg width='60'><rect width='6'/></svg>"
    (image, other) = drawn(f'<p><img alt="field" src="{source}"> and <svg><g/></svg></p>')
    assert (image.source, image.alt, other.alt) == (source, "field", "drawing")


def test_an_inline_svg_does_not_count_to_the_length_of_a_text() -> None:
    html = f"<p>before</p><svg><path d='{'L1 2 ' * 40_000}'/></svg><p>after</p>"
    assert [line.text for line in shown(html)][-1] == "after"
    assert len(drawn("<svg>" * 50_000)) <= 1
    assert drawn("<svg/>" * 1_000 + "</svg>" * 1_000 + "<svg><g/></svg>")[-1].source
