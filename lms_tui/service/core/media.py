"""The media folder with the photos of users and the videos of the institute. No name can lead out of it."""

import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

_NAME: Final = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,199}")

PHOTOS: Final = "photos"
VIDEOS: Final = "videos"


class Media:
    """Files under `root`, which several processes and machines may share."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def find(self, *names: str) -> Path | None:
        """Return the path of the file under the root, None where it is missing or a link leads elsewhere."""
        if not all(_NAME.fullmatch(name) for name in names):
            return None
        root = self._root.resolve()
        path = root.joinpath(*names).resolve()
        return path if path.is_relative_to(root) and path.is_file() else None

    def write_folder(self, kind: str, name: str, files: Mapping[str, bytes]) -> None:
        """Store files in a new folder, which gets its name when all files are written."""
        parent = self._root / kind
        parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(dir=parent, prefix=".new-"))
        try:
            for file, content in files.items():
                (folder / file).write_bytes(content)
            folder.rename(parent / name)
        except OSError:
            shutil.rmtree(folder, ignore_errors=True)
            raise

    def remove_folder(self, kind: str, name: str) -> None:
        """Remove a folder with its files, if it exists."""
        if name and _NAME.fullmatch(name):
            shutil.rmtree(self._root / kind / name, ignore_errors=True)

    def add_file(self, kind: str, name: str, source: Path) -> None:
        """Copy a file into the folder, unless the name exists."""
        target = self._root / kind / name
        if target.exists():
            return
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, copy = tempfile.mkstemp(dir=target.parent, prefix=".new-")
        os.close(handle)
        try:
            shutil.copyfile(source, copy)
            Path(copy).replace(target)
        except OSError:
            Path(copy).unlink(missing_ok=True)
            raise

    def remove_file(self, kind: str, name: str) -> None:
        """Remove a file, if it exists."""
        path = self.find(kind, name)
        if path is not None:
            path.unlink(missing_ok=True)
