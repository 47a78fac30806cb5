"""The command `lms-tui exam` for exam files and for the exams of an institute."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from lms_tui.commands import (
    arguments,
    board,
    correcting,
    exam_paper,
    exam_settings,
    exam_time,
    exam_writing,
    gradebook,
    marking,
    results,
)
from lms_tui.commands.administration import Rows, add_action, institute_options, opened, print_notes
from lms_tui.commands.parser import (
    Parser,
    Subcommands,
    add_command,
    add_group,
    add_json,
    add_quiet,
    add_reading,
    reading_of,
)
from lms_tui.common.cleaning import clean_line
from lms_tui.common.user_errors import UsageError

if TYPE_CHECKING:
    from lms_tui.service.admin.administration import Administration

FORMATS = ("gift", "moodle-xml", "qti", "yaml", "markdown", "csv", "xlsx", "docx", "imscc")


def register(commands: Subcommands) -> None:
    words = "show, check and convert exam files; import, assign and publish exams"
    actions = add_group(add_command(commands, "exam", words))
    _add_file_commands(actions)
    exam_writing.register(actions)
    exam_paper.register(actions)
    exam_settings.register(actions)
    _add_publish(actions)
    listed = add_action(actions, "list", "list exams", _list, quiet="")
    listed.add_argument("--all", action="store_true", help="list archived exams too")
    listed.add_argument("--banks", action="store_true", help="list the question banks")
    words = "write an exam to a file for another system"
    quiet = "show no progress, and print only what the file does not keep"
    export = add_action(actions, "export", words, _export, quiet=quiet)
    export.add_argument("slug")
    _add_target(export)
    words = "show how well the questions of an exam worked"
    add_command(actions, "statistics", words, _statistics, [institute_options()]).add_argument("slug")
    results.register(actions)
    gradebook.register(actions)
    marking.register(actions)
    correcting.register(actions)
    words = "give an exam to batches"
    assign = add_action(actions, "assign", words, lambda admin, given: [admin.assign_exam(given.slug, given.batches)])
    words = "take an exam away from batches"
    unassign = add_action(
        actions, "unassign", words, lambda admin, given: [admin.unassign_exam(given.slug, given.batches)]
    )
    for action in (assign, unassign):
        action.add_argument("slug")
        action.add_argument("batches", nargs="+", metavar="batch")
    exam_time.register(actions)
    board.register(actions)


def _list(admin: "Administration", options: argparse.Namespace) -> Rows:
    return admin.exams(archived=options.all, banks=options.banks)


def _add_file_commands(actions: Subcommands) -> None:
    show = add_command(actions, "show", "print the questions of an exam as the app shows them", _show)
    show.add_argument("file", type=Path, metavar="FILE", help="an exam file in any format, an HTML page, or a slug")
    show.add_argument("--database-url", default="", metavar="URL", help="database with the exam of this slug")
    show.add_argument("--json", action="store_true", help="print JSON, including the keys")
    show.add_argument("--key", action="store_true", help="print keys, marks and explanations too, for proofreading")
    show.add_argument("--watch", action="store_true", help="print a file again at each change, until ctrl+c")
    show.add_argument("--question", type=arguments.number, default=0, metavar="N", help="print only question N")
    words = "columns (default: the width of the terminal)"
    show.add_argument("--width", type=arguments.number, default=0, metavar="N", help=words)
    show.add_argument("--maths", choices=("picture", "2d", "line", "source", "words"), default="", help="formula style")
    show.add_argument("--plain", action="store_true", help="print without colours, pictures or drawn formulas")
    words = "list the questions and the errors of an exam file"
    check = add_command(actions, "check", words, _check)
    words = "an exam file in any format, or - for standard input"
    check.add_argument("files", type=Path, nargs="+", metavar="FILE", help=words)
    check.add_argument("--json", action="store_true", help="print JSON")
    check.add_argument("--watch", action="store_true", help="check one file again at each change, until ctrl+c")
    convert = add_command(actions, "convert", "convert an exam file", _convert)
    convert.add_argument("source", type=Path, metavar="IN", help="an exam file in any format")
    _add_target(convert)
    add_quiet(check, "show no progress, and print only errors and warnings")
    add_quiet(convert, "show no progress, and print only what the new file does not keep")
    add_json(convert)
    for action in (show, check, convert):
        add_reading(action)
    template = add_command(actions, "sheet-template", "write a sheet of questions to fill in", _template)
    template.add_argument("target", type=Path, metavar="OUT", help="file to write, with the extension .xlsx or .csv")
    template.add_argument("--force", action="store_true", help="overwrite a file that exists")


def _add_target(action: Parser) -> None:
    action.add_argument("target", type=Path, metavar="OUT", help="file to write")
    action.add_argument("--force", action="store_true", help="overwrite a file that exists")
    action.add_argument("--to", choices=FORMATS, default="", help="format of OUT (default: by its file extension)")


def _add_publish(actions: Subcommands) -> None:
    publish = add_action(actions, "publish", "show an exam to its students", _publish)
    publish.add_argument("slug")
    _add_window(publish)
    words = "hide an exam from students"
    unpublish = add_action(
        actions, "unpublish", words, lambda admin, given: [admin.publish_exam(given.slug, {"is_published": False})]
    )
    unpublish.add_argument("slug")


def _add_window(action: Parser) -> None:
    action.add_argument("--public", action="store_true", help="show it to everyone, not only to its batches")
    words = "when students can start, such as 2026-01-31T09:30+05:30 (default: now)"
    action.add_argument("--start", type=arguments.moment, metavar="WHEN", help=words)
    words = "when it closes (default: never)"
    action.add_argument("--end", type=arguments.moment, metavar="WHEN", help=words)


def _show(options: argparse.Namespace) -> int:
    from lms_tui.commands.show import opened as opened_file
    from lms_tui.commands.show import show

    file: Path = options.file
    if options.watch:
        return exam_writing.watch_show(options)
    if len(file.parts) == 1 and not file.suffix and not file.exists():
        if unused := reading_of(options).words:
            name = clean_line(str(file))
            raise UsageError(f"{unused[0]} is for files, and there is no file {name}.", "Leave it out.")
        with opened(options) as admin:
            exam = admin.exam_file(file.name)
    else:
        exam = opened_file(file, reading_of(options))
    if options.json:
        from lms_tui.commands.exam_files import exam_as_json

        print(exam_as_json(exam, file.name))
        return 0
    return show(exam, file.name, **exam_writing.look_of(options))


def _check(options: argparse.Namespace) -> int:
    from lms_tui.commands.exam_files import run_check

    if options.watch:
        return exam_writing.watch_check(options)
    return run_check(options.files, as_data=options.json, options=reading_of(options), quiet=options.quiet)


def _convert(options: argparse.Namespace) -> int:
    from lms_tui.commands.exam_files import run_convert

    given = {"force": options.force, "quiet": options.quiet, "as_json": options.as_json}
    return run_convert(options.source, options.target, options.to, options=reading_of(options), **given)


def _template(options: argparse.Namespace) -> int:
    from lms_tui.commands.exam_files import run_template

    return run_template(options.target, force=options.force)


def _export(admin: "Administration", options: argparse.Namespace) -> Rows:
    from lms_tui.commands.exam_files import write_exam
    from lms_tui.commands.output_files import refuse_existing
    from lms_tui.commands.progress_bar import progress_of_questions

    refuse_existing(options.target, force=options.force)
    count = admin.number_of_questions(options.slug)
    with progress_of_questions(options.slug, count, quiet=options.quiet) as progress:
        progress("reading the questions", 0.0)
        changes = write_exam(admin.exam_file(options.slug), options.target, options.to, progress)
    print_notes(f"{options.target.name}: {change}" for change in changes)
    return [{"slug": options.slug, "file": str(options.target), "changed": len(changes)}]


def _statistics(options: argparse.Namespace) -> int:
    with opened(options) as admin:
        exam, rows = admin.exam_statistics(options.slug)
    if options.as_json:
        import json

        print(json.dumps({**exam, "questions": rows}, ensure_ascii=False, indent=2))
    else:
        from lms_tui.commands.exam_files import statistics_text

        print(statistics_text(exam, rows))
    return 0


def _publish(admin: "Administration", options: argparse.Namespace) -> Rows:
    given = {"start_date": options.start, "end_date": options.end, "is_public": options.public or None}
    changes = {name: value for name, value in given.items() if value is not None}
    return [admin.publish_exam(options.slug, changes | {"is_published": True})]
