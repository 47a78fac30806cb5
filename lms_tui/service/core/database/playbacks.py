"""Tables of photos, videos and playback tokens. The files themselves are in the media folder."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import JSON, ForeignKey, Index, String, Uuid
from sqlalchemy.orm import Mapped, mapped_column, relationship

from lms_tui.service.core.database.base import NEVER_REUSED, Base, Numbered
from lms_tui.service.core.database.library import Content


class Photo(Base):
    """The crop of a user's photo for its smaller sizes, in pixels. All 0: the centre."""

    __tablename__ = "photos"
    __table_args__ = ()

    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    x_offset: Mapped[int] = mapped_column(default=0)
    y_offset: Mapped[int] = mapped_column(default=0)
    crop_width: Mapped[int] = mapped_column(default=0)
    crop_height: Mapped[int] = mapped_column(default=0)


class Video(Numbered, Base):
    """The video of a content. `file`: its name in the video folder, "" without a file."""

    __tablename__ = "videos"

    content_id: Mapped[int] = mapped_column(ForeignKey("contents.id", ondelete="CASCADE"), unique=True)
    title: Mapped[str] = mapped_column(String(300))
    file: Mapped[str] = mapped_column(String(200), default="")

    content: Mapped[Content] = relationship()


class PlaybackToken(Numbered, Base):
    """The right to play one content. A playback code is `key` signed with the key of the service.

    `valid_until`: None if unlimited. `used`: when the content was first played.
    """

    __tablename__ = "playback_tokens"
    __table_args__ = (Index(None, "content_id", "id"), NEVER_REUSED)

    key: Mapped[UUID] = mapped_column(Uuid, unique=True)
    content_id: Mapped[int] = mapped_column(ForeignKey("contents.id", ondelete="CASCADE"))
    expires_after_first_usage: Mapped[bool]
    valid_until: Mapped[datetime | None]
    used: Mapped[datetime | None]
    annotations: Mapped[list[dict[str, Any]]] = mapped_column(JSON, default=list)
    created: Mapped[datetime]
    modified: Mapped[datetime]
