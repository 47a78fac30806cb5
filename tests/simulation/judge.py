"""The oracle: what must be true of an exam when everything has come to rest."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from lms_tui.attempt.mapping import answer_of
from lms_tui.attempt.session import Session
from lms_tui.attempt.values import Answer, Phase
from tests.simulation.disk import DyingJournal
from tests.simulation.network import Line
from tests.simulation.server import SimulatedServer


@dataclass(frozen=True)
class Written:
    """An answer that the other device gave.

    `clear`: ours had all arrived by then, so this one is surely newer, and the other device had been noticed.
    """

    moment: float
    answer: Answer
    clear: bool


@dataclass
class Verdict:
    """What came of one exam. `lost`: one line for each answer that showed as saved and is nowhere now.

    `overtaken`: answers on a server without stamps that an older request of ours overwrote after the last look; no
    client can prevent it there. `foreign`: answers of another device that won.
    """

    seed: int
    answers: int
    faults: Counter[str]
    refused: int = 0
    overtaken: int = 0
    foreign: int = 0
    lost: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    events: Mapping[str, str] = field(default_factory=dict, compare=False)

    @property
    def good(self) -> bool:
        return not self.lost and not self.broken


@dataclass(frozen=True)
class Evidence:
    """What is known of an exam.

    `shown`: question to what was last shown as saved on this computer, and when it was chosen; `touched`: question to
    when it was last answered here, saved or not.
    """

    server: SimulatedServer
    line: Line
    journal: DyingJournal
    session: Session | None
    shown: Mapping[int, tuple[float, Answer]]
    written: Mapping[int, Sequence[Written]]
    touched: Mapping[int, float]

    def overtaken(self, question: int) -> bool:
        """Whether a request of ours arrived late, after the answers were read back for the last time before an end."""
        return self.line.wandered.get(question, float("-inf")) >= self.audited(question)

    def audited(self, question: int) -> float:
        """When the question was read back for the last time before an end; minus infinity where there was none."""
        over = self.session is not None and self.session.phase is Phase.ENDED
        return self.line.listed.get(self.server.part_of(question), float("-inf")) if over else float("-inf")

    def beside(self, question: int, answer: Answer) -> bool:
        """Whether both answers are shown, because nothing tells whose the one on the server is."""
        item = self.session.find(question) if self.session else None
        return item is not None and item.rival is not None and item.rival.same_as(answer)

    def displaced(self, question: int, since: float) -> bool:
        """Whether a late request of ours went over the other device's newest choice, which had won over ours.

        What it brought was given here once, so that it may as well be the other device's next choice: both are shown.
        """
        others = self.written.get(question, ())
        if not others or others[-1].moment < since:
            return False
        late = self.line.wandered.get(question, float("-inf")) >= others[-1].moment
        return late and self.beside(question, others[-1].answer)

    def held(self, question: int) -> Answer:
        return answer_of(self.server.show(question))

    def refused(self) -> set[int]:
        listed = {item.question_id for item in self.session.refused} if self.session else set()
        if not self.server.running:
            # What the journal still owes to an attempt that has ended is listed and exported, never dropped.
            listed |= {question for question, kept in self.journal.newest().items() if not kept.acknowledged}
        return listed


def judge(evidence: Evidence, verdict: Verdict) -> Verdict:
    refused = evidence.refused()
    verdict.refused = len(refused & set(evidence.shown))
    for question, (moment, answer) in evidence.shown.items():
        if question in refused or any(map(evidence.held(question).same_as, evidence.journal.possible[question])):
            continue
        others = evidence.written.get(question, ())
        if others and others[-1].moment >= moment and evidence.held(question).same_as(others[-1].answer):
            verdict.foreign += 1
        elif not evidence.server.stamps and (
            evidence.overtaken(question)
            or evidence.beside(question, answer)
            or evidence.displaced(question, since=moment)
        ):
            verdict.overtaken += 1
        else:
            verdict.lost.append(
                f"question {question}: {answer} was saved here, the server has {evidence.held(question)}"
            )
    verdict.broken += _silently_overwritten(evidence, refused)
    verdict.broken += _promises(evidence)
    return verdict


def _silently_overwritten(evidence: Evidence, refused: set[int]) -> list[str]:
    """The other device's choice was surely the newest, and it is neither on the server nor shown."""
    found = []
    for question, others in evidence.written.items():
        newest = others[-1]
        ours = [kept.entry for kept in evidence.journal.history() if kept.entry.question_id == question]
        known_here = any(newest.answer.same_as(entry.answer) for entry in ours)
        later = evidence.touched.get(question, float("-inf")) >= newest.moment
        wandered = evidence.line.wandered.get(question, float("-inf")) >= newest.moment
        if not newest.clear or known_here or later or wandered or question in refused:
            continue
        if not evidence.held(question).same_as(newest.answer):
            found.append(f"question {question}: {newest.answer} of the other device was overwritten")
    return found


def _promises(evidence: Evidence) -> list[str]:
    found = []
    session, server = evidence.session, evidence.server
    if session and session.phase is Phase.ENDED:
        claimed = {item.question_id for item in session.refused} - evidence.line.denied
        if claimed and not server.parts and server.stamps and not evidence.written:
            found.append(f"questions {claimed} are listed as refused and never were")
        for item in session.items:
            late = [
                w for w in evidence.written.get(item.question_id, ()) if w.moment >= evidence.audited(item.question_id)
            ]
            excused = item.refused or item.section != (server.parts - 1 if server.parts else None) or late
            if not excused and not evidence.overtaken(item.question_id):
                held = evidence.held(item.question_id)
                if not held.same_as(item.answer):
                    found.append(f"question {item.question_id} shows {item.answer}, the server has {held}")
    if server.ends > 1:
        found.append(f"{server.ends} ends")
    return found
