"""Transfer an exam that the program has read to the practice service, so the file is read only once.

The exam is pickled to the standard input of the service process, as `multiprocessing` does. Only the program and its
service can write to this pipe.
"""

import os
import pickle
from typing import Final

from lms_tui.banks.model import Exam

_LENGTH: Final = 8


def packed(exam: Exam) -> bytes:
    """Return the bytes that `received` reads."""
    body = pickle.dumps(exam, pickle.HIGHEST_PROTOCOL)
    return len(body).to_bytes(_LENGTH, "big") + body


def received(descriptor: int) -> Exam:
    """Wait for an exam. Raises EOFError if the sender closes the pipe."""
    length = int.from_bytes(_read(descriptor, _LENGTH), "big")
    exam: Exam = pickle.loads(_read(descriptor, length))  # noqa: S301 - only the parent process writes to this pipe
    return exam


def _read(descriptor: int, size: int) -> bytes:
    parts: list[bytes] = []
    while size:
        part = os.read(descriptor, min(size, 1 << 20))
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
