"""Exam files looked at, written and carried between systems, and how an exam worked, in words."""

import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from lms_tui.banks.model import Exam, Finding
from lms_tui.banks.reader import LARGEST
from lms_tui.banks.report import Report, as_json, as_text, check
from lms_tui.banks.writers import NAMES, Target, Written, convert, write
from lms_tui.common.cleaning import clean_line
from lms_tui.common.user_errors import AdvisedError

_BY_ENDING: Final = {
    ".gift": Target.GIFT,
    ".txt": Target.GIFT,
    ".xml": Target.MOODLE_XML,
    ".zip": Target.QTI,
    ".yaml": Target.YAML,
    ".yml": Target.YAML,
}


class ExamFileError(AdvisedError):
    """A file cannot be read or written; `advice` says what to do."""


def run_check(file: Path, *, as_data: bool) -> int:
    """Print what is in a file and what is wrong with it; 1 where there are errors."""
    report = check(_read(file), file.name)
    print(as_json(report) if as_data else as_text(report))
    return report.exit_code


def run_convert(source: Path, target: Path, wanted: str = "") -> int:
    """Write the exam of one file as another, in the format that is asked for or that the new name tells.

    Raises ExamFileError, also where the new file would hold no question, and NotAnExam.
    """
    form = _form(target, wanted)
    written = convert(_read(source), source.name, form)
    _refuse_nothing(written, form, source.name, f"See `lms-tui exam check {clean_line(str(source))}` for why.")
    _write(target, written.data)
    print(_account(written.findings, target))
    return 0


def exam_as_json(exam: Exam, name: str) -> str:
    """The questions with their keys, as `exam check --json` tells them."""
    return as_json(Report(name, exam, (), ()))


def write_exam(exam: Exam, target: Path, wanted: str = "") -> list[str]:
    """Write an exam as a file; return what the format does not keep, in sentences. Raises ExamFileError."""
    form = _form(target, wanted)
    written = write(exam, form)
    _refuse_nothing(written, form, exam.slug or exam.title, "Choose another exam.")
    _write(target, written.data)
    return [f"{_where(finding)}{finding.message}" for finding in written.findings]


def statistics_text(whole: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> str:
    """How an exam worked, for people: marks of all attempts, then a line for each question and what was chosen."""
    lines = [f"{clean_line(whole['title'])} ({whole['slug']})", f"attempts that ended: {whole['attempts']}"]
    if not whole["attempts"]:
        return "\n".join([*lines, "There is nothing to tell until someone has ended an attempt."])
    names = ("mean", "median", "deviation", "lowest", "highest", "reliability")
    lines.extend(f"{name:<12} {_told(whole[name])}" for name in names)
    lines += ["", "   no  type  answered  facility  discrimination  question"]
    for row in rows:
        doubt = "  ! look at the key" if (row["discrimination"] or 0) < 0 else ""
        lines.append(
            f"{row['number']:>5}  {row['type']:<4}  {row['answered']:>8}  {_percent(row['facility']):>8}"
            f"  {_told(row['discrimination']):>14}  {clean_line(row['title'])[:60]}{doubt}"
        )
        for choice in row["choices"]:
            key = "*" if choice["correct"] else " "
            lines.append(
                f"{key:>17} {choice['count']:>5}  {_percent(choice['share']):>5}  {clean_line(choice['option'])[:60]}"
            )
        for answer in row["answers"]:
            lines.append(f"{answer['count']:>23}         {clean_line(answer['text'])[:60]}")
    lines += [
        "",
        "facility: share of the marks that was earned; discrimination: whether those who did well got it right;",
        "* is the key.",
    ]
    return "\n".join(lines)


def _told(number: float | None) -> str:
    return "–" if number is None else f"{number:.2f}"


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.0%}"


def _form(target: Path, wanted: str) -> Target:
    form = Target(wanted) if wanted else _BY_ENDING.get(target.suffix.lower())
    if form is None:
        names = ", ".join(sorted(_BY_ENDING))
        raise ExamFileError(
            f"{clean_line(target.name)} does not tell a format by its ending.",
            f"Choose one with --to, or end the name in one of {names}.",
        )
    return form


def _refuse_nothing(written: Written, form: Target, name: str, advice: str) -> None:
    """Raise ExamFileError in the place of a file without a question; `advice`: for where the exam has none itself."""
    if written.kept:
        return
    if not written.given:
        raise ExamFileError(f"{clean_line(name)} holds no question that could be written.", advice)
    others = ", ".join(each for each in Target if each is not form)
    raise ExamFileError(
        f"{NAMES[form]} can hold no question of {clean_line(name)}, so nothing was written.",
        f"Choose another format with --to ({others}) or by the ending of the name.",
    )


def _account(findings: Iterable[Finding], target: Path) -> str:
    lines = [f"{_where(finding)}{clean_line(finding.message)}" for finding in findings]
    return "\n".join([*lines, f"Written to {clean_line(str(target))}."])


def _where(finding: Finding) -> str:
    places = [f"{word} {number}" for word, number in (("question", finding.question), ("line", finding.line)) if number]
    return f"{', '.join(places)}: " if places else ""


def _read(file: Path) -> bytes:
    try:
        with file.open("rb") as stream:
            return stream.read(LARGEST + 1)
    except OSError as error:
        shown = clean_line(str(file))
        raise ExamFileError(f"{shown} cannot be read ({error.strerror}).", "Check its name and place.") from error


def _write(target: Path, data: bytes) -> None:
    """Replace the file as a whole, so that a full disk never leaves half an exam in its place."""
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
            Path(name).chmod(0o644)
            Path(name).replace(target)
        except BaseException:
            with suppress(OSError):
                Path(name).unlink()
            raise
    except OSError as error:
        shown = clean_line(str(target))
        raise ExamFileError(f"{shown} cannot be written ({error.strerror}).", "Choose another place.") from error
