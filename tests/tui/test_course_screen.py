"""Courses, their videos, and the tokens that let others watch."""

import re
from pathlib import Path

import pytest

from lms_tui.tui.app import LmsApp
from lms_tui.tui.screens.staff_tokens import opening
from tests.fakes.served import Served, served
from tests.service.service_world import World


async def to_course(run: Served, number: str = "1") -> None:
    await run.press("m", "down", "down", "down", "enter", "n")
    await run.see("course ID")
    await run.type(number)
    await run.press("enter")
    await run.gone("course ID")


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was given to the browser."""
    links: list[str] = []
    monkeypatch.setattr(LmsApp, "open_url", lambda _, url, *, new_tab=True: links.append(url))
    monkeypatch.setattr(opening, "has_browser", lambda: True)
    return links


@pytest.mark.parametrize("username", ["asha", "mentor"])
async def test_students_see_contents_but_no_playback_tokens(world: World, tmp_path: Path, username: str) -> None:
    async with served(world, username, tmp_path, size=(80, 24)) as run:
        await to_course(run, "2")
        await run.see("How to read a text twice")
        await run.press("enter")
        await run.see("Watch this on your institute's website")
        assert "token" not in run.text()
        await run.press("t", "p")
        assert run.screen == "CourseScreen"
        await run.press("?")
        assert "token" not in run.text()


async def test_the_error_for_a_course_of_others_is_a_sentence(world: World, tmp_path: Path) -> None:
    async with served(world, "asha", tmp_path) as run:
        await to_course(run, "4711")
        await run.see("! ")
        assert run.screen == "CourseScreen"
        assert "administrators" not in run.words
        await run.press("escape", "escape")
        assert run.screen == "MoreScreen"


async def test_staff_play_a_video_by_one_key_and_the_link_is_never_shown(
    world: World, tmp_path: Path, opened: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    async with served(world, "staff", tmp_path) as run:
        await to_course(run)
        await run.see("Reading a velocity–time graph", "Press p to play it in the browser")
        await run.press("p")
        await run.settle()
        (link,) = opened
        code = link.partition("access_token=")[2]
        assert re.match(r"https?://[^/]+/embed/", link)
        assert code
        for place in (run.text(), run.notices, caplog.text):
            assert code not in place
        async with world.http as http:
            assert (await http.get(link.partition("lms.test")[2])).status_code == 200


async def test_a_text_browser_is_not_opened(
    world: World, tmp_path: Path, opened: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "has_browser", lambda: False)
    async with served(world, "staff", tmp_path) as run:
        await to_course(run)
        await run.see("Press p to play it in the browser")
        await run.press("p")
        await run.see("No browser found.")
        assert opened == []


async def test_a_video_without_a_file_is_reported(world: World, tmp_path: Path, opened: list[str]) -> None:
    async with served(world, "staff", tmp_path) as run:
        await to_course(run)
        await run.see("Where the image of a lens is")
        await run.press("down", "down", "p")
        await run.see("This video has no file to play.")
        assert opened == []
