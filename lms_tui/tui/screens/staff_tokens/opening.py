"""Opens links in the browser of this computer."""

import os
import sys
import webbrowser
from typing import TYPE_CHECKING, Any

from lms_tui.tui import dialogs

if TYPE_CHECKING:
    from textual.app import App


def has_browser() -> bool:
    """Whether a graphical browser is available. A browser in this terminal would draw over the program."""
    if sys.platform == "linux" and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return False
    try:
        found = webbrowser.get()
    except webbrowser.Error:
        return False
    return type(found) is not webbrowser.GenericBrowser


async def open_in_browser(app: "App[Any]", link: str) -> None:
    """Open a link, or explain why that is not possible. The link is neither shown nor logged."""
    if not link.startswith(("https://", "http://")):
        await dialogs.notice(app, "Not opened", "The server sent no link for a browser.", error=True)
    elif app.is_web or has_browser():
        app.open_url(link)
        app.notify("Opened in the browser.", timeout=4, markup=False)
    else:
        words = "No browser found. In the list of playback tokens you can copy the link or show it as a QR code."
        await dialogs.notice(app, "Not opened", words)
