"""Attacks on an SSH host: raw bytes, messages of asyncssh's own client, and clients that take more than their share.

Each attack takes a random generator and the number of its repetitions. None of them knows a password, but those of
`STUDENT`, who attacks the host after the sign-in.
"""

import asyncio
import contextlib
import re
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from random import Random
from typing import Self

import asyncssh
from asyncssh.packet import Boolean, Byte, NameList, String, UInt32

from tests.ssh import ssh_world
from tests.ssh.ssh_world import PASSWORD, Host, Line, connected, open_exam, session

STUDENT = "vikram"
ESCAPES = "\x1b]0;owned\x07\x1b[2J\x9b31m"
NUMBERS = (0, 1, 2, 7, 80, 65_535, 2**31 - 1, 2**31, 2**32 - 1)
PATIENCE = 20.0
"""Seconds after which an attack gives up. Nothing fails because of it."""
SESSION, REQUEST, DATA = 90, 98, 94
_NAMES = (
    b"session",
    b"direct-tcpip",
    b"direct-streamlocal@openssh.com",
    b"forwarded-tcpip",
    b"tun@openssh.com",
    b"x11",
    b"auth-agent@openssh.com",
    b"auth-agent-req@openssh.com",
    b"tcpip-forward",
    b"streamlocal-forward@openssh.com",
    b"hostkeys-prove-00@openssh.com",
    b"keepalive@openssh.com",
    b"no-more-sessions@openssh.com",
    b"pty-req",
    b"x11-req",
    b"env",
    b"shell",
    b"exec",
    b"subsystem",
    b"sftp",
    b"window-change",
    b"xon-xoff",
    b"signal",
    b"break",
    b"exit-status",
    b"exit-signal",
    b"eow@openssh.com",
    b"publickey",
    b"password",
    b"none",
    b"ssh-connection",
    b"ssh-userauth",
    b"asha",
    ESCAPES.encode(),
)

Attack = Callable[[Host, Random, int], Awaitable[None]]


class Early(int):
    """The number of a message that asyncssh's client sends before it may: the client compares it in vain."""

    def __gt__(self, _other: int) -> bool:
        return False


def _field(random: Random) -> bytes:
    """Return a random field of a message, often one that does not fit."""
    words = [name for name in _NAMES if name.isascii()]
    fields: tuple[Callable[[], bytes], ...] = (
        lambda: UInt32(random.choice(NUMBERS)),
        lambda: Boolean(random.random() < 0.5),
        lambda: String(random.choice(_NAMES)),
        lambda: String(random.randbytes(random.choice((0, 1, 16, 300, 40_000)))),
        lambda: UInt32(random.choice(NUMBERS)) + random.randbytes(random.randrange(40)),
        lambda: NameList(random.choices(words, k=random.randrange(5))),
        lambda: random.randbytes(random.randrange(60)),
    )
    return random.choice(fields)()


def _message(random: Random, kinds: range) -> tuple[int, bytes]:
    kind = random.choice((*kinds, SESSION, REQUEST, DATA))
    head = UInt32(random.choice((0, 0, 0, *NUMBERS))) if kind > SESSION else b""
    if kind == REQUEST and random.random() < 0.8:
        head += String(random.choice(_NAMES)) + Boolean(random.random() < 0.5)
    return kind, head + b"".join(_field(random) for _ in range(random.randrange(6)))


async def _send_raw(host: Host, data: bytes) -> None:
    """Send bytes, say that no more will come, and read until the host ends."""
    with contextlib.suppress(ConnectionError, TimeoutError):
        reader, writer = await asyncio.open_connection("127.0.0.1", host.port)
        with contextlib.closing(writer):
            writer.write(data)
            writer.write_eof()
            async with asyncio.timeout(PATIENCE):
                await reader.read(-1)


def packet(payload: bytes, *, length: int | None = None, padding: int | None = None) -> bytes:
    """Return a packet before encryption, with a wrong length or padding if given."""
    fill = 8 - (len(payload) + 5) % 8 + 4
    told = len(payload) + fill + 1 if length is None else length
    return UInt32(told) + Byte(fill if padding is None else padding) + payload + bytes(fill)


def key_exchange(random: Random) -> bytes:
    """Return the first message of a client."""
    lists = ([b"curve25519-sha256"], [b"ssh-ed25519"], *([[b"aes128-ctr"]] * 2), *([[b"hmac-sha2-256"]] * 2))
    names = b"".join(NameList(each) for each in (*lists, [b"none"], [b"none"], [], []))
    return Byte(20) + random.randbytes(16) + names + Boolean(random.random() < 0.2) + UInt32(0)


async def raw_bytes(host: Host, random: Random, count: int) -> None:
    """Random bytes, damaged first messages, false lengths, and messages of other states."""
    hello = b"SSH-2.0-attack\r\n"
    for _ in range(count):
        begin = bytearray(hello + packet(key_exchange(random)) + packet(Byte(30) + String(random.randbytes(32))))
        for _ in range(random.randrange(1, 8)):
            begin[random.randrange(len(begin))] = random.randrange(256)
        kind, body = _message(random, range(256))
        data = random.choice(
            (
                random.randbytes(random.randrange(2000)),
                bytes(begin),
                b"SSH-2.0-" + b"x" * random.randrange(100_000),
                b"SSH-1.5-" + ESCAPES.encode() + b"\r\n",
                b"GET / HTTP/1.1\r\n\r\n",
                hello + packet(key_exchange(random), length=random.choice(NUMBERS)),
                hello + packet(key_exchange(random), padding=random.choice((0, 3, 255))),
                hello + packet(Byte(kind) + body),
                hello + packet(key_exchange(random)) + packet(Byte(kind) + body),
            )
        )
        await _send_raw(host, data)


class _Stranger(asyncssh.SSHClient):
    """Sends messages of later states in place of a password."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._connection: asyncssh.SSHClientConnection | None = None

    def connection_made(self, conn: asyncssh.SSHClientConnection) -> None:
        self._connection = conn

    def password_auth_requested(self) -> str | None:
        if self._connection is not None:
            for _ in range(self._random.randrange(1, 6)):
                kind, body = _message(self._random, range(1, 128))
                self._connection.send_packet(Early(kind), body)
        return "wrong"


async def messages_before_the_sign_in(host: Host, random: Random, count: int) -> None:
    for _ in range(count):
        with contextlib.suppress(asyncssh.Error, OSError, TimeoutError):
            async with asyncio.timeout(PATIENCE):
                await asyncssh.connect(
                    "127.0.0.1",
                    host.port,
                    username=f"stranger{random.randrange(10**9)}",
                    known_hosts=None,
                    client_keys=None,
                    config=None,
                    agent_path=None,
                    preferred_auth="password",
                    client_factory=lambda: _Stranger(random),
                )


async def messages_of_a_student(host: Host, random: Random, count: int) -> None:
    """Any messages in any order after the sign-in, half of them to a session that runs."""
    for _ in range(count):
        with contextlib.suppress(asyncssh.Error, OSError, TimeoutError):
            async with connected(host, STUDENT) as connection, asyncio.timeout(PATIENCE):
                if random.random() < 0.5:
                    await connection.create_process(term_type="xterm", encoding=None)
                for _ in range(random.randrange(1, 25)):
                    kind, body = _message(random, range(1, 128))
                    connection.send_packet(kind, body)
                connection.send_packet(1, UInt32(11), String(b""), String(b""))  # the end
                await connection.wait_closed()


async def window_sizes(host: Host, random: Random, count: int) -> None:
    """Sizes from 0 to the largest number: at the start, as changes, and as a window that takes no byte."""
    for _ in range(count):
        async with connected(host, STUDENT) as connection:
            columns, rows = random.choice(NUMBERS), random.choice(NUMBERS)
            process = await connection.create_process(term_type="xterm", term_size=(columns, rows), encoding=None)
            for _ in range(20):
                process.change_terminal_size(random.choice(NUMBERS), random.choice(NUMBERS))
            await process.stdout.read(1)
            process.change_terminal_size(0, 0)
            process.change_terminal_size(65_535, 65_535)
            await process.stdout.read(1)
            connection.abort()


async def escapes_in_names(host: Host, random: Random, count: int) -> None:
    """Names, terminals, languages, variables, commands and subsystems that a terminal would obey."""
    for _ in range(count):
        for name in (ESCAPES, f"asha{ESCAPES}", "asha\r\nasha", "\u202easha", "asha\0", "a" * 1000):
            with contextlib.suppress(asyncssh.Error, OSError, ValueError):
                async with connected(host, name, random.choice((PASSWORD, ESCAPES))):
                    pass
        async with connected(host, STUDENT) as connection:
            env = {"LANG": ESCAPES, "COLORTERM": ESCAPES, ESCAPES: ESCAPES, "LD_PRELOAD": "/tmp/x"}  # noqa: S108 - never opened
            with contextlib.suppress(asyncssh.Error):
                await connection.create_process(ESCAPES, term_type="xterm", env=env)
        async with connected(host, STUDENT) as connection:
            with contextlib.suppress(asyncssh.Error):
                await connection.create_process(subsystem=ESCAPES, env=env)
        async with connected(host, STUDENT) as connection:
            term = "xterm" + ESCAPES.encode("ascii", "ignore").decode()
            process = await connection.create_process(term_type=term, env=env, encoding=None)
            shown = await process.stdout.read(2000)
            assert b"owned" not in shown
            connection.abort()


class _Wire:
    """The line of a client that reads no more after `stop_reading`, and still sends."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._reads = asyncio.Event()
        self._reads.set()
        self.held = asyncio.Event()
        """Set when the host has read nothing for a second."""
        self._tasks: list[asyncio.Task[None]] = []

    def stop_reading(self) -> None:
        self._reads.clear()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return self

    @property
    def host(self) -> Host:
        """The host, with the port of this line."""
        return replace(self._host, port=self._server.sockets[0].getsockname()[1])

    async def _serve(self, from_client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        line = socket.create_connection(("127.0.0.1", self._host.port))
        for side in (socket.SO_RCVBUF, socket.SO_SNDBUF):
            line.setsockopt(socket.SOL_SOCKET, side, 4096)
        from_host, to_host = await asyncio.open_connection(sock=line)
        self._tasks.append(asyncio.create_task(self._to_host(from_client, to_host)))
        self._tasks.append(asyncio.create_task(self._to_client(from_host, to_client)))

    async def _to_host(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError), contextlib.closing(writer):
            while data := await reader.read(65536):
                writer.write(data)
                try:
                    async with asyncio.timeout(1):
                        await writer.drain()
                except TimeoutError:
                    self.held.set()
                    await writer.drain()

    async def _to_client(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError), contextlib.closing(writer):
            while data := await reader.read(65536):
                await self._reads.wait()
                writer.write(data)
                await writer.drain()

    async def __aexit__(self, *_error: object) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


async def unread_answers(host: Host, random: Random, count: int) -> None:
    """A student who does not read asks for answers and opens pages: the host must not keep what they do not read."""
    before = host.memory()
    for _ in range(count):
        async with _Wire(host) as wire, connected(wire.host, STUDENT) as connection:
            process = await connection.create_process(
                term_type="xterm", term_size=(200, 60), encoding=None, window=2**31 - 1
            )
            await process.stdout.read(1)
            wire.stop_reading()
            for _ in range(400):
                for _ in range(100):
                    connection.send_packet(80, String(b"unknown"), Boolean(True))
                process.stdin.write(random.choice((b"e", b"h", b"?", b"\x1b")))
                await asyncio.sleep(0)
            async with asyncio.timeout(ssh_world.PATIENCE):
                await wire.held.wait()
            assert host.memory() - before < 64
            connection.abort()


async def many_variables(host: Host, random: Random, count: int) -> None:
    """A student sends variables without an end."""
    before = host.memory()
    for _ in range(count):
        with contextlib.suppress(asyncssh.Error, OSError):
            async with connected(host, STUDENT) as connection:
                process = await connection.create_process(term_type="xterm", encoding=None)
                for number in range(400):
                    value = String(f"V{number}") + String(random.randbytes(200_000))
                    connection.send_packet(REQUEST, UInt32(0), String(b"env"), Boolean(False), value)
                    process.change_terminal_size(80, 24)
                    await asyncio.sleep(0)
                await connection.wait_closed()
    assert host.memory() - before < 64


async def packets_that_are_too_large(host: Host, random: Random, count: int) -> None:
    """Packets beyond the agreed sizes, and keys beyond the window."""
    for _ in range(count):
        for size in (32_769, 262_144, 300_000, 4_000_000):
            with contextlib.suppress(asyncssh.Error, OSError):
                async with connected(host, STUDENT) as connection, asyncio.timeout(PATIENCE):
                    await connection.create_process(term_type="xterm", encoding=None)
                    connection.send_packet(DATA, UInt32(0), String(random.randbytes(size)))
                    connection.send_packet(1, UInt32(11), String(b""), String(b""))
                    await connection.wait_closed()


async def a_flood_of_keys(host: Host, random: Random, count: int) -> None:
    for _ in range(count):
        async with session(host, STUDENT) as line:
            await line.see(r"All exams")
            line.process.stdin.write(random.randbytes(200_000).replace(b"\x11", b""))
            line.process.stdin.write(b"\x1b[200~" + b"a" * 500_000)
            with contextlib.suppress(TimeoutError, asyncssh.Error):
                async with asyncio.timeout(3):
                    await line.process.wait()
            line.connection.abort()


async def connections_without_a_sign_in(host: Host, random: Random, count: int) -> None:
    """Up to 1,000 connections of other addresses that do nothing, or only begin. They stay while a student signs in."""
    async with contextlib.AsyncExitStack() as stack:
        for number in range(min(1000, 250 * count)):
            place = f"127.0.0.{2 + number % 4}", 0
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", host.port, local_addr=place)
            except OSError:
                continue
            stack.callback(writer.close)
            if number % 3:
                writer.write((b"SSH-2.0-half\r\n" + packet(key_exchange(random)))[: random.randrange(200)])
        async with session(host) as line:
            await line.see(r"All exams")


ATTACKS: dict[str, tuple[Attack, int]] = {
    "raw bytes": (raw_bytes, 60),
    "messages before the sign-in": (messages_before_the_sign_in, 8),
    "messages of a student": (messages_of_a_student, 12),
    "window sizes": (window_sizes, 2),
    "escapes in names": (escapes_in_names, 1),
    "unread answers": (unread_answers, 1),
    "many variables": (many_variables, 1),
    "packets that are too large": (packets_that_are_too_large, 1),
    "a flood of keys": (a_flood_of_keys, 1),
    "connections without a sign-in": (connections_without_a_sign_in, 4),
}
"""Attacks by name, with the number of repetitions in a short run."""


class Witness:
    """A student in an exam during the attacks, and what must not have changed after them."""

    def __init__(self, host: Host, line: Line) -> None:
        self._host = host
        self._line = line
        self._processes = host.parent()
        self._saved = 0

    async def begin(self) -> None:
        await open_exam(self._line, "Every Type of Question")
        self._line.press("n", "b")
        await self._line.see(r"Question 2 of 8", r"saved 1")

    async def check(self) -> None:
        """Check that the witness goes on, that another student gets in, and that nobody else did."""
        self._line.press("p")
        await self._line.see(r"Question 1 of 8", r"saved [1-9]")
        self._line.press("n")
        await self._line.see(r"Question 2 of 8")
        async with session(self._host, "meera") as line:
            await line.see(r"All exams")
        assert self._host.parent() == self._processes
        users = set(re.findall(r"user (\d+) began", self._host.log))
        assert len(users) <= 3 + 1, "somebody was let in"
        for log in (self._host.data / "logs").iterdir():
            assert not re.search(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|owned", log.read_bytes()), log.name
        assert "Traceback" not in self._host.log, self._host.log


async def attack(host: Host, *, seed: int, times: int) -> AsyncIterator[str]:
    """Run all attacks. Yields the name of each after the check that it harmed nobody."""
    async with session(host, "ravi") as line:
        witness = Witness(host, line)
        await witness.begin()
        for name, (run, count) in ATTACKS.items():
            await run(host, Random(f"{seed} {name}"), count * times)
            await witness.check()
            yield name
