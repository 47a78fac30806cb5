"""The way in over ssh (`lms-tui serve --ssh`)."""

import asyncio
import logging
import socket
from collections.abc import Coroutine
from contextlib import ExitStack
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from lms_tui.common.frozen import frozen
from lms_tui.common.hosts import in_url, is_loopback
from lms_tui.common.settings import Paths
from lms_tui.runtime.sessions.host import CannotHostError
from lms_tui.runtime.sessions.hosted import HostState
from lms_tui.runtime.sessions.limits import Connections, Limits, Place
from lms_tui.runtime.sessions.listening import accept, listen
from lms_tui.runtime.ssh.flow import Flow, FlowLoop

if TYPE_CHECKING:
    import asyncssh

_ADVICE: Final = "Give an address of this computer with --ssh-host, and a free port with --ssh."
_CIPHERS: Final = ("aes128-gcm@openssh.com", "aes256-gcm@openssh.com", "aes256-ctr", "aes192-ctr", "aes128-ctr")
"""All but ChaCha20, which most clients would choose. A packet costs the host four times as much with it."""

_log = logging.getLogger(__name__)


class SshFront:
    """Listens for ssh clients. `demo`: the passwords are public."""

    def __init__(self, host: str, port: int, *, demo: bool = False) -> None:
        self._host = host
        self._port = port
        self._demo = demo
        self._opened: tuple[socket.socket, asyncssh.SSHKey] | None = None

    @property
    def for_others(self) -> bool:
        return not is_loopback(self._host)

    def open(self, paths: Paths, stack: ExitStack) -> str:
        """Raises CannotHostError, CannotListenError and UnusableHostKey."""
        if find_spec("asyncssh") is None:
            raise CannotHostError(
                "The extra for ssh is not installed.",
                "Install it: pip install 'lms-tui[ssh]'. `lms-tui help extras` shows other ways.",
            )
        if self._demo and self.for_others:
            words = "The demo institute has public passwords and is served to this computer only."
            raise CannotHostError(words, "Leave out --ssh-host, or serve your own institute.")
        from lms_tui.runtime.ssh.host_key import host_key  # noqa: PLC0415 - an extra

        listener = stack.enter_context(listen(self._host, self._port, _ADVICE))
        key = host_key(paths.data / "ssh" / "host_key")
        self._opened = listener, key
        host, port = listener.getsockname()[:2]
        return f"SSH on {in_url(host)}:{port}, host key {key.get_fingerprint()}"

    async def serve(self, host: HostState) -> None:
        if self._opened is None:
            raise RuntimeError
        listener, key = self._opened
        logging.getLogger("asyncssh").setLevel(logging.CRITICAL)  # it would log user names as they come
        connections = Connections(host.limits)
        options = await _options(key, host.limits)

        def arrive(client: socket.socket, address: str) -> _Arrival:
            flow = Flow(partial(_log.info, "%s: refused: too many bytes", address))
            return _Arrival(client, Place(address, flow.cut), flow, host, connections, options)

        await accept(listener, connections, arrive)


@frozen
class _Arrival:
    client: socket.socket
    place: Place
    flow: Flow
    host: HostState
    connections: Connections
    options: "asyncssh.SSHServerConnectionOptions"

    def serve(self) -> Coroutine[None, None, None]:
        return _connection(self)


async def _connection(arrival: _Arrival) -> None:
    """Serve a connection to its end."""
    import asyncssh  # noqa: PLC0415 - an extra

    from lms_tui.runtime.ssh.connection import SshConnection  # noqa: PLC0415 - the same

    client = arrival.client
    handler = SshConnection(arrival.host, arrival.connections, arrival.place, arrival.flow)
    loop = asyncio.get_running_loop()
    flows = loop.flows if isinstance(loop, FlowLoop) else {}
    flows[client] = arrival.flow
    try:
        connection = await asyncssh.run_server(
            client, config=None, options=arrival.options, server_factory=lambda: handler
        )
        try:
            await connection.wait_closed()
        except asyncio.CancelledError:
            connection.close()
            raise
    except Exception as error:  # noqa: BLE001 - damaged messages raise errors of any kind in asyncssh
        _log.info("%s: a connection ended: %s", arrival.place.address, type(error).__name__)
    finally:
        del flows[client]
        handler.connection_lost(None)


async def _options(key: "asyncssh.SSHKey", limits: Limits) -> "asyncssh.SSHServerConnectionOptions":
    import asyncssh  # noqa: PLC0415 - an extra

    options: asyncssh.SSHServerConnectionOptions = await asyncssh.SSHServerConnectionOptions.construct(
        config=None,
        server_host_keys=[key],
        encoding=None,
        line_editor=False,
        allow_scp=False,
        agent_forwarding=False,
        x11_forwarding=False,
        password_auth=True,
        public_key_auth=True,
        kbdint_auth=False,
        host_based_auth=False,
        gss_host=None,
        gss_auth=False,
        gss_kex=False,
        encryption_algs=_CIPHERS,
        compression_algs=["none"],
        login_timeout=limits.sign_in,
        keepalive_interval=15,
        keepalive_count_max=3,
        server_version="lms-tui",
    )
    return options
