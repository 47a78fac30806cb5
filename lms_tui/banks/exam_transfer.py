"""An exam that the program has read, on its way to the practice service that offers it: nobody reads a file twice.

It goes through the child's standard input, as `multiprocessing` hands values to its processes: a pipe that nobody but
these two can write to.
"""

import os
import pickle
from typing import Final

from lms_tui.banks.model import Exam

_LENGTH: Final = 8


def packed(exam: Exam) -> bytes:
    """What `received` understands."""
    body = pickle.dumps(exam, pickle.HIGHEST_PROTOCOL)
    return len(body).to_bytes(_LENGTH, "big") + body


def received(descriptor: int) -> Exam:
    """Wait for an exam; raises EOFError when whoever should send it has left."""
    length = int.from_bytes(_read(descriptor, _LENGTH), "big")
    exam: Exam = pickle.loads(_read(descriptor, length))  # noqa: S301 - see above: written by our own parent
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
