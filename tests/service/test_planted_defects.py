"""Item statistics find defects that were planted into simulated exams, and leave good questions alone."""

import math
from collections.abc import Callable
from decimal import Decimal
from random import Random
from typing import Final

import pytest

from lms_tui.service.exams.item_analysis import Given, analyse, suspicions

pytestmark = pytest.mark.slow

STUDENTS: Final = 300
QUESTIONS: Final = 40
EXAMS: Final = 10
KEY, B, C, D = OPTIONS = (1, 2, 3, 4)
Choose = Callable[[Random, float, float], int]
"""Returns the option that a student of this ability chooses in a question of this difficulty."""


def knows(random: Random, ability: float, difficulty: float) -> bool:
    return random.random() < 1 / (1 + math.exp(1.2 * (difficulty - ability)))


def good(random: Random, ability: float, difficulty: float) -> int:
    """Who does not know the answer guesses."""
    return KEY if knows(random, ability, difficulty) else random.choice(OPTIONS)


def wrong_key(random: Random, ability: float, difficulty: float) -> int:
    """B is correct, and the key of the file is not."""
    return B if knows(random, ability, difficulty) else random.choice(OPTIONS)


def two_keys(random: Random, ability: float, difficulty: float) -> int:
    """B is correct too."""
    return random.choice((KEY, B)) if knows(random, ability, difficulty) else random.choice(OPTIONS)


def no_meaning(random: Random, ability: float, difficulty: float) -> int:
    """Nobody understands the question."""
    del ability, difficulty
    return random.choice(OPTIONS)


def unused_option(random: Random, ability: float, difficulty: float) -> int:
    """Nobody believes D."""
    return KEY if knows(random, ability, difficulty) else random.choice((KEY, B, C))


def given_away(random: Random, ability: float, difficulty: float) -> int:
    """The text of the question tells the answer."""
    del random, ability, difficulty
    return KEY


def impossible(random: Random, ability: float, difficulty: float) -> int:
    """The key is a text that nobody can write, such as one with a slip of the pen."""
    del ability, difficulty
    return random.choice((B, C, D))


DEFECTS: Final[tuple[Choose, ...]] = (wrong_key, two_keys, no_meaning, unused_option, given_away, impossible)


def flagged(random: Random, planted: list[Choose]) -> list[bool]:
    """Let a class sit an exam of these questions. Return which of them have a suspicion."""
    abilities = [random.gauss(0, 1) for _ in range(STUDENTS)]
    difficulties = [random.uniform(-1.5, 1.5) for _ in planted]
    chosen = [
        [choose(random, ability, difficulty) for ability in abilities]
        for choose, difficulty in zip(planted, difficulties, strict=True)
    ]
    totals = {student: float(sum(row[student] == KEY for row in chosen)) for student in range(STUDENTS)}
    found = []
    for row in chosen:
        given = [
            Given(student, float(option == KEY), answered=True, chosen=(option,)) for student, option in enumerate(row)
        ]
        found.append(bool(suspicions(analyse(Decimal(1), given, totals), {"B": B, "C": C, "D": D})))
    return found


def test_planted_defects_are_found_and_good_questions_are_not_named() -> None:
    """100 defects and 300 good questions in 10 exams. At least 95 % are found, and at most 5 % are false."""
    named = missed = false = 0
    for seed in range(EXAMS):
        random = Random(seed)
        planted: list[Choose] = [good] * QUESTIONS
        for number, place in enumerate(random.sample(range(QUESTIONS), 10)):
            planted[place] = DEFECTS[(seed * 10 + number) % len(DEFECTS)]
        for choose, is_named in zip(planted, flagged(random, planted), strict=True):
            named += choose is not good and is_named
            missed += choose is not good and not is_named
            false += choose is good and is_named
    assert named + missed == 100
    assert named >= 95, f"{missed} defects were missed"
    assert false <= 15, f"{false} of 300 good questions were named"
