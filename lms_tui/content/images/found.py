"""Find the images of documents in reading order."""

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass

from lms_tui.content.html import parse
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


def sources_in(texts: Iterable[str | None]) -> list[str]:
    """Return the addresses of the images in some HTML, without those that hold their picture themselves."""
    found = (image.source for text in texts if text for image in images_of(parse(text)))
    return [source for source in found if source and not source.startswith("data:")]
