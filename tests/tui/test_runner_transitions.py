"""From the rules through the exam to its result: one screen takes the place of the other."""

from pathlib import Path

from lms_tui.tui.messages import ExamAsked
from tests.fakes import institute
from tests.fakes.program import program


async def test_between_instructions_exam_and_result_no_other_screen_takes_a_key(tmp_path: Path) -> None:
    seen: list[str] = []
    async with program(tmp_path) as run:
        run.app.screen_change_signal.subscribe(run.app, lambda screen: seen.append(type(screen).__name__))
        run.app.post_message(ExamAsked(institute.QUICK.slug))
        await run.until(lambda: "Press enter to start" in run.words)
        await run.press("enter")
        await run.until(lambda: run.screen == "RunnerScreen")
        await run.press("ctrl+e")
        await run.until(lambda: run.app.screen.is_modal)
        await run.press("tab", "enter")
        await run.until(lambda: run.screen == "ResultScreen")
        assert "AttemptsScreen" not in seen
        await run.press("escape")
        await run.until(lambda: run.screen == "AttemptsScreen")
