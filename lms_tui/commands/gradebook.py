"""The command `lms-tui exam gradebook`: the scores of students over exams, also for Moodle and Canvas."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from lms_tui.commands.administration import institute_options, opened, print_rows
from lms_tui.commands.parser import Subcommands, add_command

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
    gradebook.add_argument("--force", action="store_true", help="replace an existing file")


def _run(options: argparse.Namespace) -> int:
    from lms_tui.commands.output_files import refuse_existing
    from lms_tui.service.admin.administration import exam_named
    from lms_tui.service.grading import gradebook

    kind, target = next(((name, file) for name in _FILES if (file := getattr(options, name)) is not None), ("", None))
    if target is not None and target != Path("-"):
        refuse_existing(target, force=options.force)
    with opened(options) as admin, admin.database.read() as session:
        for slug in options.slugs:
            exam_named(session, slug)
        book = gradebook.gradebook_of(session, options.slugs)
    if target is not None:
        _write(book, kind, target, options)
    elif options.as_json:
        import json

        print(json.dumps(gradebook.as_json(book), ensure_ascii=False, indent=2))
    else:
        print_rows([gradebook.as_row(book, line) for line in book.lines], as_json=False)
    return 0


def _write(book: "Gradebook", kind: str, target: Path, options: argparse.Namespace) -> None:
    from lms_tui.commands.output_files import replacing
    from lms_tui.service.grading import gradebook

    write = {"csv": gradebook.write_csv, "moodle": gradebook.write_moodle, "canvas": gradebook.write_canvas}[kind]
    if target == Path("-"):
        write(book, sys.stdout)
        return
    # Excel reads UTF-8 only after a mark, which Moodle and Canvas would take for a part of the first name.
    encoding = "utf-8-sig" if kind == "csv" else "utf-8"
    with replacing(target) as file, file.open("w", encoding=encoding, newline="") as stream:
        write(book, stream)
    print_rows([{"file": str(target), "students": len(book.lines)}], as_json=options.as_json)
