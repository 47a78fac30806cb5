"""Read a file that a person named."""

import logging
from pathlib import Path

from lms_tui.common.cleaning import clean_line
from lms_tui.common.user_errors import AdvisedError

_log = logging.getLogger(__name__)


class UnreadableFileError(AdvisedError):
    """The file cannot be read."""


def read_file(file: Path, most: int) -> bytes:
    """Return at most `most` + 1 bytes, which tells a larger file from a whole one. Raises UnreadableFileError."""
    name = clean_line(str(file))
    if file.exists() and not file.is_file():
        raise UnreadableFileError(f"{name} is not a file.", "Give the name of a file.")
    try:
        with file.open("rb") as stream:
            data = stream.read(most + 1)
    except OSError as error:
        raise UnreadableFileError(f"{name} cannot be read ({error.strerror}).", "Check its name and folder.") from error
    _log.info("read %s, %d bytes", name, len(data))
    return data
