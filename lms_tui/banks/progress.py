"""Tell how much of a large file has been read."""

from collections.abc import Callable

Progress = Callable[[str, float], None]
"""Takes what is being done, and the share of it from 0 to 1."""


def untold(_words: str, _share: float) -> None:
    """Tell nobody."""
