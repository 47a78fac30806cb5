"""Report on an exam file as text and as JSON."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from lms_tui.banks.file_options import AS_FOUND, FileOptions
from lms_tui.banks.lint import lint_pools, lint_times
from lms_tui.banks.lint_texts import lint_texts
from lms_tui.banks.model import Exam, Finding, NotAnExam, NumericKey, Question, Severity, TextKey
from lms_tui.banks.progress import Progress, untold
from lms_tui.banks.reader import read_exam
from lms_tui.banks.texts import counted, digits, plain, span
from lms_tui.common.cleaning import clean_line
from lms_tui.common.frozen import frozen


@frozen
class Report:
    """The result of a check. If `exam` is None, the file is not an exam and there is one error."""

    file: str
    exam: Exam | None
    errors: tuple[Finding, ...]
    warnings: tuple[Finding, ...]

    @property
    def questions(self) -> tuple[Question, ...]:
        return self.exam.questions if self.exam else ()

    @property
    def exit_code(self) -> int:
        """1 if there are errors, else 0."""
        return 1 if self.errors else 0


def check(data: bytes, name: str, options: FileOptions = AS_FOUND, progress: Progress = untold) -> Report:
    """Read and check a file. Never raises because of the file's content."""
    file = clean_line(name)
    try:
        reading = read_exam(data, name, options, progress)
    except NotAnExam as error:
        return Report(file, None, (Finding(Severity.ERROR, f"{error} {error.advice}"),), ())
    found = [*reading.findings, *_lint(reading.exam, progress)]
    findings = _once(found)
    return Report(
        file,
        reading.exam,
        tuple(finding for finding in findings if finding.severity is Severity.ERROR),
        tuple(finding for finding in findings if finding.severity is Severity.WARNING),
    )


def _lint(exam: Exam, progress: Progress) -> Iterator[Finding]:
    for lint in (lint_times, lint_pools):
        yield from lint(exam)
    yield from lint_texts(exam, progress)


def _once(findings: Iterable[Finding]) -> list[Finding]:
    """Sort findings by question and remove duplicates, because a reader and a check may find the same."""
    unique = {(found.message, found.question or -found.line): found for found in findings}
    return sorted(unique.values(), key=lambda found: (found.question, found.line))


def as_json(*reports: Report) -> str:
    """Return a report as a JSON object, and several as a list of objects.

    `keys` are the correct answers as text, `correct` the numbers of their options.
    """
    told = [_whole(report) for report in reports]
    return json.dumps(told[0] if len(told) == 1 else told, ensure_ascii=False, indent=2)


def _whole(report: Report) -> dict[str, Any]:
    exam = report.exam
    return {
        "file": report.file,
        "title": exam.title if exam else "",
        "sections": [
            {"name": section.name, "questions": len(section.questions)} for section in (exam.sections if exam else ())
        ],
        "asked": exam.asked if exam else 0,
        "counts": dict(Counter(question.kind.value for question in report.questions)),
        "questions": [_row(number, question) for number, question in enumerate(report.questions, 1)],
        "errors": [_finding(found) for found in report.errors],
        "warnings": [_finding(found) for found in report.warnings],
    }


def _row(number: int, question: Question) -> dict[str, Any]:
    return {
        "number": number,
        "type": question.kind.value,
        "title": question.title,
        "text": plain(question.html),
        "options": [plain(option.html) for option in question.options],
        "correct": [at for at, option in enumerate(question.options, 1) if option.correct],
        "keys": list(keys(question)),
        "line": question.line,
    }


def keys(question: Question, *, exact: bool = False) -> Iterator[str]:
    """Yield the correct answers as text, those of gaps in the order of the gaps.

    `exact`: with the share of the marks where it is not the whole, and a word where capital letters matter.
    """
    yield from (plain(option.html) for option in question.options if option.correct)
    typed: list[NumericKey | TextKey] = [*question.numbers, *question.texts]
    for key in sorted(typed, key=lambda key: key.gap):
        if key.weight > 0:
            told = span(key.low, key.high, "..") if isinstance(key, NumericKey) else key.text
            yield f"{f'{key.gap}: ' if key.gap else ''}{told}{_conditions(key) if exact else ''}"
    yield from (f"{plain(pair.left_html)} -> {pair.right}" for pair in question.pairs if pair.left_html)


def _conditions(key: NumericKey | TextKey) -> str:
    """Return in brackets the share of the marks that a key gives, and whether its capital letters matter."""
    told = [] if key.weight == 1 else [f"{digits(key.weight * 100)} % of the marks"]
    if isinstance(key, TextKey) and key.case_sensitive:
        told.append("capital letters matter")
    return f" ({', '.join(told)})" if told else ""


def _finding(found: Finding) -> dict[str, Any]:
    return {"message": found.message, "line": found.line, "question": found.question}


def _of_exam(exam: Exam, questions: int) -> Iterator[str]:
    if exam.title:
        yield f"Title: {exam.title}"
    if exam.asked < questions:
        yield f"Each attempt asks {exam.asked} of them."
    for draw in exam.draws:
        yield f"Each attempt asks {counted(draw.count, 'question')} of the bank {clean_line(draw.bank)}."
    if named := [f"{section.name} ({len(section.questions)})" for section in exam.sections if section.name]:
        yield f"Sections: {', '.join(named)}"


def as_text(report: Report) -> str:
    """Return the report as text: counts by type, then errors, then warnings."""
    lines = [f"{report.file}: {counted(len(report.questions), 'question')}"]
    if report.exam is not None:
        lines += _of_exam(report.exam, len(report.questions))
    counts = Counter(question.kind for question in report.questions)
    lines += [f"  {count:>5}  {kind.value}  {kind.label}" for kind, count in sorted(counts.items())]
    lines += _findings(report)
    lines.append(f"{counted(len(report.errors), 'error')}, {counted(len(report.warnings), 'warning')}.")
    return "\n".join(lines) + "\n"


def findings_of(report: Report) -> list[str]:
    """Return the errors and warnings, each in a line that begins with the name of the file."""
    return [f"{report.file}: {line}" for line in _findings(report)]


def _findings(report: Report) -> list[str]:
    kinds = (("error", report.errors), ("warning", report.warnings))
    return [f"{word}: {found.in_words}" for word, findings in kinds for found in findings]
