"""Every screen around the exam, at every size, in every theme: nothing that matters is cut, and how it looks is kept.

One run of the program shows all of them, because opening it is what takes time.
"""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from lms_tui.common.settings import Profile
from lms_tui.wire.errors import Offline
from tests.fakes.lms import FakeLms, school
from tests.fakes.looks import SIZES, looks_as_kept
from tests.fakes.program import Program, program
from tests.fakes.session_provider import FakeSessionProvider
from tests.tui.test_replay_screen import taken

pytestmark = pytest.mark.usefixtures("utc")


async def screens(run: Program) -> AsyncIterator[str]:
    """Show one screen after the other; the name of the one that is shown."""
    yield "home"
    await run.press("e")
    yield "exams"
    await run.press("down", "down", "down", "down", "enter")
    await run.settle()
    await run.press("right", "right")
    yield "result"
    await run.press("r")
    await run.settle()
    yield "replay"
    await run.press("escape", "enter")
    await run.settle()
    yield "review"
    await run.press("t", "n")
    yield "once-more"
    await run.press("escape", "escape", "escape", "s")
    await run.settle()
    yield "stats"
    await run.press("question_mark")
    yield "help"
    await run.press("escape", "escape", "f7")
    await run.until(lambda: "Show exams with" in run.words)
    yield "commands"
    await run.press("escape")
    run.lms.faults.fail("attempts.page", Offline("The server cannot be reached."))
    await run.press("r")
    await run.settle()
    yield "trouble"


@pytest.mark.parametrize("size", SIZES)
async def test_screens_match_their_snapshots(tmp_path: Path, size: tuple[int, int]) -> None:
    lms = school()
    async with program(tmp_path, lms, journals=taken(lms), size=size, home=True) as run:
        different = [name async for name in screens(run) if not await looks_as_kept(run, name)]
    assert not different


@pytest.mark.parametrize("size", SIZES)
async def test_the_sign_in_screen_matches_its_snapshot(tmp_path: Path, size: tuple[int, int]) -> None:
    known = Profile("asha", "https://lms.example.org", "asha")
    provider = FakeSessionProvider(FakeLms(), known)
    async with program(tmp_path, size=size, signed_in=False, provider=provider) as run:
        assert await looks_as_kept(run, "sign-in")


FACTS = {
    "home": (
        "Numerical literacy", "1:12:07", "Five quick ones", "Mock test 7", "opens in", "3 d", "All exams", "195/300",
        "Chemistry", "5 of 9 exams", "Notice 1",
    ),
    "exams": ("Numerical literacy", "1:12:07", "Five quick ones", "Mock test 7", "195/300", "8/12"),
    "result": (
        "195 of 300", "4 of 139", "96.2", "correct 52", "incorrect 13", "unanswered 10", "Accuracy 80 %",
        "31 questions", "36 more than your best", "Question 3 of 75", "average", "best", "longest", "Physics",
        "Mechanics", "73",
    ),
    "replay": ("You changed 3 answers", "3 min on 3 questions", "✗ → ✓"),
    "review": ("Question 3 of 75", "incorrect", "The pH of", "your answer", "% correct", "Explanation"),
    "once-more": ("practice", "Choose a letter"),
    "stats": (
        "5 of 9", "11 of 24", "5 of 6", "1 of 4", "Term 1", "212.5", "61.5", "Scores over time", "57 %", "67 %",
        "Your subjects", "Mechanics", "46 marks",
    ),
    "help": ("Refresh", "Find a command", "Quit (a running exam can be resumed)", "Change the colours"),
    "commands": ("Filter", "Show exams with these words"),
    "trouble": ("The server cannot be reached.", "try again", "Numerical literacy"),
}  # fmt: skip
"""What each screen must tell, whatever the terminal: seen at once, or scrolled to with the keys of that screen."""


async def reached(run: Program, name: str) -> str:
    """Everything that comes into sight when one scrolls to the end, line breaks folded into blanks."""
    if name == "result":
        await run.press("home")
    seen, same = run.words, 0
    for _ in range(40):
        before = run.words
        await run.press("pagedown")
        same = same + 1 if run.words == before else 0
        if same == 2:  # at the first one, what a worker has added may not be laid out yet
            break
        seen += " " + run.words
    if name in {"home", "exams"}:
        await run.press("home")
    return seen


@pytest.mark.parametrize("size", [(40, 12), (80, 24), (240, 70)])
async def test_nothing_important_is_cut_at_any_size(tmp_path: Path, size: tuple[int, int]) -> None:
    missing = []
    lms = school()
    async with program(tmp_path, lms, journals=taken(lms), size=size, home=True) as run:
        async for name in screens(run):
            assert all(strip.cell_length == size[0] for strip in run.app.screen._compositor.render_strips())
            seen = await reached(run, name)
            missing += [f"{name}: {fact}" for fact in FACTS[name] if fact not in seen]
    assert not missing
