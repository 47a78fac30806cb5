"""Pictures by their address in the whole program: they come by themselves, from elsewhere only after a yes."""

import asyncio
import contextlib
import io
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from lms_tui.common.settings import Appearance
from lms_tui.content.images import Bitmap
from lms_tui.runtime.image_cache import ImageCache
from lms_tui.tui.pictures import PictureLoader
from lms_tui.wire.attempts import ReviewQuestion
from lms_tui.wire.exams import ListedExam
from tests.fakes import institute
from tests.fakes.lms import FakeLms
from tests.fakes.pictures import FakePictures
from tests.fakes.program import Program, program

OWN = "https://lms.example.org/media/own.png"
OTHER = "https://cdn.example.net/other.png"


def png(colour: str = "#ff0000", size: tuple[int, int] = (64, 64)) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, colour).save(out, "PNG")
    return out.getvalue()


def painted(run: Program, red: int = 255) -> int:
    """Cells on the screen that are of this red, without green and blue."""
    strips = run.app.screen._compositor.render_strips()
    styles = [(each.style, each.text) for strip in strips for each in strip if each.style and each.style.bgcolor]
    return sum(len(text) for style, text in styles if style.bgcolor and style.bgcolor.triplet == (red, 0, 0))


@pytest.fixture
def pictures() -> FakePictures:
    return FakePictures({OWN: png(), OTHER: png("#ff0000")})


@pytest.fixture
def lms(pictures: FakePictures, monkeypatch: pytest.MonkeyPatch) -> FakeLms:
    """A service whose first question in review shows one picture of its own and one of another server."""
    plain = institute.reviewed

    def reviewed(number: int) -> ReviewQuestion:
        asked = plain(number)
        if number != 1:
            return asked
        html = f"<p>Look: <img src='/media/own.png' alt='a graph'> and <img src='{OTHER}' alt='a map'></p>"
        return asked.model_copy(update={"question": asked.question.model_copy(update={"question_html": html})})

    monkeypatch.setattr(institute, "reviewed", reviewed)
    made = FakeLms()
    made.pictures = pictures
    return made


@contextlib.asynccontextmanager
async def review(folder: Path, lms: FakeLms, **how: Any) -> AsyncIterator[Program]:
    async with program(folder, lms, **how) as run:
        await run.press("down", "down", "down", "down", "enter", "enter")
        assert run.screen == "ReviewScreen"
        yield run


async def test_pictures_of_the_own_server_load_automatically_and_others_do_not(
    tmp_path: Path, lms: FakeLms, pictures: FakePictures
) -> None:
    async with review(tmp_path, lms) as run:
        await run.until(lambda: painted(run) > 0)
        assert painted(run) == 8 * 4
        assert "[image: a map; z loads it from cdn.example.net]" in run.words
        assert pictures.asked == [OWN]


async def test_a_question_is_shown_before_its_picture(tmp_path: Path, lms: FakeLms, pictures: FakePictures) -> None:
    pictures.held.clear()
    async with review(tmp_path, lms) as run:
        await run.until(lambda: "[image: a graph; it is being loaded]" in run.words)
        await run.pilot.press("down")
        await run.until(lambda: "Question 2 of" in run.words)
        await run.pilot.press("up")
        pictures.held.set()
        await run.until(lambda: painted(run) > 0)


async def test_pictures_of_another_server_load_after_one_permission_that_is_kept(
    tmp_path: Path, lms: FakeLms, pictures: FakePictures
) -> None:
    async with review(tmp_path, lms) as run:
        await run.until(lambda: painted(run) > 0)
        await run.pilot.press("z")
        await run.until(lambda: "Load pictures from cdn.example.net?" in run.words)
        assert pictures.asked == [OWN]
        await run.press("escape")
        await run.until(lambda: "z loads it from cdn.example.net" in run.words)
        await run.pilot.press("z")
        await run.until(lambda: "Load pictures from cdn.example.net?" in run.words)
        await run.pilot.press("y")
        await run.until(lambda: "[image: a map, 64×64]" in run.words)
        assert pictures.asked == [OWN, OTHER]
        await run.press("z")
        assert run.screen == "PictureScreen"


async def test_a_key_loads_a_failed_picture_again(tmp_path: Path, lms: FakeLms, pictures: FakePictures) -> None:
    found = pictures.known.pop(OWN)
    del pictures.known[OTHER]
    lms.pictures = pictures
    async with review(tmp_path, lms) as run:
        await run.until(lambda: "a graph; it could not be loaded" in run.words)
        await run.pilot.press("z")
        await run.until(lambda: "Load pictures from cdn.example.net?" in run.words)
        await run.pilot.press("y")
        await run.until(lambda: run.text().count("it could not be loaded") == 2)
        pictures.known[OWN] = found
        await run.pilot.press("z")
        await run.until(lambda: painted(run) > 0)


async def test_ascii_mode_shows_texts_and_loads_no_picture(
    tmp_path: Path, lms: FakeLms, pictures: FakePictures
) -> None:
    async with review(tmp_path, lms, appearance=Appearance(ascii=True)) as run:
        await run.until(lambda: "[image: a graph] and [image: a map]" in run.words)
        await run.press("z")
        assert "This terminal cannot draw pictures." in run.notices
        assert pictures.asked == []
        assert "▀" not in run.text()
        assert not painted(run)


async def test_the_instructions_show_the_pictures_of_the_exam(
    tmp_path: Path, lms: FakeLms, monkeypatch: pytest.MonkeyPatch
) -> None:
    slug = "jee-main-shift-1"
    plain = lms.exams.read

    async def read(wanted: str) -> ListedExam:
        exam = await plain(wanted)
        return exam.model_copy(update={"description": f"<p>Rules <img src='/media/own.png'><img src='{OTHER}'></p>"})

    monkeypatch.setattr(lms.exams, "read", read)
    async with program(tmp_path, lms, slug=slug) as run:
        await run.until(lambda: painted(run) > 0)
        before = painted(run)
        await run.pilot.press("z")
        await run.until(lambda: "Load pictures from cdn.example.net?" in run.words)
        await run.pilot.press("y")
        await run.until(lambda: painted(run) > before)
        assert painted(run) == 2 * before


# The cache and the loader by themselves.


def test_a_cached_picture_is_checked_by_its_hash(tmp_path: Path) -> None:
    cache = ImageCache(tmp_path / "pictures")
    assert cache.find(OWN) is None
    cache.keep(OWN, png())
    cache.keep(OTHER, png())
    assert ImageCache(tmp_path / "pictures").find(OTHER) == png()
    (kept,) = (tmp_path / "pictures").glob("*.picture")
    assert (tmp_path / "pictures").stat().st_mode & 0o077 == kept.stat().st_mode & 0o077 == 0
    kept.write_bytes(kept.read_bytes()[:-1])
    assert cache.find(OWN) is None


def test_the_oldest_pictures_are_removed_from_a_full_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lms_tui.runtime.image_cache._LARGEST", 2_500)
    cache = ImageCache(tmp_path)
    for number in range(4):
        cache.keep(f"{OWN}?{number}", bytes([number]) * 1_000)
    assert sum(file.stat().st_size for file in tmp_path.glob("*.picture")) <= 2_500
    assert cache.find(f"{OWN}?3") == b"\3" * 1_000


def test_an_unwritable_cache_does_no_other_harm(tmp_path: Path) -> None:
    (tmp_path / "pictures").write_text("a file where the directory should be")
    cache = ImageCache(tmp_path / "pictures")
    cache.keep(OWN, png())
    cache.allow("cdn.example.net")
    assert cache.find(OWN) is None
    assert cache.allows("cdn.example.net")


async def test_cached_pictures_and_permissions_need_no_network(tmp_path: Path) -> None:
    cache = ImageCache(tmp_path)
    cache.keep(OWN, png())
    cache.allow("cdn.example.net")
    source = FakePictures({OTHER: png()})
    tasks: list[asyncio.Task[None]] = []
    changes: list[int] = []
    loader = PictureLoader(
        source, ImageCache(tmp_path), lambda work: tasks.append(asyncio.create_task(work)), lambda: changes.append(1)
    )
    assert loader.find("/media/own.png") == loader.find(OTHER) == "it is being loaded"
    await asyncio.gather(*tasks)
    assert isinstance(loader.find("/media/own.png"), Bitmap)
    assert isinstance(loader.find(OTHER), Bitmap)
    assert source.asked == [OTHER]
    assert len(changes) == 2


async def test_a_file_that_is_not_a_picture_has_a_message() -> None:
    tasks: list[asyncio.Task[None]] = []
    source = FakePictures({OWN: b"<html>"})
    loader = PictureLoader(source, None, lambda work: tasks.append(asyncio.create_task(work)), lambda: None)
    loader.find("/media/own.png")
    await asyncio.gather(*tasks)
    assert loader.find("/media/own.png") == "it cannot be shown"
    assert loader.find("javascript:x") is None
