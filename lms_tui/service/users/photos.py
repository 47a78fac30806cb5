"""Uploaded photos: validated, and rendered in every size."""

import base64
import binascii
import io
import re
import secrets
import warnings
from typing import Final

from PIL import Image, ImageOps, UnidentifiedImageError

from lms_tui.common.frozen import frozen
from lms_tui.service.users.sizes import ORIGINAL, SIZES

MAX_PIXELS: Final = 12_000_000
MAX_SIDE: Final = 20_000
"""In pixels. JPEG itself allows at most 65,535."""
_TOO_LARGE: Final = f"The photo has more than {MAX_PIXELS // 1_000_000} million pixels."
_FORMATS: Final = ("JPEG", "PNG", "WEBP", "GIF")
_DATA: Final = re.compile(r"data:image/[a-z.+-]{1,20};base64,", re.IGNORECASE)


class BadPhoto(Exception):
    """A refused upload. `str(error)` is a sentence for its sender."""


@frozen
class Crop:
    """The visible part of a photo, in pixels from the upper left corner. All 0: the centre."""

    x_offset: int = 0
    y_offset: int = 0
    width: int = 0
    height: int = 0

    def of(self, image: Image.Image) -> Image.Image:
        """Crop an image. Raises BadPhoto where the crop leaves the image."""
        if self == Crop():
            return image
        right, below = self.x_offset + self.width, self.y_offset + self.height
        if not (self.width and self.height and right <= image.width and below <= image.height):
            raise BadPhoto("The crop does not lie within the photo.")
        return image.crop((self.x_offset, self.y_offset, right, below))


def read_photo(text: str) -> Image.Image:
    """Decode base64, with or without a `data:image/…;base64,` prefix. Raises BadPhoto.

    Only the pixels are stored, without metadata such as the place where the photo was taken.
    """
    start = _DATA.match(text)
    try:
        raw = base64.b64decode(text[start.end() if start else 0 :], validate=True)
    except (binascii.Error, ValueError):
        raise BadPhoto("The photo is not base64.") from None
    return decode(raw)


def decode(raw: bytes) -> Image.Image:
    """Decode an image of at most `MAX_PIXELS` and turn it upright. Raises BadPhoto."""
    try:
        with warnings.catch_warnings():
            # Damaged camera metadata is common, and only the pixels are stored.
            warnings.simplefilter("ignore")
            image = Image.open(io.BytesIO(raw), formats=_FORMATS)
            if image.width * image.height > MAX_PIXELS:
                raise BadPhoto(_TOO_LARGE)
            if max(image.size) > MAX_SIDE:
                raise BadPhoto(f"The photo has a side of more than {MAX_SIDE:,} pixels.")
            image.load()
            upright = ImageOps.exif_transpose(image)
    except Image.DecompressionBombError:
        raise BadPhoto(_TOO_LARGE) from None
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, EOFError, MemoryError):
        raise BadPhoto("The photo is not a JPEG, PNG, WebP or GIF image.") from None
    return upright.convert("RGBA" if upright.has_transparency_data else "RGB")


def render(image: Image.Image, crop: Crop) -> tuple[str, dict[str, bytes]]:
    """Return a new name for the photo, and its files by name: the original, and each size as a square."""
    ending = "png" if image.mode == "RGBA" else "jpg"
    part = crop.of(image)
    files = {f"{ORIGINAL}.{ending}": _written(image, ending)}
    for size in SIZES.values():
        small = ImageOps.fit(part, (int(size), int(size)), Image.Resampling.LANCZOS)
        files[f"{size}.{ending}"] = _written(small, ending)
    return f"{secrets.token_hex(16)}.{ending}", files


def _written(image: Image.Image, ending: str) -> bytes:
    out = io.BytesIO()
    if ending == "png":
        image.save(out, "PNG")
    else:
        image.save(out, "JPEG", quality=90)
    return out.getvalue()
