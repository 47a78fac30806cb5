"""What the first screen shows, asked for while that screen is still loaded."""

import asyncio
import gc
from dataclasses import replace
from pathlib import Path

import pytest

from lms_tui.client.port import ExamState
from lms_tui.tui.app import LmsApp
from lms_tui.tui.screens.attempts.screen import AttemptsScreen
from lms_tui.views.first_pages import FirstExam, FirstPages
from lms_tui.views.ports import OnStep, Opening, UserSession
from lms_tui.wire.errors import ApiError, Offline, SignInNeeded
from tests.fakes import institute
from tests.fakes.lms import FakeLms, school, without_exam_lists
from tests.fakes.program import InstituteClock, Program
from tests.fakes.session_provider import FakeSessionProvider, dependencies


class _Opened:
    """The app with a session whose lists, or whose exam, are asked for before the screen is there.

    `patience`: turns of the loop until then.
    """

    def __init__(self, folder: Path, lms: FakeLms, patience: int, slug: str = "") -> None:
        self.lms = lms
        self.provider = FakeSessionProvider(lms)
        self._patience = patience
        self._slug = slug
        given = replace(dependencies(self.provider, folder), clock=InstituteClock())
        self.app = LmsApp(given, Opening(self._enter, exam_slug=slug))

    async def _enter(self, *, on_step: OnStep | None = None) -> UserSession:
        session = UserSession(self.lms, await self.lms.me())
        if self._slug:
            session = replace(session, first_exam=FirstExam(self.lms, self._slug))
        else:
            session = replace(session, first_pages=FirstPages(self.lms))
        for _ in range(self._patience):
            await asyncio.sleep(0)
        return session


@pytest.mark.parametrize("patience", [0, 20])
async def test_home_takes_the_pages_that_are_there_or_under_way_and_asks_for_nothing_twice(
    tmp_path: Path, patience: int
) -> None:
    opened = _Opened(tmp_path, school(), patience)
    async with opened.app.run_test(size=(120, 40)) as pilot:
        run = Program(opened.app, pilot, opened.lms, opened.provider)
        await run.settle()
        await run.settle()
        assert run.screen == "HomeScreen"
        assert "Five quick ones" in run.text()
        calls = opened.lms.faults.calls
        assert (calls["attempts.page"], calls["exams.page"]) == (1, 2)
        opened.lms.exams.lists[ExamState.AVAILABLE] += [institute.exam("later", "Added later")]
        await run.press("r")
        assert "Added later" in run.text()
        assert (calls["attempts.page"], calls["exams.page"]) == (2, 4)


async def test_the_list_of_exams_asks_for_its_own_pages_before_it_is_mounted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened, happened = _Opened(tmp_path, school(), 20), list[str]()
    page, mount = opened.lms.attempts.page, AttemptsScreen.on_mount

    async def asked(number: int = 1, **filters: str) -> object:
        happened.append("asked")
        return await page(number, **filters)

    def mounted(screen: AttemptsScreen) -> None:
        happened.append("mounted")
        mount(screen)

    monkeypatch.setattr(opened.lms.attempts, "page", asked)
    monkeypatch.setattr(AttemptsScreen, "on_mount", mounted)
    async with opened.app.run_test(size=(120, 40)) as pilot:
        run = Program(opened.app, pilot, opened.lms, opened.provider)
        await run.settle()
        happened.clear()
        await run.press("e")
        assert run.screen == "AttemptsScreen"
        assert happened[:2] == ["asked", "mounted"]


@pytest.mark.parametrize("patience", [0, 20])
@pytest.mark.parametrize("method", ["attempts.page", "exams.page"])
async def test_an_early_page_that_fails_is_explained_and_can_be_asked_for_again(
    tmp_path: Path, method: str, patience: int
) -> None:
    lms = school()
    lms.faults.fail(method, Offline("The server cannot be reached."), Offline("The server cannot be reached."))
    opened = _Opened(tmp_path, lms, patience)
    async with opened.app.run_test(size=(120, 40)) as pilot:
        run = Program(opened.app, pilot, opened.lms, opened.provider)
        await run.settle()
        await run.settle()
        assert "cannot be reached" in run.text()
        await run.press("r")
        await run.press("r")
        assert "Five quick ones" in run.text()
        assert "cannot be reached" not in run.text()


@pytest.mark.parametrize("patience", [0, 20])
async def test_a_server_without_exam_lists_has_a_home_too(tmp_path: Path, patience: int) -> None:
    opened = _Opened(tmp_path, without_exam_lists(school()), patience)
    async with opened.app.run_test(size=(120, 40)) as pilot:
        run = Program(opened.app, pilot, opened.lms, opened.provider)
        await run.settle()
        await run.settle()
        assert "This server has no list of exams." in run.text()


@pytest.mark.parametrize("patience", [0, 20])
async def test_a_sign_in_that_ends_meanwhile_is_asked_for_again(tmp_path: Path, patience: int) -> None:
    lms = school()
    lms.faults.fail("attempts.page", SignInNeeded("Your sign-in has expired."))
    opened = _Opened(tmp_path, lms, patience)
    async with opened.app.run_test(size=(120, 40)) as pilot:
        run = Program(opened.app, pilot, opened.lms, opened.provider)
        await run.settle()
        await run.settle()
        assert run.screen == "_SignInAgain"
        await run.press(*"practice", "enter")
        await run.settle()
        assert "Five quick ones" in run.text()


async def test_pages_that_nobody_takes_are_dropped_without_a_word() -> None:
    reported: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: reported.append(context))
    lms = FakeLms()
    error: ApiError = Offline("The server cannot be reached.")
    lms.faults.fail("attempts.page", error)
    pages = FirstPages(lms)
    for _ in range(20):
        await asyncio.sleep(0)
    del pages
    gc.collect()
    assert reported == []


@pytest.mark.parametrize("patience", [0, 20])
async def test_the_instructions_take_the_exam_that_is_there_or_under_way_and_ask_for_nothing_twice(
    tmp_path: Path, patience: int
) -> None:
    opened = _Opened(tmp_path, school(), patience, institute.QUICK.slug)
    async with opened.app.run_test(size=(120, 40)) as pilot:
        run = Program(opened.app, pilot, opened.lms, opened.provider)
        await run.settle()
        await run.settle()
        assert run.screen == "InstructionsScreen"
        assert "Press enter to start" in run.text()
        calls = opened.lms.faults.calls
        assert (calls["exams.read"], calls["attempts.of_exam"]) == (1, 1)


@pytest.mark.parametrize("patience", [0, 20])
async def test_an_exam_that_fails_early_is_explained_and_can_be_asked_for_again(tmp_path: Path, patience: int) -> None:
    lms = school()
    lms.faults.fail("exams.read", Offline("The server cannot be reached."))
    opened = _Opened(tmp_path, lms, patience, institute.QUICK.slug)
    async with opened.app.run_test(size=(120, 40)) as pilot:
        run = Program(opened.app, pilot, opened.lms, opened.provider)
        await run.settle()
        await run.settle()
        assert "The instructions could not be loaded." in run.text()
        await run.press("ctrl+r")
        await run.settle()
        assert "Press enter to start" in run.text()


async def test_an_exam_that_was_asked_for_is_given_once() -> None:
    first = FirstExam(FakeLms(), institute.QUICK.slug)
    assert first.take() is not None
    assert first.take() is None
