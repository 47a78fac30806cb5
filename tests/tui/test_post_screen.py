"""A post, read by its name."""

from pathlib import Path

from tests.fakes.served import Served, served
from tests.service.service_world import World


async def to_post(run: Served, name: str) -> None:
    await run.press("m", "down", "down", "enter", "n")
    await run.see("link name or address")
    await run.type(name)
    await run.press("enter")


async def test_a_post_is_opened_by_its_link_name_or_address(world: World, tmp_path: Path) -> None:
    async with served(world, "asha", tmp_path) as run:
        await to_post(run, "http://lms.test/posts/welcome/")
        told = await run.see("Welcome to the new term", "• Doubt sessions are on Saturdays.")
        assert "everyone" in told
        await run.press("escape")
        assert run.screen == "NoticesScreen"


async def test_formulas_of_a_post_are_drawn_and_change_their_style(world: World, tmp_path: Path) -> None:
    async with served(world, "asha", tmp_path) as run:
        await to_post(run, "how-the-mock-is-marked")
        await run.see("With r answers right")
        await run.press("v", "v")
        assert "4r - w" in run.words
        await run.press("z")
        assert "No picture" in run.notices


async def test_the_error_for_a_post_of_others_is_a_sentence(world: World, tmp_path: Path) -> None:
    async with served(world, "asha", tmp_path) as run:
        await to_post(run, "ten-graphs-to-know")
        await run.see("This post is not available to you.", "Ask your institute")
        await run.press("r")
        await run.see("This post is not available to you.")
