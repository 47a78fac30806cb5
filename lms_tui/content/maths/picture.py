"""A drawn formula: rows of equal width with a baseline."""

from dataclasses import dataclass

from lms_tui.content.cells import width


@dataclass(frozen=True, slots=True)
class Picture:
    """`rows`: each padded to `width` cells; `baseline`: the row that stands on the line of the text around it."""

    rows: tuple[str, ...]
    width: int
    baseline: int = 0

    @property
    def above(self) -> int:
        return self.baseline

    @property
    def below(self) -> int:
        return len(self.rows) - 1 - self.baseline

    @property
    def height(self) -> int:
        return len(self.rows)


def line_of(text: str) -> Picture:
    """One row."""
    return Picture((text,), width(text))
