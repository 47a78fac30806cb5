"""From the rules through the exam to its result: one screen takes the place of the other."""

from collections.abc import Callable
from pathlib import Path

from lms_tui.tui.messages import ExamAsked
from tests.fakes import institute
from tests.fakes.program import Program, program


async def until(run: Program, test: Callable[[], bool]) -> None:
    """Wait for what a worker does by itself."""
    for _ in range(2000):
        if test():
            return
        await run.pilot.pause(0.01)
    raise AssertionError(run.text())


async def test_between_instructions_exam_and_result_no_other_screen_takes_a_key(tmp_path: Path) -> None:
    seen: list[str] = []
    async with program(tmp_path) as run:
        run.app.screen_change_signal.subscribe(run.app, lambda screen: seen.append(type(screen).__name__))
        run.app.post_message(ExamAsked(institute.QUICK.slug))
        await until(run, lambda: "Press enter to start" in run.words)
        await run.press("enter")
        await until(run, lambda: run.screen == "RunnerScreen")
        await run.press("ctrl+e")
        await until(run, lambda: run.app.screen.is_modal)
        await run.press("tab", "enter")
        await until(run, lambda: run.screen == "ResultScreen")
        assert "AttemptsScreen" not in seen
        await run.press("escape")
        await until(run, lambda: run.screen == "AttemptsScreen")
