"""A running program that is given lines and answers with lines, through pipes."""

import codecs
import os
import select
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

PATIENCE: Final = 120.0
"""Seconds to wait for a line, or for the end of the program."""


class Dialogue:
    """The process and what it has said since the last `wait`."""

    def __init__(self, command: Sequence[str | Path], environment: Mapping[str, str] | None = None) -> None:
        self.process = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        self._said = ""
        # A piece may end inside a letter.
        self._letters = codecs.getincrementaldecoder("utf-8")()

    def type(self, *lines: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{line}\n" for line in lines).encode())
        self.process.stdin.flush()

    def wait(self, text: str) -> str:
        """Return everything before this text, which must come."""
        assert self.process.stdout is not None
        while text not in self._said:
            ready, _, _ = select.select([self.process.stdout], [], [], PATIENCE)
            data = os.read(self.process.stdout.fileno(), 65_536) if ready else b""
            assert data, f"waited for {text!r}; it said:\n{self._said}"
            self._said += self._letters.decode(data)
        before, _, self._said = self._said.partition(text)
        return before

    def choose(self, title: str) -> None:
        """Open the entry with this title of the list that `--plain` shows."""
        line = next(line for line in self.wait("to quit:").splitlines() if title in line)
        self.type(line.partition(".")[0])

    def close(self) -> None:
        """Kill the program, and close its pipes."""
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                with suppress(BrokenPipeError):
                    stream.close()
