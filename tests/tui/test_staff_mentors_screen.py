"""Mentors, their students, and batches."""

from pathlib import Path

from tests.fakes.served import Served, served
from tests.service.service_world import World


async def to_place(run: Served, steps: int, text: str) -> None:
    await run.press("m")
    await run.see("For administrators")
    await run.press(*["down"] * steps, "enter")
    await run.see(text)


async def fill(run: Served, first: str, **texts: str) -> None:
    await run.see(first)
    for name, text in texts.items():
        run.app.screen.query_one(f"#{name.replace('_', '-')}").value = text  # type: ignore[attr-defined]  # an Input
    await run.settle()


async def test_students_are_assigned_to_a_mentor_and_removed(world: World, tmp_path: Path) -> None:
    async with served(world, "admin", tmp_path) as run:
        await to_place(run, 7, "Devika Rao")
        await run.see("Farida Khan", "Telangana")
        await run.press("down", "enter")
        await run.see("of Devika Rao", "Imran Ansari")
        await run.press("a")
        await fill(run, "User names", students_username="kavita, nobody-of-this-name")
        await run.press("ctrl+s")
        await run.see("nobody-of-this-name", "Not saved.")
        await fill(run, "User names", students_username="kavita, joseph")
        await run.press("ctrl+s")
        await run.see("Kavita Rathore", "Joseph Fernandes")
        await run.press("/")
        await run.type("kavi")
        await run.press("enter")
        await run.gone("Imran Ansari")
        await run.press("d")
        await run.see("Remove Kavita Rathore from this mentor?")
        await run.press("y")
        await run.gone("Kavita Rathore")
        await run.press("escape")
        await run.see("Joseph Fernandes")
        await run.press("escape")
        await run.see("Devika Rao", "students 5")


async def test_a_mentor_is_created(world: World, tmp_path: Path) -> None:
    async with served(world, "admin", tmp_path) as run:
        await to_place(run, 7, "Devika Rao")
        await run.press("n")
        await fill(run, "First name", username="nila", password="a-password", first_name="Nila", state="IN-TN")
        await run.press("ctrl+s")
        await run.see("Nila", "Tamil Nadu")


async def test_batches_are_searched_on_the_server_and_created(world: World, tmp_path: Path) -> None:
    async with served(world, "admin", tmp_path) as run:
        await to_place(run, 8, "Foundation Morning")
        await run.press("/")
        await run.type("zzz")
        await run.press("enter")
        await run.see("Nothing matches. Press esc to show all.")
        await run.press("escape")
        await run.see("Foundation Morning")
        await run.press("n")
        await fill(run, "Name", name="Crash course")
        await run.press("ctrl+s")
        await run.see("Crash course")


async def test_long_lists_are_loaded_when_scrolled_to(world: World, tmp_path: Path) -> None:
    admin = world.caller("admin")
    for number in range(70):
        await admin.post("/api/v2.5/admin/batches/", {"name": f"Batch {number:02}"})
    async with served(world, "admin", tmp_path, size=(80, 24)) as run:
        await to_place(run, 8, "Batch 00")
        assert len(run.app.screen._items) == 40  # type: ignore[attr-defined]  # two pages fill the screen
        for _ in range(4):
            await run.press("end")
            await run.settle()
        await run.see("Foundation Morning")
