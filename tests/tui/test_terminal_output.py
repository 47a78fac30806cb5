"""The terminal's output in a thread: writes return at once, whether or not the terminal reads."""

import os
import threading
from collections.abc import Iterator

import pytest

from lms_tui.tui.terminal.output import LARGEST_BACKLOG, TerminalOutput

PATIENCE = 30.0


class Line:
    """A pipe in place of the terminal, and whether the output asked for a repaint."""

    def __init__(self) -> None:
        self.reading, self.writing = os.pipe()
        self.caught_up = threading.Event()
        self.output = TerminalOutput(self.writing, self.caught_up.set)

    def read(self) -> str:
        """Read until the output is closed."""
        found = b""
        while data := os.read(self.reading, 65536):
            found += data
        return found.decode()


@pytest.fixture
def line() -> Iterator[Line]:
    made = Line()
    yield made
    os.close(made.reading)


def end(line: Line) -> None:
    line.output.close()
    os.close(line.writing)


def test_everything_is_written_in_order_while_the_terminal_reads(line: Line) -> None:
    reader = threading.Thread(target=lambda: found.append(line.read()))
    found: list[str] = []
    reader.start()
    for number in range(500):
        line.output.write(f"{number} ")
    end(line)
    reader.join(PATIENCE)
    assert found == ["".join(f"{number} " for number in range(500))]
    assert not line.caught_up.is_set()


def test_writes_never_block_and_dropped_frames_are_repainted(line: Line) -> None:
    frame = "x" * 1023 + "\n"
    for _ in range(2 * LARGEST_BACKLOG // len(frame)):
        line.output.write(frame)
    found: list[str] = []
    reader = threading.Thread(target=lambda: found.append(line.read()))
    reader.start()
    assert line.caught_up.wait(PATIENCE)
    line.output.write("whole again")
    end(line)
    reader.join(PATIENCE)
    frames, _, rest = found[0].rpartition("\n")
    assert rest == "whole again"
    assert set(frames.split("\n")) == {frame.strip()}
    assert len(found[0]) < 2 * LARGEST_BACKLOG


def test_the_terminal_is_restored_after_unread_frames(line: Line) -> None:
    for _ in range(2 * LARGEST_BACKLOG // 1024):
        line.output.write("x" * 1024)
    line.output.make_room()
    line.output.write("restored")
    found: list[str] = []
    reader = threading.Thread(target=lambda: found.append(line.read()))
    reader.start()
    end(line)
    reader.join(PATIENCE)
    assert found[0].endswith("restored")
    assert len(found[0]) < LARGEST_BACKLOG


def test_an_output_that_nobody_reads_can_be_closed(line: Line) -> None:
    line.output.write("x" * LARGEST_BACKLOG)
    line.output.close()


def test_a_closed_terminal_ends_the_writing(line: Line) -> None:
    os.close(line.reading)
    line.output.write("lost")
    line.output._thread.join(PATIENCE)
    for _ in range(10):
        line.output.write("x" * LARGEST_BACKLOG)
    assert not line.output._waiting
    line.reading = os.open(os.devnull, os.O_RDONLY)


def test_a_frame_is_written_when_it_is_whole_also_one_larger_than_the_backlog(line: Line) -> None:
    for text in ("x", "y" * 2 * LARGEST_BACKLOG):
        frame = ("\x1b[?2026h", text, "\x1b[?2026l")
        for part in frame:
            line.output.write(part)
        wanted, found = len(frame[0]) + len(text), b""
        while len(found) < wanted:
            found += os.read(line.reading, 65536)
        assert found.decode().startswith("".join(frame[:2]))
    end(line)
