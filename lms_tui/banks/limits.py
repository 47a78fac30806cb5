"""Bounds that hold before anything is read; imported by those who only hand a file on."""

from typing import Final

LARGEST: Final = 64 * 1024 * 1024
"""Bytes above which a file is refused unread."""
