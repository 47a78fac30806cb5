"""Check, convert and write exam files, and print statistics."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from lms_tui.banks.file_options import AS_FOUND, FileOptions
from lms_tui.banks.model import Exam
from lms_tui.banks.progress import Progress, untold
from lms_tui.banks.reader import LARGEST
from lms_tui.banks.report import Report, as_json, as_text, check, findings_of
from lms_tui.banks.writers import NAMES, Target, Written, convert, write
from lms_tui.banks.writers.sheet import template
from lms_tui.commands.output_files import refuse_existing, replace_file
from lms_tui.commands.parser import print_json
from lms_tui.commands.progress_bar import progress_of
from lms_tui.common.cleaning import clean_line
from lms_tui.common.reading import read_file
from lms_tui.common.user_errors import AdvisedError

_BY_ENDING: Final = {
    ".gift": Target.GIFT,
    ".txt": Target.GIFT,
    ".xml": Target.MOODLE_XML,
    ".zip": Target.QTI,
    ".yaml": Target.YAML,
    ".yml": Target.YAML,
    ".md": Target.MARKDOWN,
    ".csv": Target.CSV,
    ".xlsx": Target.XLSX,
    ".docx": Target.DOCX,
    ".imscc": Target.IMSCC,
}
_STANDARD_INPUT: Final = Path("-")


class ExamFileError(AdvisedError):
    """An exam cannot be written."""


def run_check(files: Sequence[Path], *, as_data: bool, options: FileOptions = AS_FOUND, quiet: bool = False) -> int:
    """Print the questions and errors of files, `-` for standard input. Return 1 if there are errors.

    `quiet`: print only errors and warnings.
    The JSON of one file is an object, and that of several files a list of them.
    """
    reports = [_report(file, options, quiet=quiet) for file in files]
    if as_data:
        print(as_json(*reports))
    elif quiet:
        for report in reports:
            for line in findings_of(report):
                print(line)
    else:
        print("\n".join(map(as_text, reports)))
    return max(report.exit_code for report in reports)


def _report(file: Path, options: FileOptions, *, quiet: bool) -> Report:
    data, name = _content(file)
    with progress_of(name, len(data), quiet=quiet) as progress:
        return check(data, name, options, progress)


def _content(file: Path) -> tuple[bytes, str]:
    """Return the bytes and the name of a file."""
    if file == _STANDARD_INPUT:
        return sys.stdin.buffer.read(LARGEST + 1), "standard input"
    return read_file(file, LARGEST), file.name


def run_convert(
    source: Path,
    target: Path,
    wanted: str = "",
    *,
    force: bool = False,
    options: FileOptions = AS_FOUND,
    quiet: bool = False,
    as_json: bool = False,
) -> int:
    """Convert an exam file to the format `wanted`, or to that of the new file extension. Raises AdvisedError."""
    form = _form(target, wanted)
    refuse_existing(target, force=force)
    data = read_file(source, LARGEST)
    with progress_of(source.name, len(data), quiet=quiet) as progress:
        written = convert(data, source.name, form, options, progress)
    advice = f"Run `lms-tui exam check {clean_line(str(source))}` to see why."
    findings = _write(written, form, target, source.name, advice)
    if as_json:
        print_json({"file": str(target), "changes": findings})
        return 0
    for finding in findings:
        print(finding)
    if not quiet:
        print(f"Written to {clean_line(str(target))}.")
    return 0


def run_template(target: Path, *, force: bool = False) -> int:
    """Write a sheet with one question of each type that a sheet can hold. Raises AdvisedError."""
    form = _BY_ENDING.get(target.suffix.lower())
    if form is None or form not in {Target.CSV, Target.XLSX}:
        raise ExamFileError("A template is a sheet.", "Write to a file with the extension .xlsx or .csv.")
    refuse_existing(target, force=force)
    _write(write(template(), form), form, target, "The template", "Report this.")
    print(f"Written to {clean_line(str(target))}. Replace its questions, then run `lms-tui exam check`.")
    return 0


def exam_as_json(exam: Exam, name: str) -> str:
    """Return the questions with their keys in the form of `exam check --json`."""
    return as_json(Report(name, exam, (), ()))


def write_exam(exam: Exam, target: Path, wanted: str = "", progress: Progress = untold) -> list[str]:
    """Write an exam to a file. Return a sentence for each loss in this format. Raises ExamFileError."""
    form = _form(target, wanted)
    written = write(exam, form, progress)
    return _write(written, form, target, exam.slug or exam.title, "Choose another exam.")


def statistics_text(whole: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the marks of all attempts, then a line for each question and for each of its answers."""
    lines = [f"{clean_line(whole['title'])} ({whole['slug']})", f"finished attempts: {whole['attempts']}"]
    if not whole["attempts"]:
        return "\n".join([*lines, "There are no statistics before the first finished attempt."])
    names = ("mean", "median", "deviation", "lowest", "highest", "reliability")
    lines.extend(f"{name:<12} {_number(whole[name])}" for name in names)
    lines += ["", "   no  type  answered  facility  discrimination  question"]
    for row in rows:
        state = f"  ({_state(row)})" if _state(row) else ""
        lines.append(
            f"{row['number']:>5}  {row['type']:<4}  {row['answered']:>8}  {_percent(row['facility']):>8}"
            f"  {_number(row['discrimination']):>14}  {clean_line(row['title'])[:60]}{state}"
        )
        lines.extend(f"{'!':>7}  {doubt}" for doubt in row["suspicions"])
        for choice in row["choices"]:
            key = "*" if choice["correct"] else " "
            lines.append(
                f"{key:>17} {choice['count']:>5}  {_percent(choice['share']):>5}  {clean_line(choice['option'])[:60]}"
            )
        for answer in row["answers"]:
            lines.append(f"{answer['count']:>23}         {clean_line(answer['text'])[:60]}")
    lines += [
        "",
        "* marks the key. The facility is the share of marks that students earned.",
        "The discrimination says whether students with high scores answered correctly more often.",
    ]
    return "\n".join(lines)


def _state(row: Mapping[str, Any]) -> str:
    """Say how a question was corrected, or how many answers a person has not marked yet."""
    if row["correction"]:
        return f"corrected: {row['correction']}"
    return f"{row['to_mark']} to mark" if row["to_mark"] else ""


def _number(number: float | None) -> str:
    return "–" if number is None else f"{number:.2f}"


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.0%}"


def _form(target: Path, wanted: str) -> Target:
    form = Target(wanted) if wanted else _BY_ENDING.get(target.suffix.lower())
    if form is None:
        raise ExamFileError(
            f"The extension of {clean_line(target.name)} names no format.",
            f"Choose a format with --to, or one of these extensions: {', '.join(sorted(_BY_ENDING))}.",
        )
    return form


def _write(written: Written, form: Target, target: Path, name: str, advice: str) -> list[str]:
    """Write a converted exam. Return a line for each finding. `advice` is for an exam without questions."""
    name = clean_line(name)
    if not written.given:
        raise ExamFileError(f"{name} has no questions to write.", advice)
    if not written.kept:
        others = ", ".join(
            each for each in Target if each not in {form, Target.MARKDOWN, Target.CSV, Target.XLSX, Target.DOCX}
        )
        raise ExamFileError(
            f"{NAMES[form]} supports no question of {name}. Nothing was written.",
            f"Choose another format with --to ({others}) or another file extension.",
        )
    replace_file(target, written.data)
    return [clean_line(finding.in_words) for finding in written.findings]
