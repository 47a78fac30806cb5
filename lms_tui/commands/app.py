"""The commands that open the app: `lms-tui`, `lms-tui demo`, `lms-tui try` and `lms-tui settings`."""

import argparse
from pathlib import Path

from lms_tui.commands import arguments
from lms_tui.commands.parser import (
    Parser,
    Subcommands,
    add_command,
    add_reading,
    data_dir_of,
    look_of,
    look_options,
    reading_of,
)


def register(commands: Subcommands) -> None:
    demo = add_command(commands, "demo", "practise in a demo institute on this computer", _demo, [look_options()])
    words = "user name: asha or ravi (students), staff (moderator) or admin (default: asha)"
    demo.add_argument("--as", dest="username", metavar="NAME", default="asha", help=words)
    add_command(commands, "settings", "show and change the settings, colours and keys", _settings, [look_options()])
    words = "try out an exam file on this computer, without a counted result"
    _add_try_options(add_command(commands, "try", words, _try, [look_options()]))


def _add_try_options(parser: Parser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="an exam file in any format")
    parser.add_argument("--as", dest="username", metavar="NAME", default="asha", help="user name (default: asha)")
    parser.add_argument("--speed", type=arguments.speed, metavar="N", default=1.0, help="let time pass N times faster")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="save the results in this folder (default: discard)")
    words = "time limit of the whole exam, such as 45 min; 1:30 is 90 seconds (default: from the file)"
    parser.add_argument("--duration", type=arguments.duration, metavar="TIME", help=words)
    add_reading(parser)
    start = parser.add_mutually_exclusive_group()
    words = "start with this much time left, such as 0:00:30"
    start.add_argument("--at", type=arguments.time_left, metavar="H:MM:SS", help=words)
    start.add_argument("--resume", action="store_true", help="resume the unfinished dry run of this file")


def run(options: argparse.Namespace) -> int:
    """Open the app with the last profile, or at the sign-in screen."""
    from lms_tui.runtime.bootstrap import run_app

    return run_app(data_dir_of(options), look_of(options))


def _demo(options: argparse.Namespace) -> int:
    from lms_tui.runtime.bootstrap import run_demo

    return run_demo(options.username, data_dir_of(options), look_of(options))


def _try(options: argparse.Namespace) -> int:
    from lms_tui.runtime.bootstrap import run_dry
    from lms_tui.runtime.dry_run import Request

    request = Request(
        options.file,
        options.username,
        options.speed,
        options.at,
        options.resume,
        options.keep,
        options.duration,
        reading_of(options),
    )
    return run_dry(request, data_dir_of(options), look_of(options))


def _settings(options: argparse.Namespace) -> int:
    """Open the settings screen. With --plain, print the settings."""
    data_dir, look = data_dir_of(options), look_of(options)
    if not look["plain"]:
        from lms_tui.runtime.bootstrap import run_settings

        return run_settings(data_dir, look)
    from lms_tui.common.settings import find_paths, load
    from lms_tui.views.settings import all_settings, shown

    settings = load(find_paths(data_dir), options={name: look[name] for name in ("theme", "reduced_motion", "ascii")})
    for found in all_settings(settings):
        print(f"{found.name}: {shown(found.value)}{f' (set by {found.fixed})' if found.fixed else ''}")
        print(f"    {found.words} Default: {shown(found.default)}.")
    return 0
