"""Handle each key after the whole effect of the key before it.

A slow line or a busy computer delivers several keys at once. Textual hands each key to the widget that has the focus
at that moment. In `n` `b` the answer would go to the old question, and text after `/` would miss the search field.

A field that takes keys as text gets those that wait in one event: each by itself would be painted, and a paste without
brackets, which arrives as keys, would take seconds.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from itertools import takewhile
from typing import TYPE_CHECKING, Final, Protocol, TypeVar, runtime_checkable

from textual.app import App
from textual.events import Callback, Event, InputEvent, Key, MouseDown, Paste
from textual.geometry import Offset

if TYPE_CHECKING:
    from textual.dom import DOMNode
    from textual.screen import Screen

Result = TypeVar("Result")
_LEFT: Final = 1
"""The mouse button that clicks."""
_PATIENCE: Final = 1.0
"""Seconds after which the next key is handled, although the effect of this one is not over."""
_ROUNDS: Final = 2
"""Rounds of messages after the last change of focus: one for the key, one for the messages of widgets."""


class Typed(Event, bubble=False):
    """Keys that arrived together at a field which takes each of them as text."""

    def __init__(self, keys: tuple[Key, ...]) -> None:
        super().__init__()
        self.keys = keys


@runtime_checkable
class TakesText(Protocol):
    """A widget with a handler of `Typed`."""

    def text_of(self, key: Key) -> str:
        """The text that the key inserts here, "" for a key that does something else."""


class _Turn:
    """The rounds of messages that follow a key, each behind the key in the queues from where it was delivered.

    Its methods are the callbacks. Textual asks for the signature of a method once, but of a `partial` each time.
    """

    def __init__(
        self, app: App[Result], place: Callable[[], "DOMNode"], end: Callable[["_Turn"], Awaitable[None]]
    ) -> None:
        self._app = app
        self._find_place = place
        self._end = end
        self._rounds = _ROUNDS
        self._begun = place()
        self._pump = self._begun
        self.over = False

    def follow(self) -> None:
        """Continue after the messages in the queue of the pump. A closed pump has no messages."""
        if self._pump is self._app or not self._pump.post_message(Callback(self._rise)):
            self._app.post_message(Callback(self._wait))

    def _rise(self) -> None:
        self._pump = self._pump.parent or self._app
        self.follow()

    def _wait(self) -> None:
        # A widget that is asked to take the focus gets it by a message to the app.
        self._app.post_message(Callback(self._return))

    async def _return(self) -> None:
        if self.over:
            return
        place = self._find_place()
        self._rounds = _ROUNDS if place is not self._begun else self._rounds - 1
        if self._rounds:
            self._pump = self._begun = place
            self.follow()
        else:
            await self._end(self)


class SequentialKeysApp(App[Result]):
    """Delivers one key, or paste, at a time.

    A round of messages follows it from where it was delivered up to the app, each behind the key in the same queue.
    When the screen or the focus has changed, the next round begins there.
    """

    def __init__(self) -> None:
        super().__init__()
        self._arrived: deque[Key | Paste] = deque()
        self._receiver: Screen[object] | None = None
        """The screen to which the newest key was delivered."""
        self._under_way = False
        self._held = False
        self._patience: asyncio.TimerHandle | None = None
        self._pressed: tuple[Screen[object] | None, Offset, float] = None, Offset(-1, -1), 0.0
        """Where a mouse button was last pressed: the screen of the first of several presses, the cell and the time."""

    @property
    def keys_waiting(self) -> bool:
        """Whether a key that was pressed has not had its whole effect yet."""
        return self._under_way or bool(self._arrived)

    @property
    def key_under_way(self) -> bool:
        """Whether a key that was delivered has not had its whole effect yet."""
        return self._under_way

    async def on_event(self, event: Event) -> None:
        if isinstance(event, InputEvent | Paste) and not self.screen_stack:
            return  # the program is ending
        if isinstance(event, Key) and event.is_forwarded and self.screen is not self._receiver:
            return  # its screen did not take it, and another screen that has opened since must not
        if not isinstance(event, Key | Paste) or event.is_forwarded:
            await super().on_event(event)
            if isinstance(event, MouseDown) and not self._may_click(event):
                self._mouse_down_widget = None  # Textual makes a click of every button
            return
        if self.overtakes(event):
            self.drop_held()
        self._arrived.append(event)
        if not self._under_way and not self._held:
            await self._deliver()

    def _may_click(self, event: MouseDown) -> bool:
        """Only the left button clicks, and only once where the first click of a pair has opened another screen."""
        screen, place, before = self._pressed
        pair = event.screen_offset == place and event.time - before <= self.CLICK_CHAIN_TIME_THRESHOLD
        self._pressed = (screen if pair else self.screen, event.screen_offset, event.time)
        return event.button == _LEFT and self._pressed[0] is self.screen

    def overtakes(self, _event: Key | Paste) -> bool:
        """Whether this key replaces those that wait. A subclass may say so."""
        return False

    def holds(self, _event: Key | Paste) -> bool:
        """Whether this key or paste, and all after it, wait for `deliver_held`. A subclass may say so."""
        return False

    async def deliver_held(self) -> None:
        """Deliver what waited, in its order."""
        self._held = False
        if not self._under_way:
            await self._deliver()

    def drop_held(self) -> bool:
        """Forget what waits. Return whether there was something."""
        waited = bool(self._arrived)
        self._arrived.clear()
        self._held = False
        return waited

    async def _deliver(self) -> None:
        self._held = bool(self._arrived) and self.holds(self._arrived[0])
        if not self._arrived or self._held:
            self._under_way = False
            return
        self._under_way = True
        if not self.screen.is_mounted:
            # A new screen has no widgets yet, and would fail or miss the key.
            asyncio.get_running_loop().call_soon(self.call_later, self._deliver)
            return
        turn = _Turn(self, self._place, self._end)
        self._patience = asyncio.get_running_loop().call_later(_PATIENCE, self.call_later, self._end, turn)
        self._receiver = self.screen
        if len(keys := self._text_keys()) > 1:
            self._place().post_message(Typed(keys))
        else:
            await super().on_event(self._arrived.popleft())
        turn.follow()

    def _text_keys(self) -> tuple[Key, ...]:
        """Take the keys that are text for the field with the focus. A single one is left to its handler for keys."""
        field: object = self.focused
        if len(self._arrived) < 2 or not isinstance(field, TakesText):
            return ()
        waiting = takewhile(lambda key: isinstance(key, Key) and bool(field.text_of(key)), self._arrived)
        keys = tuple(key for key in waiting if isinstance(key, Key))
        if len(keys) > 1:
            for _ in keys:
                self._arrived.popleft()
        return keys

    def _place(self) -> "DOMNode":
        return self.focused or self.screen

    async def _end(self, turn: _Turn) -> None:
        if not turn.over:
            turn.over = True
            if self._patience is not None:
                self._patience.cancel()
            await self._deliver()
