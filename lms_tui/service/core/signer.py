"""Signatures and fingerprints made with the key of this service."""

import base64
import hashlib
import hmac
from typing import Final

_FINGERPRINT: Final = 24


class Signer:
    """Signs with the key of the service, which has at least 32 bytes and is kept outside the database."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def sign(self, purpose: str, *parts: bytes) -> bytes:
        """Return the signature of these parts for one purpose, 32 bytes."""
        # The length before each part keeps different lists of parts different.
        joined = b"".join(len(part).to_bytes(8, "big") + part for part in (purpose.encode(), *parts))
        return hmac.digest(self._key, joined, hashlib.sha256)

    def verify(self, given: bytes, purpose: str, *parts: bytes) -> bool:
        """Return whether given is the signature or its first bytes, at least 16, in constant time."""
        return len(given) >= 16 and hmac.compare_digest(given, self.sign(purpose, *parts)[: len(given)])

    def fingerprint(self, user_id: int, password_hash: str | None) -> str:
        """Return a substitute for the password hash in update responses, which changes with the password.

        It begins with `!`, which Django takes for a password that never matches.
        """
        signature = self.sign("password", str(user_id).encode(), (password_hash or "").encode())
        return "!fp1$" + base64.urlsafe_b64encode(signature).decode()[:_FINGERPRINT]
