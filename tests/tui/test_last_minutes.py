"""The last minutes: a banner at five, large digits in the last one, and a signal where it is wanted."""

from datetime import timedelta

import pytest

from lms_tui.common.settings import Appearance, Runner, TimeSignal
from lms_tui.tui.screens.runner.last_minutes import LastMinutes
from lms_tui.views.time_left import banner
from tests.fakes.attempts import AttemptInMemory, an_exam, two_sections
from tests.fakes.sitting import settings, sitting


async def test_a_banner_begins_at_five_minutes_and_large_digits_in_the_last() -> None:
    async with sitting(AttemptInMemory(an_exam(3), duration=timedelta(minutes=6)), size=(80, 24)) as sit:
        await sit.jump(59)
        assert "ends by itself" not in sit.text()
        await sit.jump(2)
        assert "4:59 left. The exam ends by itself." in sit.text()
        assert not sit.app.runner.query_one("Digits").display
        await sit.jump(240)
        assert "0:59 left." in sit.text()
        assert sit.app.runner.query_one("Digits").display
        assert "Question 1 of 3" in sit.text()
        await sit.press("b")
        assert sit.chosen(1) == (12,)
        await sit.jump(60)
        assert "ends by itself" not in sit.text()


async def test_the_banner_of_a_section_speaks_of_the_section() -> None:
    service = AttemptInMemory(an_exam(4), sections=two_sections())
    async with sitting(service, size=(80, 24)) as sit:
        await sit.jump(30 * 60 - 200)
        assert "3:20 left. This section ends by itself." in sit.text()


@pytest.mark.parametrize("reduced", [False, True])
async def test_the_colours_pulse_but_not_with_reduced_motion(reduced: bool) -> None:
    async with sitting(AttemptInMemory(an_exam(3), duration=timedelta(minutes=2))) as sit:
        sit.app.animation_level = "none" if reduced else "full"
        await sit.jump(70)
        found = []
        for _ in range(4):
            await sit.jump(1)
            found.append(sit.app.runner.query_one(LastMinutes).has_class("-dim"))
        assert any(found) is not reduced


@pytest.mark.parametrize("size", [(40, 12), (60, 20), (80, 24), (200, 60)])
async def test_the_question_stays_visible_in_every_window(size: tuple[int, int]) -> None:
    chosen = settings(Appearance(ascii=True))
    service = AttemptInMemory(an_exam(3), duration=timedelta(minutes=2))
    async with sitting(service, size=size, chosen=chosen) as sit:
        await sit.jump(90)
        assert "Question number 1" in sit.text()
        assert ("left. The exam" in sit.text()) is (size[1] >= 18)
        assert sit.text().isascii()


@pytest.mark.parametrize("signal", TimeSignal)
async def test_a_signal_is_given_once_at_each_threshold(signal: TimeSignal, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = settings(runner=Runner(time_signal=signal))
    service = AttemptInMemory(an_exam(3), duration=timedelta(minutes=11))
    async with sitting(service, chosen=chosen) as sit:
        bells: list[str] = []
        written: list[str] = []
        monkeypatch.setattr(sit.app, "bell", lambda: bells.append("bell"))
        monkeypatch.setattr(sit.app._driver, "write", written.append)
        for _ in range(10):
            await sit.jump(63)
        notices = [text for text in written if text.startswith("\x1b]9;")]
        assert len(bells) == (3 if signal is TimeSignal.BELL else 0)
        assert notices == (
            [f"\x1b]9;lms-tui: {left} left.\x07" for left in ("10 minutes", "5 minutes", "1 minute")]
            if signal is TimeSignal.NOTICE
            else []
        )


def test_there_is_no_banner_without_a_time_limit_or_after_the_end() -> None:
    assert [banner(left, section=False) for left in (None, 0.0, 301.0)] == ["", "", ""]
