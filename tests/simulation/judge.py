"""What must be true of an exam when everything has come to rest: by the notes and the server's record alone."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from lms_tui.attempt.session import Session
from lms_tui.attempt.values import Phase
from tests.simulation.content import NOTHING, Content, as_shown, as_stored
from tests.simulation.network import Line
from tests.simulation.oracle import Notes
from tests.simulation.server import COMPLETED, SimulatedServer

NEVER = float("-inf")
REFUSALS = 3
"""So many refusals of requests about the attempt may be believed."""
SKEW = 20.0
"""Seconds within which two devices may not agree which choice was the later one."""


@dataclass(frozen=True)
class Written:
    """An answer that the other device gave.

    `clear`: ours had all arrived by then, as the journal noted, so this one is surely newer, and the other device had
    been noticed.
    """

    moment: float
    content: Content
    clear: bool


@dataclass
class Verdict:
    """What came of one exam. `lost`: one line for each answer that showed as saved and is nowhere now.

    `overtaken`: answers on a server without stamps that an older request of ours overwrote after the last look. No
    client can prevent it there. `forgotten`: answers that the server had confirmed, and forgot when nobody could look
    any more, or where an earlier one of ours was left for the end. `foreign`: answers of another device that won.
    """

    seed: int
    answers: int
    faults: Counter[str]
    refused: int = 0
    overtaken: int = 0
    forgotten: int = 0
    foreign: int = 0
    lost: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    events: Mapping[str, str] = field(default_factory=dict, compare=False)

    @property
    def good(self) -> bool:
        return not self.lost and not self.broken


@dataclass(frozen=True)
class Evidence:
    """What is known of an exam. `owed`: questions whose newest answer the journal says was not delivered."""

    server: SimulatedServer
    line: Line
    notes: Notes
    session: Session | None
    owed: frozenset[int]
    written: Mapping[int, Sequence[Written]]
    forgot_at: float = NEVER
    sent_again_at: float = NEVER
    """When the other device sent its answers again, which the server had forgotten."""
    noticed: bool = False
    """Whether the program ever knew of another device."""
    restores: int = 0
    """How often the server forgot."""

    def overtaken(self, question: int) -> bool:
        """Whether a request of ours arrived late, after the answers were read back for the last time before an end."""
        return self.line.wandered.get(question, NEVER) >= self.audited(question)

    def audited(self, question: int) -> float:
        """When the question was read back for the last time before an end; minus infinity where there was none."""
        over = self.session is not None and self.session.phase is Phase.ENDED
        return self.line.listed.get(self.server.part_of(question), NEVER) if over else NEVER

    def late_elsewhere(self, question: int) -> bool:
        """Whether an answer of the other device arrived after the question was read back for the last time."""
        moments = [written.moment for written in self.written.get(question, ())]
        return bool(moments) and max(*moments, self.sent_again_at) >= self.audited(question)

    def forgotten(self, question: int) -> bool:
        """Whether the server forgot what it had confirmed, and no list of the answers came after that."""
        return self.forgot_at > self.line.read_back.get(self.server.part_of(question), NEVER)

    def brought_late(self, question: int) -> bool:
        """Whether a late request of ours came to a server that had forgotten the newer one, and no list came after."""
        late = self.line.wandered.get(question, NEVER)
        return late >= self.forgot_at > NEVER and late > self.line.read_back.get(self.server.part_of(question), NEVER)

    def left_for_the_end(self, question: int, held: Content) -> bool:
        """Whether a restored server holds an earlier answer of ours that may be the choice of another device.

        On a server that tells nothing, such an answer waits for the end, and somebody else may end the exam.
        """
        ours = held in self.notes.ever.get(question, ())
        return self.noticed and ours and not self.server.tells and self.forgot_at > NEVER

    def missing_elsewhere(self, written: Written) -> bool:
        """Whether the server forgot this answer of the other device, which did not come to send it again."""
        return written.moment <= self.forgot_at and self.sent_again_at < self.forgot_at

    def chosen_elsewhere(self, question: int, held: Content, since: float) -> bool:
        """Whether the server holds the newest choice of the other device that it did not forget, made after `since`."""
        others = self.written.get(question, ())
        return any(
            each.content == held and each.moment >= since and all(map(self.missing_elsewhere, others[place:]))
            for place, each in enumerate(others, 1)
        )

    def older_elsewhere(self, question: int, held: Content, since: float) -> bool:
        """Whether an older choice of the other device stands over its newest one, which was given here earlier too.

        On a server without times, nothing tells that the newest one is not a late request of ours.
        """
        others = self.written.get(question, ())
        unclear = bool(others) and others[-1].content in self.notes.ever.get(question, ()) and not self.server.stamps
        return unclear and any(each.content == held and each.moment >= since for each in others)

    def cleared_in_ended_section(self, question: int, content: Content, held: Content) -> bool:
        """Whether the server forgot that an answer was cleared, in a section that is not open here any more.

        The other device sent its older answer again. Nothing shows that it is older: docs/reliability.md names this
        limit.
        """
        others = self.written.get(question, ())
        older = bool(others) and others[-1].content == held and self.sent_again_at >= self.forgot_at > NEVER
        not_open = self.session is not None and self.session.find(question) is None
        return content.empty and older and not_open

    def older_again(self, question: int, held: Content) -> bool:
        """Whether the other device sent its older answer again to a restored server, after the last list of answers."""
        others = self.written.get(question, ())
        older = bool(others) and others[-1].content == held and self.sent_again_at >= self.forgot_at > NEVER
        return older and self.sent_again_at > self.line.read_back.get(self.server.part_of(question), NEVER)

    def beside(self, question: int, content: Content) -> bool:
        """Whether both answers are shown, because nothing tells whose the one on the server is."""
        item = self.session.find(question) if self.session else None
        return item is not None and item.other_answer is not None and as_shown(item.other_answer) == content

    def displaced(self, question: int, held: Content, since: float) -> bool:
        """Whether a late request of ours went over the other device's choice, which had won over ours.

        What it brought was given here once, so that it may as well be the other device's next choice: both are shown.
        The choice that it went over is sent again, also over the other device's next one.
        """
        others = self.written.get(question, ())
        if not others or others[-1].moment < since:
            return False
        won = [other.moment for other in others if other.content == held and other.moment >= since]
        late = self.line.wandered.get(question, NEVER) >= min(won, default=others[-1].moment)
        return late and self.beside(question, others[-1].content)

    def refused(self) -> set[int]:
        listed = {item.question_id for item in self.session.refused} if self.session else set()
        # What the journal still owes to an attempt that has ended is listed and exported, never dropped.
        ended = not self.server.running or (self.session is not None and self.session.over)
        return listed | (self.owed if ended else {number for number in self.owed if self._section_ended(number)})

    def _section_ended(self, question: int) -> bool:
        """Whether the section of a question has ended in an exam that still runs. The journal keeps what it owes."""
        return self.server.states.get(self.server.part_of(question)) == COMPLETED


def judge(evidence: Evidence, verdict: Verdict) -> Verdict:
    refused, record = evidence.refused(), as_stored(evidence.server.state())
    verdict.refused = len(refused & set(evidence.notes.shown))
    for question, (moment, content) in evidence.notes.shown.items():
        held = record.get(question, NOTHING)
        if question in refused or held in evidence.notes.possible[question]:
            continue
        if evidence.notes.moments.get((question, held), NEVER) > moment:
            continue  # a later choice, which was sent and which a crash took from here before it was saved
        others = evidence.written.get(question, ())
        # Where the same was put down again and a crash took it, the saved one is older than its moment.
        since = NEVER if content in evidence.notes.unsaved.get(question, ()) else moment
        if evidence.chosen_elsewhere(question, held, since) or evidence.older_elsewhere(question, held, since):
            verdict.foreign += 1
        elif evidence.forgotten(question) and (
            content in evidence.line.confirmed.get(question, ())
            or (others and others[-1].moment >= moment and evidence.missing_elsewhere(others[-1]))
        ):
            verdict.forgotten += 1
        elif not evidence.server.stamps and (
            evidence.overtaken(question)
            or evidence.beside(question, content)
            or evidence.displaced(question, held, since=moment)
        ):
            verdict.overtaken += 1
        elif (
            evidence.left_for_the_end(question, held)
            or evidence.brought_late(question)
            or evidence.cleared_in_ended_section(question, content, held)
            or evidence.older_again(question, held)
        ):
            verdict.forgotten += 1
        else:
            verdict.lost.append(f"question {question}: {content} was saved here, the server has {held}")
    verdict.broken += _silently_overwritten(evidence, refused, record)
    verdict.broken += _newest_stands(evidence, refused, record)
    verdict.broken += _promises(evidence, record)
    return verdict


def _silently_overwritten(evidence: Evidence, refused: set[int], record: Mapping[int, Content]) -> list[str]:
    """The other device's choice was surely the newest, and it is neither on the server nor shown."""
    found = []
    for question, others in evidence.written.items():
        newest = others[-1]
        known_here = newest.content in evidence.notes.ever.get(question, ())
        later = evidence.notes.touched.get(question, NEVER) >= newest.moment
        wandered = evidence.line.wandered.get(question, NEVER) >= newest.moment
        if not newest.clear or known_here or later or wandered or question in refused:
            continue
        if evidence.missing_elsewhere(newest):
            continue
        if record.get(question, NOTHING) != newest.content:
            found.append(f"question {question}: {newest.content} of the other device was overwritten")
    return found


def _newest_stands(evidence: Evidence, refused: set[int], record: Mapping[int, Content]) -> list[str]:
    """Where the server knows when answers were chosen, the other device's stands where it was chosen later."""
    found = []
    for question, others in evidence.written.items():
        newest = others[-1]
        ours = evidence.notes.touched.get(question, NEVER)
        known_here = newest.content in evidence.notes.ever.get(question, ())
        if not evidence.server.stamps or known_here or question in refused or ours + SKEW > newest.moment:
            continue
        if evidence.missing_elsewhere(newest):
            continue
        if (held := record.get(question, NOTHING)) != newest.content:
            found.append(f"question {question} holds {held}, and {newest.content} was chosen later elsewhere")
    return found


def _promises(evidence: Evidence, record: Mapping[int, Content]) -> list[str]:
    found = []
    session, server = evidence.session, evidence.server
    if session and session.phase is Phase.ENDED:
        claimed = {item.question_id for item in session.refused} - evidence.line.denied
        # A server that tells nothing of its restores looks as if it did not keep these answers: docs/reliability.md.
        unlike_refusals = bool(server.tells) or evidence.restores < REFUSALS
        if claimed and unlike_refusals and not server.parts and server.stamps and not evidence.written:
            found.append(f"questions {claimed} are listed as refused and never were")
        for item in session.items:
            number, shown = item.question_id, as_shown(item.answer)
            excused = item.refused or item.section != (server.parts - 1 if server.parts else None)
            late = evidence.late_elsewhere(number) or evidence.overtaken(number) or evidence.forgotten(number)
            if not (excused or late):
                held = record.get(number, NOTHING)
                if held != shown:
                    found.append(f"question {number} shows {shown}, the server has {held}")
    if session and session.phase is Phase.CLOSED and server.running and evidence.line.refusals < REFUSALS:
        found.append("the exam was closed here, and the server has it running")
    if server.ends > 1:
        found.append(f"{server.ends} ends")
    return found
