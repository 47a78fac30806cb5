"""The command `lms-tui exam paper`, which prints an exam file as PDF in several versions."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lms_tui.commands import arguments
from lms_tui.commands.parser import Subcommands, add_command, add_json, add_quiet, add_reading, print_json, reading_of
from lms_tui.common.user_errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lms_tui.banks.model import Exam
    from lms_tui.service.papers.exam_paper import Version
    from lms_tui.service.papers.markup import Writer

_MOST: Final = 26
"""Versions, one for each letter."""


def register(actions: Subcommands) -> None:
    words = "print an exam file as PDF, in versions with an answer sheet and a key each"
    paper = add_command(actions, "paper", words, _paper)
    paper.add_argument("file", type=Path, metavar="FILE", help="an exam file in any format")
    paper.add_argument("folder", type=Path, metavar="FOLDER", help="folder for the PDF files")
    words = f"number of versions with other orders, at most {_MOST} (default: 1)"
    paper.add_argument("--versions", type=arguments.number, default=1, metavar="N", help=words)
    paper.add_argument(
        "--large-print", action="store_true", help="also print papers and answer sheets in large letters"
    )
    paper.add_argument("--leave-out-errors", action="store_true", help="leave out questions with errors, and name them")
    paper.add_argument("--force", action="store_true", help="overwrite files that exist")
    add_quiet(paper, "print only what is left out")
    add_json(paper)
    add_reading(paper)


def _documents(version: "Version", *, large: bool) -> "Iterator[tuple[str, Callable[[Writer], str]]]":
    from lms_tui.service.papers.exam_paper import Sheets

    sheets = Sheets(version)
    yield from (("paper", sheets.paper), ("answers", sheets.answers), ("key", sheets.key))
    if large:
        wide = Sheets(version, large=True)
        yield from (("paper-large", wide.paper), ("answers-large", wide.answers))


def _exam(options: argparse.Namespace) -> "Exam":
    """Read the exam and print what was found in its file. Raises AdvisedError."""
    from lms_tui.commands.administration import print_notes
    from lms_tui.service.admin.exams import FaultyFile, Source

    try:
        exam, _, notes = Source(options.file, reading_of(options), options.leave_out_errors).read()
    except FaultyFile as error:
        print_notes(f"{options.file.name}: {note}" for note in error.notes)
        raise
    print_notes(f"{options.file.name}: {note}" for note in notes)
    if exam.draws:
        raise UsageError("The exam draws from a question bank of an institute.", "Print a file with all its questions.")
    return exam


def _paper(options: argparse.Namespace) -> int:
    from lms_tui.banks.reader import slug_from
    from lms_tui.commands.output_files import refuse_existing, replace_file
    from lms_tui.service.papers import typesetter
    from lms_tui.service.papers.exam_paper import versions

    if not typesetter.is_installed():
        raise UsageError("PDF files need Typst.", "Install it with: pip install 'lms-tui[pdf]'")
    if not 1 <= options.versions <= _MOST:
        raise UsageError(f"{options.versions} versions cannot be printed.", f"Give a number from 1 to {_MOST}.")
    if not options.folder.is_dir():
        raise UsageError(f"{options.folder} is not a folder.", "Make it, or name another one.")
    exam = _exam(options)
    documents = {
        options.folder / f"{exam.slug or slug_from(options.file.name)}-{version.name}-{name}.pdf": markup
        for version in versions(exam, options.versions)
        for name, markup in _documents(version, large=options.large_print)
    }
    for target in documents:
        refuse_existing(target, force=options.force)
    for target, markup in documents.items():
        replace_file(target, typesetter.printed(markup))
        if not (options.quiet or options.as_json):
            print(f"Written to {target}.")
    if options.as_json:
        print_json([{"file": str(target)} for target in documents])
    return 0
