"""The content of the files in answers: a folder beside the journal, or memory."""

import shutil
from pathlib import Path

from lms_tui.attempt.ports import JournalError
from lms_tui.common.private_files import is_full, make_private_folder, replace_file, sync_path


class FolderFiles:
    """A folder with a file for each content. Only its owner can read it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep(self, digest: str, content: bytes) -> None:
        try:
            make_private_folder(self._folder)
            replace_file(self._folder / digest, content)
            sync_path(self._folder)
            sync_path(self._folder.parent)
        except OSError as error:
            what = "The disk is full" if is_full(error) else f"It cannot be written ({error.strerror})"
            raise JournalError(
                f"The file could not be saved. {what}.", "Make room, then add the file again."
            ) from error

    def part(self, digest: str, offset: int, size: int) -> bytes | None:
        try:
            with (self._folder / digest).open("rb") as stream:
                stream.seek(offset)
                return stream.read(size)
        except OSError:
            return None

    def clear(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)


class MemoryFiles:
    def __init__(self) -> None:
        self._contents: dict[str, bytes] = {}

    def keep(self, digest: str, content: bytes) -> None:
        self._contents[digest] = content

    def part(self, digest: str, offset: int, size: int) -> bytes | None:
        content = self._contents.get(digest)
        return None if content is None else content[offset : offset + size]

    def clear(self) -> None:
        self._contents.clear()
