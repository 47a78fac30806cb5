"""The command `lms-tui exam mark`, which marks essays and files, and changes automatic marks."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lms_tui.commands import arguments
from lms_tui.commands.administration import institute_options, opened, print_rows
from lms_tui.commands.parser import Subcommands, add_command
from lms_tui.commands.prompts import ask
from lms_tui.common.cleaning import clean, clean_line
from lms_tui.common.user_errors import UsageError

if TYPE_CHECKING:
    import csv

    from lms_tui.service.admin.administration import Administration
    from lms_tui.service.grading.marking import Mark, Paper

_HELP = "Type marks, and a comment after a blank: 3.5 Good idea. Enter leaves it. b: back. q: quit."


def register(actions: Subcommands) -> None:
    mark = add_command(actions, "mark", "mark essays and files by hand", _run, [institute_options()])
    mark.add_argument("slug")
    mark.add_argument("--user", default="", metavar="NAME", help="only this student, by the newest attempt")
    mark.add_argument("--attempt", type=arguments.identifier, default=0, metavar="ID", help="only this attempt")
    mark.add_argument("--question", type=arguments.number, default=0, metavar="N", help="only question N")
    mark.add_argument("--by-student", action="store_true", help="all questions of one student after the other")
    mark.add_argument("--hide-names", action="store_true", help="show the number of the attempt in place of the name")
    mark.add_argument("--all", action="store_true", help="also answers that have marks")
    mark.add_argument("--list", action="store_true", help="list the answers and ask nothing")
    mark.add_argument("--marks", type=arguments.earned, metavar="MARKS", help="give these marks, such as 3.5")
    mark.add_argument("--comment", default="", metavar="TEXT", help="a comment that the student reads")
    mark.add_argument("--reason", default="", metavar="TEXT", help="why automatic marks are wrong")
    words = "read marks from a CSV file with the columns question, marks, and username or attempt; also comment, reason"
    mark.add_argument("--csv", type=Path, metavar="FILE", help=words)
    mark.add_argument("--release", action="store_true", help="let the marks count, and show them to the students")


def _run(options: argparse.Namespace) -> int:
    with opened(options) as admin:
        if options.csv is not None or options.marks is not None:
            _give(admin, options, [_of_options(options)] if options.csv is None else _of_file(options.csv))
        if options.release:
            from lms_tui.service.admin.grading import release_marks

            print_rows([release_marks(admin, options.slug)], as_json=options.as_json)
        elif options.csv is None and options.marks is None:
            papers = _papers(admin, options)
            if options.list or options.as_json or not sys.stdin.isatty():
                print_rows([_row(paper, options) for paper in papers], as_json=options.as_json)
            else:
                _Dialogue(admin, options, papers).run()
    return 0


def _of_options(options: argparse.Namespace) -> "Mark":
    from lms_tui.service.grading.marking import Mark

    if not options.question or not (options.user or options.attempt):
        raise UsageError("--marks needs a question and a student.", "Give --question and --user, or --attempt.")
    return Mark(options.question, options.marks, options.user, options.attempt, options.comment, options.reason)


def _of_file(file: Path) -> "list[Mark]":
    import csv

    try:
        with file.open(encoding="utf-8-sig", newline="") as stream:
            return list(_marks(csv.DictReader(stream), file.name))
    except (OSError, UnicodeError, csv.Error):
        raise UsageError(f"{file} cannot be read as CSV in UTF-8.", "Check its name, or save it anew.") from None


def _marks(lines: "csv.DictReader[str]", name: str) -> "Iterator[Mark]":
    from lms_tui.service.grading.marking import Mark

    for line in lines:
        fields = {key.strip().casefold(): (value or "").strip() for key, value in line.items() if isinstance(key, str)}
        try:
            yield Mark(
                arguments.number(fields.get("question", "")),
                arguments.earned(fields.get("marks", "")),
                fields.get("username", ""),
                arguments.identifier(fields["attempt"]) if fields.get("attempt") else 0,
                fields.get("comment", ""),
                fields.get("reason", ""),
            )
        except argparse.ArgumentTypeError as error:
            raise UsageError(
                f"{name}, line {lines.line_num}: {error}", "Nothing was marked. Correct the file."
            ) from None


def _give(admin: "Administration", options: argparse.Namespace, marks: "Sequence[Mark]") -> None:
    from lms_tui.service.admin.grading import give_marks

    given = give_marks(admin, options.slug, marks)
    if not options.release:
        print_rows([_row(paper, options) for paper in given], as_json=options.as_json)


def _papers(admin: "Administration", options: argparse.Namespace) -> "list[Paper]":
    from lms_tui.service.admin.grading import papers

    found = papers(admin, options.slug, question=options.question, username=options.user, marked=options.all)
    if options.attempt:
        found = [paper for paper in found if paper.attempt == options.attempt]
    if options.by_student:
        found.sort(key=lambda paper: (paper.attempt, paper.question))
    return found


def _row(paper: "Paper", options: argparse.Namespace) -> dict[str, Any]:
    fields = asdict(paper) | {"maximum": float(paper.maximum), "released": paper.is_released}
    fields["marks"] = None if paper.given is None else float(paper.given)
    names = () if options.hide_names else ("name", "username")
    return {name: fields[name] for name in ("question", "attempt", *names, "marks", "maximum", "comment", "released")}


class _Dialogue:
    """Shows one answer after the other, and keeps each mark at once."""

    def __init__(self, admin: "Administration", options: argparse.Namespace, papers: "list[Paper]") -> None:
        self._admin = admin
        self._options = options
        self._papers = papers

    def run(self) -> None:
        place = 0
        if not self._papers:
            print("No answer waits for marks.")
            return
        print(_HELP)
        while place < len(self._papers):
            self._show(place)
            line = ask("Marks: ")
            if line.casefold() in {"q", "quit"}:
                break
            if line.casefold() in {"b", "back"}:
                place = max(0, place - 1)
            elif not line or self._keep(place, line):
                place += 1
        given = sum(paper.given is not None and not paper.is_released for paper in self._papers)
        print(f"{given} marked and not released. `lms-tui exam mark {self._options.slug} --release` shows them.")

    def _show(self, place: int) -> None:
        from lms_tui.banks.texts import plain
        from lms_tui.service.admin.grading import text_of
        from lms_tui.service.grading.result_files import digits

        paper = self._papers[place]
        asked, text = text_of(self._admin, paper.answer_id)
        hidden = self._options.hide_names
        who = f"Attempt {paper.attempt}" if hidden else f"{clean_line(paper.name)} ({clean_line(paper.username)})"
        print(f"\n{place + 1} of {len(self._papers)} · Question {paper.question} · {who}")
        print(f"{plain(asked)}\n\n{clean(text)}\n")
        if paper.given is not None:
            print(f"Marks: {digits(paper.given)}. {clean_line(paper.comment)}")
        print(f"0 to {digits(paper.maximum)} marks.")

    def _keep(self, place: int, line: str) -> bool:
        """Keep typed marks. Return False, after a sentence, if they cannot be kept."""
        from lms_tui.service.admin.administration import AdminError
        from lms_tui.service.admin.grading import Mark, give_marks

        paper = self._papers[place]
        typed, _, comment = line.partition(" ")
        try:
            mark = Mark(paper.question, arguments.earned(typed), attempt=paper.attempt, comment=comment.strip())
            (self._papers[place],) = give_marks(self._admin, self._options.slug, [mark])
        except (argparse.ArgumentTypeError, AdminError) as error:
            print(clean_line(str(error)))
            return False
        return True
