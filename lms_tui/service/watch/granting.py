"""Changes of running exams that staff ask for in a request."""

from datetime import timedelta
from typing import Annotated, Final

from pydantic import AfterValidator, Field

from lms_tui.service.core.bodies import Body, Names
from lms_tui.service.core.errors import Invalid
from lms_tui.service.core.text import storable
from lms_tui.service.watch.grants import Grants, Row
from lms_tui.wire.board import GrantKind

_MOST_MINUTES: Final = 24 * 60
Minutes = Annotated[int, Field(strict=True, ge=0, le=_MOST_MINUTES)]
Message = Annotated[str, Field(strict=True, max_length=500), AfterValidator(storable)]


class GrantBody(Body):
    kind: GrantKind
    usernames: Names = Field(default_factory=list)
    minutes: Minutes = 0
    text: Message = ""


def carry_out(grants: Grants, body: GrantBody) -> list[Row]:
    """Change the attempts of the users of `grants`. Raises Invalid and NotFound."""
    extra = timedelta(minutes=body.minutes)
    match body.kind:
        case GrantKind.TIME:
            if not extra:
                raise Invalid({"minutes": ["Give 1 minute or more."]})
            return grants.add(extra)
        case GrantKind.PAUSE:
            return grants.pause()
        case GrantKind.GO_ON:
            return grants.go_on()
        case GrantKind.END:
            return grants.end()
        case GrantKind.REOPEN:
            if not body.usernames:
                raise Invalid({"usernames": ["Name the students whose exam continues."]})
            return grants.reopen(extra)
        case GrantKind.MESSAGE:
            text = " ".join(body.text.split())
            if not text:
                raise Invalid({"text": ["Write a message."]})
            return grants.message(text)
