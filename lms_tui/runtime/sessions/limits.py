"""How many connections and sessions there may be at a time."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from lms_tui.common.frozen import frozen
from lms_tui.service.core.networks import network_of

_Name = TypeVar("_Name", str, int)


@frozen
class Limits:
    """Limits of one host.

    `sign_in`: seconds from the connection to the end of the sign-in. `start`: seconds from there to the session.
    `guesses`: passwords of one connection. `keys`: questions about keys of one connection.
    `waiting`: connections that have not signed in. `of_address`: all of one address. `connections`: all.
    `sessions`: of all users. `of_user`: of one. `idle`: seconds without a key after which a session ends. `answer`:
    seconds in which a browser says that a tab is still there, when its user opens another one.
    """

    sign_in: float = 60.0
    start: float = 10.0
    guesses: int = 6
    keys: int = 20
    waiting: int = 300
    of_address: int = 600
    connections: int = 1000
    sessions: int = 400
    of_user: int = 4
    idle: float = 4 * 3600.0
    answer: float = 4.0


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """The place of one connection. `cut` ends the connection."""

    address: str
    cut: Callable[[], None] = lambda: None


class Connections:
    """Counts connections, or requests, by the network of their address.

    When too many connections have not signed in, a new one replaces the oldest of the address with the most of them.
    So nobody can keep other addresses out with connections that do nothing.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._waiting: dict[str, list[Place]] = {}
        self._of_address: Counter[str] = Counter()

    def connect(self, place: Place) -> str:
        """Admit a connection, or return why it is refused."""
        owner = network_of(place.address)
        if self._of_address[owner] >= self._limits.of_address:
            return "too many connections of one address"
        if self._of_address.total() >= self._limits.connections:
            return "too many connections"
        if sum(map(len, self._waiting.values())) >= self._limits.waiting and not self._replace(owner):
            return "too many connections that have not signed in"
        self._of_address[owner] += 1
        self._waiting.setdefault(owner, []).append(place)
        return ""

    def _replace(self, owner: str) -> bool:
        """Cut the oldest waiting connection of the address with the most, unless that is the owner of the new one."""
        most = max(self._waiting, key=lambda each: len(self._waiting[each]))
        if len(self._waiting[most]) <= len(self._waiting.get(owner, ())) + 1:
            return False
        oldest = self._waiting[most][0]
        self.signed_in(oldest)
        oldest.cut()
        return True

    def signed_in(self, place: Place) -> None:
        """Note that a connection no longer waits."""
        owner = network_of(place.address)
        places = self._waiting.get(owner, [])
        if place in places:
            places.remove(place)
            if not places:
                del self._waiting[owner]

    def disconnect(self, place: Place) -> None:
        self.signed_in(place)
        _decrease(self._of_address, network_of(place.address))


class Sessions:
    """Counts sessions by their user, in all ways to this host."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._of_user: Counter[int] = Counter()

    def begin(self, user_id: int) -> str:
        """Admit a session, or return why it is refused."""
        if self._of_user[user_id] >= self._limits.of_user:
            return "You have too many sessions. End one of them, and try again."
        if self._of_user.total() >= self._limits.sessions:
            return "This computer has too many sessions. Try again in a minute."
        self._of_user[user_id] += 1
        return ""

    def end(self, user_id: int) -> None:
        _decrease(self._of_user, user_id)


def _decrease(counts: Counter[_Name], name: _Name) -> None:
    counts[name] -= 1
    if counts[name] <= 0:
        del counts[name]
