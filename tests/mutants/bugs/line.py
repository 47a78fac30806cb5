"""Bugs of what is sent, when, and what a reply means; alone and beside another device."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from lms_tui.attempt import answering, comparison, journal_session, mapping, outbox
from lms_tui.attempt.answers import Answers
from lms_tui.attempt.connection import Connection
from lms_tui.attempt.events import Foreign
from lms_tui.attempt.sender import Sender
from lms_tui.attempt.session import Session
from lms_tui.attempt.values import Item
from lms_tui.client import auth
from lms_tui.client.api import OnWait
from lms_tui.wire.errors import ApiError, SignInNeeded
from tests.attempt import test_keeper, test_offline_resume, test_outbox
from tests.client import test_client_sign_in
from tests.mutants import rules
from tests.mutants.checks import passes, simulation
from tests.mutants.planting import Bug, altered, around, both, call, condition, keyword, swap
from tests.simulation import test_second_device


def _every_loss_a_refusal(sound: Callable[[Connection, ApiError], None]) -> Callable[[Connection, ApiError], None]:
    """What an expired sign-in finds unsent is given up."""

    def failed(self: Connection, error: ApiError) -> None:
        sound(self, error)
        if isinstance(error, SignInNeeded):
            for item in self.session.unsent:
                self.refuse(item, "Lost.")

    return failed


def _closing(sound: Callable[[Connection, ApiError], None]) -> Callable[[Connection, ApiError], None]:
    def failed(self: Connection, error: ApiError) -> None:
        if isinstance(error, SignInNeeded):
            self.close(str(error))
        else:
            sound(self, error)

    return failed


def _restored_as_sent(sound: Callable[..., Item]) -> Callable[..., Item]:
    def merged(difference: Any, *, answered: bool) -> Item:
        made = sound(difference, answered=answered)
        return replace(made, there=made.latest)

    return merged


def _nothing_taken(sound: Callable[..., Item]) -> Callable[..., Item]:
    return lambda difference, *, answered: sound(replace(difference, taken=None), answered=answered)


def _the_servers(sound: Callable[..., Item]) -> Callable[..., Item]:
    def merged(difference: Any, *, answered: bool) -> Item:
        return replace(sound(difference, answered=answered), answer=difference.item.answer)

    return merged


def _twice(sound: Callable[..., outbox.Step | None]) -> Callable[..., outbox.Step | None]:
    def request(current: Session, sender: outbox.SyncState, now: float) -> outbox.Step | None:
        step = sound(current, sender, now)
        return outbox.Save((step.items + step.items)[: outbox.IN_FLIGHT]) if isinstance(step, outbox.Save) else step

    return request


def _no_wait(sound: Callable[..., outbox.SyncState]) -> Callable[..., outbox.SyncState]:
    def failed(
        sender: outbox.SyncState, now: float, *, retry_after: float | None, jitter: float, ends_at: float | None
    ) -> outbox.SyncState:
        del retry_after
        return sound(sender, now, retry_after=None, jitter=jitter, ends_at=ends_at)

    return failed


def _no_try_left(sound: Callable[..., outbox.SyncState]) -> Callable[..., outbox.SyncState]:
    def failed(
        sender: outbox.SyncState, now: float, *, retry_after: float | None, jitter: float, ends_at: float | None
    ) -> outbox.SyncState:
        del ends_at
        return sound(sender, now, retry_after=retry_after, jitter=jitter, ends_at=None)

    return failed


def _asked_only_when_over(sound: Callable[..., outbox.Step | None]) -> Callable[..., outbox.Step | None]:
    """The end goes before what is queued."""

    def request(current: Session, sender: outbox.SyncState, now: float) -> outbox.Step | None:
        step = sound(current, sender, now)
        return step if not isinstance(step, outbox.Save) or current.editable else outbox.End()

    return request


def _uncompared(sound: Callable[..., outbox.Step | None]) -> Callable[..., outbox.Step | None]:
    def request(current: Session, sender: outbox.SyncState, now: float) -> outbox.Step | None:
        return sound(current, replace(sender, compared=True), now)

    return request


def _unstamped(_: object) -> Callable[[journal_session.JournalSession, Item], str]:
    return lambda ledger, _item: f"{ledger._journal.writer}:1"


def _before_it_is_known(
    sound: Callable[[auth._Renewal, str, OnWait | None], Awaitable[None]],
) -> Callable[..., Awaitable[None]]:
    """Believe the new token first and ask whose it is afterwards."""

    async def renew(self: auth._Renewal, password: str, on_wait: OnWait | None) -> None:
        grant = await self._door.ask(self._connection, self._user.username, password, on_wait)
        self._connection.auth.replace(grant.token)
        await sound(self, password, on_wait)

    return renew


def _ours_kept(sound: Callable[..., Session]) -> Callable[..., Session]:
    def foreign(current: Session, item: Item, event: Foreign) -> Session:
        done = sound(current, item, event)
        return answering.with_item(done, replace(done.items[done.places[item.question_id]], other_answer=None))

    return foreign


ON_THE_LINE = (
    Bug(
        "an answer is dropped when the server fails with 500",
        altered(Answers.save, call(Connection.failed, "self._connection.refuse(item, str(error))")),
        simulation(),
        "listed as refused",
    ),
    Bug(
        "answers are discarded when the attempt ended elsewhere",
        altered(Connection.close, call(Connection.refuse, "self.journal.settle(item)")),
        passes(test_keeper.test_an_attempt_that_ended_elsewhere_lists_the_answers_not_accepted),
        "refused",
    ),
    Bug(
        "restored answers are taken for sent",
        around(mapping._merged, _restored_as_sent),
        passes(test_keeper.test_a_restart_after_a_kill_has_every_saved_answer_and_sends_the_unacknowledged),
        "assert desk.session.items[2].unsent",
    ),
    Bug(
        "an answer of the server that stood in place of ours gives way after a restart",
        around(mapping._merged, _nothing_taken),
        passes(test_offline_resume.test_an_answer_that_stood_in_place_of_ours_stands_after_a_restart_too),
        "== ((14,), True, False)",
    ),
    Bug(
        "a wait goes on over the end of the time",
        altered(outbox.failed, condition("ends_at", "now", "backoff", becomes=False)),
        passes(test_outbox.test_a_wait_over_the_end_of_the_time_is_followed_by_a_try_soon_after_the_end),
        "sync.not_before == 104.5",
    ),
    Bug(
        "the queue goes on before start after a gap",
        altered(Connection.missed, keyword("started", value=True)),
        passes(test_keeper.test_after_a_gap_start_comes_before_the_queue),
        "log",
    ),
    Bug(
        "the attempt is ended before the queue is sent",
        around(outbox._request, _asked_only_when_over),
        passes(test_keeper.test_the_attempt_is_ended_after_every_answer_was_sent_and_read_back),
        "assert desk.line.log[2:] ==",
    ),
    Bug(
        "the attempt is ended without reading the answers back",
        around(outbox._request, _uncompared),
        passes(test_keeper.test_answers_that_differ_on_the_server_are_sent_again_before_the_end),
        "held",
    ),
    Bug(
        "an end whose reply was lost is sent again blindly",
        both(
            altered(Sender._end, keyword("doubtful", value=False)),
            altered(Connection.missed, keyword("started", value=True), keyword("compared", value=True)),
        ),
        passes(rules.an_end_whose_reply_was_lost_is_not_sent_again),
        "assert desk.line.log.count('end') == 1",
    ),
    Bug(
        "an acknowledgement is believed without looking at the echo",
        altered(Answers.save, condition("same_as", becomes=True)),
        passes(rules.another_answer_in_the_echo_is_no_acknowledgement),
        "assert desk.session.saved_there == 0",
    ),
    Bug(
        "two changes of one question are in flight",
        around(outbox._request, _twice),
        simulation(),
        "in flight",
    ),
    Bug(
        "every change carries the same number to the server",
        around(journal_session.JournalSession.stamp, _unstamped),
        simulation(400),
        "lost",
    ),
    Bug(
        "an expired sign-in drops the queue",
        around(Connection.failed, _every_loss_a_refusal),
        passes(test_keeper.test_an_expired_sign_in_pauses_sending_but_not_answering),
        "assert desk.session.saved_there == 2",
    ),
    Bug(
        "an expired sign-in closes the exam",
        around(Connection.failed, _closing),
        passes(test_keeper.test_an_expired_sign_in_pauses_sending_but_not_answering),
        "assert desk.session.contact.sign_in_needed",
    ),
    Bug(
        "the sender goes on knocking after an expired sign-in",
        altered(outbox.plan, condition("sign_in_needed", becomes=False)),
        passes(rules.after_an_expired_sign_in_nothing_is_asked),
        "assert desk.line.log[2:] == ['save 1']",
    ),
    Bug(
        "another user's sign-in goes on with this user's queue",
        altered(auth._Renewal.__call__, condition("user", "id", becomes=False)),
        passes(test_client_sign_in.test_signing_in_again_as_another_user_changes_nothing),
        "with pytest.raises(Forbidden",
    ),
    Bug(
        "the token of another user is used before it is known whose it is",
        around(auth._Renewal.__call__, _before_it_is_known),
        simulation(),
        "as another user",
    ),
    Bug(
        "a wait that the service asks for is ignored",
        around(outbox.failed, _no_wait),
        passes(rules.a_wait_that_the_service_asks_for_is_kept),
        "assert desk.line.log[2:] == ['save 1']",
    ),
    Bug(
        "a wait that the service asks for has no bound",
        swap(outbox, "LONGEST_ASKED_WAIT", 1e12),
        passes(test_outbox.test_a_wait_that_the_service_asks_for_is_kept_up_to_a_limit, 1e9, 120, 132),
        "not_before",
    ),
    Bug(
        "a long wait leaves no try before the deadline",
        around(outbox.failed, _no_try_left),
        passes(test_outbox.test_a_long_wait_leaves_one_request_before_the_deadline),
        "not_before",
    ),
    Bug(
        "a question that was only seen is never sent",
        around(
            outbox._sendable, lambda sound: lambda s, sync, item, now: not item.visit_only and sound(s, sync, item, now)
        ),
        passes(test_outbox.test_a_visit_is_sent_when_the_question_is_left_or_the_attempt_ends),
        "assert isinstance(step, Save)",
    ),
    Bug(
        "a refusal is tried again for ever",
        swap(outbox, "DENIALS", 10**9),
        passes(test_keeper.test_repeated_refusals_of_a_question_are_listed_and_the_exam_continues),
        "refused",
    ),
    Bug(
        "a heartbeat is sent every five minutes only",
        swap(outbox, "HEARTBEAT", 300.0),
        passes(test_keeper.test_a_heartbeat_is_sent_once_a_minute),
        "heartbeat",
    ),
    Bug(
        "the server wins over an answer that it never got",
        around(mapping._merged, _the_servers),
        simulation(),
        "lost",
    ),
)

WITH_ANOTHER_DEVICE = (
    Bug(
        "the newer choice of another device is overwritten",
        altered(comparison._foreign_events, keyword("taken", value=False)),
        passes(test_second_device.test_case_26_a_newer_choice_of_another_device_counts_and_ours_is_shown),
        "other_answer",
    ),
    Bug(
        "the answer that did not win is not shown",
        around(answering.foreign, _ours_kept),
        passes(test_second_device.test_case_26_a_newer_choice_of_another_device_counts_and_ours_is_shown),
        "other_answer",
    ),
    Bug(
        "a start elsewhere is not noticed",
        around(outbox.beaten, lambda sound: lambda sync, _begun: sound(sync, sync.begun)),
        passes(test_second_device.test_case_26_a_newer_choice_of_another_device_counts_and_ours_is_shown),
        "other_answer",
    ),
    Bug(
        "after a silence the queue is sent without looking",
        altered(Sender._start, keyword("look", value=False)),
        passes(test_second_device.test_case_26_an_unsent_choice_is_sent_and_the_other_one_is_shown),
        "other_answer",
    ),
    Bug(
        "having seen a question overwrites another device's choice",
        around(
            outbox._sendable,
            lambda sound: lambda s, sync, item, now: sound(s, replace(sync, other_device=False), item, now),
        ),
        passes(test_second_device.test_case_26_a_visit_replaces_no_answer),
        "desk.held(3)",
    ),
    Bug(
        "an older answer of ours that wandered counts as another device's",
        around(mapping.among, lambda _sound: lambda _answer, _answers: False),
        passes(test_second_device.test_case_18_our_own_late_answer_is_never_shown_as_another_devices),
        "assert desk.held(1) == (12,)",
    ),
    Bug(
        "numbers go on where a full disk stopped counting",
        swap(journal_session, "ROOM", 0),
        passes(test_second_device.test_answers_after_a_full_disk_and_a_crash_get_higher_numbers),
        "assert desk.held(1) == (14,)",
    ),
)
