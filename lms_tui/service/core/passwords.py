"""Password hashes: argon2id with 19 MiB, two passes and one lane. Each takes about 20 ms of a core."""

from functools import cache
from pathlib import Path
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

# Compared with the password of an unknown user, to take as long as for a known one. No password matches it.
_DUMMY_HASH: Final = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"


_PUBLIC: Final = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
PUBLIC_HASH: Final = "$argon2id$v=19$m=8,t=1,p=1$"
"""How the hash of a public password begins, and no other one."""
SHORTEST: Final = 8
"""The least number of characters of a new password, by NIST SP 800-63B."""


@cache
def _common() -> frozenset[str]:
    """Return passwords of at least the shortest length that many people choose, in lower case."""
    return frozenset(Path(__file__).with_name("common_passwords.txt").read_text("utf-8").split())


def is_common(password: str) -> bool:
    """Return whether a password is among the first that somebody would guess, in any case."""
    return len(set(password)) == 1 or password.casefold() in _common()


class Passwords:
    """Hashes and verifies passwords of at most `longest` bytes."""

    def __init__(self, longest: int = 4096) -> None:
        self._longest = longest
        self._hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)

    def hash(self, password: str) -> str:
        """Raises ValueError for a password longer than the cap or with characters no text has."""
        if self._bytes(password) is None:
            raise ValueError("the password is too long")
        return self._hasher.hash(password)

    def hash_public(self, password: str) -> str:
        """Hash a public password quickly, with 8 KiB and one pass."""
        return _PUBLIC.hash(password)

    def verify(self, stored: str | None, password: str) -> bool:
        """Take the same time whether or not the user exists. `stored` None: no such user, or no password."""
        secret = self._bytes(password)
        try:
            self._hasher.verify(stored or _DUMMY_HASH, b"" if secret is None else secret)
        except (VerificationError, InvalidHashError):
            return False
        return stored is not None and secret is not None

    def _bytes(self, password: str) -> bytes | None:
        secret = password.encode(errors="surrogatepass")
        return secret if len(secret) <= self._longest else None
