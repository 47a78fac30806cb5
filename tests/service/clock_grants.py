"""Grants, pauses and outages on the clock of an attempt: thousands of random exams, without a database.

`python -m tests.service.clock_grants --exams 100000 --seed 1` runs them in one process. The model counts what an
attempt may use: its time limit, and everything granted. It is told of each second that the clock ran. As long as the
model has time left, the clock must have it too, and take answers.
"""

import argparse
import sys
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from types import SimpleNamespace
from typing import Any

from lms_tui.service.attempts.clock import AttemptClock
from lms_tui.service.attempts.row_clocks import clock_of, is_overdue, write_clock
from lms_tui.wire.attempt_states import AttemptState

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
GRACE = timedelta(seconds=10)
PAUSE = timedelta(seconds=90)
NOTHING = timedelta()
STEPS = 40
"""Events of an exam at most."""


@dataclass
class Model:
    """`left`: what the student may still use. Between two events it falls with the time, unless paused."""

    left: timedelta
    paused: bool = False

    def wait(self, time: timedelta) -> None:
        if not self.paused:
            self.left = max(NOTHING, self.left - time)


def seconds(random: Random, most: int) -> timedelta:
    return timedelta(seconds=random.randint(1, most))


def row_of(random: Random) -> Any:
    """Return an attempt as the service keeps it, with a time limit or with sections that lock."""
    limits = [seconds(random, 1200) for _ in range(random.choice([0, 0, 2, 3]))]
    whole = sum(limits, NOTHING) if limits else seconds(random, 3600)
    states = [AttemptState.RUNNING, *[AttemptState.NOT_STARTED] * (len(limits) - 1)]
    sections = [
        SimpleNamespace(allowed=limit, time_taken=NOTHING, state=state.value, over=None)
        for limit, state in zip(limits, states, strict=False)
    ]
    return SimpleNamespace(
        state=AttemptState.RUNNING.value,
        allowed=whole,
        time_taken=NOTHING,
        last_contact=START,
        deadline=START + whole,
        paused=None,
        sections=sections,
    )


def step(random: Random, row: Any, model: Model, now: datetime) -> str:
    """Let one thing happen to the attempt, and tell the model of it."""
    event = random.choice(["nothing", "beat", "beat", "add", "pause", "go on", "outage", "start"])
    clock = clock_of(row)
    match event:
        case "beat":
            write_clock(row, clock.at(now))
        case "add" | "outage":
            extra = seconds(random, 900)
            write_clock(row, clock.at(now).granted(extra))
            model.left += extra
        case "pause" if row.paused is None and clock.at(now).left:
            paused = clock.at(now)
            row.paused, model.paused = now, True
            write_clock(row, AttemptClock(paused.allowed, paused.taken, now, paused.sections, paused=True))
        case "go on" if row.paused is not None:
            running = clock.at(now)
            row.paused, model.paused = None, False
            write_clock(row, AttemptClock(running.allowed, running.taken, now, running.sections))
        case "start":
            # A gap that is no pause by the rule of 90 seconds gives nothing back.
            write_clock(row, clock.resumed(now, now, PAUSE))
    return event


def simulate(seed: int) -> Counter[str]:
    """Let one random exam pass, and return what happened. Raises AssertionError where time or an answer was lost."""
    random = Random(seed)
    row, now = row_of(random), START
    log: list[tuple[str, str]] = []
    model = Model(row.allowed)
    while len(log) < STEPS:
        waited = seconds(random, 240)
        now += waited
        model.wait(waited)
        if model.left == NOTHING:
            break
        log.append((str(waited), step(random, row, model, now)))
        _check(row, model, now, f"seed {seed}: {log}")
    return Counter(event for _, event in log)


def _check(row: Any, model: Model, now: datetime, log: str) -> None:
    clock = clock_of(row).at(now)
    assert clock.left == model.left, log
    assert not is_overdue(row, now, NOTHING), log
    assert row.paused is not None or row.deadline == now + model.left, log
    running = [place for place, one in enumerate(clock.sections) if one.state is AttemptState.RUNNING]
    assert len(running) == bool(clock.sections), log
    assert all(clock.takes_answers(place, GRACE) for place in running), log


def main() -> int:
    options = argparse.ArgumentParser(prog="python -m tests.service.clock_grants")
    options.add_argument("--exams", type=int, default=1000)
    options.add_argument("--seed", type=int, default=1)
    wanted = options.parse_args()
    events: Counter[str] = Counter()
    bad: list[str] = []
    for seed in range(wanted.seed, wanted.seed + wanted.exams):
        try:
            events += simulate(seed)
        except AssertionError as error:
            bad.append(str(error))
    print(*bad[:5], sep="\n", end="\n" if bad else "")  # noqa: T201 - the report
    told = ", ".join(f"{count} {event}" for event, count in sorted(events.items()))
    print(f"{wanted.exams} exams ({told}), seed {wanted.seed}: {len(bad)} ended early or refused an answer in time")  # noqa: T201 - the report
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
