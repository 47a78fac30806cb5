"""The thread that reads the keys of a terminal: it sleeps while nobody types, and ends at once."""

import os
import selectors
from collections.abc import Iterator
from queue import Queue
from threading import Thread

import pytest
from textual.constants import ESCAPE_DELAY
from textual.events import Key
from textual.message import Message

from lms_tui.tui.terminal.input import TerminalInput

PATIENCE = 20


class Reading:
    """A terminal whose keys are read. `waits`: how long the thread waits each time, None until a key comes."""

    def __init__(self) -> None:
        self.waits: Queue[float | None] = Queue()
        self._keys: Queue[str] = Queue()
        self._terminal, self._typed = os.pipe()
        os.set_blocking(self._terminal, False)
        self.taken: list[bool] = []
        """Has an entry for each time that another program takes what was typed."""
        self.held_up: list[tuple[float, bytes]] = []
        """Has an entry for each time that the thread is held up with an escape: seconds, and what is typed then."""
        waits, taken, held_up, terminal, send = self.waits, self.taken, self.held_up, self._terminal, self.send

        class Selector(selectors.SelectSelector):
            def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
                if taken:
                    taken.pop()
                    return [(self.get_key(terminal), selectors.EVENT_READ)]
                if held_up and timeout is not None:
                    seconds, typed = held_up.pop()
                    assert super().select(seconds) == []
                    send(typed)
                waits.put(timeout)
                return super().select(timeout)

        self.gone: Queue[bool] = Queue()
        self._input = TerminalInput(self._terminal, self._hear, lambda: self.gone.put(True), selector=Selector)
        self._thread = Thread()

    def start(self) -> None:
        self._input.prepare()
        self._thread = Thread(target=self._input.run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._input.stop()
        if self._thread.ident:
            self._thread.join(PATIENCE)
        assert not self._thread.is_alive()

    def send(self, data: bytes) -> None:
        os.write(self._typed, data)

    def type(self, text: str) -> str:
        self.send(text.encode())
        return self.key()

    def key(self) -> str:
        return self._keys.get(timeout=PATIENCE)

    def waits_for_keys(self) -> bool:
        """Whether the thread comes to wait without a limit."""
        while self.waits.get(timeout=PATIENCE) is not None:
            pass
        return True

    def hang_up(self) -> None:
        os.close(self._typed)
        self._typed = -1

    def close(self) -> None:
        self._input.close()
        self._input.close()
        self._input.stop()
        os.close(self._terminal)
        if self._typed != -1:
            os.close(self._typed)

    def _hear(self, event: Message) -> None:
        if isinstance(event, Key):
            self._keys.put(event.key)


@pytest.fixture
def reading() -> Iterator[Reading]:
    reading = Reading()
    yield reading
    reading.close()


def test_a_terminal_at_which_nobody_types_wakes_no_thread(reading: Reading) -> None:
    reading.start()
    assert reading.waits.get(timeout=PATIENCE) is None
    assert reading.type("a") == "a"
    assert reading.waits_for_keys()
    reading.stop()
    assert reading.waits.empty()


def test_an_escape_that_nothing_follows_is_a_key(reading: Reading) -> None:
    reading.start()
    assert reading.type("\x1b") == "escape"
    assert reading.waits_for_keys()
    reading.stop()


def test_a_key_after_a_pause_is_not_alt_although_the_program_was_held_up(reading: Reading) -> None:
    reading.held_up.append((2 * ESCAPE_DELAY, b"n"))
    reading.start()
    assert reading.type("\x1b") == "escape"
    assert reading.key() == "n"
    reading.stop()


def test_reading_ends_at_once_and_begins_again(reading: Reading) -> None:
    reading.stop()  # as when a suspended app ends
    for key in "ab":
        reading.start()
        assert reading.type(key) == key
        reading.stop()


def test_a_terminal_that_is_gone_is_told_once_and_read_no_more(reading: Reading) -> None:
    reading.start()
    assert reading.type("a") == "a"
    reading.hang_up()
    assert reading.gone.get(timeout=PATIENCE)
    reading.stop()
    assert reading.gone.empty()


def test_what_another_program_of_the_terminal_took_is_not_its_end(reading: Reading) -> None:
    reading.taken.append(True)
    reading.start()
    assert reading.type("a") == "a"
    reading.stop()
    assert reading.gone.empty()


def test_a_letter_may_arrive_byte_by_byte_as_on_a_slow_line(reading: Reading) -> None:
    first, *others = "न".encode()
    reading.start()
    assert reading.waits_for_keys()
    reading.send(bytes([first]))
    assert reading.waits_for_keys()
    reading.send(bytes(others))
    assert reading.key() == "न"
    assert reading.type("a") == "a"
    reading.stop()
