"""The servers and users that are known on this computer."""

import json
from pathlib import Path
from typing import Final

from lms_tui.common.cleaning import clean_line
from lms_tui.common.private_files import write_private
from lms_tui.common.settings import Profile
from lms_tui.common.user_errors import AdvisedError

_MOST_PROFILES: Final = 100
_LARGEST: Final = 1024 * 1024
_LONGEST_NAME: Final = 200
_LARGEST_ID: Final = 10**12


class NewerProfilesError(AdvisedError):
    """A later version of the program has written the profiles. The file stays unchanged."""

    def __init__(self, file: Path) -> None:
        super().__init__(
            "A newer version of lms-tui has written the saved servers and users.",
            f"Start that version, or move this file to another folder: {file}.",
        )


class ProfileList:
    """The known servers and users, most recently used first, in one small file."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def all(self) -> tuple[Profile, ...]:
        """Return every profile. A damaged file reads as empty and is not changed. Raises NewerProfilesError."""
        try:
            if self._file.stat().st_size > _LARGEST:
                return ()
            rows = json.loads(self._file.read_text("utf-8"))
        except (OSError, ValueError, RecursionError):
            return ()
        # The present format is a list. A later one is an object that names its format.
        if isinstance(rows, dict) and isinstance(rows.get("format"), int):
            raise NewerProfilesError(self._file)
        return tuple(profile for row in rows if (profile := _profile(row))) if isinstance(rows, list) else ()

    def remember(self, profile: Profile) -> None:
        """Put a profile first. Raises OSError."""
        self._write([profile, *self._others(profile)])

    def forget_user(self, profile: Profile) -> None:
        """Remove the user of the saved token from this profile. Raises OSError."""
        known = self.all()
        kept = [each.without_user() if each.identity == profile.identity else each for each in known]
        if kept != list(known):
            self._write(kept)

    def remove(self, profile: Profile) -> None:
        """Delete a profile from the file. Raises OSError."""
        self._write(self._others(profile))

    def ca_file(self, base_url: str) -> Path | None:
        """Return the certificates that a profile names for this server."""
        return next((known.ca_file for known in self.all() if known.base_url == base_url and known.ca_file), None)

    def device(self, base_url: str, username: str) -> str:
        """Return the name that this server gave this computer for the user, or ""."""
        wanted = base_url, username.casefold()
        return next((known.device for known in self.all() if (known.base_url, known.username.casefold()) == wanted), "")

    def _others(self, profile: Profile) -> list[Profile]:
        return [known for known in self.all() if known.identity != profile.identity]

    def _write(self, profiles: list[Profile]) -> None:
        rows = [_row(profile) for profile in profiles[:_MOST_PROFILES]]
        write_private(self._file, json.dumps(rows, ensure_ascii=False, indent=2).encode())


def _row(profile: Profile) -> dict[str, str | int]:
    row: dict[str, str | int] = {"name": profile.name, "base_url": profile.base_url, "username": profile.username}
    if profile.token_path:
        row["token_path"] = profile.token_path
    if profile.ca_file is not None:
        row["ca_file"] = str(profile.ca_file)
    if profile.user_id:
        row["user_id"] = profile.user_id
        row["display_name"] = profile.display_name[:_LONGEST_NAME]
    if profile.device:
        row["device"] = profile.device
    return row


def _profile(row: object) -> Profile | None:
    if not isinstance(row, dict):
        return None
    texts = [row.get(name) for name in ("name", "base_url", "username")]
    if not all(isinstance(text, str) for text in texts):
        return None
    name, base_url, username = (clean_line(str(text)) for text in texts)
    ca_file = row.get("ca_file")
    return Profile(
        name,
        base_url,
        username,
        _line(row.get("token_path")),
        Path(ca_file) if isinstance(ca_file, str) and ca_file and "\0" not in ca_file else None,
        _user_id(row.get("user_id")),
        _line(row.get("display_name"))[:_LONGEST_NAME],
        _line(row.get("device")),
    )


def _line(value: object) -> str:
    return clean_line(value) if isinstance(value, str) else ""


def _user_id(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= _LARGEST_ID:
        return value
    return 0
