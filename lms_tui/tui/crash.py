"""The crash report: places in the code, without values."""

import contextlib
import logging
import os
import traceback
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lms_tui.common.settings import Paths

_log = logging.getLogger(__name__)


def report_crash(error: BaseException | None, paths: "Paths") -> str:
    """Write the crash report (mode 0600) and return the message for the user.

    The report holds neither messages of exceptions nor local variables, because they may hold a password or a token.
    """
    _log.critical("fault: %s", type(error).__name__)
    where = "The crash report could not be written."
    with contextlib.suppress(OSError):
        paths.logs.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(paths.crash_report, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(_places(error))
        where = f"Please report this error with the file {paths.crash_report}."
    return (
        "lms-tui closed because of an error. "
        "Answers that showed as saved are safe. Start lms-tui again and resume the exam.\n"
        f"The answers are in {paths.journals}.\n" + where
    )


def _places(error: BaseException | None) -> str:
    lines: list[str] = []
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        lines.append(type(error).__qualname__)
        frames = traceback.extract_tb(error.__traceback__)
        lines += [f"  {frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
        # The library's WorkerFailed keeps what happened beside the chain of causes.
        error = getattr(error, "error", None) or error.__cause__ or error.__context__
    return "\n".join(lines) + "\n"
