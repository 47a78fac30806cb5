"""The audit: who changed marks, keys, times and people, with the values before and after."""

import getpass
import json
import os
from contextlib import suppress
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from lms_tui.service.core.database.audit import AuditLine
from lms_tui.service.core.database.people import User
from lms_tui.service.core.text import storable

Values = dict[str, Any]


def note(
    session: Session,
    *,
    at: datetime,
    who: str,
    what: str,
    about: str,
    before: Values | None = None,
    after: Values | None = None,
) -> None:
    """Add a line to the audit in the transaction of the change.

    Values that are equal before and after are left out. A change without a different value adds no line.
    """
    if before is not None and after is not None:
        before, after = _different(before, after), _different(after, before)
        if not before and not after:
            return
    session.add(
        AuditLine(
            at=at, who=who[:200], what=what, about=storable(about)[:500], before=_as_json(before), after=_as_json(after)
        )
    )


def login_of(session: Session, user_id: int) -> str:
    """Return the user name of the caller of an endpoint, for `who`."""
    return session.scalar(select(User.username).where(User.id == user_id)) or f"user {user_id}"


def shell_user() -> str:
    """Return `shell: NAME` with the name that the operating system knows, for `who` of a command."""
    with suppress(ImportError, KeyError):
        import pwd  # noqa: PLC0415  # Windows lacks it

        # The name of the account: `getpass` would trust the environment.
        return f"shell: {pwd.getpwuid(os.getuid()).pw_name}"
    with suppress(ImportError, KeyError, OSError):
        return f"shell: {getpass.getuser()}"
    return "shell"


def _different(values: Values, others: Values) -> Values:
    return {name: value for name, value in values.items() if name not in others or others[name] != value}


def _as_json(values: Values | None) -> Values | None:
    """Return values that JSON can express: moments, durations and marks become text."""
    if values is None:
        return None
    found: Values = json.loads(json.dumps(values, default=_text))
    return found


def _text(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)
