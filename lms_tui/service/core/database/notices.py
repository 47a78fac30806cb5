"""The table of the notices to students during an exam."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import CheckConstraint, ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from lms_tui.service.core.database.base import NEVER_REUSED, Base, Numbered


class NoticeKind(StrEnum):
    TIME = "time"
    PAUSE = "pause"
    GO_ON = "go on"
    END = "end"
    REOPEN = "reopen"
    MESSAGE = "message"


class Notice(Numbered, Base):
    """A sentence for the student of an attempt. `seen`: when the student's app said that it had shown it."""

    __tablename__ = "notices"
    __table_args__ = (
        CheckConstraint("kind IN ('time', 'pause', 'go on', 'end', 'reopen', 'message')", name="kind"),
        Index(None, "attempt_id", "id"),
        NEVER_REUSED,
    )

    attempt_id: Mapped[int] = mapped_column(ForeignKey("attempts.id", ondelete="CASCADE"))
    at: Mapped[datetime]
    kind: Mapped[str] = mapped_column(String(16))
    text: Mapped[str] = mapped_column(Text)
    seen: Mapped[datetime | None]
