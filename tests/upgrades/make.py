"""Makes `kept/VERSION.tar.gz`: the files that this version of the program leaves behind, and `kept/VERSION.json`: what
they hold. Run it once for each release, and never again for a version that was released:

    uv run python -m tests.upgrades.make

A real service, a real exam in lines, a real practice session and real commands write the files.
"""

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from lms_tui import __version__
from lms_tui.common.settings_file import change
from tests.fakes.dialogue import Dialogue
from tests.upgrades.contents import contents_of

HERE: Final = Path(__file__).parent
KEPT: Final = HERE / "kept"
EXAM: Final = HERE / "exam.yaml"
_PASSWORD: Final = "practice-0.1.0"
_LISTENING: Final = "Listening on "
_LEFT_OUT: Final = ("logs", "service.log", "host.log")


class Program:
    """The program with its directories in one folder."""

    def __init__(self, folder: Path) -> None:
        self.data = folder / "data"
        self.config = folder / "config"
        self._environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("LMS_TUI_")},
            "LMS_TUI_DATA_DIR": str(self.data),
            "LMS_TUI_CONFIG_DIR": str(self.config),
            "NO_COLOR": "1",
        }

    def run(self, *words: str, said: str = "") -> str:
        """Run a command to its end and return its output."""
        command = [sys.executable, "-m", "lms_tui", *words]
        done = subprocess.run(command, input=said, env=self._environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"{words} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout

    def start(self, *words: str) -> Dialogue:
        return Dialogue([sys.executable, "-m", "lms_tui", *words], self._environment)

    @contextmanager
    def serving(self) -> Iterator[tuple[str, Dialogue]]:
        service = self.start("serve", "--port", "0")
        try:
            service.wait(_LISTENING)
            yield service.wait("\n"), service
        finally:
            service.process.terminate()
            service.process.wait()


def _found(program: Program) -> None:
    """Make an institute with two exams and a post."""
    for name, role in (("asha", "student"), ("ravi", "student"), ("admin", "admin")):
        words = ("--role", role, "--first-name", name.title(), "--email", f"{name}@school.example")
        batch = ("--batch", "Class 11") if role == "student" else ()
        program.run("user", "add", name, *words, *batch, "--password-stdin", said=f"{_PASSWORD}\n")
    untimed = program.data.with_name("untimed.yaml")
    untimed.write_text(EXAM.read_text("utf-8").replace("Every type", "Untimed"), "utf-8")
    for file, slug, duration in ((EXAM, "every-type", "30 min"), (untimed, "untimed", "none")):
        given = ("--course", "Physics", "--batch", "Class 11", "--slug", slug, "--duration", duration)
        program.run("exam", "import", str(file), *given, "--retakes", "2")
    program.run("post", "add", "Timetable", "--by", "admin", "--summary", "The exam is on Monday.", "--public")


def _sit(program: Program, service: Dialogue) -> None:
    """End one exam, and leave another one with answers that are saved and not sent."""
    exam = program.start("--plain")
    exam.choose("Every type")
    exam.type("start", "a", "highlight train", "note about the train", "n", "a b", "m", "n", "= 9.81", "n", "= calorie")
    exam.type("n", "=", "Rain, and", "इंद्रधनुष.", ".", "end", "yes")
    exam.wait("The exam has ended.")
    exam.type("", "q")
    exam.process.wait()

    exam = program.start("--plain")
    exam.choose("Untimed")
    exam.type("start", "b", "scratch 2 h", "saved")
    while exam.wait(" sent.").endswith(" 0"):
        exam.type("saved")
    service.process.kill()
    service.process.wait()
    exam.type("n", "a", "n", "= 10", "n", "= J")
    exam.wait("Your answer: J. Saved.")
    exam.process.kill()
    exam.process.wait()


def _practise(program: Program) -> None:
    practice = program.start("practise", str(EXAM), "--order", "file", "--plain")
    practice.type("b", "", "a c", "", "= 9.81", "")
    practice.type("quit")
    practice.process.wait()


def _settle(program: Program) -> None:
    """Change the settings, and write receipts of both attempts."""
    file = program.config / "settings.toml"
    change(file, "appearance", "theme", "high-contrast")
    change(file, "runner", "pace_line", value=True)
    change(file, "network", "timeout", 30.0)
    change(file, "keys", "mark", "f2,m")
    for attempt in json.loads(program.run("receipt", "list", "--json")):
        name = f"receipt-{attempt['attempt_id']}.txt"
        program.run("receipt", "export", str(attempt["attempt_id"]), str(program.data / "exports" / name))


def _write(folder: Path) -> None:
    def kept(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
        member.uid = member.gid = 0
        member.uname = member.gname = ""
        return None if Path(member.name).name in _LEFT_OUT else member

    with tarfile.open(KEPT / f"{__version__}.tar.gz", "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for name in ("config", "data"):
            archive.add(folder / name, name, filter=kept)


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "made")
        folder.mkdir()
        program = Program(folder)
        _found(program)
        with program.serving() as (address, service):
            program.run("login", address, "--user", "asha", said=f"{_PASSWORD}\n")
            _sit(program, service)
        _practise(program)
        _settle(program)
        KEPT.mkdir(exist_ok=True)
        _write(folder)
        again = shutil.copytree(folder, Path(name, "read"))
        told = asyncio.run(contents_of(again))
        text = json.dumps(told, ensure_ascii=False, indent=1, sort_keys=True)
        (KEPT / f"{__version__}.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
