"""`lms-tui receipt verify|list|export`: what was answered in an attempt, to hand in and to check, without a service."""

import json
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from lms_tui.attempt.journal.contents import JournalContents
from lms_tui.attempt.journal.receipt import Report, name_of, put, receipt_of_journal, undelivered_lines, verify
from lms_tui.attempt.journal.snapshot import read_snapshot
from lms_tui.attempt.journal.store import FileJournals
from lms_tui.attempt.journal.undelivered import undelivered
from lms_tui.attempt.ports import JournalError
from lms_tui.common.cleaning import clean_line
from lms_tui.common.settings import find_paths
from lms_tui.common.user_errors import AdvisedError

WHOLE: Final = 0
CHANGED: Final = 1
NO_RECEIPT: Final = 2


class ReceiptError(AdvisedError):
    """A receipt cannot be made; `advice` says what to do."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A journal on this computer. `last`: when something was changed last, ISO 8601; `owed`: a line for each answer
    that was not delivered; `trouble`: why the journal cannot be read.
    """

    attempt_id: int
    title: str = ""
    server: str = ""
    user_id: int = 0
    changes: int = 0
    undelivered: int = 0
    last: str = ""
    owed: tuple[str, ...] = ()
    trouble: str = ""


def run_verify(file: Path, *, as_data: bool) -> int:
    """Say whether a receipt is whole: 0 where it is, 1 where it was changed, 2 where it is none."""
    report = verify(file)
    code = WHOLE if report.whole else CHANGED if report.legible else NO_RECEIPT
    if as_data:
        verdict = {WHOLE: "whole", CHANGED: "changed", NO_RECEIPT: "no receipt"}[code]
        print(json.dumps({"verdict": verdict, **asdict(report)}, indent=2))
    else:
        print("\n".join(map(clean_line, _verdict(report))))
    return code


def _verdict(report: Report) -> list[str]:
    if not report.whole:
        what = "This receipt was changed after it was made." if report.legible else "This cannot be checked."
        return [what, *report.problems]
    lines = ["This receipt is whole: nothing in it was altered, left out in the middle or moved."]
    if report.key is not None:
        lines.append(
            f"Attempt {report.key.attempt_id} of user {report.key.user_id} at {report.key.origin}: {report.title}"
        )
    lines.append(f"{_count(report.changes, 'change')}, {_count(report.undelivered, 'answer')} not delivered.")
    if report.last_heard is None:
        lines.append("The server is not in it: every time is this computer's word alone.")
    else:
        told = ", ".join(f"{name} {value}" for name, value in sorted(report.last_heard.items()))
        lines.append(
            f"The server was last heard with {told}; {_count(report.after_last_heard, 'change')} came after that."
        )
    return [*lines, f"Digest {report.digest}"]


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def run_list(data_dir: Path | None, *, as_data: bool) -> int:
    """Print every attempt whose answers are kept on this computer, those that owe answers first."""
    found = sorted(map(_kept, _journals(data_dir)), key=lambda kept: (not kept.undelivered, kept.last))
    if as_data:
        print(json.dumps([asdict(kept) for kept in found], indent=2))
        return 0
    for kept in found:
        print(_row(kept), *(f"          {clean_line(line)}" for line in kept.owed), sep="\n")
    if not found:
        print("No answers are kept on this computer.")
    return 0


def _row(kept: Kept) -> str:
    if kept.trouble:
        return f"{kept.attempt_id:>8}  {clean_line(kept.trouble)}"
    owed = f"{_count(kept.undelivered, 'answer')} not delivered" if kept.undelivered else "all delivered"
    title = clean_line(kept.title) or "(no title)"
    return (
        f"{kept.attempt_id:>8}  {kept.last:<25}  {owed:<24}  {title}  user {kept.user_id} at {clean_line(kept.server)}"
    )


def _kept(path: Path) -> Kept:
    attempt_id = int(path.stem) if path.stem.isdigit() else 0
    try:
        seen = read_snapshot(path)
        last = max((kept.entry.wall for kept in seen.history()), default=0.0)
        return Kept(
            attempt_id,
            seen.recall("title"),
            seen.recall("origin"),
            int(seen.recall("user_id") or 0),
            len(seen.history()),
            len(undelivered(seen.history())),
            datetime.fromtimestamp(last, UTC).isoformat(timespec="seconds") if last else "",
            tuple(undelivered_lines(seen)),
        )
    except (JournalError, ValueError, OverflowError, OSError) as error:
        return Kept(attempt_id, trouble=str(error))


def _journals(data_dir: Path | None) -> list[Path]:
    return FileJournals(find_paths(data_dir).journals).paths()


def run_export(attempt_id: int, out: Path | None, data_dir: Path | None, *, server: str, as_data: bool) -> int:
    """Write the receipt of an attempt to a new file that its owner alone can read, and say where."""
    path = _only([path for path in _journals(data_dir) if path.stem == str(attempt_id)], attempt_id, server)
    try:
        seen = read_snapshot(path)
    except JournalError as error:
        raise ReceiptError(str(error), "Close the exam if it is open, and try again.") from error
    now = time.time()
    target = out or Path(name_of(attempt_id, now))
    shown = clean_line(str(target))
    try:
        put(target, receipt_of_journal(seen, now))
    except FileExistsError as error:
        raise ReceiptError(f"{shown} is there already.", "Choose another name, or remove it.") from error
    except OSError as error:
        raise ReceiptError(f"{shown} cannot be written ({error.strerror}).", "Choose another place.") from error
    report: Mapping[str, Any] = {
        "file": str(target),
        "changes": len(seen.history()),
        "undelivered": len(undelivered(seen.history())),
    }
    if as_data:
        print(json.dumps(report, indent=2))
    else:
        owed = f"{_count(len(undelivered(seen.history())), 'answer')} not delivered"
        print(f"Written to {shown}: {_count(len(seen.history()), 'change')}, {owed}.")
    return 0


def _only(found: list[Path], attempt_id: int, server: str) -> Path:
    """The one journal that is meant: attempts of two servers may have the same number."""
    if server:
        found = [path for path in found if _origin(path) == server.rstrip("/").lower()]
    if not found:
        raise ReceiptError(
            f"No answers of attempt {attempt_id} are kept on this computer.", "See `lms-tui receipt list`."
        )
    if len(found) > 1:
        raise ReceiptError(
            f"Attempts {attempt_id} of more than one server or user are kept on this computer.",
            "Name the server with --server; `lms-tui receipt list` shows it.",
        )
    return found[0]


def _origin(path: Path) -> str:
    try:
        seen: JournalContents = read_snapshot(path)
    except JournalError:
        return ""
    return seen.recall("origin").lower()
