"""Notices to a student during an exam.

If an attempt has notices, the replies to start and heartbeat have a header `X-Attempt-Notices`. It contains the ID of
the newest one, and `; paused` while the clock is stopped. The student's app reads them and says which it has shown.
"""

from datetime import datetime
from typing import Any, Final

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from lms_tui.service.attempts.rows import ShownAttemptRow
from lms_tui.service.attempts.seen import DESCRIBED as MEMORY
from lms_tui.service.attempts.seen import Headers
from lms_tui.service.core.database.tables import Attempt, Notice, NoticeKind
from lms_tui.wire import attempts as wire
from lms_tui.wire.notices import NOTICES_HEADER

_NAME: Final = NOTICES_HEADER.lower().encode()
_MOST: Final = 100
_PAUSED: Final = b"; paused"

DESCRIBED: Final[dict[int | str, dict[str, Any]]] = {
    200: {
        "headers": {
            **MEMORY[200]["headers"],
            NOTICES_HEADER: {
                "description": (
                    "The ID of the newest notice to the student, and `; paused` while the clock stands still."
                    " Missing where there is none."
                ),
                "schema": {"type": "string"},
                "example": "17; paused",
            },
        }
    }
}
"""The headers of the replies to start and heartbeat in the OpenAPI document."""


def notice_headers(attempt: Attempt | ShownAttemptRow) -> Headers:
    if not attempt.newest_notice:
        return ()
    paused = b"" if attempt.paused is None else _PAUSED
    return ((_NAME, str(attempt.newest_notice).encode() + paused),)


def tell(session: Session, attempt: Attempt, kind: NoticeKind, text: str, now: datetime) -> Notice:
    """Add a notice to a locked attempt."""
    notice = Notice(attempt_id=attempt.id, at=now, kind=kind.value, text=text)
    session.add(notice)
    session.flush()
    attempt.newest_notice = notice.id
    return notice


def notices_of(session: Session, attempt_id: int) -> list[wire.AttemptNotice]:
    """Return the newest notices of an attempt, the oldest first."""
    newest = select(Notice).where(Notice.attempt_id == attempt_id).order_by(Notice.id.desc()).limit(_MOST)
    return [
        wire.AttemptNotice(id=row.id, at=row.at, kind=row.kind, text=row.text, seen=row.seen)
        for row in reversed(session.scalars(newest).all())
    ]


def mark_seen(session: Session, attempt_id: int, through: int, now: datetime) -> None:
    """Note that the student's app has shown the notices up to one."""
    session.execute(
        update(Notice)
        .where(Notice.attempt_id == attempt_id, Notice.id <= through, Notice.seen.is_(None))
        .values(seen=now)
    )


def notice_counts(session: Session, attempts: list[int]) -> dict[int, tuple[int, int]]:
    """Return how many notices each attempt has, and how many of them an app has shown."""
    statement = select(Notice.attempt_id, func.count(), func.count(Notice.seen)).where(Notice.attempt_id.in_(attempts))
    rows = session.execute(statement.group_by(Notice.attempt_id))
    return {attempt_id: (count, shown) for attempt_id, count, shown in rows}
