"""The caller of a request, for what needs no HTTP."""

from datetime import datetime
from enum import StrEnum
from typing import Final

from lms_tui.common.frozen import frozen


class Role(StrEnum):
    STUDENT = "student"
    MENTOR = "mentor"
    MODERATOR = "moderator"
    ADMIN = "admin"


STAFF: Final = frozenset({Role.MODERATOR, Role.ADMIN})
"""Roles that see all content of the institute and create playback tokens."""


@frozen
class Principal:
    """The caller of a request. `now`: when the caller was read. `has_overdue`: an attempt must be ended first."""

    id: int
    role: Role
    now: datetime
    has_overdue: bool
