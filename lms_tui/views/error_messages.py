"""Turns errors into messages for people: what happened, and what to do."""

from dataclasses import replace
from typing import Final

from lms_tui.attempt.ports import JournalError
from lms_tui.common.cleaning import clean_line
from lms_tui.common.frozen import frozen
from lms_tui.wire.errors import ApiError, Forbidden, Invalid, Refused, SignInNeeded, Unreachable

_LONGEST: Final = 400


@frozen
class ErrorMessage:
    """`what`: the error. `advice`: what to do. `again`: whether another try can help."""

    what: str
    advice: str
    again: bool = True

    @property
    def text(self) -> str:
        return f"{self.what} {self.advice}".strip()


def error_message(error: Exception, *, retry: str = "") -> ErrorMessage:
    """Describe an error. `retry` replaces the advice if another try can help."""
    what = clean_line(str(error))[:_LONGEST]
    match error:
        case Unreachable():
            own = "" if error.advice == Unreachable.advice else clean_line(error.advice)
            return ErrorMessage(what, " ".join(part for part in (own, retry) if part) or "Try again.")
        case SignInNeeded():
            return ErrorMessage(what, "Press ctrl+q to quit, start the program again and sign in.", again=False)
        case Refused():
            return ErrorMessage(what, clean_line(error.advice), again=False)
        case ApiError() | JournalError():
            return ErrorMessage(what, clean_line(error.advice))
        case _:
            return ErrorMessage("An internal error occurred.", "Please report it with the log file.")


def review_message(error: Exception, *, retry: str = "") -> ErrorMessage:
    """Describe why a review is not shown. When it is shown is the institute's decision, so a refusal has no advice."""
    message = error_message(error, retry=retry)
    return replace(message, advice="") if isinstance(error, Forbidden) else message


def field_words(error: Exception, fields: tuple[str, ...]) -> dict[str, str]:
    """The errors of the server by field of a form. "" holds the errors that belong to no field."""
    if not isinstance(error, Invalid):
        return {}
    return {
        name if name in fields else "": clean_line(" ".join(lines))[:_LONGEST]
        for name, lines in error.fields.items()
        if lines
    }
