"""Bugs of what a restored server has forgotten: not noticed, not sent again, or compared too often."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from lms_tui.attempt import comparison, journal_session, mapping, outbox
from lms_tui.attempt.forgetting import Remembered
from lms_tui.attempt.journal_session import JournalSession
from lms_tui.attempt.sender import Sender
from lms_tui.service.attempts import seen
from lms_tui.service.attempts.stamps import Stamp
from lms_tui.service.core.database.epoch import Epoch
from lms_tui.wire.server_memory import ServerMemory
from tests.attempt import test_forgetting, test_forgotten_sections
from tests.mutants import rules
from tests.mutants.checks import passes, with_folder
from tests.mutants.planting import Bug, altered, around, condition, swap
from tests.service import test_service_epoch

Told = Callable[..., tuple[Remembered, bool]]


def _one_epoch(sound: Told) -> Told:
    def told(self: Remembered, memory: ServerMemory, *others: Any) -> tuple[Remembered, bool]:
        return sound(self, replace(memory, epoch=self.epoch or memory.epoch), *others)

    return told


def _no_numbers(sound: Told) -> Told:
    return lambda self, memory, *others: sound(self, replace(memory, seen=None), *others)


def _highest_alone(_: object) -> Callable[..., str]:
    def seen_with(told: str, stamp: Stamp, applied: Mapping[str, int]) -> str:
        del applied
        return f"{stamp.writer}:{max(stamp.sequence, int(told.rpartition(':')[2] or 0))}"

    return seen_with


def _as_ever(sound: Callable[..., object]) -> Callable[..., object]:
    def judged(*given: Any, restored: bool = False, **more: Any) -> object:
        del restored
        return sound(*given, **more)

    return judged


FORGETTING = (
    Bug(
        "a new epoch of the server is not noticed",
        around(Remembered.told, _one_epoch),
        passes(test_forgetting.test_a_restore_is_known_by_a_new_epoch_or_a_number_below_ours),
        "assert known.told(ServerMemory('b', {'desk': 9}), 'desk', 7)[1]",
    ),
    Bug(
        "a number below what was acknowledged is not noticed",
        around(Remembered.told, _no_numbers),
        passes(
            test_forgetting.test_answers_that_a_restored_server_has_lost_are_there_again_after_the_next_heartbeat,
            "numbers",
        ),
        "assert [desk.held(question) for question in (1, 2, 3, 4)] ==",
    ),
    Bug(
        "the service tells the highest number alone, which the next answer hides",
        around(seen.seen_with, _highest_alone),
        passes(test_service_epoch.test_the_total_of_a_writer_rises_with_each_change_and_a_repeated_one_adds_nothing),
        "assert seen == 'phone:1, desk:8'",
    ),
    Bug(
        "a heartbeat drops the comparison that it has asked for",
        around(outbox.beaten, lambda sound: lambda sync, begun: sound(replace(sync, look=False), begun)),
        passes(
            test_forgetting.test_answers_that_a_restored_server_has_lost_are_there_again_after_the_next_heartbeat,
            "epoch",
        ),
        "assert [desk.held(question) for question in (1, 2, 3, 4)] ==",
    ),
    Bug(
        "older answers of a restored server stand as another device's",
        around(comparison.events_of, _as_ever),
        passes(test_forgetting.test_older_answers_of_a_restored_server_are_not_another_devices_choice, "epoch"),
        "assert desk.session.conflicts == ()",
    ),
    Bug(
        "older answers of a restored server stand after a restart",
        around(journal_session.laid_over, _as_ever),
        passes(test_forgetting.test_a_restore_is_noticed_by_a_program_that_starts_again),
        "desk.session.lost_there == 1",
    ),
    Bug(
        "a new epoch is noted before the answers are compared",
        altered(Sender._time, condition("sync", "restored", becomes=True)),
        passes(test_forgetting.test_a_crash_between_notice_and_comparison_is_made_good_by_the_next_start),
        "assert desk.held(1) == (13,)",
    ),
    Bug(
        "a server that changes its epoch is compared with every heartbeat",
        swap(outbox, "COMPARE_AT_ONCE", 10**9),
        passes(test_forgetting.test_a_server_with_another_epoch_in_each_reply_is_not_compared_with_each_heartbeat),
        "desk.line.log.count('questions') <= 3 + 12",
    ),
    Bug(
        "a number that is missing for good is compared for ever",
        around(Remembered.told, lambda sound: lambda self, *given: sound(replace(self, missing=0), *given)),
        passes(test_forgetting.test_a_number_that_stays_too_low_costs_one_comparison),
        "assert desk.line.log.count('questions') == 1",
    ),
    Bug(
        "an answer that was cleared here is not sent again to a restored server",
        around(mapping.may_be_older, lambda _sound: lambda *_given: False),
        passes(
            test_forgetting.test_an_answer_that_was_cleared_here_stays_cleared_on_a_restored_server, restarted=False
        ),
        "assert desk.held(2) == ()",
    ),
    Bug(
        "what a start finds lost is not noted",
        around(JournalSession.unsettle, lambda _sound: lambda *_given: None),
        passes(test_forgetting.test_what_a_start_finds_lost_is_noted_before_it_is_sent),
        "assert not desk.journal.newest()[1].acknowledged",
    ),
    Bug(
        "answers that are lost with their section are not listed",
        around(JournalSession.lost_elsewhere, lambda _sound: lambda *_given: set[int]()),
        passes(
            test_forgotten_sections.test_an_answer_that_is_lost_with_its_section_is_listed, "epoch", restarted=False
        ),
        "assert desk.session.missing_in_ended == 1",
    ),
    Bug(
        "a start of ours that a restored server remembers counts as another device's",
        around(outbox.beaten, lambda sound: lambda sync, begun: sound(replace(sync, our_start=sync.begun), begun)),
        passes(test_forgetting.test_a_server_that_goes_back_and_then_half_the_way_forward_is_not_another_device),
        "assert not desk.keeper._sender.sync.other_device",
    ),
    Bug(
        "a database that was put back keeps its epoch",
        around(Epoch._was_put_back, lambda _sound: lambda _self, _row: False),
        with_folder(rules.a_database_that_was_put_back_has_a_new_epoch),
        "assert again.value != first.value",
    ),
)
