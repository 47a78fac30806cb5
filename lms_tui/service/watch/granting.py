"""Changes of running exams that staff ask for in a request."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Annotated, Final

from pydantic import AfterValidator, Field

from lms_tui.common.outages import LONGEST
from lms_tui.service.core.bodies import Body, Names, When
from lms_tui.service.core.errors import Invalid
from lms_tui.service.core.text import storable
from lms_tui.service.watch.grants import Grants, Outage, Row
from lms_tui.wire.board import GrantKind

_NOTHING: Final = timedelta()
_MOST_MINUTES: Final = 24 * 60
Minutes = Annotated[int, Field(strict=True, ge=0, le=_MOST_MINUTES)]
Message = Annotated[str, Field(strict=True, max_length=500), AfterValidator(storable)]


class GrantBody(Body):
    kind: GrantKind
    usernames: Names = Field(default_factory=list)
    minutes: Minutes = 0
    text: Message = ""
    since: When | None = None
    until: When | None = None


def carry_out(grants: Grants, body: GrantBody) -> list[Row]:
    """Change the attempts of the users of `grants`. Raises Invalid and NotFound."""
    changes: dict[GrantKind, Callable[[], list[Row]]] = {
        GrantKind.TIME: lambda: grants.add(_minutes(body)),
        GrantKind.OUTAGE: lambda: grants.credit(_outage(body, grants.now)),
        GrantKind.PAUSE: grants.pause,
        GrantKind.GO_ON: grants.go_on,
        GrantKind.END: grants.end,
        GrantKind.REOPEN: lambda: _reopen(grants, body),
        GrantKind.MESSAGE: lambda: grants.message(_text(body)),
    }
    return changes[body.kind]()


def _minutes(body: GrantBody) -> timedelta:
    if not body.minutes:
        raise Invalid({"minutes": ["Give 1 minute or more."]})
    return timedelta(minutes=body.minutes)


def _outage(body: GrantBody, now: datetime) -> Outage:
    if body.since is None or body.until is None or not _NOTHING < body.until - body.since <= LONGEST:
        raise Invalid({"until": ["Give the begin and the end of an outage of 12 hours at most."]})
    if body.until > now:
        raise Invalid({"until": ["The outage must be over."]})
    return Outage(body.since, body.until)


def _reopen(grants: Grants, body: GrantBody) -> list[Row]:
    if not body.usernames:
        raise Invalid({"usernames": ["Name the students whose exam continues."]})
    return grants.reopen(timedelta(minutes=body.minutes))


def _text(body: GrantBody) -> str:
    text = " ".join(body.text.split())
    if not text:
        raise Invalid({"text": ["Write a message."]})
    return text
