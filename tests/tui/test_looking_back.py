"""The result, the review and the statistics on the screen."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from textual.widgets import Input

from lms_tui.wire.attempts import Attempt, ReviewQuestion
from lms_tui.wire.errors import Forbidden, Offline
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


async def test_the_result_shows_score_answers_subjects_times_and_earlier_attempts(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        await to_result(run)
        text = run.words
        for told in ("195 of 300", "4 of 139", "✓ correct 52", "Mechanics", "average 1 min", "36 more than your best"):
            assert told in text


@pytest.mark.parametrize("size", [(40, 12), (80, 24), (240, 70)])
async def test_every_card_of_the_result_can_be_scrolled_to(tmp_path: Path, size: tuple[int, int]) -> None:
    async with program(tmp_path, size=size) as run:
        await to_result(run)
        seen = run.text()
        for _ in range(16):
            await run.press("pagedown")
            seen += run.text()
        for title in (
            "Score",
            "Answers",
            "Accuracy and speed",
            "Your attempts",
            "Subjects",
            "Strengths and weaknesses",
        ):
            assert title in seen
        for told in ("Time for each question", "longest", "195 of 300", "more than your best"):
            assert told in seen


async def test_a_failed_part_of_the_result_can_be_loaded_again(tmp_path: Path) -> None:
    lms = FakeLms()
    async with program(tmp_path, lms) as run:
        lms.faults.fail("attempts.subjects", Offline("The server cannot be reached."))
        await to_result(run)
        assert "195 of 300" in run.words
        assert "The server cannot be reached." in run.words
        await run.press("ctrl+r")
        assert "Mechanics" in run.words


async def test_answers_that_are_shown_later_are_no_fault(tmp_path: Path) -> None:
    lms = FakeLms()
    async with program(tmp_path, lms) as run:
        lms.faults.fail("attempts.review", Forbidden("The answers are shown after it closes."))
        await to_result(run)
        assert "195 of 300" in run.words
        assert "The answers are shown after it closes." in run.words
        assert "! The answers" not in run.words
        assert "Ask your institute" not in run.words


async def test_an_exam_can_be_retaken_from_its_result(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        await to_result(run)
        await run.press("t")
        assert run.screen == "InstructionsScreen"
        await run.press("escape")
        assert run.screen == "AttemptsScreen"


async def test_an_exam_without_retakes_has_a_message(tmp_path: Path) -> None:
    lms = FakeLms()
    lms.attempts.known = [institute.finished(1, institute.JEE, 30, 10, allow_retake=False)]
    async with program(tmp_path, lms) as run:
        await run.press("end", "enter")
        await run.settle()
        assert "t retake" not in run.rows()[-1]
        await run.press("t")
        assert "You cannot take this exam again" in run.notices


async def test_the_time_chart_opens_the_review_at_its_question(tmp_path: Path) -> None:
    async with program(tmp_path, size=(80, 24)) as run:
        await to_result(run)
        await run.press(*["right"] * 41, "left")
        assert "▲41" in run.text()
        assert "Question 41 of 75 · Mathematics" in run.text()
        await run.press("enter")
        await run.settle()
        assert run.screen == "ReviewScreen"
        assert "Question 41 of 75" in run.text()
        await run.press("escape")
        assert "▲41" in run.text()


async def test_a_column_of_the_chart_is_selected_and_opened_by_mouse(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        await to_result(run)
        await run.pilot.click("#time", offset=(30, 4))
        await run.settle()
        chosen = next(row for row in run.rows() if "▲" in row).split("▲")[1].split()[0]
        assert int(chosen) > 1
        await run.pilot.click("#time", offset=(45, 12))
        await run.settle()
        assert f"▲{chosen}" in run.text()
        await run.pilot.click("#time", offset=(30, 4), times=2)
        await run.settle()
        await run.settle()
        assert f"Question {chosen} of 75" in run.text()
        assert run.screen == "ReviewScreen"


async def test_subjects_are_opened_and_closed_by_key_and_by_mouse(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        await to_result(run)
        assert "▾ Physics" in run.text()
        await run.press("o")
        assert "▸ Physics" in run.text()
        assert "Optics" not in run.text()
        await run.press("tab", "enter")
        assert "▾ Physics" in run.text()
        await run.press("down", "enter", "space")
        assert "▸ Physics" in run.text()
        await run.pilot.click("#subjects", offset=(6, 2))
        await run.settle()
        assert "▾ Physics" in run.text()


async def test_the_review_is_saved_as_a_pdf_and_its_path_is_shown(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        await to_result(run)
        kept = tmp_path / "downloads" / "jee-main-shift-1-180.pdf"
        await run.press("p")
        assert str(kept) in run.app.screen.query_one(Input).value
        await run.press("enter")
        await run.settle()
        assert kept.read_bytes().startswith(b"%PDF-")
        assert kept.stat().st_mode & 0o077 == 0
        assert f"Saved as {kept}" in run.notices
        assert "PDF saved as" in run.words
        await run.press("p", "enter")
        await run.settle()
        assert kept.with_name("jee-main-shift-1-180-2.pdf").exists()


async def test_a_pdf_is_saved_where_the_user_wants_it(tmp_path: Path) -> None:
    (tmp_path / "desk").mkdir()
    async with program(tmp_path) as run:
        await to_result(run)
        await run.press("p")
        field = run.app.screen.query_one(Input)
        field.value = str(tmp_path / "nowhere" / "review.pdf")
        await run.press("enter")
        assert "There is no folder" in run.words
        field.value = str(tmp_path / "desk" / "mine")
        await run.press("enter")
        await run.settle()
        assert (tmp_path / "desk" / "mine.pdf").read_bytes().startswith(b"%PDF-")
        await run.press("p")
        run.app.screen.query_one(Input).value = str(tmp_path / "desk")
        await run.press("enter")
        await run.settle()
        assert (tmp_path / "desk" / "jee-main-shift-1-180.pdf").exists()
        await run.press("p", "escape")
        assert len(list((tmp_path / "desk").iterdir())) == 2


async def test_the_result_can_be_left_during_a_pdf_download(tmp_path: Path) -> None:
    lms = FakeLms()
    asked, never = asyncio.Event(), asyncio.Event()

    async def slow(attempt: Attempt, progress: Callable[[int, int | None], None]) -> bytes:
        progress(400_000, 1_200_000)
        asked.set()
        await never.wait()
        return b""

    lms.attempts.review_pdf = slow  # type: ignore[method-assign]  # a service that prints for a long time
    async with program(tmp_path, lms) as run:
        await to_result(run)
        await run.pilot.press("p", "enter")
        await asked.wait()
        await run.pilot.pause()
        assert "PDF 400 KB of 1.2 MB" in run.text()
        await run.pilot.press("right")
        await run.pilot.pause()
        assert "▲2" in run.text()
        await run.pilot.press("escape")
        await run.pilot.pause()
        assert run.screen == "AttemptsScreen"


async def test_a_failed_pdf_download_shows_the_reason(tmp_path: Path) -> None:
    lms = FakeLms()
    lms.faults.fail("attempts.review_pdf", Offline("The server cannot be reached."))
    async with program(tmp_path, lms) as run:
        await to_result(run)
        await run.press("p", "enter")
        await run.settle()
        assert "The server cannot be reached." in run.notices
        assert not (tmp_path / "downloads").exists()


# Review.


async def test_review_shows_outcomes_and_the_question_with_its_answers(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        await to_review(run)
        assert "✓ correct" in run.text()
        assert "Question 1 of 75 · Physics" in run.text()
        await run.press("n", "n")
        assert "✗ D  11  ◂ your answer" in run.text()
        assert "Explanation" in run.text()
        await run.press("p")
        assert "Question 2 of 75" in run.text()


async def test_the_page_keys_scroll_the_question_of_a_review(tmp_path: Path) -> None:
    async with program(tmp_path, size=(100, 14)) as run:
        await to_review(run)
        assert "Explanation" not in run.text()
        await run.press("pagedown", "pagedown")
        assert "Question 1 of 75" in run.text()
        assert "Explanation" in run.text()
        await run.press("pageup", "pageup")
        assert "✓ correct   one answer" in run.text()
        assert "above" not in run.text()


async def test_the_lines_of_a_review_stay_readable_in_a_wide_window(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reviewed, words = institute.reviewed, "Every word of this explanation must be read. " * 12

    def long_winded(number: int) -> ReviewQuestion:
        question = reviewed(number)
        body = question.question.model_copy(update={"explanation_html": words})
        return question.model_copy(update={"question": body})

    monkeypatch.setattr(institute, "reviewed", long_winded)
    async with program(tmp_path, size=(240, 60)) as run:
        await to_review(run)
        lines = [row.split("│")[2].strip() for row in run.rows() if "must be read" in row]
        assert 80 < max(map(len, lines)) <= 96


async def test_one_key_goes_to_the_next_incorrect_answer_and_loads_it_if_needed(tmp_path: Path) -> None:
    async with program(tmp_path, size=(80, 12)) as run:
        await to_review(run)
        seen = []
        for _ in range(8):
            await run.press("i")
            await run.settle()
            seen.append(next(row for row in run.rows() if "Question " in row).split("Question ")[1].split()[0])
        assert seen == ["3", "6", "9", "12", "18", "21", "24", "27"]


async def test_pages_of_the_review_are_loaded_when_scrolled_to(tmp_path: Path) -> None:
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
        assert "Showing incorrect and partly correct questions" in run.notices
        assert "Question 3 of 75" in run.text()
        await run.press("f")
        assert "Question 5 of 75" in run.text()
        assert "You gave no answer." in run.text()
        await run.press("f", "f", "f")
        await run.press("s", "down", "enter")
        assert "Question 4 of 75 · Chemistry" in run.text()
        assert "25/75" in run.text()


async def test_only_the_newest_message_of_a_filter_stands(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        await to_review(run)
        await run.press("f", "f", "f")
        assert run.notices == "Showing marked questions"


async def test_the_filter_of_the_list_is_shown_in_full_in_a_narrow_window(tmp_path: Path) -> None:
    async with program(tmp_path, size=(80, 24)) as run:
        await to_review(run)
        for kind in ("incorrect", "unanswered", "marked", "slow"):
            await run.press("f")
            await run.settle()
            assert f" {kind} " in run.rows()[1].split("╮")[0]
        await run.press("escape", "s", "down", "down", "enter")
        assert "24/75  Mathematics" in run.text()


async def test_escape_clears_the_filters_before_it_leaves_the_review(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        await to_review(run)
        await run.press("f")
        assert "incorrect" in run.text()
        await run.press("escape")
        assert "75 questions" in run.text()
        await run.press("escape")
        assert run.screen == "ResultScreen"


async def test_questions_are_found_by_their_words_on_any_page(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        await to_review(run)
        await run.press("slash")
        await run.type("protons ACID")
        await run.press("enter")
        for _ in range(4):
            await run.settle()
        assert "12/75" in run.text()
        assert "Question 4 of 75" in run.text()
        await run.press("slash", "end", "ctrl+u")
        await run.type("no such word")
        await run.press("enter")
        for _ in range(4):
            await run.settle()
        assert "No question matches." in run.words


async def test_one_key_goes_to_the_previous_incorrect_answer(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        await to_review(run)
        await run.press("i", "i", "i", "I")
        assert "Question 6 of 75" in run.text()


async def test_missed_questions_can_be_practised_without_requests(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        await to_review(run)
        await run.press("t")
        asked = dict(run.lms.faults.calls)
        assert "Question 3 of 75" in run.text()
        assert "yours" not in run.text()
        await run.press("c")
        assert "✓ Now correct (before: incorrect)" in run.text()
        assert "practice: 1 correct of 1 tried" in run.text()
        await run.press("n", "enter")
        assert "Explanation" in run.text()
        assert {name: n for name, n in run.lms.faults.calls.items() if name != "attempts.review"} == {
            name: n for name, n in asked.items() if name != "attempts.review"
        }
        await run.press("escape")
        assert "75 questions" in run.text()


async def test_practice_is_refused_if_the_exam_cannot_be_retaken(tmp_path: Path) -> None:
    lms = FakeLms()
    lms.attempts.known = [institute.finished(1, institute.JEE, 30, 10, allow_retake=False)]
    async with program(tmp_path, lms) as run:
        await run.press("end", "enter")
        await run.settle()
        await run.press("enter")
        await run.settle()
        await run.press("t")
        assert "You cannot take this exam again" in run.notices
        assert "75 questions" in run.text()


async def test_go_to_opens_a_question_by_its_number(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        await to_review(run)
        await run.press("g")
        await run.type("999")
        await run.press("enter")
        assert "No question in the list has this number" in run.words
        await run.press("backspace", "backspace", "backspace")
        await run.type("14")
        await run.press("enter")
        assert "Question 14 of 75" in run.text()


async def test_a_review_that_fails_can_be_continued(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        await to_result(run)
        run.lms.faults.fail("attempts.review", Offline("The server cannot be reached."))
        await run.press("enter")
        assert "The server cannot be reached." in run.words
        await run.press("ctrl+r")
        assert "Question 1 of 75" in run.text()


async def test_one_key_changes_the_style_of_formulas(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        await to_review(run)
        before = run.text()
        await run.press("v", "v")
        assert "3t^2" in run.text()
        await run.press("v")
        assert run.text() == before


async def test_the_question_has_the_whole_width_in_the_smallest_window(tmp_path: Path) -> None:
    async with program(tmp_path, size=(40, 12)) as run:
        await to_review(run)
        assert "Question 1 of 75" in run.text()
        await run.press("n", "n")
        assert "✗ incorrect" in run.text()


async def test_the_name_of_the_program_gives_way_to_the_title_of_the_screen(tmp_path: Path) -> None:
    lms = FakeLms()
    lms.attempts.known = [institute.finished(1, institute.exam("long", "Every Type of Question"), 30, 10)]
    async with program(tmp_path, lms, size=(40, 12)) as run:
        assert run.rows()[0].strip() == "lms-tui  Exams"
        await run.press("end", "enter")
        await run.settle()
        assert run.rows()[0].strip() == "Every Type of Question: result"


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


@pytest.mark.parametrize("attempts", [4, 8])
async def test_numbers_above_the_scores_never_touch(tmp_path: Path, attempts: int) -> None:
    lms = FakeLms()
    lms.attempts.known = [institute.finished(number, institute.JEE, 40, 0) for number in range(1, attempts + 1)]
    async with program(tmp_path, lms, size=(100, 30)) as run:
        await run.press("s")
        await run.settle()
        assert "Scores over time" in run.text()
        numbers = next(row for row in run.rows() if row.count("53") == attempts)
        assert "%53" not in numbers


async def test_empty_statistics_have_a_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lms = FakeLms()
    lms.attempts.known = []
    monkeypatch.setattr(institute, "STATS", StudentStats())
    async with program(tmp_path, lms) as run:
        await run.press("s")
        await run.settle()
        assert "No report cards yet." in run.words
        assert "No finished attempt has a score yet." in run.words
        assert "Scores over time" not in run.words


async def test_failed_statistics_can_be_loaded_again(tmp_path: Path) -> None:
    lms = FakeLms()
    async with program(tmp_path, lms) as run:
        lms.faults.fail("stats", Offline("The server cannot be reached."))
        await run.press("s")
        await run.settle()
        assert "The server cannot be reached." in run.words
        await run.press("r")
        await run.settle()
        assert "5 of 9" in run.words


async def test_the_search_of_a_review_says_what_it_takes(tmp_path: Path) -> None:
    async with program(tmp_path, size=(80, 24)) as run:
        await to_review(run)
        await run.press("/")
        assert "Words of the question, its answers or its explanation." in run.words
