"""What FastAPI passes to the functions of routes.

The functions are asynchronous, because FastAPI would run plain ones in a thread.
"""

from typing import Annotated, cast

from fastapi import Depends, Request

from lms_tui.service.core.context import Service, urls_of
from lms_tui.service.core.paging import Paging, paging_of
from lms_tui.service.core.principal import Principal
from lms_tui.service.core.security import principal_of
from lms_tui.service.core.urls import Urls


async def service_of(request: Request) -> Service:
    return cast(Service, request.app.state.service)


async def _urls(request: Request) -> Urls:
    return urls_of(request)


async def caller_of(request: Request) -> Principal:
    return await principal_of(request, await service_of(request))


async def page_of(request: Request) -> Paging:
    return paging_of(request)


ServiceDep = Annotated[Service, Depends(service_of)]
UrlsDep = Annotated[Urls, Depends(_urls)]
Caller = Annotated[Principal, Depends(caller_of)]
Paged = Annotated[Paging, Depends(page_of)]
