"""Draw every screen of the running program: `uv run python screenshots/make.py` (about a minute).

The app is the real one, over a real service with the demo institute in a directory that is thrown away.
"""

import asyncio
import os
import re
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from functools import partial
from pathlib import Path

from textual.pilot import Pilot

from lms_tui.attempt.clock import SpedClock, SystemClock
from lms_tui.attempt.journal.store import FileJournals
from lms_tui.common.settings import Settings, find_paths, load
from lms_tui.runtime.practising import decks_of
from lms_tui.runtime.profiles import ProfileList
from lms_tui.runtime.service_process import ServiceProcess
from lms_tui.runtime.session_provider import HttpSessionProvider
from lms_tui.tui.app import LmsApp
from lms_tui.views.ports import Dependencies, Opening

HERE = Path(__file__).parent
LIMIT = 60.0
LONG, SECTIONED, SCRIPTS = "foundation-test-1", "scholarship-mock", "hindi-and-tamil"
PORTRAIT = HERE / "portrait.png"
EVERY_TYPE = "every-type-of-question"


class Camera:
    """Presses keys, waits for what the screen shows, and takes its picture."""

    def __init__(self, app: LmsApp, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    def text(self) -> str:
        return "\n".join(strip.text for strip in self.app.screen._compositor.render_strips())  # noqa: SLF001 - no public face shows the screen as text

    async def see(self, pattern: str) -> None:
        end = time.monotonic() + LIMIT
        while not re.search(pattern, self.text()):
            if time.monotonic() > end:
                sys.exit(f"waited for /{pattern}/ and saw:\n{self.text()}")
            await self.pilot.pause(0.05)
        await self.pilot.pause(0.3)

    async def press(self, keys: str) -> None:
        for key in keys.split():
            await self.pilot.press(key)
            await self.pilot.pause(0.05)

    async def type(self, text: str) -> None:
        await self.pilot.press(
            *(
                {" ": "space", "-": "minus", ".": "full_stop", ",": "comma", "~": "tilde", "/": "slash"}.get(char, char)
                for char in text
            )
        )

    def shoot(self, name: str) -> None:
        svg = self.app.export_screenshot(title="lms-tui")
        # The picture stands alone: the fonts it names come from a host of others, and its ids change with each run.
        svg = re.sub(r"@font-face\s*\{.*?\}", "", svg, flags=re.DOTALL)
        svg = re.sub(r"terminal-\d+", "terminal", svg)
        (HERE / f"{name}.svg").write_text(
            "\n".join(line.rstrip() for line in svg.splitlines()) + "\n", encoding="utf-8"
        )
        print(f"screenshots/{name}.svg")

    async def open_exam(self, slug: str) -> None:
        await self.press("n")
        await self.see("(?i)link name")
        await self.type(slug)
        await self.press("enter")
        await self.see("Press enter to start")

    async def begin(self, slug: str) -> None:
        await self.open_exam(slug)
        await self.press("enter")
        await self.see("Question 1 of")

    async def go_to(self, number: int) -> None:
        await self.press("g")
        await self.type(str(number))
        await self.press("enter")
        await self.see(f"Question {number} of")

    async def open_more(self, shows: str) -> None:
        await self.press("m")
        await self.see(shows)


class Studio:
    """One data directory, in which the app may be opened again and again."""

    def __init__(self, folder: Path) -> None:
        self.paths = find_paths(folder)
        for part in (self.paths.data, self.paths.logs, self.paths.journals):
            part.mkdir(parents=True, exist_ok=True)

    async def scene(
        self,
        play: Callable[[Camera], Awaitable[None]],
        size: tuple[int, int] = (120, 40),
        *,
        theme: str = "dark",
        demo: bool = True,
        user: str = "asha",
        clock: SystemClock = SystemClock(),  # noqa: B008 - it holds no state
    ) -> None:
        settings: Settings = load(self.paths, options={"theme": theme})
        arguments = ("--port", "0", "--end-with-stdin", "--data-dir", str(self.paths.data), "--demo")
        provider = HttpSessionProvider(
            settings, ProfileList(self.paths.profiles), ServiceProcess(arguments, self.paths.service_log)
        )
        opening = Opening(partial(provider.practice, user)) if demo else Opening()
        journals = FileJournals(self.paths.journals)
        app = LmsApp(
            Dependencies(
                provider,
                journals,
                clock,
                settings,
                recording=provider.recording,
                decks=lambda: decks_of(self.paths.journals, clock),
            ),
            opening,
        )
        running: AbstractAsyncContextManager[Pilot[None]] = app.run_test(size=size)
        try:
            async with running as pilot:
                camera = Camera(app, pilot)
                if demo:
                    await camera.see("Available")
                await play(camera)
        finally:
            await provider.close()


async def sign_in(camera: Camera) -> None:
    await camera.see("Practice")
    camera.shoot("sign-in")


async def long_exam(camera: Camera) -> None:
    await camera.see("(?s)Weakest topic +[A-Z].*Notices")
    camera.shoot("home")
    await camera.press("e")
    await camera.see("Done")
    camera.shoot("exams")
    await camera.open_exam(LONG)
    camera.shoot("instructions")
    await camera.press("enter")
    await camera.see("Question 1 of")
    await camera.press("c n b n a n m n c n d n b n a m n b n c n a n d n down x n b n c n c m n a n b n")
    await camera.go_to(35)
    await camera.press("b")
    await camera.see("sent 1")
    camera.shoot("runner")
    await camera.press("question_mark")
    await camera.see("(?i)answering")
    camera.shoot("help")
    await camera.press("escape")
    await camera.press("ctrl+e")
    await camera.see("End the exam")
    camera.shoot("end")
    await camera.press("tab enter")
    await camera.see("Accuracy")


async def passage(camera: Camera) -> None:
    await camera.begin("reading-and-reasoning")
    await camera.press("b")
    camera.shoot("passage")


async def scripts(camera: Camera) -> None:
    await camera.begin(SCRIPTS)
    await camera.press("a")
    camera.shoot("scripts")


async def small(camera: Camera) -> None:
    await camera.begin(SECTIONED)
    await camera.press("c n")
    camera.shoot("sections-80x24")


async def kinds(camera: Camera) -> None:
    await camera.begin(EVERY_TYPE)
    await camera.press("b n a c n enter")
    await camera.type("Gangtok")
    await camera.press("escape n 6 0 escape n 2 enter")
    await camera.type("Rain falls on every roof of a town for free.")
    await camera.press("enter enter")
    await camera.type("Most of it runs off within the hour, and is bought back in summer")
    await camera.pilot.pause(1.5)
    camera.shoot("essay")
    await camera.press("escape n enter")
    await camera.type("dioxide")
    await camera.press("enter")
    await camera.type("oxy")
    await camera.pilot.pause(1.5)
    camera.shoot("gaps")
    await camera.press("escape n b a")
    await camera.see("sent 7")
    camera.shoot("match")
    await camera.press("escape n enter")
    await camera.see("Files of question 8")
    await camera.type("~/rain")
    await camera.press("tab enter")
    await camera.see("Type a path to add a file, or a number")
    await camera.type("~/")
    camera.shoot("files")


async def stats(camera: Camera, name: str = "stats") -> None:
    await camera.press("s")
    await camera.see("(?i)videos")
    await camera.pilot.pause(0.5)
    camera.shoot(name)


async def looking_back(camera: Camera) -> None:
    """An attempt of some weeks ago, for which somebody took their time."""
    await camera.press("e")
    await camera.see("Done")
    await camera.press("end up enter")
    await camera.see("(?s)Accuracy.*longest.*score")
    await camera.press("right right right right right")
    camera.shoot("result")
    await camera.press("enter")
    await camera.see("Question 6 of")
    await camera.press("i")
    await camera.see("Your answer")
    camera.shoot("review")
    await camera.press("t")
    await camera.see("Practice is not scored")
    camera.shoot("once-more")


async def practice(camera: Camera) -> None:
    """The deck after the review of some old attempts, and a question that was answered at the second try."""
    await camera.press("e")
    await camera.see("Done")
    for place in ("end", "end up", "end up up"):
        await camera.press(f"{place} enter")
        await camera.see("(?s)Accuracy.*score")
        await camera.press("enter")
        await camera.see("(?s)correct ·.*Question")
        await camera.pilot.pause(1.0)
        await camera.press("escape escape")
        await camera.see("Done")
    await camera.press("escape p")
    await camera.see("due today")
    await camera.press("enter g b")
    await camera.see("(?s)you guessed")
    await camera.press("r")
    await camera.see("Explanation")
    camera.shoot("practice")
    await camera.press("escape escape")
    await camera.see("How sure, how correct")
    camera.shoot("deck")


async def replay(camera: Camera) -> None:
    """An attempt with returns and changed answers. A clock that runs 20 times faster makes minutes of its seconds."""
    await camera.begin("reading-and-reasoning")
    for number, key in enumerate("babdaaacabdcabcb"):
        await camera.pilot.pause(0.4 + number * 7 % 5 * 0.4)
        await camera.press(f"{key} n")
    for number, key in ((2, "c"), (7, "c"), (5, "b"), (6, "c")):
        await camera.go_to(number)
        await camera.pilot.pause(0.8)
        await camera.press(key)
        await camera.pilot.pause(0.5)
    await camera.press("ctrl+e")
    await camera.see("End the exam")
    await camera.press("tab enter")
    await camera.see("Accuracy")
    await camera.press("r")
    await camera.see("You changed")
    await camera.press("down down")
    await camera.pilot.pause(0.3)
    camera.shoot("replay")


async def light(camera: Camera) -> None:
    await camera.press("e")
    await camera.see("Done")
    camera.shoot("exams-light")


async def profile(camera: Camera) -> None:
    await camera.open_more("Your details")
    await camera.press("enter")
    await camera.see("No photo")
    await camera.press("p")
    await camera.see("Type the name of a JPEG")
    await camera.type(str(PORTRAIT))
    await camera.press("enter")
    await camera.see("▀")
    await camera.pilot.pause(4)
    camera.shoot("profile")


async def tokens(camera: Camera) -> None:
    await camera.open_more("Your details")
    await camera.press("down down down enter")
    await camera.see("Language and Reasoning")
    await camera.press("enter")
    await camera.see("t to list")
    await camera.press("t")
    await camera.see("No playback tokens yet")
    await camera.press("n")
    await camera.see("Valid for")
    await camera.press("ctrl+s")
    await camera.see("min left")
    camera.shoot("tokens")
    await camera.press("c")
    await camera.see("Scan this code")
    camera.shoot("token-code")


async def reading(camera: Camera) -> None:
    await camera.open_more("Your details")
    camera.shoot("more")
    await camera.press("down down enter")
    await camera.see("Welcome to the new term")
    camera.shoot("notices")
    await camera.press("end enter")
    await camera.see("Doubt sessions")
    await camera.pilot.pause(0.5)
    camera.shoot("post")
    await camera.press("escape")
    await camera.see("How the scholarship mock is marked")
    await camera.press("escape")
    await camera.see("Your details")
    await camera.press("down enter")
    await camera.see("Language and Reasoning")
    await camera.press("enter")
    await camera.pilot.pause(1.5)
    camera.shoot("course")
    await camera.press("f12")
    await camera.see("Received")
    camera.shoot("inspector")


async def groups(camera: Camera) -> None:
    await camera.open_more("(?s)Your details.*For administrators")
    await camera.press("down down down down down down enter")
    await camera.pilot.pause(1)
    camera.shoot("accounts")
    await camera.press("escape")
    await camera.see("For administrators")
    await camera.press("down down enter")
    await camera.pilot.pause(1)
    camera.shoot("batches")


async def overview(camera: Camera) -> None:
    await camera.begin(LONG)
    await camera.press("o")
    await camera.pilot.pause(0.5)
    camera.shoot("overview")


async def staff_exams(camera: Camera) -> None:
    await camera.open_more("(?s)Your details.*For staff")
    await camera.press("end enter")
    await camera.see("Foundation Test 1")
    camera.shoot("staff-exams")
    await camera.press("slash")
    await camera.type("foundation-test-1")
    await camera.press("enter")
    await camera.press("enter")
    await camera.see("Live board")
    await camera.press("enter")
    await camera.see("ended")
    await camera.press("space down down space")
    camera.shoot("board")
    await camera.press("escape")
    await camera.see("Statistics")
    await camera.press("down enter")
    await camera.see("Marks by subject")
    camera.shoot("staff-results")
    await camera.press("escape")
    await camera.see("Statistics")
    await camera.press("down down enter")
    await camera.see("reliability")
    camera.shoot("staff-statistics")


async def essay(camera: Camera) -> None:
    """An essay to mark by hand, by the student ravi."""
    await camera.begin(EVERY_TYPE)
    await camera.go_to(5)
    await camera.press("1 enter")
    await camera.type("Take them up to the old water tower. From there one sees both rivers, and why the town is here.")
    await camera.pilot.pause(1.5)
    await camera.press("escape ctrl+e")
    await camera.see("End the exam")
    await camera.press("tab enter")
    await camera.see("Accuracy")


async def marking(camera: Camera) -> None:
    await camera.open_more("(?s)Your details.*For staff")
    await camera.press("end enter")
    await camera.see("Foundation Test 1")
    await camera.press("slash")
    await camera.type("every-type")
    await camera.press("enter")
    await camera.press("enter")
    await camera.see("Mark by hand")
    await camera.press("down down enter")
    await camera.see("Ravi Kumar")
    await camera.press("end")
    await camera.see("water tower")
    await camera.press("1 c")
    await camera.type("A clear reason, told in two sentences.")
    await camera.pilot.pause(1.5)
    camera.shoot("marking")


async def keeping(camera: Camera) -> None:
    await camera.open_more("(?s)Your details.*For administrators")
    await camera.press("down down down down down enter")
    await camera.see("Welcome to the new term")
    camera.shoot("posts")
    await camera.press("end e")
    await camera.see("Summary")
    camera.shoot("post-form")
    await camera.press("escape")
    await camera.see("Welcome to the new term")
    await camera.press("escape")
    await camera.press("down down enter")
    await camera.see("Farida Khan")
    await camera.press("enter")
    await camera.see("Asha Nair")
    camera.shoot("mentor-students")


def make_home(folder: Path) -> None:
    """Make a home folder of a student, whose files the dialog of files lists."""
    folder.mkdir()
    os.environ["HOME"] = str(folder)
    for name, size in {"rain in our town.pdf": 1_420_000, "roof.jpg": 640_000, "notes.txt": 2_100}.items():
        (folder / name).write_bytes(bytes(size))


async def main() -> None:
    with tempfile.TemporaryDirectory(prefix="lms-tui-") as folder:
        make_home(Path(folder, "home"))
        studio = Studio(Path(folder))
        await studio.scene(sign_in, demo=False)
        await studio.scene(long_exam)
        await studio.scene(passage)
        await studio.scene(scripts, (100, 30))
        await studio.scene(small, (80, 24))
        await studio.scene(kinds, (100, 26))
        await studio.scene(stats)
        await studio.scene(looking_back)
        await studio.scene(practice, (110, 32))
        await studio.scene(partial(stats, name="stats-high-contrast"), (80, 24), theme="high-contrast")
        await studio.scene(light, (80, 24), theme="light")
        await studio.scene(profile, (100, 30))
        await studio.scene(tokens, (100, 30), user="staff")
        await studio.scene(staff_exams, (120, 34), user="staff")
        await studio.scene(keeping, (120, 34), user="admin")
        await studio.scene(reading, (100, 30))
        await studio.scene(groups, (100, 30), user="admin")
        await studio.scene(overview)
        await studio.scene(replay, clock=SpedClock(20.0, time.time()), user="ravi")
        await studio.scene(essay, (100, 30), user="ravi")
        await studio.scene(marking, (120, 34), user="staff")


if __name__ == "__main__":
    asyncio.run(main())
