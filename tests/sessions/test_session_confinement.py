"""What a session may touch, tried in a process of its own, because nothing removes an audit hook."""

import subprocess
import sys
from pathlib import Path

import pytest

_BEGIN = """
import os, socket, sqlite3, subprocess, sys
from pathlib import Path
from lms_tui.runtime.sessions.confinement import Confinement
own = Path(sys.argv[1]); port = int(sys.argv[2]); other = own.parent / "other"
Confinement(own, f"http://127.0.0.1:{port}").begin()
"""


def _try(folder: Path, code: str) -> str:
    own = folder / "own"
    own.mkdir()
    (folder / "other").mkdir()
    (folder / "other" / "secret").write_text("of another")
    (own / "link").symlink_to(folder / "other" / "secret")
    with_port = [sys.executable, "-c", _BEGIN + code, str(own), "9"]
    return subprocess.run(with_port, capture_output=True, text=True, check=False).stderr


@pytest.mark.parametrize(
    "code",
    [
        "open('/etc/passwd')",
        "(other / 'secret').read_text()",
        "(own / 'link').read_text()",
        "(own / '..' / 'other' / 'secret').read_bytes()",
        "open(other / 'new', 'w')",
        "os.open(other / 'new', os.O_CREAT | os.O_WRONLY)",
        "open(os.__file__, 'a')",
        "(other / 'folder').mkdir()",
        "(own / 'link').rename(other / 'moved')",
        "(other / 'secret').unlink()",
        "os.listdir('/etc')",
        "sqlite3.connect(other / 'database')",
        "sqlite3.connect(f'file:{other}/database?mode=ro', uri=True)",
        "subprocess.run(['true'])",
        "os.system('true')",
        "os.kill(1, 0)",
        "socket.create_connection(('127.0.0.1', 10))",
        "socket.getaddrinfo('example.org', 80)",
        "socket.socket(socket.AF_UNIX).connect('/run/x')",
    ],
)
def test_what_is_not_the_users_is_refused(tmp_path: Path, code: str) -> None:
    assert _try(tmp_path, code).splitlines()[-1].startswith("PermissionError: [Errno 13] Not allowed in a session")


def test_the_own_folder_the_program_and_the_service_are_allowed(tmp_path: Path) -> None:
    code = """
(own / "folder").mkdir()
(own / "folder" / "file").write_text("mine")
(own / "folder" / "file").rename(own / "file")
sqlite3.connect(own / "database").close()
sqlite3.connect(":memory:").close()
os.listdir(own)
open(os.devnull).close()
import lms_tui.tui.app, email.mime.text, zoneinfo
try:
    socket.create_connection(("127.0.0.1", port))
except ConnectionRefusedError:
    pass
"""
    assert _try(tmp_path, code) == ""
