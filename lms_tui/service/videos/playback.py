"""Playback of a video. The page takes a token, and the file is bound to the playback that it grants."""

from datetime import datetime
from pathlib import Path
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from lms_tui.common.frozen import frozen
from lms_tui.service.core.context import Service
from lms_tui.service.core.database.playbacks import PlaybackToken, Video
from lms_tui.service.core.database.tables import Content
from lms_tui.service.core.errors import Forbidden
from lms_tui.service.core.media import VIDEOS
from lms_tui.service.core.networks import network_of
from lms_tui.service.videos import page
from lms_tui.service.videos.codes import MAX_PLAYBACK, Codes, Grant
from lms_tui.service.videos.tokens import in_time, plays


def viewer_at(host: str, browser: str) -> str:
    """Return a name for the viewer with this address and User-Agent."""
    return f"{network_of(host)} {browser}"


@frozen
class Playback:
    """A request of a browser. `viewer` is who sends it (`viewer_at`). `root` is the root path of this service."""

    service: Service
    viewer: str
    root: str
    now: datetime

    def open(self, content: UUID, code: str) -> tuple[str, str] | None:
        """Use a token and return page and style, None where the token is not valid for this content."""
        key = Codes(self.service.signer).token(code)
        if key is None or not self.service.settings.video_embedding:
            return None
        with self.service.database.write() as session:
            # The lock lets only one of two simultaneous requests use a single-use token.
            row = session.scalar(
                select(PlaybackToken)
                .join(Content, Content.id == PlaybackToken.content_id)
                .where(PlaybackToken.key == key, Content.uuid == content)
                .with_for_update(of=PlaybackToken)
            )
            video = None if row is None else self._video(session, row.content_id)
            if row is None or video is None or not plays(row, self.now):
                return None
            row.used = row.used or self.now
            title, annotations = video.title, list(row.annotations)
        name = Codes(self.service.signer).grant(Grant(key, self.now + MAX_PLAYBACK), content, self.viewer)
        return page.player(title, f"{self.root}/embed/{content}/playback/{name}", annotations)

    def file(self, content: UUID, name: str) -> Path:
        """Return the video of a granted playback. Raises Forbidden for any other name."""
        grant = Codes(self.service.signer).granted(name, content, self.viewer)
        if grant is not None and self.now < grant.until:
            with self.service.database.read() as session:
                row = session.scalar(select(PlaybackToken).where(PlaybackToken.key == grant.token))
                video = self._video(session, row.content_id) if row is not None and in_time(row, self.now) else None
            path = None if video is None else self.service.media.find(VIDEOS, video.file)
            if path is not None:
                return path
        raise Forbidden("This playback has ended.")

    def _video(self, session: Session, content_id: int) -> Video | None:
        video = session.scalar(select(Video).where(Video.content_id == content_id))
        if video is None or self.service.media.find(VIDEOS, video.file) is None:
            return None
        return video
