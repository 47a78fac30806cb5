"""The options of an exam file."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class FileOptions:
    """How a file is read. Empty values leave the choice to the reader.

    `encoding`: of a text. `columns`: of a sheet, such as `question=A,options=C-F,answer=G`. `quizzes`: the titles of
    those quizzes of a package that are read.
    """

    encoding: str = ""
    columns: str = ""
    quizzes: tuple[str, ...] = ()


AS_FOUND: Final = FileOptions()
"""The content alone decides."""
