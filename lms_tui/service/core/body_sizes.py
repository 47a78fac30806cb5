"""The size limit of a request body, by its path."""

import re
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from lms_tui.service.core.limits import BodyLimits
from lms_tui.service.core.settings import Limits

_POST: Final = re.compile(r"/api/v2\.2/admin/posts(/[^/]*)?/?")
_PROFILE: Final = re.compile(r"/api/v2\.2/users/[0-9]+/?")


class BodySizes:
    """Allows larger bodies for posts and photos than for other requests."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self._usual = BodyLimits(app, limits.body, limits.body_deadline)
        self._post = BodyLimits(app, limits.post_body, limits.body_deadline)
        self._photo = BodyLimits(app, limits.photo_body, limits.body_deadline)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._chosen(scope)(scope, receive, send)

    def _chosen(self, scope: Scope) -> BodyLimits:
        path = scope.get("path", "")
        if scope.get("method") in {"POST", "PUT"} and _POST.fullmatch(path):
            return self._post
        return self._photo if scope.get("method") == "PUT" and _PROFILE.fullmatch(path) else self._usual
