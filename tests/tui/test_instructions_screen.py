from pathlib import Path

import pytest
from textual.visual import VisualType
from textual.widgets import Static

from lms_tui.wire.attempt_states import AttemptState
from lms_tui.wire.attempts import Attempt
from lms_tui.wire.errors import Forbidden, NotFound, Offline, TimedOut
from tests.fakes import institute
from tests.fakes.lms import FakeLms
from tests.fakes.program import Program, program


async def begin(run: Program) -> None:
    await run.press("enter")
    for _ in range(4):
        await run.settle()


def running(lms: FakeLms) -> list[int]:
    return [a.id for a in lms.attempts.known if a.state == AttemptState.RUNNING and a.exam.slug == institute.QUICK.slug]


@pytest.mark.parametrize("size", [(40, 12), (80, 24), (120, 40), (240, 70)])
async def test_the_screen_shows_the_instructions_and_the_start_key(tmp_path: Path, size: tuple[int, int]) -> None:
    async with program(tmp_path, slug="five-minutes", size=size) as run:
        assert run.screen == "InstructionsScreen"
        assert "5 questions in 5 min." in run.words
        assert "Press enter to start." in run.words


async def test_the_keys_name_the_digits_of_the_options_too(tmp_path: Path) -> None:
    async with program(tmp_path, slug="five-minutes") as run:
        assert "a-e · 1-9 Choose the option" in run.words


async def test_the_instructions_name_the_keys_that_open_the_aids(tmp_path: Path) -> None:
    keys = {"reference_sheet": "f6"}
    async with program(tmp_path, FakeLms.with_aids(), slug="five-minutes", size=(80, 30), keys=keys) as run:
        words = "A scientific calculator: press = in the exam. A reference sheet: press f6 in the exam."
        assert f"Aids {words}" in run.words


async def test_the_clock_starts_only_after_the_key(tmp_path: Path) -> None:
    async with program(tmp_path, slug="five-minutes") as run:
        assert run.lms.faults.calls["attempts.create"] == 0
        await begin(run)
        assert run.lms.faults.calls["attempts.create"] == 1
        assert run.screen == "RunnerScreen"
        assert "Five quick ones" in run.text()


async def test_a_fresh_start_never_says_that_the_exam_was_started_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    update = Static.update

    def heard(shown: Static, content: VisualType = "", *, layout: bool = True) -> None:
        said.append(str(content))
        update(shown, content, layout=layout)

    monkeypatch.setattr(Static, "update", heard)
    async with program(tmp_path, slug="five-minutes") as run:
        await begin(run)
        assert run.screen == "RunnerScreen"
    assert "Starting …" in said
    assert not [text for text in said if "Already started" in text]


@pytest.mark.case(19)
async def test_after_a_lost_reply_to_create_the_started_attempt_is_adopted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lms = FakeLms()

    async def create(slug: str, access_code: str = "") -> Attempt:
        del access_code
        """The request arrives, its answer does not."""
        lms.faults.called("attempts.create")
        lms.attempts.begin(slug)
        raise TimedOut("The server did not reply within 20 s.")

    monkeypatch.setattr(lms.attempts, "create", create)
    async with program(tmp_path, lms, slug="five-minutes") as run:
        await begin(run)
        assert run.screen == "RunnerScreen"
        assert lms.faults.calls["attempts.create"] == 1
        assert len(running(lms)) == 1


async def test_a_create_that_never_arrived_is_repeated_only_by_the_user(tmp_path: Path) -> None:
    lms = FakeLms()
    lms.faults.fail("attempts.create", TimedOut("The server did not reply within 20 s."))
    async with program(tmp_path, lms, slug="five-minutes") as run:
        await begin(run)
        assert "The exam was not started. Press enter to try again." in run.words
        assert lms.faults.calls["attempts.create"] == 1
        await begin(run)
        assert run.screen == "RunnerScreen"
        assert len(running(lms)) == 1


@pytest.mark.case(19)
async def test_no_attempt_is_created_while_it_is_unknown_whether_one_exists(tmp_path: Path) -> None:
    lms = FakeLms()
    async with program(tmp_path, lms, slug="five-minutes") as run:
        lms.faults.fail("attempts.create", Offline("The connection broke."))
        lms.faults.fail("attempts.of_exam", *[Offline("The connection broke.")] * 2)
        await begin(run)
        assert "The exam may have started." in run.words
        await begin(run)
        assert lms.faults.calls["attempts.create"] == 1
        lms.attempts.begin("five-minutes")
        await begin(run)
        assert lms.faults.calls["attempts.create"] == 1
        assert run.screen == "RunnerScreen"
        assert len(running(lms)) == 1


async def test_an_already_started_exam_is_resumed(tmp_path: Path) -> None:
    lms = FakeLms()
    lms.attempts.begin("five-minutes")
    async with program(tmp_path, lms, slug="five-minutes") as run:
        assert "Already started. Press enter to continue." in run.words
        assert "enter continue the exam" in run.rows()[-1]
        await begin(run)
        assert lms.faults.calls["attempts.create"] == 0
        assert run.screen == "RunnerScreen"


async def test_an_exam_that_was_started_but_not_opened_can_be_continued(tmp_path: Path) -> None:
    lms = FakeLms()
    async with program(tmp_path, lms, slug="five-minutes") as run:
        lms.faults.fail("attempts.questions", Offline("The server cannot be reached."))
        await run.press("enter")
        await run.until(lambda: "could not be opened" in run.text())
        await run.press("escape")
        await run.until(lambda: "Already started. Press enter to continue." in run.words)
        assert "enter continue the exam" in run.rows()[-1]


async def test_a_refused_retake_shows_the_message_of_the_service(tmp_path: Path) -> None:
    lms = FakeLms()
    lms.faults.fail("attempts.create", Forbidden("You have taken this exam as often as allowed."))
    async with program(tmp_path, lms, slug="five-minutes") as run:
        await begin(run)
        assert "You have taken this exam as often as allowed." in run.words
        assert run.screen == "InstructionsScreen"


async def test_the_error_for_a_missing_exam_names_it(tmp_path: Path) -> None:
    lms = FakeLms()
    lms.faults.fail("attempts.of_exam", NotFound("The server could not find this."))
    async with program(tmp_path, lms, slug="no-such-exam") as run:
        assert "There is no exam called “no-such-exam”." in run.words
        await run.press("escape")
        assert run.screen == "HomeScreen"


async def test_instructions_that_failed_to_load_can_be_loaded_again(tmp_path: Path) -> None:
    lms = FakeLms()
    lms.faults.fail("exams.read", Offline("The server cannot be reached."))
    async with program(tmp_path, lms, slug="five-minutes") as run:
        assert "The server cannot be reached." in run.words
        assert "start the exam" not in run.rows()[-1]
        await run.press("enter")
        assert lms.faults.calls["attempts.create"] == 0
        await run.press("ctrl+r")
        assert "5 questions in 5 min." in run.words
        assert "enter start the exam" in run.rows()[-1]


async def test_a_dry_run_is_labelled(tmp_path: Path) -> None:
    async with program(tmp_path, slug="five-minutes", badge="dry run") as run:
        assert "dry run" in run.rows()[0]


@pytest.mark.parametrize("size", [(40, 12), (120, 40)])
async def test_an_exam_with_an_access_code_asks_for_it(tmp_path: Path, size: tuple[int, int]) -> None:
    lms = FakeLms.with_access_code()
    async with program(tmp_path, lms, slug="five-minutes", size=size) as run:
        await begin(run)
        assert "Type the access code" in run.words
        await run.press("enter")
        assert "Type the code." in run.words
        await run.press(*"tiger", "enter")
        for _ in range(4):
            await run.settle()
        assert run.screen == "RunnerScreen"


async def test_a_wrong_access_code_is_told_and_asked_again(tmp_path: Path) -> None:
    lms = FakeLms.with_access_code()
    async with program(tmp_path, lms, slug="five-minutes") as run:
        await begin(run)
        await run.press(*"lion", "enter")
        for _ in range(4):
            await run.settle()
        assert "Wrong access code." in run.words
        assert running(lms) == []
        await begin(run)
        assert "Type the access code" in run.words


async def test_without_an_access_code_the_exam_is_not_started(tmp_path: Path) -> None:
    lms = FakeLms.with_access_code()
    async with program(tmp_path, lms, slug="five-minutes") as run:
        await begin(run)
        await run.press("escape")
        await run.settle()
        assert "Press enter to start." in run.words
        assert lms.faults.calls["attempts.create"] == 0


async def test_a_started_exam_asks_for_no_access_code(tmp_path: Path) -> None:
    lms = FakeLms.with_access_code()
    lms.attempts.begin("five-minutes")
    async with program(tmp_path, lms, slug="five-minutes") as run:
        await begin(run)
        assert run.screen == "RunnerScreen"
