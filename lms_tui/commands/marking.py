"""The command `lms-tui exam mark`, which marks essays and files, and changes automatic marks."""

import argparse
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lms_tui.commands import arguments
from lms_tui.commands.administration import institute_options, opened, print_rows
from lms_tui.commands.parser import Subcommands, add_command, add_quiet
from lms_tui.commands.prompts import ask
from lms_tui.common.cleaning import clean, clean_line
from lms_tui.common.user_errors import AdvisedError, UsageError

if TYPE_CHECKING:
    import csv
    from decimal import Decimal

    from lms_tui.service.admin.administration import Administration
    from lms_tui.service.grading.marking import Mark, Paper
    from lms_tui.wire.grading import Marker

_HELP = "Type marks, and a comment after a blank: 3.5 Good idea. Enter leaves it. b: back. q: quit."


def register(actions: Subcommands) -> None:
    words = "show or set the rubric of a question: criteria with points for marking by hand"
    rubric = add_command(actions, "rubric", words, _rubric, [institute_options()])
    rubric.add_argument("slug")
    rubric.add_argument("question", type=arguments.number, metavar="Q", help="number of the question")
    change = rubric.add_mutually_exclusive_group()
    words = "a criterion and its points, such as Argument=3. The points add up to the marks of the question"
    change.add_argument("--criterion", action="append", type=_criterion, default=[], metavar="NAME=POINTS", help=words)
    change.add_argument("--none", action="store_true", help="take the rubric away")
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
    words = "write the files of these answers into FOLDER, and ask nothing"
    mark.add_argument("--files", type=Path, metavar="FOLDER", help=words)
    words = "read marks from a CSV file with the columns question, marks, username or attempt; also comment, reason"
    mark.add_argument("--csv", type=Path, metavar="FILE", help=words)
    words = "give the points of each criterion of the rubric, such as 2+1.5"
    mark.add_argument("--points", default="", metavar="LIST", help=words)
    markers = mark.add_mutually_exclusive_group()
    words = "give second marks, without seeing the first ones"
    markers.add_argument("--second", action="store_const", dest="marker", const="second", help=words)
    words = "give final marks in place of the first and the second ones"
    markers.add_argument("--final", action="store_const", dest="marker", const="final", help=words)
    mark.add_argument("--as-marker", default="", metavar="NAME", help="name of the marker, if several use this account")
    words = "list only answers whose two marks differ by more. With --release, these wait for final marks"
    mark.add_argument("--differ-by", type=arguments.earned, metavar="MARKS", help=words)
    add_quiet(mark, "do not list the answers that were marked or released")
    mark.add_argument("--release", action="store_true", help="let the marks count, and show them to the students")


def _criterion(given: str) -> "tuple[str, Decimal]":
    name, parted, points = given.rpartition("=")
    if not parted:
        raise argparse.ArgumentTypeError(f"“{given}” is not a criterion. Write its name and points, such as Style=2.")
    return name, arguments.earned(points)


def _rubric(options: argparse.Namespace) -> int:
    from lms_tui.service.admin.grading import rubric_of, set_rubric

    with opened(options) as admin:
        if options.criterion or options.none:
            set_rubric(admin, options.slug, options.question, options.criterion)
        print_rows(rubric_of(admin, options.slug, options.question), as_json=options.as_json)
    return 0


def _run(options: argparse.Namespace) -> int:
    giving = options.csv is not None or options.marks is not None or bool(options.points)
    if options.files is not None and (giving or options.release):
        raise UsageError("--files writes files and gives no marks.", "Use it in a command of its own.")
    with opened(options) as admin:
        if giving:
            _give(admin, options, [_of_options(options)] if options.csv is None else _of_file(options.csv))
        if options.release:
            from lms_tui.service.admin.grading import release_marks

            _print_changes(options, [release_marks(admin, options.slug, options.differ_by)])
        elif not giving:
            papers = _papers(admin, options)
            if options.files is not None:
                _write_files(admin, options, papers)
            elif options.list or options.as_json or not sys.stdin.isatty():
                rows = [_row(paper, options) for paper in papers]
                print_rows(rows, as_json=options.as_json, none=(_none(options),))
            else:
                _Dialogue(admin, options, papers).run()
    return 0


def _write_files(admin: "Administration", options: argparse.Namespace, papers: "list[Paper]") -> None:
    from lms_tui.commands.marking_files import write_files

    named = not options.hide_names
    rows = [row for paper in papers for row in write_files(admin, paper, options.files, with_name=named)]
    none = f"No answer of {options.slug} that {'is' if options.all else 'waits'} to be marked has files."
    print_rows(rows, as_json=options.as_json, none=(none,))


def _none(options: argparse.Namespace) -> str:
    """Return what is said where no answer is listed."""
    if options.marker == "second":
        return f"No answer of {options.slug} waits for second marks."
    if options.differ_by is not None:
        return f"No answer of {options.slug} has two marks that differ by more than {options.differ_by:f}."
    if options.marker == "final":
        return f"No answer of {options.slug} has two marks."
    return f"No answer of {options.slug} {'is' if options.all else 'waits'} to be marked."


def _of_options(options: argparse.Namespace) -> "Mark":
    from decimal import Decimal

    from lms_tui.service.grading.marking import Mark

    if not options.question or not (options.user or options.attempt):
        raise UsageError("--marks needs a question and a student.", "Give --question and --user, or --attempt.")
    return Mark(
        *(options.question, options.marks or Decimal()),
        *(options.user, options.attempt, options.comment, options.reason),
        points=_points(options.points) if options.points else (),
    )


def _points(given: str) -> "tuple[Decimal, ...]":
    """Read points of criteria such as `2+1.5`."""
    try:
        return tuple(map(arguments.earned, given.split("+")))
    except argparse.ArgumentTypeError as error:
        raise UsageError(str(error), "Write points such as 2+1.5.") from None


def _marker(options: argparse.Namespace) -> "Marker":
    from lms_tui.wire.grading import Marker

    return Marker(options.marker or "first")


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
    from dataclasses import replace

    from lms_tui.service.admin.grading import give_marks

    marks = [replace(mark, marker=_marker(options)) for mark in marks]
    given = give_marks(admin, options.slug, marks, options.as_marker)
    if not options.release:
        _print_changes(options, [_row(paper, options) for paper in given])


def _print_changes(options: argparse.Namespace, rows: list[dict[str, Any]]) -> None:
    if options.as_json or not options.quiet:
        print_rows(rows, as_json=options.as_json)


def _papers(admin: "Administration", options: argparse.Namespace) -> "list[Paper]":
    from lms_tui.service.admin.grading import papers

    pairs = options.marker is not None or options.differ_by is not None
    found = papers(admin, options.slug, question=options.question, username=options.user, marked=options.all or pairs)
    found = [paper for paper in found if _is_asked(paper, options)]
    if options.by_student:
        found.sort(key=lambda paper: (paper.attempt, paper.question))
    return found


def _is_asked(paper: "Paper", options: argparse.Namespace) -> bool:
    if options.attempt not in {0, paper.attempt}:
        return False
    if options.marker == "second":
        return paper.given is not None and not paper.is_released and (paper.second is None or options.all)
    if options.differ_by is not None:
        return paper.differs(options.differ_by)
    return options.marker != "final" or paper.second is not None


def _row(paper: "Paper", options: argparse.Namespace) -> dict[str, Any]:
    fields = asdict(paper) | {"maximum": float(paper.maximum), "released": paper.is_released}
    # The second marker does not see the first marks.
    blind = options.marker == "second"
    fields["marks"] = None if paper.given is None or blind else float(paper.given)
    fields["comment"] = "" if blind else paper.comment
    fields["second"] = None if paper.second is None else float(paper.second)
    names = () if options.hide_names else ("name", "username")
    shown = ("question", "attempt", *names, "marks", "second", "maximum", "comment", "released")
    return {name: fields[name] for name in shown}


def _wrapped(text: str) -> str:
    """Return a text in lines of the terminal. The terminal itself breaks words."""
    from lms_tui.views.rows import plain, wrapped

    columns = shutil.get_terminal_size().columns
    return "\n".join(plain(line).rstrip() for line in wrapped(text, max(20, columns)))


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
        print(_wrapped(_HELP))
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
        from lms_tui.service.admin.grading import rubric_of, text_of
        from lms_tui.service.grading.result_files import digits

        paper = self._papers[place]
        asked, text = text_of(self._admin, paper.answer_id)
        hidden = self._options.hide_names
        who = f"Attempt {paper.attempt}" if hidden else f"{clean_line(paper.name)} ({clean_line(paper.username)})"
        print(f"\n{place + 1} of {len(self._papers)} · Question {paper.question} · {who}")
        print(f"{_wrapped(plain(asked))}\n\n{_wrapped(clean(text))}\n")
        if paper.second is not None:
            print(f"Second marks: {digits(paper.second)}.")
        if paper.given is not None and self._options.marker != "second":
            print(f"Marks: {digits(paper.given)}. {clean_line(paper.comment)}")
        print(f"0 to {digits(paper.maximum)} marks.")
        rubric = rubric_of(self._admin, self._options.slug, paper.question)
        if rubric:
            words = ", ".join(f"{row['criterion']} {row['points']}" for row in rubric)
            print(clean_line(f"Rubric: {words}. Type the points of each, such as {'+'.join('1' for _ in rubric)}."))

    def _keep(self, place: int, line: str) -> bool:
        """Keep typed marks. Return False, after a sentence, if they cannot be kept."""
        from lms_tui.service.admin.grading import Mark, give_marks

        paper = self._papers[place]
        typed, _, comment = line.partition(" ")
        try:
            points = _points(typed) if "+" in typed else ()
            marks = arguments.earned(typed) if not points else points[0]  # the service adds points up
            mark = Mark(
                *(paper.question, marks),
                attempt=paper.attempt,
                comment=comment.strip(),
                marker=_marker(self._options),
                points=points,
            )
            given = give_marks(self._admin, self._options.slug, [mark], self._options.as_marker)
            (self._papers[place],) = given
        except (argparse.ArgumentTypeError, AdvisedError) as error:
            print(clean_line(str(error)))
            return False
        return True
