"""The sizes of stored photos, in a module that does not import the image library."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

ORIGINAL: Final = "original"
SIZES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "large_image": "256",
        "medium_image": "128",
        "medium_small_image": "64",
        "small_image": "48",
        "x_small_image": "32",
        "mini_image": "24",
    }
)
"""File names of the API fields, which are width and height in pixels."""
