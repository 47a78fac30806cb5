"""What request handlers need, built once by `create_app` and held by the application."""

import threading
from typing import TYPE_CHECKING, Final

import anyio
from starlette.requests import Request

from lms_tui.common.frozen import frozen
from lms_tui.service.core.media import Media
from lms_tui.service.core.passwords import Passwords
from lms_tui.service.core.settings import Clock, ServiceSettings
from lms_tui.service.core.signer import Signer
from lms_tui.service.core.tokens import Tokens
from lms_tui.service.core.urls import Urls

if TYPE_CHECKING:
    from lms_tui.service.core.database.callers import Callers
    from lms_tui.service.core.database.engine import Database
    from lms_tui.service.core.database.epoch import Epoch

CONNECTION: Final = "lms_tui.connection"
"""The key of the connection in the state of a request that came through a socket."""


@frozen
class Service:
    """The dependencies of one application.

    `heavy_work`: limits how many signed-in callers hash a password or decode a photo at a time, for memory.
    `uploads`: limits how many parts of files are stored at a time, because answers wait for the same disk and lock.
    """

    settings: ServiceSettings
    database: "Database"
    callers: "Callers"
    epoch: "Epoch"
    clock: Clock
    tokens: Tokens
    passwords: Passwords
    signer: Signer
    media: Media
    heavy_work: threading.Semaphore
    uploads: anyio.CapacityLimiter


def client_of(request: Request) -> str:
    """Return the address of the client, "" where it is not known."""
    return request.client.host if request.client else ""


def urls_of(request: Request) -> Urls:
    return Urls(str(request.base_url).rstrip("/"))
