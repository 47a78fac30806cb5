"""The exam room of docs/operations.md: its files are checked, and its shell runs in a terminal."""

import os
import re
import select
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import asyncssh
import pytest

from lms_tui.qa.scenarios.emulator import Emulator
from tests.ssh.ssh_world import PASSWORD, PATIENCE, Host

DOCUMENT = Path(__file__).parents[2] / "docs" / "operations.md"
GETTY = Path("/lib/systemd/system/getty@.service")


def block(first_line: str) -> str:
    """Return the code of the document with this line."""
    blocks: list[str] = re.findall(r"```\w*\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL)
    return next(text for text in blocks if first_line in text)


@pytest.fixture
def shell(host: Host, tmp_path: Path) -> Path:
    """The shell of the exam room, which knows the host of the test."""
    known = tmp_path / "known_hosts"
    key = asyncssh.read_private_key(host.data / "ssh" / "host_key").export_public_key().decode()
    known.write_text(f"[127.0.0.1]:{host.port} {key}")
    text = block("/usr/local/bin/exam, mode 755")
    for old, new in (
        ("-p 2222", f"-p {host.port}"),
        ("exam.school.example", f"-o UserKnownHostsFile={known} 127.0.0.1"),
    ):
        assert old in text
        text = text.replace(old, new)
    file = tmp_path / "exam"
    file.write_text(text)
    file.chmod(0o755)
    return file


class Console:
    """A terminal on which the shell runs."""

    def __init__(self, shell: Path) -> None:
        self._ours, theirs = os.openpty()
        # ssh would go on without its terminal where the tests run with SIGHUP ignored, as under nohup.
        command = ["/usr/bin/env", "--default-signal=HUP", "/usr/bin/setsid", "-c", str(shell)]
        self.process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs)
        os.close(theirs)
        self._emulator = Emulator(80, 24)

    def type(self, text: str) -> None:
        os.write(self._ours, text.encode())

    def see(self, pattern: str) -> None:
        end = time.monotonic() + PATIENCE
        while not re.search(pattern, self._emulator.text()):
            assert time.monotonic() < end, self._emulator.text()
            if select.select([self._ours], [], [], 1)[0]:
                data = os.read(self._ours, 65536)
                self._emulator.feed(data)

    def close(self) -> None:
        os.close(self._ours)
        self.process.wait(PATIENCE)


@pytest.fixture
def console(shell: Path) -> Callable[[], Console]:
    if shutil.which("ssh") is None:
        pytest.skip("OpenSSH is not installed here (apt-get install openssh-client)")
    return lambda: Console(shell)


def test_a_student_types_a_name_and_a_password(console: Callable[[], Console]) -> None:
    room = console()
    room.see("User name:")
    room.type("asha\n")
    room.see("password:")
    room.type(f"{PASSWORD}\n")
    room.see("All exams")
    room.type("~C~?")  # the commands of the client
    room.see("All exams")
    room.close()


@pytest.mark.parametrize("name", ["-oProxyCommand=touch {}", "$(touch {})", "a;touch {};", "-F{}"])
def test_a_name_is_never_a_command(console: Callable[[], Console], tmp_path: Path, name: str) -> None:
    room = console()
    room.see("User name:")
    room.type("\x1a\x03\x1c" + name.format(tmp_path / "made") + "\n")
    room.see("password:|remote username|invalid")
    room.close()
    assert not (tmp_path / "made").exists()


@pytest.mark.skipif(
    not Path("/usr/bin/systemd-analyze").exists() or not GETTY.exists(), reason="systemd is not installed"
)
def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    shutil.copy(GETTY, tmp_path)
    folder = tmp_path / "getty@tty1.service.d"
    folder.mkdir()
    (folder / "exam.conf").write_text(block("getty@tty1.service.d/exam.conf"))
    environment = {**os.environ, "SYSTEMD_UNIT_PATH": f"{tmp_path}:"}
    told = subprocess.run(
        ["/usr/bin/systemd-analyze", "verify", "--man=no", "getty@tty1.service"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "exam.conf" not in told.stderr
    assert told.returncode == 0, told.stderr
