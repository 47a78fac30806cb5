"""The home screen: what to do now, the last results and what is new."""

import asyncio
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from textual.geometry import Offset

from lms_tui.client.port import Batches, ExamState, StaffExams
from lms_tui.common.settings import Appearance
from lms_tui.tui.screens.home import screen as home_screen
from lms_tui.tui.screens.home.screen import HomeScreen
from lms_tui.tui.widgets.row_list import RowList
from lms_tui.views import home
from lms_tui.views.attempts import ExamGroup, ExamLists
from lms_tui.views.rows import cells, plain
from lms_tui.wire.errors import NotOffered, Offline
from tests.fakes import institute
from tests.fakes.lms import NOTICES, FakeLms, school, without_exam_lists
from tests.fakes.program import Program, program
from tests.tui.test_appearance import colours


def key(run: Program) -> str:
    return run.app.screen.query_one(RowList).key


async def test_home_says_what_to_do_now(tmp_path: Path) -> None:
    async with program(tmp_path, school(), home=True) as run:
        assert run.screen == "HomeScreen"
        words = (
            *("Resume", "Numerical literacy", "1:12:07", "Available", "Five quick ones"),
            *("Upcoming", "opens in", "Mock test 7", "3 d", "2 to start · 1 upcoming · 2 done"),
            *("Last result", "195/300", "Weakest topic", "Chemistry", "42 of 75 correct"),
            *("5 of 9 exams", "Notices", "Notice 1", "Notice 3"),
        )
        places = [run.text().index(word) for word in words]
        assert places == sorted(places)
        assert "Notice 4" not in run.text()


async def test_a_high_window_lists_more_exams_also_after_it_has_grown(tmp_path: Path) -> None:
    lms = school()
    lms.exams.lists[ExamState.AVAILABLE] += [institute.exam(f"more-{n}", f"More {n}") for n in range(5)]
    async with program(tmp_path, lms, home=True, size=(120, 24)) as run:
        assert "More 4" not in run.text()
        await run.press("down")
        before = key(run)
        await run.pilot.resize_terminal(120, 50)
        await run.settle()
        assert "More 4" in run.text()
        assert key(run) == before
        assert "Notice 3" in run.text()
        assert "more ─" not in run.text()


async def test_the_lists_are_asked_for_once_and_before_the_screen_is_mounted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lms, happened = school(), list[str]()
    page, mount = lms.attempts.page, HomeScreen.on_mount

    async def asked(number: int = 1, **filters: str) -> object:
        happened.append("asked")
        return await page(number, **filters)

    def mounted(screen: HomeScreen) -> None:
        happened.append("mounted")
        mount(screen)

    monkeypatch.setattr(lms.attempts, "page", asked)
    monkeypatch.setattr(HomeScreen, "on_mount", mounted)
    async with program(tmp_path, lms, home=True) as run:
        assert run.screen == "HomeScreen"
        assert happened == ["asked", "mounted"]
        assert lms.attempts.faults.calls["exams.page"] == 2


async def test_lists_that_arrive_while_the_app_closes_are_ignored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lms, arrived, given = school(), asyncio.Event(), asyncio.Event()
    page = lms.attempts.page

    async def slow_page(*_: object, **__: object) -> object:
        await arrived.wait()
        given.set()
        return await page()

    async with program(tmp_path, lms, home=True) as run:
        monkeypatch.setattr(lms.attempts, "page", slow_page)
        await run.pilot.press("r")
        await run.app.screen.remove_children()
        arrived.set()
        await given.wait()
        await run.settle()
        assert run.app.return_code is None


async def test_enter_resumes_the_running_attempt(tmp_path: Path) -> None:
    async with program(tmp_path, school(), home=True) as run:
        await run.press("enter")
        await run.until(lambda: run.screen == "RunnerScreen")


async def test_home_is_not_drawn_under_an_exam(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(home_screen, "_TICK", 0.01)
    async with program(tmp_path, school(), home=True) as run:
        under = cast("HomeScreen", run.app.screen)
        drawn: list[str] = []
        rows = under.query_one(RowList)
        monkeypatch.setattr(rows, "show", lambda *_, **_more: drawn.append(run.screen))
        await run.until(lambda: bool(drawn))
        await run.press("enter")
        await run.until(lambda: run.screen == "RunnerScreen")
        passed: list[None] = []
        under.set_interval(0.01, lambda: passed.append(None))
        await run.until(lambda: len(passed) > 10)  # lists that were asked for before have arrived
        drawn.clear()
        await run.until(lambda: len(passed) > 20)
        assert drawn == []


@pytest.mark.parametrize(
    ("row", "screen"),
    [
        ("exam-five-minutes", "InstructionsScreen"),
        ("all", "AttemptsScreen"),
        ("result-180", "ResultScreen"),
        ("topic", "StatsScreen"),
        ("progress", "StatsScreen"),
        ("notice-n2", "PostScreen"),
    ],
)
async def test_enter_opens_each_row(tmp_path: Path, row: str, screen: str) -> None:
    async with program(tmp_path, school(), home=True) as run:
        run.app.screen.query_one(RowList).go_to(row)
        assert key(run) == row
        await run.press("enter")
        assert run.screen == screen


@pytest.mark.parametrize(
    ("pressed", "screen"),
    [("e", "AttemptsScreen"), ("i", "NoticesScreen"), ("s", "StatsScreen"), ("m", "MoreScreen")],
)
async def test_one_key_leads_to_everything_else_and_escape_back(tmp_path: Path, pressed: str, screen: str) -> None:
    async with program(tmp_path, school(), home=True) as run:
        await run.press(pressed)
        assert run.screen == screen
        await run.press("escape")
        assert run.screen == "HomeScreen"


async def test_the_list_stands_at_once_and_a_key_behind_its_key_acts_in_it(tmp_path: Path) -> None:
    async with program(tmp_path, school(), home=True) as run:
        await run.pilot.press("e", "down", "enter")
        await run.settle()
        assert run.screen == "InstructionsScreen"


async def test_a_server_that_tells_nothing_but_exams_has_a_home(tmp_path: Path) -> None:
    lms = FakeLms()
    lms.faults.fail("stats", NotOffered("This server has no statistics."))
    lms.faults.fail("attempts.subjects", *[Offline("The server cannot be reached.")] * 3)
    async with program(tmp_path, lms, home=True) as run:
        assert "Numerical literacy" in run.text()
        assert "not known yet" in run.text()
        assert "Notices" not in run.text().partition("enter open")[0]


async def test_home_without_exam_lists_offers_the_link_name(tmp_path: Path) -> None:
    async with program(tmp_path, without_exam_lists(FakeLms()), home=True) as run:
        assert "Press n to open an exam by its link name." in run.words


async def test_home_without_a_server_says_so_and_r_retries(tmp_path: Path) -> None:
    lms = school()
    lms.faults.fail("attempts.page", Offline("The server cannot be reached."))
    async with program(tmp_path, lms, home=True) as run:
        assert "The server cannot be reached. " in run.words
        await run.press("r")
        assert "cannot be reached" not in run.text()
        assert "195/300" in run.text()


async def test_staff_without_attempts_see_the_pages_for_administrators(tmp_path: Path) -> None:
    lms = school()
    lms.attempts.known = []
    lms.exams.lists = {state: [] for state in ExamState}

    async def batches(*_: object) -> None:
        pass

    lms.batches = cast("Batches", SimpleNamespace(page=batches))
    lms.staff_exams = cast("StaffExams", SimpleNamespace(page=batches))
    async with program(tmp_path, lms, home=True) as run:
        told = run.text()
        assert told.index("For staff") < told.index("watch, mark and change") < told.index("For administrators")
        assert "You have no exams yet." not in run.text()
        assert "Your results" not in run.text()
        assert "All exams" in run.rows()[2]


async def test_a_student_without_exams_is_told_so(tmp_path: Path) -> None:
    lms = school()
    lms.attempts.known = []
    lms.exams.lists = {state: [] for state in ExamState}
    async with program(tmp_path, lms, home=True) as run:
        assert "You have no exams yet." in run.text()
        assert "For administrators" not in run.text()


@pytest.mark.parametrize("size", [(40, 12), (80, 24), (120, 40), (200, 60)])
async def test_home_can_be_walked_at_every_size(tmp_path: Path, size: tuple[int, int]) -> None:
    async with program(tmp_path, school(), size=size, home=True) as run:
        assert "Numerical literacy" in run.text()
        await run.press("end")
        assert "Notice 3" in run.text()
        assert key(run) == "notice-n3"


async def test_home_reads_in_ascii_and_without_colours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with program(tmp_path, school(), home=True, appearance=Appearance(ascii=True)) as run:
        assert run.text().replace("भौतिक विज्ञान: अध्याय", "").isascii()  # the title of an exam stays as it is
        assert "> Numerical literacy" in run.text()
        assert all(max(one) - min(one) <= 2 for one in colours(run))
        row = next(row for row in run.app.screen._compositor.render_strips() if "> Numerical literacy" in row.text)
        other = next(row for row in run.app.screen._compositor.render_strips() if "Five quick ones" in row.text)
        assert {part.style.bgcolor for part in row if part.style} - {part.style.bgcolor for part in other if part.style}


async def test_a_click_selects_a_row_and_a_second_one_opens_it(tmp_path: Path) -> None:
    async with program(tmp_path, school(), home=True) as run:
        at = Offset(8, next(y for y, row in enumerate(run.rows()) if "Last result" in row))
        await run.pilot.click(offset=at)
        await run.settle()
        assert "your scores" in run.words
        await run.pilot.click(offset=at)
        await run.settle()
        assert run.screen == "ResultScreen"


# Rows without a terminal.


def test_an_exam_that_closes_soon_is_offered_first_and_counts_down() -> None:
    soon = institute.exam("soon", "Soon", end_date=institute.NOW + timedelta(hours=5, minutes=12))
    far = institute.exam("far", "Far", end_date=institute.NOW + timedelta(days=40))
    lists = ExamLists(available=(institute.QUICK, institute.HINDI, institute.JEE, far, soon))
    items = home.shown(lists, institute.NOW)
    rows = home.exam_rows(items, 70, institute.NOW, 0)
    assert [entry.slug for entry in rows if entry.key] == ["soon", "five-minutes", "bhautik-vigyan"]
    text = "\n".join(plain(entry.row) for entry in rows)
    assert "closes in" in text
    assert "5 h 12 min" in text


@pytest.mark.parametrize(("height", "count"), [(0, 3), (7, 3), (8, 4), (20, 9)])
def test_as_many_exams_to_start_are_listed_as_the_window_has_room_for(height: int, count: int) -> None:
    available = tuple(institute.exam(f"e{number}", f"Exam {number}") for number in range(9))
    opens = institute.exam("later", "Later", start_date=institute.NOW + timedelta(days=1))
    items = home.shown(ExamLists(available=available, upcoming=(opens,)), institute.NOW)
    rows = home.exam_rows(items, 70, institute.NOW, height)
    assert [entry.slug for entry in rows if entry.key] == [f"e{number}" for number in range(count)] + ["later"]
    assert len(rows) <= max(height, 7)


def test_the_next_exams_are_those_that_open_first() -> None:
    exams = tuple(
        institute.exam(f"in-{days}", f"In {days}", start_date=institute.NOW + timedelta(days=days))
        for days in (9, 2, 5)
    )
    items = home.shown(ExamLists(upcoming=exams), institute.NOW)
    assert [(item.kind, item.exam.slug) for item in items] == [
        (ExamGroup.UPCOMING, "in-2"),
        (ExamGroup.UPCOMING, "in-5"),
    ]


def test_topics_of_several_attempts_are_added_up_by_name() -> None:
    once, twice = home.merged([institute.subjects()]), home.merged([institute.subjects()] * 2)
    assert [subject.name for subject in once] == ["Mechanics", "Optics", "Chemistry", "Mathematics"]
    assert [subject.correct for subject in twice] == [2 * subject.correct for subject in once]


def test_news_that_arrive_move_no_row() -> None:
    lists = ExamLists(attempts=tuple(institute.ATTEMPTS))
    news = home.News(False, institute.STATS, home.merged([institute.subjects()]), NOTICES)
    before = [entry.key for entry in home.extras(lists, home.News(), 74)]
    assert before == ["", "result-180", "topic", "progress"]
    assert [entry.key for entry in home.extras(lists, news, 74)][: len(before)] == before


@pytest.mark.parametrize("room", [36, 74, 154])
def test_rows_below_the_exams_fit_their_width(room: int) -> None:
    lists = ExamLists(attempts=tuple(institute.ATTEMPTS))
    news = home.News(False, institute.STATS, home.merged([institute.subjects()]), NOTICES)
    for told in (news, home.News()):
        for entry in home.extras(lists, told, room):
            assert cells(entry.row) <= room
            for row in home.details(entry.key, lists, told, room, institute.NOW):
                assert cells(row) <= room


def test_the_numbers_of_all_exams_are_shortened_with_a_sign() -> None:
    lists = ExamLists(attempts=tuple(institute.ATTEMPTS))
    whole = plain(home.all_exams(lists, 80, more=True).row)
    cut = plain(home.all_exams(lists, len(whole) - 4, more=True).row)
    assert "…" not in whole
    assert cut.endswith("…")
    assert len(cut) == len(whole) - 4
