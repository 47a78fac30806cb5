"""The board of an exam, which only the embedded service has."""

from datetime import datetime
from enum import StrEnum

from lms_tui.wire.base import Count, Duration, Flag, Input, Instant, Many, Text, Wire


class BoardRow(Wire):
    """An attempt on the board.

    `state` is running, paused, time over or ended. `answered`: questions with an answer. `remaining_time` is that of
    the moment of the reply, and `ends_at` when it is used up: None while paused, without a time limit and after the
    end.
    `devices`: how many programs have sent answers. `notices`: how many the student was sent.
    `waiting_notices`: how many of them the student's app has not shown.
    """

    attempt: Count = 0
    username: Text = ""
    name: Text = ""
    state: Text = ""
    answered: Count = 0
    total_questions: Count = 0
    remaining_time: Duration = None
    ends_at: Instant = None
    started: Instant = None
    last_contact: Instant = None
    devices: Count = 0
    notices: Count = 0
    waiting_notices: Count = 0


class Board(Wire):
    """Attempts of an exam that have changed since a cursor. `more`: ask again at once with the new cursor."""

    slug: Text = ""
    title: Text = ""
    now: Instant = None
    cursor: Text = ""
    more: Flag = False
    attempts: Many[BoardRow] = ()


class GrantKind(StrEnum):
    TIME = "time"
    PAUSE = "pause"
    GO_ON = "go-on"
    END = "end"
    REOPEN = "reopen"
    MESSAGE = "message"
    OUTAGE = "outage"


class Grant(Input):
    """A change of running attempts, or a message. `usernames`: of the students, or none for everyone.

    `minutes`: extra time for `time` and `reopen`. `text`: of a message. `since`, `until`: of an outage. `reopen` needs
    user names.
    """

    kind: GrantKind
    usernames: tuple[str, ...] = ()
    minutes: int | None = None
    text: str | None = None
    since: datetime | None = None
    until: datetime | None = None


class Granted(Wire):
    """`changed`: the number of attempts that a grant has changed."""

    changed: Count = 0
