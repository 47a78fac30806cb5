"""Playback tokens, which staff create for one video. They expire by time or at the first use."""

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated, Any, Final, Literal
from uuid import UUID, uuid4

from fastapi import Depends
from pydantic import Field
from sqlalchemy import ColumnElement, and_, not_, or_, select
from sqlalchemy.orm import Session

from lms_tui.common.frozen import frozen
from lms_tui.service.core.bodies import Body, Boolean
from lms_tui.service.core.context import Service
from lms_tui.service.core.database.playbacks import PlaybackToken, Video
from lms_tui.service.core.database.tables import Content, ContentType
from lms_tui.service.core.dependencies import ServiceDep, UrlsDep
from lms_tui.service.core.errors import WHOLE, Forbidden, Invalid, NotFound
from lms_tui.service.core.media import VIDEOS
from lms_tui.service.core.paging import Paging
from lms_tui.service.core.urls import Urls
from lms_tui.service.videos.codes import Codes
from lms_tui.wire import videos as wire
from lms_tui.wire.base import Page

MAX_SECONDS: Final = 30 * 24 * 60 * 60

_MAX_ANNOTATIONS: Final = 10
_HOUR: Final = 3_600_000

Pixels = Annotated[float, Field(strict=True, ge=0, le=10_000, allow_inf_nan=False)]
Milliseconds = Annotated[int, Field(strict=True, ge=0, le=_HOUR)]


class ListStatus(StrEnum):
    ALL = ""
    ACTIVE = "active"
    EXPIRED = "expired"


class _Annotation(Body):
    text: Annotated[str, Field(strict=True, min_length=1, max_length=200)]
    opacity: Annotated[float, Field(strict=True, ge=0, le=1, allow_inf_nan=False)] = 1
    color: Annotated[str, Field(strict=True, pattern=r"^(#|0x)?[0-9a-fA-F]{6}$")] = "#FFFFFF"
    size: Annotated[int, Field(strict=True, ge=1, le=200)] = 16


class StaticAnnotation(_Annotation):
    """A text over the video at a fixed position, in pixels from the upper left corner."""

    type: Literal["static"]
    x: Pixels = 0
    y: Pixels = 0


class DynamicAnnotation(_Annotation):
    """A moving text over the video, visible for `interval` and hidden for `skip` milliseconds."""

    type: Literal["dynamic"]
    interval: Annotated[int, Field(strict=True, ge=100, le=_HOUR)] = 5000
    skip: Milliseconds = 0


Annotation = Annotated[StaticAnnotation | DynamicAnnotation, Field(discriminator="type")]
Annotations = Annotated[list[Annotation], Field(max_length=_MAX_ANNOTATIONS)]


class TokenBody(Body):
    """`time_to_live`: seconds from now, null if unlimited. An update keeps the values of omitted fields."""

    time_to_live: Annotated[int, Field(strict=True, ge=1, le=MAX_SECONDS)] | None = None
    expires_after_first_usage: Boolean | None = None
    annotations: Annotations | None = None


@frozen
class PlaybackTokens:
    """The playback tokens of the institute."""

    service: Service
    urls: Urls
    now: datetime

    def create(self, content: UUID, body: TokenBody) -> wire.PlaybackToken:
        """Create a token. Raises NotFound without a video, and Invalid for a video without a file."""
        if not self.service.settings.video_embedding:
            raise Forbidden("Videos of this institute cannot be embedded.")
        with self.service.database.write() as session:
            content_id = self._content(session, content)
            file = session.scalar(select(Video.file).where(Video.content_id == content_id))
            if not file or self.service.media.find(VIDEOS, file) is None:
                raise Invalid({WHOLE: ["This video has no file to play."]})
            row = PlaybackToken(
                key=uuid4(), content_id=content_id, expires_after_first_usage=False, created=self.now, annotations=[]
            )
            self._write(row, body)
            session.add(row)
            session.flush()
            return self._view(row, content)

    def listed(self, content: UUID, status: ListStatus, paging: Paging) -> Page[wire.PlaybackToken]:
        with self.service.database.read() as session:
            statement = select(PlaybackToken).where(PlaybackToken.content_id == self._content(session, content))
            if status is not ListStatus.ALL:
                active = is_active(self.now)
                statement = statement.where(active if status is ListStatus.ACTIVE else not_(active))
            return paging.of_rows(
                session,
                statement.order_by(PlaybackToken.created.desc(), PlaybackToken.id.desc()),
                lambda rows: [self._view(row, content) for row in rows],
            )

    def read(self, content: UUID, code: str) -> wire.PlaybackToken:
        with self.service.database.read() as session:
            return self._view(self._row(session, content, code), content)

    def update(self, content: UUID, code: str, body: TokenBody) -> wire.PlaybackToken:
        """Update a token. Raises Invalid for an expired one."""
        with self.service.database.write() as session:
            row = self._row(session, content, code, lock=True)
            if not plays(row, self.now):
                raise Invalid({WHOLE: ["This token has expired. Create a new one."]})
            self._write(row, body)
            session.flush()
            return self._view(row, content)

    def _write(self, row: PlaybackToken, body: TokenBody) -> None:
        if "time_to_live" in body.model_fields_set:
            life = body.time_to_live
            row.valid_until = None if life is None else self.now + timedelta(seconds=life)
        if body.expires_after_first_usage is not None:
            row.expires_after_first_usage = body.expires_after_first_usage
        if body.annotations is not None:
            row.annotations = [_kept(annotation) for annotation in body.annotations]
        row.modified = self.now

    def _content(self, session: Session, uuid: UUID) -> int:
        found = session.scalar(
            select(Content.id).where(Content.uuid == uuid, Content.content_type == ContentType.VIDEO.value)
        )
        if found is None:
            raise NotFound
        return found

    def _row(self, session: Session, content: UUID, code: str, *, lock: bool = False) -> PlaybackToken:
        key = Codes(self.service.signer).token(code)
        statement = select(PlaybackToken).where(
            PlaybackToken.key == key, PlaybackToken.content_id == self._content(session, content)
        )
        row = None if key is None else session.scalar(statement.with_for_update() if lock else statement)
        if row is None:
            raise NotFound
        return row

    def _view(self, row: PlaybackToken, content: UUID) -> wire.PlaybackToken:
        code = Codes(self.service.signer).code(row.key)
        return wire.PlaybackToken(
            playback_url=self.urls.playback(content, code),
            expires_after_first_usage=row.expires_after_first_usage,
            code=code,
            status="Active" if plays(row, self.now) else "Expired",
            valid_until=row.valid_until,
            annotations=row.annotations,
            created=row.created,
            modified=row.modified,
        )


async def playback_tokens_of(service: ServiceDep, urls: UrlsDep) -> PlaybackTokens:
    return PlaybackTokens(service, urls, service.clock())


AllTokens = Annotated[PlaybackTokens, Depends(playback_tokens_of)]


def plays(row: PlaybackToken, now: datetime) -> bool:
    """Return whether the token can still open a page."""
    return in_time(row, now) and not (row.expires_after_first_usage and row.used is not None)


def in_time(row: PlaybackToken, now: datetime) -> bool:
    """Return whether a page that the token has opened can still play."""
    return row.valid_until is None or now < row.valid_until


def is_active(now: datetime) -> ColumnElement[bool]:
    """Return `plays` as an SQL condition."""
    return and_(
        or_(PlaybackToken.valid_until.is_(None), PlaybackToken.valid_until > now),
        or_(not_(PlaybackToken.expires_after_first_usage), PlaybackToken.used.is_(None)),
    )


def _kept(annotation: StaticAnnotation | DynamicAnnotation) -> dict[str, Any]:
    kept = annotation.model_dump()
    return {"type": kept.pop("type"), **kept}
