"""`lms-tui user|batch|exam|video|post`: an institute kept from the shell; `--json` prints what scripts can read."""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lms_tui.commands.arguments import Subcommands, folder, typed
from lms_tui.common.user_errors import UsageError

if TYPE_CHECKING:
    from lms_tui.banks.model import Exam
    from lms_tui.service.admin.administration import Administration
    from lms_tui.service.admin.videos import VideoShelf
    from lms_tui.service.core.settings import ServiceSettings

_ROLES = ("student", "mentor", "moderator", "admin")
Rows = list[dict[str, Any]]


def add_commands(
    commands: Subcommands, exam: Subcommands, data: argparse.ArgumentParser, parser: type[argparse.ArgumentParser]
) -> None:
    """Add the commands; `exam`: what `lms-tui exam` does already, `data`: the options that every command has."""
    common = argparse.ArgumentParser(add_help=False, parents=[data])
    common.add_argument("--database-url", default="", metavar="URL", help="SQLAlchemy address instead of SQLite")
    common.add_argument("--json", action="store_true", dest="as_json", help="print JSON")
    for name, words, fill in (
        ("user", "users of the institute here: the first administrator, roles, passwords", _user),
        ("batch", "batches of students", _batch),
        ("video", "videos of courses", _video),
        ("post", "posts to batches and everyone", _post),
    ):
        command = commands.add_parser(name, parents=[data], help=words)
        fill(command.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=parser), common)
    _exam(exam, common)


def _action(
    actions: Subcommands, common: argparse.ArgumentParser, name: str, words: str, work: Callable[..., Rows]
) -> argparse.ArgumentParser:
    action: argparse.ArgumentParser = actions.add_parser(name, parents=[common], help=words)
    action.set_defaults(run=_run, work=work)
    return action


def _user(actions: Subcommands, common: argparse.ArgumentParser) -> None:
    add = _action(actions, common, "add", "add a user; the password is asked for", _add_user)
    add.add_argument("username")
    add.add_argument("--role", choices=_ROLES, default="student")
    for name in ("first-name", "last-name", "email"):
        add.add_argument(f"--{name}", default="", metavar="TEXT")
    add.add_argument("--batch", action="append", default=[], metavar="NAME", dest="batches")
    add.add_argument("--password-stdin", action="store_true", help="read the password from standard input")
    listed = _action(actions, common, "list", "list users", _list_users)
    listed.add_argument("--role", choices=_ROLES)
    listed.add_argument("--batch", metavar="NAME")
    password = _action(actions, common, "password", "give a user a new password", _set_password)
    password.add_argument("username")
    password.add_argument("--password-stdin", action="store_true", help="read the password from standard input")
    role = _action(actions, common, "role", "give a user another role", _change_role)
    role.add_argument("username")
    role.add_argument("role", choices=_ROLES, metavar="ROLE", help=", ".join(_ROLES))
    for name, words, active in (("disable", "let a user in no more", False), ("enable", "let a user in again", True)):
        _action(actions, common, name, words, _switch_user).add_argument("username")
        actions.choices[name].set_defaults(active=active)


def _batch(actions: Subcommands, common: argparse.ArgumentParser) -> None:
    _action(actions, common, "add", "add a batch", _add_batch).add_argument("name")
    _action(actions, common, "list", "list batches", lambda admin, _: admin.batches())
    join = _action(actions, common, "join", "put users into a batch", _join_batch)
    join.add_argument("name")
    join.add_argument("usernames", nargs="+", metavar="username")


def _exam(actions: Subcommands, common: argparse.ArgumentParser) -> None:
    add = _action(actions, common, "import", "import an exam file", _import_exam)
    add.add_argument("file", type=Path, metavar="FILE")
    add.add_argument("--course", required=True, metavar="NAME")
    add.add_argument("--batch", action="append", default=[], metavar="NAME", dest="batches")
    add.add_argument("--slug", default="", help="last part of its address, otherwise made of the file's name")
    add.add_argument("--duration", type=_duration, metavar="TIME", help="such as 1:30:00 or 90 min; the file's own")
    seen = add.add_mutually_exclusive_group()
    seen.add_argument("--publish", action="store_true", default=None, help="students see it (what a new one is)")
    seen.add_argument("--unpublished", action="store_true", help="nobody sees it until it is published")
    add.add_argument("--allow-pdf", action="store_true", help="reviews can be had as PDF")
    publish = _action(actions, common, "publish", "show an exam to its students", _publish_exam)
    publish.add_argument("slug")
    for action in (add, publish):
        action.add_argument("--public", action="store_true", help="for everyone, not only its batches")
        action.add_argument("--start", type=_moment, metavar="WHEN", help="such as 2026-01-31T09:30+05:30; now")
        action.add_argument("--end", type=_moment, metavar="WHEN")
    _action(actions, common, "unpublish", "hide an exam", _unpublish_exam).add_argument("slug")
    _action(actions, common, "list", "list exams", lambda admin, _: admin.exams())
    export = _action(actions, common, "export", "write an exam as a file for another system", _export_exam)
    export.add_argument("slug")
    export.add_argument("target", type=Path, metavar="OUT", help="the file to write; its ending tells the format")
    export.add_argument("--to", choices=("gift", "moodle-xml", "qti", "yaml"), default="", help="the format of OUT")
    statistics = _action(actions, common, "statistics", "how the questions of an exam worked", lambda *_: [])
    statistics.add_argument("slug")
    statistics.set_defaults(run=_statistics)
    for name, words, work in (
        ("assign", "let batches take an exam", _assign_exam),
        ("unassign", "let batches take it no more", _unassign_exam),
    ):
        action = _action(actions, common, name, words, work)
        action.add_argument("slug")
        action.add_argument("batches", nargs="+", metavar="batch")


def _video(actions: Subcommands, common: argparse.ArgumentParser) -> None:
    add = _action(actions, common, "add", "put a WebM or MP4 file into a course", _add_video)
    add.add_argument("file", type=Path, metavar="FILE")
    add.add_argument("--course", required=True, metavar="NAME")
    add.add_argument("--chapter", default="", metavar="NAME")
    add.add_argument("--title", required=True, metavar="TEXT")
    add.add_argument("--start", type=_moment, metavar="WHEN", help="from when on students have it; now")
    words = "whose students get the course, all of it"
    add.add_argument("--batch", action="append", default=[], metavar="NAME", dest="batches", help=words)
    add.add_argument("--public", action="store_true", help="every student gets the course, all of it")
    listed = _action(
        actions, common, "list", "list videos", lambda admin, options: _shelf(admin, options).listed(options.course)
    )
    listed.add_argument("--course", metavar="NAME")
    words = "take a video away, with its file and its playback tokens"
    remove = _action(
        actions, common, "remove", words, lambda admin, options: [_shelf(admin, options).remove(options.uuid)]
    )
    remove.add_argument("uuid", metavar="UUID")
    for action in (add, listed, remove):
        words = "the folder that `serve --media-dir` names (media in the data directory)"
        action.add_argument("--media-dir", type=folder, metavar="DIR", help=words)


def _post(actions: Subcommands, common: argparse.ArgumentParser) -> None:
    add = _action(actions, common, "add", "publish a post", _add_post)
    add.add_argument("title")
    add.add_argument("--by", required=True, metavar="USERNAME", help="whose post it is")
    add.add_argument("--summary", default="", metavar="TEXT")
    add.add_argument("--html", type=Path, metavar="FILE", help="its content")
    add.add_argument("--category", default="", metavar="NAME")
    add.add_argument("--batch", action="append", default=[], metavar="NAME", dest="batches")
    add.add_argument("--public", action="store_true", help="for everyone, not only its batches")
    _action(actions, common, "list", "list posts", lambda admin, _: admin.posts())
    for name, words, active in (("hide", "hide a post", False), ("show", "show a post again", True)):
        _action(actions, common, name, words, _show_post).add_argument("slug")
        actions.choices[name].set_defaults(active=active)


def _moment(text: str) -> datetime:
    from lms_tui.service.core.bodies import can_be_kept

    moment = datetime.fromisoformat(text)
    if not can_be_kept(moment):
        raise ValueError
    return moment if moment.tzinfo else moment.astimezone()


def _duration(text: str) -> timedelta:
    from lms_tui.banks.yaml_values import duration_of

    found = duration_of(text)
    if not found:
        raise ValueError
    return found


_duration.__name__ = "duration"
_moment.__name__ = "moment"  # argparse says "invalid moment value"


def _run(options: argparse.Namespace) -> int:
    with _opened(options) as admin:
        rows: Rows = options.work(admin, options)
    if options.as_json:
        import json

        print(json.dumps(rows, ensure_ascii=False, indent=2))
    else:
        _print_table(rows)
    return 0


@contextmanager
def _opened(options: argparse.Namespace) -> Iterator["Administration"]:
    from lms_tui.service.admin.administration import Administration
    from lms_tui.service.core.passwords import Passwords
    from lms_tui.service.core.settings import system_clock
    from lms_tui.service.server.process import open_database

    database = open_database(_settings(options))
    try:
        yield Administration(database, Passwords(), system_clock())
    finally:
        database.close()


def _settings(options: argparse.Namespace) -> "ServiceSettings":
    from lms_tui.common.settings import find_paths
    from lms_tui.service.core.settings import ServiceSettings

    place = find_paths(getattr(options, "data_dir", None)).service
    return ServiceSettings(place, database_url=options.database_url, media_dir=getattr(options, "media_dir", None))


def _print_table(rows: Rows) -> None:
    from lms_tui.common.cleaning import clean_line

    if not rows:
        print("There are none.")
        return
    cells = [list(rows[0]), *([clean_line(_word(value)) for value in row.values()] for row in rows)]
    widths = [max(len(line[place]) for line in cells) for place in range(len(cells[0]))]
    for line in cells:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


def _word(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "" if value is None else str(value)


def stored_exam(options: argparse.Namespace, slug: str) -> "Exam":
    """The exam of the institute here, as a file would hold it; raises AdminError."""
    with _opened(options) as admin:
        return admin.exam_file(slug)


def _password(options: argparse.Namespace) -> str:
    """Read a password from standard input or, twice, from the terminal; never from an argument, which all can see."""
    if options.password_stdin:
        return typed(sys.stdin.readline).rstrip("\n")
    if not sys.stdin.isatty():
        raise UsageError("There is no terminal to ask for a password.", "Give it on standard input: --password-stdin.")
    from getpass import getpass

    first = typed(partial(getpass, "Password: "))
    if first != typed(partial(getpass, "Again: ")):
        raise UsageError("These are two different passwords.", "Try again.")
    return first


def _add_user(admin: "Administration", options: argparse.Namespace) -> Rows:
    from lms_tui.service.core.database.people import Role

    names = ("username", "first_name", "last_name", "email", "batches")
    fields = {name: getattr(options, name) for name in names} | {"password": _password(options)}
    return [admin.add_user(Role(options.role), fields)]


def _list_users(admin: "Administration", options: argparse.Namespace) -> Rows:
    from lms_tui.service.core.database.people import Role

    return admin.users(Role(options.role) if options.role else None, options.batch)


def _set_password(admin: "Administration", options: argparse.Namespace) -> Rows:
    return [admin.change_user(options.username, password=_password(options))]


def _change_role(admin: "Administration", options: argparse.Namespace) -> Rows:
    from lms_tui.service.core.database.people import Role

    return [admin.change_role(options.username, Role(options.role))]


def _switch_user(admin: "Administration", options: argparse.Namespace) -> Rows:
    return [admin.change_user(options.username, is_active=options.active)]


def _add_batch(admin: "Administration", options: argparse.Namespace) -> Rows:
    return [admin.add_batch(options.name)]


def _join_batch(admin: "Administration", options: argparse.Namespace) -> Rows:
    return admin.join_batch(options.name, options.usernames)


def _import_exam(admin: "Administration", options: argparse.Namespace) -> Rows:
    file: Path = options.file
    if not file.is_file():
        raise UsageError(f"{file} is no file that can be read.", "Give the file that holds the questions.")
    given = {
        "is_public": options.public or None,
        "is_published": False if options.unpublished else options.publish,
        "start_date": options.start,
        "end_date": options.end,
        "duration": options.duration,
        "allow_pdf": options.allow_pdf or None,
    }
    row, left_out = admin.import_exam(file, given, course=options.course, batches=options.batches, slug=options.slug)
    _tell(left_out, "note")
    return [row]


def _export_exam(admin: "Administration", options: argparse.Namespace) -> Rows:
    from lms_tui.commands.exam_files import write_exam

    findings = write_exam(admin.exam_file(options.slug), options.target, options.to)
    _tell(findings, "changed")
    return [{"slug": options.slug, "file": str(options.target), "changed": len(findings)}]


def _statistics(options: argparse.Namespace) -> int:
    with _opened(options) as admin:
        whole, rows = admin.exam_statistics(options.slug)
    if options.as_json:
        import json

        print(json.dumps({**whole, "questions": rows}, ensure_ascii=False, indent=2))
    else:
        from lms_tui.commands.exam_files import statistics_text

        print(statistics_text(whole, rows))
    return 0


def _tell(left_out: Sequence[str], what: str) -> None:
    from lms_tui.common.cleaning import clean_line

    for sentence in left_out:
        print(f"lms-tui: {what}: {clean_line(sentence)}", file=sys.stderr)


def _publish_exam(admin: "Administration", options: argparse.Namespace) -> Rows:
    given = {"start_date": options.start, "end_date": options.end, "is_public": options.public or None}
    changes = {name: value for name, value in given.items() if value is not None}
    return [admin.publish_exam(options.slug, changes | {"is_published": True})]


def _unpublish_exam(admin: "Administration", options: argparse.Namespace) -> Rows:
    return [admin.publish_exam(options.slug, {"is_published": False})]


def _assign_exam(admin: "Administration", options: argparse.Namespace) -> Rows:
    return [admin.assign_exam(options.slug, options.batches)]


def _unassign_exam(admin: "Administration", options: argparse.Namespace) -> Rows:
    return [admin.unassign_exam(options.slug, options.batches)]


def _shelf(admin: "Administration", options: argparse.Namespace) -> "VideoShelf":
    from lms_tui.service.admin.videos import VideoShelf
    from lms_tui.service.core.media import Media

    return VideoShelf(admin.database, Media(_settings(options).media), admin.now)


def _add_video(admin: "Administration", options: argparse.Namespace) -> Rows:
    from lms_tui.service.admin.videos import NewVideo

    names = ("file", "title", "course", "chapter", "batches", "start")
    wanted = NewVideo(**{name: getattr(options, name) for name in names}, is_public=options.public)
    row, notes = _shelf(admin, options).add(wanted)
    _tell(notes, "note")
    return [row]


def _add_post(admin: "Administration", options: argparse.Namespace) -> Rows:
    try:
        html = "" if options.html is None else options.html.read_text("utf-8")
    except (OSError, UnicodeError):
        raise UsageError(f"{options.html} cannot be read as UTF-8.", "Give a file with the post's HTML.") from None
    names = ("title", "summary", "category", "batches")
    fields = {name: getattr(options, name) for name in names} | {"content_html": html, "is_public": options.public}
    return [admin.add_post(options.by, fields)]


def _show_post(admin: "Administration", options: argparse.Namespace) -> Rows:
    return [admin.show_post(options.slug, is_active=options.active)]
