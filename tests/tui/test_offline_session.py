"""The program that is started while its server cannot be reached, with a saved sign-in."""

from pathlib import Path

from lms_tui.attempt.journal.memory import MemoryJournals
from lms_tui.attempt.journal.store import FileJournals
from lms_tui.attempt.ports import AttemptKey, Entry
from lms_tui.attempt.values import Answer
from lms_tui.common.settings import Profile
from lms_tui.wire.errors import Offline, SignInNeeded
from tests.fakes import institute
from tests.fakes.lms import FakeLms
from tests.fakes.program import Program, program
from tests.fakes.session_provider import FakeSessionProvider

HERE = Profile("home", "https://lms.example.org", "asha", user_id=institute.ASHA.id, display_name="Asha Rao")
AWAY = Offline("The server cannot be reached.")


def kept(lms: FakeLms, times: int = 1) -> FakeSessionProvider:
    """A profile with a saved token, while the next `times` requests of each kind fail."""
    for name in ("attempts.start", "attempts.page", "exams.page", "exams.page"):
        lms.faults.fail(name, *[AWAY] * times)
    provider = FakeSessionProvider(lms, HERE, kept=True)
    provider.unreachable = AWAY
    return provider


async def sat(folder: Path, lms: FakeLms) -> FileJournals:
    """An exam with one answer that is left, with the server there."""
    journals = FileJournals(folder / "journals")
    async with program(folder, lms, journals=journals) as run:
        await run.press("enter")
        await run.until(lambda: run.screen == "RunnerScreen")
        await run.press("b", "ctrl+q")
        await leave(run)
    return journals


async def leave(run: Program) -> None:
    await run.until(lambda: run.app.screen.is_modal or run.screen in {"HomeScreen", "AttemptsScreen"})
    if run.app.screen.is_modal:
        await run.press("enter")
    await run.until(lambda: run.screen in {"HomeScreen", "AttemptsScreen"})


async def test_an_exam_that_was_begun_is_resumed_and_sent_when_the_server_is_back(tmp_path: Path) -> None:
    lms = FakeLms()
    journals = await sat(tmp_path, lms)
    provider = kept(lms, 100)
    async with program(tmp_path, lms, signed_in=False, provider=provider, journals=journals) as run:
        assert run.screen == "HomeScreen"
        assert "Asha Rao" in run.words
        assert "! The server cannot be reached. Check the network and the server's address. Press r" in run.words
        assert "Exams that were begun on this computer can be resumed without the server." in run.words
        assert "Resume" in run.words
        assert institute.RESUMABLE.exam.title in run.words
        await run.press("enter")
        await run.until(lambda: "Continue without the server" in run.text())
        await run.press("enter")
        await run.until(lambda: run.screen == "RunnerScreen")
        await run.press("n", "a")
        await run.until(lambda: "saved 2" in run.text())
        lms.faults.coming.clear()
        await run.press("ctrl+r")
        await run.until(lambda: "sent 2" in run.text())
        saved = {question.id: question.selected_answers for question in lms.attempts.asked[institute.RESUMABLE.id]}
        assert (saved[1], saved[2]) == ((11,), (20,))
        await run.press("ctrl+q")
        await leave(run)
        await run.until(lambda: "Available" in run.text())
        assert "cannot be reached" not in run.words


async def test_the_list_becomes_the_usual_one_when_the_server_is_back(tmp_path: Path) -> None:
    lms = FakeLms()
    journals = await sat(tmp_path, lms)
    provider = kept(lms)
    async with program(tmp_path, lms, signed_in=False, provider=provider, journals=journals) as run:
        assert "195/300" not in run.text()
        await run.press("r")
        assert "195/300" in run.text()
        assert "without the server" not in run.words


async def test_answers_that_were_not_sent_are_resumed_and_not_called_lost_while_nobody_knows(tmp_path: Path) -> None:
    lms, journals = FakeLms(), MemoryJournals()
    journal = journals.open(AttemptKey("https://lms.example.org", institute.ASHA.id, 9180), "Left behind")
    journal.record(Entry(1, 3, Answer((31,)), 0.0, 0.0))
    journal.close()
    provider = kept(lms)
    async with program(tmp_path, lms, signed_in=False, provider=provider, journals=journals) as run:
        assert "Left behind" in run.words
        assert "1 unsent" in run.words
        assert "Not sent yet" not in run.words
        await run.press("r")
        assert "Not sent yet" in run.words


async def test_exams_of_another_user_or_server_are_never_offered(tmp_path: Path) -> None:
    lms, journals = FakeLms(), MemoryJournals()
    for key in (AttemptKey("https://lms.example.org", 8, 1), AttemptKey("https://other.example.org", 7, 2)):
        journal = journals.open(key, "Somebody else's")
        journal.record(Entry(1, 3, Answer((31,)), 0.0, 0.0))
        journal.close()
    provider = kept(lms)
    async with program(tmp_path, lms, signed_in=False, provider=provider, journals=journals) as run:
        assert "Somebody else's" not in run.words
        assert "No exam on this computer can be resumed without the server now." in run.words


async def test_a_saved_sign_in_that_the_server_refuses_when_it_is_back_asks_for_the_password(tmp_path: Path) -> None:
    lms = FakeLms()
    journals = await sat(tmp_path, lms)
    provider = kept(lms)
    lms.faults.fail("attempts.page", SignInNeeded("Your sign-in has expired.", status=401))
    async with program(tmp_path, lms, signed_in=False, provider=provider, journals=journals) as run:
        await run.press("r")
        await run.until(lambda: run.app.screen.is_modal and "Type your password" in run.words)
        await run.type("practice")
        await run.press("enter")
        await run.until(lambda: "195/300" in run.text())


async def test_signing_out_without_the_server_forgets_the_sign_in(tmp_path: Path) -> None:
    lms = FakeLms()
    provider = kept(lms)
    async with program(tmp_path, lms, signed_in=False, provider=provider) as run:
        await run.app.screen.run_action("sign_out")
        await run.settle()
        assert run.screen == "SignInScreen"
        assert ("forget",) in provider.asked


async def test_everything_that_matters_is_on_the_smallest_screen(tmp_path: Path) -> None:
    lms = FakeLms()
    journals = await sat(tmp_path, lms)
    provider = kept(lms)
    async with program(tmp_path, lms, signed_in=False, provider=provider, journals=journals, size=(40, 12)) as run:
        assert "The server cannot be reached." in run.words
        assert "▶" in run.text()
