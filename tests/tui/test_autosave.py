"""When typed text is saved: at a pause, at the latest after two ticks, and at once near the end."""

from collections.abc import Callable

from lms_tui.attempt.events import Wrote
from lms_tui.tui.screens.runner.autosave import HURRY, LONGEST, PAUSE, Autosave


class Delay:
    """A timer that a test fires."""

    def __init__(self, seconds: float, callback: Callable[[], None]) -> None:
        self.seconds = seconds
        self.stopped = False
        self._callback = callback

    def stop(self) -> None:
        self.stopped = True

    def fire(self) -> None:
        assert not self.stopped
        self._callback()


class Desk:
    def __init__(self) -> None:
        self.saved: list[str] = []
        self.delays: list[Delay] = []
        self.autosave = Autosave[Wrote](lambda event: self.saved.append(event.text), self._later)

    def _later(self, seconds: float, callback: Callable[[], None]) -> Delay:
        self.delays.append(Delay(seconds, callback))
        return self.delays[-1]

    def write(self, text: str, field: str = "short_text") -> None:
        self.autosave.write(Wrote(1, field, text))


def test_text_is_saved_after_a_pause_in_typing() -> None:
    desk = Desk()
    desk.write("h")
    desk.write("hi")
    first, second = desk.delays
    assert (first.stopped, first.seconds) == (True, PAUSE)
    assert (second.stopped, second.seconds) == (False, PAUSE)
    assert desk.saved == []
    second.fire()
    assert desk.saved == ["hi"]


def test_the_pause_is_four_tenths_of_a_second() -> None:
    assert PAUSE == 0.4


def test_text_is_saved_after_two_ticks_without_a_pause() -> None:
    desk = Desk()
    for tick in range(LONGEST):
        assert desk.saved == []
        desk.write("h" * (tick + 1))
        desk.autosave.tick(None)
    assert desk.saved == ["hh"]


def test_every_key_is_saved_at_once_in_the_last_seconds() -> None:
    desk = Desk()
    desk.autosave.tick(HURRY - 1)
    desk.write("h")
    desk.write("hi")
    assert desk.saved == ["h", "hi"]


def test_text_of_one_field_is_saved_before_text_of_another_is_queued() -> None:
    desk = Desk()
    desk.write("one", "1")
    desk.write("two", "2")
    assert desk.saved == ["one"]
    desk.delays[-1].fire()
    assert desk.saved == ["one", "two"]


def test_saved_text_is_not_saved_again_by_its_timer() -> None:
    desk = Desk()
    desk.write("hi")
    desk.autosave.flush()
    assert desk.delays[-1].stopped
    desk.autosave.flush()
    assert desk.saved == ["hi"]
