"""The SSH host: the service, the warmed parent and the connections (`lms-tui serve --ssh`)."""

import asyncio
import logging
import os
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from importlib.util import find_spec
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from lms_tui.common.hosts import in_url, is_loopback
from lms_tui.common.private_files import make_private_folder
from lms_tui.common.settings import Paths
from lms_tui.common.user_errors import AdvisedError
from lms_tui.runtime.service_process import ServiceProcess
from lms_tui.runtime.sessions.limits import Admission, Limits, Place
from lms_tui.runtime.sessions.messages import Setup
from lms_tui.runtime.sessions.warmed import WarmedParent
from lms_tui.runtime.ssh.flow import Flow, FlowLoop
from lms_tui.service.core.keyfile import read_or_create
from lms_tui.service.core.log_throttle import LogThrottle
from lms_tui.service.core.settings import ServiceSettings
from lms_tui.service.core.signer import Signer

if TYPE_CHECKING:
    import asyncssh

    from lms_tui.runtime.ssh.connection import HostState

_BACKLOG: Final = 512
_WAITING: Final = 128 * 1024
"""Bytes that the kernel keeps for each direction of a connection. Otherwise it would keep megabytes."""
_LARGEST_LOG: Final = 1024 * 1024
_PAUSE: Final = 0.5

_log = logging.getLogger(__name__)


class CannotServeSshError(AdvisedError):
    """The SSH host cannot start."""


@dataclass(frozen=True, slots=True)
class SshSettings:
    """`service`: the arguments of the service beside this host. `user`: of the sessions, where root has started it."""

    paths: Paths
    host: str
    port: int
    service: tuple[str, ...]
    user: str = "nobody"
    demo: bool = False
    limits: Limits = field(default_factory=Limits)


def run_ssh(settings: SshSettings) -> int:
    """Serve until a signal. Raises AdvisedError."""
    if sys.platform != "linux":
        raise CannotServeSshError("The SSH host runs on Linux only.", "Run `lms-tui serve` and connect with the app.")
    if find_spec("asyncssh") is None:
        raise CannotServeSshError(
            "The extra for ssh is not installed.",
            "Install it: pip install 'lms-tui[ssh]'. `lms-tui help extras` shows other ways.",
        )
    if settings.demo and not is_loopback(settings.host):
        words = "The demo institute has public passwords and is served to this computer only."
        raise CannotServeSshError(words, "Leave out --ssh-host, or serve your own institute.")
    with (
        _log_to_file(settings.paths.logs / "ssh.log"),
        _listen(settings) as listener,
        asyncio.Runner(loop_factory=FlowLoop) as runner,
    ):
        return runner.run(_serve(settings, listener))


async def _serve(settings: SshSettings, listener: socket.socket) -> int:
    from lms_tui.runtime.sessions.sign_in import SignIn  # noqa: PLC0415 - brings HTTP
    from lms_tui.runtime.ssh.connection import HostState  # noqa: PLC0415 - an extra
    from lms_tui.runtime.ssh.host_key import host_key  # noqa: PLC0415 - the same

    paths = settings.paths
    make_private_folder(paths.data)
    key = host_key(paths.data / "ssh" / "host_key")
    service = ServiceProcess(settings.service, paths.service_log)
    ended = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    parent: WarmedParent | None = None
    tasks: list[asyncio.Task[None]] = []
    try:
        announced = await service.start()
        base_url = _loopback_address_of(announced)
        uid, gid = _user(settings.user)
        parent = WarmedParent(Setup(base_url, str(_sessions(paths, uid)), uid, gid), paths.logs / "sessions.log")
        await parent.start()
        signer = Signer(read_or_create(ServiceSettings(paths.service).key_file))
        host_state = HostState(SignIn(base_url, signer), settings.limits, Admission(settings.limits), parent)
        tasks = [asyncio.create_task(_accept(listener, host_state, key)), asyncio.create_task(_watch(service, ended))]
        host, port = listener.getsockname()[:2]
        print(f"Listening on {announced}", flush=True)  # noqa: T201 - for the person at the shell
        print(f"SSH on {in_url(host)}:{port}, host key {key.get_fingerprint()}", flush=True)  # noqa: T201 - the same
        await ended.wait()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if parent is not None:
            await parent.close()
        await asyncio.to_thread(service.stop)
    return 0 if not tasks or tasks[1].cancelled() else 1


async def _watch(service: ServiceProcess, ended: asyncio.Event) -> None:
    await service.keep_running()
    _log.error("the service crashes again and again: the SSH host ends")
    ended.set()


async def _accept(listener: socket.socket, host_state: "HostState", key: "asyncssh.SSHKey") -> None:
    """Admit connections before any work is done for them."""
    loop = asyncio.get_running_loop()
    connections: set[asyncio.Task[None]] = set()
    options = await _options(key, host_state.limits)
    try:
        while True:
            try:
                client, told = await loop.sock_accept(listener)
            except OSError:  # too many open files
                _log.exception("a connection could not be accepted")
                await asyncio.sleep(_PAUSE)
                continue
            address = str(told[0]).partition("%")[0]  # without the zone of a local address
            flow = Flow(partial(_log.info, "%s: refused: too many bytes", address))
            place = Place(address, flow.cut)
            if refusal := host_state.admission.connect(place):
                _log.info("%s: refused: %s", address, refusal)
                client.close()
                continue
            task = loop.create_task(_connection(client, place, flow, host_state, options))
            connections.add(task)
            task.add_done_callback(connections.discard)
    finally:
        for task in tuple(connections):
            task.cancel()
        await asyncio.gather(*connections, return_exceptions=True)


async def _connection(
    client: socket.socket,
    place: Place,
    flow: Flow,
    host_state: "HostState",
    options: "asyncssh.SSHServerConnectionOptions",
) -> None:
    """Serve a connection to its end."""
    import asyncssh  # noqa: PLC0415 - an extra

    from lms_tui.runtime.ssh.connection import SshConnection  # noqa: PLC0415 - the same

    handler = SshConnection(host_state, place, flow)
    loop = asyncio.get_running_loop()
    flows = loop.flows if isinstance(loop, FlowLoop) else {}
    flows[client] = flow
    try:
        connection = await asyncssh.run_server(client, config=None, options=options, server_factory=lambda: handler)
        try:
            await connection.wait_closed()
        except asyncio.CancelledError:
            connection.close()
            raise
    except Exception as error:  # noqa: BLE001 - damaged messages raise errors of any kind in asyncssh
        _log.info("%s: a connection ended: %s", place.address, type(error).__name__)
    finally:
        del flows[client]
        handler.connection_lost(None)
        host_state.admission.disconnect(place)
        with suppress(OSError):
            client.close()


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
        compression_algs=["none"],
        login_timeout=limits.sign_in,
        keepalive_interval=15,
        keepalive_count_max=3,
        server_version="lms-tui",
    )
    return options


def _listen(settings: SshSettings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        listener = socket.create_server((settings.host, settings.port), family=family, backlog=_BACKLOG)
    except OSError as error:
        raise CannotServeSshError(
            f"The SSH host cannot listen on {settings.host}, port {settings.port} ({error.strerror}).",
            "Give an address of this computer with --ssh-host, and a free port with --ssh.",
        ) from error
    for side in (socket.SO_SNDBUF, socket.SO_RCVBUF):
        listener.setsockopt(socket.SOL_SOCKET, side, _WAITING)
    listener.setblocking(False)
    return listener


def _loopback_address_of(base_url: str) -> str:
    """Return the address of the service for this computer. Raises CannotServeSshError."""
    parts = urlsplit(base_url)
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(parts.hostname or "", parts.hostname or "")  # noqa: S104 - an address to replace, not one to listen on
    if not is_loopback(host):
        raise CannotServeSshError(
            f"The service listens on {host} only.", "Leave out --host, or give 0.0.0.0 or :: beside --ssh."
        )
    return f"http://{in_url(host)}:{parts.port}"


def _user(name: str) -> tuple[int, int]:
    """Return the user and group of the sessions, zeros for those of this process. Raises CannotServeSshError."""
    if os.geteuid():
        return 0, 0
    import pwd  # noqa: PLC0415 - not on Windows

    try:
        found = pwd.getpwnam(name)
    except KeyError:
        raise CannotServeSshError(f"There is no user {name}.", "Give another one with --ssh-user.") from None
    if not found.pw_uid:
        _log.warning("sessions run as root, as --ssh-user says: use this for a trial only")
    return found.pw_uid, found.pw_gid


def _sessions(paths: Paths, uid: int) -> Path:
    """Return the folder with a folder for each user, which the unprivileged user reaches but cannot list."""
    folder = paths.data / "sessions"
    make_private_folder(folder)
    if uid:
        for each in (paths.data, folder):
            each.chmod(0o711)
    return folder


@contextmanager
def _log_to_file(file: Path) -> Iterator[None]:
    """Log sessions and refusals, without names and secrets. Repeated records are limited."""
    make_private_folder(file.parent)
    os.close(os.open(file, os.O_WRONLY | os.O_CREAT, 0o600))
    handler = RotatingFileHandler(file, maxBytes=_LARGEST_LOG, backupCount=2, encoding="utf-8", delay=True)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    handler.addFilter(LogThrottle(most=1000))
    root, own = logging.getLogger(), logging.getLogger("lms_tui.runtime.ssh")
    root.addHandler(handler)
    own.setLevel(logging.INFO)
    logging.getLogger("asyncssh").setLevel(logging.CRITICAL)  # it would log user names as they come
    try:
        yield
    finally:
        root.removeHandler(handler)
        handler.close()
