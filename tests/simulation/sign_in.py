"""Signing in again with the real client: what it lets happen decides whose requests the line carries from then on."""

import asyncio
import contextlib
import json

import httpx

from lms_tui.client.auth import sign_in
from lms_tui.client.connection import Access
from lms_tui.wire.errors import ApiError

OWNER = 1
STRANGER = 2
_BASE = "http://127.0.0.1"


class SignIns:
    """Signing in over the owner's exam. It has no memory, so that each password is typed once for many exams."""

    def __init__(self) -> None:
        self._users: dict[int, int] = {}

    def user_after(self, password_of: int) -> int:
        """Type the password of this user into the dialog over the owner's exam; return who the service then sees."""
        if password_of not in self._users:
            self._users[password_of] = asyncio.run(_user_after(password_of))
        return self._users[password_of]


async def _user_after(password_of: int) -> int:
    access = Access(transport=httpx.MockTransport(_answer))
    lms = (await sign_in(_BASE, "asha", str(OWNER), access=access)).lms
    try:
        with contextlib.suppress(ApiError):
            await lms.sign_in_again(str(password_of))
        return (await lms.me()).id
    finally:
        await lms.close()


def _answer(request: httpx.Request) -> httpx.Response:
    """A service of which the password says the user, and the token too."""
    if request.method == "POST":
        body: dict[str, object] = {"token": f"token-{json.loads(request.content)['password']}"}
    else:
        body = {"id": int(request.headers["Authorization"].rpartition("-")[2]), "username": "asha"}
    return httpx.Response(200, stream=httpx.ByteStream(json.dumps(body).encode()))
