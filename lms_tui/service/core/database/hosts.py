"""The hosts of PostgreSQL, and the order in which they are tried.

libpq tries the hosts in the order of the address, and waits for `connect_timeout` where the network has cut one off.
After a takeover, each new connection would wait for the old primary first.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from lms_tui.common.frozen import frozen

if TYPE_CHECKING:
    from psycopg import ConnectionInfo

_LISTS: Final = ("host", "hostaddr", "port")
_NETWORK: Final = {
    "connect_timeout": 3,
    "keepalives_idle": 3,
    "keepalives_interval": 1,
    "keepalives_count": 3,
    "tcp_user_timeout": 5_000,
}
"""Seconds after which a server that does not answer, or milliseconds after which one that a failed network has cut off,
counts as lost. The defaults of the system are minutes to hours."""


@frozen
class _Primary:
    """The host that accepted the last connection. `is_lost`: an attempt to connect has failed since."""

    host: str
    port: int
    is_lost: bool = False


class Hosts:
    """The parameters of a connection. The last primary is tried first, and after a failed attempt last."""

    def __init__(self, address: Mapping[str, Any]) -> None:
        """`address`: the parameters of the address, which override the defaults."""
        several = {"target_session_attrs": "read-write"} if "," in str(address.get("host", "")) else {}
        self._parameters = {**_NETWORK, **several, **address}
        self._primary: _Primary | None = None

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of the next connection."""
        return _ordered(self._parameters, self._primary)

    @contextmanager
    def attempt(self) -> Iterator[dict[str, Any]]:
        """Yield the parameters of a connection that the block opens, and note whether it fails."""
        primary = self._primary
        try:
            yield _ordered(self._parameters, primary)
        except Exception:
            # Another attempt may have found the new primary meanwhile.
            if primary is not None and self._primary is primary:
                self._primary = replace(primary, is_lost=True)
            raise

    def found(self, server: "ConnectionInfo") -> None:
        """Note the host that has accepted a connection."""
        self._primary = _Primary(server.host, server.port)


def _ordered(parameters: dict[str, Any], primary: _Primary | None) -> dict[str, Any]:
    lists = {name: str(parameters[name]).split(",") for name in _LISTS if name in parameters}
    places = range(len(lists.get("host", ())))
    # SQLAlchemy gives a port for each host, "" for the usual one. It gives none if there is a single host.
    if primary is None or any(len(values) != len(places) for values in lists.values()):
        return parameters
    server = {(primary.host, str(primary.port)), (primary.host, "")}
    first = [place for place in places if (lists["host"][place], lists.get("port", [""])[place]) in server]
    others = [place for place in places if place not in first]
    order = others + first if primary.is_lost else first + others
    return parameters | {name: ",".join(values[place] for place in order) for name, values in lists.items()}
