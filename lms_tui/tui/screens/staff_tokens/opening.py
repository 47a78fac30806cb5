"""Giving a link to the browser of this computer, after the key that asked for it."""

import os
import sys
import webbrowser
from typing import TYPE_CHECKING, Any

from lms_tui.tui import dialogs

if TYPE_CHECKING:
    from textual.app import App


def has_browser() -> bool:
    """Whether a browser with a window of its own can be opened: one that draws here would draw over this program."""
    if sys.platform == "linux" and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return False
    try:
        found = webbrowser.get()
    except webbrowser.Error:
        return False
    return type(found) is not webbrowser.GenericBrowser


async def open_in_browser(app: "App[Any]", link: str) -> None:
    """Open it, or say what to do where nothing here can; the link itself is neither shown nor logged."""
    if not link.startswith(("https://", "http://")):
        await dialogs.notice(app, "Not opened", "The service gave no link that a browser could open.", error=True)
    elif app.is_web or has_browser():
        app.open_url(link)
        app.notify("The browser has the link.", timeout=4, markup=False)
    else:
        words = "There is no browser to open here. Copy the link in the list of tokens, or show it as a QR code there."
        await dialogs.notice(app, "Not opened", words)
