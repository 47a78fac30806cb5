"""One's own profile, and another user's card."""

from pathlib import Path

from PIL import Image

from lms_tui.wire.errors import Offline
from tests.fakes.lms import FakeLms
from tests.fakes.program import program
from tests.fakes.served import Served, served, signed_in
from tests.service.service_world import World


async def to_profile(run: Served) -> None:
    await run.press("m", "enter")
    await run.see("batches", "No photo.")


async def field(run: Served, name: str, text: str) -> None:
    """Put this text into a field instead of what is there."""
    entry = run.app.screen.query_one(f"#{name}")
    entry.value = text  # type: ignore[attr-defined]  # an Input
    await run.settle()


async def test_your_details_show_every_field_of_the_service(world: World, tmp_path: Path) -> None:
    async with served(world, "asha", tmp_path) as run:
        await to_profile(run)
        for told in (
            "Asha Nair",
            "asha@institute.example",
            "2009-05-09",
            "Female",
            "Kochi, Kerala",
            "Scholarship 2026",
        ):
            assert told in run.words
        assert "Not filled in: phone." in run.words


async def test_changes_are_saved_and_only_they_are_sent(world: World, tmp_path: Path) -> None:
    async with served(world, "asha", tmp_path) as run:
        await to_profile(run)
        await run.press("e")
        await run.see("First name")
        await field(run, "phone", "+91 484 555 0123")
        await field(run, "state", "tamil nadu")
        await field(run, "gender", "")
        await run.press("ctrl+s")
        told = await run.see("+91 484 555 0123", "Tamil Nadu")
        assert "Not filled in: gender." in told
        assert "2009-05-09" in told


async def test_an_invalid_date_is_reported_at_its_field_before_sending(world: World, tmp_path: Path) -> None:
    async with served(world, "asha", tmp_path) as run:
        await to_profile(run)
        await run.press("e")
        await run.see("First name")
        await field(run, "birth-date", "09/05/2009")
        await field(run, "email", "nobody")
        await run.press("ctrl+s")
        told = await run.see("Write the date as YYYY-MM-DD.")
        assert "Write an e-mail address such as name@example.org." in told
        assert run.app.focused is not None
        assert run.app.focused.id == "email"


async def test_errors_of_the_service_are_shown_at_their_fields(world: World, tmp_path: Path) -> None:
    async with served(world, "asha", tmp_path) as run:
        await to_profile(run)
        await run.press("e")
        await run.see("First name")
        await field(run, "birth-date", "2031-01-01")
        await run.press("ctrl+s")
        await run.see("! The date of birth is in the future.", "Not saved.")
        await field(run, "birth-date", "2009-05-10")
        await run.press("ctrl+s")
        await run.see("2009-05-10", "user ID")


async def test_a_form_names_the_help_key_that_is_no_text(world: World, tmp_path: Path) -> None:
    async with served(world, "asha", tmp_path) as run:
        await to_profile(run)
        assert "? help" in run.rows()[-1]
        await run.press("e")
        await run.see("First name")
        assert "f1 help" in run.rows()[-1]
        await run.press("f1")
        await run.see("Keys of this screen")


async def test_leaving_a_changed_form_asks_first(world: World, tmp_path: Path) -> None:
    async with served(world, "asha", tmp_path) as run:
        await to_profile(run)
        await run.press("e")
        await run.see("First name")
        await run.press("escape")
        await run.gone("First name")
        await run.press("e")
        await run.see("First name")
        await field(run, "city", "Thrissur")
        for key in ("escape", "ctrl+q"):
            await run.press(key)
            await run.see("Leave without saving?")
            await run.press("enter")
            await run.gone("Leave without saving?")
        assert "Thrissur" in run.text()
        await run.press("escape")
        await run.see("Leave without saving?")
        await run.press("y")
        await run.see("Kochi, Kerala")


async def test_a_photo_is_uploaded_shown_and_removed(world: World, tmp_path: Path) -> None:
    picture = tmp_path / "me.png"
    Image.new("RGB", (60, 60), "#c02020").save(picture)
    async with served(world, "asha", tmp_path) as run:
        await to_profile(run)
        await run.press("p")
        await run.see("Type the name of a JPEG")
        await run.type(str(tmp_path / "nobody.png"))
        await run.press("enter")
        assert "There is no file with this name." in run.words
        entry = run.app.screen.query_one("Input")
        entry.value = str(picture)  # type: ignore[attr-defined]  # an Input
        await run.press("enter")
        await run.gone("No photo.")
        await run.gone("Loading …")
        styles = [s.style for strip in run.app.screen._compositor.render_strips() for s in strip if s.style]
        colours = {style.bgcolor.name for style in styles if style.bgcolor is not None}
        assert any(name.startswith("#c0") for name in colours)
        await run.press("p")
        await run.see("Leave the field empty to remove your photo.")
        await run.press("enter")
        await run.see("No photo.")


async def test_only_public_details_of_other_users_are_shown(world: World, tmp_path: Path) -> None:
    async with signed_in(world, "ravi") as session:
        number = session.user.id
    async with served(world, "asha", tmp_path, size=(80, 24)) as run:
        await run.press("m", "down", "enter")
        await run.see("user ID")
        await run.type(str(number))
        await run.press("enter")
        told = await run.see("Ravi Kumar", "No photo.")
        assert "Patna" not in told
        assert "edit" not in run.rows()[-1]
        await run.press("e")
        assert run.screen == "PersonScreen"


async def test_details_that_failed_to_load_can_be_loaded_again(tmp_path: Path) -> None:
    lms = FakeLms()
    async with program(tmp_path, lms) as run:
        lms.faults.fail("me", Offline("The server cannot be reached."))
        await run.press("m", "enter")
        assert "The server cannot be reached." in run.words
        await run.press("r")
        await run.settle()
        assert "Asha Rao" in run.words
