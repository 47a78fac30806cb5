"""What a zip file or an old office document holds, told from its bytes without opening it."""

from typing import Final

OLD_OFFICE: Final = b"\xd0\xcf\x11\xe0"
_ZIP: Final = b"PK\x03\x04"
_ANY_ZIP: Final = (_ZIP, b"PK\x05\x06")


def is_workbook(data: bytes) -> bool:
    """Return whether a file is an xlsx, ods or xls workbook."""
    if data.startswith(OLD_OFFICE):
        return "Workbook".encode("utf-16-le") in data
    return data.startswith(_ZIP) and (
        b"xl/workbook" in data or b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet" in data[:200]
    )


def is_document(data: bytes) -> bool:
    """Return whether a file is a Word document."""
    return data.startswith(_ZIP) and b"word/document.xml" in data


def is_h5p(data: bytes) -> bool:
    """Return whether a file is an H5P package."""
    return data.startswith(_ZIP) and b"h5p.json" in data and b"content/content.json" in data


def is_package(data: bytes) -> bool:
    """Return whether a file is a zip file of none of the other kinds."""
    return data.startswith(_ANY_ZIP) and not (is_workbook(data) or is_document(data) or is_h5p(data))
