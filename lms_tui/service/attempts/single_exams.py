"""One exam with the newest attempts of the caller, from rows of the ORM or plain ones."""

from collections.abc import Sequence
from typing import Any

from lms_tui.wire.base import Many
from lms_tui.wire.exams import SingleExam
from lms_tui.wire.single_attempts import AttemptWithUser


class ExamWithAttempts(SingleExam):
    """One exam with the newest attempts of the caller. `attempts_url` lists all of them."""

    attempts: Many[AttemptWithUser] = ()


def single_view(
    listed: dict[str, Any], attempts: Sequence[AttemptWithUser], calculator: str, reference_sheet: str, access_code: str
) -> ExamWithAttempts:
    """Return an exam with its aids. `listed`: its fields in a list. The others are columns of the exam."""
    return ExamWithAttempts(
        **listed,
        attempts=tuple(attempts),
        calculator=calculator,
        has_reference_sheet=bool(reference_sheet.strip()),
        needs_access_code=bool(access_code),
    )
