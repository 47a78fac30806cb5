"""JSON Web Tokens: made here, and believed only when they are exactly what is made here."""

import hmac
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any, Final, TypeGuard

import jwt

from lms_tui.service.core.settings import Clock

_ALGORITHM: Final = "HS256"
_HEADER: Final = urlsafe_b64encode(b'{"alg":"HS256","typ":"JWT"}').rstrip(b"=").decode()
_CLAIMS: Final = frozenset({"sub", "user_id", "username", "email", "iat", "exp"})
_LONGEST: Final = 4096
_LEEWAY: Final = 10
_LATEST: Final = 2**37
"""Seconds that a calendar still has a date for."""
_LARGEST_ID: Final = 2**63 - 1


class BadToken(Exception):
    """A token that was not made here, or whose time has passed."""


@dataclass(frozen=True, slots=True)
class Claims:
    """Who a token names; everything else about the user comes from the database. Times: seconds of the epoch."""

    user_id: int
    issued: int
    expires: int


class Tokens:
    """Remembers tokens whose signature it has seen to be right; their times are looked at again each time.

    `remembers`: how many; those of 100,000 examinees take some 30 MiB, and eight times as long to read anew.
    """

    def __init__(self, key: bytes, clock: Clock, lifetime: timedelta, remembers: int = 131_072) -> None:
        self._known: dict[bytes, Claims] = {}
        self._remembers = remembers
        self._key = key
        self._clock = clock
        self._lifetime = lifetime

    def issue(self, *, user_id: int, username: str, email: str, not_before: datetime) -> str:
        """Make a token; `not_before`: the user's `tokens_valid_from`, which the token must not precede."""
        issued = max(int(self._clock().timestamp()), whole_second(not_before))
        claims = {
            "sub": str(user_id),
            "user_id": user_id,
            "username": username,
            "email": email,
            "iat": issued,
            "exp": issued + int(self._lifetime.total_seconds()),
        }
        return jwt.encode(claims, self._key, algorithm=_ALGORITHM)

    def read(self, token: str) -> Claims:
        """Raise BadToken unless signature, header and every claim are as `issue` writes them."""
        digest = sha256(token.encode()).digest()
        known = self._known.get(digest)
        if known is None:
            known = self._decoded(token)
            if len(self._known) >= self._remembers:
                self._known.clear()
            self._known[digest] = known
        now = self._clock().timestamp()
        if not (known.issued <= now + _LEEWAY and now < known.expires):
            raise BadToken
        return known

    def _decoded(self, token: str) -> Claims:
        content, _, signature = token.rpartition(".")
        header, _, payload = content.partition(".")
        if len(token) > _LONGEST or not token.isascii() or header != _HEADER:
            raise BadToken
        made_here = urlsafe_b64encode(hmac.digest(self._key, content.encode(), "sha256")).rstrip(b"=")
        if not hmac.compare_digest(made_here, signature.encode()):
            raise BadToken
        try:
            claims = json.loads(urlsafe_b64decode(payload + "=" * (-len(payload) % 4)), object_pairs_hook=_once)
        except (ValueError, RecursionError):
            raise BadToken from None
        if not isinstance(claims, dict):
            raise BadToken
        return self._claims(claims)

    def _claims(self, payload: dict[str, Any]) -> Claims:
        user_id, issued, expires = payload.get("user_id"), payload.get("iat"), payload.get("exp")
        if set(payload) != _CLAIMS or not (_whole(user_id) and _whole(issued) and _whole(expires)):
            raise BadToken
        named = payload["sub"] == str(user_id) and 0 < user_id <= _LARGEST_ID
        # Nothing made here lives longer than a lifetime, so a longer one was not made here.
        limited = 0 < issued <= expires <= issued + self._lifetime.total_seconds()
        if not (named and limited) or issued > _LATEST:
            raise BadToken
        return Claims(user_id, issued, expires)


def whole_second(moment: datetime) -> int:
    """The first whole second at or after moment: tokens count in seconds, and revocation leaves none of them open."""
    return -int(-moment.timestamp() // 1)


def revoked(now: datetime, valid_from: datetime) -> datetime:
    """From when on tokens count once all so far are revoked; `valid_from`: from when on they did until now.

    Later than the second that any of them can have been issued in, which is ahead of the clock for a new account's.
    """
    return max(now, datetime.fromtimestamp(whole_second(valid_from), UTC)) + timedelta(microseconds=1)


def _whole(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse a name that comes twice: readers of JSON disagree about what it means."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError(pairs)
    return found
