"""The base class of dialogs and of what lies over a screen: help shows their keys."""

import asyncio
from typing import Any, ClassVar, Generic, TypeVar

from textual.app import App
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen, Screen

Result = TypeVar("Result")
Keys = tuple[tuple[str, str], ...]
"""Each key as shown to people, with what it does."""


class KeyedModal(ModalScreen[Result], Generic[Result]):
    """A subclass names its keys for people in `KEYS`, each with what it does, and itself in `NAME`."""

    NAME: ClassVar[str] = "this dialog"
    KEYS: ClassVar[Keys] = ()
    # The id gives it the keys that the settings give to help. In a field of text, a character is text.
    BINDINGS: ClassVar[list[BindingType]] = [Binding("?,f1", "app.help", show=False, id="help")]

    def dismiss(self, result: Result | None = None) -> AwaitComplete:
        """Close the dialog, unless it is closed already. Textual would close the screen below."""
        return super().dismiss(result) if self.app.screen is self else AwaitComplete()


def screen_below_modals(app: App[Any]) -> Screen[Any]:
    """Return the screen that lies below the palette and the dialogs."""
    return next(screen for screen in reversed(app.screen_stack) if not screen.is_modal)


async def close_above(app: App[Any], below: Screen[Any]) -> bool:
    """Close what a person has opened over a screen, before another one opens late. Return whether there was anything.

    It would come back when the late screen is left.
    """
    closed = False
    while below in app.screen_stack and app.screen is not below:
        if app.screen.is_mounted:  # Textual's palette fails where it is closed before
            await app.screen.dismiss(None)
            closed = True
        else:
            await asyncio.sleep(0)
    return closed
