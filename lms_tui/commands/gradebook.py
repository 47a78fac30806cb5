"""The command `lms-tui exam gradebook`: the scores of students over exams, also for Moodle and Canvas."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from lms_tui.commands.administration import institute_options, opened, print_notes, print_rows
from lms_tui.commands.parser import Subcommands, add_command, add_quiet
from lms_tui.common.user_errors import UsageError

if TYPE_CHECKING:
    from lms_tui.service.grading.gradebook import Gradebook

_FILES = {
    "csv": "a CSV file",
    "moodle": "a CSV file that the gradebook of Moodle imports",
    "canvas": "a CSV file that the gradebook of Canvas imports",
}


def register(actions: Subcommands) -> None:
    words = "show the best score of every student in several exams, or write it for a gradebook"
    gradebook = add_command(actions, "gradebook", words, _run, [institute_options()])
    words = "only these exams (default: all that students have ended)"
    gradebook.add_argument("slugs", nargs="*", metavar="slug", help=words)
    target = gradebook.add_mutually_exclusive_group()
    for name, kind in _FILES.items():
        target.add_argument(f"--{name}", type=Path, metavar="FILE", help=f"write {kind}; - for standard output")
    words = "an item for each question of the named exams, in place of one for each exam"
    gradebook.add_argument("--questions", action="store_true", help=words)
    gradebook.add_argument("--force", action="store_true", help="replace an existing file")
    add_quiet(gradebook, "do not name the file that was written")


def _run(options: argparse.Namespace) -> int:
    from lms_tui.commands.output_files import refuse_existing
    from lms_tui.service.admin.administration import exam_named
    from lms_tui.service.grading import gradebook

    if options.questions and not options.slugs:
        raise UsageError("--questions needs exams.", "Name one or more, such as `lms-tui exam gradebook physics`.")
    kind, target = next(((name, file) for name in _FILES if (file := getattr(options, name)) is not None), ("", None))
    if target is not None and target != Path("-"):
        refuse_existing(target, force=options.force)
    with opened(options) as admin, admin.database.read() as session:
        for slug in options.slugs:
            exam_named(session, slug)
        read = gradebook.gradebook_by_question if options.questions else gradebook.gradebook_of
        book = read(session, options.slugs)
    if target is not None:
        _write(book, kind, target, options)
    elif options.as_json:
        import json

        print(json.dumps(gradebook.as_json(book), ensure_ascii=False, indent=2))
    else:
        rows = [gradebook.as_row(book, line) for line in book.lines]
        print_rows(rows, as_json=False, none=("No student has ended one of these exams yet.",))
    if book.unfinished and not options.as_json:
        print_notes([_still_to_mark(book.unfinished)])
    return 0


def _still_to_mark(students: int) -> str:
    count = "1 student" if students == 1 else f"{students} students"
    words = f"Answers of {count} still wait for marks. The scores do not contain them and can change."
    return f"{words} `lms-tui exam mark SLUG --list` lists the answers of an exam."


def _write(book: "Gradebook", kind: str, target: Path, options: argparse.Namespace) -> None:
    from lms_tui.commands.output_files import replacing
    from lms_tui.service.grading import gradebook

    if target == Path("-"):
        gradebook.write(book, gradebook.Kind(kind), sys.stdout)
        return
    with replacing(target) as file:
        file.write_bytes(gradebook.as_bytes(book, gradebook.Kind(kind)))
    if options.as_json or not options.quiet:
        print_rows([{"file": str(target), "students": len(book.lines)}], as_json=options.as_json)
