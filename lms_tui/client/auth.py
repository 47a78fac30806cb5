"""Sign in to a server with a user name and a password, or with a token."""

from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Final

import anyio

from lms_tui.client.address import parse_base_url
from lms_tui.client.api import HttpLms
from lms_tui.client.connection import Access, Connection
from lms_tui.client.pages import identified
from lms_tui.client.port import TOKEN_PATH
from lms_tui.wire.errors import Forbidden, Invalid, NotFound, NotTheService, Refused, SignInNeeded
from lms_tui.wire.users import CurrentUser

Remember = Callable[[str, CurrentUser, str], Awaitable[None]]
_ME: Final = "/api/v2.2/me/"


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A signed-in server with its user. Only `lms` holds the token."""

    lms: HttpLms
    user: CurrentUser
    base_url: str


async def sign_in(
    base_url: str,
    username: str,
    password: str,
    *,
    access: Access,
    token_path: str = TOKEN_PATH,
    remember: Remember | None = None,
) -> SignedIn:
    """Sign in with a password. Raises Invalid for a wrong password, and every other ApiError.

    `remember(base_url, user, token)` is awaited with each valid token, also after signing in again.
    """
    return await _open(base_url, access, token_path, remember, username=username, password=password)


async def sign_in_with_token(
    base_url: str,
    token: str,
    *,
    access: Access,
    token_path: str = TOKEN_PATH,
    remember: Remember | None = None,
) -> SignedIn:
    """Sign in with a token. Raises SignInNeeded if the server does not accept it."""
    token = token.strip().removeprefix("JWT ").strip()
    if not token:
        raise Invalid("There is no token.", fields={"token": ("Paste a token.",)})
    return await _open(base_url, access, token_path, remember, token=token)


def sign_in_later(
    base_url: str,
    token: str,
    user: CurrentUser,
    *,
    access: Access,
    token_path: str = TOKEN_PATH,
    remember: Remember | None = None,
) -> SignedIn:
    """Return a session of a known user without asking the server. Raises Invalid and Defect.

    The first request that reaches the server asks whose token this is. The token is used for nothing else before that,
    and requests raise SignInNeeded when it is not accepted or belongs to another user.
    """
    base_url = parse_base_url(base_url, allow_plain_http=access.allow_plain_http)
    connection = Connection(base_url, access)
    connection.proof = _Proof(connection, token, user, remember)
    return SignedIn(HttpLms(connection, _Renewal(connection, access, token_path, user, remember)), user, base_url)


async def _open(
    base_url: str,
    access: Access,
    token_path: str,
    remember: Remember | None,
    *,
    username: str = "",
    password: str = "",
    token: str = "",
) -> SignedIn:
    base_url = parse_base_url(base_url, allow_plain_http=access.allow_plain_http)
    connection = Connection(base_url, access)
    async with AsyncExitStack() as unless_signed_in:
        unless_signed_in.push_async_callback(connection.close)
        token = token or await _fetch_token(connection, token_path, username, password)
        connection.auth.replace(token)
        user = await _who(connection)
        if remember is not None:
            await remember(base_url, user, token)
        unless_signed_in.pop_all()
    renewal = _Renewal(connection, access, token_path, user, remember)
    return SignedIn(HttpLms(connection, renewal), user, base_url)


class _Proof:
    """Ask whose token this is, and give it to the connection if it is the known user's."""

    def __init__(self, connection: Connection, token: str, user: CurrentUser, remember: Remember | None) -> None:
        self._connection = connection
        self._token = token
        self._user = user
        self._remember = remember

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
        if self._remember is not None:
            await self._remember(self._connection.base_url, user, self._token)


class _Renewal:
    """Sign in the same user again. The connection keeps its old token until the new token's user is known."""

    def __init__(
        self,
        connection: Connection,
        access: Access,
        token_path: str,
        user: CurrentUser,
        remember: Remember | None,
    ) -> None:
        self._connection = connection
        self._access = access
        self._token_path = token_path
        self._user = user
        self._remember = remember
        self._turn = anyio.Lock()

    async def __call__(self, password: str) -> None:
        async with self._turn:
            trial = Connection(self._connection.base_url, self._access)
            try:
                token = await _fetch_token(trial, self._token_path, self._user.username, password)
                trial.auth.replace(token)
                user = await _who(trial)
            finally:
                await trial.close()
            if user.id != self._user.id:
                raise Forbidden(
                    "This password belongs to another user.", advice="Sign in as the user who started this exam."
                )
            self._connection.auth.replace(token)
            self._connection.proof = None
            if self._remember is not None:
                await self._remember(trial.base_url, user, token)


async def _fetch_token(connection: Connection, token_path: str, username: str, password: str) -> str:
    try:
        tree = await connection.send("POST", token_path, body={"username": username, "password": password})
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
    return token


def _wrong_password(error: Refused, fields: dict[str, tuple[str, ...]]) -> Invalid:
    words = str(error) if isinstance(error, Invalid) else "Wrong user name or password."
    return Invalid(words, advice="Correct the user name or the password.", status=error.status, fields=fields)


async def _who(connection: Connection) -> CurrentUser:
    return identified(await connection.get(_ME), CurrentUser)
