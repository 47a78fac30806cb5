"""Find the images of a document in reading order."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from lms_tui.content.model import Image


def images_of(part: object) -> Iterator[Image]:
    """Yield every image in a document, a block or running text."""
    if isinstance(part, Image):
        yield part
    elif isinstance(part, tuple):
        for item in part:
            yield from images_of(item)
    elif is_dataclass(part):
        for field in fields(part):
            yield from images_of(getattr(part, field.name))
