"""The lines of the paragraphs of a document."""

from lms_tui.banks.word.numbering import Label
from lms_tui.banks.word.runs import Runs
from lms_tui.common.frozen import frozen


@frozen
class Line:
    """A line of a paragraph. `paragraph` counts from 1."""

    paragraph: int
    runs: Runs
    label: Label | None = None
    heading: bool = False
    role: str = ""
    follows: bool = False
    """Whether it follows another line of its paragraph."""

    @property
    def text(self) -> str:
        return self.runs.text.strip()
