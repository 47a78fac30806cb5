"""The size limit of a request body, by its path."""

import re
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from lms_tui.service.core.limits import BodyLimits
from lms_tui.service.core.settings import Limits

_POST: Final = re.compile(r"/api/v2\.2/admin/posts(/[^/]*)?/?")
_PROFILE: Final = re.compile(r"/api/v2\.2/users/[0-9]+/?")
_FILE: Final = re.compile(r"/api/v2\.2/attempts/[0-9]+/files/[0-9a-f]{64}/?")


class BodySizes:
    """Allows larger bodies for posts, photos and parts of files than for other requests."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self._usual = BodyLimits(app, limits.body, limits.body_deadline)
        self._post = BodyLimits(app, limits.post_body, limits.body_deadline)
        self._photo = BodyLimits(app, limits.photo_body, limits.body_deadline)
        self._part = BodyLimits(app, limits.file_part, limits.body_deadline)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._chosen(scope)(scope, receive, send)

    def _chosen(self, scope: Scope) -> BodyLimits:
        path, method = scope.get("path", ""), scope.get("method")
        if method in {"POST", "PUT"} and _POST.fullmatch(path):
            return self._post
        if method == "PUT" and _PROFILE.fullmatch(path):
            return self._photo
        return self._part if method == "PUT" and _FILE.fullmatch(path) else self._usual
