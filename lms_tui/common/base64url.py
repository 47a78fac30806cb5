"""Bytes as text for addresses and headers: base64url without padding (RFC 7515, section 2)."""

import base64


def encoded(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def decoded(text: str) -> bytes:
    """Raise ValueError for text with other characters."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
