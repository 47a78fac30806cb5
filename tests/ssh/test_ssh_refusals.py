"""What a stranger or a student asks of the SSH host in vain."""

import asyncio
import contextlib
import stat

import asyncssh
import pytest

from tests.ssh.ssh_world import Host, connected, session


async def test_a_wrong_password_is_refused_and_the_name_is_not_logged(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("asyncssh.connection.saslprep", str)  # the client would refuse to send such names
    for username in ("asha", "nobody-here", "\x1b]0;owned\x07", "a" * 500, "\u061c\u202ex"):
        with pytest.raises((asyncssh.PermissionDenied, asyncssh.DisconnectError)):
            async with connected(host, username, "wrong"):
                pass
    assert "\x1b" not in host.log
    assert "owned" not in host.log
    assert "wrong" not in host.log
    assert "sign-in was refused" in host.log


async def test_guesses_are_slowed_by_the_service(host: Host) -> None:
    """The clock of this service is ten times slower."""
    told: list[str] = []

    class Client(asyncssh.SSHClient):
        def auth_banner_received(self, msg: str, lang: str) -> None:
            told.append(msg)

    async def guess(password: str) -> None:
        options = {"known_hosts": None, "client_keys": None, "config": None, "agent_path": None}
        await asyncssh.connect(
            "127.0.0.1", host.port, username="joseph", password=password, client_factory=Client, **options
        )

    for _ in range(8):
        with pytest.raises((asyncssh.PermissionDenied, asyncssh.DisconnectError)):
            await guess("wrong")
    with pytest.raises((asyncssh.PermissionDenied, asyncssh.DisconnectError)):
        await guess("practice")
    assert "seconds" in told[-1]


@pytest.mark.parametrize("command", ["ls", "/bin/sh", "plain; sh", ""])
async def test_commands_are_refused(host: Host, command: str) -> None:
    async with connected(host) as connection:
        with pytest.raises(asyncssh.ChannelOpenError):
            await connection.create_process(command or "\0", term_type="xterm")


async def test_files_forwarding_and_second_sessions_are_refused(host: Host) -> None:
    async with session(host) as line:
        await line.see(r"All exams")
        with pytest.raises(asyncssh.ChannelOpenError):
            await line.connection.start_sftp_client()
        with pytest.raises(asyncssh.ChannelOpenError):
            await line.connection.open_connection("127.0.0.1", host.port)
        with pytest.raises(asyncssh.ChannelListenError):
            await line.connection.forward_remote_port("127.0.0.1", 0, "127.0.0.1", 1)
        with pytest.raises(asyncssh.ChannelOpenError):
            await line.connection.open_unix_connection("/tmp/x")  # noqa: S108 - it is never opened
        line.press("e")
        await line.see(r"Number Sense")
    assert "refused: forwarding" in host.log


async def test_files_cannot_be_copied(host: Host) -> None:
    async with connected(host) as connection:
        with pytest.raises(asyncssh.ChannelOpenError):
            await connection.start_sftp_client()
    assert "refused: a subsystem" in host.log


async def test_half_open_connections_keep_nobody_out(host: Host) -> None:
    async with contextlib.AsyncExitStack() as stack:
        for number in range(200):
            _, writer = await asyncio.open_connection("127.0.0.1", host.port)
            stack.callback(writer.close)
            if number % 2:
                writer.write(b"SSH-2.0-half\r\n" + b"\0" * 20)
        async with session(host) as line:
            await line.see(r"All exams")


async def test_too_many_connections_of_one_address_are_refused(host: Host) -> None:
    async with contextlib.AsyncExitStack() as stack:
        readers = []
        for _ in range(1000):
            reader, writer = await asyncio.open_connection("127.0.0.1", host.port)
            stack.callback(writer.close)
            readers.append(reader)
        greetings = await asyncio.gather(*(reader.read(8) for reader in readers), return_exceptions=True)
    assert greetings.count(b"SSH-2.0-") <= 300
    async with session(host) as line:
        await line.see(r"All exams")


def test_the_host_key_is_private(host: Host) -> None:
    key = host.data / "ssh" / "host_key"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert asyncssh.read_private_key(key).get_fingerprint() == host.fingerprint


async def test_lines_use_a_cipher_that_costs_the_host_little(host: Host) -> None:
    """OpenSSH and asyncssh prefer ChaCha20, and have the others too."""
    async with connected(host) as connection:
        assert "aes" in connection.get_extra_info("send_cipher")
        assert "aes" in connection.get_extra_info("recv_cipher")
    options = {"known_hosts": None, "client_keys": None, "config": None, "agent_path": None}
    with pytest.raises(asyncssh.KeyExchangeFailed, match="encryption"):
        await asyncssh.connect("127.0.0.1", host.port, encryption_algs=["chacha20-poly1305@openssh.com"], **options)
