"""Errors for people, each with two sentences (standard library only)."""

from lms_tui.common.cleaning import clean_line


class AdvisedError(Exception):
    """`str(error)` is a sentence about what happened. `advice` is a sentence about what to do."""

    advice: str

    def __init__(self, message: str, advice: str) -> None:
        super().__init__(message)
        self.advice = advice


class UsageError(AdvisedError):
    """A command cannot work with the given options or input."""


def in_words(error: Exception) -> str | None:
    """Return both sentences, each on a line and cleaned for a terminal. Return None for any other error.

    An OSError with a file name is also an error for people.
    """
    if isinstance(error, AdvisedError):
        return two_sentences(str(error), error.advice)
    if isinstance(error, OSError) and error.filename is not None:
        return two_sentences(
            f"{error.filename}: {error.strerror}.", "Check the name, the folder and the permissions of the file."
        )
    return None


def two_sentences(what: str, advice: str) -> str:
    return f"lms-tui: {clean_line(what)}\n{clean_line(advice)}"
