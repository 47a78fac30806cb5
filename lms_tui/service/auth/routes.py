from typing import Annotated

import anyio
from fastapi import APIRouter, Request
from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from sqlalchemy import select

from lms_tui.service.auth.throttle import Throttle
from lms_tui.service.core.context import Service, ServiceDep
from lms_tui.service.core.database.tables import User
from lms_tui.service.core.errors import WHOLE, Invalid
from lms_tui.service.core.routing import Router
from lms_tui.service.core.text import storable
from lms_tui.wire.users import Token

VERSIONS = ("v2.2", "v2.3", "v2.5")


class CredentialsBody(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True)

    username: Annotated[str, Field(strict=True, min_length=1, max_length=150), AfterValidator(storable)]
    password: Annotated[str, Field(strict=True, min_length=1)]


def routes(concurrent_hashes: int) -> APIRouter:
    """Return the sign-in routes of every API version, which compare passwords in at most so many threads."""
    router = Router()
    hashing = anyio.CapacityLimiter(concurrent_hashes)

    async def sign_in(body: CredentialsBody, service: ServiceDep, request: Request) -> Token:
        address = request.client.host if request.client else ""
        throttle = Throttle(service.database, body.username, address, service.clock())
        await anyio.to_thread.run_sync(throttle.enter)
        user = await anyio.to_thread.run_sync(_user_named, service, body.username)
        stored = user.password_hash if user is not None and user.is_active else None
        matches = await anyio.to_thread.run_sync(service.passwords.verify, stored, body.password, limiter=hashing)
        if not matches or user is None:
            raise Invalid({WHOLE: ["Wrong user name or password."]})
        await anyio.to_thread.run_sync(throttle.succeed)
        return Token(
            token=service.tokens.issue(
                user_id=user.id, username=user.username, email=user.email, not_before=user.tokens_valid_from
            )
        )

    for version in VERSIONS:
        router.add_api_route(f"/api/{version}/auth-token/", sign_in, methods=["POST"])
    return router


def _user_named(service: Service, username: str) -> User | None:
    with service.database.read() as session:
        return session.scalar(select(User).where(User.username == username))
