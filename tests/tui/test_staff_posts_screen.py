"""Posts as administrators keep them."""

from pathlib import Path

from tests.fakes.served import Served, served
from tests.service.service_world import World


async def to_posts(run: Served) -> None:
    await run.press("m")
    await run.see("For administrators")
    await run.press(*["down"] * 5, "enter")
    await run.see("Welcome to the new term")


async def fill(run: Served, **texts: str) -> None:
    await run.see("Summary")
    for name, text in texts.items():
        entry = run.app.screen.query_one(f"#{name.replace('_', '-')}")
        setattr(entry, "text" if name == "content_html" else "value", text)
    await run.settle()


async def test_a_post_is_written_previewed_and_saved(world: World, tmp_path: Path) -> None:
    async with served(world, "admin", tmp_path) as run:
        await to_posts(run)
        await run.press("n")
        await fill(run, title="Results are out", content_html="<p>See \\(x^2\\).</p>", batches="Foundation Morning")
        await run.press("ctrl+o")
        await run.see("preview, not saved", "See x².", "for Foundation Morning")
        await run.press("escape", "ctrl+s")
        await run.gone("Summary")
        assert "Post saved." in run.notices
        await run.see("Results are out", "results-are-out")
        await run.press("enter")
        await run.see("See x².")


async def test_an_error_of_the_service_is_shown_at_its_field_and_the_input_stays(world: World, tmp_path: Path) -> None:
    async with served(world, "admin", tmp_path) as run:
        await to_posts(run)
        await run.press("n", "ctrl+s")
        await run.see("! Title is required.", "Correct the marked fields.")
        await fill(run, title="To nobody", batches="Foundation Morning, No such batch")
        await run.press("ctrl+s")
        await run.see("! Batches: Nothing is named “No such batch”. Not saved.")
        assert "batches:" not in run.words
        assert run.screen == "PostForm"
        assert run.app.focused is not None
        assert run.app.focused.id == "batches"


async def test_the_error_of_a_field_is_shown_in_full_in_a_narrow_window(world: World, tmp_path: Path) -> None:
    async with served(world, "admin", tmp_path, size=(80, 24)) as run:
        await to_posts(run)
        await run.press("n")
        await fill(run, title="Results are out", url="bad slug!")
        await run.press("ctrl+s")
        await run.see("Use letters, digits, - and _ only.")


async def test_only_changed_fields_of_a_post_are_sent(world: World, tmp_path: Path) -> None:
    async with served(world, "admin", tmp_path) as run:
        await to_posts(run)
        await run.press("end", "e")
        await fill(run, title="Welcome, everyone")
        await run.press("ctrl+s")
        await run.gone("Summary")
        await run.see("Welcome, everyone")
        await run.press("enter")
        await run.see("Welcome, everyone", "Doubt sessions are on Saturdays.")


async def test_a_post_is_deleted_after_its_name_is_typed(world: World, tmp_path: Path) -> None:
    async with served(world, "admin", tmp_path) as run:
        await to_posts(run)
        await run.press("end", "d")
        await run.see("type its link name: welcome")
        await run.type("wellcome")
        await run.press("enter")
        assert "or press esc to keep the post" in run.words
        await run.press("escape")
        await run.see("Welcome to the new term")
        await run.press("d")
        await run.see("type its link name")
        await run.type("welcome")
        await run.press("enter")
        await run.gone("Welcome to the new term")
