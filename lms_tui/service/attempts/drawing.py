"""The questions of one attempt and their order, which follow from the seed of the attempt."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from random import Random
from typing import NamedTuple


class Placed(NamedTuple):
    """A question with its section and its passage, None without one.

    `pool`: the number of its pool, or 0 if every attempt has it. `digest`: what it is known by in other exams.
    """

    id: int
    section_id: int
    passage_id: int | None
    pool: int = 0
    digest: str = ""


def drawn(
    questions: Sequence[Placed], picks: Sequence[int], asked_before: Mapping[str, int], seed: str
) -> list[Placed]:
    """Return the questions of an attempt, in their order: `picks[0]` of the first pool, and so on.

    Questions that the student was asked less often come first, so none is repeated until its pool is used up. Among
    them, each set of questions is equally likely.
    """
    chance = Random(f"{seed} draw")  # fair, and no secret: the draw can be made again from the seed
    taken: set[int] = set()
    for pool, count in enumerate(picks, 1):
        by_times: dict[int, list[Placed]] = defaultdict(list)
        for question in questions:
            if question.pool == pool:
                by_times[asked_before.get(question.digest, 0)].append(question)
        wanted = count
        for _, equal in sorted(by_times.items()):
            found = chance.sample(equal, min(wanted, len(equal)))
            taken.update(question.id for question in found)
            wanted -= len(found)
    return [question for question in questions if not question.pool or question.id in taken]


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


def option_order(options: Sequence[tuple[int, bool]], seed: str) -> list[int]:
    """Return the IDs of the options of a question in an order that follows from the seed.

    `options`: each with its ID and whether it is fixed. A fixed one keeps its place.
    """
    free = [id_ for id_, is_fixed in options if not is_fixed]
    Random(seed).shuffle(free)
    others = iter(free)
    return [id_ if is_fixed else next(others) for id_, is_fixed in options]


def _together(section: Iterable[Placed]) -> Iterable[list[Placed]]:
    """Yield questions alone, and those in a row that share a passage as one part."""
    for passage_id, part in groupby(section, key=lambda question: question.passage_id):
        if passage_id is None:
            yield from ([question] for question in part)
        else:
            yield list(part)
