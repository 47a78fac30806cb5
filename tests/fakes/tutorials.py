"""Tutorials of `docs/`, read as a person reads them: commands, files to save, and keys to press."""

import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Final

DOCS: Final = Path(__file__).parents[2] / "docs"
_FENCE: Final = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_EXITS: Final = re.compile(r"# exits with (\d+)$")
_ROW: Final = re.compile(r"^\|(?: `(.+?)`)? +\| (.+) \|$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ShellLine:
    """A command with its redirections. `words` are without `lms-tui`. Empty file names: nothing is redirected."""

    words: tuple[str, ...]
    given: str
    written: str
    code: int


@dataclass(frozen=True, slots=True)
class Section:
    text: str

    @property
    def lines(self) -> list[ShellLine]:
        """Each command with the files that it reads and writes, and the code it ends with."""
        return [_shell_line(line) for line in self.text.splitlines() if line.startswith("lms-tui ")]

    @property
    def commands(self) -> list[list[str]]:
        """The words of each command, without `lms-tui`."""
        return [shlex.split(line)[1:] for line in self.text.splitlines() if line.startswith("lms-tui ")]

    @property
    def keys(self) -> list[tuple[str, list[str]]]:
        """Each key of the tables with the texts in “quotes” that the screen then shows. "" presses nothing."""
        rows = _ROW.findall(self.text)
        return [(key, re.findall("“(.+?)”", seen)) for key, seen in rows if "press" not in seen and "---" not in seen]


def _shell_line(line: str) -> ShellLine:
    words = shlex.split(line, comments=True)[1:]
    files = {"<": "", ">": ""}
    for sign in files:
        if sign in words:
            at = words.index(sign)
            files[sign] = words[at + 1]
            del words[at : at + 2]
    exits = _EXITS.search(line)
    return ShellLine(tuple(words), files["<"], files[">"], int(exits[1]) if exits else 0)


def sections(page: str) -> list[Section]:
    """Return the sections of a page below its introduction."""
    return [Section(text) for text in (DOCS / page).read_text(encoding="utf-8").split("\n## ")[1:]]


def file(page: str, language: str) -> str:
    """Return the first block of a language: a file to save."""
    blocks: list[tuple[str, str]] = _FENCE.findall((DOCS / page).read_text(encoding="utf-8"))
    return next(text for name, text in blocks if name == language)
