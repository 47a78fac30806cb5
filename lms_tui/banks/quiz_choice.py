"""Choose quizzes of a package by their titles."""

from collections.abc import Iterable, Sequence
from typing import Final

from lms_tui.banks.model import NotAnExam
from lms_tui.common.cleaning import clean_line
from lms_tui.common.frozen import frozen

_MOST_NAMED: Final = 12


@frozen
class QuizChoice:
    """The titles of the quizzes that are wanted. All of them if `titles` is empty. `package`: the name of the file."""

    package: str
    titles: Sequence[str] = ()

    def of(self, found: Iterable[str]) -> list[int]:
        """Return the places of the wanted quizzes among the titles that were found. Raises NotAnExam.

        Capital and small letters are the same here.
        """
        known = [clean_line(title) for title in found]
        wanted = {clean_line(title).casefold(): title for title in self.titles}
        for name, title in wanted.items():
            if name not in {each.casefold() for each in known}:
                raise NotAnExam(f"{self.package} has no quiz “{clean_line(title)[:80]}”.", _named(known))
        return [at for at, title in enumerate(known) if not wanted or title.casefold() in wanted]


def left_out_quizzes(number: int) -> str:
    """Return the sentence about the quizzes that are not wanted."""
    return f"{number} other {'quiz' if number == 1 else 'quizzes'} of the package left out, as --quiz asks."


def _named(titles: Iterable[str]) -> str:
    named = list(dict.fromkeys(titles))
    more = " and others" if len(named) > _MOST_NAMED else ""
    return f"Its quizzes: {'; '.join(title[:80] for title in named[:_MOST_NAMED])}{more}."
