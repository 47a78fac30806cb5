"""One attempt in memory: a service that answers, refuses or goes silent, a clock that stands still, and a keeper."""

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import timedelta
from decimal import Decimal
from random import Random

import anyio

from lms_tui.attempt.journal.memory import MemoryJournal
from lms_tui.attempt.keeper import Keeper
from lms_tui.attempt.ports import AttemptKey, Journal
from lms_tui.wire.attempt_states import AttemptState
from lms_tui.wire.attempts import (
    AnswerInput,
    AnswerOption,
    Attempt,
    AttemptQuestion,
    AttemptQuestionBody,
    AttemptSection,
)
from lms_tui.wire.errors import ApiError
from lms_tui.wire.exams import Exam
from tests.fakes.files import FilesInMemory
from tests.fakes.notices import WithoutNotices

KEY = AttemptKey("https://lms.example.org", 7, 1)

PASSAGE = (
    "<p>Read the passage and answer the questions that follow.</p><p>A stepwell is a well in which the water is "
    "reached by descending a set of steps. In the dry west of India they were dug down to the water table, lined with "
    "stone, and used all year: for water, for rest, and for prayer. <b>Rani ki Vav</b>, built in the eleventh century, "
    "goes down seven storeys, and its walls hold more than five hundred sculptures.</p><p>Because of its many steps, "
    "the water could be reached at any level, whether the monsoon had been good or poor.</p>"
)
TABLE = (
    "<p>The table shows the rainfall (mm) of four towns. Which town had the greatest increase?</p>"
    "<table><tr><th>Town</th><th>2021</th><th>2022</th><th>2023</th></tr><tr><td>Bhuj</td><td>341</td><td>402</td>"
    "<td>388</td></tr><tr><td>Madurai</td><td>840</td><td>912</td><td>1,004</td></tr><tr><td>Kohima</td><td>1,842</td>"
    "<td>1,790</td><td>1,815</td></tr><tr><td>Leh</td><td>102</td><td>98</td><td>117</td></tr></table>"
)


def question(
    number: int,
    text: str = "",
    options: Sequence[str] = (),
    *,
    kind: str = "R",
    direction: str | None = None,
    subject: str = "",
    **answer: object,
) -> AttemptQuestion:
    """A question with id `number` and options `10 * number + 1` and up."""
    body = AttemptQuestionBody(
        question_html=text or f"<p>Question number {number}: what is {number} + {number}?</p>",
        direction=direction,
        answers=tuple(
            AnswerOption(id=10 * number + at, text_html=option)
            for at, option in enumerate(options or [str(number * 2 + d) for d in range(4)], 1)
        ),
        subject=subject,
        type=kind,
    )
    return AttemptQuestion(id=number, question=body, **answer)


def a_paper() -> tuple[AttemptQuestion, ...]:
    """Questions that show what a question can hold: formulas, a table, a passage, other scripts, other types."""
    return (
        question(
            1,
            r"<p>Let $f(x)=\int_0^x \frac{t^2}{1+t^4}\,dt$. Then $\lim_{x\to 0}\frac{f(x)}{x^3}$ is equal to</p>",
            [r"$\frac{1}{3}$", r"$\frac{2}{3}$", "$1$", r"$\sqrt{3}$"],
            subject="Mathematics",
        ),
        question(
            2,
            "<p>Which of these compounds are <b>amphoteric</b>? Choose every one that is.</p>",
            ["Al<sub>2</sub>O<sub>3</sub>", "Na<sub>2</sub>O", "ZnO", "SO<sub>3</sub>"],
            kind="C",
            subject="Chemistry",
        ),
        question(
            3,
            "<p>Why could water be reached at any level?</p>",
            direction=PASSAGE,
            subject="Reading",
            options=[
                "The wells were dug by hand",
                "There were many steps",
                "The walls were lined with stone",
                "It never rained",
            ],
        ),
        question(4, TABLE, ["Bhuj", "Madurai", "Kohima", "Leh"], subject="Reading"),
        question(5, "<p>தமிழ்நாட்டின் தலைநகரம் எது?</p>", ["மதுரை", "சென்னை", "கோயம்புத்தூர்", "திருச்சி"], subject="Reading"),
        question(6, "<p>Describe how a stepwell works.</p>", kind="E", subject="Reading", essay_text="By its steps."),
    )


def an_exam(count: int) -> tuple[AttemptQuestion, ...]:
    return tuple(question(number) for number in range(1, count + 1))


class StillClock:
    """Stands still until a test moves it; `wait` returns when woken, never by itself."""

    speed = 1.0
    boot_id = "a start of the computer"

    def __init__(self) -> None:
        self.now = 1000.0

    def boot(self) -> float:
        return self.now

    def wall(self) -> float:
        return 1_700_000_000.0 + self.now

    async def wait(self, wake: anyio.Event, seconds: float | None) -> None:
        if seconds is None or seconds > 0:
            await wake.wait()


class PassingClock(StillClock):
    """Its time passes while somebody waits, and in no other way. `meanwhile` is called in each wait."""

    def __init__(self, speed: float = 1.0, meanwhile: Callable[[anyio.Event], None] = lambda _: None) -> None:
        super().__init__()
        self.speed = speed
        self._meanwhile = meanwhile

    async def wait(self, wake: anyio.Event, seconds: float | None) -> None:
        assert seconds is not None
        self.now += seconds
        await anyio.lowlevel.checkpoint()
        self._meanwhile(wake)


class AttemptInMemory(WithoutNotices, FilesInMemory):
    """The attempt endpoints for one attempt. `coming`: errors that the next calls of a method meet."""

    def __init__(
        self,
        questions: Sequence[AttemptQuestion],
        *,
        duration: timedelta | None = timedelta(hours=3),
        sections: Sequence[AttemptSection] = (),
        preemptive: bool = True,
        title: str = "JEE Main · Shift 1",
    ) -> None:
        self.asked = {question.id: question for question in questions}
        self.sections = list(sections)
        self.clock = StillClock()
        self.remaining = duration
        self._section_since = self.clock.now
        self.state: str = AttemptState.RUNNING
        self.calls: Counter[str] = Counter()
        self.coming: dict[str, list[ApiError]] = {}
        self.silent: ApiError | None = None
        """While set, every call meets this error."""
        self.exam = Exam(
            id=1,
            title=title,
            slug="an-exam",
            duration=duration,
            mark_per_question=Decimal(4),
            negative_marks=Decimal(1),
            number_of_questions=len(self.asked),
            allow_preemptive_section_ending=preemptive,
        )

    @property
    def remaining(self) -> timedelta | None:
        """The time left now. It runs on the clock that the keeper has too."""
        if self._left is None:
            return None
        return max(timedelta(), self._left - timedelta(seconds=self.clock.now - self._since))

    @remaining.setter
    def remaining(self, left: timedelta | None) -> None:
        self._left, self._since = left, self.clock.now

    def _called(self, method: str) -> None:
        self.calls[method] += 1
        if self.silent is not None:
            raise self.silent
        if waiting := self.coming.get(method):
            raise waiting.pop(0)

    def _attempt(self) -> Attempt:
        return Attempt(
            id=1,
            exam=self.exam,
            state=self.state,
            remaining_time=self.remaining,
            sections=tuple(map(self._section, self.sections)),
            total_questions=len(self.asked),
        )

    def _section(self, section: AttemptSection) -> AttemptSection:
        """The section with its time left now. Only that of the running one runs."""
        if section.state != AttemptState.RUNNING or section.remaining_time is None:
            return section
        left = max(timedelta(), section.remaining_time - timedelta(seconds=self.clock.now - self._section_since))
        return section.model_copy(update={"remaining_time": left})

    async def read(self, attempt_id: int) -> Attempt:
        self._called("read")
        return self._attempt()

    async def start(self, attempt_id: int) -> Attempt:
        self._called("start")
        return self._attempt()

    async def heartbeat(self, attempt_id: int) -> Attempt:
        self._called("heartbeat")
        return self._attempt()

    async def end(self, attempt_id: int) -> Attempt:
        self._called("end")
        self.state = AttemptState.COMPLETED
        return self._attempt()

    async def questions(self, attempt_id: int) -> list[AttemptQuestion]:
        self._called("questions")
        return list(self.asked.values())

    async def section_questions(self, section: AttemptSection) -> list[AttemptQuestion]:
        """A section owns every n-th part of the questions, in order."""
        self._called("section_questions")
        place = [known.id for known in self.sections].index(section.id)
        size = -(-len(self.asked) // len(self.sections))
        return list(self.asked.values())[place * size : (place + 1) * size]

    async def start_section(self, section: AttemptSection) -> None:
        self._called("start_section")
        self._turn(section, AttemptState.RUNNING)

    async def end_section(self, section: AttemptSection) -> None:
        self._called("end_section")
        self._turn(section, AttemptState.COMPLETED)

    def _turn(self, section: AttemptSection, state: str) -> None:
        if state == AttemptState.RUNNING:
            self._section_since = self.clock.now
        self.sections = [
            known.model_copy(update={"state": state}) if known.id == section.id else known for known in self.sections
        ]

    async def save(
        self, attempt_id: int, question_id: int, answer: AnswerInput, stamp: str = "", chosen_at: int | None = None
    ) -> AttemptQuestion:
        self._called("save")
        given = {name: value for name, value in dict(answer).items() if value is not None}
        saved = self.asked[question_id].model_copy(update=given | {"review": answer.review})
        self.asked[question_id] = saved
        return saved


def two_sections(*, timed: bool = True) -> tuple[AttemptSection, AttemptSection]:
    duration = timedelta(minutes=30) if timed else None
    return (
        AttemptSection(
            id=1,
            attempt_section_id=1,
            name="Physics",
            order=1,
            state=AttemptState.RUNNING,
            duration=duration,
            remaining_time=duration,
        ),
        AttemptSection(
            id=2, attempt_section_id=2, name="Chemistry", order=2, state=AttemptState.NOT_STARTED, duration=duration
        ),
    )


async def a_keeper(
    service: AttemptInMemory | None = None, *, clock: StillClock | None = None, journal: Journal | None = None
) -> Keeper:
    """A keeper of an attempt of ten questions, or of the service's, whose worker is not running."""
    service = service or AttemptInMemory(an_exam(10))
    service.clock = clock = clock or service.clock
    return await Keeper.open(
        service,
        journal or MemoryJournal(KEY, "An exam"),
        clock,
        Random(1),
        1,
    )
