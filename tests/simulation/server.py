"""A server that does what the API document says, in virtual time, with a record of everything it accepted."""

from dataclasses import dataclass, field
from datetime import timedelta

from lms_tui.wire.attempts import (
    COMPLETED,
    RUNNING,
    AnswerInput,
    AnswerOption,
    Attempt,
    AttemptQuestion,
    AttemptQuestionBody,
)
from lms_tui.wire.errors import Forbidden
from lms_tui.wire.exams import Exam

ATTEMPT_ID = 7
ENDED = "The exam has already ended"


@dataclass
class SimulatedServer:
    """`stamps`: whether it knows `X-Answer-Seq` and so ignores an older change that arrives late."""

    now: float
    duration: float | None
    questions: int
    stamps: bool = True
    ends: int = 0
    running: bool = True
    answers: dict[int, AnswerInput] = field(default_factory=dict)
    stamped: dict[int, dict[str, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.remaining = self.duration
        self.contact = self.now
        self.exam = Exam(
            title="Simulated", duration=None if self.duration is None else timedelta(seconds=self.duration)
        )
        self.bodies = {
            n: AttemptQuestionBody(
                type="C" if n % 3 == 0 else "R",
                answers=tuple(AnswerOption.model_construct(id=10 * n + o) for o in range(1, 5)),
            )
            for n in range(1, self.questions + 1)
        }

    def _settle(self) -> None:
        """Close the attempt when more time has passed since the last contact than was left then."""
        if self.running and self.remaining is not None and self.now - self.contact > self.remaining:
            self.finish()

    def finish(self) -> None:
        self.running = False
        self.ends += 1

    def _open(self) -> None:
        self._settle()
        if not self.running:
            raise Forbidden(ENDED, status=403)

    def _attempt(self) -> Attempt:
        left = None if self.remaining is None else timedelta(seconds=max(0.0, self.remaining))
        return Attempt.model_construct(
            id=ATTEMPT_ID,
            exam=self.exam,
            state=RUNNING if self.running else COMPLETED,
            remaining_time=left,
            sections=(),
        )

    def read(self) -> Attempt:
        self._settle()
        return self._attempt()

    def start(self) -> Attempt:
        self._open()
        self.contact = self.now
        return self._attempt()

    def heartbeat(self) -> Attempt:
        self._open()
        if self.remaining is not None:
            self.remaining -= self.now - self.contact
        self.contact = self.now
        return self._attempt()

    def end(self) -> Attempt:
        self._open()
        self.finish()
        return self._attempt()

    def list_questions(self) -> list[AttemptQuestion]:
        self._open()
        return [self.show(number) for number in self.bodies]

    def show(self, number: int) -> AttemptQuestion:
        held = self.answers.get(number, AnswerInput.model_construct(selected_answers=(), review=None))
        return AttemptQuestion.model_construct(
            id=number,
            question=self.bodies[number],
            selected_answers=held.selected_answers,
            review=held.review,
            gap_fill_responses=(),
        )

    def save(self, question_id: int, answer: AnswerInput, stamp: str) -> AttemptQuestion:
        self._open()
        writer, _, sequence = stamp.partition(":")
        seen = self.stamped.setdefault(question_id, {})
        if not self.stamps or int(sequence) >= seen.get(writer, -1):
            seen[writer] = int(sequence)
            self.answers[question_id] = answer
        return self.show(question_id)
