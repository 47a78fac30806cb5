from fastapi import APIRouter, Request, Response

from lms_tui.service.auth.credentials import CredentialsBody
from lms_tui.service.auth.known_devices import HEADER
from lms_tui.service.auth.sign_in import SignIn
from lms_tui.service.core.context import client_of
from lms_tui.service.core.routing import Router
from lms_tui.wire.users import Token
from lms_tui.wire.versions import VERSIONS


def routes(signing_in: SignIn) -> APIRouter:
    """Return the sign-in routes of every API version."""
    router = Router()

    async def sign_in(body: CredentialsBody, request: Request, response: Response) -> Token:
        device = request.headers.get(HEADER, "")
        token, response.headers[HEADER] = await signing_in.token(body, client_of(request), device)
        return token

    for version in VERSIONS:
        router.add_api_route(f"/api/{version}/auth-token/", sign_in, methods=["POST"])
    return router
