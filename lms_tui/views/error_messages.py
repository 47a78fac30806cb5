"""The one place where an error becomes words on a screen: what happened, and what to do."""

from dataclasses import dataclass
from typing import Final

from lms_tui.attempt.ports import JournalError
from lms_tui.common.cleaning import clean_line
from lms_tui.wire.errors import ApiError, Invalid, Refused, SignInNeeded, Unreachable

_LONGEST: Final = 400


@dataclass(frozen=True, slots=True)
class ErrorMessage:
    """`what` happened and what to do (`advice`), each one cleaned sentence; `again`: trying again may help."""

    what: str
    advice: str
    again: bool = True

    @property
    def text(self) -> str:
        return f"{self.what} {self.advice}".strip()


def error_message(error: Exception, *, retry: str = "") -> ErrorMessage:
    """Say an error. `retry`: how to try again here, "Press r to try again."; used where waiting can help."""
    what = clean_line(str(error))[:_LONGEST]
    match error:
        case Unreachable():
            own = "" if error.advice == Unreachable.advice else clean_line(error.advice)
            return ErrorMessage(what, " ".join(part for part in (own, retry) if part) or "Try again.")
        case SignInNeeded():
            return ErrorMessage(what, "Sign in again: leave with ctrl+q and start the program again.", again=False)
        case Refused():
            return ErrorMessage(what, clean_line(error.advice), again=False)
        case ApiError() | JournalError():
            return ErrorMessage(what, clean_line(error.advice))
        case _:
            return ErrorMessage(
                "The program met a fault of its own.", "Please report it; the log says where it happened."
            )


def field_words(error: Exception, fields: tuple[str, ...]) -> dict[str, str]:
    """The service's words for those fields of a form that it complained about; "" for what belongs to no field."""
    if not isinstance(error, Invalid):
        return {}
    return {
        name if name in fields else "": clean_line(" ".join(lines))[:_LONGEST]
        for name, lines in error.fields.items()
        if lines
    }
