"""What of a journal the server has not taken (pure)."""

from collections.abc import Iterable

from lms_tui.attempt.ports import Kept
from lms_tui.attempt.values import Answer


def undelivered(history: Iterable[Kept]) -> list[Kept]:
    """Return the newest change of each question that waits for the server; `history`: oldest first.

    Having merely seen a question is nothing that anyone would miss. An emptied answer is: it was something before.
    """
    newest: dict[int, Kept] = {}
    worth: set[int] = set()
    for kept in history:
        newest[kept.entry.question_id] = kept
        if says_something(kept.entry.answer):
            worth.add(kept.entry.question_id)
    return [kept for question, kept in newest.items() if question in worth and not kept.acknowledged]


def says_something(answer: Answer) -> bool:
    return answer.given or answer.marked or bool(answer.essay_topic)
