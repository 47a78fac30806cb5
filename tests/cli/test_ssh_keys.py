"""`lms-tui ssh-key` with the saved sign-in of `lms-tui login`."""

import io
from collections.abc import Callable, Iterator
from pathlib import Path

import asyncssh
import pytest

from lms_tui.cli import main
from tests.cli.test_profiles import listening
from tests.fakes.json_output import told
from tests.service.service_world import PASSWORD, World

Do = Callable[..., tuple[int, str, str]]


@pytest.fixture
def do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Do]:
    """Return a function that runs a command against a real service, at which asha has signed in."""
    monkeypatch.setenv("LMS_TUI_CONFIG_DIR", str(tmp_path / "config"))

    def run(*words: str) -> tuple[int, str, str]:
        status = main([*words, "--data-dir", str(tmp_path / "data")])
        told = capsys.readouterr()
        return status, told.out, told.err

    world = World.at(tmp_path / "service")
    world.add_user("asha")
    with listening(world) as place:
        monkeypatch.setattr("sys.stdin", io.StringIO(f"{PASSWORD}\n"))
        assert run("login", f"http://{place}", "--user", "asha")[0] == 0
        yield run
    world.database.close()


@pytest.fixture
def key(tmp_path: Path) -> asyncssh.SSHKey:
    key = asyncssh.generate_private_key("ssh-ed25519", comment="laptop")
    key.write_private_key(tmp_path / "id")
    key.write_public_key(tmp_path / "id.pub")
    return key


def test_a_key_is_added_listed_and_removed(do: Do, tmp_path: Path, key: asyncssh.SSHKey) -> None:
    fingerprint = key.get_fingerprint()
    assert do("ssh-key", "list")[1].startswith("You have no keys.")
    assert do("ssh-key", "add", str(tmp_path / "id.pub"))[1] == f"Added {fingerprint}  laptop.\n"
    assert do("ssh-key", "list", "--profile", "asha")[1] == f"1  {fingerprint}  laptop\n"
    (listed,) = told(do("ssh-key", "list", "--json")[1], "ssh-key", "list")
    assert (listed["fingerprint"], listed["name"]) == (fingerprint, "laptop")
    status, _, err = do("ssh-key", "remove", "2")
    assert status == 1
    assert "You have no key “2”." in err
    assert do("ssh-key", "remove", "1")[1] == f"Removed {fingerprint}  laptop.\n"
    assert do("ssh-key", "add", str(tmp_path / "id.pub"))[0] == 0
    assert do("ssh-key", "remove", fingerprint)[0] == 0
    assert do("ssh-key", "list")[1].startswith("You have no keys.")


def test_a_private_key_is_never_sent(do: Do, tmp_path: Path, key: asyncssh.SSHKey) -> None:
    del key
    status, _, err = do("ssh-key", "add", str(tmp_path / "id"))
    assert status == 1
    assert "is a private key, which was not sent" in err
    assert do("ssh-key", "list")[1].startswith("You have no keys.")


@pytest.mark.parametrize("text", ["", "hello", "ssh-ed25519 AAAA\nssh-ed25519 AAAA", "x" * 10_000])
def test_other_files_are_refused(do: Do, tmp_path: Path, text: str) -> None:
    (tmp_path / "file").write_text(text)
    status, _, err = do("ssh-key", "add", str(tmp_path / "file"))
    assert status == 1
    assert "not a public key" in err


def test_a_missing_file_and_a_missing_sign_in_are_told(do: Do, tmp_path: Path) -> None:
    assert "cannot be read" in do("ssh-key", "add", str(tmp_path / "none.pub"))[2]
    assert do("logout")[0] == 0
    assert "Sign in with `lms-tui login`" in do("ssh-key", "list")[2]
