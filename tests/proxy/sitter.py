"""The program as a person has it, in a pty, sitting one exam after the other on a line that a proxy spoils."""

import os
import re
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from benchmarks.terminal import Failed, Terminal
from lms_tui.common.settings import find_paths
from tests.proxy.institute import KINDS, RIGHTS, Held, Institute
from tests.proxy.proxy import FaultProxy

SOON = 10.0
"""Seconds after which the instructions have come, or could not be loaded."""
PATIENCE = 60.0
BADNESS = 0.6
MOVES = ("answer", "answer", "answer", "next", "next", "back", "mark", "clear", "retry")
TYPED = "bcdefghij"
"""Letters of the texts: some of them are commands outside a field."""
ESCAPE, BACKSPACE, ENTER, RETRY, END = "\x1b", "\x7f", "\r", "\x12", "\x05"
AFTER_ESCAPE = 0.6
"""Seconds: a letter that follows an escape at once is read as one key with it."""
OF_WORDS = "SEG"
"""Types of questions at which letters begin an answer."""
QUESTIONS = len(KINDS)


HOME = "lms-tui  Home"
_SEQUENCES = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|[P\]_^X].*?(?:\x1b\\|\x07)|[ -/]*[0-~])", re.DOTALL)
"""What a terminal obeys. A screen that is new is painted whole, row by row, so that its words stand in what is left;
emulating it would cost more than everything else here."""


@dataclass
class Person:
    """Decides what to press, and knows what must come of it."""

    random: Random
    at: int = 0
    sheet: list[Held] = field(default_factory=lambda: [Held()] * QUESTIONS)
    answers: int = 0

    def moves(self) -> tuple[str, ...]:
        """Return the keys of the next move; what the exam must hold after them is written down."""
        held = self.sheet[self.at]
        match self.random.choice(MOVES):
            case "next":
                key = self._command("n")
                self.at = min(self.at + 1, QUESTIONS - 1)
                return (key,)
            case "back":
                key = self._command("p")
                self.at = max(self.at - 1, 0)
                return (key,)
            case "mark":
                self.sheet[self.at] = Held(held.chosen, not held.marked, held.texts)
                return (self._command("m"),)
            case "clear":
                self.sheet[self.at] = Held(marked=held.marked)
                return (BACKSPACE,)
            case "retry":
                return (RETRY,)
            case _:
                self.answers += 1
                return self._answers(held)

    def _answers(self, held: Held) -> tuple[str, ...]:
        kind, place = KINDS[self.at], self.random.randrange(4)
        match kind:
            case "R" | "C":
                before = set(held.chosen)
                after = before ^ {place} if kind == "C" else {place}
                self.sheet[self.at] = Held(tuple(sorted(after)), held.marked)
                return ("abcd"[place],)
            case "M":
                left, right = self.random.choice("12"), place % len(RIGHTS)
                self._writes(held, left, RIGHTS[right])
                return (left, "abc"[right], ESCAPE)
            case "G":
                gap = self.random.choice("12")
                letters = self._letters(TYPED)
                self._writes(held, gap, dict(held.texts).get(gap, "") + letters)
                return (ESCAPE, gap, *letters, ESCAPE)
            case _:
                name = "essay_text" if kind == "E" else "short_text"
                letters = self._letters("123456789" if kind == "N" else TYPED)
                self._writes(held, name, dict(held.texts).get(name, "") + letters)
                return (ENTER, *letters, ESCAPE if kind == "E" else ENTER)

    def _command(self, letter: str) -> str:
        """Return the key of a command of a letter: at a question of words, it is alt with the letter."""
        return ESCAPE + letter if KINDS[self.at] in OF_WORDS else letter

    def _letters(self, alphabet: str) -> str:
        return "".join(self.random.choice(alphabet) for _ in range(self.random.randint(1, 4)))

    def _writes(self, held: Held, name: str, text: str) -> None:
        texts = tuple(sorted({**dict(held.texts), name: text}.items()))
        self.sheet[self.at] = Held(held.chosen, held.marked, texts)


@dataclass
class Outcome:
    """`wrong`: one line for each question that is not what was pressed, or for an exam that did not end once."""

    answers: int = 0
    wrong: list[str] = field(default_factory=list)


class Sitter:
    """One process of the program for all its schedules; `data`: its directory, signed in already."""

    def __init__(self, data: Path, proxy: FaultProxy, institute: Institute) -> None:
        self._data = data
        self._proxy = proxy
        self._institute = institute
        environment = {
            "XDG_CONFIG_HOME": str(data / "config"),
            "LMS_TUI_TIMEOUT": "1",
            "PYTHONPATH": os.pathsep.join(sys.path),
        }
        argv = [sys.executable, "-m", "lms_tui", "--data-dir", str(data)]
        self._terminal = Terminal(argv, 80, 24, environment)
        self._painted = b""
        self._at_home = False

    def close(self) -> None:
        self._terminal.close()

    def sit(self, number: int, seed: int) -> Outcome:
        """Sit one exam from home to its result and home again, and look into the service's database."""
        try:
            return self._sit(number, seed)
        except Failed as error:
            report = find_paths(self._data).crash_report
            places = report.read_text("utf-8") if report.exists() else ""
            return Outcome(0, [f"schedule {seed}: {error}\n{places}"])

    def _sit(self, number: int, seed: int) -> Outcome:
        random, terminal = Random(f"{seed} person"), self._terminal
        person = Person(random)
        self._begin(number)
        self._proxy.random, self._proxy.badness, self._proxy.healthy = Random(f"{seed} line"), BADNESS, False
        for _ in range(random.randint(10, 25)):
            for key in person.moves():
                terminal.write(key.encode())
                if key.startswith(ESCAPE):
                    self._rest_after_escape()
                else:
                    self._rest(random.uniform(0, 0.04))
            self._rest(random.uniform(0, 0.12))
        terminal.write(END.encode())
        self._wait(r"End the exam\?")
        terminal.write(b"\t\r")
        for _ in range(random.randint(5, 25)):
            terminal.write(RETRY.encode())
            terminal.read(0.1)
        self._proxy.healthy = True
        self._until(rf"Trial {number}: result(?s:.*)time taken")
        outcome = Outcome(person.answers, self._compared(f"trial-{number}", person, seed))
        self._until(HOME, b"\x1b")
        self._at_home = True
        return outcome

    def _rest(self, seconds: float) -> None:
        """Press nothing for so long, and read what is painted meanwhile."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self._terminal.read(left)

    def _rest_after_escape(self) -> None:
        """Press nothing until the escape was read for itself, however late."""
        end = time.monotonic() + PATIENCE
        while self._terminal.unread and time.monotonic() < end:
            self._rest(0.01)
        self._rest(AFTER_ESCAPE)

    def _begin(self, number: int) -> None:
        terminal = self._terminal
        if not self._at_home:
            self._wait(HOME)
        self._at_home = False
        # Home may show before the last escape was read, and a letter at once after an escape is alt and the letter.
        self._rest_after_escape()
        self._terminal.write(b"n")
        self._wait("Open an exam by its link name")
        terminal.write(f"trial-{number}\r".encode())
        try:
            self._wait(r"(?i)press enter to start", SOON)
        except Failed:  # the instructions could not be loaded, and ask for this key
            self._until(r"(?i)press enter to start")
        terminal.write(b"\r")
        self._wait("Question 1 of")

    def _until(self, pattern: str, key: bytes = b"\x12") -> None:
        """Press a key until the pattern is there: to try the server now, where nothing else is said."""
        for _ in range(int(PATIENCE)):
            self._terminal.write(key)
            try:
                self._wait(pattern, 1.0)
            except Failed:
                if self._terminal.ended:
                    raise
            else:
                return
        self._wait(pattern, 0.1)

    def _wait(self, pattern: str, patience: float = PATIENCE) -> None:
        """Read until what was painted since the last wait that succeeded holds the pattern."""
        wanted, end = re.compile(pattern), time.monotonic() + patience
        while True:
            self._painted += b"".join(data for _, data in self._terminal._waiting)
            self._terminal._waiting.clear()
            text = _SEQUENCES.sub(b"", self._painted).decode("utf-8", "replace")
            if wanted.search(text):
                self._painted = b""
                return
            if self._terminal.ended or time.monotonic() > end:
                why = "the program ended" if self._terminal.ended else f"not within {patience:g} s"
                raise Failed(f"waited for /{pattern}/: {why}; painted was: {text[-3000:]}")
            self._terminal.read(0.05)

    def _compared(self, slug: str, person: Person, seed: int) -> list[str]:
        held, states = self._institute.held(slug)
        wrong = [f"schedule {seed}: attempts are {states}"] if states != {"Completed"} else []
        if len(held) != QUESTIONS:
            return [*wrong, f"schedule {seed}: {len(held)} questions are held"]
        return wrong + [
            f"schedule {seed}, question {number}: {wanted} was pressed, the service holds {found}"
            for number, (wanted, found) in enumerate(zip(person.sheet, held, strict=True), 1)
            if wanted != found
        ]
