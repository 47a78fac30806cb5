"""Attempts where a reply tells more of them than the list does. The client needs no more than the list."""

from lms_tui.wire.attempts import Attempt
from lms_tui.wire.base import Number, Text
from lms_tui.wire.users import UserSummary


class AttemptWithUser(Attempt):
    """An attempt in the list of one exam. `user` is an object."""

    user: UserSummary = UserSummary()


class LiveAttempt(AttemptWithUser):
    """The attempt in the reply to a heartbeat."""

    exam_url: Text = ""


class CreatedAttempt(LiveAttempt):
    """The attempt in the reply to its creation. `score` is a number here."""

    score: Number = None  # type: ignore[assignment]  # the document gives a number on create and a string elsewhere
