from typing import Annotated

import anyio
from fastapi import APIRouter, Request, Response
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from lms_tui.service.auth.hashing import PasswordCheck
from lms_tui.service.auth.known_devices import HEADER, KnownDevices
from lms_tui.service.auth.throttle import Throttle
from lms_tui.service.core.context import Service, ServiceDep
from lms_tui.service.core.database.tables import User
from lms_tui.service.core.errors import WHOLE, Invalid
from lms_tui.service.core.naming import find_user
from lms_tui.service.core.networks import network_of
from lms_tui.service.core.routing import Router
from lms_tui.service.core.text import storable
from lms_tui.wire.users import Token
from lms_tui.wire.versions import VERSIONS


class CredentialsBody(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True)

    username: Annotated[str, Field(strict=True, min_length=1, max_length=150), AfterValidator(storable)]
    password: Annotated[str, Field(strict=True, min_length=1)]


def routes(check: PasswordCheck) -> APIRouter:
    """Return the sign-in routes of every API version."""
    router = Router()

    async def sign_in(body: CredentialsBody, service: ServiceDep, request: Request, response: Response) -> Token:
        # Spellings of one name must not have limits of their own.
        account = body.username.casefold()
        devices, device = KnownDevices(service.signer), request.headers.get(HEADER, "")
        if not devices.recognises(device, account):
            device = ""
        address = network_of(request.client.host if request.client else "")
        throttle = Throttle(service.database, account, address, device, service.clock())
        user = await anyio.to_thread.run_sync(_admitted, service, throttle, body.username)
        stored = user.password_hash if user is not None and user.is_active else None
        if not await check.matches(stored, body.password) or user is None:
            await anyio.to_thread.run_sync(throttle.fail)
            raise Invalid({WHOLE: ["Wrong user name or password."]})
        await anyio.to_thread.run_sync(throttle.succeed)
        response.headers[HEADER] = device or devices.name(account)
        return Token(
            token=service.tokens.issue(
                user_id=user.id, username=user.username, email=user.email, not_before=user.tokens_valid_from
            )
        )

    for version in VERSIONS:
        router.add_api_route(f"/api/{version}/auth-token/", sign_in, methods=["POST"])
    return router


def _admitted(service: Service, throttle: Throttle, username: str) -> User | None:
    """Return the user who signs in. Raises TooMany."""
    with service.database.read() as session:
        is_settled = throttle.is_settled(session)
        user = find_user(session, username)
    if not is_settled:
        throttle.check()
    return user
