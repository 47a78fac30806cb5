"""Secrets that let a video be played, made of numbers in the database and the key outside it: neither is enough."""

import base64
import binascii
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

from lms_tui.service.core.signer import Seals

LONGEST_PLAYBACK: Final = timedelta(hours=6)
"""How long a page that was opened in time may go on loading its video, with all pauses of whoever watches."""

_SEAL: Final = 16
_LONGEST: Final = 128
_MOMENT: Final = 8


@dataclass(frozen=True, slots=True)
class Grant:
    """A playback that has begun: of which token, and until when its video may be loaded."""

    token: UUID
    until: datetime


class Codes:
    """Makes and reads codes of tokens, and the names under which a video is loaded once a token was accepted."""

    def __init__(self, seals: Seals) -> None:
        self._seals = seals

    def code(self, token: UUID) -> str:
        return _written(token.bytes + self._seals.seal("playback code", token.bytes)[:_SEAL])

    def token(self, code: str) -> UUID | None:
        """Return which token a code belongs to, None for a code that was not made here."""
        raw = _read(code, 16 + _SEAL)
        if raw is None or not self._seals.fits(raw[16:], "playback code", raw[:16]):
            return None
        return UUID(bytes=raw[:16])

    def grant(self, grant: Grant, content: UUID, browser: str) -> str:
        """Name a playback. It opens this content, in a browser of this kind, until its time is over."""
        held = grant.token.bytes + int(grant.until.timestamp()).to_bytes(_MOMENT, "big")
        return _written(held + self._seals.seal("playback", held, content.bytes, browser.encode())[:_SEAL])

    def granted(self, name: str, content: UUID, browser: str) -> Grant | None:
        """Return the playback that a name stands for, None where it was not granted for this content and browser."""
        raw = _read(name, 16 + _MOMENT + _SEAL)
        if raw is None:
            return None
        held, seal = raw[:-_SEAL], raw[-_SEAL:]
        if not self._seals.fits(seal, "playback", held, content.bytes, browser.encode()):
            return None
        return Grant(UUID(bytes=held[:16]), datetime.fromtimestamp(int.from_bytes(held[16:], "big"), UTC))


def _written(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def _read(text: str, size: int) -> bytes | None:
    """Decode what `_written` wrote, and only in the one way it is written."""
    if len(text) > _LONGEST or not text.isascii():
        return None
    try:
        raw = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return None
    return raw if len(raw) == size and _written(raw) == text else None
