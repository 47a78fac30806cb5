"""The whole service, as its first stage sees it."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import NamedTuple

from starlette.types import ASGIApp


class Whole(NamedTuple):
    """`background`: what runs beside the requests."""

    app: ASGIApp
    background: Callable[[], AbstractAsyncContextManager[None]]
