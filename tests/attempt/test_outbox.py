from dataclasses import replace
from random import Random

import pytest

from lms_tui.attempt import outbox
from lms_tui.attempt.deadline import Deadline
from lms_tui.attempt.events import (
    Chose,
    ClosedElsewhere,
    EndAsked,
    Event,
    NotAccepted,
    Recorded,
    SignInExpired,
    TimeRanOut,
    Visited,
)
from lms_tui.attempt.outbox import (
    Compare,
    DeclareTimeOver,
    End,
    Heartbeat,
    NextSection,
    Reread,
    Save,
    Start,
    Step,
    Stop,
    SyncState,
    Wait,
    plan,
)
from lms_tui.attempt.session import Session, apply
from lms_tui.attempt.values import Item, Section
from lms_tui.wire.attempt_states import AttemptState

READY = SyncState(started=True, heartbeat_due=60.0)


def a_session(*events: Event, ends_at: float | None = None) -> Session:
    items = tuple(Item(n, n, "R", (10 * n, 10 * n + 1)) for n in range(1, 8))
    session = Session(attempt_id=7, title="", items=items, deadline=Deadline(ends_at))
    for event in events:
        session = apply(session, event)
    return session


def saved(step: Step) -> list[int]:
    assert isinstance(step, Save)
    return [item.question_id for item in step.items]


@pytest.mark.parametrize(
    ("session", "sync", "step"),
    [
        (a_session(), SyncState(), Start()),
        (a_session(Chose(1, 10)), SyncState(), Start()),
        (a_session(Chose(1, 10)), replace(READY, heartbeat_due=0.0), Heartbeat()),
        (a_session(Chose(1, 10)), replace(READY, doubtful=True), Reread()),
        (a_session(Chose(1, 10), SignInExpired()), READY, Wait(None)),
        (a_session(Chose(1, 10)), replace(READY, not_before=12.0), Wait(12.0)),
        (a_session(), READY, Wait(60.0)),
        (a_session(ends_at=30.0), READY, Wait(30.0)),
        (a_session(ends_at=5.0), READY, DeclareTimeOver()),
        (a_session(SignInExpired(), ends_at=5.0), READY, DeclareTimeOver()),
        (a_session(EndAsked()), READY, Compare()),
        (a_session(EndAsked()), replace(READY, compared=True), End()),
        (a_session(TimeRanOut()), replace(READY, compared=True), End()),
        (a_session(ClosedElsewhere("")), READY, Stop()),
    ],
)
def test_the_next_step_follows_from_the_session_and_the_connection_state(
    session: Session, sync: SyncState, step: Step
) -> None:
    assert plan(session, sync, now=10.0) == step
    assert plan(session, sync, now=10.0) == step


def test_answers_are_sent_before_the_comparison_and_the_end() -> None:
    session = a_session(Chose(2, 20), EndAsked())
    assert saved(plan(session, replace(READY, compared=True), 10.0)) == [2]


def test_no_more_than_four_questions_are_in_flight() -> None:
    session = a_session(*(Chose(n, 10 * n) for n in range(1, 8)))
    assert saved(plan(session, READY, 10.0)) == [1, 2, 3, 4]


def test_a_visit_is_sent_when_the_question_is_left_or_the_attempt_ends() -> None:
    looking = a_session(Visited(3))
    assert plan(looking, READY, 10.0) == Wait(60.0)
    left = outbox.moved(outbox.moved(READY, 1.0), 10.0)
    assert saved(plan(apply(looking, Visited(4)), left, 10.0)) == [3]
    assert saved(plan(apply(looking, EndAsked()), left, 10.0)) == [3]


def test_questions_that_were_only_passed_are_sent_when_the_student_stays_at_one() -> None:
    session, sync = a_session(Visited(1)), outbox.moved(READY, 0.5)
    for number in range(2, 6):
        session, sync = apply(session, Visited(number)), outbox.moved(sync, number * 0.5)
        assert plan(session, sync, number * 0.5) == Wait(number * 0.5 + outbox.STAY)
    assert saved(plan(session, sync, 4.5)) == [1, 2, 3, 4]
    turning = outbox.moved(outbox.moved(sync, 48.5), 49.0)
    assert plan(session, turning, 49.0) == Wait(50.0)
    assert saved(plan(session, turning, 50.0)) == [1, 2, 3, 4], "a heartbeat is near"


def test_an_answer_does_not_wait_for_a_student_who_turns_pages() -> None:
    passing = outbox.moved(outbox.moved(READY, 9.9), 10.0)
    assert saved(plan(a_session(Visited(3), Chose(3, 30), Visited(4)), passing, 10.0)) == [3]


def test_a_refused_answer_is_not_sent_again_automatically() -> None:
    session = a_session(Chose(1, 10), Recorded(1), NotAccepted(1, 1, "no"))
    assert plan(session, READY, 10.0) == Wait(60.0)


def test_the_next_section_starts_after_the_answers_of_the_last_were_compared() -> None:
    sections = (Section(1, "", AttemptState.RUNNING, timed=True), Section(2, "", AttemptState.NOT_STARTED, timed=True))
    session = apply(replace(a_session(), sections=sections), TimeRanOut())
    assert plan(session, READY, 10.0) == Compare()
    assert plan(session, replace(READY, compared=True), 10.0) == NextSection()


def test_waits_grow_with_each_failure_up_to_a_limit_and_vary() -> None:
    sync, waits = READY, []
    for _ in range(8):
        sync = outbox.failed(sync, 0.0, retry_after=None, jitter=0.5, ends_at=None)
        waits.append(sync.not_before)
    assert waits == [0.5, 1.0, 2.0, 4.0, 8.0, 10.0, 10.0, 10.0]
    assert outbox.failed(READY, 0.0, retry_after=None, jitter=0.0, ends_at=None).not_before < 0.5


def test_waits_stay_short_while_the_service_tells_when_to_try_again() -> None:
    sync, waits = READY, []
    for _ in range(6):
        sync = outbox.failed(sync, 0.0, retry_after=2.0, jitter=0.5, ends_at=None)
        waits.append(sync.not_before)
    assert waits == pytest.approx([2.1, 2.1, 2.1, 4.0, 5.0, 5.0])


@pytest.mark.parametrize(("asked", "least", "most"), [(30.0, 30, 33), (-5.0, 0, 1), (0.0, 0, 1), (1e9, 120, 132)])
@pytest.mark.case(23)
def test_a_wait_that_the_service_asks_for_is_kept_up_to_a_limit(asked: float, least: float, most: float) -> None:
    sync = outbox.failed(READY, 0.0, retry_after=asked, jitter=0.5, ends_at=None)
    assert least <= sync.not_before <= most


@pytest.mark.case(23)
def test_a_long_wait_leaves_one_request_before_the_deadline() -> None:
    sync = outbox.failed(READY, 100.0, retry_after=60.0, jitter=0.5, ends_at=130.0)
    assert sync.not_before == 125.0


@pytest.mark.case(17)
def test_a_wait_over_the_end_of_the_time_is_followed_by_a_try_soon_after_the_end() -> None:
    tired = replace(READY, failures=9)
    sync = outbox.failed(tired, 100.0, retry_after=None, jitter=0.5, ends_at=103.0)
    assert sync.not_before == 104.5
    sync = outbox.failed(tired, 100.0, retry_after=None, jitter=0.5, ends_at=109.5)
    assert sync.not_before == 110.0


def test_a_good_reply_resets_the_waits() -> None:
    broken = outbox.failed(READY, 0.0, retry_after=None, jitter=0.5, ends_at=None)
    assert outbox.heard(broken, 0.1).failures == 0
    beaten = outbox.timed(broken, 10.0)
    assert (beaten.started, beaten.heartbeat_due, beaten.doubtful) == (True, 70.0, False)


def test_a_refused_change_is_tried_again_a_few_times() -> None:
    sync, enough = READY, []
    for _ in range(3):
        sync, too_often = outbox.denied(sync, 4)
        enough.append(too_often)
    assert enough == [False, False, True]
    assert outbox.accepted(sync, 4).denials == ()


def test_a_refusal_of_the_attempt_is_final_only_after_several_reads() -> None:
    once = outbox.refused(READY, 10.0, jitter=0.5, ends_at=None)
    assert plan(a_session(), once, 10.0) == Reread()
    assert once.refusals == 0
    twice = outbox.refused(once, 10.0, jitter=0.5, ends_at=None)
    assert twice.refusals == 1
    assert twice.not_before > 10.0


def test_a_server_that_refuses_what_follows_each_read_is_not_asked_without_a_pause() -> None:
    session, sync, now, requests = a_session(), replace(READY, look=True), 10.0, 0
    while now < 70.0:
        match plan(session, sync, now):
            case Reread():
                sync = outbox.reread(sync, now)
            case Compare():
                sync = outbox.refused(sync, now, jitter=0.5, ends_at=None)
            case Wait(until=until):
                assert until is not None
                now = until
                continue
            case Heartbeat():
                sync = outbox.timed(sync, now)
            case step:
                raise AssertionError(step)
        requests += 1
        assert requests < 400


def test_a_refused_attempt_is_read_again_soon_after_the_end_of_the_time() -> None:
    sync = READY
    for _ in range(4):
        sync = outbox.refused(sync, 10.0, jitter=1.0, ends_at=9.0)
    assert 11.0 < sync.not_before < 12.0


def test_queued_work_is_never_left_without_a_request_or_a_bounded_wait() -> None:
    random = Random(1)
    for _ in range(2000):
        sync = SyncState(
            started=random.random() < 0.5,
            heartbeat_due=random.uniform(0, 100),
            doubtful=random.random() < 0.2,
            look=random.random() < 0.2,
            compared=random.random() < 0.5,
        )
        for _ in range(random.randint(0, 9)):
            asked = random.choice((None, -1.0, 30.0, 1e9))
            sync = outbox.failed(
                sync, 0.0, retry_after=asked, jitter=random.random(), ends_at=random.choice((None, 9.0))
            )
        session = a_session(Chose(1, 10), random.choice((EndAsked(), TimeRanOut(), Visited(2))))
        step = plan(session, sync, 0.0)
        assert not isinstance(step, Wait) or (step.until is not None and step.until <= outbox.LONGEST_ASKED_WAIT * 1.1)
        assert not isinstance(plan(session, sync, outbox.LONGEST_ASKED_WAIT * 1.1), Wait)
