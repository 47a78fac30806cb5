"""The options of an exam file."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class FileOptions:
    """How an exam file is read. With empty values, the reader chooses.

    `encoding`: the encoding of a text. `columns`: the columns of a sheet, such as `question=A,options=C-F,answer=G`.
    `quizzes`: the titles of the quizzes to read from a package.
    """

    encoding: str = ""
    columns: str = ""
    quizzes: tuple[str, ...] = ()


AS_FOUND: Final = FileOptions()
"""The content alone decides."""
