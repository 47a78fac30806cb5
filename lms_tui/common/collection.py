"""When Python searches for garbage: not while the program starts.

Imported modules stay. Searching them takes a tenth of the start of the app, and 60 ms at once later on.
"""

import gc
from typing import Final

_THRESHOLDS: Final = (700, 10, 7)
"""How many new objects bring a search while the app is used. With 2,000, an exam holds 0.6 MiB more of garbage."""


def pause() -> None:
    gc.disable()


def resume() -> None:
    """Collect again, but never look at what there is already."""
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)
    gc.enable()
