"""The exams of the institute for staff: the list and the live board."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest
from textual.widgets import Input

from lms_tui.banks.model import Question
from lms_tui.wire.question_types import QuestionType
from tests.fakes.looks import SIZES, looks_as_kept
from tests.fakes.served import Served, served
from tests.service.service_world import World, choice, exam_of, sums
from tests.tui.test_browse_screens import Lacking

pytestmark = pytest.mark.usefixtures("utc")


async def with_exams(world: World) -> None:
    """Two exams, one of them taken by three students, of whom one has ended."""
    world.add_exam(sums(title="Algebra"), end_date=world.clock.now + timedelta(hours=2))
    world.add_exam(sums(title="Geometry"), start_date=world.clock.now + timedelta(days=2))
    for username in ("asha", "ravi", "meera"):
        caller = world.caller(username)
        attempt = await caller.create("algebra")
        if username == "asha":
            question, key = next(iter(world.right_answers(attempt).items()))
            await caller.answer(attempt, question, *key)
        if username == "meera":
            await caller.put(f"/api/v2.2/attempts/{attempt}/end/")


async def to_exams(run: Served) -> None:
    await run.press("m")
    await run.see("For staff")
    await run.press("end", "enter")
    await run.see("Algebra", "Geometry")


async def to_board(run: Served) -> None:
    await to_exams(run)
    await run.press("end", "enter")
    await run.see("Live board")
    await run.press("enter")
    await run.see("running", "ended")


async def scenes(run: Served) -> AsyncIterator[str]:
    await to_exams(run)
    yield "staff-exams"
    await run.press("end", "enter")
    await run.see("Live board")
    yield "staff-exam"
    await run.press("enter")
    await run.see("2 running, 1 ended")
    yield "board"
    await run.press("space", "t")
    await run.see("for whom?")
    yield "board-whom"


async def results_scenes(run: Served) -> AsyncIterator[str]:
    await to_exams(run)
    await run.press("end", "enter")
    await run.see("Live board")
    await run.press("down", "enter")
    await run.see("0/12")
    await run.press("end")
    yield "staff-results"
    await run.press("enter")
    await run.see("Meera Iyer, Algebra: review", "Question 1 of 3")
    yield "staff-review"
    await run.press("escape", "escape", "down", "down", "enter")
    await run.see("1 attempt · mean 0")
    yield "staff-statistics"


@pytest.mark.parametrize("size", SIZES)
async def test_the_screens_of_exams_for_staff_match_their_snapshots(
    world: World, tmp_path: Path, size: tuple[int, int]
) -> None:
    await with_exams(world)
    async with served(world, "staff", tmp_path, size=size) as run:
        different = []
        async for name in scenes(run):
            await run.settle()
            if not await looks_as_kept(run, name):
                different.append(name)
    assert not different


@pytest.mark.parametrize("size", SIZES)
async def test_the_results_and_the_statistics_match_their_snapshots(
    world: World, tmp_path: Path, size: tuple[int, int]
) -> None:
    await with_exams(world)
    async with served(world, "staff", tmp_path, size=size) as run:
        different = []
        async for name in results_scenes(run):
            await run.settle()
            if not await looks_as_kept(run, name):
                different.append(name)
    assert not different


@pytest.mark.parametrize(("down", "ending"), [(0, "csv"), (1, "xlsx")])
async def test_the_results_are_saved_where_one_types(world: World, tmp_path: Path, down: int, ending: str) -> None:
    await with_exams(world)
    target = tmp_path / f"marks.{ending}"
    async with served(world, "staff", tmp_path, size=(80, 24)) as run:
        await to_exams(run)
        await run.press("end", "enter", "down", "enter")
        await run.see("0/12")
        await run.press("x", *["down"] * down, "enter")
        await run.see("Save the results")
        run.app.screen.query_one(Input).value = str(target)
        await run.press("enter")
        await run.until(target.exists)
        await run.until(lambda: "Saved as" in run.notices)
    assert target.read_bytes()[:2] == {"csv": b"\xef\xbb", "xlsx": b"PK"}[ending]
    assert target.stat().st_mode & 0o777 == 0o600


async def test_the_review_of_a_student_is_saved_as_a_pdf(world: World, tmp_path: Path) -> None:
    await with_exams(world)
    target = tmp_path / "review.pdf"
    async with served(world, "staff", tmp_path, size=(80, 24)) as run:
        await to_exams(run)
        await run.press("end", "enter", "down", "enter")
        await run.see("0/12")
        await run.press("p")
        await run.until(lambda: "The exam of this student is running." in run.notices)
        await run.press("end", "p")
        await run.see("Save the review")
        run.app.screen.query_one(Input).value = str(target)
        await run.press("enter")
        await run.until(target.exists)
        await run.until(lambda: "Saved as" in run.notices)
    assert target.read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(("down", "head"), [(1, b"username,email,firstname"), (5, b"Student,ID,SIS User ID")])
async def test_a_gradebook_is_saved_where_one_types(world: World, tmp_path: Path, down: int, head: bytes) -> None:
    await with_exams(world)
    target = tmp_path / "book.csv"
    async with served(world, "staff", tmp_path, size=(80, 24)) as run:
        await to_exams(run)
        await run.press("x")
        await run.see("Write a gradebook to a file")
        await run.press(*["down"] * down, "enter")
        await run.see("Save the gradebook")
        run.app.screen.query_one(Input).value = str(target)
        await run.press("enter")
        await run.until(target.exists)
        await run.until(lambda: "Saved as" in run.notices)
    assert target.read_bytes().startswith(head)


async def test_the_dialog_of_gradebooks_tells_how_many_attempts_are_still_to_mark(world: World, tmp_path: Path) -> None:
    world.add_exam(exam_of(choice("Sum"), Question(QuestionType.ESSAY, "<p>Write about tides.</p>"), title="Tides"))
    asha = world.caller("asha")
    attempt = await asha.create("tides")
    written = (await asha.questions(attempt))[1]
    await asha.put(f"/api/v2.2/attempts/{attempt}/questions/{written['id']}", {"essay_text": "High and low."})
    await asha.put(f"/api/v2.2/attempts/{attempt}/end/")
    async with served(world, "staff", tmp_path, size=(80, 24)) as run:
        await run.press("m")
        await run.see("For staff")
        await run.press("end", "enter")
        await run.see("Tides")
        await run.press("x")
        await run.see("Write a gradebook to a file (1 still to mark)")


async def test_the_list_of_exams_is_filtered_as_one_types_and_sorted(world: World, tmp_path: Path) -> None:
    await with_exams(world)
    async with served(world, "staff", tmp_path) as run:
        await to_exams(run)
        assert order_of(run, "Geometry", "Algebra") == ["Geometry", "Algebra"]
        await run.press("o")
        assert order_of(run, "Geometry", "Algebra") == ["Algebra", "Geometry"]
        await run.press("/", *"geo")
        await run.gone("Algebra")
        await run.press("escape")
        heading = next(place for place, text in enumerate(run.rows()) if "running" in text)
        await run.pilot.click(offset=(run.rows()[heading].index("running"), heading))
        await run.settle()
        assert "running ↓" in run.text()
        await run.pilot.click(offset=(run.rows()[heading].index("running"), heading))
        await run.settle()
        assert order_of(run, "Geometry", "Algebra") == ["Geometry", "Algebra"]


def order_of(run: Served, *titles: str) -> list[str]:
    """Return the titles from the top of the list. The details repeat one of them."""
    rows = [row[:40] for row in run.rows()]
    return sorted(titles, key=lambda title: next(place for place, row in enumerate(rows) if title in row))


async def test_extra_time_is_given_to_one_to_the_selected_and_to_everyone(world: World, tmp_path: Path) -> None:
    await with_exams(world)
    async with served(world, "staff", tmp_path) as run:
        await to_board(run)
        await run.press("t", "enter")
        await run.see("Only Asha Nair.")
        await run.type("ten")
        await run.press("enter")
        await run.see("Type whole minutes from 1 to 1440.")
        await run.press(*["backspace"] * 3, "5", "enter")
        await run.see("35:00", "0/1")
        assert "5 minutes more for 1 student." in run.notices
        await run.press("down", "space", "t", "enter", "1", "enter")
        await run.see("31:00")
        await run.press("t", "down", "enter", "1", "0", "enter")
        await run.see("45:00", "41:00")
        assert "10 minutes more for 2 students." in run.notices


async def test_the_board_lists_running_attempts_before_ended_ones(world: World, tmp_path: Path) -> None:
    await with_exams(world)
    asha = world.caller("asha")
    async with served(world, "staff", tmp_path) as run:
        await to_board(run)
        assert order_of(run, "Asha Nair", "Meera Iyer", "Ravi Kumar") == ["Asha Nair", "Ravi Kumar", "Meera Iyer"]
        (attempt,) = (await asha.get("/api/v2.2/attempts/"))["results"]
        await asha.put(f"/api/v2.2/attempts/{attempt['id']}/end/")
        await run.press("r")
        await run.see("1 running, 2 ended")
        assert order_of(run, "Asha Nair", "Meera Iyer", "Ravi Kumar") == ["Ravi Kumar", "Asha Nair", "Meera Iyer"]
        await world.caller("fatima").create("algebra")
        await run.press("r")
        await run.see("2 running, 2 ended")
        assert order_of(run, "Asha Nair", "Fatima Sheikh")[0].startswith("Fatima")


async def test_the_time_of_an_interruption_is_given_back_in_one_step(world: World, tmp_path: Path) -> None:
    await with_exams(world)
    world.clock.move(minutes=12)
    async with served(world, "staff", tmp_path) as run:
        await to_board(run)
        now = world.clock.now.astimezone()
        await run.press("i", "down", "enter")
        await run.see("such as 10:05-10:17")
        await run.type("later")
        await run.press("enter")
        await run.see("Type a time that is over")
        span = f"{now - timedelta(minutes=12):%H:%M}-{now:%H:%M}"
        await run.press(*["backspace"] * 5, *span, "enter")
        await run.until(lambda: "The time is given back to" in run.notices)


async def test_a_clock_is_stopped_and_an_exam_is_ended_and_reopened(world: World, tmp_path: Path) -> None:
    await with_exams(world)
    async with served(world, "staff", tmp_path) as run:
        await to_board(run)
        await run.press("p", "enter")
        await run.see("1 running, 1 paused, 1 ended")
        await run.press("g", "enter")
        await run.see("2 running, 1 ended")
        await run.press("x", "enter")
        await run.see("Each app has 90 seconds at most")
        await run.press("enter")
        await run.gone("90 seconds at most to send")
        assert "The exam ends" not in run.notices
        await run.press("x", "enter", "y")
        await run.see("1:30")
        await run.press("u")
        assert "Select a student whose exam has ended." in run.notices
        await run.press("end", "u", "enter")
        await run.see("The result is gone until the exam ends again", "Type how many minutes to give besides")
        await run.press("0", "enter")
        await run.see("3 running")


async def test_a_message_is_counted_until_the_app_has_shown_it(world: World, tmp_path: Path) -> None:
    await with_exams(world)
    async with served(world, "staff", tmp_path) as run:
        await to_board(run)
        await run.press("w", "down", "enter", "enter")
        await run.see("Type a message.")
        await run.type("Use 9.81.")
        await run.press("enter")
        await run.see("0/1", "0 of 1 shown")
        asha = world.caller("asha")
        (attempt,) = (await asha.get("/api/v2.2/attempts/"))["results"]
        (notice,) = await asha.get(f"/api/v2.2/attempts/{attempt['id']}/notices/")
        assert notice["text"] == "Use 9.81."
        await asha.send("PUT", f"/api/v2.2/attempts/{attempt['id']}/notices/{notice['id']}/seen/")
        await run.press("r")
        await run.see("1/1", "1 of 1 shown")


async def test_a_mentor_watches_the_own_students_and_changes_nothing(world: World, tmp_path: Path) -> None:
    await with_exams(world)
    await world.caller("fatima").create("algebra")
    async with served(world, "mentor", tmp_path) as run:
        await to_board(run)
        await run.see("Asha Nair")
        assert "Fatima" not in run.text()
        assert "extra time" not in run.rows()[-1]
        await run.press("t", "enter", "5", "enter")
        await run.see("Only a moderator or an administrator may do this.")


async def test_a_student_has_no_exams_for_staff(world: World, tmp_path: Path) -> None:
    async with served(world, "asha", tmp_path) as run:
        await run.press("m")
        await run.see("Your details")
        await run.settle()
        assert "For staff" not in run.text()


async def test_a_server_without_the_list_is_asked_once_and_named_once(world: World, tmp_path: Path) -> None:
    asked: list[str] = []
    world.app.routes.add_middleware(Lacking, status=404, asked=asked, paths=frozenset({"/api/v2.5/admin/exams/"}))
    async with served(world, "admin", tmp_path) as run:
        for _ in range(2):
            await run.press("m")
            await run.see("For administrators", "This server has no list of exams for staff.")
            assert "For staff" not in run.text()
            await run.press("escape")
    assert len(asked) == 1
