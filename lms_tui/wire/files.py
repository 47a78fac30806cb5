"""The files of an answer: how an answer names them, and what the embedded service tells of them.

An answer to a question of type F holds a text for each file in `gap_fill_responses`, in the order of the files. The
content is sent before the answer, in parts. The API document has no files, so a server may know none of this.
"""

import re
from typing import Final

from lms_tui.common.frozen import frozen
from lms_tui.common.sizes import bytes_of
from lms_tui.wire.base import Count, Many, Text, Wire

LONGEST_NAME: Final = 150
"""Characters of the name of a file."""
_REFERENCE: Final = re.compile(r"([0-9a-f]{64}) (0|[1-9][0-9]{0,11}) (.+)")


@frozen
class FileReference:
    """A file of an answer. `digest` is the SHA-256 of its content in hexadecimal digits, and `size` is in bytes."""

    digest: str
    size: int
    name: str

    @property
    def text(self) -> str:
        """The text that names this file in an answer."""
        return f"{self.digest} {self.size} {self.name}"

    @property
    def words(self) -> str:
        """The name and the size, such as `report.pdf (12 KB)`."""
        return f"{self.name} ({bytes_of(self.size)})"

    @property
    def type(self) -> str:
        """The end of the name with its dot, in small letters. "" if the name has none."""
        stem, dot, end = self.name.rpartition(".")
        return f".{end.lower()}" if dot and stem else ""

    @classmethod
    def read(cls, text: str) -> "FileReference | None":
        """Read the text that names a file. Return None if it names none."""
        found = _REFERENCE.fullmatch(text)
        if found is None or len(found[3]) > LONGEST_NAME or not is_name(found[3]):
            return None
        return cls(found[1], int(found[2]), found[3])


def is_name(name: str) -> bool:
    """Return whether a text can be the name of a file in an answer: printable, and no path."""
    return bool(name.strip()) and name.isprintable() and not set(name) & set('/\\:*?"<>|') and name not in {".", ".."}


class FileRules(Wire):
    """What a question accepts: at most `most` files, with one of these `types` (`.pdf`), or of any type if empty."""

    question_id: Count = 0
    most: Count = 1
    types: Many[str] = ()


class UploadedFile(Wire):
    """A file of an attempt on the server. It is complete once `received` is `size`. Both are in bytes."""

    digest: Text = ""
    size: Count = 0
    received: Count = 0


class AttemptFiles(Wire):
    """The files of an attempt, and the rules for them.

    `largest`: the bytes of a file. `part`: the bytes that one request takes. `total`: the bytes of all files.
    """

    largest: Count = 0
    part: Count = 0
    total: Count = 0
    questions: Many[FileRules] = ()
    files: Many[UploadedFile] = ()
