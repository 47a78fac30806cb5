"""The live board of 1,000 attempts, of which all have changed, beside a bare Textual table whose cells all change.

Run it with the environment's own interpreter: `.venv/bin/python -m benchmarks.board [ROUNDS]`. The reply is in memory:
what is measured is the processor time from the reply to the painted screen. The board is sorted by the time left, so
that its rows change their places too. Exit status 1 where a target is missed.
"""

import asyncio
import sys
import time
from datetime import UTC, datetime, timedelta
from typing import cast

from textual.app import App, ComposeResult
from textual.coordinate import Coordinate
from textual.widgets import DataTable

from benchmarks.figures import Target, heading, judged, p, row
from lms_tui.attempt.clock import SystemClock
from lms_tui.client.port import Lms
from lms_tui.tui.screens.staff_exams.board import BoardScreen
from lms_tui.views.board import listing
from lms_tui.views.staff_exams import ExamLine
from lms_tui.wire.board import Board, BoardRow
from lms_tui.wire.staff_exams import StaffExam

SIZE = (120, 40)
ATTEMPTS = 1_000
WARM = 3
LIMIT_MS = 100.0


def rows(turn: int) -> tuple[BoardRow, ...]:
    """Return the attempts with other answers and another time left in each turn."""
    now = datetime.now(UTC)
    return tuple(
        BoardRow(
            attempt=number,
            username=f"student{number}",
            name=f"Student {number:04}",
            state="running",
            answered=(number + turn) % 100,
            total_questions=100,
            ends_at=now + timedelta(seconds=600 + number * 7919 * (turn + 1) % 3600),
            last_contact=now,
            notices=turn % 3,
        )
        for number in range(1, ATTEMPTS + 1)
    )


class Replies:
    """Stands for the server: every reply has all attempts."""

    def __init__(self) -> None:
        self.turn = 0
        self.staff_exams = self

    async def board(self, _slug: str, _cursor: str = "") -> Board:
        self.turn += 1
        return Board.model_construct(now=datetime.now(UTC), cursor="1", more=False, attempts=rows(self.turn))


class BoardApp(App[None]):
    def __init__(self, replies: Replies) -> None:
        super().__init__()
        exam = ExamLine(StaffExam(slug="sums", title="Sums", may_change=True), datetime.now(UTC))
        self.board = BoardScreen(cast(Lms, replies), exam, SystemClock())

    def on_mount(self) -> None:
        self.push_screen(self.board)


class TableApp(App[None]):
    def compose(self) -> ComposeResult:
        yield DataTable[str]()

    def on_mount(self) -> None:
        columns = listing(lambda: datetime.now(UTC), ())
        table = self.query_one(DataTable)
        table.add_columns(columns.title, *(column.heading for column in columns.columns))
        for each in rows(0):
            table.add_row(*columns.cells(each))

    def change(self, turn: int) -> None:
        table = self.query_one(DataTable)
        columns = listing(lambda: datetime.now(UTC), ())
        for place, each in enumerate(rows(turn)):
            for column, text in enumerate(columns.cells(each)):
                table.update_cell_at(Coordinate(place, column), text)


async def measure(rounds: int) -> tuple[list[float], list[float]]:
    """Return milliseconds of the board and of the table, in turn."""
    board, table = BoardApp(Replies()), TableApp()
    found: tuple[list[float], list[float]] = ([], [])
    async with board.run_test(size=SIZE) as pilot:
        await pilot.pause()
        await pilot.press("o", "o", "o", "o")
        for number in range(WARM + rounds):
            changed = rows(number)
            begun = time.process_time()
            board.board.take(changed)
            await pilot.pause()
            if number >= WARM:
                found[0].append(1000 * (time.process_time() - begun))
    async with table.run_test(size=SIZE) as pilot:
        await pilot.pause()
        for number in range(WARM + rounds):
            begun = time.process_time()
            table.change(number)
            await pilot.pause()
            if number >= WARM:
                found[1].append(1000 * (time.process_time() - begun))
    return found


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    ours, bare = asyncio.run(measure(rounds))
    print(heading("ms"))
    print(row(f"bare table of {ATTEMPTS}", bare))
    print(row(f"board of {ATTEMPTS}", ours))
    return judged(
        [
            Target("all rows changed, p95", p(ours, 0.95), LIMIT_MS, "ms"),
            Target("all rows changed, p95", p(ours, 0.95) / p(bare, 0.95), 1.0, of="the bare table"),
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
