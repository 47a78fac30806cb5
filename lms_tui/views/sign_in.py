"""The sentences about a sign-in that waits."""

import math

from lms_tui.views.format import counted


def waiting_words(seconds: float) -> str:
    """Return the sentence about a busy server that is tried again after so many seconds."""
    return f"The server is busy. Your sign-in is tried again in {counted(math.ceil(seconds), 'second')}."
