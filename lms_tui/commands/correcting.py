"""The command `lms-tui exam correct`, which corrects a question after students have answered it."""

import argparse

from lms_tui.commands import arguments
from lms_tui.commands.administration import institute_options, opened, print_notes, print_rows
from lms_tui.commands.parser import Subcommands, add_command, add_quiet
from lms_tui.commands.progress_bar import progress_when_told


def register(actions: Subcommands) -> None:
    words = "correct the key of a question, and mark all ended attempts again"
    correct = add_command(actions, "correct", words, _run, [institute_options()])
    correct.add_argument("slug")
    correct.add_argument("question", type=arguments.number, metavar="Q", help="number of the question")
    how = correct.add_mutually_exclusive_group(required=True)
    words = "another key: the letter of an option, a text, a number, a range such as 3.1..3.2, or 2=sea for a gap"
    how.add_argument("--key", action="append", metavar="KEY", help=f"{words}; repeat it where several are correct")
    how.add_argument("--void", action="store_true", help="the question does not count")
    how.add_argument("--full-marks", action="store_true", help="everyone gets full marks for the question")
    correct.add_argument("--yes", action="store_true", help="do it; without this, only show whose score changes")
    add_quiet(correct, "show no progress, and do not list whose score changes")


def _run(options: argparse.Namespace) -> int:
    from lms_tui.service.admin.grading import correct_question
    from lms_tui.service.core.database.library import Correction

    kind = Correction.KEY if options.key else Correction.VOID if options.void else Correction.FULL_MARKS
    with opened(options) as admin, progress_when_told(options.slug, quiet=options.quiet) as progress:
        rows = correct_question(
            *(admin, options.slug, options.question, kind, options.key or ()), apply=options.yes, progress=progress
        )
    if options.as_json:
        print_rows(rows, as_json=True)
    elif rows and not options.quiet:
        print_rows(rows, as_json=False)
    elif not options.quiet:
        print("No score and no rank changes.")
    if not options.yes:
        print_notes(["Nothing is changed yet. Add --yes to correct the question."])
    return 0
