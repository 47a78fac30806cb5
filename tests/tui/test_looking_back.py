"""The result, the review and the statistics on the screen."""

from pathlib import Path

import pytest

from lms_tui.wire.errors import Offline
from lms_tui.wire.stats import StudentStats
from tests.fakes import institute
from tests.fakes.lms import FakeLms
from tests.fakes.program import Program, program


async def to_result(run: Program) -> None:
    """The best of three attempts at the long exam."""
    await run.press("down", "down", "down", "down", "enter")
    await run.settle()


async def to_review(run: Program) -> None:
    await to_result(run)
    await run.press("enter")
    await run.settle()


# Result.


async def test_result_shows_score_answers_subjects_times_and_earlier_attempts(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        await to_result(run)
        text = run.words
        for told in ("195 of 300", "4 of 139", "✓ right 52", "Mechanics", "average 1 min", "36 better than your best"):
            assert told in text


@pytest.mark.parametrize("size", [(40, 12), (80, 24), (240, 70)])
async def test_every_card_of_the_result_is_reached_by_scrolling(tmp_path: Path, size: tuple[int, int]) -> None:
    async with program(tmp_path, size=size) as run:
        await to_result(run)
        seen = run.text()
        for _ in range(14):
            await run.press("pagedown")
            seen += run.text()
        for title in ("Score", "Answers", "Your attempts", "Subjects", "Time for each question", "longest"):
            assert title in seen


async def test_one_part_that_fails_leaves_the_others_and_can_be_tried_again(tmp_path: Path) -> None:
    lms = FakeLms()
    lms.faults.fail("attempts.subjects", Offline("The server cannot be reached."))
    async with program(tmp_path, lms) as run:
        await to_result(run)
        assert "195 of 300" in run.words
        assert "The server cannot be reached." in run.words
        await run.press("ctrl+r")
        assert "Mechanics" in run.words


async def test_an_exam_can_be_taken_again_from_its_result(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        await to_result(run)
        await run.press("t")
        assert run.screen == "InstructionsScreen"
        await run.press("escape")
        assert run.screen == "AttemptsScreen"


async def test_an_exam_without_retakes_says_so(tmp_path: Path) -> None:
    lms = FakeLms()
    lms.attempts.known = [institute.finished(1, institute.JEE, 30, 10, allow_retake=False)]
    async with program(tmp_path, lms) as run:
        await run.press("end", "enter", "t")
        assert "cannot be taken again" in run.notices


# Review.


async def test_review_shows_outcomes_and_the_question_with_its_answers(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        await to_review(run)
        assert "✓ correct" in run.text()
        assert "Question 1 of 75 · Physics" in run.text()
        await run.press("n", "n")
        assert "✗ D  11  ◂ yours" in run.text()
        assert "Explanation" in run.text()
        await run.press("p")
        assert "Question 2 of 75" in run.text()


async def test_the_next_wrong_answer_is_one_key_away_and_read_from_the_server_when_needed(tmp_path: Path) -> None:
    async with program(tmp_path, size=(80, 12)) as run:
        await to_review(run)
        seen = []
        for _ in range(8):
            await run.press("i")
            await run.settle()
            seen.append(next(row for row in run.rows() if "Question " in row).split("Question ")[1].split()[0])
        assert seen == ["3", "6", "9", "12", "18", "21", "24", "27"]


async def test_pages_of_the_review_are_read_as_far_as_someone_looks(tmp_path: Path) -> None:
    async with program(tmp_path, size=(80, 14)) as run:
        await to_review(run)
        run.lms.attempts.review_pages = 0
        await run.press("escape", "enter")
        await run.settle()
        assert run.lms.attempts.review_pages <= 2


async def test_filters_show_one_outcome_or_one_subject(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        await to_review(run)
        await run.press("f")
        assert "Shown: incorrect" in run.notices
        assert "Question 3 of 75" in run.text()
        await run.press("f")
        assert "Question 5 of 75" in run.text()
        assert "You gave no answer." in run.text()
        await run.press("f", "f", "f")
        await run.press("s", "down", "enter")
        assert "Question 4 of 75 · Chemistry" in run.text()
        assert "25 of 75" in run.text()


async def test_a_question_is_gone_to_by_its_number(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        await to_review(run)
        await run.press("g")
        await run.type("999")
        await run.press("enter")
        assert "There is no question with this number" in run.words
        await run.press("backspace", "backspace", "backspace")
        await run.type("14")
        await run.press("enter")
        assert "Question 14 of 75" in run.text()


async def test_review_that_breaks_off_goes_on_when_asked(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        await to_result(run)
        run.lms.faults.fail("attempts.review", Offline("The server cannot be reached."))
        await run.press("enter")
        assert "The server cannot be reached." in run.words
        await run.press("ctrl+r")
        assert "Question 1 of 75" in run.text()


async def test_formulas_change_their_style_by_one_key(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        await to_review(run)
        before = run.text()
        await run.press("v", "v")
        assert "3t^2" in run.text()
        await run.press("v")
        assert run.text() == before


async def test_in_the_smallest_terminal_the_question_has_the_whole_width(tmp_path: Path) -> None:
    async with program(tmp_path, size=(40, 12)) as run:
        await to_review(run)
        assert "Question 1 of 75" in run.text()
        await run.press("n", "n")
        assert "✗ incorrect" in run.text()


# Statistics.


@pytest.mark.parametrize("size", [(40, 12), (80, 24), (120, 40)])
async def test_statistics_show_progress_trend_and_report_cards(tmp_path: Path, size: tuple[int, int]) -> None:
    async with program(tmp_path, size=size) as run:
        await run.press("s")
        await run.settle()
        seen = run.words
        for _ in range(8):
            await run.press("pagedown")
            seen += run.words
        for told in ("5 of 9", "Report card: Term 1", "Scores over time", "average"):
            assert told in seen
        await run.press("escape")
        assert run.screen == "AttemptsScreen"


async def test_statistics_without_anything_say_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lms = FakeLms()
    lms.attempts.known = []
    monkeypatch.setattr(institute, "STATS", StudentStats())
    async with program(tmp_path, lms) as run:
        await run.press("s")
        await run.settle()
        assert "No report card is published yet." in run.words
        assert "No finished attempt has a score yet." in run.words


async def test_statistics_that_fail_are_asked_for_again(tmp_path: Path) -> None:
    lms = FakeLms()
    lms.faults.fail("stats", Offline("The server cannot be reached."))
    async with program(tmp_path, lms) as run:
        await run.press("s")
        await run.settle()
        assert "The server cannot be reached." in run.words
        await run.press("r")
        await run.settle()
        assert "5 of 9" in run.words
