"""Download a file of results, and save it where the person wants it."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

from lms_tui.common.sizes import bytes_of
from lms_tui.tui import dialogs
from lms_tui.tui.saving import fault_of, place_of, save
from lms_tui.tui.screens.resource.filtered import SortedScreen
from lms_tui.tui.widgets.top_line import TopLine
from lms_tui.wire.errors import ApiError

Download = Callable[[Callable[[int, int | None], None]], Awaitable[bytes]]
"""Returns the content of a file, and is given what to tell of its progress: bytes so far, and of all."""


async def save_download(screen: SortedScreen[Any], title: str, usual: Path, download: Download) -> None:
    """Ask for a path, download the file and save it. Failures are explained on the screen."""
    check = partial(fault_of, usual=usual)
    typed = await dialogs.ask_text(screen.app, f"Save the {title}", "Path", value=str(usual), check=check)
    if typed is None:
        return

    def show(text: str) -> None:
        for line in screen.query(TopLine):
            line.show(screen.NAME, text)

    try:
        content = await download(lambda done, whole: show(bytes_of(done) + (f" of {bytes_of(whole)}" if whole else "")))
        kept = await asyncio.to_thread(save, *place_of(typed, usual), usual.suffix[1:], content)
    except ApiError as error:
        await screen.explain(error)
    except OSError as error:
        words = f"The file cannot be written ({error.strerror}). Choose another folder, or free some disk space."
        await dialogs.notice(screen.app, "Not saved", words, error=True)
    else:
        screen.notify(f"Saved as {kept}", title=title.capitalize(), timeout=10, markup=False)
    finally:
        show("")
