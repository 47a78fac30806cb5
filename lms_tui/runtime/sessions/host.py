"""The host of sessions: the service, the warmed parent, and the ways in (`lms-tui serve --ssh` and `--web`)."""

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import field
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from lms_tui.common.frozen import frozen
from lms_tui.common.hosts import in_url, is_loopback
from lms_tui.common.private_files import make_private_folder
from lms_tui.common.settings import Paths
from lms_tui.common.user_errors import AdvisedError
from lms_tui.runtime.service_process import ServiceProcess
from lms_tui.runtime.sessions.hosted import HostState
from lms_tui.runtime.sessions.limits import Limits, Sessions
from lms_tui.runtime.sessions.messages import Setup
from lms_tui.runtime.sessions.sign_in import SignIn
from lms_tui.runtime.sessions.warmed import WarmedParent
from lms_tui.service.core.keyfile import read_or_create
from lms_tui.service.core.log_throttle import LogThrottle, logged_to_file
from lms_tui.service.core.settings import ServiceSettings
from lms_tui.service.core.signer import Signer

_log = logging.getLogger(__name__)


class CannotHostError(AdvisedError):
    """The host of sessions cannot start."""


class Front(Protocol):
    """A way to the sessions, such as ssh."""

    @property
    def for_others(self) -> bool:
        """Whether other computers reach it."""
        ...

    def open(self, paths: Paths, stack: ExitStack) -> str:
        """Listen until the stack closes, and return a line for the person at the shell. Raises AdvisedError."""

    async def serve(self, host: HostState) -> None:
        """Admit people until this is cancelled."""


@frozen
class HostSettings:
    """`service`: the arguments of the service beside this host.

    `user`: the system user of the sessions, if root has started the host.
    """

    paths: Paths
    service: tuple[str, ...]
    user: str = "nobody"
    limits: Limits = field(default_factory=Limits)


def run_host(
    settings: HostSettings, fronts: Sequence[Front], loop_factory: Callable[[], asyncio.AbstractEventLoop]
) -> int:
    """Serve until a signal. Raises AdvisedError."""
    if sys.platform != "linux":
        raise CannotHostError(
            "Sessions over ssh and in browsers need Linux.", "Run `lms-tui serve` and connect with the app."
        )
    with ExitStack() as stack:
        make_private_folder(settings.paths.data)
        stack.enter_context(_log_to_file(settings.paths.logs / "host.log"))
        announced = [front.open(settings.paths, stack) for front in fronts]
        runner = stack.enter_context(asyncio.Runner(loop_factory=loop_factory))
        return runner.run(_serve(settings, fronts, announced))


async def _serve(settings: HostSettings, fronts: Sequence[Front], announced: list[str]) -> int:
    paths = settings.paths
    service = ServiceProcess(settings.service, paths.service_log, "service")
    ended = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    parent: WarmedParent | None = None
    tasks: list[asyncio.Task[None]] = []
    try:
        told = await service.start()
        base_url = _loopback_address_of(told)
        uid, gid = _user(settings.user)
        parent = WarmedParent(Setup(base_url, str(_sessions(paths, uid)), uid, gid), paths.logs / "sessions.log")
        await parent.start()
        signer = Signer(read_or_create(ServiceSettings(paths.service).key_file))
        host = HostState(SignIn(base_url, signer), settings.limits, Sessions(settings.limits), parent)
        tasks = [asyncio.create_task(_watch(service, ended))]
        tasks += [asyncio.create_task(front.serve(host)) for front in fronts]
        for line in (f"Listening on {told}", *announced):
            print(line, flush=True)  # noqa: T201 - for the person at the shell
        await ended.wait()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if parent is not None:
            await parent.close()
        await asyncio.to_thread(service.stop)
    return 0 if not tasks or tasks[0].cancelled() else 1


async def _watch(service: ServiceProcess, ended: asyncio.Event) -> None:
    await service.keep_running()
    _log.error("the service crashes again and again: the host ends")
    ended.set()


def _loopback_address_of(base_url: str) -> str:
    """Return the address of the service for this computer. Raises CannotHostError."""
    parts = urlsplit(base_url)
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(parts.hostname or "", parts.hostname or "")  # noqa: S104 - an address to replace, not one to listen on
    if not is_loopback(host):
        raise CannotHostError(
            f"The service listens on {host} only.", "Leave out --host, or give 0.0.0.0 or :: beside --ssh and --web."
        )
    return f"http://{in_url(host)}:{parts.port}"


def _user(name: str) -> tuple[int, int]:
    """Return the user and group of the sessions, zeros for those of this process. Raises CannotHostError."""
    if os.geteuid():
        return 0, 0
    import pwd  # noqa: PLC0415 - not on Windows

    try:
        found = pwd.getpwnam(name)
    except KeyError:
        raise CannotHostError(f"There is no user {name}.", "Give another one with --session-user.") from None
    if not found.pw_uid:
        _log.warning("sessions run as root, as --session-user says: use this for a trial only")
    return found.pw_uid, found.pw_gid


def _sessions(paths: Paths, uid: int) -> Path:
    """Return the folder with a folder for each user, which the unprivileged user reaches but cannot list."""
    folder = paths.data / "sessions"
    make_private_folder(folder)
    if uid:
        for each in (paths.data, folder):
            each.chmod(0o711)
    return folder


def _log_to_file(file: Path) -> AbstractContextManager[None]:
    """Log sessions and refusals, without names and secrets. Repeated records are limited."""
    make_private_folder(file.parent)
    return logged_to_file(file, "lms_tui.runtime", "%(asctime)s %(levelname)s %(message)s", LogThrottle(most=1000))
