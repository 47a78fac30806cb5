"""Stamps of answers: a change that wandered through the network never overwrites a newer one of the same writer.

`X-Answer-Seq: writer:sequence`. Sequences of different writers (two devices, a new journal) cannot be compared: there
the change that arrives last wins.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final, Self

from fastapi import Header

PATTERN: Final = r"^(?:[A-Za-z0-9_-]{1,64}:)?[0-9]{1,18}$"
_MOST_WRITERS: Final = 16

StampHeader = Annotated[str | None, Header(alias="X-Answer-Seq", pattern=PATTERN)]


@dataclass(frozen=True, slots=True)
class Stamp:
    """One writer's count of its changes; `writer` is "" where it gave no name."""

    writer: str
    sequence: int

    @classmethod
    def read(cls, header: str | None) -> Self | None:
        if header is None or re.match(PATTERN, header) is None:
            return None
        writer, _, sequence = header.rpartition(":")
        return cls(writer, int(sequence))

    def older_than(self, applied: Mapping[str, int]) -> bool:
        """Whether a newer change of this writer has been applied; `applied`: the highest sequence by writer."""
        return self.sequence < applied.get(self.writer, -1)

    def onto(self, applied: Mapping[str, int]) -> dict[str, int]:
        """What has been applied once this change is, the writer heard last at the end, the oldest forgotten."""
        others = {writer: sequence for writer, sequence in applied.items() if writer != self.writer}
        kept = list(others.items())[-(_MOST_WRITERS - 1) :]
        return {**dict(kept), self.writer: max(self.sequence, applied.get(self.writer, 0))}
