import json
import os
import stat
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from lms_tui.common.private_files import write_private
from lms_tui.common.settings import Profile
from lms_tui.runtime.profiles import ProfileList
from lms_tui.runtime.secrets import FileTokens, KeyringTokens, Place, UnsafeSecretError

ASHA = Profile("asha at learn.example.edu", "https://learn.example.edu", "asha")
RAVI = Profile("ravi at learn.example.edu", "https://learn.example.edu", "ravi", "/api/v2.2/auth-token/")
KEPT = replace(ASHA, user_id=7, display_name="Asha Rao")
TOKEN = "header.payload.signature"

posix_only = pytest.mark.skipif(os.name != "posix", reason="file modes are POSIX's")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_profile_used_last_comes_first(tmp_path: Path) -> None:
    profiles = ProfileList(tmp_path / "profiles.json")
    for profile in (ASHA, RAVI, ASHA):
        profiles.remember(profile)
    assert ProfileList(tmp_path / "profiles.json").all() == (ASHA, RAVI)


@pytest.mark.parametrize("text", ["", "{", "5", "[5, null, {}]", '[{"name": 5}]', "[" * 100_000, "\x00"])
def test_a_damaged_profile_file_reads_as_empty_and_is_kept(tmp_path: Path, text: str) -> None:
    file = tmp_path / "profiles.json"
    file.write_text(text)
    assert ProfileList(file).all() == ()
    assert file.read_text() == text


@posix_only
def test_user_of_a_saved_token_is_in_a_file_that_its_owner_alone_reads(tmp_path: Path) -> None:
    file = tmp_path / "profiles.json"
    profiles = ProfileList(file)
    profiles.remember(KEPT)
    assert profiles.all() == (KEPT,)
    assert mode(file) == 0o600


def test_forgetting_the_user_leaves_the_profile_in_its_place(tmp_path: Path) -> None:
    profiles = ProfileList(tmp_path / "profiles.json")
    for profile in (KEPT, RAVI):
        profiles.remember(profile)
    profiles.forget_user(ASHA)
    assert profiles.all() == (RAVI, ASHA)
    assert "Asha Rao" not in (tmp_path / "profiles.json").read_text()


@pytest.mark.parametrize("number", [0, -7, True, "7", 7.0, None, 10**30])
def test_what_is_no_user_id_reads_as_no_user(tmp_path: Path, number: object) -> None:
    row = {"name": "x", "base_url": "https://learn.example.edu", "username": "asha", "user_id": number}
    (tmp_path / "profiles.json").write_text(json.dumps([row]))
    (profile,) = ProfileList(tmp_path / "profiles.json").all()
    assert profile.user_id == 0


def test_display_name_of_a_user_is_cleaned_and_cut(tmp_path: Path) -> None:
    profiles = ProfileList(tmp_path / "profiles.json")
    profiles.remember(replace(KEPT, display_name="\x1b[2J\u202eAsha\n" + "x" * 2_000_000))
    (profile,) = profiles.all()
    assert profile.display_name.startswith("␛[2J\ufffdAsha x")
    assert len(profile.display_name) <= 200


def test_a_saved_token_is_read_for_its_profile_only(tmp_path: Path) -> None:
    tokens = FileTokens(tmp_path / "secrets")
    assert tokens.keep(ASHA, TOKEN) is Place.FILE
    assert tokens.read(ASHA) == TOKEN
    assert tokens.read(RAVI) is None
    tokens.forget(ASHA)
    assert tokens.read(ASHA) is None


@posix_only
def test_only_the_owner_can_read_the_token_file(tmp_path: Path) -> None:
    FileTokens(tmp_path / "secrets").keep(ASHA, TOKEN)
    (file,) = (tmp_path / "secrets").iterdir()
    assert mode(file) == 0o600
    assert mode(file.parent) == 0o700
    assert "asha" not in file.name


@posix_only
@pytest.mark.parametrize("exposed", [0o640, 0o604, 0o622])
def test_a_token_that_others_can_read_is_refused(tmp_path: Path, exposed: int) -> None:
    tokens = FileTokens(tmp_path)
    tokens.keep(ASHA, TOKEN)
    (file,) = tmp_path.iterdir()
    file.chmod(exposed)
    with pytest.raises(UnsafeSecretError):
        tokens.read(ASHA)


@posix_only
def test_a_token_is_not_read_through_a_symbolic_link(tmp_path: Path) -> None:
    tokens = FileTokens(tmp_path / "secrets")
    tokens.keep(ASHA, TOKEN)
    (file,) = (tmp_path / "secrets").iterdir()
    file.replace(tmp_path / "elsewhere")
    file.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="symbolic"):
        tokens.read(ASHA)


def test_a_failed_write_keeps_the_file_and_leaves_no_temporary_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    write_private(file, b"first")

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="space"):
        write_private(file, b"second")
    assert file.read_bytes() == b"first"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


class _KeyringError(Exception):
    pass


class _Keyring:
    """A system keyring that can be locked."""

    errors = SimpleNamespace(KeyringError=_KeyringError)

    def __init__(self) -> None:
        self.locked = False
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, account: str) -> str | None:
        self._check()
        return self.kept.get((service, account))

    def set_password(self, service: str, account: str, password: str) -> None:
        self._check()
        self.kept[service, account] = password

    def delete_password(self, service: str, account: str) -> None:
        self._check()
        del self.kept[service, account]

    def _check(self) -> None:
        if self.locked:
            raise _KeyringError("locked")


def test_token_goes_into_the_keyring_and_not_into_a_file(tmp_path: Path) -> None:
    keyring = _Keyring()
    tokens = KeyringTokens(keyring, FileTokens(tmp_path))
    assert tokens.keep(ASHA, TOKEN) is Place.KEYRING
    assert tokens.read(ASHA) == TOKEN
    assert list(tmp_path.iterdir()) == []
    tokens.forget(ASHA)
    assert keyring.kept == {}


def test_locked_keyring_falls_back_to_a_file(tmp_path: Path) -> None:
    keyring = _Keyring()
    keyring.locked = True
    tokens = KeyringTokens(keyring, FileTokens(tmp_path))
    assert tokens.keep(ASHA, TOKEN) is Place.FILE
    assert tokens.read(ASHA) == TOKEN
    tokens.forget(ASHA)
    assert tokens.read(ASHA) is None
