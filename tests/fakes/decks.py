"""Cards and decks for tests."""

from collections.abc import Iterator
from contextlib import closing
from decimal import Decimal
from pathlib import Path

import pytest

from lms_tui.banks.model import Exam, NumericKey, Option, Pair, Question, Section, TextKey
from lms_tui.practice.cards import Card, cards_of
from lms_tui.practice.decks import Decks
from lms_tui.practice.store import Deck
from lms_tui.wire.question_types import QuestionType

DAY = 86_400.0
START = 1_800_014_400.0
"""Some moment. The tests count days from it."""


class Clocks:
    """A wall clock and a boot clock that a test moves together."""

    def __init__(self, now: float = START) -> None:
        self.time = now

    def now(self) -> float:
        return self.time

    def later(self, seconds: float) -> None:
        self.time += seconds


@pytest.fixture
def deck(tmp_path: Path) -> Iterator[Deck]:
    with closing(Deck(tmp_path / "deck")) as opened:
        yield opened


def decks(folder: Path, clocks: Clocks) -> Decks:
    return Decks(folder, clocks.now, clocks.now)


def sums(count: int, *, subject: str = "Sums") -> tuple[Card, ...]:
    """Questions of one answer, in which the first option is correct."""
    questions = (
        Question(
            QuestionType.SINGLE,
            f"<p>{number} + {number}?</p>",
            (Option(str(2 * number), correct=True), Option(str(2 * number + 1)), Option("0.5")),
            subject=(subject,),
            explanation_html=f"<p>Twice {number}.</p>",
        )
        for number in range(1, count + 1)
    )
    return cards_of(Exam("Sums", (Section("", tuple(questions)),)))


def every_type() -> dict[QuestionType, Card]:
    kinds = (
        Question(QuestionType.SINGLE, "<p>2 + 2?</p>", (Option("4", correct=True), Option("5"))),
        Question(
            QuestionType.MULTIPLE,
            "<p>Even?</p>",
            (Option("2", correct=True), Option("3"), Option("4", correct=True)),
        ),
        Question(QuestionType.SHORT, "<p>A sea?</p>", texts=(TextKey("North *"), TextKey("Baltic"))),
        Question(QuestionType.NUMERIC, "<p>π?</p>", numbers=(NumericKey(Decimal("3.13"), Decimal("3.15")),)),
        Question(QuestionType.GAPS, "<p>The [[1]] is [[2]].</p>", texts=(TextKey("sky", 1), TextKey("blue", 2))),
        Question(QuestionType.MATCH, "<p>Match.</p>", pairs=(Pair("<b>a</b>", "1"), Pair("b", "2"), Pair("", "3"))),
        Question(QuestionType.ESSAY, "<p>Write.</p>", explanation_html="<p>A model.</p>"),
    )
    return dict(zip((each.kind for each in kinds), cards_of(Exam("All", (Section("", kinds),))), strict=True))
