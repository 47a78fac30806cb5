"""The way to the pictures of a question: enlarged, or first asked for where they are on another server."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from textual.app import App

from lms_tui.content.images import now_shown
from lms_tui.content.long import is_long
from lms_tui.content.source import hold_pictures
from lms_tui.tui import dialogs
from lms_tui.tui.screens.picture.long_text import LongTextScreen
from lms_tui.tui.screens.picture.screen import PictureScreen, pictures_in

if TYPE_CHECKING:
    from lms_tui.tui.pictures import PictureBook

_WHY: Final = (
    "This text shows pictures from another server than your institute's. That server would learn this computer's "
    "address on the network and when the picture was read; it is told nothing else, and never who you are.\n\n"
    "The answer is kept on this computer, so that you are asked once."
)


def open_pictures(app: App[Any], texts: Sequence[str | None], say: Callable[[str, str], None]) -> None:
    """Show the pictures of some HTML as large as the screen, or a text of it that is too long to stand there whole.

    `say(text, short)` where there is nothing to show.
    """
    long = next((text for text in texts if text and is_long(hold_pictures(text)[0])), None)
    if long is not None:
        app.push_screen(LongTextScreen(long))
        return
    if (shown := now_shown()) is None:
        say("Pictures cannot be drawn without symbols; their words stand in the text.", "No pictures without symbols.")
        return
    book: PictureBook | None = getattr(app, "pictures", None)
    if book is not None and (hosts := book.hosts(texts)):
        app.run_worker(_ask(app, book, hosts), name="pictures of other servers", group="dialog", exclusive=True)
        return
    shots = pictures_in(texts, shown)
    if shots:
        app.push_screen(PictureScreen(shots))
    elif book is not None and book.try_again(texts):
        say("The picture is asked for again.", "Asked for again.")
    else:
        say("There is no picture here that can be shown.", "No picture here.")


async def _ask(app: App[Any], book: "PictureBook", hosts: Sequence[str]) -> None:
    for host in hosts:
        if await dialogs.confirm(app, f"Read pictures from {host}?", _WHY, yes="Read them", no="Leave them"):
            book.allow(host)
