"""Tell from its bytes which kind of exam file a zip file or an old office document is."""

from enum import Enum, auto
from typing import Final

ZIP: Final = b"PK\x03\x04"
OLD_OFFICE: Final = b"\xd0\xcf\x11\xe0"
H5P_HEAD: Final = "h5p.json"
H5P_CONTENT: Final = "content/content.json"
_EMPTY_ZIP: Final = b"PK\x05\x06"


class ZipKind(Enum):
    """`WORKBOOK` is an xlsx, ods or xls file. `PACKAGE` is a zip file of none of the other kinds."""

    WORKBOOK = auto()
    DOCUMENT = auto()
    H5P = auto()
    PACKAGE = auto()


def zip_kind(data: bytes) -> ZipKind | None:
    """Return the kind of a file, or None if it is no zip file and no workbook."""
    if data.startswith(OLD_OFFICE):
        return ZipKind.WORKBOOK if "Workbook".encode("utf-16-le") in data else None
    if not data.startswith(ZIP):
        return ZipKind.PACKAGE if data.startswith(_EMPTY_ZIP) else None
    if b"xl/workbook" in data or b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet" in data[:200]:
        return ZipKind.WORKBOOK
    if b"word/document.xml" in data:
        return ZipKind.DOCUMENT
    if H5P_HEAD.encode() in data and H5P_CONTENT.encode() in data:
        return ZipKind.H5P
    return ZipKind.PACKAGE
