"""The options of an exam file."""

from typing import Final

from lms_tui.common.frozen import frozen


@frozen
class FileOptions:
    """How an exam file is read. With empty values, the reader chooses.

    `encoding`: the encoding of a text. `columns`: the columns of a sheet, such as `question=A,options=C-F,answer=G`.
    `quizzes`: the titles of the quizzes to read from a package.
    """

    encoding: str = ""
    columns: str = ""
    quizzes: tuple[str, ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """The words of a command line that say the same."""
        named = (("--encoding", self.encoding), ("--columns", self.columns))
        given = [*((name, value) for name, value in named if value), *(("--quiz", title) for title in self.quizzes)]
        return tuple(word for pair in given for word in pair)


AS_FOUND: Final = FileOptions()
"""The content alone decides."""
