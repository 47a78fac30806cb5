"""Errors for a person at the shell (standard library only): what happened, and what to do about it."""

from lms_tui.common.cleaning import clean_line


class AdvisedError(Exception):
    """`str(error)` says in one sentence what happened, `advice` in another what to do."""

    advice: str

    def __init__(self, message: str, advice: str) -> None:
        super().__init__(message)
        self.advice = advice


class UsageError(AdvisedError):
    """A command that was given something it cannot work with."""


def in_words(error: Exception) -> str | None:
    """Return both sentences, each in a line, cleaned for a terminal; None for an error that is not made for people.

    What the system refuses about a file is for people too.
    """
    if isinstance(error, AdvisedError):
        return two_sentences(str(error), error.advice)
    if isinstance(error, OSError) and error.filename is not None:
        return two_sentences(
            f"{error.filename}: {error.strerror}.", "Check the name, the place and the rights of the file."
        )
    return None


def two_sentences(what: str, advice: str) -> str:
    return f"lms-tui: {clean_line(what)}\n{clean_line(advice)}"
