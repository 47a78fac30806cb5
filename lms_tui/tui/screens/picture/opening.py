"""Opens the enlarged pictures of a question, after a question about pictures on other servers."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from textual.app import App

from lms_tui.content.images import now_shown
from lms_tui.content.long import is_long
from lms_tui.content.source import extract_pictures
from lms_tui.tui import dialogs
from lms_tui.tui.screens.picture.long_text import LongTextScreen
from lms_tui.tui.screens.picture.screen import PictureScreen, pictures_in

if TYPE_CHECKING:
    from lms_tui.tui.pictures import PictureLoader

_WHY: Final = (
    "This text shows pictures from a server other than your institute's. That server learns the network address of "
    "this computer and the time of the request. It does not learn who you are.\n\n"
    "If you agree, this computer remembers it and does not ask again."
)


def open_pictures(app: App[Any], texts: Sequence[str | None], say: Callable[[str, str], None]) -> None:
    """Show the pictures of some HTML on the whole screen. A very long text is shown instead, in parts.

    `say(text, short)` is called if there is nothing to show.
    """
    long = next((text for text in texts if text and is_long(extract_pictures(text)[0])), None)
    if long is not None:
        app.push_screen(LongTextScreen(long))
        return
    if (shown := now_shown()) is None:
        say("This terminal cannot draw pictures. The text describes them.", "Pictures cannot be drawn.")
        return
    loader: PictureLoader | None = getattr(app, "pictures", None)
    if loader is not None and (hosts := loader.hosts(texts)):
        app.run_worker(_ask(app, loader, hosts), name="pictures of other servers", group="dialog", exclusive=True)
        return
    pictures = pictures_in(texts, shown)
    if pictures:
        app.push_screen(PictureScreen(pictures))
    elif loader is not None and loader.try_again(texts):
        say("Loading the picture again.", "Loading again.")
    else:
        say("No picture to show.", "No picture.")


async def _ask(app: App[Any], loader: "PictureLoader", hosts: Sequence[str]) -> None:
    for host in hosts:
        if await dialogs.confirm(app, f"Load pictures from {host}?", _WHY, yes="Load pictures", no="Cancel"):
            loader.allow(host)
