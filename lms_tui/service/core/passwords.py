"""Passwords: argon2id with 19 MiB, two passes and one lane, about 20 ms of a core each."""

from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

# What an unknown user's password is compared with, so that it takes as long as a known one's. No password fits.
_NOBODY: Final = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"


class Passwords:
    """`longest`: bytes; a longer password is never hashed."""

    def __init__(self, longest: int = 4096) -> None:
        self._longest = longest
        self._hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)

    def hash(self, password: str) -> str:
        """Raises ValueError for a password longer than the cap or with characters no text has."""
        if self._bytes(password) is None:
            raise ValueError("the password is too long")
        return self._hasher.hash(password)

    def hash_public(self, password: str) -> str:
        """Hash a password that everybody knows, for which nobody waits: 8 KiB and one pass."""
        return PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(password)

    def verify(self, stored: str | None, password: str) -> bool:
        """Take the same time whether there is a user with a password or not (stored None)."""
        secret = self._bytes(password)
        try:
            self._hasher.verify(stored or _NOBODY, b"" if secret is None else secret)
        except (VerificationError, InvalidHashError):
            return False
        return stored is not None and secret is not None

    def _bytes(self, password: str) -> bytes | None:
        secret = password.encode(errors="surrogatepass")
        return secret if len(secret) <= self._longest else None
