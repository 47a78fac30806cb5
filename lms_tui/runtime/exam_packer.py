"""Read the exam file of a dry run in another process, which runs this module with `python -m`.

The app imports its screens meanwhile. The memory that the reading takes is free again when the process ends.

The request is a line of JSON and the bytes of the file. The reply is a line of JSON and the bytes of the exam.
"""

import json
import subprocess
import sys
import threading
import traceback
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lms_tui.banks.file_options import FileOptions
from lms_tui.common import own_process
from lms_tui.common.cleaning import clean_line
from lms_tui.common.user_errors import AdvisedError
from lms_tui.runtime.exam_files import CannotOpenError, read_exam_file

if TYPE_CHECKING:
    from lms_tui.banks.model import Exam
    from lms_tui.runtime.dry_run import Request


class ExamPacker:
    """The process that reads an exam file. It ends with `close`. Raises CannotOpenError if it cannot be started."""

    def __init__(self, request: "Request", data: bytes) -> None:
        self._file = request.file
        self._reply = b""
        try:
            self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and our own module
                [sys.executable, "-m", __name__],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,  # it replies with its faults
                cwd=own_process.FOLDER,
                # ctrl+c must reach the app only.
                start_new_session=True,
            )
        except OSError as error:
            raise self._unread(f"{error.strerror or error}") from error
        asked = {
            "file": str(request.file),
            "reading": asdict(request.reading),
            "duration": _seconds(request.duration),
            "left": _seconds(request.left),
        }
        # A pipe holds little, and the process reads late.
        self._thread = threading.Thread(target=self._talk, args=(_message(asked, data),), daemon=True)
        self._thread.start()

    def exam(self) -> tuple[bytes, str]:
        """Wait for the exam as its service takes it, and a remark about its first error, or "".

        Raises CannotOpenError.
        """
        self._thread.join()
        line, _, exam = self._reply.partition(b"\n")
        self._reply = b""
        if not line:
            raise self._unread("the process that reads it was ended")
        told = json.loads(line)
        if "fault" in told:
            raise RuntimeError(told["fault"])
        if "error" in told:
            raise CannotOpenError(told["error"], told["advice"])
        return exam, told["remark"]

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()

    def _talk(self, asked: bytes) -> None:
        self._reply, _ = self._process.communicate(asked)

    def _unread(self, reason: str) -> CannotOpenError:
        words = f"{clean_line(str(self._file))} could not be read: {reason}."
        return CannotOpenError(words, "Close other programs if memory is short, then try again.")


def _seconds(time: timedelta | None) -> float | None:
    return None if time is None else time.total_seconds()


def _time(seconds: float | None) -> timedelta | None:
    return None if seconds is None else timedelta(seconds=seconds)


def _message(told: dict[str, Any], content: bytes = b"") -> bytes:
    return json.dumps(told).encode() + b"\n" + content


# In the process.


def _packed(asked: dict[str, Any], data: bytes) -> bytes:
    from lms_tui.banks.exam_transfer import packed  # noqa: PLC0415 - only in the process

    options = FileOptions(**asked["reading"] | {"quizzes": tuple(asked["reading"]["quizzes"])})
    reading, remark = read_exam_file(Path(asked["file"]), data, options)
    exam = _with_times(reading.exam, _time(asked["duration"]), _time(asked["left"]))
    return _message({"remark": remark}, packed(exam))


def _with_times(exam: "Exam", duration: timedelta | None, left: timedelta | None) -> "Exam":
    """Return the exam with the time limit of a dry run. Raises CannotOpenError where --at does not fit it."""
    from lms_tui.banks.times import time_of  # noqa: PLC0415 - the same

    if duration is not None:
        exam = exam.limited_to(duration)
    if left is not None:
        limit = time_of(exam)
        if limit is None:
            raise CannotOpenError("This exam has no time limit, so --at cannot shorten it.", "Leave out --at.")
        if left >= limit:
            raise CannotOpenError(f"The time limit is {limit}.", "Use --at with less time, such as 0:00:30.")
    return exam


def _main() -> None:
    asked = json.loads(sys.stdin.buffer.readline())
    data = sys.stdin.buffer.read()
    try:
        reply = _packed(asked, data)
    except AdvisedError as error:
        reply = _message({"error": str(error), "advice": error.advice})
    except Exception:  # noqa: BLE001 - the parent reports it as its own
        reply = _message({"fault": traceback.format_exc()})
    sys.stdout.buffer.write(reply)


if __name__ == "__main__":
    _main()
