"""The base class of dialogs and of what lies over a screen: help shows their keys."""

from typing import ClassVar, Generic, TypeVar

from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

Result = TypeVar("Result")
Keys = tuple[tuple[str, str], ...]
"""Each key as shown to people, with what it does."""


class KeyedModal(ModalScreen[Result], Generic[Result]):
    """A subclass names its keys for people in `KEYS`, each with what it does, and itself in `NAME`."""

    NAME: ClassVar[str] = "this dialog"
    KEYS: ClassVar[Keys] = ()
    # The id gives it the keys that the settings give to help. In a field of text, a character is text.
    BINDINGS: ClassVar[list[BindingType]] = [Binding("?,f1", "app.help", show=False, id="help")]
