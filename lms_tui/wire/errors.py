"""What can go wrong between a client and the service, drawn once.

ApiError
├── Unreachable         nobody knows whether the request arrived: try again later
│   ├── Offline           no connection
│   ├── TimedOut          no answer in time
│   ├── Busy              429 or 503, with the wait that was asked for
│   ├── ServerFault       any other 5xx
│   └── NotTheService     an answer, but not this API's: a sign-in page of a network, half a body
├── Refused             the service understood and said no
│   ├── SignInNeeded      401
│   ├── Forbidden         403
│   ├── NotFound          404
│   └── Invalid           400 and 422, with what is wrong at which field
└── Defect              a reply that breaks the contract: report it
"""

from collections.abc import Mapping

from lms_tui.common.user_errors import AdvisedError


class ApiError(AdvisedError):
    """One sentence of what happened (`str(error)`) and one of what to do (`advice`), both cleaned and for people."""

    advice = "Try again."

    def __init__(self, message: str, *, advice: str | None = None, status: int | None = None) -> None:
        super().__init__(message, self.advice if advice is None else advice)
        self.status = status


class Unreachable(ApiError):
    """`retry_after`: seconds the service asked us to wait, None where it did not."""

    advice = "Your work is kept here and is sent when the service is back."

    def __init__(
        self, message: str, *, advice: str | None = None, status: int | None = None, retry_after: float | None = None
    ) -> None:
        super().__init__(message, advice=advice, status=status)
        self.retry_after = retry_after


class Offline(Unreachable):
    advice = "Check the network and the server's address."


class TimedOut(Unreachable):
    advice = "The network may be slow; it is tried again by itself."


class Busy(Unreachable):
    pass


class ServerFault(Unreachable):
    pass


class NotTheService(Unreachable):
    advice = "If your network has a sign-in page of its own, open it in a browser."


class Refused(ApiError):
    pass


class SignInNeeded(Refused):
    advice = "Sign in again."


class Forbidden(Refused):
    advice = "Ask your institute if you think you should have access."


class NotFound(Refused):
    advice = "Check the name and try again."


class Invalid(Refused):
    """`fields`: the service's words for each field, in its order; "" holds what belongs to no field."""

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
    advice = "Please report this to whoever runs the server."
