"""How the exam looks: every type of question, what is laid over it, and the screens that stand around its start."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from lms_tui.attempt.read_only_keeper import READ_ONLY
from lms_tui.client.recording import Recording
from lms_tui.tui import dialogs
from lms_tui.tui.screens.picture.long_text import LongTextScreen
from lms_tui.tui.screens.runner import autosave
from lms_tui.tui.screens.runner.screen import RunnerScreen
from lms_tui.tui.screens.staff_tokens.screen import CodeScreen
from lms_tui.wire.attempts import ExamAids
from lms_tui.wire.errors import Offline
from lms_tui.wire.files import AttemptFiles, FileRules
from tests.fakes.attempts import AttemptInMemory, a_paper, an_exam, question, two_sections
from tests.fakes.lms import FakeLms
from tests.fakes.looks import SIZES, looks_as_kept
from tests.fakes.program import Program, program
from tests.fakes.sitting import Sitting, sitting
from tests.tui.test_inspector_screen import BEAT, CUT, REFUSED, SIGN_IN
from tests.tui.test_pictures_on_screen import uri
from tests.tui.test_runner_writing import GAPS, MATCH, RIGHTS, asked

SHEET = (
    "<h3>Laws</h3><ul><li>$F = ma$</li><li>$E_k = \\frac{1}{2}mv^2$</li></ul>"
    "<table><tr><th>quantity</th><th>value</th></tr>"
    "<tr><td>speed of light</td><td>$3 \\times 10^8$ m/s</td></tr></table>"
)
sizes = pytest.mark.parametrize("size", SIZES)


@pytest.fixture(autouse=True)
def _still(utc: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """No second passes, and what was said stays."""
    monkeypatch.setattr(RunnerScreen, "_begin_ticking", lambda _: None)
    monkeypatch.setattr(autosave, "PAUSE", 3600.0)


def every_type() -> AttemptInMemory:
    """Formulas, several answers, a passage, a table, another script; then the types that are written, and a picture."""
    written = (
        asked("S", "<p>Which gas do plants take in?</p>"),
        asked("N", "<p>How many sides has a hexagon?</p>"),
        asked("E", "<p>Write about one of these.</p>", ["The monsoon", "A stepwell"]),
        asked("G", GAPS),
        asked("M", MATCH, RIGHTS),
        question(1, "<p>Which field is dark?</p>", [f"<img src='{uri(c)}'>" for c in ("#ff0000", "#880000")]),
    )
    paper = [*a_paper()[:5], *written]
    return AttemptInMemory([made.model_copy(update={"id": number}) for number, made in enumerate(paper, 1)])


async def questions(sit: Sitting) -> AsyncIterator[str]:
    """Show one question after the other, each with an answer begun."""
    await sit.press("b")
    yield "formulas"
    await sit.press("n", "a", "c", "m")
    yield "several-answers"
    await sit.press("n", "down", "x")
    yield "passage"
    await sit.press("H", "right", "shift+right", "enter", "down")
    yield "highlighting"
    await sit.press("escape")
    await sit.press("n")
    yield "table"
    await sit.press("n", "b")
    yield "script"
    await sit.press("n", "enter", *"carbon")
    yield "short-text"
    await sit.press("escape", "n", "enter", "6")
    yield "number"
    await sit.press("escape", "n")
    yield "essay"
    await sit.press("right", "enter", *"dioxide", "enter")
    yield "gaps"
    await sit.press("escape", "n", "enter", "b")
    yield "match"
    await sit.press("escape", "n", "a")
    yield "picture-options"
    await sit.press("z")
    yield "picture"
    await sit.press("escape", "o")
    yield "overview"
    await sit.press("escape", *"=0.1+0.2", "enter", *"sin 30", "enter", *"1/0", "enter")
    yield "calculator"
    await sit.press("escape", "F")
    yield "reference-sheet"
    await sit.press("escape", "g", "1")
    yield "go-to"
    await sit.press("escape", "ctrl+e")
    yield "end"
    await sit.press("escape", "ctrl+q")
    yield "leave"


@sizes
async def test_every_question_type_matches_its_snapshot(size: tuple[int, int]) -> None:
    async with sitting(every_type(), size=size, aids=ExamAids(reference_sheet=SHEET)) as sit:
        different = [name async for name in questions(sit) if not await looks_as_kept(sit, f"exam-{name}")]
    assert not different


@sizes
async def test_sections_errors_and_the_end_match_their_snapshots(size: tuple[int, int]) -> None:
    service = AttemptInMemory(an_exam(30), sections=two_sections(), duration=timedelta(hours=1))
    async with sitting(service, size=size) as sit:
        await sit.press("b")
        await sit.work()
        assert await looks_as_kept(sit, "exam-sections")
        service.silent = Offline("The server cannot be reached.")
        await sit.press("n", "c")
        await sit.work()
        assert await looks_as_kept(sit, "exam-offline")
        await sit.jump(29 * 60)
        assert await looks_as_kept(sit, "exam-last-minute")


@sizes
async def test_files_and_their_dialog_match_their_snapshots(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name, content in {"lab report.pdf": b"%PDF" * 30_000, "lab table.jpg": b"x" * 900, "labs/x.pdf": b""}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    service = AttemptInMemory([question(1, "<p>Hand in your lab report.</p>", ["-"], kind="F"), question(2)])
    rules = FileRules(question_id=1, most=2, types=(".pdf", ".jpg"))
    service.accepts = AttemptFiles(largest=10_000_000, total=50_000_000, part=262_144, questions=(rules,))
    async with sitting(service, size=size) as sit:
        await sit.until(lambda: "At most 2 files" in sit.text())
        await sit.paste("~/lab report.pdf")
        await sit.press("enter")
        await sit.until(lambda: "or a number to remove one" in sit.text())
        await sit.press(*"~/la")
        await sit.until(lambda: "~/labs/" in sit.text())
        assert await looks_as_kept(sit, "exam-file-dialog")
        await sit.press("escape")
        await sit.work()
        assert await looks_as_kept(sit, "exam-files")


@sizes
async def test_a_read_only_exam_matches_its_snapshot(size: tuple[int, int]) -> None:
    async with sitting(AttemptInMemory(an_exam(30)), size=size) as sit:
        sit.keeper._live.show(replace(sit.keeper.session, read_only=READ_ONLY))
        await sit.press("b")
        assert await looks_as_kept(sit, "exam-read-only")


async def around(run: Program) -> AsyncIterator[str]:
    """What stands before an exam and beside it."""
    await run.press("n")
    yield "by-name"
    await run.press("escape", "c")
    yield "one-course"
    await run.press("escape")
    run.app.run_worker(dialogs.sign_in_again(run.app, run.lms), group="person")
    await run.settle()
    yield "sign-in-again"
    await run.press("escape")
    async with dialogs.waiting(run.app, "Opening the exam …", lambda: None):
        yield "waiting"
    await run.press("f12", "up")
    yield "requests"
    await run.press("escape")
    await run.app.push_screen(CodeScreen("https://lms.example.org/embed/6f1d1c9e/?access_token=abcDEF0123456789"))
    await run.settle()
    yield "code"
    await run.press("escape")
    await run.app.push_screen(
        LongTextScreen("<p>A stepwell is reached by <b>many steps</b>, storey below storey.</p>" * 90)
    )
    await run.settle()
    yield "long-text"


@sizes
async def test_the_screens_around_an_exam_match_their_snapshots(tmp_path: Path, size: tuple[int, int]) -> None:
    recording = Recording()
    for exchange in (SIGN_IN, BEAT, REFUSED, CUT):
        recording.keep(exchange)
    async with program(tmp_path, size=size) as run:
        run.app._dependencies = replace(run.app._dependencies, recording=recording)
        different = [name async for name in around(run) if not await looks_as_kept(run, name)]
    assert not different


@sizes
async def test_the_instructions_match_their_snapshot(tmp_path: Path, size: tuple[int, int]) -> None:
    async with program(tmp_path, slug="five-minutes", size=size) as run:
        assert await looks_as_kept(run, "instructions")


@sizes
async def test_a_failed_start_matches_its_snapshot(tmp_path: Path, size: tuple[int, int]) -> None:
    lms = FakeLms()
    lms.faults.fail("me", Offline("The server cannot be reached."))
    async with program(tmp_path, lms, size=size) as run:
        assert await looks_as_kept(run, "opening")
