"""Errors of requests and commands. `error_replies` makes responses of them."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Final

NO_SUCH: Final = "Not found"
WHOLE: Final = "non_field_errors"


class Failure(Exception):
    """A refused request. `detail` is the sentence that the client gets."""

    status = HTTPStatus.BAD_REQUEST

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail


class NotSignedIn(Failure):
    status = HTTPStatus.UNAUTHORIZED


class Forbidden(Failure):
    status = HTTPStatus.FORBIDDEN


class TooMany(Failure):
    """Too many wrong passwords or codes. `seconds`: how long to wait."""

    status = HTTPStatus.TOO_MANY_REQUESTS

    def __init__(self, seconds: int, doing: str = "sign in") -> None:
        super().__init__(f"Too many attempts to {doing}. Try again in {seconds} seconds.")
        self.seconds = seconds


class Overloaded(Failure):
    """More people sign in than can be served in time. `seconds`: how long to wait."""

    status = HTTPStatus.SERVICE_UNAVAILABLE

    def __init__(self, seconds: int) -> None:
        super().__init__(f"Many people are signing in. Try again in {seconds} seconds.")
        self.seconds = seconds


class NotFound(Failure):
    status = HTTPStatus.NOT_FOUND

    def __init__(self) -> None:
        super().__init__(NO_SUCH)


class Invalid(Exception):
    """Refused input, with sentences for each field, or under `non_field_errors`."""

    def __init__(self, fields: Mapping[str, Sequence[str]]) -> None:
        super().__init__("invalid input")
        self.fields = {name: list(sentences) for name, sentences in fields.items()}


def invalid_token() -> NotSignedIn:
    return NotSignedIn("The token is invalid or has expired. Sign in again.")


def not_yours() -> Forbidden:
    return Forbidden("This attempt is not yours.")


def already_ended() -> Forbidden:
    return Forbidden("The exam has already ended")
