"""The addresses of pages and of people: what a browser may call this host, and whose word a proxy passes on."""

from collections.abc import Sequence
from ipaddress import ip_address, ip_network
from typing import Final
from urllib.parse import urlsplit

from lms_tui.common.hosts import in_url, is_loopback
from lms_tui.runtime.sessions.host import CannotHostError

_USUAL: Final = {"http": ":80", "https": ":443"}


class Origins:
    """The addresses at which browsers reach this host, by the host name that they send."""

    def __init__(self, origins: Sequence[str]) -> None:
        told = [_without_usual_port(origin) for origin in origins]
        self.first = told[0]
        self._by_host = {origin.partition("://")[2]: origin for origin in told}

    def of(self, host: str) -> str | None:
        """Return the origin of a page of this host name, or None for a foreign name."""
        return self._by_host.get(host.lower())


def _without_usual_port(origin: str) -> str:
    """Return an origin as browsers write it."""
    scheme, _, host = origin.partition("://")
    return f"{scheme}://{host.removesuffix(_USUAL[scheme])}"


def origins_of(host: str, port: int, public: Sequence[str]) -> Origins:
    """Return the origins to serve. Raises CannotHostError if passwords would cross a network without TLS."""
    for origin in public:
        parts = urlsplit(origin)
        if "*" in origin or (parts.scheme != "https" and not is_loopback(parts.hostname or "")):
            raise CannotHostError(
                f"Browsers cannot use {origin}.", "Give --web-origin as https://HOST, the address of your TLS proxy."
            )
    if public:
        return Origins(public)
    if not is_loopback(host):
        raise CannotHostError(
            f"Passwords for {host} would cross the network unprotected.",
            "Put a TLS proxy before this program, and give its address with --web-origin https://HOST.",
        )
    return Origins((f"http://{in_url(host)}:{port}", f"http://localhost:{port}"))


class Proxies:
    """The proxies whose `X-Forwarded-For` is believed."""

    def __init__(self, trusted: Sequence[str]) -> None:
        """Raises CannotHostError."""
        try:
            self._networks = [ip_network(each, strict=False) for each in trusted]
        except ValueError as error:
            raise CannotHostError(
                f"--trust-proxy: {error}.", "Write an address or a network, such as 10.0.0.0/8."
            ) from error

    def may_connect(self, address: str) -> bool:
        """Return whether a connection comes from this computer or a proxy."""
        return is_loopback(address) or self._trusts(address)

    def client_of(self, peer: str, forwarded: Sequence[str]) -> str:
        """Return the address of the person's computer. `forwarded`: each `X-Forwarded-For`, as they came.

        Proxies append addresses. Those before the last one that is no proxy may be invented.
        """
        address = peer
        for told in reversed(",".join(forwarded).split(",")):
            if not self._trusts(address) or not _is_address(told.strip()):
                break
            address = told.strip()
        return address

    def _trusts(self, address: str) -> bool:
        return _is_address(address) and any(ip_address(address) in network for network in self._networks)


def _is_address(told: str) -> bool:
    try:
        ip_address(told)
    except ValueError:
        return False
    return True
