"""Two SSH hosts on one PostgreSQL behind haproxy, with the configuration of docs/operations.md. One of them dies."""

import asyncio
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import asyncssh
import pytest

from lms_tui.runtime.ssh.host_key import host_key
from tests.ports import reserved_ports
from tests.service.postgres import binaries, cluster
from tests.ssh.ssh_world import PASSWORD, Host, open_exam, running, session

DOCUMENT = Path(__file__).parents[2] / "docs" / "operations.md"
QUESTIONS = 6
EXAM = "".join(f"::Q{number}:: What is {number} + 1? {{ ={number + 1} ~{number} }}\n\n" for number in range(QUESTIONS))
ANSWERS = 4
PATIENCE = 240.0


@pytest.fixture
def database() -> Iterator[str]:
    programs = binaries()
    if programs is None:
        pytest.skip("PostgreSQL is not installed here (apt-get install postgresql)")
    if shutil.which("haproxy", path=f"{os.defpath}:/usr/sbin") is None:
        pytest.skip("haproxy is not installed here (apt-get install haproxy)")
    with cluster(programs) as started:
        yield started.empty()


def ask(folder: Path, database: str, *words: str, typed: str = "") -> None:
    command = [sys.executable, "-m", "lms_tui", *words, "--data-dir", str(folder), "--database-url", database]
    subprocess.run(command, input=typed, text=True, check=True, stdout=subprocess.DEVNULL)


def prepare(folders: tuple[Path, Path], database: str, exam: Path) -> None:
    """Make the institute. Both machines have the same secret key and the same host key."""
    first, second = folders
    exam.write_text(EXAM, "utf-8")
    ask(first, database, "user", "add", "asha", "--batch", "Morning", "--password-stdin", typed=f"{PASSWORD}\n")
    ask(first, database, "exam", "import", str(exam), "--course", "Maths", "--batch", "Morning")
    with running(first, institute=f"--database-url={database}"):
        pass  # makes the keys
    for name in ("service/secret.key", "ssh/host_key"):
        (second / name).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        shutil.copy(first / name, second / name)
    assert host_key(first / "ssh" / "host_key") == host_key(second / "ssh" / "host_key")


def listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port)).close()
    except ConnectionRefusedError:
        return False
    return True


@contextmanager
def proxy(folder: Path, hosts: tuple[Host, Host]) -> Iterator[int]:
    """Run haproxy with the configuration of the document, but for addresses and what needs TPROXY."""
    with reserved_ports(1) as (port,):
        yield from _proxy(port, folder, hosts)


def _proxy(port: int, folder: Path, hosts: tuple[Host, Host]) -> Iterator[int]:
    found = re.search(r"```\n(listen ssh\n.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL)
    assert found
    changes = {
        r"bind :22\b": f"bind 127.0.0.1:{port}",
        r"\n  source [^\n]*": "",
        r"10\.0\.0\.11:2222": f"127.0.0.1:{hosts[0].port}",
        r"10\.0\.0\.12:2222": f"127.0.0.1:{hosts[1].port}",
    }
    text = found[1]
    for pattern, changed in changes.items():
        text, count = re.subn(pattern, changed, text)
        assert count == 1, pattern
    file = folder / "haproxy.cfg"
    file.write_text(text, "utf-8")
    process = subprocess.Popen(["/usr/sbin/haproxy", "-db", "-f", str(file)])
    try:
        while not listens(port):
            with suppress(subprocess.TimeoutExpired):
                process.wait(0.05)
            assert process.poll() is None
        yield port
    finally:
        process.terminate()
        process.wait()


async def resume(way: Host) -> None:
    """Connect until a host answers, and see all answers in the resumed exam."""
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                async with session(way) as line:
                    await line.see(r"Press enter to resume")
                    line.press("enter")
                    await line.see(r"Question \d of 6", rf"sent {ANSWERS}", rf"{ANSWERS}●  {ANSWERS + 1}·")
                    return
            except (asyncssh.Error, OSError):  # the proxy still tries the dead host
                continue


async def test_another_host_goes_on_where_one_died(database: str, tmp_path: Path) -> None:
    folders = tmp_path / "one", tmp_path / "two"
    prepare(folders, database, tmp_path / "sums.gift")
    given = f"--database-url={database}"
    with (
        running(folders[0], institute=given) as one,
        running(folders[1], institute=given) as two,
        proxy(tmp_path, (one, two)) as port,
    ):
        way = Host(port, one.fingerprint, tmp_path, 0)
        async with session(way) as line:
            await open_exam(line, "Sums")
            for number in range(1, ANSWERS + 1):
                line.press("a", "n")
                await line.see(rf"saved {number} · sent {number}")
            home, other = (one, two) if "began session" in one.log else (two, one)
            home.die()
            async with asyncio.timeout(PATIENCE):
                await line.connection.wait_closed()
        await resume(way)
        assert "began session" in other.log
