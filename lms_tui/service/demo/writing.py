"""Short ways to write questions: options in their order, the key as letters, and always an explanation."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from string import ascii_uppercase

from lms_tui.banks.model import Option, Question
from lms_tui.wire.question_types import QuestionType

Path = tuple[str, ...]


def choose(
    html: str,
    options: Sequence[str],
    key: str,
    why: str,
    *,
    subject: Path = (),
    direction: str = "",
    marks: Decimal | None = None,
    negative_marks: Decimal | None = None,
) -> Question:
    """Write a question of type R where `key` is one letter (`"B"`) and of type C where it is several (`"AC"`).

    Raises ValueError where the key names an option that is not there.
    """
    letters = ascii_uppercase[: len(options)]
    if not key or not set(key) <= set(letters):
        raise ValueError(f"the key {key!r} fits none of {len(options)} options")
    return Question(
        kind=QuestionType.SINGLE if len(key) == 1 else QuestionType.MULTIPLE,
        html=html,
        options=tuple(Option(option, correct=letter in key) for letter, option in zip(letters, options, strict=True)),
        explanation_html=why,
        subject=subject,
        direction_html=direction,
        marks=marks,
        negative_marks=negative_marks,
    )


def numbered(prefix: str, questions: Sequence[Question]) -> tuple[Question, ...]:
    """Give questions their identifiers: `prefix-1`, `prefix-2`, …"""
    return tuple(replace(one, identifier=f"{prefix}-{number}") for number, one in enumerate(questions, 1))
