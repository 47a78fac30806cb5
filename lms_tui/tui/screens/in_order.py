"""Keys mean what they meant when they were pressed in this order, however fast they come.

A slow line, a busy computer or a paste delivers several keys at once. The library hands each to what had the focus
when it arrived and looks for bindings a trip later, so that `n` `b` would answer the question before the next one, and
what follows `/` would miss the search. Here a key runs its binding before the next is looked at, and one that was on
its way while the focus moved or a dialog opened is sent again, to where it belongs now.
"""

from typing import TYPE_CHECKING, TypeVar

from textual._time import get_time
from textual.events import Event, Key
from textual.screen import Screen

if TYPE_CHECKING:
    from textual.widget import Widget

Result = TypeVar("Result")


class InOrder(Screen[Result]):
    def __init__(self) -> None:
        super().__init__()
        self._focused_at = 0.0

    def set_focus(self, widget: "Widget | None", scroll_visible: bool = True, from_app_focus: bool = False) -> None:
        before = self.focused
        super().set_focus(widget, scroll_visible, from_app_focus)
        if self.focused is not before:
            self._focused_at = get_time()

    async def on_event(self, event: Event) -> None:
        if not isinstance(event, Key):
            await super().on_event(event)
            return
        if not self.is_current or event.time < self._focused_at:
            self.app.post_message(Key(event.key, event.character))
            return
        event.stop()  # its binding runs here, not in the app after the keys that follow
        await super().on_event(event)
        if not event._no_default_action:  # noqa: SLF001 - what a handler of ours has taken is no binding's any more
            await self.app._check_bindings(event.key)  # noqa: SLF001 - the library offers no other way to run one
