"""The command `lms-tui exam results`, which shows and writes the marks of an exam."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lms_tui.commands.administration import institute_options, opened, print_rows
from lms_tui.commands.parser import Subcommands, add_command, add_quiet
from lms_tui.common.user_errors import UsageError

if TYPE_CHECKING:
    from lms_tui.service.grading.result_files import Sheet


def register(actions: Subcommands) -> None:
    words = "show the results of an exam, or write them to a spreadsheet"
    results = add_command(actions, "results", words, _run, [institute_options()])
    results.add_argument("slug")
    results.add_argument("--user", metavar="NAME", help="only this student, with each answer")
    target = results.add_mutually_exclusive_group()
    target.add_argument(
        "--csv",
        type=Path,
        metavar="FILE",
        help="write a CSV file with the marks of each question; - for standard output",
    )
    target.add_argument("--xlsx", type=Path, metavar="FILE", help="write a spreadsheet with the marks of each question")
    words = "write the review of the student of --user as PDF, with answers and keys"
    target.add_argument("--pdf", type=Path, metavar="FILE", help=words)
    results.add_argument("--answers", action="store_true", help="write each answer beside its marks")
    results.add_argument("--force", action="store_true", help="replace an existing file")
    add_quiet(results, "show no progress, and do not name the file that was written")


def _run(options: argparse.Namespace) -> int:
    from lms_tui.commands.output_files import refuse_existing
    from lms_tui.commands.progress_bar import counted_off
    from lms_tui.service.admin.administration import exam_named, user_of
    from lms_tui.service.grading.result_files import Sheet
    from lms_tui.service.grading.results import ExamResults

    if options.pdf is not None:
        return _print_review(options)
    target: Path | None = options.xlsx or (None if options.csv == Path("-") else options.csv)
    if target is not None:
        refuse_existing(target, force=options.force)
    with opened(options) as admin, admin.database.read() as session:
        exam = exam_named(session, options.slug)
        results = ExamResults(session, exam)
        user = [] if options.user is None else [user_of(session, options.user).id]
        rows = counted_off(exam.title, results.attempts(*user), results.count(*user), quiet=options.quiet)
        _write(options, Sheet(exam.title, results.columns, rows, options.answers), target)
    return 0


def _print_review(options: argparse.Namespace) -> int:
    from lms_tui.commands.output_files import refuse_existing, replacing
    from lms_tui.service.admin.reviews import review_pdf

    if options.user is None:
        raise UsageError("--pdf prints the review of one student.", "Give --user NAME.")
    refuse_existing(options.pdf, force=options.force)
    with opened(options) as admin:
        content = review_pdf(admin, options.slug, options.user)
    with replacing(options.pdf) as file:
        file.write_bytes(content)
    if options.as_json or not options.quiet:
        print_rows([{"slug": options.slug, "file": str(options.pdf)}], as_json=options.as_json)
    return 0


def _write(options: argparse.Namespace, sheet: "Sheet", target: Path | None) -> None:
    from lms_tui.commands.output_files import replacing
    from lms_tui.service.grading import result_files as files

    if options.xlsx is not None and target is not None:
        with replacing(target) as file:
            files.write_xlsx(sheet, file)
    elif options.csv is not None and target is not None:
        # Excel reads UTF-8 only after a mark.
        with replacing(target) as file, file.open("w", encoding="utf-8-sig", newline="") as stream:
            files.write_csv(sheet, stream)
    elif options.csv is not None:
        files.write_csv(sheet, sys.stdout)
    elif options.as_json:
        files.print_json(options.slug, sheet, sys.stdout.write)
    elif options.user is not None:
        _print_student(sheet, none=(f"{options.user} has not started {options.slug} yet.",))
    else:
        none = (f"No student has started {options.slug} yet.",)
        print_rows([files.overview(result) for result in sheet.results], as_json=False, none=none)
    if target is not None and (options.as_json or not options.quiet):
        print_rows([{"slug": options.slug, "file": str(target)}], as_json=options.as_json)


def _print_student(sheet: "Sheet", none: tuple[str, ...]) -> None:
    """Print each attempt of one student, with a row for each question. `none`: as in `print_rows`."""
    from lms_tui.service.grading.result_files import digits, overview

    started = False
    for result in sheet.results:  # they are read one by one
        started = True
        print_rows([overview(result)], as_json=False)
        print()
        rows: list[dict[str, Any]] = []
        for column in sheet.columns:
            given = result.answers.get(column.id)
            if given is not None:
                marks = "" if given.marks is None else digits(given.marks)
                rows.append(
                    {
                        "no": column.number,
                        "question": column.title,
                        "answer": given.answer[:60],
                        "outcome": given.outcome,
                        "marks": marks,
                        "of": digits(column.marks),
                    }
                )
        print_rows(rows, as_json=False)
        print()
    if not started:
        print_rows([], as_json=False, none=none)
