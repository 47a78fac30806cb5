"""Practice against "retake the wrong ones" with simulated learners.

`python -m benchmarks.practice` runs 1,000 learners, 50 in each of 20 settings. With `--short` there are 4 in each. The
memory model is that of Pavlik and Anderson (2005, ACT-R), not the one of FSRS: each answer leaves a trace, whose decay
depends on how active the memory was. Every way gets the same seconds a day. A question takes 20 seconds, and 15 more to
read the key.
"""

import argparse
import math
import statistics
import sys
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import product
from random import Random
from typing import Final

from lms_tui.banks.scoring import Outcome
from lms_tui.practice.grading import grade
from lms_tui.practice.schedule import after_review, end_of_day

_DAY: Final = 86_400.0
_START: Final = 1_800_000_000.0
_ANSWER, _KEY = 20.0, 15.0
"""Seconds for an answer, and for the key of one that was not correct."""
_BETWEEN: Final = 0.025
"""Between two sittings, psychological time passes more slowly by this factor."""
_GROWTH, _THRESHOLD, _NOISE = 0.217, -0.704, 0.255
_TARGET: Final = 1.25
_Settings = tuple[int, int, float]


@dataclass
class Fact:
    """One question in the memory of a learner. `traces`: the moment and the decay of each answer."""

    decay: float
    traces: list[tuple[float, float]] = field(default_factory=list)

    def activation(self, now: float) -> float:
        total = sum(max(1.0, now - at) ** -decay for at, decay in self.traces)
        return math.log(total) if total else -math.inf

    def recall(self, now: float) -> float:
        power = (_THRESHOLD - self.activation(now)) / _NOISE
        return 0.0 if power > 50 else 1 / (1 + math.exp(power))

    def study(self, now: float) -> None:
        before = self.activation(now)
        self.traces.append((now, self.decay + (_GROWTH * math.exp(before) if before > -math.inf else 0.0)))


@dataclass
class Learner:
    """`clock`: psychological seconds. All questions were missed in an exam on the day before the first one."""

    facts: list[Fact]
    random: Random
    clock: float = 0.0

    @classmethod
    def of(cls, seed: int, size: int, decay: float) -> "Learner":
        random = Random(seed)
        own = decay * random.uniform(0.8, 1.2)
        learner = cls([Fact(own * random.uniform(0.7, 1.3)) for _ in range(size)], random)
        for fact in learner.facts:
            fact.study(0.0)
        return learner

    def answer(self, number: int) -> tuple[bool, float]:
        """Answer a question and see its key. Return whether it was correct, and the seconds."""
        fact = self.facts[number]
        known = self.random.random() < fact.recall(self.clock)
        seconds = _ANSWER if known else _ANSWER + _KEY
        self.clock += seconds
        fact.study(self.clock)
        return known, seconds

    def sleep(self, used: float) -> None:
        self.clock += (_DAY - used) * _BETWEEN

    def exam(self) -> float:
        return statistics.fmean(fact.recall(self.clock) for fact in self.facts)


Session = Callable[[int, float], None]
"""Practises on a day for some seconds."""


def with_the_deck(learner: Learner) -> Session:
    """What is due, then what is least probably known, as the drill of 10 minutes asks it, until the time is over.

    A missed question comes again at the end.
    """
    memories = {number: after_review(None, grade(Outcome.INCORRECT), _START) for number in range(len(learner.facts))}

    def session(day: int, seconds: float) -> None:
        now = _START + day * _DAY
        due = [number for number in memories if memories[number].due <= end_of_day(now)]
        queue = deque(sorted(due, key=lambda number: (memories[number].due, number)))
        while seconds > 0:
            asked = set(queue)
            ahead = [number for number in memories if number not in asked]
            queue.extend(sorted(ahead, key=lambda n: (memories[n].reviewed - now) / memories[n].stability))
            while queue and seconds > 0:
                known, used = learner.answer(number := queue.popleft())
                seconds -= used
                now += used
                outcome = Outcome.CORRECT if known else Outcome.INCORRECT
                memories[number] = after_review(memories[number], grade(outcome), now)
                if not known:
                    queue.append(number)

    return session


def until_correct(learner: Learner) -> Session:
    """The exam again, then its wrong answers until none is left. Then there is nothing to retake."""
    return _retaking(learner, again=False)


def until_correct_and_again(learner: Learner) -> Session:
    """The same, and then the whole exam again, so that every minute of every day is used."""
    return _retaking(learner, again=True)


def _retaking(learner: Learner, *, again: bool) -> Session:
    everything = range(len(learner.facts))
    queue, wrong = deque(everything), list[int]()

    def session(_: int, seconds: float) -> None:
        while seconds > 0:
            if not queue:
                queue.extend(wrong or (everything if again else ()))
                wrong.clear()
            if not queue:
                return
            known, used = learner.answer(number := queue.popleft())
            seconds -= used
            if not known:
                wrong.append(number)

    return session


_WAYS: Final = (with_the_deck, until_correct, until_correct_and_again)


def recall_of(way: Callable[[Learner], Session], seed: int, setting: _Settings, minutes: float) -> float:
    days, size, decay = setting
    learner = Learner.of(seed, size, decay)
    learner.sleep(0.0)
    session = way(learner)
    for day in range(1, days + 1):
        begun = learner.clock
        session(day, minutes * 60)
        learner.sleep(learner.clock - begun)
    return learner.exam()


def recalls(each: int, minutes: float) -> Iterator[tuple[_Settings, tuple[float, ...]]]:
    """Yield each setting with the mean recall on the day after, for each way."""
    for setting in product((14, 30), (30, 60, 120, 200, 300), (0.15, 0.177)):
        yield (
            setting,
            tuple(statistics.fmean(recall_of(way, seed, setting, minutes) for seed in range(each)) for way in _WAYS),
        )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.practice")
    parser.add_argument("--short", action="store_true", help="4 learners in each setting")
    parser.add_argument("--minutes", type=float, default=15.0, help="minutes of practice a day")
    options = parser.parse_args()
    each = 4 if options.short else 50
    found = list(recalls(each, options.minutes))
    for (days, size, decay), told in found:
        print(f"{days} days, {size} cards, decay {decay}:", *(f"{recall:.3f}" for recall in told))
    ours = [told[0] for _, told in found]
    good = True
    for place, name in enumerate(("until none is wrong", "and then the exam again"), 1):
        theirs = [told[place] for _, told in found]
        ratio = statistics.fmean(ours) / statistics.fmean(theirs)
        worse = sum(own < other for own, other in zip(ours, theirs, strict=True))
        good = good and (place > 1 or (ratio >= _TARGET and not worse))
        print(f"{each * len(found)} learners: {ratio:.2f} times retaking {name}, worse in {worse} of {len(found)}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
