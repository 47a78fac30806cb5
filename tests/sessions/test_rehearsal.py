"""The app takes an exam by itself before the first session, and leaves nothing behind."""

import os
import threading
from pathlib import Path

import pytest

from lms_tui.runtime.sessions import rehearsal


def test_each_question_but_the_last_is_answered_and_nothing_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    threads, environment = set(threading.enumerate()), dict(os.environ)
    assert rehearsal.rehearse() == rehearsal.QUESTIONS - 1
    assert set(threading.enumerate()) == threads, "a process with threads must not fork"
    assert dict(os.environ) == environment
    assert not list(tmp_path.iterdir())
    assert capsys.readouterr() == ("", "")


def test_a_failed_rehearsal_is_told_and_does_not_keep_sessions_from_starting(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Broken:
        def __init__(self, *_given: object, **_named: object) -> None:
            raise ValueError("broken")

    monkeypatch.setattr(rehearsal, "OneUser", Broken)
    assert rehearsal.rehearse() == 0
    assert capsys.readouterr().err == "The rehearsal has failed: ValueError('broken')\n"
