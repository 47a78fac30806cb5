"""The command `lms-tui serve`, which runs the service, or serves the app to browsers or over ssh."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lms_tui.commands import arguments
from lms_tui.commands.parser import Parser, Subcommands, add_command, data_dir_of
from lms_tui.common.user_errors import UsageError

if TYPE_CHECKING:
    from lms_tui.common.settings import Paths
    from lms_tui.service.core.settings import FaultSettings

_THIS_COMPUTER: Final = ("127.0.0.1", "::1")


def register(commands: Subcommands) -> None:
    serve = add_command(commands, "serve", "run the service alone", _serve)
    serve.add_argument("--demo", action="store_true", help="serve the demo institute, to this computer only")
    serve.add_argument("--port", type=arguments.port, default=0, metavar="N", help="default: 0, a free port")
    serve.add_argument("--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)")
    serve.add_argument("--database-url", default="", metavar="URL", help="SQLAlchemy address (default: an SQLite file)")
    words = "number of processes, on PostgreSQL only (default: 1)"
    serve.add_argument("--workers", type=arguments.count, default=1, metavar="N", help=words)
    words = "trust X-Forwarded-For from this load balancer or network, besides this computer"
    serve.add_argument(
        "--trust-proxy", type=arguments.network, action="append", default=[], metavar="ADDRESS", help=words
    )
    words = "folder of photos and videos, shared by all machines (default: media in the data directory)"
    serve.add_argument("--media-dir", type=arguments.folder, metavar="DIR", help=words)
    words = "site that may embed videos, such as https://learn.example.edu (default: any site)"
    serve.add_argument(
        "--embed-origin", type=arguments.origin, action="append", default=[], metavar="ORIGIN", help=words
    )
    serve.add_argument("--no-video-embedding", action="store_true", help="do not let any page embed videos")
    _add_session_options(serve)
    _add_test_options(serve)
    _add_child_options(serve)


def _add_session_options(serve: Parser) -> None:
    group = serve.add_argument_group("for students with a terminal or a browser only (extras ssh and web)")
    words = "serve the app over ssh too (default: port 2222)"
    group.add_argument("--ssh", type=arguments.port, nargs="?", const=2222, metavar="PORT", help=words)
    words = "address on which ssh listens (default: 127.0.0.1)"
    group.add_argument("--ssh-host", default="127.0.0.1", metavar="ADDRESS", help=words)
    words = "serve the app to browsers too, with a sign-in (default: port 8080)"
    group.add_argument("--web", type=arguments.port, nargs="?", const=8080, metavar="PORT", help=words)
    words = "address on which the pages are served (default: 127.0.0.1)"
    group.add_argument("--web-host", default="127.0.0.1", metavar="ADDRESS", help=words)
    words = "address of your TLS proxy in browsers, such as https://exam.example.edu (may be repeated)"
    group.add_argument("--web-origin", type=arguments.origin, action="append", default=[], metavar="ORIGIN", help=words)
    words = "user of the sessions, if root starts the program (default: nobody)"
    group.add_argument("--session-user", default="nobody", metavar="NAME", help=words)


def _add_test_options(serve: Parser) -> None:
    group = serve.add_argument_group("for testers, on this computer only")
    group.add_argument("--bench", action="store_true", help="let `lms-tui fault` change faults and the clock")
    words = "'PUT */heartbeat/ 503 30%%', 'latency 400ms ±200' or 'drop 5%%' (may be repeated)"
    group.add_argument("--fault", action="append", default=[], metavar="FAULT", help=words)
    words = "give the replies of a recorded session again, in place of a service"
    group.add_argument("--replay", type=Path, metavar="FILE.har", help=words)
    words = "let time pass N times faster"
    group.add_argument("--clock-speed", type=arguments.speed, metavar="N", help=words)
    group.add_argument("--seed", type=arguments.seed, metavar="N", help="random seed of the faults (default: 0)")


def _add_child_options(serve: Parser) -> None:
    """Add the options with which `demo` and `try` start the service."""
    for name in ("--end-with-stdin", "--exam-given", "--tell-steps", "--for-others"):
        serve.add_argument(name, action="store_true", help=argparse.SUPPRESS)
    serve.add_argument("--exam", type=Path, action="append", default=[], help=argparse.SUPPRESS)
    serve.add_argument("--practice-user", default="asha", help=argparse.SUPPRESS)
    serve.add_argument("--speed", type=arguments.speed, default=1.0, help=argparse.SUPPRESS)
    serve.add_argument("--begins-with", type=float, help=argparse.SUPPRESS)
    for name in ("--practice-slug", "--since", "--begun"):
        serve.add_argument(name, default="", help=argparse.SUPPRESS)


def _serve(options: argparse.Namespace) -> int:
    from lms_tui.common.settings import find_paths

    if options.replay is not None:
        return _replay(options)
    paths = find_paths(data_dir_of(options))
    if options.ssh is not None or options.web is not None:
        return _host(options, paths)
    import gc

    # Imported modules stay. Searching them for garbage takes a sixth of the start. The server enables it again.
    gc.disable()
    return _run_service(options, paths.service)


def _host(options: argparse.Namespace, paths: "Paths") -> int:
    """Serve sessions over ssh and in browsers, and the service beside them."""
    from lms_tui.runtime.sessions.host import Front, HostSettings, run_host
    from lms_tui.runtime.ssh.flow import FlowLoop
    from lms_tui.runtime.ssh.front import SshFront
    from lms_tui.runtime.web.front import WebFront, WebSettings

    fronts: list[Front] = []
    if options.ssh is not None:
        fronts.append(SshFront(options.ssh_host, options.ssh, demo=options.demo))
    if options.web is not None:
        proxies = (*_THIS_COMPUTER, *options.trust_proxy)
        pages = WebSettings(options.web_host, options.web, options.web_origin, proxies, demo=options.demo)
        fronts.append(WebFront(pages))
    reached = ["--for-others"] if any(front.for_others for front in fronts) else []
    service = ("--data-dir", str(paths.data), *_service_arguments(options), *reached)
    return run_host(HostSettings(paths, service, options.session_user), fronts, FlowLoop)


def _service_arguments(options: argparse.Namespace) -> list[str]:
    """Return the options of the service that the host of sessions starts beside itself."""
    values = {"--host": options.host, "--database-url": options.database_url, "--media-dir": options.media_dir}
    values |= {"--port": options.port, "--workers": options.workers, "--clock-speed": options.clock_speed}
    lists = {"--trust-proxy": options.trust_proxy, "--embed-origin": options.embed_origin, "--fault": options.fault}
    flags = {"--demo": options.demo, "--no-video-embedding": options.no_video_embedding, "--bench": options.bench}
    return [
        *(f"{name}={value}" for name, value in values.items() if value),
        *(f"{name}={value}" for name, given in lists.items() for value in given),
        *(name for name, given in flags.items() if given),
    ]


def _replay(options: argparse.Namespace) -> int:
    """Raises UsageError for options of a service, because a recording has no institute behind it."""
    from lms_tui.runtime.replay_server import run_replay

    for name in ("demo", "web", "ssh", "bench", "fault", "clock_speed", "seed", "database_url"):
        given = getattr(options, name)
        if given is not None and given is not False and given not in ("", []):  # 0 is a port
            option = f"--{name.replace('_', '-')}"
            raise UsageError(f"{option} does not work with --replay.", "A recording has no institute behind it.")
    if options.host != "127.0.0.1":
        raise UsageError("A recording is served to this computer only.", "Leave out --host.")
    return run_replay(options.replay, options.port)


def _run_service(options: argparse.Namespace, folder: Path) -> int:
    from datetime import datetime, timedelta

    from lms_tui.service.core.settings import ServiceSettings, Timing
    from lms_tui.service.server.process import run

    speed = options.clock_speed or options.speed
    left = None if options.begins_with is None else timedelta(seconds=options.begins_with)
    return run(
        ServiceSettings(
            folder,
            host=options.host,
            port=options.port,
            database_url=options.database_url,
            demo=options.demo,
            exam_files=tuple(options.exam),
            exam_given=options.exam_given,
            practice_user=options.practice_user,
            practice_slug=options.practice_slug,
            for_others=options.for_others,
            end_with_stdin=options.end_with_stdin,
            tell_steps=options.tell_steps,
            workers=options.workers,
            trusted_proxies=(*_THIS_COMPUTER, *options.trust_proxy),
            media_dir=options.media_dir,
            video_embedding=not options.no_video_embedding,
            embed_origins=tuple(options.embed_origin),
            timing=Timing(begins_with=left).sped_up(speed),
            speed=speed,
            since=datetime.fromisoformat(options.since) if options.since else None,
            begun=datetime.fromisoformat(options.begun) if options.begun else None,
            fault_injection=_test_settings(options),
        )
    )


def _test_settings(options: argparse.Namespace) -> "FaultSettings | None":
    """Return the faults to inject, or None without options for testers."""
    from lms_tui.service.core.settings import FaultSettings

    if not (options.bench or options.fault or options.clock_speed is not None or options.seed is not None):
        return None
    return FaultSettings(tuple(options.fault), options.seed or 0)
