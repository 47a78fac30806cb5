"""The answers of a terminal that counts otherwise lay out what is on the screen."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.events import CursorPosition

from lms_tui.tui.terminal.cell_widths import PROBES, count_as_before
from tests.fakes.program import program

TMUX = (*[2] * 11, 2, 1, 4, 2, 2, 2, 0, 0)


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    yield
    count_as_before()


async def test_rows_are_laid_out_again_after_the_last_cursor_report(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        probe = run.app._probe
        probe._row = 39
        (before,) = [row for row in run.rows() if "भौतिक" in row]
        for column in TMUX[:-1]:
            probe.hear(CursorPosition(column, 39))
        assert before in run.rows()
        probe.hear(CursorPosition(TMUX[-1], 39))
        await run.settle()
        (after,) = [row for row in run.rows() if "भौतिक" in row]
        marks = sum(char in "ौिा" for char in before)
        assert len(before) - len(after) == marks > 0


async def test_unrequested_cursor_reports_change_nothing(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        rows = run.rows()
        for _ in PROBES:
            run.app.post_message(CursorPosition(7, 3))
        await run.settle()
        assert run.rows() == rows
