"""The types of files that a question accepts, named by the ends of file names such as `.pdf`."""

import re
from collections.abc import Iterable
from typing import Final

from lms_tui.common.cleaning import clean_line

MOST_FILES: Final = 20
"""Most files of one answer."""
_END: Final = re.compile(r"[a-z0-9][a-z0-9_+-]{0,15}")
_IMAGES: Final = (".jpg", ".jpeg", ".png", ".gif", ".webp")
_MEDIA: Final[dict[str, tuple[str, ...]]] = {
    "application/pdf": (".pdf",),
    "application/msword": (".doc",),
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": (".docx",),
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": (".xlsx",),
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": (".pptx",),
    "application/vnd.oasis.opendocument.text": (".odt",),
    "application/vnd.oasis.opendocument.spreadsheet": (".ods",),
    "application/rtf": (".rtf",),
    "application/zip": (".zip",),
    "text/plain": (".txt",),
    "text/csv": (".csv",),
    "text/html": (".html",),
    "image/jpeg": (".jpg", ".jpeg"),
    "image/png": (".png",),
    "image/gif": (".gif",),
    "image/webp": (".webp",),
    "image/svg+xml": (".svg",),
    "image/*": _IMAGES,
    "audio/mpeg": (".mp3",),
    "video/mp4": (".mp4",),
}
_GROUPS: Final[dict[str, tuple[str, ...]]] = {
    "document": (".pdf", ".doc", ".docx", ".odt", ".rtf", ".epub"),
    "spreadsheet": (".csv", ".xls", ".xlsx", ".ods"),
    "presentation": (".pdf", ".ppt", ".pptx", ".odp"),
    "archive": (".zip", ".7z", ".tar", ".gz", ".rar"),
    "image": (*_IMAGES, ".svg", ".bmp", ".tif", ".tiff"),
    "web_image": (*_IMAGES, ".svg"),
    "optimised_image": _IMAGES,
    "audio": (".mp3", ".m4a", ".ogg", ".oga", ".wav", ".flac"),
    "video": (".mp4", ".m4v", ".mov", ".webm", ".ogv", ".mkv"),
}
"""Groups of file types in Moodle."""


def file_type(text: str) -> str:
    """Read `pdf`, `.PDF` or `*.pdf` as `.pdf`. Return "" if the text is no end of a file name."""
    end = text.strip().lower().removeprefix("*").removeprefix(".")
    return f".{end}" if _END.fullmatch(end) else ""


def named_types(names: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the types that ends of file names, media types and groups of Moodle name, and the names not known."""
    types: dict[str, None] = {}
    unknown = []
    for name in names:
        folded = name.lower()
        found = _MEDIA.get(folded) or _GROUPS.get(folded) or tuple(filter(None, [file_type(folded)]))
        types |= dict.fromkeys(found)
        if not found:
            unknown.append(name)
    return tuple(types), tuple(unknown)


def not_known(name: str) -> str:
    """Return the warning about a type that `named_types` does not know."""
    return f"“{clean_line(name)[:40]}” is not a known file type and was left out."


def media_types(types: Iterable[str]) -> tuple[str, ...]:
    """Return the media types of files. Types without one are left out."""
    named = [media for each in types for media, ends in _MEDIA.items() if each in ends and not media.endswith("*")]
    return tuple(dict.fromkeys(named))
