"""Each subject over one's own attempts, with its marks and a trend."""

from datetime import UTC, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from lms_tui.views.rows import cells, plain
from lms_tui.views.subject_history import (
    MOST_ATTEMPTS,
    history_rows,
    history_words,
    last_finished,
    subject_histories,
)
from lms_tui.wire.attempts import Attempt, SubjectAnalytics
from lms_tui.wire.errors import Forbidden, Offline
from tests.fakes import institute
from tests.fakes.lms import FakeLms
from tests.fakes.program import program


def attempt(number: int, days: int) -> Attempt:
    finished = institute.finished(number, institute.JEE, 30, 10)
    return finished.model_copy(update={"date": institute.NOW + timedelta(days=days)})


def subject(name: str, correct: int, score: str | None = None, **fields: int) -> SubjectAnalytics:
    marks = None if score is None else Decimal(score)
    return SubjectAnalytics(
        id=len(name), name=name, total=10, correct=correct, incorrect=10 - correct, score=marks
    ).model_copy(update=fields)


def test_a_subject_has_its_marks_in_each_attempt_and_a_trend() -> None:
    taken = [
        (attempt(1, 0), [subject("Optics", 4, "12"), subject("Waves!", 1)]),
        (attempt(2, 6), [subject("Optics", 7, "26.5")]),
    ]
    histories = subject_histories(taken, UTC)
    assert history_words(histories) == [
        "Optics: 40 %, then 70 % correct. 14 Mar 2026: 12 marks. 20 Mar 2026: 26.5 marks.",
        "Waves!: 10 % correct. 14 Mar 2026: 1 of 10 correct.",
    ]
    told = " ".join(plain(line) for line in history_rows(histories, 60))
    assert "▁█" in told
    assert "40 % → 70 % correct" in told


def test_the_name_of_a_subject_is_cut_only_without_room_and_never_touches_its_trend() -> None:
    long = "Waves and light"
    taken = [(attempt(number, number), [subject(long, 4 + number)]) for number in (1, 2)]
    histories = subject_histories(taken, UTC)
    assert plain(history_rows(histories, 47)[0]).startswith(f"{long}  ▁█")
    assert plain(history_rows(histories, 38)[0]).startswith("Waves and li…  ▁█")
    assert plain(history_rows(histories, 30)[0]).startswith(long)


def test_a_subject_with_parts_and_one_without_questions_are_left_out() -> None:
    parts = [subject("Physics", 4), subject("Optics", 4, parent=len("Physics")), SubjectAnalytics(id=99, name="None")]
    assert [history.name for history in subject_histories([(attempt(1, 0), parts)])] == ["Optics"]


def test_the_last_finished_attempts_count_the_oldest_first() -> None:
    attempts = [attempt(number, -number) for number in range(1, 12)]
    running = attempt(20, 3).model_copy(update={"state": "Running"})
    assert [each.id for each in last_finished([running, *attempts])] == list(range(MOST_ATTEMPTS, 0, -1))


@pytest.mark.parametrize("room", [20, 36, 76, 196])
def test_the_rows_fit(room: int) -> None:
    names = ("Optics", "A subject with a name that is longer than the room", "دوسرا")
    taken = [(attempt(n, n), [subject(name, (n * 3) % 10, "7.25") for name in names]) for n in range(8)]
    assert all(cells(line) <= room for line in history_rows(subject_histories(taken), room))


async def test_the_statistics_show_the_subjects_of_the_attempts(tmp_path: Path) -> None:
    lms = FakeLms()
    lms.faults.fail("attempts.subjects", Forbidden("The result is not open yet."))
    async with program(tmp_path, lms) as run:
        await run.press("s")
        await run.settle()
        seen = run.words
        for _ in range(6):
            await run.press("pagedown")
            seen += run.words
        assert "80 % → 80 % correct" in seen
        assert "46 marks" in seen


async def test_a_server_that_cannot_be_reached_is_told_in_the_card(tmp_path: Path) -> None:
    lms = FakeLms()
    async with program(tmp_path, lms, size=(80, 60)) as run:
        lms.faults.fail("attempts.subjects", Offline("The server cannot be reached."))
        await run.press("s")
        await run.settle()
        assert "The server cannot be reached." in run.words
        await run.press("r")
        await run.settle()
        assert "The server cannot be reached." not in run.words
