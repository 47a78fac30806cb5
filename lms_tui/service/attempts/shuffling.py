"""The order of the questions of one attempt."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from random import Random
from typing import NamedTuple


class Placed(NamedTuple):
    """A question with its section and its passage, None without one."""

    id: int
    section_id: int
    passage_id: int | None


def shuffled(questions: Sequence[Placed], seed: str) -> list[Placed]:
    """Return the questions in an order that follows from the seed.

    Sections keep their order, and so do the questions of one passage, which stay together.
    """
    chance = Random(seed)  # fair, and no secret: the order can be made again from the seed
    found: list[Placed] = []
    for _, section in groupby(questions, key=lambda question: question.section_id):
        parts = list(_together(section))
        chance.shuffle(parts)
        found.extend(question for part in parts for question in part)
    return found


def _together(section: Iterable[Placed]) -> Iterable[list[Placed]]:
    """Yield questions alone, and those in a row that share a passage as one part."""
    for passage_id, part in groupby(section, key=lambda question: question.passage_id):
        if passage_id is None:
            yield from ([question] for question in part)
        else:
            yield list(part)
