"""Item statistics name questions that may have a defect."""

from decimal import Decimal
from random import Random

import pytest

from lms_tui.service.exams.item_analysis import Analysis, Given, analyse, suspicions

A, B, C = 1, 2, 3


def analysed(chances: tuple[float, float], others: tuple[int, ...] = (B, C), students: int = 40) -> Analysis:
    """Analyse answers of weak and strong students, who choose the key A with these chances."""
    random = Random(5)
    given = []
    for student in range(students):
        correct = random.random() < chances[student % 2]
        chosen = A if correct else random.choice(others)
        given.append(Given(student, float(correct), answered=True, chosen=(chosen,)))
    return analyse(
        Decimal(1), given, {student: given[student].marks + 10 * (student % 2) for student in range(students)}
    )


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (analysed((0.2, 0.9)), ""),
        (analysed((0.9, 0.2)), "check the key"),
        (analysed((0.9, 0.2), students=6), "check the key"),
        (analysed((0.2, 0.9), others=(B,)), "nobody chose C"),
        (analysed((0.2, 0.9), others=(B,), students=6), ""),
        (analysed((1.0, 1.0)), "everyone answered correctly"),
        (analysed((0.0, 0.0)), "nobody answered correctly"),
    ],
)
def test_a_question_that_may_have_a_defect_is_named(found: Analysis, expected: str) -> None:
    told = suspicions(found, {"B": B, "C": C})
    assert len(told) == bool(expected)
    assert expected in " ".join(told)


def test_answers_without_marks_are_no_zero() -> None:
    given = [Given(1, 0.0, answered=True, written="words", marked=False), Given(2, 2.0, answered=True)]
    found = analyse(Decimal(4), given, {1: 0.0, 2: 2.0})
    assert (found.answered, found.waiting, found.facility) == (2, 1, 0.5)


def test_an_incorrect_option_that_strong_students_choose_is_named() -> None:
    """Half of the strong students choose B, which may be correct too. Weak students who do not know choose C."""
    chosen = [A if student % 4 < 2 else (C, B)[student % 2] for student in range(40)]
    given = [
        Given(student, float(option == A), answered=True, chosen=(option,)) for student, option in enumerate(chosen)
    ]
    totals = {student: given[student].marks + 10 * (student % 2) for student in range(40)}
    told = suspicions(analyse(Decimal(1), given, totals), {"B": B, "C": C})
    assert "students with high scores chose B more often: it may be correct too" in told
