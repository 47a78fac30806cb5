"""The tokens that a person chose to keep, in the keyring of the system or in private files."""

import os
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, Protocol

from lms_tui.common.private_files import BINARY, write_private
from lms_tui.common.settings import Profile
from lms_tui.common.user_errors import AdvisedError

_SERVICE: Final = "lms-tui"
_LARGEST: Final = 1024 * 1024


class UnsafeSecretError(AdvisedError):
    """Other users of this computer could read the saved token. The program does not use it."""

    def __init__(self) -> None:
        super().__init__(
            "Other users of this computer can read the saved token, so it was not used.",
            "Sign in again to save a new token in a private file.",
        )


class Place(StrEnum):
    """Where a token is saved, as messages name it."""

    KEYRING = "the keyring of this computer"
    FILE = "a file that only you can read"


class TokenStore(Protocol):
    """Saves one token for each profile. Methods raise OSError, and `read` also raises UnsafeSecretError."""

    def read(self, profile: Profile) -> str | None: ...
    def keep(self, profile: Profile, token: str) -> Place: ...
    def forget(self, profile: Profile) -> None: ...


class FileTokens:
    """One file with mode 0600 for each profile. The file's name is a digest of server and user.

    `forget` deletes the kept home screen too.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, profile: Profile) -> str | None:
        data = read_private(_private_file(self._folder, profile, "token"))
        return None if data is None else data.decode("ascii", "replace").strip() or None

    def keep(self, profile: Profile, token: str) -> Place:
        write_private(_private_file(self._folder, profile, "token"), token.encode())
        return Place.FILE

    def forget(self, profile: Profile) -> None:
        _private_file(self._folder, profile, "token").unlink(missing_ok=True)
        list_file(self._folder, profile).unlink(missing_ok=True)


class KeyringTokens:
    """The system's keyring. Files replace it whenever it fails, for example because it is locked."""

    def __init__(self, keyring: Any, files: FileTokens) -> None:
        self._keyring = keyring
        self._files = files
        self._errors: tuple[type[Exception], ...] = (keyring.errors.KeyringError, RuntimeError, OSError)

    def read(self, profile: Profile) -> str | None:
        with suppress(*self._errors):
            if token := self._keyring.get_password(_SERVICE, _account(profile)):
                return str(token)
        return self._files.read(profile)

    def keep(self, profile: Profile, token: str) -> Place:
        try:
            self._keyring.set_password(_SERVICE, _account(profile), token)
        except self._errors:
            return self._files.keep(profile, token)
        self._files.forget(profile)
        return Place.KEYRING

    def forget(self, profile: Profile) -> None:
        with suppress(*self._errors):
            self._keyring.delete_password(_SERVICE, _account(profile))
        self._files.forget(profile)


def find_tokens(folder: Path) -> TokenStore:
    """Return the keyring if the extra is installed and the system's keyring encrypts, else files.

    Takes up to 100 ms and may call the system's keyring service. Do not call it before the first paint.
    """
    files = FileTokens(folder)
    try:
        import keyring  # noqa: PLC0415 - an extra, and slow to import
        import keyring.errors  # noqa: PLC0415 - an extra, and slow to import

        backend = keyring.get_keyring()
        encrypts = float(backend.priority) >= 1 and "plaintext" not in type(backend).__name__.lower()
    except (ImportError, AttributeError, RuntimeError, ValueError):  # not installed, not configured, or not usable
        return files
    return KeyringTokens(keyring, files) if encrypts else files


def read_private(file: Path) -> bytes | None:
    """Return a private file, None if there is none. Raises OSError and UnsafeSecretError."""
    try:
        descriptor = os.open(file, os.O_RDONLY | BINARY | getattr(os, "O_NOFOLLOW", 0))
    except FileNotFoundError:
        return None
    with os.fdopen(descriptor, "rb") as stream:
        status = os.fstat(stream.fileno())
        if os.name == "posix" and (status.st_mode & 0o077 or status.st_uid != os.geteuid()):
            raise UnsafeSecretError
        return stream.read(_LARGEST)


def list_file(folder: Path, profile: Profile) -> Path:
    """Return the file of the kept home screen of a profile."""
    return _private_file(folder, profile, "list")


def _private_file(folder: Path, profile: Profile, kind: str) -> Path:
    import hashlib  # noqa: PLC0415 - the sign-in screen needs no digest

    name = hashlib.sha256("\0".join(profile.identity).encode()).hexdigest()[:32]
    return folder / f"{name}.{kind}"


def _account(profile: Profile) -> str:
    return f"{profile.username} at {profile.base_url}"
