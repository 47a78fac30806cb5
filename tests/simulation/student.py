"""The student: chooses, types, pastes, marks, strikes out, takes back, ends; and keeps notes of it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from lms_tui.attempt.events import Chose, Cleared, EndAsked, Marked, Struck, Toggled, Undone, UserEvent, Visited, Wrote
from lms_tui.attempt.keeper import Keeper
from lms_tui.attempt.values import Goal
from lms_tui.tui.screens.runner.autosave import Autosave
from tests.simulation.content import NOTHING, TEXTS, Content, as_shown
from tests.simulation.oracle import Oracle
from tests.simulation.scheduler import Scheduler, Sleep
from tests.simulation.server import CHOICES
from tests.simulation.trace import Trace

LETTERS = "abcdefgh तथ \U0001f600"
LENGTHS = (40, 600, 3_900, 4_100, 20_000)
WHIMS = ("mark", "mark", "clear", "undo", "look")
GAPS = 3


@dataclass
class Timer:
    """Calls back once, unless it is stopped before."""

    call: Callable[[], None]
    stopped: bool = False

    def stop(self) -> None:
        self.stopped = True

    async def ring(self, at: float) -> None:
        await Sleep(at)
        if not self.stopped:
            self.call()


@dataclass
class Student:
    """`computer`: the group of the tasks of the program; `alone`: no second device answers."""

    scheduler: Scheduler
    random: Random
    trace: Trace
    oracle: Oracle
    kinds: Callable[[int], str]
    questions: int
    computer: str
    alone: bool = True
    keeper: Keeper | None = None
    autosave: Autosave[Wrote] = field(init=False)
    text: str = ""
    """What stands in the field that was typed in last."""
    struck: dict[int, frozenset[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.comes(None)

    def comes(self, keeper: Keeper | None) -> None:
        """Begin to work with a program that has just been started."""
        self.keeper = keeper
        self.autosave = Autosave(self._kept, self._later)
        self.oracle.notes.undo = []
        self.oracle.typed = None
        if keeper is not None:
            self.struck = {item.question_id: item.struck for item in keeper.session.items}

    @property
    def typing(self) -> bool:
        return self.oracle.typed is not None

    def _later(self, seconds: float, call: Callable[[], None]) -> Timer:
        timer = Timer(call)
        self.scheduler.spawn(timer.ring(self.scheduler.now + seconds), self.computer)
        return timer

    async def sit(self, keeper: Keeper, *, leaving: bool) -> None:
        pace = self.random.choice((2.0, 10.0, 40.0))
        for _ in range(self.random.randint(5, 40)):
            await Sleep(self.scheduler.now + self.random.expovariate(1 / pace))
            await self._act(keeper)
        while not (leaving or keeper.session.over):
            self.autosave.flush()
            keeper.do(EndAsked(Goal.SECTION if keeper.session.more_sections else Goal.ATTEMPT))
            await Sleep(self.scheduler.now + 20)

    async def _act(self, keeper: Keeper) -> None:
        number = self.random.randint(1, self.questions)
        kind = self.kinds(number)
        whim = self.random.choice((*("answer",) * 6, *WHIMS))
        option = 10 * number + self.random.randint(1, 4)
        place = f"gap {self.random.randint(1, GAPS)}"
        how = self.random.choice(("type", "type", "paste")) if kind not in CHOICES else self.random.choice("cccts")
        letters = self.random.randint(2, 20) if how == "type" else self.random.choice(LENGTHS)
        leaves = self.random.randint(1, 60)
        if not keeper.session.editable or not self.trace.happens("act", self.scheduler.now, f"{whim} {number} {how}"):
            return
        self.autosave.flush()
        keeper.do(Visited(number))
        if whim == "answer" and kind not in CHOICES:
            essay = "essay_topic" if option % 4 == 0 else "essay_text"
            field_name = {"S": "short_text", "N": "short_text", "E": essay}.get(kind, place)
            await self._write(keeper, number, field_name, letters, pasted=how == "paste", leaves=leaves)
        else:
            self._press(keeper, number, option, "look" if whim == "look" else how if whim == "answer" else whim)

    # Keys.

    def _press(self, keeper: Keeper, number: int, option: int, what: str) -> None:
        before = self.oracle.notes.expected.get(number, NOTHING)
        kind = self.kinds(number)
        after = before
        event: UserEvent | None = None
        match what:
            case "c":
                event = Chose(number, option)
                after = self._chosen(before, before.chosen ^ {option} if kind == "C" else frozenset({option}))
            case "t":
                event = Toggled(number, option)
                only = frozenset[int]() if option in before.chosen else frozenset({option})
                after = self._chosen(before, before.chosen ^ {option} if kind == "C" else only)
            case "s":
                self._strike(keeper, number, option)
            case "mark":
                event, after = Marked(number), Content(before.chosen, before.texts, not before.marked)
            case "clear":
                event, after = Cleared(number), Content(marked=before.marked)
            case "undo" if self.alone:
                self._take_back(keeper)
            case _:
                pass
        if event is not None:
            self._does(keeper, event, number, after)

    @staticmethod
    def _chosen(before: Content, chosen: frozenset[int]) -> Content:
        return Content(chosen, before.texts, before.marked)

    def _open(self, keeper: Keeper, number: int) -> bool:
        item = keeper.session.find(number)
        return item is not None and keeper.session.open_to_change(item)

    def _does(self, keeper: Keeper, event: UserEvent, number: int, after: Content) -> None:
        """Do it, and write it down first: the computer may die in the middle."""
        notes = self.oracle.notes
        before = notes.expected.get(number, NOTHING)
        if self._open(keeper, number) and after != before:
            notes.undo.append((number, before))
            if after.chosen != before.chosen and after.chosen:
                self.struck[number] = self.struck.get(number, frozenset()) - after.chosen
            notes.put_down(number, after, self.scheduler.now)
        keeper.do(event)
        self._looks(keeper, number)

    def _take_back(self, keeper: Keeper) -> None:
        notes = self.oracle.notes
        if not notes.undo:
            keeper.do(Undone())
            return
        number, before = notes.undo.pop()
        if self._open(keeper, number) and before != notes.expected.get(number, NOTHING):
            notes.put_down(number, before, self.scheduler.now)
        keeper.do(Undone())
        self._looks(keeper, number)

    def _strike(self, keeper: Keeper, number: int, option: int) -> None:
        if self._open(keeper, number):
            self.struck[number] = self.struck.get(number, frozenset()) ^ {option}
        keeper.do(Struck(number, option))
        self._looks(keeper, number)

    def _looks(self, keeper: Keeper, number: int) -> None:
        """Look at the screen: it shows what was put down, and the options that were struck out."""
        item = keeper.session.find(number)
        if item is None:
            return
        shown, expected = as_shown(item.answer), self.oracle.notes.expected.get(number, NOTHING)
        if self.alone and shown != expected:
            self.oracle.breaks(f"question {number} shows {shown}, and {expected} was put down")
        if self.alone and item.struck != self.struck.get(number, frozenset()):
            self.oracle.breaks(f"question {number} shows other options struck out than were")

    # Letters.

    async def _write(self, keeper: Keeper, number: int, name: str, count: int, *, pasted: bool, leaves: int) -> None:
        """Go on with the text of a field. `leaves`: after how many letters the student turns away, in mid-word."""
        text = self.oracle.notes.expected.get(number, NOTHING).text(name)
        if pasted:
            self._key(keeper, number, name, text + ("An essay of words. " * (count // 16 + 1))[:count])
            return
        for _ in range(min(count, leaves)):
            text += self.random.choice(LETTERS)
            self._key(keeper, number, name, text)
            await Sleep(self.scheduler.now + self.random.choice((0.05, 0.15, 0.3, 0.3, 1.5)))

    def _key(self, keeper: Keeper, number: int, name: str, text: str) -> None:
        if self.keeper is not keeper or not self._open(keeper, number):
            return
        now = self.scheduler.now
        first = self.oracle.typed[0] if self.oracle.typed else now
        self.oracle.typed = first, now
        self.text = text
        self.autosave.write(Wrote(number, name.removeprefix("gap "), text))

    def _kept(self, event: Wrote) -> None:
        """The program keeps what was typed."""
        keeper = self.keeper
        if keeper is None:
            return
        self.oracle.typed = None
        if event.text != self.text:
            self.oracle.breaks(f"{event.text[-20:]!r} is kept, and {self.text[-20:]!r} was typed")
        name = event.field if event.field in TEXTS else f"gap {event.field}"
        before = self.oracle.notes.expected.get(event.question_id, NOTHING)
        self._does(keeper, event, event.question_id, before.written(name, event.text))
