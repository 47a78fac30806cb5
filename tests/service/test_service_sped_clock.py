"""The clock of a dry run in the service: from a moment on, at a speed, also where the service is started again."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from lms_tui.service.core import settings as module
from lms_tui.service.core.settings import ServiceSettings, Timing, system_clock


def test_a_restarted_service_continues_with_the_same_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = datetime(2026, 5, 1, 9, tzinfo=UTC)
    since = datetime(2026, 4, 1, 9, tzinfo=UTC)
    settings = ServiceSettings(tmp_path, speed=60, since=since, begun=begun)
    monkeypatch.setattr(module, "system_clock", lambda: begun + timedelta(minutes=1))
    assert settings.clock() == since + timedelta(hours=1)
    monkeypatch.setattr(module, "system_clock", lambda: begun + timedelta(minutes=2))
    assert settings.clock() == since + timedelta(hours=2)


def test_a_service_of_an_institute_has_the_clock_of_the_computer(tmp_path: Path) -> None:
    assert ServiceSettings(tmp_path).clock is system_clock


def test_the_grace_period_is_not_sped_up() -> None:
    timing = Timing().sped_up(60)
    assert timing.grace == Timing().grace * 60
    assert timing.pause_after == Timing().pause_after
