"""Errors of requests to a server.

ApiError
├── Unreachable         the request may not have arrived: try again later
│   ├── Offline           no connection
│   ├── TimedOut          no reply in time
│   ├── Busy              429 or 503, with the wait that the server asks for
│   ├── ServerFault       any other 5xx
│   └── NotTheService     a reply that is not of this API, such as the sign-in page of a network
├── Refused             the server understood the request and refused it
│   ├── SignInNeeded      401
│   ├── Forbidden         403
│   ├── NotFound          404
│   ├── NotOffered        404 or 405 at a list that the API document does not have
│   └── Invalid           400 and 422, with the errors of each field
└── Defect              a reply that breaks the contract: report it
"""

from collections.abc import Mapping

from lms_tui.common.user_errors import AdvisedError


class ApiError(AdvisedError):
    """An error for a person: `str(error)` says what happened, `advice` says what to do. Both are cleaned."""

    advice = "Try again."

    def __init__(self, message: str, *, advice: str | None = None, status: int | None = None) -> None:
        super().__init__(message, self.advice if advice is None else advice)
        self.status = status


class Unreachable(ApiError):
    """The server could not be reached. `retry_after` is the wait in seconds that it asks for, or None."""

    advice = "Your work is saved on this computer and is sent when the server is back."

    def __init__(
        self, message: str, *, advice: str | None = None, status: int | None = None, retry_after: float | None = None
    ) -> None:
        super().__init__(message, advice=advice, status=status)
        self.retry_after = retry_after


class Offline(Unreachable):
    advice = "Check the network and the server's address."


class TimedOut(Unreachable):
    advice = "The network may be slow. Try again."


class Busy(Unreachable):
    pass


class ServerFault(Unreachable):
    pass


class NotTheService(Unreachable):
    advice = "If your network has a sign-in page, open it in a browser."


class Refused(ApiError):
    pass


class SignInNeeded(Refused):
    advice = "Sign in again."


class Forbidden(Refused):
    advice = "Ask your institute if you think you should have access."


class NotFound(Refused):
    advice = "Check the name and try again."


class NotOffered(Refused):
    """The server lacks an endpoint that the API document does not have. Other servers may have it."""

    advice = ""


class Invalid(Refused):
    """The server refused the values. `fields` maps each field to its errors, and "" to general errors."""

    advice = "Correct it and try again."

    def __init__(
        self,
        message: str,
        *,
        advice: str | None = None,
        status: int | None = None,
        fields: Mapping[str, tuple[str, ...]] | None = None,
    ) -> None:
        super().__init__(message, advice=advice, status=status)
        self.fields = dict(fields or {})


class Defect(ApiError):
    advice = "Report this to the administrator of the server."
