"""How every screen beyond the exams looks, for a student, for staff and for an administrator."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from textual.widgets import Input

from tests.fakes.looks import SIZES, looks_as_kept
from tests.fakes.served import Served, served
from tests.service.service_world import World

pytestmark = pytest.mark.usefixtures("utc")


async def ask(run: Served, steps: int, answer: str) -> None:
    await run.press(*["down"] * steps, "enter")
    await run.settle()
    await run.type(answer)
    await run.press("enter")


async def student(run: Served) -> AsyncIterator[str]:
    await run.press("m")
    await run.see("Your details")
    yield "more"
    await run.press("enter")
    await run.see("No photo.", "Not filled in")
    yield "profile"
    await run.press("e")
    await run.see("First name")
    run.app.screen.query_one("#birth-date", Input).value = "9 May 2009"
    await run.settle()
    await run.press("ctrl+s")
    await run.see("Write the date as YYYY-MM-DD.")
    yield "profile-form"
    await run.press("escape")
    await run.see("Leave without saving?")
    yield "profile-lost"
    await run.press("y")
    await run.gone("First name")
    await run.press("escape")
    await ask(run, 1, "6")
    await run.see("Ravi Kumar", "No photo.")
    yield "person"
    await run.press("escape")
    await run.press("down", "enter")
    await run.see("Foundation Test 2 is in three days")
    yield "notices"
    await run.press("/", *"mock")
    await run.gone("Welcome")
    yield "notices-filtered"
    await run.press("enter", "enter")
    await run.see("With r answers right")
    yield "post"
    await run.press("escape", "n")
    await run.type("ten-graphs-to-know")
    await run.press("enter")
    await run.see("This post is not available to you.")
    yield "post-refused"
    await run.press("escape", "escape", "escape", "down", "enter")
    await run.see("Language and Reasoning")
    yield "courses"
    await run.press("enter")
    await run.see("Acids in the kitchen")
    yield "course"
    await run.press("escape", "escape", "down", "enter")
    await run.see("Drawing what a puzzle says")
    yield "videos"


async def staff(run: Served) -> AsyncIterator[str]:
    await run.press("m")
    await run.see("Your details")
    await run.press("down", "down", "down", "enter", "enter")
    await run.see("Acids in the kitchen")
    yield "staff-course"
    await run.press("t")
    await run.see("Press n to create one")
    yield "tokens-none"
    await run.press("n")
    await run.see("Valid for")
    yield "token-form"
    await run.press("ctrl+s")
    await run.see("✓ active", "10 min left")
    yield "tokens"


async def administrator(run: Served) -> AsyncIterator[str]:
    await run.press("m")
    await run.see("For administrators")
    yield "more-administrators"
    await run.press(*["down"] * 5, "enter")
    await run.see("Welcome to the new term")
    yield "posts"
    await run.press("end", "e")
    await run.see("Summary")
    yield "post-form"
    await run.press("escape")
    await run.gone("Summary")
    await run.press("d")
    await run.see("type its link name")
    yield "post-delete"
    await run.press("escape", "escape")
    await run.press("down", "enter")
    await run.see("Press / to find a user")
    yield "users-none"
    await run.press("/")
    await run.type("asha@institute.example")
    await run.press("enter")
    await run.see("Asha Nair")
    yield "users"
    await run.press("escape", "escape", "down", "enter")
    await run.see("Devika Rao")
    yield "mentors"
    await run.press("enter")
    await run.see("Ravi Kumar")
    yield "students"
    await run.press("escape")
    await run.see("Devika Rao")
    await run.press("escape", "down", "enter")
    await run.see("Foundation Morning")
    yield "batches"


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("username", "scenes"),
    [("asha", student), ("staff", staff), ("admin", administrator)],
    ids=lambda value: str(value)[:8],
)
async def test_the_screens_beyond_exams_match_their_snapshots(
    world: World, tmp_path: Path, username: str, scenes: object, size: tuple[int, int]
) -> None:
    different = []
    async with served(world, username, tmp_path, size=size) as run:
        async for name in scenes(run):  # type: ignore[operator]  # one of the three above
            await run.settle()
            if not await looks_as_kept(run, f"institute-{name}"):
                different.append(name)
    assert not different
