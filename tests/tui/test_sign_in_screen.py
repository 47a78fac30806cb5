import asyncio
from pathlib import Path

from textual.widgets import Input

from lms_tui.common.settings import Profile
from lms_tui.tui.app import LmsApp
from lms_tui.views.ports import OnStep, Opening, UserSession
from lms_tui.wire.errors import NotTheService, Offline, Refused
from tests.fakes.institute import PASSWORD
from tests.fakes.lms import FakeLms
from tests.fakes.program import Program, program
from tests.fakes.session_provider import FakeSessionProvider, dependencies

HERE = Profile("home", "https://lms.example.org", "asha")


async def fill(run: Program, secret: str = PASSWORD) -> None:
    """Open the form for another server and type into it."""
    await run.press("end", "enter")
    await run.type("https://lms.example.org")
    await run.press("enter")
    await run.type("asha")
    await run.press("enter")
    await run.type(secret)


async def test_one_key_starts_practice(tmp_path: Path) -> None:
    async with program(tmp_path, signed_in=False) as run:
        assert "Practice on this computer" in run.text()
        await run.press("enter")
        assert run.screen == "HomeScreen"
        assert run.provider.asked == [("practice", "asha")]


async def test_user_and_password_sign_in_by_enter_from_field_to_field(tmp_path: Path) -> None:
    async with program(tmp_path, signed_in=False) as run:
        await fill(run)
        await run.press("enter")
        assert run.screen == "HomeScreen"
        assert run.provider.asked == [("https://lms.example.org", "asha", "practice", "False")]


async def test_a_wrong_password_is_reported_and_the_input_stays(tmp_path: Path) -> None:
    async with program(tmp_path, signed_in=False) as run:
        await fill(run, "wrong")
        await run.press("enter")
        assert run.screen == "SignInScreen"
        assert "Unable to sign in with these credentials. Correct the user name or the password." in run.words
        values = [field.value for field in run.app.screen.query(Input)]
        assert values == ["https://lms.example.org", "asha", "wrong", ""]
        assert isinstance(run.app.focused, Input)
        assert run.app.focused.id == "password"


async def test_an_unreachable_server_and_a_bad_certificate_have_their_own_messages(tmp_path: Path) -> None:
    async with program(tmp_path, signed_in=False) as run:
        await fill(run)
        run.provider.error = Offline("The server cannot be reached.")
        await run.press("enter")
        assert "The server cannot be reached. Check the network and the server's address." in run.words
        run.provider.error = NotTheService(
            "The server's certificate is not valid (certificate has expired).",
            advice="Check the address and this computer's date.",
        )
        await run.press("ctrl+s")
        assert "(certificate has expired)." in run.words
        run.provider.error = None
        await run.press("ctrl+s")
        assert run.screen == "HomeScreen"


async def test_a_busy_server_is_told_in_one_sentence_while_the_sign_in_waits(tmp_path: Path) -> None:
    async with program(tmp_path, signed_in=False) as run:
        await fill(run)
        run.provider.busy = asyncio.Event()
        await run.pilot.press("enter")  # `run.press` would wait for the end of the sign-in
        await run.pilot.pause()
        assert "The server is busy. Your sign-in is tried again in 12 seconds." in run.words
        run.provider.busy.set()
        await run.settle()
        assert run.screen == "HomeScreen"


async def test_a_missing_field_is_reported_and_nothing_is_sent(tmp_path: Path) -> None:
    async with program(tmp_path, signed_in=False) as run:
        await run.press("end", "enter", "ctrl+s")
        assert "! Type the server's address." in run.text()
        assert "! Type your password." in run.text()
        assert run.provider.asked == []


async def test_the_footer_names_the_help_key_that_works_in_a_field(tmp_path: Path) -> None:
    async with program(tmp_path, signed_in=False) as run:
        assert "? help" in run.rows()[-1]
        await run.press("end", "enter")
        assert "f1 help" in run.rows()[-1]
        await run.press("escape")
        assert "? help" in run.rows()[-1]


async def test_a_token_can_be_pasted_instead_of_a_password_and_back(tmp_path: Path) -> None:
    async with program(tmp_path, signed_in=False) as run:
        await run.press("end", "enter")
        await run.type("https://lms.example.org")
        await run.press("ctrl+t")
        assert "Password" not in run.text()
        await run.type("abc.def.ghi")
        assert "abc.def.ghi" not in run.text()
        await run.press("enter")
        assert run.provider.asked == [("https://lms.example.org", "abc.def.ghi", "False")]


async def test_stay_signed_in_has_a_check_box_with_a_sign(tmp_path: Path) -> None:
    async with program(tmp_path, signed_in=False) as run:
        await fill(run)
        assert "✓" not in run.text()
        await run.press("tab", "space")
        assert "✓" in run.text()
        await run.press("ctrl+s")
        assert run.provider.asked[-1][-1] == "True"


async def test_a_saved_token_signs_in_without_a_dialog(tmp_path: Path) -> None:
    lms = FakeLms()
    async with program(tmp_path, lms, signed_in=False, provider=FakeSessionProvider(lms, HERE, kept=True)) as run:
        assert run.screen == "HomeScreen"


async def test_an_expired_token_asks_for_the_password_only(tmp_path: Path) -> None:
    async with program(tmp_path, None, HERE, signed_in=False) as run:
        assert run.screen == "SignInScreen"
        assert isinstance(run.app.focused, Input)
        assert run.app.focused.id == "password"
        await run.type("practice")
        await run.press("enter")
        assert run.provider.asked[-1] == ("https://lms.example.org", "asha", "practice", "False")
        assert run.screen == "HomeScreen"


async def test_the_input_does_not_stay_in_memory_after_sign_in(tmp_path: Path) -> None:
    async with program(tmp_path, signed_in=False) as run:
        await fill(run)
        await run.press("enter")
        below = run.app.screen_stack[0]
        assert not below.query(Input)


async def test_signing_out_closes_the_client_and_returns_to_sign_in(tmp_path: Path) -> None:
    async with program(tmp_path, signed_in=False) as run:
        await run.press("enter")
        await run.app.screen.run_action("sign_out")
        await run.settle()
        assert run.screen == "SignInScreen"
        assert run.lms.closed
        await run.press("home", "enter")
        assert run.screen == "HomeScreen"


async def test_hostile_names_of_profiles_are_cleaned(tmp_path: Path) -> None:
    wicked = Profile("x", "https://[/b] [@click=app.exit]go[/]", "\x1b[2Jasha")
    async with program(tmp_path, None, wicked, signed_in=False) as run:
        assert "[@click=app.exit]go[/]" in run.text()
        assert "\x1b" not in run.text()


async def test_sign_in_fits_the_smallest_terminal(tmp_path: Path) -> None:
    async with program(tmp_path, signed_in=False, size=(40, 12)) as run:
        assert "Practice on this computer" in run.text()
        await fill(run)
        await run.press("enter")
        assert run.screen == "HomeScreen"


async def test_a_service_that_does_not_start_can_be_tried_again(tmp_path: Path) -> None:
    lms = FakeLms()
    lms.faults.fail("me", Offline("The server cannot be reached."))
    async with program(tmp_path, lms) as run:
        assert run.screen == "OpeningScreen"
        assert "The server cannot be reached." in run.words
        await run.press("r")
        assert run.screen == "HomeScreen"


async def test_the_steps_of_an_opening_are_shown(tmp_path: Path) -> None:
    lms, goes_on = FakeLms(), asyncio.Event()

    async def enter(*, on_step: OnStep | None = None) -> UserSession:
        assert on_step is not None
        on_step("Making the institute: exams 3 of 9")
        await goes_on.wait()
        return UserSession(lms, await lms.me())

    opening = Opening(enter, title="Practice institute [b]")
    app = LmsApp(dependencies(FakeSessionProvider(lms), tmp_path), opening)
    async with app.run_test(size=(80, 24)) as pilot:
        run = Program(app, pilot, lms, FakeSessionProvider(lms))
        await run.until(lambda: "Making the institute: exams 3 of 9 …" in run.text())
        assert "Practice institute [b]" in run.text()
        goes_on.set()
        await run.until(lambda: run.screen == "HomeScreen")
        await run.settle()


OTHER = Profile("school", "https://school.example.org", "ravi")


async def test_a_profile_is_removed_after_a_confirmation(tmp_path: Path) -> None:
    async with program(tmp_path, None, HERE, OTHER, signed_in=False) as run:
        await run.press("escape", "d")
        assert "Remove asha at https://lms.example.org?" in run.words
        await run.press("enter")
        assert list(run.provider.known) == [HERE, OTHER]
        await run.press("d", "y")
        assert list(run.provider.known) == [OTHER]
        assert "Removed asha at https://lms.example.org." in run.words
        assert "https://school.example.org" in run.text()
        await run.press("d", "y")
        assert list(run.provider.known) == []
        assert "forget" not in run.rows()[-1]


async def test_a_profile_that_cannot_be_removed_stays_and_the_reason_is_shown(tmp_path: Path) -> None:
    async with program(tmp_path, None, HERE, signed_in=False) as run:
        await run.press("escape")
        run.provider.error = Refused("It could not be removed (Permission denied).", advice="Remove it yourself.")
        await run.press("d", "y")
        assert "! It could not be removed (Permission denied). Remove it yourself." in run.words
        assert run.provider.known == (HERE,)


async def test_only_profiles_can_be_removed(tmp_path: Path) -> None:
    async with program(tmp_path, None, HERE, signed_in=False) as run:
        await run.press("escape", "home", "d")
        assert run.screen == "SignInScreen"
        assert "Select a server and user in the list first." in run.words


async def test_another_profile_of_the_list_can_be_used(tmp_path: Path) -> None:
    lms = FakeLms()
    provider = FakeSessionProvider(lms, HERE, OTHER, kept=True)
    async with program(tmp_path, lms, signed_in=False, provider=provider) as run:
        await run.app.screen.run_action("sign_out")
        await run.settle()
        await run.press("home", "down", "down", "enter")
        assert run.screen == "HomeScreen"
        assert provider.asked[-1] == ("https://school.example.org", "ravi")
