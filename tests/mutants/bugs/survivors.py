"""Bugs that the checks once did not see: planted by others, or drawn by mutation."""

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any

from lms_tui.attempt import answering
from lms_tui.attempt.events import Wrote
from lms_tui.attempt.journal.contents import JournalContents
from lms_tui.attempt.ports import AttemptKey, Kept
from lms_tui.attempt.sender import Sender
from lms_tui.attempt.values import Answer
from lms_tui.client import pages
from lms_tui.tui import attempt_controller
from lms_tui.tui.screens.runner import autosave
from lms_tui.wire.errors import ApiError
from tests.mutants import rules
from tests.mutants.checks import passes, simulation, with_client, with_journals
from tests.mutants.planting import Bug, around, swap


def _by_the_wall(_: object) -> Callable[[JournalContents], Mapping[int, Kept]]:
    def newest(contents: JournalContents) -> Mapping[int, Kept]:
        ordered = sorted(contents.history(), key=lambda kept: kept.entry.wall)
        return {kept.entry.question_id: kept for kept in ordered}

    return newest


def _finished_all_the_same(sound: Callable[[Sender], Awaitable[None]]) -> Callable[[Sender], Awaitable[None]]:
    async def end(sender: Sender) -> None:
        try:
            await sound(sender)
        except ApiError:
            sender._journal.finish(sender._session)
            raise

    return end


def _of_nobody(origin: str, _user_id: int, attempt_id: int) -> AttemptKey:
    return AttemptKey(origin, 0, attempt_id)


def _without_marks(sound: Callable[[Answer, Answer], bool]) -> Callable[[Answer, Answer], bool]:
    return lambda ours, theirs: sound(replace(ours, review=False), replace(theirs, review=False))


def _cut(sound: Callable[[Answer, Wrote], Answer]) -> Callable[[Answer, Wrote], Answer]:
    return lambda answer, event: sound(answer, replace(event, text=event.text[:4_000]))


def _empty_is_enough(sound: Callable[..., Any]) -> Callable[..., Any]:
    def identified(tree: object, item: Any, identity: int | None = None) -> Any:
        return item.model_construct(id=identity or 1) if tree is None else sound(tree, item, identity)

    return identified


SURVIVED = (
    Bug(
        "a restart takes the newest row by the wall clock",
        around(JournalContents.newest, _by_the_wall),
        with_journals(rules.a_restart_takes_the_newest_change_whatever_the_wall_clock_said),
        "selected == (12,)",
    ),
    Bug(
        "an end that failed marks the journal as finished",
        around(Sender._end, _finished_all_the_same),
        passes(rules.an_end_that_failed_leaves_the_journal_unfinished),
        "assert not desk.journal.recall('finished')",
    ),
    Bug(
        "the journal is kept under user 0",
        swap(attempt_controller, "AttemptKey", _of_nobody),
        passes(rules.the_journal_is_opened_under_the_number_of_its_user),
        "assert [key.user_id for key in opened] == [4]",
    ),
    Bug(
        "the clock stands still while the computer sleeps",
        swap(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC),
        passes(rules.the_clock_of_linux_runs_on_in_sleep),
        "assert asked == [LINUX_BOOTTIME]",
    ),
    Bug(
        "marks for review are not compared",
        around(Answer.same_as, _without_marks),
        simulation(),
        "marked",
    ),
    Bug(
        "essays are cut at 4,000 characters",
        around(answering._written, _cut),
        simulation(),
        "(4000)",
    ),
    Bug(
        "a pause of the writer keeps nothing",
        swap(autosave, "PAUSE", 1e9),
        simulation(),
        "text was not kept",
    ),
    Bug(
        "an empty reply counts as an echo",
        around(pages.identified, _empty_is_enough),
        with_client(rules.an_empty_reply_is_no_echo),
        "with pytest.raises(NotTheService)",
    ),
)
