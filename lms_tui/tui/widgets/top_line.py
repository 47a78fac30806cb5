"""The header: the name of the screen on the left, the user and a badge on the right."""

from typing import ClassVar

from textual.content import Content
from textual.widget import Widget

from lms_tui.views.to_ascii import to_ascii


class TopLine(Widget):
    """`right` is left out when there is no room for both, then the name of the program. `left` is cut at last."""

    DEFAULT_CSS = """
    TopLine { height: 1; dock: top; background: $panel; color: $text; padding: 0 1; }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = set()
    can_focus = False

    def __init__(self, left: str, right: str = "", badge: str = "") -> None:
        super().__init__()
        self._left = left
        self._right = right
        self._badge = badge

    def show(self, left: str, right: str | None = None) -> None:
        told = left, self._right if right is None else right
        if told != (self._left, self._right):
            self._left, self._right = told
            self.refresh()

    def render(self) -> Content:
        width = self.content_size.width
        say = to_ascii if self.app.has_class("-ascii") else str
        badge = Content.styled(f" {self._badge} ", "bold $background on $accent") if self._badge else Content("")
        right = Content.assemble(
            Content.styled(say(self._right), "$text-muted"), " " if self._right and badge else "", badge
        )
        name = Content.assemble(Content.styled("lms-tui", "bold $primary"), "  ")
        left = Content(self._left)
        if name.cell_length + left.cell_length + right.cell_length + 2 > width:
            right = badge
        room = max(1, width - right.cell_length - (1 if right else 0))
        if name.cell_length + left.cell_length > room:
            name = Content("")
        # Cut first, because the ellipsis is replaced in ASCII too.
        told = say(left.truncate(max(0, room - name.cell_length), ellipsis=True).plain)
        left = Content.assemble(name, Content.styled(told, "bold")).truncate(room)
        gap = max(0, width - left.cell_length - right.cell_length)
        return Content.assemble(left, " " * gap, right)
