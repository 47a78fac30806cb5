"""Resources that the service in memory does not have: every method answers that there is nothing."""

from collections.abc import Callable
from typing import Any

from lms_tui.wire.errors import NotFound


class Nothing:
    """Stands for posts, users, mentors, batches and videos where a screen has no use for them."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        async def answer(*_: object, **__: object) -> None:
            raise NotFound("The server could not find this.", status=404)

        return answer
