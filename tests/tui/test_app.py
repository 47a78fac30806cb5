import asyncio
import gc
import logging
from pathlib import Path

import pytest

from lms_tui.attempt.journal.memory import MemoryJournals
from lms_tui.attempt.journal.receipt import verify
from lms_tui.attempt.journal.snapshot import read_snapshot
from lms_tui.attempt.journal.store import FileJournals
from lms_tui.attempt.keeper import Keeper
from lms_tui.attempt.ports import AttemptKey, Entry, Journal, JournalError, JournalRecord, Outstanding
from lms_tui.attempt.values import Answer
from lms_tui.common import collection
from lms_tui.common.settings import Appearance, Paths
from lms_tui.tui import dialogs
from lms_tui.tui.crash import report_crash
from lms_tui.tui.messages import ResultAsked
from lms_tui.wire.attempt_states import AttemptState
from lms_tui.wire.attempts import SubjectAnalytics
from lms_tui.wire.errors import Forbidden, Offline, SignInNeeded
from tests.fakes import institute
from tests.fakes.lms import FakeLms
from tests.fakes.program import Program, program

KEY = AttemptKey("https://lms.example.org", institute.ASHA.id, institute.RESUMABLE.id)


async def resume(run: Program) -> None:
    await run.press("enter")
    await run.until(lambda: run.screen == "RunnerScreen")


async def leave(run: Program) -> None:
    """Leave the exam, and confirm that where an answer is not sent yet."""
    await run.press("ctrl+q")
    await run.until(lambda: run.app.screen.is_modal or run.screen == "AttemptsScreen")
    if run.app.screen.is_modal:
        await run.press("enter")
    await run.until(lambda: run.screen == "AttemptsScreen")


async def test_an_exam_is_taken_from_resume_to_its_result(tmp_path: Path) -> None:
    lms = FakeLms()
    async with program(tmp_path, lms) as run:
        await resume(run)
        await run.press("a", "n", "c")
        await run.press("ctrl+e")
        await run.press("tab", "enter")
        await run.until(lambda: run.screen == "ResultScreen")
        await run.settle()
        assert "12 of 12" in run.words
        assert lms.faults.calls["attempts.end"] == 1
        saved = {question.id: question.selected_answers for question in lms.attempts.asked[190]}
        assert saved[1] == (10,)
        assert saved[2] == (22,)
        await run.press("escape")
        assert run.screen == "AttemptsScreen"
        await run.settle()
        assert "Resume" not in run.text()


async def test_leaving_keeps_the_attempt_running_and_closes_its_journal(tmp_path: Path) -> None:
    journals = FileJournals(tmp_path / "journals")
    async with program(tmp_path, journals=journals) as run:
        await resume(run)
        await run.press("b")
        await leave(run)
        journal = journals.open(KEY, "")
        assert journal.newest()[1].entry.answer.selected == (11,)
        journal.close()
        await resume(run)
        assert "(●)" in run.text()


async def test_unsent_answers_of_an_attempt_that_ended_meanwhile_are_listed(tmp_path: Path) -> None:
    journals, lms = MemoryJournals(), FakeLms()
    journal = journals.open(KEY, "Left")
    journal.record(Entry(1, 1, Answer((11,), review=False), 0.0, 0.0))
    journal.close()
    async with program(tmp_path, lms, journals=journals) as run:
        await lms.attempts.end(institute.RESUMABLE.id)
        await run.press("enter")
        await run.until(lambda: run.app.screen.is_modal and "not accepted by the server" in run.words)
        assert "1 answer was saved on this computer" in run.words
        await run.press("enter")
        await run.until(lambda: "The receipt is written" in run.words)
        await run.press("enter")
        await run.until(lambda: run.screen == "ResultScreen")
        (receipt,) = run.app.settings.paths.exports.iterdir()
        assert verify(receipt).whole
        assert verify(receipt).undelivered == 1


@pytest.mark.case(17)
async def test_case_17_a_receipt_of_refused_answers_is_offered_at_the_end(tmp_path: Path) -> None:
    lms = FakeLms()
    async with program(tmp_path, lms) as run:
        await resume(run)
        lms.faults.fail("attempts.save", *[Forbidden("Not now.", status=403) for _ in range(20)])
        await run.press("b")
        await run.until(lambda: run.app.screen.is_modal or "not accepted" in run.words)
        await run.press("ctrl+e")
        await run.until(lambda: run.app.screen.is_modal)
        await run.press("tab", "enter")
        await run.until(lambda: "Some answers were not accepted" in run.words and run.app.focused is not None)
        await run.press("enter")
        await run.until(lambda: "A receipt lists every answer" in run.words)
        await run.press("enter")
        await run.until(lambda: "The receipt is written" in run.words)
        await run.press("enter")
        await run.until(lambda: run.screen == "ResultScreen")
        (receipt,) = run.app.settings.paths.exports.iterdir()
        assert (verify(receipt).problems, verify(receipt).undelivered) == ((), 1)


async def test_an_expired_sign_in_opens_no_dialog_over_the_exam_until_its_key_is_pressed(tmp_path: Path) -> None:
    lms = FakeLms()
    async with program(tmp_path, lms) as run:
        await resume(run)
        lms.faults.fail("attempts.save", *[SignInNeeded("Your sign-in has expired.", status=401) for _ in range(20)])
        await run.press("b")
        await run.until(lambda: "Sign in again to send your answers: press ctrl+r." in run.words)
        await run.press("n", "a")
        assert run.screen == "RunnerScreen"
        assert "saved 2" in run.words
        await run.press("ctrl+r")
        await run.until(lambda: run.app.screen.is_modal and "Type your password" in run.words)


@pytest.mark.case(14)
async def test_an_attempt_open_in_another_window_is_refused_with_a_message(tmp_path: Path) -> None:
    journals = MemoryJournals()
    journals.open(KEY, "held")
    async with program(tmp_path, journals=journals) as run:
        await run.press("enter")
        await run.until(lambda: "Waiting for it to close" in run.words)
        assert "This attempt is open in another window." in run.words
        await run.press("escape")
        await run.until(lambda: "View" in run.words)
        assert "This attempt is open in another window." in run.words
        await run.press("escape")
        assert run.screen == "AttemptsScreen"


@pytest.mark.case(14)
async def test_an_attempt_opens_when_the_other_window_closes(tmp_path: Path) -> None:
    journals = MemoryJournals()
    held = journals.open(KEY, "held")
    async with program(tmp_path, journals=journals) as run:
        await run.press("enter")
        await run.until(lambda: "Waiting for it to close" in run.words)
        await run.press("b", "enter")
        held.close()
        await run.until(lambda: run.screen == "RunnerScreen" and "Question 1 of" in run.words)
        assert "saved 0" in run.words


@pytest.mark.case(14)
async def test_case_14_an_attempt_of_another_window_can_be_viewed_but_not_changed(tmp_path: Path) -> None:
    journals, lms = MemoryJournals(), FakeLms()
    held = journals.open(KEY, "held")
    held.record(Entry(1, 1, Answer((11,), review=False), 0.0, 0.0))
    async with program(tmp_path, lms, journals=journals) as run:
        await run.press("enter")
        await run.until(lambda: "Waiting for it to close" in run.words)
        await run.press("escape")
        await run.until(lambda: run.app.screen.is_modal and "View" in run.words)
        await run.press("enter")
        await run.until(lambda: run.screen == "RunnerScreen" and "not change it" in run.words)
        assert "saved 1" in run.words
        await run.press("c", "m", "x", "n", "a", "ctrl+e")
        assert "Question 2 of" in run.words
        held.record(Entry(2, 2, Answer((22,), review=False), 1.0, 1.0))
        await run.until(lambda: "saved 2" in run.words)
        await leave(run)
    assert {q: kept.entry.answer.selected for q, kept in held.newest().items()} == {1: (11,), 2: (22,)}
    assert {name for name in lms.faults.calls if "attempts." in name} & {
        "attempts.start",
        "attempts.save",
        "attempts.heartbeat",
        "attempts.end",
    } == set()


class NoDisk:
    def open(self, key: AttemptKey, title: str) -> Journal:
        raise JournalError("The disk is full.")

    def look(self, key: AttemptKey) -> JournalRecord:
        raise JournalError("The disk is full.")

    def outstanding(self, origin: str, user_id: int) -> Outstanding:
        return Outstanding()


async def test_a_full_disk_shows_an_error_and_the_exam_continues(tmp_path: Path) -> None:
    async with program(tmp_path, journals=NoDisk()) as run:
        await run.press("enter")
        await run.until(lambda: run.app.screen.is_modal)
        assert "Not saved on this computer" in run.text()
        assert "The disk is full." in run.words
        await run.press("enter")
        await run.until(lambda: run.screen == "RunnerScreen")
        await run.press("a")
        await run.until(lambda: "sent 1" in run.text())


async def test_an_exam_that_cannot_be_opened_can_be_tried_again(tmp_path: Path) -> None:
    lms = FakeLms()
    lms.faults.fail("attempts.start", Offline("The server cannot be reached."))
    async with program(tmp_path, lms) as run:
        await run.press("enter")
        await run.until(lambda: "could not be opened" in run.text())
        assert "The server cannot be reached." in run.words
        await run.press("enter")
        await run.until(lambda: run.screen == "RunnerScreen")


async def test_a_started_exam_can_be_resumed_without_a_server(tmp_path: Path) -> None:
    journals, lms = FileJournals(tmp_path / "journals"), FakeLms()
    async with program(tmp_path, lms, journals=journals) as run:
        await resume(run)
        await run.press("b")
        await leave(run)
        lms.faults.fail("attempts.start", *[Offline("The server cannot be reached.")] * 2)
        await run.press("enter")
        await run.until(lambda: "Continue without the server" in run.text())
        await run.press("enter")
        await run.until(lambda: run.screen == "RunnerScreen")
        assert "(●)" in run.text()
        await run.press("n", "a")
        await run.until(lambda: "saved 2" in run.text())


async def test_saved_answers_can_be_read_offline_from_a_journal_without_questions(tmp_path: Path) -> None:
    journals, lms = MemoryJournals(), FakeLms()
    journal = journals.open(KEY, "Left")
    journal.record(Entry(1, 1, Answer((11,), review=False), 0.0, 0.0))
    journal.close()
    lms.faults.fail("attempts.start", Offline("The server cannot be reached."))
    async with program(tmp_path, lms, journals=journals) as run:
        await run.press("enter")
        await run.until(lambda: "Show the saved answers" in run.text())
        await run.press("enter")
        await run.until(lambda: "question 1: option 11" in run.text())
        await run.press("enter")
        await run.until(lambda: run.screen == "RunnerScreen")


async def test_an_attempt_that_ended_meanwhile_shows_its_result(tmp_path: Path) -> None:
    lms = FakeLms()
    async with program(tmp_path, lms) as run:
        over = institute.RESUMABLE.model_copy(update={"state": AttemptState.COMPLETED, "score": 3})

        async def start(attempt_id: int) -> object:
            return over

        lms.attempts.known[0] = over
        lms.attempts.start = start  # type: ignore[assignment,method-assign]  # the server has ended it
        await run.press("enter")
        await run.until(lambda: run.screen == "ResultScreen")


async def test_an_error_of_the_keeper_is_shown_and_sending_continues(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    failures = 0
    run_keeper = Keeper.run

    async def fails_once(self: Keeper) -> None:
        nonlocal failures
        failures += 1
        if failures == 1:
            raise RuntimeError("planted")
        await run_keeper(self)

    monkeypatch.setattr(Keeper, "run", fails_once)
    async with program(tmp_path) as run:
        with caplog.at_level(logging.CRITICAL):
            await resume(run)
        await run.until(lambda: failures == 2)
        await run.press("a")
        await run.until(lambda: "sent 1" in run.text())


async def test_only_one_attempt_runs_at_a_time(tmp_path: Path) -> None:
    lms = FakeLms()
    async with program(tmp_path, lms) as run:
        await resume(run)
        run.app.open_attempt(180)
        await run.settle()
        assert lms.faults.calls["attempts.start"] == 1


async def test_quitting_during_an_exam_keeps_everything_in_the_journal(tmp_path: Path) -> None:
    journals = FileJournals(tmp_path / "journals")
    async with program(tmp_path, journals=journals) as run:
        await resume(run)
        await run.press("d")
    file = next((tmp_path / "journals").rglob("*.journal"))
    assert any(13 in kept.entry.answer.selected for kept in read_snapshot(file).history())


async def test_ctrl_q_leaves_the_program_from_every_other_screen(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        await run.press("s", "ctrl+q")
        assert run.app._exit


# Faults of the program.


async def _crash(folder: Path, shown: list[str]) -> None:
    async with program(folder) as run:
        token = "a secret token"
        run.app._handle_exception(RuntimeError(token))
        shown += [str(part) for part in run.app._exit_renderables]
        assert run.app.return_code == 1


async def test_a_crash_names_the_report_and_prints_no_local_variable(tmp_path: Path) -> None:
    shown: list[str] = []
    with pytest.raises(RuntimeError, match="a secret token"):
        await _crash(tmp_path, shown)
    assert "secret" not in "".join(shown)
    assert "Answers that showed as saved are safe." in "".join(shown)
    assert "crash.log" in "".join(shown)


def test_the_crash_report_has_lines_of_code_and_nothing_typed(tmp_path: Path) -> None:
    def fails(password: str) -> None:
        raise ValueError(password)

    paths = Paths(tmp_path, tmp_path, tmp_path)
    with pytest.raises(ValueError, match="hunter2") as caught:
        fails("hunter2")
    told = report_crash(caught.value, paths)
    report = paths.crash_report.read_text()
    assert "ValueError" in report
    assert "fails" in report
    assert "hunter2" not in report + told
    assert paths.crash_report.stat().st_mode & 0o077 == 0


def test_an_unwritable_crash_report_is_reported(tmp_path: Path) -> None:
    (tmp_path / "logs").write_text("a file where the directory should be")
    assert "could not be written" in report_crash(RuntimeError(), Paths(tmp_path, tmp_path, tmp_path))


# Dialogs.


async def test_signing_in_again_refuses_a_wrong_password_and_can_be_cancelled(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        asked = run.app.run_worker(dialogs.sign_in_again(run.app, run.lms))
        await run.settle()
        assert "Your sign-in has expired." in run.words
        await run.press("enter")
        assert "Type your password." in run.words
        await run.type("wrong")
        await run.press("enter")
        await run.until(lambda: "Wrong user name or password." in run.words)
        await run.press("escape")
        assert await asyncio.wait_for(asked.wait(), 5) is False


async def test_signing_in_again_says_that_a_busy_server_is_tried_again(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        run.lms.busy = asyncio.Event()
        asked = run.app.run_worker(dialogs.sign_in_again(run.app, run.lms))
        await run.settle()
        await run.type("practice")
        await run.pilot.press("enter")  # `run.press` would wait for the end of the sign-in
        await run.pilot.pause()
        assert "The server is busy. Your sign-in is tried again in 12 seconds." in run.words
        run.lms.busy.set()
        assert await asyncio.wait_for(asked.wait(), 5) is True


async def test_a_dangerous_dialog_has_the_focus_on_no(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        asked = run.app.run_worker(dialogs.confirm(run.app, "Delete?", "[/b] all of it", yes="Delete", danger=True))
        await run.settle()
        assert "[/b] all of it" in run.text()
        await run.press("enter")
        assert await asyncio.wait_for(asked.wait(), 5) is False
        asked = run.app.run_worker(dialogs.confirm(run.app, "Go on?", "", yes="Go on"))
        await run.settle()
        await run.press("y")
        assert await asyncio.wait_for(asked.wait(), 5) is True


@pytest.mark.parametrize("theme", ["dark", "light", "high-contrast", "no-such-theme"])
async def test_every_theme_draws_every_screen(tmp_path: Path, theme: str) -> None:
    async with program(tmp_path, appearance=Appearance(theme=theme)) as run:
        assert run.app.theme == (theme if theme != "no-such-theme" else "dark")
        await run.press("s")
        assert run.screen == "StatsScreen"


async def test_nothing_depends_on_colour_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with program(tmp_path) as run:
        assert run.app.no_color
        assert "▶ Numerical literacy" in run.text()


async def test_ascii_mode_draws_no_symbols(tmp_path: Path) -> None:
    lms = FakeLms()
    lms.exams.lists = {state: [] for state in lms.exams.lists}
    async with program(tmp_path, lms, appearance=Appearance(ascii=True)) as run:
        assert "> Numerical literacy" in run.text()
        await run.press("end", "up", "enter")
        await run.settle()
        assert run.screen == "ResultScreen"
        # What an exam says stays as it is: the stem of a question holds a power.
        assert run.text().replace("3t²", "").isascii()


async def test_leaving_a_screen_while_it_loads_causes_no_error(tmp_path: Path) -> None:
    lms = FakeLms()
    async with program(tmp_path, lms) as run:
        for turns in range(12):
            arrives, subjects = asyncio.Event(), lms.attempts.subjects

            async def late(attempt_id: int, arrives: asyncio.Event = arrives) -> list[SubjectAnalytics]:
                await arrives.wait()
                return institute.subjects()

            lms.attempts.subjects = late  # type: ignore[method-assign]  # a slow service
            run.app.post_message(ResultAsked(institute.ATTEMPTS[-1].id))
            await run.until(lambda: run.screen == "ResultScreen" and "rank" in run.words)
            left = run.app.screen
            left.dismiss()
            for _ in range(turns):
                await asyncio.sleep(0)
            arrives.set()
            await run.until(lambda left=left: not left.is_attached)  # type: ignore[misc]  # bound now
            lms.attempts.subjects = subjects  # type: ignore[method-assign]  # as it was
        assert run.screen == "AttemptsScreen"


async def test_garbage_is_collected_again_once_the_sign_in_screen_stands(tmp_path: Path) -> None:
    collection.pause()
    async with program(tmp_path, signed_in=False) as run:
        assert run.screen == "SignInScreen"
        assert gc.isenabled()


async def test_garbage_is_not_collected_before_the_entrance_has_opened_a_screen(tmp_path: Path) -> None:
    collection.pause()
    async with program(tmp_path):
        assert not gc.isenabled()
