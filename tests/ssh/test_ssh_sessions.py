"""Sessions over ssh: the app as on one's own computer, and what stays when the line is cut."""

import os
import re
import signal
from contextlib import AsyncExitStack
from pathlib import Path

import asyncssh
import pytest

from tests.ssh.ssh_world import Cable, Host, Line, connected, open_exam, running, session
from tests.terminal_modes import changed_modes
from tests.waiting import is_running, wait_until

EXAM = "Every Type of Question"


async def test_a_user_signs_in_and_leaves(host: Host) -> None:
    async with session(host) as line:
        await line.see(r"Asha Nair", r"All exams")
        line.press("ctrl+q")
        assert await line.end() == 0
        assert b"\x1b[?1049l" in line.sent


async def test_a_cut_line_loses_no_answer(host: Host) -> None:
    async with session(host, "ravi") as line:
        await open_exam(line, EXAM)
        line.press("n", "b")
        await line.see(r"Question 2 of 8", r"saved 1")
        line.connection.abort()
    async with session(host, "ravi") as line:
        await line.see(r"Press enter to resume")
        line.press("enter")
        await line.see(r"Question 2 of 8", r"saved 1")


async def test_a_line_that_is_silent_leaves_its_exam_to_the_next(host: Host) -> None:
    cable = Cable(host)
    async with cable.plugged() as far, session(far, "joseph") as line:
        await open_exam(line, EXAM)
        line.press("n", "b")
        await line.see(r"Question 2 of 8", r"saved 1")
        cable.pull()
        async with session(host, "joseph") as second:
            await second.see(r"All exams")
            second.press("r")
            await second.see(r"Press enter to resume")
            second.press("enter")
            await second.see(r"Question 2 of 8", r"saved 1")
        line.connection.abort()


async def test_no_file_of_the_host_can_be_added_to_an_answer(host: Host) -> None:
    async with session(host, "gurpreet") as line:
        await open_exam(line, EXAM)
        line.press("g", "8", "enter")
        await line.see(r"Question 8 of 8", r"Files cannot be added over ssh or in a browser\.")
        line.press("enter")
        line.process.stdin.write(b"\x1b[200~/etc/passwd\x1b[201~")
        line.press("p")
        await line.see(r"Question 7 of 8", r"saved 0")


async def test_a_client_that_sends_no_more_keys_ends_its_session(host: Host) -> None:
    async with session(host, "gurpreet") as line:
        await line.see(r"All exams")
        line.process.stdin.write_eof()
        assert await line.end() == 1
    async with session(host, "meera", command="plain") as line:
        await line.see(r"A number")
        line.process.stdin.write_eof()
        assert await line.end() == 0


async def test_a_killed_session_leaves_the_terminal_as_it_was(host: Host) -> None:
    async with session(host, "meera") as line:
        await line.see(r"All exams")
        assert {"7", "25", "1006", "1049", "2004"} <= changed_modes(line.sent)
        line.process.change_terminal_size(40, 30)
        line.resize(40, 30)
        line.press("e")  # the host has the new size before it
        await line.see(r"Number Sense")
        for pid in host.sessions():
            os.kill(pid, signal.SIGKILL)
        assert await line.end() == 1
        assert changed_modes(line.sent) == set()
        told = line.sent[line.sent.rindex(b"lms-tui: ") :].decode()
        assert told.splitlines() == [
            "lms-tui: The program has ended",
            "unexpectedly. All saved answers are",
            "kept. Start it again.",
        ]


async def test_a_killed_session_takes_nobody_with_it(host: Host) -> None:
    async with session(host, "asha") as other:
        await other.see(r"All exams")
        others = set(host.sessions())
        async with session(host, "meera") as line:
            await open_exam(line, EXAM)
            line.press("n", "b")
            await line.see(r"Question 2 of 8", r"saved 1")
            for pid in set(host.sessions()) - others:
                os.kill(pid, signal.SIGKILL)
            assert await line.end() == 1
            assert "All saved answers are kept" in line.text()
            assert line.sent.rindex(b"\x1b[?1049l") > line.sent.rindex(b"\x1b[?1049h")
        other.press("e")
        await other.see(r"Number Sense")
        async with session(host, "meera") as line:
            await line.see(r"Press enter to resume")
            line.press("enter")
            await line.see(r"Question 2 of 8", r"saved 1")


async def test_no_session_outlives_its_host(tmp_path: Path) -> None:
    started: set[int] = set()
    async with AsyncExitStack() as clients:
        with running(tmp_path / "data") as own:
            for _ in range(5):
                async with session(own) as line:
                    started |= set(own.sessions())
                    line.connection.abort()
            line = await clients.enter_async_context(session(own, "ravi"))
            await line.see(r"All exams")
            started |= set(own.sessions())
        assert started
        wait_until(lambda: not any(map(is_running, started)))


async def test_two_sessions_of_one_attempt_are_two_windows(host: Host) -> None:
    async with session(host, "lakshmi") as first, session(host, "lakshmi") as second:
        await open_exam(first, EXAM)
        await second.see(r"All exams")
        second.press("r")
        await second.see(r"Press enter to resume")
        second.press("enter")
        await second.see(r"another window", r"Waiting for it to close")
        second.press("escape")
        await second.see(r"View")


async def test_a_window_can_change_its_size(host: Host) -> None:
    async with session(host, size=(80, 24)) as line:
        await line.see(r"All exams")
        line.resize(40, 30)
        line.process.change_terminal_size(40, 30)
        await line.see(r"(?m)^╰─{38}╯$")


@pytest.mark.parametrize(("command", "term"), [("plain", "xterm"), (None, "dumb")])
async def test_lines_replace_screens(host: Host, command: str | None, term: str) -> None:
    async with session(host, command=command, term=term) as line:
        await line.see(r"Number Sense", r"A number")
        assert b"\x1b[?1049h" not in line.sent
        line.press("q", "enter")
        assert await line.end() == 0


async def test_only_three_variables_are_taken_from_a_client(host: Host) -> None:
    async with session(host, env={"LMS_TUI_ASCII": "1", "COLORTERM": "truecolor"}) as line:
        assert "╭" in await line.see(r"All exams")
        assert b"\x1b[38;2;" in line.sent


async def test_without_a_terminal_a_sentence_says_how(host: Host) -> None:
    async with connected(host) as connection:
        ended = await connection.run()
        assert "ssh -t" in str(ended.stdout)
        assert ended.exit_status == 1


async def test_a_flood_of_keys_harms_nobody(host: Host) -> None:
    async with session(host, "asha") as line, session(host, "vikram") as flood:
        await line.see(r"All exams")
        await flood.see(r"All exams")
        flood.press("jk" * 500_000)
        line.press("e")
        await line.see(r"Number Sense")
        flood.connection.abort()


async def test_a_registered_key_signs_its_owner_in(host: Host) -> None:
    key = asyncssh.generate_private_key("ssh-ed25519", comment="laptop")
    with pytest.raises(asyncssh.PermissionDenied):
        await _connect_with(host, key, "vikram")
    async with session(host, "vikram") as line:
        await line.see(r"All exams")
        line.press("m", "enter")
        await line.see(r"(?i)ssh keys")
        line.press("k")
        await line.see(r"id_ed25519\.pub")
        line.press(key.export_public_key().decode().strip(), "enter")
        await line.see(r"1  laptop")
    async with await _connect_with(host, key, "vikram") as connection:
        process = await connection.create_process(term_type="xterm", term_size=(100, 30), encoding=None)
        await Line(connection, process).see(r"Vikram")
    with pytest.raises(asyncssh.PermissionDenied):
        await _connect_with(host, key, "asha")


async def _connect_with(host: Host, key: asyncssh.SSHKey, username: str) -> asyncssh.SSHClientConnection:
    return await asyncssh.connect(
        "127.0.0.1",
        host.port,
        username=username,
        client_keys=[key],
        known_hosts=None,
        config=None,
        agent_path=None,
        preferred_auth="publickey",
    )


async def test_signing_out_ends_the_session(host: Host) -> None:
    async with session(host) as line:
        await line.see(r"All exams")
        line.press("\x10")
        await line.see(r"(?i)search")
        line.press("sign out")
        await line.see(r"(?s)sign out.*Sign out")
        line.press("enter")
        assert await line.end() == 0


async def test_a_terminal_gets_the_colours_that_it_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The app has been in an exam before, in the process that starts sessions, and that terminal has all colours."""
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")
    with running(tmp_path / "own") as own:
        async with session(own, "ravi", term="xterm-16color") as line:
            await open_exam(line, EXAM)
            line.press("b", "n")
            await line.see(r"Question 2 of")
    assert re.search(rb"\x1b\[[\d;]*4[0-7]m", line.sent)
    assert not re.search(rb"[34]8;[25];", line.sent)
