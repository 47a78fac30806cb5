"""Which servers and users are known on this computer, and the tokens that someone asked to keep."""

import json
import os
import stat
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, Protocol

from lms_tui.client.port import TOKEN_PATH
from lms_tui.common.cleaning import clean_line
from lms_tui.common.settings import Profile
from lms_tui.common.user_errors import AdvisedError

_SERVICE: Final = "lms-tui"
_MOST_PROFILES: Final = 100
_LARGEST: Final = 1024 * 1024
_POSIX: Final = os.name == "posix"


class UnsafeSecretError(AdvisedError):
    """A kept token that others on this computer could read; it is not used."""

    def __init__(self) -> None:
        super().__init__(
            "The kept token could be read by others on this computer, so it is not used.",
            "Sign in again; the token is then kept in a file of your own.",
        )


class Place(StrEnum):
    """Where a token is kept, in words for people."""

    KEYRING = "the keyring of this computer"
    FILE = "a file that only you can read"


def make_private_folder(folder: Path) -> None:
    """Create a directory for the owner alone, or take back what others may do with it; raises OSError."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if _POSIX and stat.S_IMODE(folder.stat().st_mode) & 0o077:
        folder.chmod(0o700)


def write_private(file: Path, data: bytes) -> None:
    """Replace a file at once or not at all, readable by the owner alone from its first byte; raises OSError."""
    make_private_folder(file.parent)
    draft = file.with_name(f".{file.name}.{os.getpid()}.new")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o600)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(file)
    except OSError:
        draft.unlink(missing_ok=True)
        raise


class ProfileList:
    """The known servers and users, last used first, in one small file."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def all(self) -> tuple[Profile, ...]:
        """What can be read; a file that is damaged reads as none and is left alone until someone signs in."""
        try:
            if self._file.stat().st_size > _LARGEST:
                return ()
            rows = json.loads(self._file.read_text("utf-8"))
        except (OSError, ValueError, RecursionError):
            return ()
        return tuple(profile for row in rows if (profile := _profile(row))) if isinstance(rows, list) else ()

    def remember(self, profile: Profile) -> None:
        """Put a profile first; raises OSError."""
        others = [known for known in self.all() if _identity(known) != _identity(profile)]
        rows = [_row(row) for row in [profile, *others][:_MOST_PROFILES]]
        write_private(self._file, json.dumps(rows, ensure_ascii=False, indent=2).encode())

    def remove(self, profile: Profile) -> None:
        """Leave a profile out from now on; raises OSError."""
        rows = [_row(known) for known in self.all() if _identity(known) != _identity(profile)]
        write_private(self._file, json.dumps(rows, ensure_ascii=False, indent=2).encode())

    def ca_file(self, base_url: str) -> Path | None:
        """The certificates that someone gave for this server; None where nobody did."""
        return next((known.ca_file for known in self.all() if known.base_url == base_url and known.ca_file), None)


class TokenStore(Protocol):
    """Keeps one token for each profile. Raises OSError, or UnsafeSecretError when reading."""

    def read(self, profile: Profile) -> str | None: ...
    def keep(self, profile: Profile, token: str) -> Place: ...
    def forget(self, profile: Profile) -> None: ...


class FileTokens:
    """One 0600 file for each profile in a 0700 directory; the file's name tells nothing."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, profile: Profile) -> str | None:
        try:
            descriptor = os.open(self._file(profile), os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
        except FileNotFoundError:
            return None
        with os.fdopen(descriptor, "rb") as stream:
            facts = os.fstat(stream.fileno())
            if _POSIX and (facts.st_mode & 0o077 or facts.st_uid != os.geteuid()):
                raise UnsafeSecretError
            return stream.read(_LARGEST).decode("ascii", "replace").strip() or None

    def keep(self, profile: Profile, token: str) -> Place:
        write_private(self._file(profile), token.encode())
        return Place.FILE

    def forget(self, profile: Profile) -> None:
        self._file(profile).unlink(missing_ok=True)

    def _file(self, profile: Profile) -> Path:
        import hashlib  # noqa: PLC0415 - the first paint needs no digest

        name = hashlib.sha256("\0".join(_identity(profile)).encode()).hexdigest()[:32]
        return self._folder / f"{name}.token"


class KeyringTokens:
    """The system's keyring, and the files where it does not do what it is asked (locked, no session, no service)."""

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
    """Use the keyring where the extra is installed and the system has one that encrypts, else files.

    May take 100 ms and ask the system, so it belongs behind the first paint.
    """
    files = FileTokens(folder)
    try:
        import keyring  # noqa: PLC0415 - an extra, and slow to import
        import keyring.errors  # noqa: PLC0415 - an extra, and slow to import

        backend = keyring.get_keyring()
        encrypts = float(backend.priority) >= 1 and "plaintext" not in type(backend).__name__.lower()
    except (ImportError, AttributeError, RuntimeError, ValueError):  # not there, not configured, not able to run here
        return files
    return KeyringTokens(keyring, files) if encrypts else files


def _row(profile: Profile) -> dict[str, str]:
    row = {
        "name": profile.name,
        "base_url": profile.base_url,
        "username": profile.username,
        "token_path": profile.token_path,
    }
    return row if profile.ca_file is None else {**row, "ca_file": str(profile.ca_file)}


def _profile(row: object) -> Profile | None:
    if not isinstance(row, dict):
        return None
    texts = [row.get(name) for name in ("name", "base_url", "username")]
    if not all(isinstance(text, str) for text in texts):
        return None
    name, base_url, username = (clean_line(str(text)) for text in texts)
    path, ca_file = row.get("token_path"), row.get("ca_file")
    return Profile(
        name,
        base_url,
        username,
        clean_line(path) if isinstance(path, str) else TOKEN_PATH,
        Path(ca_file) if isinstance(ca_file, str) and ca_file and "\0" not in ca_file else None,
    )


def _identity(profile: Profile) -> tuple[str, str]:
    return profile.base_url, profile.username


def _account(profile: Profile) -> str:
    return f"{profile.username} at {profile.base_url}"
