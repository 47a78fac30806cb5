"""Bugs drawn by mutation of the engine and the autosave: what single changes of the code would do."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from lms_tui.attempt import answering, deadline, live_session, mapping, outbox, session
from lms_tui.attempt.events import Event, NotHeard, Wrote
from lms_tui.attempt.journal.memory import MemoryJournal, MemoryJournals
from lms_tui.attempt.ports import Kept, Outstanding
from lms_tui.attempt.session import Session
from lms_tui.attempt.values import Answer, Item
from lms_tui.tui.screens.runner.autosave import Autosave
from lms_tui.wire.attempts import AnswerInput
from tests.mutants import rules
from tests.mutants.checks import passes, simulation
from tests.mutants.planting import Bug, around, swap


def _without_topic(sound: Callable[..., AnswerInput]) -> Callable[..., AnswerInput]:
    def answer_input(*given: Any) -> AnswerInput:
        return sound(*given).model_copy(update={"essay_topic": None})

    return answer_input


def _refused_once(sound: Callable[..., outbox.SyncState]) -> Callable[..., outbox.SyncState]:
    return lambda sync, now, **more: replace(sound(sync, now, **more), refusals=outbox.DENIALS)


def _one_gap(sound: Callable[[Answer, Wrote], Answer]) -> Callable[[Answer, Wrote], Answer]:
    def written(answer: Answer, event: Wrote) -> Answer:
        made = sound(answer, event)
        return replace(made, gaps=made.gaps[-1:])

    return written


def _third_undo_lost(sound: Callable[[Session], Session]) -> Callable[[Session], Session]:
    return lambda current: current if len(current.undo) % 3 == 0 else sound(current)


def _struck_stays(sound: Callable[..., Session]) -> Callable[..., Session]:
    def edited(current: Session, item: Item, event: Any) -> Session:
        done = sound(current, item, event)
        kept = replace(done.items[done.places[item.question_id]], struck=item.struck)
        return done if item.struck == frozenset() else answering.with_item(done, kept)

    return edited


def _silent_when_lost(sound: Callable[..., None]) -> Callable[..., None]:
    def applied(live: live_session.LiveSession, event: Event) -> None:
        if isinstance(event, NotHeard):
            live.now = session.apply(live.now, event)
        else:
            sound(live, event)

    return applied


def _asleep_with_work(sound: Callable[..., outbox.Step]) -> Callable[..., outbox.Step]:
    def plan(current: Session, sync: outbox.SyncState, now: float) -> outbox.Step:
        return outbox.Wait(None) if sync.failures > 2 and current.unsent else sound(current, sync, now)

    return plan


def _resumed_as_sent(sound: Callable[..., Item]) -> Callable[..., Item]:
    def from_journal(item: Item, kept: Kept | None) -> Item:
        made = sound(item, kept)
        return replace(made, there=made.latest)

    return from_journal


def _oldest(_: object) -> Callable[[MemoryJournal], Mapping[int, Kept]]:
    def newest(journal: MemoryJournal) -> Mapping[int, Kept]:
        return {kept.entry.question_id: kept for kept in reversed(journal.history())}

    return newest


def _unreadable(_: object) -> Callable[..., object]:
    def outstanding(*_: object) -> object:
        raise ValueError("A journal is damaged.")

    return outstanding


DRAWN = (
    Bug(
        "the topic of an essay is not sent",
        around(mapping.answer_input, _without_topic),
        simulation(),
        "listed as refused and never were",
    ),
    Bug(
        "the jitter of a network moves the end back",
        swap(deadline, "TOLERANCE", 0.0),
        passes(rules.a_reply_that_moves_the_end_by_less_than_a_second_moves_nothing),
        "assert known.adopt(",
    ),
    Bug(
        "one refusal closes the exam",
        around(outbox.refused, _refused_once),
        simulation(),
        "was closed here, and the server has it running",
    ),
    Bug(
        "the receipt does not say what the server said",
        around(mapping.told_by, lambda _: lambda _attempt: {}),
        passes(rules.what_a_server_says_about_time_is_text_for_the_receipt),
        "assert told_by(",
    ),
    Bug(
        "of several gaps the last alone is kept",
        around(answering._written, _one_gap),
        simulation(),
        "was put down",
    ),
    Bug(
        "some changes are not taken back",
        around(answering.undone, _third_undo_lost),
        simulation(),
        "was put down",
    ),
    Bug(
        "an option that is chosen stays struck out",
        around(answering.edited, _struck_stays),
        simulation(),
        "struck out",
    ),
    Bug(
        "questions that were only seen are counted as saved",
        around(Item.counted, lambda _: lambda item: item.answer.visited),
        simulation(),
        "the light counts",
    ),
    Bug(
        "texts are not counted as answers",
        around(Answer.given, lambda _: lambda answer: bool(answer.selected)),
        simulation(),
        "the light counts",
    ),
    Bug(
        "the screen is not told of a lost connection",
        around(live_session.LiveSession.apply, _silent_when_lost),
        simulation(),
        "the screen was not told of the newest state",
    ),
    Bug(
        "after some failures the sender waits for nothing",
        around(outbox.plan, _asleep_with_work),
        simulation(),
        "has asked nothing",
    ),
    Bug(
        "a server may silence the sender for an hour",
        swap(outbox, "LONGEST_ASKED_WAIT", 3_600.0),
        simulation(),
        "has asked nothing",
    ),
    Bug(
        "tries in the grace are as far apart as ever",
        swap(outbox, "GRACE_WAIT", 10.0),
        simulation(exams=400),
        "has asked nothing",
    ),
    Bug(
        "what is resumed without a server counts as sent",
        around(mapping._from_journal, _resumed_as_sent),
        simulation(),
        "counts as sent",
    ),
    Bug(
        "what a server forgets is not looked for before the end",
        swap(outbox, "COMPARE_EVERY", 1e9),
        passes(rules.what_a_server_forgets_is_sent_again_within_half_an_hour),
        "assert desk.held(1) == (12,)",
    ),
    Bug(
        "leaving a field in mid-word drops what was typed",
        around(Autosave.flush, lambda _: lambda autosave: setattr(autosave, "_waiting", None)),
        simulation(),
        "text was not kept",
    ),
    Bug(
        "the last letter of a text is not kept",
        around(Autosave.write, lambda sound: lambda pen, event: sound(pen, replace(event, text=event.text[:-1]))),
        simulation(),
        "was typed",
    ),
    Bug(
        "a restart takes the oldest change",
        around(MemoryJournal.newest, _oldest),
        simulation(),
        "counts as saved, the journal holds",
    ),
    Bug(
        "the list of unfinished attempts leaves this one out",
        around(MemoryJournals.outstanding, lambda _: lambda _shelf, _origin, _user: Outstanding()),
        simulation(),
        "the list of unfinished attempts is empty",
    ),
    Bug(
        "the list of unfinished attempts does not open",
        around(MemoryJournals.outstanding, _unreadable),
        simulation(),
        "the list of unfinished attempts does not open",
    ),
)
