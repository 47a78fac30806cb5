"""The exam list of the last start stands until the server has answered, and keys of that time keep their meaning."""

import asyncio
import contextlib
import random
import shutil
import threading
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from textual.events import Key

from lms_tui.client.port import ExamState
from lms_tui.common.settings import Profile
from lms_tui.runtime.kept_lists import KeptLists
from lms_tui.tui.app import LmsApp
from lms_tui.tui.widgets.row_list import RowList
from lms_tui.views.kept_list import KeptEntry, KeptList, read, written
from lms_tui.views.ports import OnStep, Opening, UserSession
from lms_tui.views.rows import Span
from lms_tui.wire.attempts import Attempt
from lms_tui.wire.base import Page
from lms_tui.wire.errors import ApiError, Offline, SignInNeeded
from lms_tui.wire.stats import StudentStats
from tests.fakes import institute
from tests.fakes.lms import FakeLms
from tests.fakes.program import InstituteClock, Program, program
from tests.fakes.session_provider import FakeSessionProvider, dependencies
from tests.waiting import PATIENCE

HERE = Profile("asha at school", "https://lms.example.org", "asha")
KEYS = (
    *("down", "up", "j", "k", "pagedown", "pageup", "home", "end"),
    *("enter", "escape", "slash", "x", "q", "c", "s", "r", "question_mark", "tab"),
)


def ended() -> FakeLms:
    """A server where no exam can be started or resumed. Its screens do not change with the time."""
    lms = FakeLms()
    lms.attempts.known = [attempt for attempt in lms.attempts.known if attempt.state == "Completed"]
    lms.exams.lists[ExamState.AVAILABLE] = []
    return lms


class Lists:
    """Keeps exam lists in memory."""

    def __init__(self) -> None:
        self.kept: list[tuple[Profile, KeptList]] = []
        self.forgotten: list[Profile] = []
        self.happened: list[str] = []
        self.slow: threading.Event | None = None
        self.is_writing = False

    def keep(self, profile: Profile, kept: KeptList) -> None:
        self.is_writing = True
        if self.slow is not None:
            assert self.slow.wait(PATIENCE)
        self.kept.append((profile, kept))
        self.happened.append("kept")

    def forget(self, profile: Profile) -> None:
        self.forgotten.append(profile)
        self.happened.append("forgotten")


class Opened(Program):
    """`answer`: the sign-in goes on. `error`: and fails."""

    answer: asyncio.Event
    lists: Lists
    error: ApiError | None = None

    @property
    def key(self) -> str:
        return self.app.screen.query_one(RowList).key

    def early(self, *keys: str) -> None:
        """Press keys without waiting for their effect."""
        for key in keys:
            self.app.post_message(Key(key, "/" if key == "slash" else key if len(key) == 1 else None))

    async def answered(self) -> None:
        self.answer.set()
        await self.settle()
        await self.until(lambda: not self.app.keys_waiting)
        for _ in range(5):
            await self.settle()


@contextlib.asynccontextmanager
async def opened(
    folder: Path, kept: KeptList | None, lms: FakeLms | None = None, *, size: tuple[int, int] = (120, 40)
) -> AsyncIterator[Opened]:
    lms, lists, answer = lms or FakeLms(), Lists(), asyncio.Event()
    provider = FakeSessionProvider(lms)
    given = replace(dependencies(provider, folder), clock=InstituteClock(), kept_lists=lists)

    async def enter(*, on_step: OnStep | None = None) -> UserSession:
        await answer.wait()
        if run.error is not None:
            raise run.error
        return UserSession(lms, await lms.me(), kept_for=HERE)

    app = LmsApp(given, Opening(enter, title="School", kept=kept))
    async with app.run_test(size=size) as pilot:
        run = Opened(app, pilot, lms, provider)
        run.answer, run.lists = answer, lists
        await pilot.pause()
        yield run


async def kept_of(folder: Path, lms: FakeLms) -> KeptList:
    """The list that a server leaves on this computer."""
    async with opened(folder, None, lms) as run:
        await run.answered()
        *_, (profile, kept) = run.lists.kept
    assert profile == HERE
    return kept


@pytest.fixture
async def kept(tmp_path: Path) -> KeptList:
    return await kept_of(tmp_path, FakeLms())


async def test_the_kept_list_is_drawn_as_it_was_and_marked_until_the_server_has_answered(
    tmp_path: Path, kept: KeptList
) -> None:
    async with opened(tmp_path, read(written(kept))) as run:
        assert run.screen == "OpeningScreen"
        assert "refreshing" in run.text()
        before = run.rows()
        await run.answered()
        assert run.screen == "HomeScreen"
        assert "refreshing" not in run.text()
        changed = [(old, new) for old, new in zip(before, run.rows(), strict=True) if old != new]
        assert [old.replace(" refreshing ", "────────────") for old, _ in changed] == [new for _, new in changed]


async def test_home_shows_the_kept_list_and_its_details_until_the_lists_have_arrived(
    tmp_path: Path, kept: KeptList, monkeypatch: pytest.MonkeyPatch
) -> None:
    lms, arrived = FakeLms(), asyncio.Event()
    page = lms.attempts.page

    async def late(number: int = 1, **filters: str) -> Page[Attempt]:
        await arrived.wait()
        return await page(number, **filters)

    monkeypatch.setattr(lms.attempts, "page", late)
    async with opened(tmp_path, read(written(kept)), lms) as run:
        before = run.rows()
        run.answer.set()
        await run.until(lambda: run.screen == "HomeScreen")
        for _ in range(5):
            await run.pilot.pause()
        assert run.rows() == before
        arrived.set()
        await run.until(lambda: "refreshing" not in run.text())


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
async def test_250_early_keys_do_what_they_do_in_the_list_of_the_server(tmp_path: Path, seed: int) -> None:
    """A thousand random keys in four runs. The answer comes among them, each time at another place."""
    chance = random.Random(seed)
    keys = [chance.choice(KEYS) for _ in range(250)]
    kept, screens = await kept_of(tmp_path, ended()), []
    for early in (True, False):
        async with opened(tmp_path / str(early), kept, ended()) as run:
            if not early:
                await run.answered()
            for number, key in enumerate(keys):
                if number == chance.randrange(250):
                    run.answer.set()
                run.early(key)
                for _ in range(chance.choice((0, 0, 1, 3, 9))):
                    await asyncio.sleep(0)
            await run.answered()
            stack = [type(screen).__name__ for screen in run.app.screen_stack]
            screens.append((stack, run.key if run.screen == "HomeScreen" else "", run.text()))
    assert screens[0] == screens[1]


async def test_enter_opens_what_was_selected_although_the_screen_of_the_server_has_another_order(
    tmp_path: Path, kept: KeptList
) -> None:
    last = next(entry for entry in reversed(kept.entries) if entry.key)
    others = tuple(entry for entry in kept.entries if entry is not last)
    async with opened(tmp_path, replace(kept, entries=(last, *others))) as run:
        run.early("enter", "r")
        await run.answered()
        assert run.screen == "AttemptsScreen"


async def test_keys_for_an_exam_that_is_gone_act_on_nothing_else(tmp_path: Path, kept: KeptList) -> None:
    gone = KeptEntry("exam-gone", "gone", (Span("○ A mock test of last year"),))
    async with opened(tmp_path, replace(kept, entries=(gone, *kept.entries))) as run:
        run.early("enter", "enter", "s")
        await run.answered()
        assert run.screen == "HomeScreen"
        assert "The selected row is not there any more." in run.notices
        await run.press("s")
        assert run.screen == "StatsScreen"


async def test_an_exam_that_was_started_elsewhere_is_found_by_its_link_name(tmp_path: Path, kept: KeptList) -> None:
    slug = institute.RESUMABLE.exam.slug
    entry = KeptEntry(f"exam-{slug}", slug, (Span("○ It was available then"),))
    async with opened(tmp_path, replace(kept, entries=(entry,))) as run:
        await run.answered()
        assert run.key == f"attempt-{institute.RESUMABLE.id}"


async def test_a_second_click_waits_as_enter_does(tmp_path: Path, kept: KeptList) -> None:
    async with opened(tmp_path, kept) as run:
        row = next(number for number, text in enumerate(run.rows()) if "JEE Main" in text)
        await run.pilot.click(offset=(8, row))
        await run.pilot.click(offset=(8, row))
        assert run.screen == "OpeningScreen"
        await run.answered()
        assert run.screen == "ResultScreen"


async def test_quitting_does_not_wait_for_the_server(tmp_path: Path, kept: KeptList) -> None:
    async with opened(tmp_path, kept) as run:
        run.early("enter", "s", "ctrl+q")
        await run.until(lambda: not run.app.is_running)
        assert run.app.return_code == 0


async def test_a_failure_takes_the_kept_list_away_and_can_be_tried_again(tmp_path: Path, kept: KeptList) -> None:
    async with opened(tmp_path, kept) as run:
        run.error = Offline("The server cannot be reached.")
        run.early("enter", "s")
        await run.answered()
        assert "The server cannot be reached." in run.words
        assert "refreshing" not in run.text()
        assert "The keys that you pressed were not used." in run.notices
        run.error = None
        await run.press("r")
        await run.answered()
        assert run.screen == "HomeScreen"


async def test_a_saved_sign_in_that_has_ended_leads_to_the_sign_in_screen(tmp_path: Path, kept: KeptList) -> None:
    async with opened(tmp_path, kept) as run:
        run.error = SignInNeeded("The saved sign-in has ended.")
        run.early("enter")
        await run.answered()
        assert run.screen == "SignInScreen"


async def test_a_server_that_wants_a_new_sign_in_gets_none_of_the_keys(tmp_path: Path, kept: KeptList) -> None:
    lms = FakeLms()
    async with opened(tmp_path, kept, lms) as run:
        lms.faults.fail("attempts.page", SignInNeeded("The sign-in has expired."))
        run.early("enter", "x", "x", "enter")
        run.answer.set()
        await run.until(lambda: run.app.screen.is_modal)
        await run.pilot.pause()
        assert "The keys that you pressed were not used." in run.notices
        assert "••" not in run.text()


async def test_a_home_screen_without_server_is_not_kept(tmp_path: Path) -> None:
    lms = FakeLms()
    lms.faults.fail("attempts.page", Offline("The server cannot be reached."))
    async with opened(tmp_path, None, lms) as run:
        await run.answered()
        assert run.lists.kept == []
        await run.press("r")
        await run.until(lambda: bool(run.lists.kept))


async def test_an_attempt_deletes_the_kept_list_which_does_not_offer_to_resume_it(tmp_path: Path) -> None:
    async with opened(tmp_path, None) as run:
        await run.answered()
        before = len(run.lists.kept)  # once with the exams and once with the news, unless both came at once
        assert before in {1, 2}
        assert run.lists.forgotten == []
        await run.press("home", "enter")
        await run.until(lambda: run.screen == "RunnerScreen")
        assert run.lists.forgotten == [HERE]
        await run.press("ctrl+q")
        await run.until(lambda: run.app.screen.is_modal or run.screen == "HomeScreen")
        if run.app.screen.is_modal:
            await run.press("enter")
        await run.until(lambda: len(run.lists.kept) > before)


@pytest.mark.parametrize("is_shown", [True, False])
async def test_nothing_is_kept_after_an_attempt_has_deleted_the_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_shown: bool
) -> None:
    """The news arrive under the exam, or while the exam is still loaded and home stands."""
    lms, arrived, loaded = FakeLms(), asyncio.Event(), asyncio.Event()
    stats, start = lms.stats, lms.attempts.start

    async def late_stats() -> StudentStats:
        await arrived.wait()
        return await stats()

    async def late_start(attempt_id: int) -> Attempt:
        await loaded.wait()
        return await start(attempt_id)

    monkeypatch.setattr(lms, "stats", late_stats)
    monkeypatch.setattr(lms.attempts, "start", late_start)
    async with opened(tmp_path, None, lms) as run:
        run.answer.set()
        await run.until(lambda: bool(run.lists.kept))
        run.early("enter")  # `press` would wait for the news
        await run.until(lambda: bool(run.lists.forgotten))
        if is_shown:
            loaded.set()
            await run.until(lambda: run.screen == "RunnerScreen")
        arrived.set()
        await run.until(lambda: lms.faults.calls["stats"] > 0)
        for _ in range(20):
            await run.pilot.pause()
        loaded.set()
        await run.until(lambda: run.screen == "RunnerScreen")
        for _ in range(5):
            await run.settle()
        assert run.lists.happened[-1] == "forgotten"


async def test_a_list_that_is_being_written_when_an_attempt_begins_is_deleted_too(tmp_path: Path) -> None:
    async with opened(tmp_path, None) as run:
        run.lists.slow = threading.Event()
        run.answer.set()
        await run.until(lambda: run.lists.is_writing)
        run.early("enter")
        await run.until(lambda: bool(run.lists.forgotten))
        run.lists.slow.set()
        await run.until(lambda: run.screen == "RunnerScreen")
        for _ in range(5):
            await run.settle()
        assert run.lists.happened[-1] == "forgotten"


async def test_a_kill_at_the_kept_list_leaves_it_for_the_next_start(tmp_path: Path, kept: KeptList) -> None:
    KeptLists(tmp_path / "secrets").keep(HERE, kept)
    async with opened(tmp_path, KeptLists(tmp_path / "secrets").read(HERE)) as run:
        before = run.rows()
        run.early("down", "enter")
        await run.pilot.pause()
        shutil.copytree(tmp_path / "secrets", tmp_path / "killed")  # the files as a kill leaves them
    async with opened(tmp_path, KeptLists(tmp_path / "killed").read(HERE)) as run:
        assert run.rows() == before
        await run.answered()
        assert run.screen == "HomeScreen"


async def test_a_session_that_is_not_saved_keeps_no_list(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        assert run.app._user_session is not None
        assert run.app._user_session.kept_for is None


@pytest.mark.parametrize("size", [(40, 12), (80, 24), (200, 60)])
async def test_a_list_of_another_size_still_shows_the_titles(
    tmp_path: Path, kept: KeptList, size: tuple[int, int]
) -> None:
    async with opened(tmp_path, kept, size=size) as run:
        assert "Numerical literacy" in run.text()
        await run.answered()
        assert "Numerical literacy" in run.text()
