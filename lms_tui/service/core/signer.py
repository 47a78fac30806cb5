"""Values that only this service can make, because its key goes into them."""

import base64
import hashlib
import hmac
from typing import Final

_FINGERPRINT: Final = 24


class Seals:
    """`key`: the service's own, of at least 32 bytes, kept outside the database."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def seal(self, purpose: str, *parts: bytes) -> bytes:
        """Return 32 bytes that nobody else can find for these parts, nor use for another purpose."""
        # Each part with its length, so that no two lists of parts read alike.
        joined = b"".join(len(part).to_bytes(8, "big") + part for part in (purpose.encode(), *parts))
        return hmac.digest(self._key, joined, hashlib.sha256)

    def fits(self, given: bytes, purpose: str, *parts: bytes) -> bool:
        """Say whether given is the beginning of the seal, in constant time; fewer than 16 bytes never are."""
        return len(given) >= 16 and hmac.compare_digest(given, self.seal(purpose, *parts)[: len(given)])

    def fingerprint(self, user_id: int, password_hash: str | None) -> str:
        """Stand in for a password hash in update responses: changes with the password and tells nothing about it.

        `!` begins what imports take for a password nobody can sign in with, so that it is of no use elsewhere either.
        """
        seal = self.seal("password", str(user_id).encode(), (password_hash or "").encode())
        return "!fp1$" + base64.urlsafe_b64encode(seal).decode()[:_FINGERPRINT]
