"""The commands: parse, call bootstrap, turn the outcome into an exit code.

0: all well. 1: one sentence of what happened and one of what to do, on standard error. 2: wrong usage.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from lms_tui import __version__
from lms_tui.commands import arguments
from lms_tui.common.user_errors import in_words

if TYPE_CHECKING:
    from datetime import timedelta

_DATA_DIR = "where answers, tokens and the practice institute are kept (also LMS_TUI_DATA_DIR)"


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, without what a terminal would obey, and where help is."""

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        self.register("type", None, arguments.text)

    def add_subparsers(self, **options: Any) -> Any:
        """Let the words of a command through, whose own parser looks at them: some are paths."""
        commands = super().add_subparsers(**options)
        commands.type = str
        return commands

    def error(self, message: str) -> NoReturn:
        from lms_tui.common.cleaning import clean_line

        self.exit(2, f"lms-tui: {clean_line(message)}\nSee `{self.prog} --help`.\n")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Refuse an option that there is not before what follows it is taken for a command."""
        commands = self._command_names()
        for word in sys.argv[1:] if args is None else args:
            if word == "--" or word in commands:
                break
            name, _, value = word.partition("=")
            if name.startswith("--") and value == "--":
                self.error(f"{name} needs a value, which -- is not.")  # argparse would give an empty list for it
            if name.startswith("--") and not any(option.startswith(name) for option in self._option_string_actions):
                self.error(f"there is no option {name}.{self._nearest(name)}")
        return super().parse_known_args(args, namespace)

    def _command_names(self) -> set[str]:
        return {name for action in self._actions if action.nargs == argparse.PARSER for name in action.choices or ()}

    def _nearest(self, name: str) -> str:
        from difflib import get_close_matches

        found = get_close_matches(name, self._option_string_actions, 1)
        return f" Did you mean {found[0]}?" if found else ""


def build_parser() -> argparse.ArgumentParser:
    """Every command and option; imports nothing that --help could do without."""
    from lms_tui.commands.admin_commands import add_commands
    from lms_tui.commands.auth_commands import add_commands as add_home
    from lms_tui.commands.qa_commands import add_commands as add_testing

    data = _Parser(add_help=False)
    data.add_argument("--data-dir", type=Path, metavar="DIR", default=argparse.SUPPRESS, help=_DATA_DIR)
    look = _Parser(add_help=False)
    look.add_argument("--theme", metavar="NAME", default=argparse.SUPPRESS, help="dark, light or high-contrast")
    for name, words in (
        ("--reduced-motion", "nothing moves by itself"),
        ("--ascii", "draw without box characters and symbols"),
        ("--plain", "a dialogue of lines instead of a screen, for screen readers and braille displays"),
    ):
        look.add_argument(name, action="store_true", default=argparse.SUPPRESS, help=words)

    record = "write every request, without secrets, for browsers' tools"
    look.add_argument("--record", type=Path, metavar="FILE", default=argparse.SUPPRESS, help=record)

    parser = _Parser(
        prog="lms-tui",
        description="Real timed exams in the terminal. Without a command: the last server, else the sign-in screen.",
        parents=[data, look],
    )
    parser.add_argument("--version", action="version", version=f"lms-tui {__version__}")
    parser.set_defaults(run=_app)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=_Parser)
    demo = commands.add_parser("demo", parents=[data, look], help="practice in a demo institute, no questions asked")
    who = "who practises: a student (asha, ravi), a moderator (staff) or an administrator (admin); asha"
    demo.add_argument("--as", dest="username", metavar="NAME", default="asha", help=who)
    demo.set_defaults(run=_demo)
    attempt = commands.add_parser("try", parents=[data, look], help="dry-run an exam file; nothing is counted")
    _add_try(attempt)
    exam = commands.add_parser("exam", parents=[data], help="look into an exam file; import, assign and publish exams")
    exam_commands = exam.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=_Parser)
    _add_exam(exam_commands, data)
    _add_serve(commands.add_parser("serve", parents=[data], help="run the service alone"))
    receipt = commands.add_parser("receipt", parents=[data], help="what was answered: check, list and hand in receipts")
    _add_receipt(receipt, data)
    add_commands(commands, exam_commands, data, _Parser)
    add_testing(commands, data, _Parser)
    add_home(commands, data, _Parser)
    doctor = commands.add_parser("doctor", parents=[data], help="what works here, and what to do about the rest")
    doctor.set_defaults(run=_doctor)
    return parser


def _add_try(attempt: argparse.ArgumentParser) -> None:
    attempt.add_argument("file", type=Path, metavar="FILE", help="an exam in any format")
    attempt.add_argument("--as", dest="username", metavar="NAME", default="asha", help="who sits it (asha)")
    attempt.add_argument("--speed", type=arguments.speed, metavar="N", default=1.0, help="time passes N times faster")
    attempt.add_argument("--keep", type=Path, metavar="DIR", help="keep the results there; else they are thrown away")
    when = attempt.add_mutually_exclusive_group()
    when.add_argument("--at", type=_time, metavar="H:MM:SS", help="begin with this time left, such as 0:00:30")
    when.add_argument("--resume", action="store_true", help="go on with the one that was left in the middle")
    attempt.set_defaults(run=_try)


def _time(text: str) -> "timedelta":
    from datetime import timedelta

    parts = text.split(":")
    if len(parts) != 3 or not all(part.isascii() and part.isdigit() and len(part) <= 2 for part in parts):
        raise ValueError
    hours, minutes, seconds = map(int, parts)
    time = timedelta(hours=hours, minutes=minutes, seconds=seconds)
    if not time or minutes > 59 or seconds > 59:
        raise ValueError
    return time


_time.__name__ = "time"  # argparse says "invalid time value"


def _add_exam(commands: "argparse._SubParsersAction[_Parser]", data: _Parser) -> None:
    show = commands.add_parser("show", parents=[data], help="print the questions as an exam shows them")
    show.add_argument("file", type=Path, metavar="FILE", help="an exam in any format, a page of HTML, or a slug")
    show.add_argument("--database-url", default="", metavar="URL", help="where the exam of that slug is (SQLite)")
    show.add_argument("--json", action="store_true", help="for programs, with the keys")
    show.add_argument("--question", type=arguments.number, default=0, metavar="N", help="only this one, from 1")
    show.add_argument("--width", type=arguments.number, default=0, metavar="W", help="columns (those of the terminal)")
    rungs = ("picture", "2d", "line", "source", "words")
    show.add_argument("--maths", choices=rungs, default="", help="how formulas are drawn")
    show.add_argument("--plain", action="store_true", help="words only: no colours, pictures or drawn formulas")
    show.set_defaults(run=_show)
    check = commands.add_parser(
        "check", parents=[data], help="what is in an exam file, and what is wrong with it; 1 on errors"
    )
    check.add_argument("file", type=Path, metavar="FILE", help="an exam in any format")
    check.add_argument("--json", action="store_true", help="for programs")
    check.set_defaults(run=_check)
    convert = commands.add_parser("convert", parents=[data], help="carry an exam file into another format")
    convert.add_argument("source", type=Path, metavar="IN", help="an exam in any format")
    convert.add_argument("target", type=Path, metavar="OUT", help="the file to write; its ending tells the format")
    convert.add_argument("--to", choices=("gift", "moodle-xml", "qti", "yaml"), default="", help="the format of OUT")
    convert.set_defaults(run=_convert)


def _add_receipt(receipt: argparse.ArgumentParser, data: _Parser) -> None:
    commands = receipt.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=_Parser)
    words = "check a receipt, with no network: 0 whole, 1 changed, 2 no receipt"
    verify = commands.add_parser("verify", parents=[data], help=words)
    verify.add_argument("file", type=Path, metavar="FILE", help="a receipt that this program has made")
    verify.set_defaults(run=_verify)
    listed = commands.add_parser("list", parents=[data], help="the attempts whose answers are kept on this computer")
    listed.set_defaults(run=_list_receipts)
    export = commands.add_parser("export", parents=[data], help="write the receipt of an attempt to a file")
    export.add_argument("attempt", type=int, metavar="ATTEMPT", help="its number, as `receipt list` shows it")
    export.add_argument("out", type=Path, metavar="OUT", nargs="?", help="a new file (receipt-ATTEMPT-TIME.txt)")
    export.add_argument("--server", default="", metavar="URL", help="where two servers have this number")
    export.set_defaults(run=_export_receipt)
    for command in (verify, listed, export):
        command.add_argument("--json", action="store_true", help="for programs")


def _add_serve(serve: argparse.ArgumentParser) -> None:
    serve.add_argument("--demo", action="store_true", help="with the demo institute; listens on this computer only")
    serve.add_argument("--web", action="store_true", help="the app itself, in browsers of this computer (extra web)")
    serve.add_argument("--port", type=arguments.port, default=0, metavar="N", help="0 (the default) takes a free one")
    serve.add_argument("--host", default="127.0.0.1", help="address to listen on (127.0.0.1)")
    serve.add_argument("--database-url", default="", metavar="URL", help="SQLAlchemy address instead of SQLite")
    serve.add_argument(
        "--workers", type=arguments.count, default=1, metavar="N", help="processes, on PostgreSQL only (1)"
    )
    serve.add_argument(
        "--trust-proxy",
        action="append",
        default=[],
        metavar="ADDRESS",
        help="a balancer or network whose X-Forwarded-For is believed (this computer always is)",
    )
    serve.add_argument(
        "--media-dir",
        type=arguments.folder,
        metavar="DIR",
        help="where photos and videos are, a folder that several machines share (media in the data directory)",
    )
    serve.add_argument(
        "--embed-origin",
        type=arguments.origin,
        action="append",
        default=[],
        metavar="ORIGIN",
        help="a site whose pages may show videos, such as https://learn.example.edu; without it, any",
    )
    serve.add_argument("--no-video-embedding", action="store_true", help="videos play in no page, with no token")
    # What `demo` and `try` ask of their child.
    serve.add_argument("--end-with-stdin", action="store_true", help=argparse.SUPPRESS)
    serve.add_argument("--exam", type=Path, action="append", default=[], help=argparse.SUPPRESS)
    serve.add_argument("--exam-given", action="store_true", help=argparse.SUPPRESS)
    serve.add_argument("--practice-user", default="asha", help=argparse.SUPPRESS)
    serve.add_argument("--practice-slug", default="", help=argparse.SUPPRESS)
    serve.add_argument("--speed", type=arguments.speed, default=1.0, help=argparse.SUPPRESS)
    serve.add_argument("--since", default="", help=argparse.SUPPRESS)
    serve.add_argument("--begun", default="", help=argparse.SUPPRESS)
    serve.add_argument("--begins-with", type=float, help=argparse.SUPPRESS)
    from lms_tui.commands.qa_commands import add_serve_options

    add_serve_options(serve)
    serve.set_defaults(run=_serve)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the process ends with what this returns."""
    from lms_tui.commands.auth_commands import complete

    parser = build_parser()
    complete(parser)
    options = parser.parse_args(arguments)
    command: Callable[[argparse.Namespace], int] = options.run
    try:
        return command(options)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        sys.stderr.close()  # who read us has gone; a complaint about it would go nowhere
        return 1
    except Exception as error:  # noqa: BLE001 - the last one to see it: no traceback ever reaches a person
        return _explain(error, options)


def _explain(error: Exception, options: argparse.Namespace) -> int:
    """Print an error made for people in two sentences, and keep a report of any other."""
    words = in_words(error)
    if words is None:
        import logging

        from lms_tui.common.settings import find_paths
        from lms_tui.tui.crash import report_crash

        # Without a handler, what is logged would be printed.
        logging.getLogger("lms_tui").addHandler(logging.NullHandler())
        words = report_crash(error, find_paths(_data_dir(options)))
    print(words, file=sys.stderr)
    return 1


def _data_dir(options: argparse.Namespace) -> Path | None:
    return getattr(options, "data_dir", None)


def _look(options: argparse.Namespace) -> dict[str, object]:
    return {name: getattr(options, name, None) for name in ("theme", "reduced_motion", "ascii", "plain", "record")}


def _app(options: argparse.Namespace) -> int:
    from lms_tui.runtime.bootstrap import run_app

    return run_app(_data_dir(options), _look(options))


def _demo(options: argparse.Namespace) -> int:
    from lms_tui.runtime.bootstrap import run_demo

    return run_demo(options.username, _data_dir(options), _look(options))


def _try(options: argparse.Namespace) -> int:
    from lms_tui.runtime.bootstrap import run_dry
    from lms_tui.runtime.dry_run import Wish

    wish = Wish(options.file, options.username, options.speed, options.at, options.resume, options.keep)
    return run_dry(wish, _data_dir(options), _look(options))


def _serve(options: argparse.Namespace) -> int:
    if options.web:
        return _serve_web(options)
    import gc
    from datetime import datetime, timedelta

    # What is imported stays: looking through it for garbage takes a sixth of the start. The server enables it again.
    gc.disable()

    from lms_tui.commands.qa_commands import bench_of
    from lms_tui.common.settings import find_paths
    from lms_tui.service.core.settings import ServiceSettings, Timing
    from lms_tui.service.server.process import run

    speed = options.clock_speed or options.speed
    left = None if options.begins_with is None else timedelta(seconds=options.begins_with)
    return run(
        ServiceSettings(
            find_paths(_data_dir(options)).service,
            host=options.host,
            port=options.port,
            database_url=options.database_url,
            demo=options.demo,
            exam_files=tuple(options.exam),
            exam_given=options.exam_given,
            practice_user=options.practice_user,
            practice_slug=options.practice_slug,
            end_with_stdin=options.end_with_stdin,
            workers=options.workers,
            trusted_proxies=("127.0.0.1", "::1", *options.trust_proxy),
            media_dir=options.media_dir,
            video_embedding=not options.no_video_embedding,
            embed_origins=tuple(options.embed_origin),
            timing=Timing(begins_with=left).sped_up(speed),
            speed=speed,
            since=datetime.fromisoformat(options.since) if options.since else None,
            begun=datetime.fromisoformat(options.begun) if options.begun else None,
            fault_injection=bench_of(options),
        )
    )


def _serve_web(options: argparse.Namespace) -> int:
    from lms_tui.common.settings import find_paths
    from lms_tui.runtime.web import command_of, run_web

    return run_web(command_of(find_paths(_data_dir(options)).data, demo=options.demo), options.host, options.port)


def _check(options: argparse.Namespace) -> int:
    from lms_tui.commands.exam_files import run_check

    return run_check(options.file, as_data=options.json)


def _convert(options: argparse.Namespace) -> int:
    from lms_tui.commands.exam_files import run_convert

    return run_convert(options.source, options.target, options.to)


def _show(options: argparse.Namespace) -> int:
    from lms_tui.commands.show import opened, show

    file: Path = options.file
    if len(file.parts) == 1 and not file.suffix and not file.exists():
        from lms_tui.commands.admin_commands import stored_exam

        exam = stored_exam(options, file.name)
    else:
        exam = opened(file)
    if options.json:
        from lms_tui.commands.exam_files import exam_as_json

        print(exam_as_json(exam, file.name))
        return 0
    return show(
        file,
        question=options.question,
        width=options.width,
        maths=options.maths,
        plain=options.plain,
        exam=exam,
    )


def _verify(options: argparse.Namespace) -> int:
    from lms_tui.commands.receipt_commands import run_verify

    return run_verify(options.file, as_data=options.json)


def _list_receipts(options: argparse.Namespace) -> int:
    from lms_tui.commands.receipt_commands import run_list

    return run_list(_data_dir(options), as_data=options.json)


def _export_receipt(options: argparse.Namespace) -> int:
    from lms_tui.commands.receipt_commands import run_export

    where = _data_dir(options)
    return run_export(options.attempt, options.out, where, server=options.server, as_data=options.json)


def _doctor(options: argparse.Namespace) -> int:
    from lms_tui.commands.doctor import examine

    return examine(_data_dir(options))
