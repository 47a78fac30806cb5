"""The commands that import, set, copy, archive and delete the exams of an institute."""

import argparse
import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lms_tui.commands import arguments
from lms_tui.commands.administration import Rows, add_action, print_notes
from lms_tui.commands.parser import Parser, Subcommands, add_reading, reading_of
from lms_tui.common.user_errors import UsageError

if TYPE_CHECKING:
    from lms_tui.service.admin.administration import Administration
    from lms_tui.service.admin.exams import ExamAdministration, Imported, Source

_ANSWERS: Final = ("always", "after-closing", "never")
_CALCULATORS: Final = ("no", "basic", "scientific")
_DEFAULT: Final = re.compile(r" \(default[^)]*\)")
_FLAGS: Final = ("enable_ranks", "shuffle_questions", "shuffle_options")
_YES: Final = {"yes": True, "no": False}
_NAMES: Final = (
    "is_published",
    "is_public",
    "start_date",
    "end_date",
    "duration",
    "retakes",
    "answers",
    "mark_per_question",
    "negative_marks",
    "enable_ranks",
    "calculator",
    "shuffle_questions",
    "shuffle_options",
    "access_code",
    "allow_pdf",
)


def register(actions: Subcommands) -> None:
    quiet = "show no progress, and print only what could not be read"
    add = add_action(actions, "import", "import an exam file", _import, creates=True, upright=True, quiet=quiet)
    add.add_argument("file", type=Path, metavar="FILE", help="an exam file in any format")
    add.add_argument("--course", required=True, metavar="NAME", help="course of the exam, made if its name is new")
    words = "give the exam to this batch, made if its name is new; repeat it for more"
    add.add_argument("--batch", action="append", default=[], metavar="NAME", dest="batches", help=words)
    words = "link name of the exam (default: of the file, or made from its name)"
    add.add_argument("--slug", default="", help=words)
    words = "put the questions into this question bank, from which exams draw"
    add.add_argument("--bank", default="", metavar="NAME", help=words)
    words = "with --bank, give each question this tag, such as easy"
    add.add_argument("--tag", action="append", default=[], metavar="TEXT", dest="tags", help=words)
    words = "import the questions without errors, and name those that are left out"
    add.add_argument("--leave-out-errors", action="store_true", help=words)
    add_reading(add)
    add.add_argument("--dry-run", action="store_true", help="print what would be imported, and change nothing")
    _add_settings(add, fresh=True)
    change = add_action(actions, "set", "change the settings of an exam", _set, upright=True)
    change.add_argument("slug")
    _add_settings(change)
    copy = add_action(actions, "copy", "copy an exam without its attempts, hidden from students", _copy, upright=True)
    copy.add_argument("slug")
    copy.add_argument("new", metavar="NEW", help="link name of the copy")
    copy.add_argument("--title", default="", metavar="TEXT", help="title of the copy (default: the same)")
    archive = add_action(actions, "archive", "hide an exam from students and from `exam list`", _archive, upright=True)
    archive.add_argument("slug")
    archive.add_argument(
        "--undo", action="store_true", help="take it back into `exam list`, still hidden from students"
    )
    delete = add_action(actions, "delete", "delete an exam with its attempts and answers", _delete)
    delete.add_argument("slug")
    delete.add_argument("--yes", action="store_true", help="delete it; without this, print what would be deleted")


def _add_settings(action: Parser, *, fresh: bool = False) -> None:
    """Add an option for each setting. A setting without its option does not change. `fresh`: or has its default."""

    def told(words: str) -> str:
        return words if fresh else _DEFAULT.sub("", words)

    settings = action.add_argument_group("settings")
    for field, yes, no in (
        ("is_published", ("--publish", "show it to students (default)"), ("--unpublished", "hide it from students")),
        ("is_public", ("--public", "show it to everyone"), ("--batches-only", "show it to its batches (default)")),
        ("allow_pdf", ("--allow-pdf", "let students download their review as PDF"), ("--no-pdf", "offer no PDF")),
    ):
        pair = settings.add_mutually_exclusive_group()
        for value, (name, words) in ((True, yes), (False, no)):
            pair.add_argument(
                name, dest=field, action="store_const", const=value, default=argparse.SUPPRESS, help=told(words)
            )
    never = arguments.or_none(arguments.moment, "never")
    untimed = arguments.or_none(arguments.duration, "none")
    for name, field, read, metavar, words in (
        ("--start", "start_date", arguments.moment, "WHEN", "when students can start (default: now)"),
        ("--end", "end_date", never, "WHEN", "when it closes, such as 2026-01-31T09:30+05:30, or never (default)"),
        (
            "--duration",
            "duration",
            untimed,
            "TIME",
            "time limit: 1:30:00, 90 min or none; 1:30 is 90 seconds (default: of the file)",
        ),
        (
            "--retakes",
            "retakes",
            arguments.retakes,
            "N",
            "how often it can be taken again, or unlimited (default: of the file, or 0)",
        ),
        ("--access-code", "access_code", arguments.access_code, "TEXT", "what students type to start it, or none"),
        ("--marks", "mark_per_question", arguments.marks, "N", "marks of a question that names none in the file"),
        ("--negative-marks", "negative_marks", arguments.marks, "N", "marks that a wrong answer costs"),
    ):
        settings.add_argument(name, dest=field, type=read, metavar=metavar, default=argparse.SUPPRESS, help=told(words))
    for name, field, choices, words in (
        (
            "--show-answers",
            "answers",
            _ANSWERS,
            "when students see the answers (default: of the file, or after closing if it closes)",
        ),
        ("--calculator", "calculator", _CALCULATORS, "the calculator that students may use"),
        ("--ranks", "enable_ranks", tuple(_YES), "show ranks"),
        ("--shuffle", "shuffle_questions", tuple(_YES), "give each attempt its own order of questions"),
        ("--shuffle-options", "shuffle_options", tuple(_YES), "give each attempt its own order of options"),
    ):
        settings.add_argument(name, dest=field, choices=choices, default=argparse.SUPPRESS, help=told(words))


def _changes(options: argparse.Namespace) -> dict[str, object]:
    given = {name: getattr(options, name) for name in _NAMES if hasattr(options, name)}
    return {name: _YES.get(value, value) if name in _FLAGS else value for name, value in given.items()}


def _exams(admin: "Administration") -> "ExamAdministration":
    from lms_tui.service.admin.exams import ExamAdministration

    return ExamAdministration(admin.database, admin.now, admin.who)


def _import(admin: "Administration", options: argparse.Namespace) -> Rows:
    from lms_tui.commands.progress_bar import progress_of
    from lms_tui.service.admin.exams import FaultyFile, Source

    file: Path = options.file
    progress = partial(progress_of, quiet=options.quiet)
    source = Source(file, reading_of(options), options.leave_out_errors, progress)
    add = _add_to_bank if options.bank else _add_exam
    try:
        row, notes = add(admin, source, options)
    except FaultyFile as error:
        print_notes(f"{file.name}: {note}" for note in error.notes)
        raise
    print_notes(f"{file.name}: {note}" for note in notes)
    return [row]


def _add_exam(admin: "Administration", source: "Source", options: argparse.Namespace) -> "Imported":
    if options.tags:
        raise UsageError("--tag needs --bank.", "Write the tags of an exam into its file.")
    given = {"course": options.course, "batches": options.batches, "slug": options.slug}
    return _exams(admin).add(source, _changes(options), only_show=options.dry_run, **given)


def _add_to_bank(admin: "Administration", source: "Source", options: argparse.Namespace) -> "Imported":
    from lms_tui.service.admin.banks import BankAdministration

    if options.slug or options.batches or _changes(options):
        raise UsageError("A question bank has no settings and no batches.", "Give them to the exams that draw from it.")
    banks = BankAdministration(admin.database, admin.now, admin.who)
    return banks.add(source, options.bank, course=options.course, tags=options.tags, only_show=options.dry_run)


def _set(admin: "Administration", options: argparse.Namespace) -> Rows:
    row, notes = _exams(admin).change(options.slug, _changes(options))
    print_notes(f"{options.slug}: {note}" for note in notes)
    return [row]


def _copy(admin: "Administration", options: argparse.Namespace) -> Rows:
    return [_exams(admin).copy(options.slug, options.new, options.title)]


def _archive(admin: "Administration", options: argparse.Namespace) -> Rows:
    return [_exams(admin).archive(options.slug, archived=not options.undo)]


def _delete(admin: "Administration", options: argparse.Namespace) -> Rows:
    exams = _exams(admin)
    if options.yes:
        return [exams.delete(options.slug)]
    rows = [{"outcome": "would be deleted", **exams.contents(options.slug)}]
    print_notes(["Nothing was deleted. To delete all of this, give --yes."])
    return rows
