"""Read untrusted zip files in memory, with limits on size and with normalised names."""

import lzma
import posixpath
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from typing import Final
from urllib.parse import unquote

from lms_tui.banks.pictures import Missing
from lms_tui.common.frozen import frozen

LARGEST_MEMBER: Final = 64 * 1024 * 1024
LARGEST_SUM: Final = 256 * 1024 * 1024
"""Most bytes that are unpacked from one file."""
_LARGEST_KNOWN: Final = 4 * 1024 * 1024
"""Most bytes of unpacked files that stay in memory, because a file is often read twice in a row."""
_MOST_MEMBERS: Final = 50_000
_BASES: Final = ("$IMS-CC-FILEBASE$", "$IMS_CC_FILE_BASE$", "$IMS_CC_FILEBASE$")
# Errors that zipfile raises for broken files. It documents only BadZipFile.
_BROKEN: Final = (
    zipfile.BadZipFile, zipfile.LargeZipFile, OSError, RuntimeError, ValueError, zlib.error,
    lzma.LZMAError, struct.error, EOFError, KeyError, IndexError, OverflowError,
)  # fmt: skip


class BadArchive(Exception):
    """`str(error)` ends the sentence "The package …"."""


@dataclass(slots=True)
class Archive:
    """An open zip file. `names` holds its files by normalised path, without paths that leave the package."""

    file: zipfile.ZipFile
    names: dict[str, zipfile.ZipInfo]
    outside: int = 0
    unpacked: int = 0
    sizes: dict[str, int] = field(default_factory=dict)
    """The sizes of the files that were unpacked. Each counts once in `unpacked`."""
    known: dict[str, bytes] = field(default_factory=dict)
    """The files that were unpacked last, the oldest first."""
    held: int = 0
    """The bytes of `known`."""
    used: set[str] = field(default_factory=set)
    """The files that were read."""

    @classmethod
    def open(cls, data: bytes) -> "Archive":
        """Raises BadArchive."""
        try:
            file = zipfile.ZipFile(BytesIO(data))
            infos = file.infolist()
        except _BROKEN as error:
            raise BadArchive("cannot be opened, because the zip file is incomplete or damaged") from error
        if len(infos) > _MOST_MEMBERS:
            raise BadArchive(f"holds more than {_MOST_MEMBERS} files")
        archive = cls(file, {})
        for info in infos:
            archive._list(info)
        return archive

    def _list(self, info: zipfile.ZipInfo) -> None:
        name = info.filename.replace("\\", "/")
        if name.endswith("/"):
            return
        path = _normal(name)
        if path is None or name.startswith("/"):
            self.outside += 1
        elif not _is_junk(path):
            self.names.setdefault(path, info)

    def read(self, path: str) -> bytes:
        """Return a file by its normalised path. Raises Missing, or BadArchive if it unpacks to too many bytes."""
        data = self.peek(path)
        self.used.add(path)
        return data

    def peek(self, path: str) -> bytes:
        """Return a file as `read` does, without counting it as read."""
        if path in self.known:
            return self.known[path]
        info = self.names.get(path)
        if info is None:
            raise Missing("is not in the file")
        room = min(LARGEST_MEMBER, LARGEST_SUM - self.unpacked + self.sizes.get(path, 0))
        try:
            with self.file.open(info) as stream:
                data = stream.read(room + 1)
        except _BROKEN:
            raise Missing("is damaged or encrypted") from None
        self.unpacked += len(data) - self.sizes.get(path, 0)
        self.sizes[path] = len(data)
        if len(data) > room:
            raise BadArchive(f"unpacks to more than {LARGEST_SUM >> 20} MiB")
        if len(data) < 1024 * 1024:
            self._keep(path, data)
        return data

    def _keep(self, path: str, data: bytes) -> None:
        self.known[path] = data
        self.held += len(data)
        while self.held > _LARGEST_KNOWN:
            self.held -= len(self.known.pop(next(iter(self.known))))

    def find(self, reference: str, base: str = "") -> str:
        """Return the path that a reference in the file `base` means. Raises Missing."""
        plain = reference.strip().replace("\\", "/")
        for prefix in _BASES:
            plain = unquote(plain).removeprefix(prefix) if prefix in unquote(plain) else plain
        for written in dict.fromkeys((plain, unquote(plain), unquote(plain.partition("?")[0].partition("#")[0]))):
            for path in self._candidates(written, base):
                if path in self.names:
                    return path
        raise Missing("is not in the file")

    def _candidates(self, written: str, base: str) -> Iterator[str]:
        """Yield the paths that a reference may mean, the likeliest first."""
        beside = _normal(posixpath.join(posixpath.dirname(base), written))
        direct = _normal(written.lstrip("/"))
        if beside:
            yield beside
        if direct:
            yield direct
            yield f"web_resources/{direct}"
            yield from sorted((path for path in self.names if path.endswith(f"/{direct}")), key=len)[:1]


@frozen
class Member:
    """A file in an archive."""

    archive: Archive
    name: str

    def read(self, reference: str) -> bytes:
        return self.archive.read(self.archive.find(reference, self.name))

    def beside(self, reference: str) -> "Member":
        return Member(self.archive, self.archive.find(reference, self.name))


def _normal(name: str) -> str | None:
    """Return a path without dots, or None if it leaves the package."""
    path = posixpath.normpath(name)
    return None if path in {"", "."} or path.startswith(("../", "/")) or path == ".." or "\0" in path else path


def _is_junk(path: str) -> bool:
    last = posixpath.basename(path)
    return path.startswith("__MACOSX/") or last.startswith("._") or last in {".DS_Store", "Thumbs.db"}
