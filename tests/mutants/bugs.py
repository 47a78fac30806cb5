"""The planted bugs. Most of them are bugs that exam clients really had; each names the check that catches it."""

from lms_tui.attempt import comparison, deadline, journal_session, keeper, mapping, outbox, session
from lms_tui.attempt.journal import receipt, store
from lms_tui.client import address, auth, connection, decoding, pages
from lms_tui.client import errors as client_errors
from lms_tui.client import retry as client_retry
from lms_tui.common import cleaning
from lms_tui.tui import dialogs
from lms_tui.wire import base
from tests.attempt import test_deadline, test_journal, test_keeper, test_outbox, test_receipt, test_session
from tests.client import test_client_addresses, test_client_answers, test_client_errors, test_client_sign_in
from tests.client.stranger import raw
from tests.crash.writer import EARLY, NORMAL, UNSYNCED
from tests.mutants import checks, rules
from tests.mutants.checks import passes, simulation, with_client, with_folder, with_journals
from tests.mutants.planting import Bug, edit, swap
from tests.simulation import test_second_device

Keeper, Journal, Session = keeper.Keeper, store.FileJournal, session.Session

IN_THE_JOURNAL = (
    Bug("an answer shows as saved before it is synced", swap(checks.RealJournal, "variant", NORMAL), checks.power_cut),
    Bug("an answer shows as saved before the commit", swap(checks.RealJournal, "variant", EARLY), checks.kill_9),
    Bug("new folders are not synced", swap(checks.RealJournal, "variant", UNSYNCED), checks.power_cut),
    Bug(
        "a journal row is deleted when it was sent",
        edit(
            Journal.settle,
            ("UPDATE change SET settled = ?, refused = ?", "DELETE FROM change"),
            ("(0 if refused else 1, refused, question_id, sequence)", "(question_id, sequence)"),
        ),
        with_journals(test_journal.test_settling_marks_a_change_and_those_before_it_and_never_a_later_one),
    ),
    Bug(
        "the journal is readable by others",
        edit(Journal._opened, ("0o600", "0o644")),
        with_folder(test_journal.test_the_journal_is_readable_by_its_owner_alone),
    ),
    Bug(
        "the lock is not taken",
        edit(Journal._opened, ("locking_mode=EXCLUSIVE", "locking_mode=NORMAL")),
        with_journals(test_journal.test_a_second_opener_of_the_same_attempt_is_refused_and_of_another_is_not),
    ),
    Bug(
        "a damaged journal is deleted",
        edit(Journal._reopened, ("path.rename(aside)", "path.unlink()")),
        with_folder(test_journal.test_a_damaged_journal_is_kept_aside_and_a_new_one_begun, rules.overwritten),
    ),
    Bug(
        "the journal of one user is offered to another",
        edit(store.FileJournals._of_user, ("str(user_id)", '"all"')),
        with_journals(
            test_journal.test_an_attempt_that_owes_answers_is_offered_to_its_owner_alone_until_it_is_finished
        ),
    ),
    Bug(
        "an acknowledgement of an older change covers the newer one",
        edit(Journal.settle, ("AND sequence <= ?", "AND ? > 0")),
        with_journals(test_journal.test_settling_marks_a_change_and_those_before_it_and_never_a_later_one),
    ),
    Bug(
        "an answer that the disk did not take shows as saved",
        edit(
            journal_session.JournalSession.record,
            ('RecordFailed(f"{error} {error.advice}")', "Recorded(after.sequence)"),
        ),
        passes(test_keeper.test_a_disk_that_takes_no_answer_is_told_and_the_answer_is_still_sent),
    ),
    Bug(
        "sequence numbers begin anew after a restart",
        edit(journal_session.first_number, ("return first", "return 0")),
        simulation(),
    ),
)

ON_THE_LINE = (
    Bug(
        "an answer is dropped when the server fails with 500",
        edit(Keeper._save, ("self._failed(error)", "self._refuse(item, str(error))")),
        simulation(),
    ),
    Bug(
        "answers are discarded when the attempt ended elsewhere",
        edit(
            Keeper._close,
            ('self._refuse(item, "The attempt had already ended on the server.")', "self._ledger.settle(item)"),
        ),
        passes(test_keeper.test_an_attempt_that_ended_elsewhere_is_closed_and_what_was_not_taken_is_listed),
    ),
    Bug(
        "restored answers are taken for sent",
        edit(mapping._merged, ("answer=ours, rival=rival", "answer=ours, there=sequence, rival=rival")),
        passes(
            test_keeper.test_a_killed_program_comes_back_with_every_saved_answer_and_sends_what_was_not_acknowledged
        ),
    ),
    Bug(
        "the queue goes on before start after a gap",
        edit(Keeper._missed, ("started=False", "started=True")),
        passes(test_keeper.test_after_a_gap_start_comes_before_the_queue),
    ),
    Bug(
        "the attempt is ended before the queue is sent",
        edit(outbox._request, ("if pending:", "if pending and session.editable:")),
        simulation(),
    ),
    Bug(
        "the attempt is ended without reading the answers back",
        edit(outbox._request, ("if not sync.compared:", "if False:")),
        passes(test_keeper.test_what_the_re_read_shows_to_differ_is_sent_again_before_the_end),
    ),
    Bug(
        "an end whose reply was lost is sent again blindly",
        lambda: rules.both(
            edit(Keeper._end, ("self._sync = replace(self._sync, doubtful=True)\n        raise", "raise")),
            edit(Keeper._missed, ("started=False, compared=False", "started=True")),
        ),
        passes(rules.an_end_whose_reply_was_lost_is_not_sent_again),
    ),
    Bug(
        "an acknowledgement is believed without looking at the echo",
        edit(Keeper._save, ("if mapping.answer_of(echo).same_as(item.answer):", "if echo is not None:")),
        passes(rules.another_answer_in_the_echo_is_no_acknowledgement),
    ),
    Bug(
        "two changes of one question are in flight",
        edit(outbox._request, ("Save(pending[:IN_FLIGHT])", "Save((pending + pending)[:IN_FLIGHT])")),
        simulation(),
    ),
    Bug(
        "every change carries the same number to the server",
        edit(journal_session.JournalSession.stamp, (":{item.latest}", ":1")),
        simulation(),
    ),
    Bug(
        "an expired sign-in drops the queue",
        edit(
            Keeper._failed,
            (
                "self._happened(SignInExpired())",
                "self._happened(SignInExpired())\n            [self._refuse(i, 'Lost.') for i in self._session.unsent]",
            ),
        ),
        passes(test_keeper.test_a_sign_in_that_expires_pauses_the_sender_and_not_the_person),
    ),
    Bug(
        "an expired sign-in closes the exam",
        edit(Keeper._failed, ("self._happened(SignInExpired())", "self._close(str(error))")),
        passes(test_keeper.test_a_sign_in_that_expires_pauses_the_sender_and_not_the_person),
    ),
    Bug(
        "the sender goes on knocking after an expired sign-in",
        edit(outbox.plan, ("if session.contact.sign_in_needed:", "if False:")),
        passes(test_keeper.test_a_sign_in_that_expires_pauses_the_sender_and_not_the_person),
    ),
    Bug(
        "another user's sign-in goes on with this user's queue",
        edit(auth._Renewal.__call__, ("user.id != self._user.id", "False")),
        passes(test_client_sign_in.test_signing_in_again_as_another_user_changes_nothing),
    ),
    Bug(
        "the token of another user is used before it is known whose it is",
        edit(
            auth._Renewal.__call__,
            (
                "trial.auth.replace(token)",
                "trial.auth.replace(token)\n            self._connection.auth.replace(token)",
            ),
        ),
        simulation(),
    ),
    Bug(
        "a wait that the service asks for is ignored",
        edit(outbox.failed, ("if retry_after is None", "if retry_after is not None")),
        passes(rules.a_wait_that_the_service_asks_for_is_kept),
    ),
    Bug(
        "a wait that the service asks for has no bound",
        edit(outbox.failed, ("min(max(retry_after, 0.0), LONGEST_ASKED_WAIT)", "max(retry_after, 0.0)")),
        passes(test_outbox.test_a_wait_that_the_service_asks_for_is_kept_with_a_cap, 1e9, 120, 132),
    ),
    Bug(
        "a long wait leaves no try before the deadline",
        edit(outbox.failed, ("until = ends_at - LAST_TRY", "pass")),
        passes(test_outbox.test_a_wait_past_the_deadline_leaves_one_try_before_it),
    ),
    Bug(
        "a question that was only seen is never sent",
        edit(outbox._sendable, ("return not lingering", "return not item.visit_only")),
        passes(test_outbox.test_a_question_that_is_only_being_looked_at_is_sent_when_it_is_left_or_the_attempt_ends),
    ),
    Bug(
        "a refusal is tried again for ever",
        swap(outbox, "DENIALS", 10**9),
        passes(test_keeper.test_a_refusal_that_goes_on_is_listed_and_the_exam_goes_on),
    ),
    Bug(
        "a heartbeat is sent every five minutes only",
        swap(outbox, "HEARTBEAT", 300.0),
        passes(test_keeper.test_a_heartbeat_is_sent_once_a_minute),
    ),
    Bug(
        "the server wins over an answer that it never got",
        edit(mapping._merged, ("answer=ours, ", "")),
        simulation(),
    ),
)

WITH_ANOTHER_DEVICE = (
    Bug(
        "the newer choice of another device is overwritten",
        edit(comparison.events_of, ("taken=True", "taken=False")),
        passes(test_second_device.test_case_26_a_newer_choice_of_another_device_wins_and_ours_is_shown_beside_it),
    ),
    Bug(
        "the answer that did not win is not shown",
        edit(session._foreign, ("rival=item.answer", "rival=None")),
        passes(test_second_device.test_case_26_a_newer_choice_of_another_device_wins_and_ours_is_shown_beside_it),
    ),
    Bug(
        "a start elsewhere is not noticed",
        edit(Keeper._heartbeat, ("began != self._begun", "False")),
        passes(test_second_device.test_case_26_a_newer_choice_of_another_device_wins_and_ours_is_shown_beside_it),
    ),
    Bug(
        "after a silence the queue is sent without looking",
        edit(Keeper._start, ("look=True", "look=False")),
        passes(test_second_device.test_case_26_a_choice_that_was_not_sent_yet_is_sent_and_the_other_one_is_shown),
    ),
    Bug(
        "having seen a question overwrites another device's choice",
        edit(outbox._sendable, ("(item.visit_only and company)", "False")),
        passes(test_second_device.test_case_26_having_seen_a_question_is_no_choice_and_gives_way),
    ),
    Bug(
        "an older answer of ours that wandered counts as another device's",
        edit(mapping._merged, ("(foreign or not sequence)", "True")),
        passes(
            test_second_device.test_case_18_an_older_answer_of_ours_that_arrived_late_is_never_taken_for_another_devices
        ),
    ),
    Bug(
        "numbers go on where a full disk stopped counting",
        swap(journal_session, "ROOM", 0),
        passes(
            test_second_device.test_answers_after_a_full_disk_and_a_crash_are_not_taken_for_older_than_those_the_disk_never_saw
        ),
    ),
)

IN_THE_CLOCK = (
    Bug(
        "the time of a reply that does not refresh it is adopted",
        edit(
            Keeper._reread,
            (
                "self._learn(attempt)",
                "self._learn(attempt) and self._happened(TimeTold(mapping.reading_of(attempt, now, now)))",
            ),
        ),
        passes(test_second_device.test_the_time_of_a_reply_that_does_not_refresh_it_is_not_adopted),
    ),
    Bug(
        "the wall clock decides the time left",
        edit(Keeper.time_left, ("self._clock.boot()", "self._clock.wall()")),
        passes(rules.a_wall_clock_that_is_set_changes_no_time_left),
    ),
    Bug(
        "the timer counts its ticks",
        edit(Keeper.tick, ("now = self._clock.boot()", "now = self._ticked + 1.0")),
        passes(test_keeper.test_a_computer_that_slept_says_start_first_and_takes_the_servers_time),
    ),
    Bug(
        "an older reply raises the time",
        edit(deadline.Deadline.adopt, ("reading.asked_at < self.asked_at", "False")),
        passes(test_deadline.test_an_older_reply_that_arrives_late_never_raises_the_time_shown),
    ),
    Bug(
        "half the round trip is not taken off",
        edit(deadline.Reading.ends_at, ("trip / 2", "trip")),
        passes(test_deadline.test_half_the_round_trip_is_taken_off_the_time_left),
    ),
    Bug(
        "a reply that was on its way while the computer slept raises the time",
        swap(deadline, "LONGEST_TRIP", 1e9),
        passes(rules.a_reply_that_was_on_its_way_while_the_computer_slept_raises_no_time),
    ),
    Bug(
        "extra time is not adopted",
        edit(deadline.Deadline.adopt, ("return Deadline(told, reading.asked_at)", "return self")),
        passes(test_deadline.test_extra_time_and_lost_time_are_adopted_when_they_are_more_than_a_second),
    ),
    Bug(
        "an untimed attempt ends by itself",
        edit(
            deadline.Deadline.over, ("self.ends_at is not None and now >= self.ends_at", "now >= (self.ends_at or 0.0)")
        ),
        passes(test_keeper.test_an_untimed_attempt_never_ends_by_itself),
    ),
    Bug(
        "remaining zero ends an exam that has no duration",
        edit(
            mapping.reading_of, ("attempt.remaining_time if attempt.exam.duration else None", "attempt.remaining_time")
        ),
        passes(rules.remaining_zero_of_an_untimed_exam_is_no_end),
    ),
    Bug(
        "remaining zero of a timed exam counts as no limit",
        edit(mapping.reading_of, ("None if remaining is None else", "None if not remaining else")),
        passes(rules.remaining_zero_of_a_timed_exam_is_time_over),
    ),
    Bug(
        "`20 days, …` is read without its days",
        edit(base.parse_duration, ('and name != "sign"', 'and name not in {"sign", "days"}')),
        passes(rules.twenty_days_are_twenty_days),
    ),
    Bug(
        "answers of a section that has ended can be changed",
        edit(Session.open_to_change, ("return self.editable and (", "return self.editable or (")),
        passes(test_keeper.test_locked_sections_follow_one_another_and_the_last_ends_the_attempt),
    ),
    Bug(
        "answers can be changed after the time",
        edit(Session.editable, ("is Phase.RUNNING", "is not Phase.ENDED")),
        passes(test_session.test_time_over_freezes_answers_and_lets_what_is_queued_be_acknowledged),
    ),
)

AT_THE_BORDER = (
    Bug(
        "`next` is followed to another server",
        edit(address.follow, ("target.hostname != home.hostname", "False"), ("_origin(home)", "_origin(target)")),
        with_client(
            test_client_answers.test_list_that_leads_to_another_server_is_not_followed, "https://evil.example/?page=2"
        ),
    ),
    Bug(
        "the token goes to another origin",
        edit(connection.TokenAuth.auth_flow, ("and (url.scheme, url.host, url.port) == self._home", "and url.host")),
        passes(test_client_sign_in.test_token_goes_to_one_origin_only, "https://evil.example/"),
    ),
    Bug(
        "a redirect is followed with an answer in it",
        edit(connection.way_to, ("follow_redirects=False", "follow_redirects=True")),
        with_client(test_client_answers.test_redirect_is_not_followed_with_an_answer, 308),
    ),
    Bug(
        "an address of another server is taken for ours",
        edit(address.follow, ("or (target.username, target.password) != (None, None)", "")),
        passes(test_client_addresses.test_link_to_another_server_is_refused, "https://asha:pw@learn.example.edu/x"),
    ),
    Bug(
        "control characters of a server reach the screen",
        edit(decoding.decode, ("return clean_tree(tree)", "return tree")),
        passes(test_client_answers.test_strings_are_cleaned_at_the_border_names_included),
    ),
    Bug(
        "characters that turn the reading direction are passed",
        edit(cleaning.clean, ("text = _DANGEROUS.sub(_mark, text.replace", "text = str(text.replace")),
        passes(rules.escape_and_bidi_characters_are_marked),
    ),
    Bug(
        "words of a server are read as markup",
        edit(dialogs._Dialog.compose, ("Label(Content(self._body))", "Label(self._body)")),
        checks.words_of_a_server_are_shown_as_they_are,
    ),
    Bug(
        "NaN is accepted as a number",
        edit(decoding._nothing, ("return None", 'return float("nan")')),
        passes(test_client_answers.test_numbers_that_json_does_not_know_cost_their_field_only),
    ),
    Bug(
        "the sign-in page of a network counts as an answer",
        edit(decoding.decode, ('raise NotTheService("The server answered with a web page.")', "return {'id': 5}")),
        with_client(
            test_client_answers.test_answer_that_is_not_the_services_acknowledges_nothing,
            raw(b"<html>Hotel Wi-Fi</html>"),
        ),
    ),
    Bug(
        "an echo of another question counts",
        edit(pages.identified, ("and found != identity", "and False")),
        with_client(test_client_answers.test_echo_of_another_question_is_no_acknowledgement),
    ),
    Bug(
        "a moment in `Retry-After` is not understood",
        edit(client_retry.parse_retry_after, ("parsedate_to_datetime(text)", "parsedate_to_datetime('')")),
        passes(rules.retry_after_may_be_a_moment),
    ),
    Bug(
        "the body of a fault is shown",
        edit(client_errors.from_response, ("return _unexpected(status)", "return ServerFault(body.decode())")),
        passes(test_client_errors.test_body_of_a_fault_is_not_shown),
    ),
)

IN_THE_RECEIPT = (
    Bug(
        "the digests of a receipt do not cover what it says",
        edit(receipt._digest, ("{before}\\n{_text(content)}", "{before}")),
        passes(test_receipt.test_every_character_that_is_changed_breaks_it),
    ),
    Bug(
        "a receipt is not bound to what the server said",
        edit(
            receipt._in_order,
            ("[_heard(reply) for reply in waiting]", "[]"),
            ("links.append(_heard(waiting.pop(0)))", "waiting.pop(0)"),
        ),
        passes(test_receipt.test_after_a_normal_end_the_receipt_of_the_whole_attempt_is_kept),
    ),
    Bug(
        "a receipt keeps the newest answers only",
        edit(receipt.receipt_of_journal, ("journal.history()", "list(journal.newest().values())")),
        with_folder(test_receipt.test_a_journal_keeps_its_receipt_beside_it_for_its_owner_alone),
    ),
    Bug(
        "a refused answer is not listed as undelivered",
        edit(receipt._readable, ("if not kept.acknowledged]", "if not kept.acknowledged and not kept.refused]")),
        passes(test_receipt.test_the_readable_part_names_every_answer_and_holds_no_control_character),
    ),
)

BUGS = (*IN_THE_JOURNAL, *ON_THE_LINE, *WITH_ANOTHER_DEVICE, *IN_THE_CLOCK, *AT_THE_BORDER, *IN_THE_RECEIPT)
