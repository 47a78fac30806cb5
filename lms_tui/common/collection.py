"""When Python searches for garbage: not while the program starts.

Imported modules stay. Searching them takes a tenth of the start of the app, and 60 ms at once later on.
"""

import gc
from typing import Final

_THRESHOLDS: Final = (2_000, 5, 5)
"""New objects, then rounds, that bring a search while the app is used. Garbage of screens then stays below 1 MiB."""


def pause() -> None:
    gc.disable()


def resume() -> None:
    """Collect again, but never look at what there is already."""
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)
    gc.enable()
