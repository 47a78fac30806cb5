"""`lms-tui exam check` and `exam convert`: exam files looked at and carried between systems, without a service."""

import os
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from lms_tui.banks.model import Finding
from lms_tui.banks.reader import LARGEST
from lms_tui.banks.report import as_json, as_text, check
from lms_tui.banks.writers import Target, convert
from lms_tui.cleaning import clean_line

_BY_ENDING: Final = {
    ".gift": Target.GIFT,
    ".txt": Target.GIFT,
    ".xml": Target.MOODLE_XML,
    ".zip": Target.QTI,
    ".yaml": Target.YAML,
    ".yml": Target.YAML,
}


class ExamFileError(Exception):
    """A file cannot be read or written; `advice` says what to do."""

    def __init__(self, message: str, advice: str) -> None:
        super().__init__(message)
        self.advice = advice


def run_check(file: Path, *, as_data: bool) -> int:
    """Print what is in a file and what is wrong with it; 1 where there are errors."""
    report = check(_read(file), file.name)
    print(as_json(report) if as_data else as_text(report))  # noqa: T201 - what the command is for
    return report.exit_code


def run_convert(source: Path, target: Path, wanted: str = "") -> int:
    """Write the exam of one file as another, in the format that is asked for or that the new name tells."""
    form = Target(wanted) if wanted else _BY_ENDING.get(target.suffix.lower())
    if form is None:
        names = ", ".join(sorted(_BY_ENDING))
        raise ExamFileError(
            f"{clean_line(target.name)} does not tell a format by its ending.",
            f"Choose one with --to, or end the name in one of {names}.",
        )
    written = convert(_read(source), source.name, form)
    _write(target, written.data)
    print(_account(written.findings, target))  # noqa: T201 - what the command is for
    return 0


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
