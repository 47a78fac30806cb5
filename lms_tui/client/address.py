"""Check addresses of servers and links (standard library only)."""

import re
from typing import Final
from urllib.parse import SplitResult, quote, urljoin, urlsplit

from lms_tui.common import hosts
from lms_tui.common.cleaning import clean_line
from lms_tui.wire.errors import Defect, Invalid, NotFound

_PORTS: Final = {"http": 80, "https": 443}
_LONGEST: Final = 2_048
_LONGEST_SEGMENT: Final = 255
_HOST: Final = re.compile(r"[\w.-]{1,253}|[0-9a-f:.]{2,45}")

NOT_ENCRYPTED: Final = "This address is not encrypted, so a password sent to it could be read on the way."


def parse_base_url(text: str, *, allow_plain_http: bool = False) -> str:
    """Return `scheme://host[:port][/path]` without a final slash. Raises Invalid with the field `base_url`.

    A missing scheme means https, or http for this computer. Other servers need https unless plain http is allowed.
    """
    text = text.strip()[:_LONGEST]
    if not is_encodable(text):
        raise no_address()
    if "://" not in text:
        text = f"{'http' if _is_loopback(_split(f'//{text}')) else 'https'}://{text}"
    parts = _split(text)
    if parts.scheme not in _PORTS or not _HOST.fullmatch(parts.hostname or "") or parts.query or parts.fragment:
        raise no_address()
    if parts.username is not None or parts.password is not None:
        raise _invalid("The address contains a user name or password.", "Enter the address without them.")
    if parts.scheme == "http" and not (allow_plain_http or _is_loopback(parts)):
        raise _invalid(
            NOT_ENCRYPTED,
            "Use https, or set allow_plain_http if you trust the network: `lms-tui help troubleshooting`.",
        )
    return _origin(parts) + parts.path.rstrip("/")


def origin_of(url: str) -> str:
    """Return scheme, host and port of an address from `parse_base_url`."""
    return _origin(_split(url))


def is_loopback(url: str) -> bool:
    """Return whether the address is on this computer."""
    return _is_loopback(_split(url))


def follow(base: str, link: str) -> str:
    """Resolve a link of a reply against the address of its request. Raises Defect if it leaves the server.

    A server behind a proxy that ends TLS writes `http://` links to itself. The link gets the scheme of the request,
    and so a reply never causes an unencrypted request.
    """
    home, target = _split(base), _joined(base, link)
    same_port = _port(target) == _port(home)
    both_usual = all(_port(parts) == _PORTS.get(parts.scheme) for parts in (home, target))
    if (
        target.scheme not in _PORTS
        or target.hostname != home.hostname
        or not (same_port or both_usual)
        or (target.username, target.password) != (None, None)
    ):
        where = clean_line(target.hostname or link)[:100]
        raise Defect(f"The server's reply leads to another address ({where}).")
    return f"{_origin(home)}{target.path or '/'}{f'?{target.query}' if target.query else ''}"


def segment(name: str) -> str:
    """Quote a name as one segment of a path. Raises NotFound for a name such as `..` that means another path.

    Raises Invalid for half a surrogate pair, which cannot be encoded.
    """
    if not is_encodable(name):
        raise Invalid("This name has a character that cannot be sent.", advice="Type the name instead of pasting it.")
    if name.strip(". ") == "" or len(name) > _LONGEST_SEGMENT:
        raise NotFound("There is nothing with this name.")
    return quote(name, safe="")


def is_encodable(text: str) -> bool:
    """Return whether UTF-8 can encode the text. Python strings may contain halves of surrogate pairs."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def no_address() -> Invalid:
    return _invalid("This is not the address of a server.", "Type it like https://learn.example.edu.")


def _joined(base: str, link: str) -> SplitResult:
    """Resolve a link. An invalid link becomes an empty address."""
    try:
        return _split(urljoin(base, link)) if len(link) <= _LONGEST else urlsplit("")
    except (ValueError, Invalid):
        return urlsplit("")


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        _ = parts.port  # reading the port checks it
    except ValueError:
        raise no_address() from None
    return parts


def _port(parts: SplitResult) -> int | None:
    return parts.port or _PORTS.get(parts.scheme)


def _origin(parts: SplitResult) -> str:
    host = hosts.in_url(parts.hostname or "")
    port = "" if _port(parts) == _PORTS.get(parts.scheme) else f":{parts.port}"
    return f"{parts.scheme}://{host}{port}"


def _is_loopback(parts: SplitResult) -> bool:
    return hosts.is_loopback((parts.hostname or "").rstrip("."))


def _invalid(message: str, advice: str) -> Invalid:
    return Invalid(message, advice=advice, fields={"base_url": (message,)})
