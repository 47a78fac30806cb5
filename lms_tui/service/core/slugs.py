"""Slugs: names that stand in addresses."""

import re
import unicodedata
from collections.abc import Collection


def slug_of(text: str) -> str:
    """Return a slug made of the Latin letters and digits of a text, "" where it has none."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:180].strip("-")


def first_free(base: str, taken: Collection[str]) -> str:
    """Return base, or base with the first number that makes a slug that is not taken."""
    slug, number = base, 2
    while slug in taken:
        slug, number = f"{base}-{number}", number + 1
    return slug
