"""Input and output of lines, for a terminal, a pipe or a file."""

import asyncio
import codecs
import contextlib
import os
import sys
import threading
from collections.abc import Iterator
from typing import Protocol, TextIO

from lms_tui.common.cleaning import clean


class InputEndedError(Exception):
    """The input has ended: the pipe was closed, or ctrl+d was pressed."""


class LineIO(Protocol):
    def say(self, *lines: str) -> None: ...
    async def ask(self, prompt: str, *, secret: bool = False, indented: bool = False) -> str:
        """Return the next typed line, cleaned. Raises InputEndedError.

        A `secret` line is neither shown nor cleaned. An `indented` one keeps the blanks at its start.
        """
        ...


class Console:
    """A terminal or a pipe. Output during an open question starts on a new line and repeats the prompt."""

    def __init__(self, source: int = 0, target: TextIO | None = None) -> None:
        self._source = source
        self._target = target or sys.stdout
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._echoed = os.isatty(source)
        self._asking = ""
        self._reader: threading.Thread | None = None

    def say(self, *lines: str) -> None:
        # A half-typed line stays in the terminal. Only the prompt is repeated.
        around = ("\n", self._asking) if self._asking else ("", "")
        self._target.write(around[0] + "".join(f"{line}\n" for line in lines) + around[1])
        self._target.flush()

    async def ask(self, prompt: str, *, secret: bool = False, indented: bool = False) -> str:
        if self._reader is None:
            # A daemon thread, because nothing can interrupt its read and it must not delay the end of the program.
            self._reader = threading.Thread(target=self._read, args=(asyncio.get_running_loop(),), daemon=True)
            self._reader.start()
        self._asking = prompt
        self._target.write(prompt)
        self._target.flush()
        try:
            with _unseen(self._source) if secret else contextlib.nullcontext():
                line = await self._lines.get()
        except asyncio.CancelledError:
            self._target.write("\n")  # the next line does not begin after the prompt
            raise
        finally:
            self._asking = ""
        if secret or not self._echoed:
            self._target.write("\n")  # no typed newline has ended this line
        if line is None:
            self._lines.put_nowait(None)
            raise InputEndedError
        if secret:
            return line
        return clean(line).expandtabs(4).rstrip() if indented else clean(line).strip()

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        rest = ""
        while True:
            try:
                # Not sys.stdin, whose lock would still be held at the end of the program.
                data = os.read(self._source, 65_536)
            except OSError:
                data = b""
            rest += decoder.decode(data, final=not data)
            *lines, rest = rest.split("\n")
            ended = [rest, None] if not data and rest else [None] if not data else []
            try:
                for line in (*lines, *ended):
                    loop.call_soon_threadsafe(self._lines.put_nowait, None if line is None else line.rstrip("\r"))
            except RuntimeError:  # the loop has ended
                return
            if not data:
                return


@contextlib.contextmanager
def _unseen(source: int) -> Iterator[None]:
    """Turn off the echo of a terminal."""
    if not os.isatty(source) or sys.platform == "win32":
        yield
        return
    import termios  # noqa: PLC0415 - POSIX only

    before = termios.tcgetattr(source)
    silent = [*before]
    silent[3] = before[3] & ~termios.ECHO
    termios.tcsetattr(source, termios.TCSADRAIN, silent)
    try:
        yield
    finally:
        termios.tcsetattr(source, termios.TCSADRAIN, before)
