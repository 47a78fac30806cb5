"""Practice with tuned parameters of FSRS against practice with the default ones, with simulated learners.

`python -m benchmarks.tuning` lets each learner practise for 60 days what is due, with the default parameters. Then the
deck is tuned, and two copies of the learner practise for 60 more days: one with the default parameters, and one with
the new ones. The memory model is that of `benchmarks.practice`, not the one of FSRS. There is no limit of time.
"""

import statistics
import sys
from copy import deepcopy
from dataclasses import dataclass, field
from random import Random
from typing import Final

from benchmarks.practice import Fact
from lms_tui.practice.grading import Grade, History
from lms_tui.practice.schedule import Memory, Parameters, after_review, end_of_day
from lms_tui.practice.tuning import tuning

_DAY: Final = 86_400.0
_START: Final = 1_800_014_400.0
_BETWEEN: Final = 0.025
"""Between two sittings, psychological time passes more slowly by this factor."""
_CARDS, _DAYS = 100, 60
_DECAYS: Final = (0.1, 0.2, 0.25, 0.3)
_LEARNERS: Final = 5


@dataclass
class Practised:
    """A learner with a deck. All cards were missed on the day before the first one."""

    facts: list[Fact]
    random: Random
    memories: list[Memory]
    reviews: list[list[tuple[float, Grade]]] = field(default_factory=list)

    @classmethod
    def of(cls, seed: int, size: int, decay: float) -> "Practised":
        random = Random(seed)
        facts = [Fact(decay * random.uniform(0.7, 1.3)) for _ in range(size)]
        for fact in facts:
            fact.study(0.0)
        memories = [after_review(None, Grade.AGAIN, _START)] * size
        return cls(facts, random, memories, [[(_START, Grade.AGAIN)] for _ in facts])

    def practise(self, days: range, parameters: Parameters = ()) -> int:
        """Answer what is due on each day. Return the number of answers."""
        answers = 0
        for day in days:
            now = _START + day * _DAY
            for number, fact in enumerate(self.facts):
                if self.memories[number].due > end_of_day(now):
                    continue
                clock = day * _DAY * _BETWEEN + number
                grade = Grade.GOOD if self.random.random() < fact.recall(clock) else Grade.AGAIN
                fact.study(clock)
                self.memories[number] = after_review(self.memories[number], grade, now, parameters)
                self.reviews[number].append((now, grade))
                answers += 1
        return answers

    def histories(self) -> tuple[History, ...]:
        return tuple(map(tuple, self.reviews))

    def recall(self, day: int) -> float:
        """Return the share of the cards that are known on a day."""
        return statistics.fmean(fact.recall(day * _DAY * _BETWEEN) for fact in self.facts)


def compare(seed: int, decay: float) -> tuple[float, ...]:
    """Return the log loss, the answers a day and the recall at the end, each without and with tuning."""
    learner = Practised.of(seed, _CARDS, decay)
    learner.practise(range(1, _DAYS + 1))
    found = tuning(learner.histories(), ())
    tuned = deepcopy(learner)
    rest = range(_DAYS + 1, 2 * _DAYS + 1)
    usual_answers = learner.practise(rest)
    tuned_answers = tuned.practise(rest, found.parameters if found.is_better else ())
    return (
        *(found.before, found.after),
        *(usual_answers / _DAYS, tuned_answers / _DAYS),
        *(learner.recall(rest.stop), tuned.recall(rest.stop)),
    )


def main() -> int:
    for decay in _DECAYS:
        told = [statistics.fmean(each) for each in zip(*(compare(n, decay) for n in range(_LEARNERS)), strict=True)]
        print(
            f"decay {decay}: log loss {told[0]:.3f} to {told[1]:.3f}, answers a day {told[2]:.1f} to {told[3]:.1f}, "
            f"recall after {2 * _DAYS} days {told[4]:.2f} to {told[5]:.2f}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
