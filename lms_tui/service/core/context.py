"""What a request handler is given: built once by `create_app`, held by the app, and nowhere else."""

import threading
from dataclasses import dataclass
from typing import Annotated, cast

from fastapi import Depends, Request

from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.media import Media
from lms_tui.service.core.passwords import Passwords
from lms_tui.service.core.settings import Clock, ServiceSettings
from lms_tui.service.core.signer import Seals
from lms_tui.service.core.tokens import Tokens
from lms_tui.service.core.urls import Urls


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


def service_of(request: Request) -> Service:
    return cast(Service, request.app.state.service)


def urls_of(request: Request) -> Urls:
    return Urls(str(request.base_url).rstrip("/"))


Serving = Annotated[Service, Depends(service_of)]
Addresses = Annotated[Urls, Depends(urls_of)]
