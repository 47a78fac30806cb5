"""What a request handler is given: built once by `create_app`, held by the app, and nowhere else."""

from dataclasses import dataclass
from typing import Annotated, cast

from fastapi import Depends, Request

from lms_tui.service.db.database import Database
from lms_tui.service.passwords import Passwords
from lms_tui.service.settings import Clock, ServiceSettings
from lms_tui.service.tokens import Tokens
from lms_tui.service.urls import Urls


@dataclass(frozen=True, slots=True)
class Service:
    settings: ServiceSettings
    database: Database
    clock: Clock
    tokens: Tokens
    passwords: Passwords


def service_of(request: Request) -> Service:
    return cast(Service, request.app.state.service)


def urls_of(request: Request) -> Urls:
    return Urls(str(request.base_url).rstrip("/"))


Serving = Annotated[Service, Depends(service_of)]
Addresses = Annotated[Urls, Depends(urls_of)]
