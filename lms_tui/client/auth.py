"""Sign in to a server with a user name and a password, or with a token."""

import re
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from http import HTTPStatus
from random import uniform
from typing import Final

import anyio

from lms_tui.client.address import parse_base_url
from lms_tui.client.api import HttpLms, OnWait
from lms_tui.client.connection import Access, Connection, content_of
from lms_tui.client.pages import identified
from lms_tui.client.port import TOKEN_PATH
from lms_tui.client.recording import Exchange
from lms_tui.common.frozen import frozen
from lms_tui.wire.errors import Busy, Forbidden, Invalid, NotFound, NotTheService, Refused, SignInNeeded
from lms_tui.wire.users import CurrentUser

_ME: Final = "/api/v2.2/me/"
DEVICE_HEADER: Final = "X-Known-Device"
"""A server that knows this header names the device in it, and blocks it less. Other servers ignore the header."""
_DEVICE: Final = re.compile(r"[A-Za-z0-9_=-]{1,200}")
_QUEUE_SECONDS: Final = 45.0
"""How long a reply may take. A service lets a sign-in wait for its turn for 30 s."""
_USUAL_WAIT: Final = 5.0
_LONGEST_WAIT: Final = 60.0
_PATIENCE: Final = 120.0
"""Seconds of waiting after which a busy server is an error."""

Remember = Callable[[str, CurrentUser, str, str], Awaitable[None]]
"""Is given the address, the user, the token, and the server's name for this device or ""."""
DeviceOf = Callable[[str], str]
"""Returns the server's name for this device, by user name, or ""."""


@frozen
class SignedIn:
    """A signed-in server with its user. Only `lms` holds the token."""

    lms: HttpLms
    user: CurrentUser
    base_url: str


@frozen
class _Grant:
    token: str
    device: str = ""


@frozen
class _Door:
    """How to sign in to one server."""

    access: Access
    token_path: str
    remember: Remember | None
    device_of: DeviceOf | None

    async def ask(self, connection: Connection, username: str, password: str, on_wait: OnWait | None) -> _Grant:
        """Request a token. A busy server is tried again after the wait that it asks for, with some added at random."""
        device = self.device_of(username) if self.device_of is not None else ""
        headers = {DEVICE_HEADER: device} if _DEVICE.fullmatch(device) else {}
        waited = 0.0
        while True:
            exchange = await connection.exchange(
                "POST",
                self.token_path,
                body={"username": username, "password": password},
                headers=headers,
                timeout=max(self.access.timeout, _QUEUE_SECONDS),
            )
            try:
                return _granted(exchange)
            except Busy as busy:
                wait = _wait_for(busy)
                if wait is None or waited + wait > _PATIENCE:
                    raise
            if on_wait is not None:
                on_wait(wait)
            await self.access.sleep(wait)
            waited += wait

    async def keep(self, base_url: str, user: CurrentUser, grant: _Grant) -> None:
        if self.remember is not None:
            await self.remember(base_url, user, grant.token, grant.device)


async def sign_in(
    base_url: str,
    username: str,
    password: str,
    *,
    access: Access,
    token_path: str = TOKEN_PATH,
    remember: Remember | None = None,
    device_of: DeviceOf | None = None,
    on_wait: OnWait | None = None,
) -> SignedIn:
    """Sign in with a password. Raises Invalid for a wrong password, and every other ApiError.

    `remember` is awaited with each valid token, also after signing in again. `on_wait` is called for each wait for a
    busy server.
    """
    door = _Door(access, token_path, remember, device_of)
    return await _open(base_url, door, lambda connection: door.ask(connection, username, password, on_wait))


async def sign_in_with_token(
    base_url: str,
    token: str,
    *,
    access: Access,
    token_path: str = TOKEN_PATH,
    remember: Remember | None = None,
    device_of: DeviceOf | None = None,
) -> SignedIn:
    """Sign in with a token. Raises SignInNeeded if the server does not accept it."""
    token = token.strip().removeprefix("JWT ").strip()
    if not token:
        raise Invalid("There is no token.", fields={"token": ("Paste a token.",)})

    async def given(_connection: Connection) -> _Grant:
        return _Grant(token)

    return await _open(base_url, _Door(access, token_path, remember, device_of), given)


def sign_in_later(
    base_url: str,
    token: str,
    user: CurrentUser,
    *,
    access: Access,
    token_path: str = TOKEN_PATH,
    remember: Remember | None = None,
    device_of: DeviceOf | None = None,
) -> SignedIn:
    """Return a session of a known user without asking the server. Raises Invalid and Defect.

    The first request that reaches the server asks whose token this is. The token is used for nothing else before that,
    and requests raise SignInNeeded when it is not accepted or belongs to another user.
    """
    base_url = parse_base_url(base_url, allow_plain_http=access.allow_plain_http)
    connection = Connection(base_url, access)
    door = _Door(access, token_path, remember, device_of)
    connection.proof = _Proof(connection, door, token, user)
    return SignedIn(HttpLms(connection, _Renewal(connection, door, user)), user, base_url)


async def _open(base_url: str, door: _Door, ask: Callable[[Connection], Awaitable[_Grant]]) -> SignedIn:
    base_url = parse_base_url(base_url, allow_plain_http=door.access.allow_plain_http)
    connection = Connection(base_url, door.access)
    async with AsyncExitStack() as unless_signed_in:
        unless_signed_in.push_async_callback(connection.close)
        grant = await ask(connection)
        connection.auth.replace(grant.token)
        user = await _who(connection)
        await door.keep(base_url, user, grant)
        unless_signed_in.pop_all()
    return SignedIn(HttpLms(connection, _Renewal(connection, door, user)), user, base_url)


class _Proof:
    """Ask whose token this is, and give it to the connection if it is the known user's."""

    def __init__(self, connection: Connection, door: _Door, token: str, user: CurrentUser) -> None:
        self._connection = connection
        self._door = door
        self._token = token
        self._user = user

    async def __call__(self) -> None:
        trial = Connection(self._connection.base_url, self._connection.access)
        try:
            trial.auth.replace(self._token)
            user = identified(await trial.send("GET", _ME), CurrentUser)
        except SignInNeeded:
            raise
        except Refused as error:  # it would be taken for a refusal of the request that waits for this one
            raise NotTheService("The server does not say who is signed in.", status=error.status) from error
        finally:
            await trial.close()
        if user.id != self._user.id:
            raise SignInNeeded("The saved sign-in belongs to another user.")
        if self._connection.proof is not self:  # another request was faster, or the user has signed in again
            return
        self._connection.auth.replace(self._token)
        self._connection.proof = None
        await self._door.keep(self._connection.base_url, user, _Grant(self._token))


class _Renewal:
    """Sign in the same user again. The connection keeps its old token until the new token's user is known."""

    def __init__(self, connection: Connection, door: _Door, user: CurrentUser) -> None:
        self._connection = connection
        self._door = door
        self._user = user
        self._turn = anyio.Lock()

    async def __call__(self, password: str, on_wait: OnWait | None) -> None:
        async with self._turn:
            trial = Connection(self._connection.base_url, self._door.access)
            try:
                grant = await self._door.ask(trial, self._user.username, password, on_wait)
                trial.auth.replace(grant.token)
                user = await _who(trial)
            finally:
                await trial.close()
            if user.id != self._user.id:
                raise Forbidden(
                    "This password belongs to another user.", advice="Sign in as the user who started this exam."
                )
            self._connection.auth.replace(grant.token)
            self._connection.proof = None
            await self._door.keep(trial.base_url, user, grant)


def _wait_for(busy: Busy) -> float | None:
    """Return after how many seconds a busy server is tried again, or None if it is not."""
    wait = _USUAL_WAIT if busy.retry_after is None else max(1.0, busy.retry_after)
    if busy.status != HTTPStatus.SERVICE_UNAVAILABLE or wait > _LONGEST_WAIT:
        return None
    # Everybody who was sent away at once must not come back at once.
    return uniform(wait, 1.5 * wait)  # no secret


def _granted(exchange: Exchange) -> _Grant:
    """Return what the server grants. Raises ApiError."""
    try:
        tree = content_of(exchange)
    except NotFound as error:
        raise NotFound(
            "This server has no sign-in at the expected address.",
            advice="Check the server's address, or sign in with a token.",
            status=error.status,
        ) from error
    except Invalid as error:
        raise _wrong_password(error, error.fields) from error
    except SignInNeeded as error:
        raise _wrong_password(error, {}) from error
    token = tree.get("token") if isinstance(tree, dict) else None
    if not isinstance(token, str) or not token:
        raise NotTheService("The server's reply to the sign-in contains no token.")
    device = exchange.header(DEVICE_HEADER)
    return _Grant(token, device if _DEVICE.fullmatch(device) else "")


def _wrong_password(error: Refused, fields: dict[str, tuple[str, ...]]) -> Invalid:
    words = str(error) if isinstance(error, Invalid) else "Wrong user name or password."
    return Invalid(words, advice="Correct the user name or the password.", status=error.status, fields=fields)


async def _who(connection: Connection) -> CurrentUser:
    return identified(await connection.get(_ME), CurrentUser)
