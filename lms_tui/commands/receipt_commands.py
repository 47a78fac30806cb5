"""`lms-tui receipt verify|list|export`: the answers of an attempt, to hand in and to check, without a service."""

import json
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from lms_tui.attempt.journal.contents import JournalContents
from lms_tui.attempt.journal.receipt import (
    Report,
    file_name,
    receipt_of,
    undelivered_lines,
    verify,
    write_receipt,
)
from lms_tui.attempt.journal.snapshot import read_snapshot
from lms_tui.attempt.journal.store import FileJournals
from lms_tui.attempt.journal.undelivered import undelivered
from lms_tui.attempt.ports import JournalError
from lms_tui.common.cleaning import clean_line
from lms_tui.common.settings import find_paths
from lms_tui.common.user_errors import AdvisedError
from lms_tui.views.format import counted

WHOLE: Final = 0
CHANGED: Final = 1
NO_RECEIPT: Final = 2
_VERDICTS: Final = {WHOLE: "whole", CHANGED: "changed", NO_RECEIPT: "no receipt"}


class ReceiptError(AdvisedError):
    """A receipt cannot be made. `advice` says what to do."""


def run_verify(file: Path, *, key: str = "", as_data: bool, quiet: bool = False) -> int:
    """Say whether a receipt is whole: 0 where it is, 1 where it was changed, 2 where it is none.

    With `key`, the receipt must be signed by the institute that has this public key.
    """
    report = verify(file)
    if key and report.whole and report.acknowledged_by != key.rstrip("="):
        sentence = "It is signed by another key." if report.acknowledged_by else "It has no signature of the server."
        report = replace(report, problems=(sentence,))
    code = WHOLE if report.whole else CHANGED if report.legible else NO_RECEIPT
    if as_data or not (quiet and report.whole):
        _say(_verdict(report, file), {"verdict": _VERDICTS[code], **asdict(report)}, as_data=as_data)
    return code


def _verdict(report: Report, file: Path) -> list[str]:
    if not report.legible:
        advice = "Name a file that `lms-tui receipt export` has written."
        return [" ".join([f"{file} cannot be checked.", *report.problems]), advice]
    if not report.whole or report.key is None:
        return ["This receipt is not valid.", *report.problems]
    heard = "It has no reply of the server. Only this computer's clock gives the times."
    if report.last_heard is not None:
        told = ", ".join(f"{name} {value}" for name, value in sorted(report.last_heard.items()))
        heard = f"The last reply of the server said {told}. {counted(report.after_last_heard, 'change')} came after it."
    return [
        "This receipt is whole. Nothing in it was altered, left out in the middle or moved.",
        f"Attempt {report.key.attempt_id} of user {_user(report)} at {report.key.origin}: {report.title}",
        f"{counted(report.changes, 'change')}, {counted(report.undelivered, 'answer')} not delivered.",
        *(["It was made after the end of the attempt."] if report.ended else []),
        heard,
        *_signed(report),
        f"Digest {report.digest}",
    ]


def _user(report: Report) -> str:
    name = f" ({report.login})" if report.login else ""
    return f"{report.key.user_id if report.key else ''}{name}"


def _signed(report: Report) -> list[str]:
    if not report.acknowledged_at:
        return ["It has no signature of the server. This computer alone noted which answers were delivered."]
    what = (
        "exactly the answers that are delivered here"
        if report.acknowledges
        else "other answers than those that are delivered here. A mark was forged, a reply was lost, or another device "
        "sent answers. `lms-tui receipt compare` tells which answers differ"
    )
    return [f"The server signed at {report.acknowledged_at} that it held {what}.", f"Key {report.acknowledged_by}"]


def run_list(data_dir: Path | None, *, as_data: bool) -> int:
    """Print every attempt whose answers are kept on this computer, those with undelivered answers first."""
    rows = sorted(map(_row, _journals(data_dir)), key=lambda row: (not row.get("undelivered"), row.get("last", "")))
    lines = [line for row in rows for line in _lines(row)]
    _say(lines or ["No answers are kept on this computer."], rows, as_data=as_data)
    return 0


def _row(path: Path) -> dict[str, Any]:
    """One row of the list. `trouble` is the reason why a journal cannot be read, or ""."""
    attempt_id = int(path.stem) if path.stem.isdecimal() else 0
    try:
        seen = read_snapshot(path)
        history = seen.history()
        last = max((kept.entry.wall for kept in history), default=0.0)
        return {
            "attempt_id": attempt_id,
            "title": seen.recall("title"),
            "server": seen.recall("origin"),
            "user_id": int(seen.recall("user_id") or 0),
            "changes": len(history),
            "undelivered": len(undelivered(history)),
            "last": datetime.fromtimestamp(last, UTC).isoformat(timespec="seconds") if last else "",
            "undelivered_answers": undelivered_lines(seen),
        }
    except (JournalError, ValueError, OverflowError, OSError) as error:
        return {"attempt_id": attempt_id, "trouble": str(error)}


def _lines(row: dict[str, Any]) -> list[str]:
    start = f"{row['attempt_id']:>8}  "
    if "trouble" in row:
        return [start + row["trouble"]]
    waiting = f"{counted(row['undelivered'], 'answer')} not delivered" if row["undelivered"] else "all delivered"
    title = row["title"] or "(no title)"
    first = f"{start}{row['last']:<25}  {waiting:<24}  {title}  user {row['user_id']} at {row['server']}"
    return [first, *(f"          {line}" for line in row["undelivered_answers"])]


def run_export(
    attempt_id: int, out: Path | None, data_dir: Path | None, *, server: str, as_data: bool, quiet: bool = False
) -> int:
    """Write the receipt of an attempt to a new file that its owner alone can read, and say where."""
    seen = _only([path for path in _journals(data_dir) if path.stem == str(attempt_id)], attempt_id, server)
    now = time.time()
    target = out or Path(file_name(attempt_id, now))
    shown = clean_line(str(target))
    try:
        write_receipt(target, receipt_of(seen, now))
    except FileExistsError as error:
        raise ReceiptError(f"{shown} exists already.", "Choose another name, or remove it.") from error
    except OSError as error:
        raise ReceiptError(f"{shown} cannot be written ({error.strerror}).", "Choose another place.") from error
    changes, waiting = len(seen.history()), len(undelivered(seen.history()))
    told = f"Written to {shown}: {counted(changes, 'change')}, {counted(waiting, 'answer')} not delivered."
    if as_data or not quiet:
        _say([told], {"file": str(target), "changes": changes, "undelivered": waiting}, as_data=as_data)
    return 0


def _only(found: list[Path], attempt_id: int, server: str) -> JournalContents:
    """Return the only journal of this number. Attempts of two servers may have the same number."""
    journals, trouble = [], f"No answers of attempt {attempt_id} are kept on this computer."
    for path in found:
        try:
            journals.append(read_snapshot(path))
        except JournalError as error:
            trouble = str(error)
    if server:
        journals = [seen for seen in journals if seen.recall("origin").lower() == server.rstrip("/").lower()]
    if len(journals) > 1:
        raise ReceiptError(
            f"Attempts {attempt_id} of more than one server or user are kept on this computer.",
            "Name the server with --server. `lms-tui receipt list` shows it.",
        )
    if not journals:
        raise ReceiptError(trouble, "See `lms-tui receipt list`.")
    return journals[0]


def _journals(data_dir: Path | None) -> list[Path]:
    return FileJournals(find_paths(data_dir).journals).paths()


def _say(lines: Sequence[str], data: object, *, as_data: bool) -> None:
    print(json.dumps(data, indent=2) if as_data else "\n".join(clean_line(line) for line in lines))
