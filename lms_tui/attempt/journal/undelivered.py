"""The answers of a journal that the server has not taken (pure)."""

from collections.abc import Iterable
from typing import Final

from lms_tui.attempt.ports import Kept
from lms_tui.attempt.values import Answer


def undelivered(history: Iterable[Kept]) -> list[Kept]:
    """Return the newest change of each question that waits for the server.

    `history` is in the order of the changes. A visit alone does not count. An emptied answer counts.
    """
    newest: dict[int, Kept] = {}
    worth: set[int] = set()
    for kept in history:
        newest[kept.entry.question_id] = kept
        if says_something(kept.entry.answer):
            worth.add(kept.entry.question_id)
    return [kept for question, kept in newest.items() if question in worth and not kept.acknowledged]


FINISHED: Final = "finished"
"""Name of a fact. It is set when the attempt is over and every answer was compared."""
ATTEMPT: Final = "attempt"
"""Name of the fact that holds the attempt, while its questions are kept."""


def says_something(answer: Answer) -> bool:
    return answer.given or answer.marked or bool(answer.essay_topic)
