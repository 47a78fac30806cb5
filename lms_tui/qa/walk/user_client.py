"""Send requests as one user and return every reply, whatever its status."""

from collections.abc import Mapping
from typing import Any, Final, Unpack
from urllib.parse import quote

from lms_tui.client.connection import Access, Connection, Content
from lms_tui.client.recording import Exchange
from lms_tui.common.frozen import frozen
from lms_tui.common.user_errors import AdvisedError
from lms_tui.qa.walk.address_style import AddressStyle
from lms_tui.qa.walk.values import Tree, as_rows, at
from lms_tui.wire.errors import ApiError, Invalid, Unreachable

_V22: Final = "/api/v2.2"
ME: Final = f"{_V22}/me/"
STATS: Final = "/api/v2.5/me/stats/"
ATTEMPTS: Final = f"{_V22}/attempts/"
EXAMS: Final = f"{_V22}/exams/"
_MOST_PAGES: Final = 100
_NO_SUCH_PLACE: Final = frozenset({301, 302, 303, 307, 308, 404, 405, 410})
_SERVER_FAILED: Final = 500


class CannotWalkError(AdvisedError):
    """The walk or the scenario cannot run."""


@frozen
class Account:
    """A user name and its password, which repr() hides."""

    username: str
    password: str

    def __repr__(self) -> str:
        return f"Account({self.username!r})"


@frozen
class Listing:
    """All pages of a list and their rows. `broken` says why a page could not be read."""

    pages: tuple[Exchange, ...]
    rows: tuple[Tree, ...]
    broken: str = ""

    @property
    def exchange(self) -> Exchange:
        """Return the first page, or the page that failed, without which the rows are not complete."""
        return next((page for page in self.pages if not page.succeeded), self.pages[0])


class UserClient:
    """Sends the requests of one user, or of no user. Raises ApiError if there is no reply.

    Paths are those of the document. `style` says how the server writes them.
    """

    def __init__(self, base_url: str, access: Access, username: str = "", style: AddressStyle | None = None) -> None:
        self._connection = Connection(base_url, access)
        self.username = username
        self.style = style or AddressStyle()

    async def sign_in(self, token_path: str, account: Account) -> Exchange:
        """Request a token and use it for all later requests. Raises CannotWalkError."""
        body = {"username": account.username, "password": account.password}
        try:
            exchange = await self.send("POST", token_path, body=body)
        except Invalid as error:
            raise CannotWalkError(str(error), error.advice) from error
        token = at(exchange.tree(), "token")
        without = " without a token" if exchange.succeeded else ""
        if not exchange.succeeded or not isinstance(token, str) or not token:
            raise CannotWalkError(
                f"{account.username} cannot sign in: {token_path} answered {exchange.outcome}{without}.",
                _sign_in_advice(exchange),
            )
        self.use(token)
        return exchange

    @property
    def token(self) -> str:
        return self._connection.auth.token

    def use(self, token: str) -> None:
        self._connection.auth.replace(token)

    async def send(self, method: str, path: str, **content: Unpack[Content]) -> Exchange:
        written = self.style.path(path)
        address = path if written == path else f"{self._connection.base_url}{written}"
        return await self._connection.exchange(method, address, **content)

    async def get(self, path: str, **params: str) -> Exchange:
        return await self.send("GET", path, params=params or None)

    async def post(self, path: str, body: Mapping[str, Any] | None = None) -> Exchange:
        return await self.send("POST", path, body=body)

    async def put(self, path: str, body: Mapping[str, Any] | None = None) -> Exchange:
        return await self.send("PUT", path, body=body)

    async def delete(self, path: str) -> Exchange:
        return await self.send("DELETE", path)

    async def ask(self, path: str, token: str, *, lower: bool = False) -> Exchange:
        """Send a GET request with another token, with the name of its header in lower case if `lower`."""
        headers = self._connection.access.credentials(token)
        if lower:
            headers = {name.lower(): value for name, value in headers.items()}
        return await self.send("GET", path, headers=headers)

    async def read_all(self, path: str, **params: str) -> Listing:
        """Follow `next` from page to page, on this server only and up to a limit."""
        pages = [await self.get(path, **params)]
        rows = as_rows(at(pages[-1].tree(), "results"))
        seen: set[str] = set()
        while isinstance(link := at(pages[-1].tree(), "next"), str) and link:
            if link in seen or len(pages) >= _MOST_PAGES:
                return Listing(tuple(pages), tuple(rows), "next leads to an earlier page")
            seen.add(link)
            try:
                pages.append(await self.get(link))
            except Unreachable:
                raise
            except ApiError as error:
                return Listing(tuple(pages), tuple(rows), f"next cannot be followed: {error}")
            rows += as_rows(at(pages[-1].tree(), "results"))
        return Listing(tuple(pages), tuple(rows))

    async def close(self) -> None:
        await self._connection.close()


def _sign_in_advice(refused: Exchange) -> str:
    """Return what to look at after a reply to a sign-in that holds no token."""
    if refused.status >= _SERVER_FAILED:
        return "The server failed. Look at its log, and check --base-url and --token-path."
    if refused.succeeded or refused.status in _NO_SUCH_PLACE:
        return "Check --base-url, and --token-path, where the server issues tokens."
    return "Check the user name, the password and --token-path."


def exam_attempts(slug: str) -> str:
    return f"{EXAMS}{quote(slug, safe='')}/attempts/"


def attempt(attempt_id: int, part: str = "") -> str:
    """Return the path of an attempt, or of a part of it such as `start/`."""
    return f"{_V22}/attempts/{attempt_id}{f'/{part}' if part else ''}"


def question(attempt_id: int, question_id: int) -> str:
    return attempt(attempt_id, f"questions/{question_id}")
