"""The pictures of a question, one at a time on the whole screen."""

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, Final

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from lms_tui.common.frozen import frozen
from lms_tui.content.html import parse
from lms_tui.content.images import EMBEDDED, Bitmap, Pictures, half_blocks, now_shown, size_in_cells
from lms_tui.content.images.found import images_of
from lms_tui.content.tiles import image_words, parts
from lms_tui.tui.modal import KeyedModal
from lms_tui.tui.widgets.drawn import Drawn, Piece, entry_at
from lms_tui.views.rows import fitted

_MOST: Final = (100, 50)
"""Most cells of a picture that the terminal draws. xterm ignores pictures of more than 1,000 pixels."""


@frozen
class ShownPicture:
    """A picture and its description."""

    bitmap: Bitmap
    words: str


def pictures_in(texts: Sequence[str | None], source: Pictures = EMBEDDED) -> tuple[ShownPicture, ...]:
    """The pictures of some HTML that can be shown, in reading order."""
    images = (image for text in texts if text for image in images_of(parse(text)))
    return tuple(
        ShownPicture(found, image_words(replace(image, width=found.shown[0], height=found.shown[1])))
        for image in images
        if isinstance(found := source.find(image.source) if image.source else None, Bitmap)
    )


class PictureView(Drawn):
    DEFAULT_CSS = "PictureView { width: 1fr; height: 1fr; }"

    def __init__(self, pictures: Sequence[ShownPicture]) -> None:
        super().__init__()
        self._pictures = pictures
        self._at = 0

    def move(self, steps: int) -> None:
        self._at = max(0, min(self._at + steps, len(self._pictures) - 1))
        self.redraw()

    def entry_at(self, x: int, y: int) -> str:
        """Return the entry of the last line in this cell, or ""."""
        return entry_at(self.strip(y).text, x, ("n next", "esc back")) if y == self.size.height - 1 else ""

    def draw(self, y: int) -> Sequence[Piece]:
        size, picture = self.size, self._pictures[self._at]
        if y == size.height - 1:
            place = f"{self._at + 1} of {len(self._pictures)}   n next   " if len(self._pictures) > 1 else ""
            return ((fitted(f" {picture.words}   {place}esc back", size.width), self.looks["dim"]),)
        shown = now_shown()
        graphics = shown is not None and shown.graphics
        room = (size.width, max(1, size.height - 1))
        if graphics:
            room = (min(room[0], _MOST[0]), min(room[1], _MOST[1]))
        columns, rows = size_in_cells(picture.bitmap, *room, enlarge=True)
        top, left = (size.height - 1 - rows) // 2, (size.width - columns) // 2
        if not top <= y < top + rows:
            return ()
        draw = parts if graphics else half_blocks
        return [
            (" " * left, self.looks["base"]),
            *self.paint_runs(draw(picture.bitmap, columns, rows)[y - top], "base"),
        ]


class PictureScreen(KeyedModal[None]):
    """`pictures`: at least one."""

    NAME = "the pictures"
    KEYS = (("n · p", "Next or previous picture"), ("esc · z", "Close the picture"))
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,z,q,enter,space,backspace", "close", show=False),
        Binding("n,right,down", "move(1)", show=False),
        Binding("p,left,up", "move(-1)", show=False),
    ]

    def __init__(self, pictures: Sequence[ShownPicture]) -> None:
        super().__init__()
        self._view = PictureView(pictures)

    def compose(self) -> ComposeResult:
        yield self._view

    def on_click(self, event: events.Click) -> None:
        """Press the entry of the last line that was clicked. A click elsewhere closes the picture."""
        entry = self._view.entry_at(event.screen_x, event.screen_y)
        self.action_move(1) if entry == "n next" else self.action_close()

    def action_move(self, steps: int) -> None:
        self._view.move(steps)

    def action_close(self) -> None:
        self.dismiss(None)
