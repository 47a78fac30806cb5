"""`lms-tui receipt compare|key`: receipts of students against the database of the institute."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lms_tui.attempt.journal.receipt import Report, claims_of, verify
from lms_tui.attempt.ports import AttemptKey
from lms_tui.commands.administration import opened, print_notes, print_rows, service_settings
from lms_tui.common.cleaning import clean_line
from lms_tui.common.user_errors import AdvisedError, UsageError
from lms_tui.wire.acknowledgement import ClaimedAnswer

if TYPE_CHECKING:
    from lms_tui.service.admin.administration import Administration
    from lms_tui.service.admin.receipts import Compared


def run_compare(options: argparse.Namespace) -> int:
    """Compare each receipt. Return 0 if all are valid and the database has all of their answers now, else 1."""
    if options.question and not options.take_in:
        raise UsageError("--question needs --take-in.", "Leave it out to compare all questions.")
    own_key = _own_key(options)
    with opened(options) as admin:
        rows = [_row(admin, file, report, own_key, options) for file, report in _reports(options.path)]
    has_problems = any(row["problems"] for row in rows)
    has_missing = any(row["answers"] for row in rows) and not options.take_in
    if options.as_json:
        print_rows(rows, as_json=True)
    else:
        _print_all(rows, quiet=options.quiet)
        if has_missing:
            print_notes(["Nothing is changed. --take-in writes the answers of the receipts to the ended attempts."])
        if has_problems:
            print_notes(["A file with a problem is not compared. Ask its student for the receipt again."])
    return int(has_problems or has_missing)


def run_key(options: argparse.Namespace) -> int:
    """Print the public key of the institute."""
    key = _own_key(options)
    if not key:
        raise UsageError("This institute has no key on this computer.", "Check --data-dir. The service makes the key.")
    print_rows([{"key": key}], as_json=True) if options.as_json else print(key)
    return 0


def _own_key(options: argparse.Namespace) -> str:
    """Return the public key of the institute, or "" where its key file is on another computer."""
    from lms_tui.service.attempts.acknowledgement import public_key
    from lms_tui.service.core.keyfile import read_or_create
    from lms_tui.service.core.signer import Signer

    file = service_settings(options).key_file
    return public_key(Signer(read_or_create(file))) if file.exists() else ""


def _reports(path: Path) -> list[tuple[Path, Report]]:
    """Return the receipts of a folder, or one receipt. Raises UsageError for a file that is not a receipt."""
    if path.is_dir():
        found = sorted(path.glob("*.txt"))
        if not found:
            raise UsageError(f"{path} holds no receipts.", "Receipts are files such as receipt-7-20260131T093000Z.txt.")
        return [(file, verify(file)) for file in found]
    report = verify(path)
    if not report.legible:
        raise UsageError(
            " ".join([f"{path} cannot be compared.", *report.problems]),
            "Name a file that `lms-tui receipt export` has written, or a folder of such files.",
        )
    return [(path, report)]


def _row(
    admin: "Administration", file: Path, report: Report, own_key: str, options: argparse.Namespace
) -> dict[str, Any]:
    row: dict[str, Any] = {
        "file": str(file),
        "problems": list(report.problems),
        "made_after_the_end": report.ended,
        "signature": _signature(report, own_key),
        "answers": [],
    }
    if not report.whole or report.key is None:
        return row
    try:
        return row | _compared(admin, report.key, claims_of(file), options)
    except AdvisedError as error:
        return row | {"problems": [f"{error} {error.advice}"]}
    except ValueError:
        return row | {"problems": ["The time of an answer cannot be read."]}


def _compared(
    admin: "Administration", key: AttemptKey, claims: Sequence[ClaimedAnswer], options: argparse.Namespace
) -> dict[str, Any]:
    from lms_tui.service.admin.receipts import Found, compare, take_in

    comparison = compare(admin, key.attempt_id, key.user_id, claims)
    row: dict[str, Any] = {
        "attempt": key.attempt_id,
        "exam": comparison.slug,
        "username": comparison.username,
        "counts": {found.value: len(comparison.of(found)) for found in Found},
        "answers": [_answer(one) for one in comparison.answers if one.found is not Found.SAME],
    }
    if options.take_in:
        taken = take_in(admin, key.attempt_id, key.user_id, claims, options.question, options.reason)
        row["taken_in"] = [one.question for one in taken]
    return row


def _answer(one: "Compared") -> dict[str, Any]:
    return {
        "question": one.question,
        "found": one.found.value,
        "receipt": one.claimed,
        "database": one.kept,
        "chosen": one.claim.at.isoformat(timespec="seconds"),
        "delivered": one.claim.delivered,
    }


def _signature(report: Report, own_key: str) -> str:
    """Return the verdict about the signature of the server."""
    if not report.acknowledged_by:
        return "none"
    if report.acknowledged_by != own_key:
        return "another key" if own_key else "not checked"
    return "true" if report.acknowledges else "other answers"


_SIGNATURES = {
    "none": "It has no signature.",
    "another key": "It is signed by another key than that of this institute.",
    "not checked": "The signature is not checked, because the key of the institute is not on this computer.",
    "true": "This institute has signed exactly the answers that it has as delivered.",
    "other answers": "This institute has signed other answers than those that it has as delivered.",
}


def _print_all(rows: Sequence[dict[str, Any]], *, quiet: bool) -> None:
    for row in rows:
        if row["problems"] or row["answers"] or not quiet:
            _print(row)


def _print(row: dict[str, Any]) -> None:
    name = clean_line(row["file"])
    if row["problems"]:
        print(f"{name}: {clean_line(' '.join(row['problems']))}")
        return
    counts = ", ".join(f"{count} {found}" for found, count in row["counts"].items() if count) or "no answers"
    late = " It was made after the end of the attempt." if row["made_after_the_end"] else ""
    who = f"attempt {row['attempt']} of {row['username']} in {row['exam']}"
    print(clean_line(f"{name}: {who}: {counts}. {_SIGNATURES[row['signature']]}{late}"))
    if row["answers"]:
        print_rows([_short(answer) for answer in row["answers"]], as_json=False)
    if "taken_in" in row:
        numbers: Sequence[int] = row["taken_in"]
        print(f"Taken in: {', '.join(map(str, numbers)) or 'nothing'}.")


def _short(answer: dict[str, Any]) -> dict[str, Any]:
    return answer | {name: answer[name][:40] for name in ("receipt", "database")}
