"""A server that does what the API document says, in virtual time, with a record of everything it accepted."""

import copy
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from lms_tui.wire.attempts import (
    AnswerInput,
    AnswerOption,
    Attempt,
    AttemptQuestion,
    AttemptQuestionBody,
    AttemptSection,
    ToldAttempt,
)
from lms_tui.wire.errors import Forbidden
from lms_tui.wire.exams import Exam
from lms_tui.wire.server_memory import ServerMemory

ATTEMPT_ID = 7
RUNNING, COMPLETED, NOT_STARTED = "Running", "Completed", "Not Started"
ENDED = "The exam has already ended"
EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
CHOICES = "RC"
UNANSWERED = AnswerInput(selected_answers=(), review=False)


@dataclass
class SimulatedServer:
    """`kinds`: the types of its questions, in turn. `grace`: seconds after the time in which it still takes answers.

    `stamps`: whether it knows `X-Answer-Seq` and `X-Answer-Time` and ignores an older change that arrives late.

    `tells`: what it tells of its memory: "epoch" that and the numbers, or one of them alone, or nothing.

    `parts`: how many locked sections with clocks of their own there are, 0 for none; questions are dealt to them in
    order.
    """

    now: float
    duration: float | None
    questions: int
    stamps: bool = True
    tells: str = ""
    parts: int = 0
    kinds: str = "RRC"
    grace: float = 0.0
    ends: int = 0
    running: bool = True
    restores: int = 0
    answers: dict[int, AnswerInput] = field(default_factory=dict)
    stamped: dict[int, dict[str, int]] = field(default_factory=dict)
    standing: dict[int, tuple[int, str]] = field(default_factory=dict)
    """When the answer that stands was chosen, in milliseconds, and its writer."""
    states: dict[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.remaining = self.duration
        self.contact = self.began = self.now
        length = None if self.duration is None else timedelta(seconds=self.duration)
        self.exam = Exam(title="Simulated", duration=length, allow_preemptive_section_ending=True)
        self.bodies = {
            n: AttemptQuestionBody(
                type=self.kind_of(n),
                answers=tuple(AnswerOption.model_construct(id=10 * n + o) for o in range(1, 5))
                if self.kind_of(n) in CHOICES
                else (),
            )
            for n in range(1, self.questions + 1)
        }
        self.states = {n: RUNNING if n == 1 else NOT_STARTED for n in range(1, self.parts + 1)}
        self.part_left = self._part_length()
        self._shown: dict[int, tuple[AnswerInput | None, AttemptQuestion]] = {}
        self._record = ""
        self._reply = ToldAttempt.model_construct(id=ATTEMPT_ID, exam=self.exam)

    def _part_length(self) -> float:
        return (self.duration or 0.0) / max(1, self.parts)

    def part_of(self, number: int) -> int:
        """The section of a question, 0 where there are none."""
        return (number - 1) * self.parts // self.questions + 1 if self.parts else 0

    def kind_of(self, number: int) -> str:
        """The type code of a question."""
        return self.kinds[(number - 1) % len(self.kinds)]

    def state(self) -> str:
        """Everything that is answered here, as the JSON text that a backup of its database would hold."""
        if not self._record:
            self._record = json.dumps({number: body.model_dump(mode="json") for number, body in self.answers.items()})
        return self._record

    def backup(self) -> Mapping[str, object]:
        """A copy of everything that a server forgets when it is put back to this moment."""
        return {
            "answers": dict(self.answers),
            "stamped": {number: dict(seen) for number, seen in self.stamped.items()},
            "standing": dict(self.standing),
            "states": dict(self.states),
            "remaining": self.remaining,
            "part_left": self.part_left,
            "contact": self.contact,
            "began": self.began,
        }

    def put_back(self, older: Mapping[str, object]) -> None:
        # A copy can be put back more than once.
        vars(self).update(copy.deepcopy(dict(older)), _record="")
        self.restores += 1

    def _memory(self) -> ServerMemory:
        """What a client reads from the headers of a reply."""
        if not self.tells:
            return ServerMemory()
        epoch = f"epoch-{self.restores}" if self.tells.startswith("epoch") else ""
        if self.tells == "epoch alone":
            return ServerMemory(epoch)
        seen: dict[str, int] = {}
        for stamps in self.stamped.values():
            for writer, highest in stamps.items():
                seen[writer] = seen.get(writer, 0) + highest
        return ServerMemory(epoch, seen)

    def left(self) -> float | None:
        """Seconds that are truly left: of the running section, else of the attempt; None for untimed."""
        if self.remaining is None:
            return None
        total = self.remaining - (self.now - self.contact)
        return min(total, self.part_left - (self.now - self.contact)) if RUNNING in self.states.values() else total

    def _settle(self) -> None:
        """Close what has less time left than has passed since the last contact."""
        if not self.running or self.remaining is None:
            return
        if self.now - self.contact > self.remaining + self.grace:
            self.finish()
        elif self.now - self.contact > self.part_left:
            self._finish_part()

    def _finish_part(self) -> None:
        self.states = {n: COMPLETED if state == RUNNING else state for n, state in self.states.items()}

    def finish(self) -> None:
        self._finish_part()
        self.running = False
        self.ends += 1

    def _open(self) -> None:
        self._settle()
        if not self.running:
            raise Forbidden(ENDED, status=403)

    def _attempt(self, *, tells: bool = False) -> Attempt:
        left = None if self.remaining is None else timedelta(seconds=max(0.0, self.remaining))
        told = {
            "state": RUNNING if self.running else COMPLETED,
            "remaining_time": left,
            "last_started_time": EPOCH + timedelta(seconds=self.began),
            "sections": tuple(self._section(n) for n in self.states),
            "memory": self._memory() if tells else ServerMemory(),
            "server_time": EPOCH + timedelta(seconds=self.now) if tells and self.tells else None,
        }
        return self._reply.model_copy(update=told)

    def _section(self, number: int) -> AttemptSection:
        state = self.states[number]
        left = self.part_left if state == RUNNING else 0.0 if state == COMPLETED else self._part_length()
        return AttemptSection.model_construct(
            id=1,
            attempt_section_id=number,
            name=f"Part {number}",
            order=number,
            state=state,
            duration=timedelta(seconds=self._part_length()),
            remaining_time=timedelta(seconds=max(0.0, left)),
        )

    def read(self) -> Attempt:
        self._settle()
        return self._attempt()

    def start(self) -> Attempt:
        self._open()
        self.contact = self.began = self.now
        return self._attempt(tells=True)

    def heartbeat(self) -> Attempt:
        self._open()
        if self.remaining is not None:
            self.remaining -= self.now - self.contact
            self.part_left -= self.now - self.contact
        self.contact = self.now
        return self._attempt(tells=True)

    def grant(self, seconds: float) -> bool:
        """Give more time, in sections to the one that runs. Return whether something ran that has a time limit."""
        self._settle()
        if not self.running or self.remaining is None or (self.parts and RUNNING not in self.states.values()):
            return False
        self.remaining += seconds
        self.part_left += seconds
        return True

    def end(self) -> Attempt:
        self._open()
        self.finish()
        return self._attempt()

    def list_questions(self) -> list[AttemptQuestion]:
        return self.list_section(0)

    def list_section(self, part: int) -> list[AttemptQuestion]:
        self._open()
        return [self.show(number) for number in self.bodies if self.part_of(number) == part]

    def start_section(self, part: int) -> None:
        self._open()
        if self.states[part] != NOT_STARTED or RUNNING in self.states.values():
            raise Forbidden("This section cannot be started", status=403)
        self.states[part], self.part_left, self.contact = RUNNING, self._part_length(), self.now

    def end_section(self, part: int) -> None:
        self._open()
        if self.states[part] != RUNNING:
            raise Forbidden("This section does not run", status=403)
        self._finish_part()

    def show(self, number: int) -> AttemptQuestion:
        held = self.answers.get(number)
        if number not in self._shown or self._shown[number][0] is not held:
            body: Any = self.bodies[number]
            given = held or UNANSWERED
            shown = AttemptQuestion.model_construct(
                id=number,
                question=body,
                selected_answers=given.selected_answers,
                review=held.review if held else None,
                short_text=given.short_text,
                essay_text=given.essay_text,
                essay_topic=given.essay_topic,
                gap_fill_responses=given.gap_fill_responses or (),
            )
            self._shown[number] = held, shown
        return self._shown[number][1]

    def moment(self) -> int:
        """The time of its clock, in milliseconds since 1970."""
        return round((EPOCH + timedelta(seconds=self.now)).timestamp() * 1000)

    def save(self, question_id: int, answer: AnswerInput, stamp: str, chosen_at: int | None = None) -> AttemptQuestion:
        self._open()
        if self.parts and self.states[self.part_of(question_id)] != RUNNING:
            raise Forbidden("This section has ended", status=403)
        writer, _, sequence = stamp.partition(":")
        seen = self.stamped.setdefault(question_id, {})
        now = self.moment()
        chosen = now if chosen_at is None else min(chosen_at, now)
        standing = self.standing.get(question_id, (-1, writer))
        older = int(sequence) < seen.get(writer, -1) or (standing[1] != writer and (chosen, writer) < standing)
        if not self.stamps or not older:
            seen[writer] = int(sequence)
            self.standing[question_id] = chosen, writer
            self.answers[question_id] = answer
            self._record = ""
        return self.show(question_id)
