"""What a request handler is given: built once by `create_app`, held by the app, and nowhere else."""

import threading
from dataclasses import dataclass
from typing import Annotated, cast

from fastapi import Depends, Request

from lms_tui.service.db.database import Database
from lms_tui.service.hot.writer import Writer
from lms_tui.service.media import Media
from lms_tui.service.passwords import Passwords
from lms_tui.service.seals import Seals
from lms_tui.service.settings import Clock, ServiceSettings
from lms_tui.service.tokens import Tokens
from lms_tui.service.urls import Urls


@dataclass(frozen=True, slots=True)
class Service:
    """`costly`: held while a password is hashed or a photo decoded for someone who is known; each takes much memory."""

    settings: ServiceSettings
    database: Database
    clock: Clock
    tokens: Tokens
    passwords: Passwords
    seals: Seals
    media: Media
    costly: threading.Semaphore
    writer: Writer


def service_of(request: Request) -> Service:
    return cast(Service, request.app.state.service)


def urls_of(request: Request) -> Urls:
    return Urls(str(request.base_url).rstrip("/"))


Serving = Annotated[Service, Depends(service_of)]
Addresses = Annotated[Urls, Depends(urls_of)]
