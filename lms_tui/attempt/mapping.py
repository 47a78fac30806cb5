"""Convert between the models of the API and the values of a session (pure)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from lms_tui.attempt.deadline import Deadline, Reading
from lms_tui.attempt.events import TimeTold
from lms_tui.attempt.ports import Kept
from lms_tui.attempt.session import Session
from lms_tui.attempt.values import Answer, Item, Section
from lms_tui.common.frozen import frozen
from lms_tui.wire.attempt_states import AttemptState
from lms_tui.wire.attempts import AnswerInput, Attempt, AttemptQuestion, AttemptSection, GapFill, ToldAttempt
from lms_tui.wire.notices import NoticeMark
from lms_tui.wire.question_types import fields_of_type
from lms_tui.wire.server_memory import ServerMemory


def answer_of(question: AttemptQuestion) -> Answer:
    return Answer(
        selected=tuple(question.selected_answers),
        short_text=question.short_text or None,
        essay_text=question.essay_text or None,
        essay_topic=question.essay_topic or None,
        gaps=tuple((gap.order, gap.answer) for gap in question.gap_fill_responses),
        review=question.review,
    )


def answer_input(kind: str, answer: Answer) -> AnswerInput:
    """Return the body of a save, with the fields of this type of question."""
    fields = fields_of_type(kind)
    return AnswerInput(
        selected_answers=answer.selected,
        review=bool(answer.review),
        short_text=(answer.short_text or "") if "short_text" in fields else None,
        essay_text=(answer.essay_text or "") if "essay_text" in fields else None,
        essay_topic=(answer.essay_topic or "") if "essay_topic" in fields else None,
        gap_fill_responses=tuple(GapFill(order=order, answer=text) for order, text in answer.gaps)
        if "gap_fill_responses" in fields
        else None,
    )


def items_of(questions: Sequence[AttemptQuestion], section: int | None = None) -> tuple[Item, ...]:
    return tuple(
        Item(
            question_id=question.id,
            number=number,
            kind=question.question.type,
            options=tuple(option.id for option in question.question.answers),
            section=section,
            subject=question.question.subject,
            answer=answer_of(question),
        )
        for number, question in enumerate(questions, 1)
    )


def numbered_after(ended: Sequence[Item], items: Sequence[Item], attempt: Attempt) -> tuple[Item, ...]:
    """Number the questions of a locked section after those of the sections that have ended.

    Without those, the numbers of the last section follow from the number of all questions.
    """
    running, sections = running_section(attempt), in_order(attempt)
    if running is None:
        return tuple(items)
    before = max((item.number for item in ended), default=0)
    if not ended and running is sections[-1]:
        before = max(0, attempt.total_questions - len(items))
    return tuple(replace(item, number=before + number) for number, item in enumerate(items, 1))


def section_of(section: AttemptSection) -> Section:
    return Section(
        section_id=section.attempt_section_id or section.id,
        name=section.name,
        state=AttemptState(section.state) if section.state in set(AttemptState) else None,
        timed=bool(section.duration),
    )


def sections_of(attempt: Attempt) -> tuple[Section, ...]:
    return tuple(section_of(section) for section in in_order(attempt))


def in_order(attempt: Attempt) -> list[AttemptSection]:
    return sorted(attempt.sections, key=lambda section: section.order)


def running_section(attempt: Attempt) -> AttemptSection | None:
    """Return the running section of an exam with locked sections, or None."""
    sections = in_order(attempt)
    if len(sections) < 2 or not all(section.duration for section in sections):
        return None
    return next((section for section in sections if section.state == AttemptState.RUNNING), None)


def reading_of(attempt: Attempt, asked_at: float, received_at: float, speed: float = 1.0) -> Reading:
    """Return the time left in this reply: of the running section if sections lock, else of the attempt.

    An exam without a duration has no clock, whatever `remaining_time` says (wire notes, Values).
    """
    section = running_section(attempt)
    remaining = attempt.remaining_time if attempt.exam.duration else None
    if section is not None and section.remaining_time is not None:
        remaining = section.remaining_time if remaining is None else min(section.remaining_time, remaining)
    seconds = None if remaining is None else remaining.total_seconds()
    paused, allowed = notices_of(attempt).paused, _allowed(attempt)
    return Reading(seconds, asked_at, received_at, speed, paused=paused, allowed=allowed)


def _allowed(attempt: Attempt) -> float | None:
    """Return the seconds of the whole attempt, or None.

    Only a server that tells its epoch is known to count `time_taken` by the same clock as `remaining_time`.
    """
    left, taken = attempt.remaining_time, attempt.time_taken
    if left is None or taken is None or not attempt.exam.duration or not memory_of(attempt).epoch:
        return None
    return (left + taken).total_seconds()


def time_told(attempt: Attempt, asked_at: float, received_at: float, speed: float) -> TimeTold:
    return TimeTold(reading_of(attempt, asked_at, received_at, speed), sections_of(attempt))


def told_by(attempt: Attempt) -> dict[str, str]:
    """Return the time fields of a reply, as text for the receipt."""
    told = {
        "state": attempt.state,
        "last_started_time": attempt.last_started_time,
        "remaining_time": attempt.remaining_time,
        "time_taken": attempt.time_taken,
    }
    return {name: str(value) for name, value in told.items() if value is not None and value != ""}


def memory_of(attempt: Attempt) -> ServerMemory:
    """Return what the server told of its memory in this reply."""
    return attempt.memory if isinstance(attempt, ToldAttempt) else ServerMemory()


def server_time_of(attempt: Attempt, *, starts: bool) -> datetime | None:
    """Return the time of the server's clock in this reply, or None. `starts`: it is the reply to start."""
    told = attempt.server_time if isinstance(attempt, ToldAttempt) else None
    return attempt.last_started_time if told is None and starts else told


def notices_of(attempt: Attempt) -> NoticeMark:
    """Return what the server told of its notices in this reply."""
    return attempt.notices if isinstance(attempt, ToldAttempt) else NoticeMark()


def acknowledgement_of(attempt: Attempt) -> str:
    """Return the signed acknowledgement of the answers in this reply, or ""."""
    return attempt.acknowledgement if isinstance(attempt, ToldAttempt) else ""


def login_of(attempt: Attempt) -> str:
    return attempt.user if isinstance(attempt.user, str) else attempt.user.username


def still_running(attempt: Attempt) -> bool:
    return attempt.state == AttemptState.RUNNING


def merged(
    items: Sequence[Item],
    kept: Mapping[int, Kept],
    known: Mapping[int, Sequence[Answer]],
    taken: Mapping[int, Answer],
    answered: Collection[int],
    *,
    restored: bool = False,
    other_device: bool = False,
) -> tuple[Item, ...]:
    """Merge the answers of the server with the newest changes of the journal (`kept`).

    `known` holds all answers of the journal, by question, and `taken` the answers of the server that stood in place
    of ours, and still do if the server has them. `answered`: the questions that were answered here. A change that the
    server has not acknowledged wins, and stays unsent until the server echoes it. A refused change is sent once more.
    An acknowledged change gives way to an answer that is not in the journal, because that one came from another
    device. An earlier answer of ours on the server was brought by a delayed request, so the newest one is sent again.
    An opened question wins over nothing. A server that was `restored` holds older answers, and none of them came from
    another device. An answer that stood in place of ours is sent again where the server has gone back to an earlier
    one. With another device, only a restore or a question that was never opened there shows that.
    """
    return tuple(
        _merged(
            _Difference(
                item,
                kept[item.question_id],
                known.get(item.question_id, ()),
                taken.get(item.question_id),
                restored=restored,
                other_device=other_device,
            ),
            answered=item.question_id in answered,
        )
        if item.question_id in kept
        else item
        for item in items
    )


def among(answer: Answer, answers: Sequence[Answer]) -> bool:
    return any(answer.same_as(other) for other in answers)


def is_unseen_there(ours: Answer, theirs: Answer) -> bool:
    """Return whether the server has never seen the question. An answer that was cleared here looks like that too."""
    return theirs.never_opened and not ours.never_opened


def may_be_older(ours: Answer, theirs: Answer, known: Sequence[Answer]) -> bool:
    """Return whether the server may hold an older change than ours, although both answers are the same.

    The answer was given here twice, or cleared after a visit. A restored server takes the time of the older change for
    its.
    """
    return is_unseen_there(ours, theirs) or sum(ours.same_as(other) for other in known) > 1


@frozen
class _Difference:
    """A question with the answer of the server (`item`), and its newest change in the journal (`kept`).

    `known` and `taken` are those of this question in `merged`.
    """

    item: Item
    kept: Kept
    known: Sequence[Answer]
    taken: Answer | None
    restored: bool
    other_device: bool

    @property
    def stood(self) -> bool:
        """Whether the server still holds the answer that stood in place of ours."""
        return self.taken is not None and self.item.answer.same_as(self.taken)

    @property
    def earlier(self) -> bool:
        """Whether the server holds nothing, or an answer that was given here."""
        return self.item.answer.never_opened or among(self.item.answer, self.known)

    @property
    def lost(self) -> Answer | None:
        """The answer that stood in place of ours, if the server has lost it and holds an older one."""
        seen = self.item.answer.never_opened or not self.other_device
        return self.taken if not self.stood and (self.restored or (self.earlier and seen)) else None

    @property
    def emptied(self) -> bool:
        """Whether the server holds no answer, and no other device is known that may have cleared it."""
        return not self.item.counted and (self.item.answer.never_opened or not self.other_device)

    @property
    def foreign(self) -> bool:
        """Whether another device gave the answer of the server."""
        return self.stood or not (self.restored or self.earlier or self.emptied)

    @property
    def in_step(self) -> bool:
        """Whether both are the same, and the server has seen that ours was cleared or given once more.

        If it has not, a request between the two may still be on its way to it.
        """
        ours, theirs = self.kept.entry.answer, self.item.answer
        unseen = self.restored or not (self.kept.acknowledged or self.taken)
        return ours.same_as(theirs) and not (unseen and may_be_older(ours, theirs, self.known))

    @property
    def settled(self) -> bool:
        """Whether the newest answer on the server may be newer than ours."""
        # Where a later row of the journal was lost, the journal may lack our newest change.
        return self.kept.acknowledged or self.stood or (self.kept.doubtful and self.item.counted)


def _merged(difference: _Difference, *, answered: bool) -> Item:
    item, sequence, ours = difference.item, difference.kept.entry.sequence, difference.kept.entry.answer
    sent = replace(item, latest=sequence, here=sequence, there=sequence)
    if (lost := difference.lost) is not None:
        return replace(sent, answer=lost, there=-1)
    if not answered or difference.in_step:
        seen = ours if item.answer.never_opened else item.answer
        visit_only = bool(sequence) and not answered and ours.same_as(seen)
        return replace(sent, answer=seen, visit_only=visit_only)
    if not sequence and difference.emptied:  # it held this answer once
        return replace(item, answer=ours, there=-1)
    if difference.settled and not sequence:
        return replace(sent, other_answer=None, theirs=False)
    if difference.settled and difference.foreign:
        return replace(sent, other_answer=ours, theirs=True)
    return _unsent(difference)


def _unsent(difference: _Difference) -> Item:
    """Return the question with our answer, which is sent again."""
    item, sequence, ours = difference.item, difference.kept.entry.sequence, difference.kept.entry.answer
    other = item.answer if difference.foreign and item.counted else None
    if difference.taken is not None and not difference.kept.acknowledged:
        ours = difference.taken  # it stood in place of ours, was lost there, and was sent again before
    return replace(item, answer=ours, other_answer=other, latest=sequence, here=sequence)


def from_journal(items: Sequence[Item], kept: Mapping[int, Kept]) -> tuple[Item, ...]:
    """Return the items with the answers of the journal, for a resume without the server."""
    return tuple(_from_journal(item, kept.get(item.question_id)) for item in items)


def _from_journal(item: Item, kept: Kept | None) -> Item:
    if kept is None:
        return item
    sequence = kept.entry.sequence
    return replace(
        item, answer=kept.entry.answer, latest=sequence, here=sequence, there=sequence if kept.acknowledged else 0
    )


def opened(attempt: Attempt, items: tuple[Item, ...], reading: Reading, *, sequence: int) -> Session:
    return Session(
        attempt_id=attempt.id,
        title=attempt.exam.title,
        items=items,
        sections=sections_of(attempt),
        deadline=Deadline().adopt(reading),
        sequence=sequence,
        preemptive=attempt.exam.allow_preemptive_section_ending,
        total=attempt.total_questions,
    )
