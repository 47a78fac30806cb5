"""Playback codes, which need both a token of the database and the key of the service."""

from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

from lms_tui.common.base64url import decoded, encoded
from lms_tui.common.frozen import frozen
from lms_tui.service.core.signer import Signer

MAX_PLAYBACK: Final = timedelta(hours=6)
"""How long an opened page may load its video, pauses included, where its token has no earlier end."""

_SIGNATURE: Final = 16
_MAX_LENGTH: Final = 128
_MOMENT: Final = 8


@frozen
class Grant:
    """A playback that has started. `until` is the last moment to load its video, unless its token ends before."""

    token: UUID
    until: datetime


class Codes:
    """Makes and reads the codes of tokens and the names of playbacks."""

    def __init__(self, signer: Signer) -> None:
        self._signer = signer

    def code(self, token: UUID) -> str:
        return encoded(token.bytes + self._signer.sign("playback code", token.bytes)[:_SIGNATURE])

    def token(self, code: str) -> UUID | None:
        """Return the token of a code, None for an invalid code."""
        raw = _read(code, 16 + _SIGNATURE)
        if raw is None or not self._signer.verify(raw[16:], "playback code", raw[:16]):
            return None
        return UUID(bytes=raw[:16])

    def grant(self, grant: Grant, content: UUID, viewer: str) -> str:
        """Return a name for a playback, valid for this content and viewer until `grant.until`."""
        held = grant.token.bytes + int(grant.until.timestamp()).to_bytes(_MOMENT, "big")
        return encoded(held + self._signer.sign("playback", held, content.bytes, viewer.encode())[:_SIGNATURE])

    def granted(self, name: str, content: UUID, viewer: str) -> Grant | None:
        """Return the playback of a name, None where it is not valid for this content and viewer."""
        raw = _read(name, 16 + _MOMENT + _SIGNATURE)
        if raw is None:
            return None
        held, signature = raw[:-_SIGNATURE], raw[-_SIGNATURE:]
        if not self._signer.verify(signature, "playback", held, content.bytes, viewer.encode()):
            return None
        return Grant(UUID(bytes=held[:16]), datetime.fromtimestamp(int.from_bytes(held[16:], "big"), UTC))


def _read(text: str, size: int) -> bytes | None:
    """Decode a code. Return None for anything that `encoded` would spell differently."""
    if len(text) > _MAX_LENGTH or not text.isascii():
        return None
    try:
        raw = decoded(text)
    except ValueError:
        return None
    return raw if len(raw) == size and encoded(raw) == text else None
