"""Images from the web, and the servers from which a person allowed to load them."""

import json
import logging
import threading
from pathlib import Path
from typing import Final

from lms_tui.common.private_files import make_private_folder, write_private

_log = logging.getLogger(__name__)
_LARGEST: Final = 64 * 1024 * 1024
"""Bytes of all images. The oldest are deleted first."""
_MOST_HOSTS: Final = 1_000


class ImageCache:
    """A private directory with `<hash>.picture`, `<hash of an address>.address` and `hosts.json`.

    If the disk cannot be written, images are loaded again next time.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._turn = threading.Lock()
        self._hosts: set[str] | None = None

    def find(self, url: str) -> bytes | None:
        """Return the image of an address, or None if it is missing or damaged."""
        try:
            name = self._address(url).read_text("ascii")
            data = (self._folder / f"{name}.picture").read_bytes() if name.isalnum() else b""
        except (OSError, ValueError):
            return None
        return data if _hash(data) == name else None

    def keep(self, url: str, data: bytes) -> None:
        name = _hash(data)
        with self._turn:
            try:
                write_private(self._folder / f"{name}.picture", data)
                write_private(self._address(url), name.encode())
                self._trim()
            except OSError as error:
                _log.warning("an image was not saved: %s", error.strerror)

    def allows(self, host: str) -> bool:
        return host in self._allowed()

    def allow(self, host: str) -> None:
        """Remember that the person allowed this server."""
        hosts = self._allowed()
        hosts.add(host)
        try:
            write_private(self._folder / "hosts.json", json.dumps(sorted(hosts)[:_MOST_HOSTS]).encode())
        except OSError as error:
            _log.warning("an allowed server was not saved: %s", error.strerror)

    def _allowed(self) -> set[str]:
        if self._hosts is None:
            try:
                kept = json.loads((self._folder / "hosts.json").read_text("utf-8"))
            except (OSError, ValueError, RecursionError):
                kept = []
            self._hosts = {host for host in kept if isinstance(host, str)} if isinstance(kept, list) else set()
        return self._hosts

    def _address(self, url: str) -> Path:
        return self._folder / f"{_hash(url.encode())}.address"

    def _trim(self) -> None:
        """Delete the oldest images until the others fit."""
        make_private_folder(self._folder)
        files = sorted((file.stat().st_mtime, file.stat().st_size, file) for file in self._folder.glob("*.picture"))
        total = sum(size for _, size, _ in files)
        for _, size, file in files:
            if total <= _LARGEST:
                return
            file.unlink(missing_ok=True)
            total -= size


def _hash(data: bytes) -> str:
    import hashlib  # noqa: PLC0415 - the first screen has no pictures

    return hashlib.sha256(data).hexdigest()
