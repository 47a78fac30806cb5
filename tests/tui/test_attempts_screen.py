from decimal import Decimal
from pathlib import Path

import pytest

from lms_tui.attempt.journal.memory import MemoryJournals
from lms_tui.attempt.ports import AttemptKey, Entry, Unfinished
from lms_tui.attempt.values import Answer
from lms_tui.client.port import ExamState
from lms_tui.tui import dialogs
from lms_tui.views.attempts import ExamGroup, ExamLists, details
from lms_tui.wire.errors import Offline, ServerFault, SignInNeeded
from tests.fakes import institute
from tests.fakes.lms import FakeLms, without_exam_lists
from tests.fakes.mouse import press
from tests.fakes.program import program


async def test_the_exam_list_shows_running_available_upcoming_and_done_exams(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        text = run.text()
        order = [text.index(word) for word in ("Resume", "Available", "Upcoming", "Done")]
        assert order == sorted(order)
        assert "1:12:07" in text
        assert "195/300" in text


async def test_details_are_beside_the_list_only_in_a_wide_window(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        await run.press("end", "up")
        assert "+4 correct, −1 incorrect" in run.words
    async with program(tmp_path, size=(80, 24)) as run:
        assert "Details" not in run.text()
        assert "195/300" in run.text()


def test_the_details_of_the_only_attempt_tell_its_score_once() -> None:
    only = institute.attempt(1, institute.JEE, score=Decimal(12))
    lists = ExamLists(attempts=(only,))
    row = next(item for item in lists.items() if item.kind is ExamGroup.DONE)
    told = " ".join(span.text for line in details(row, lists, 60, institute.NOW) for span in line)
    assert " 12 " in f" {told} ".replace("/", " ")
    assert "your score" not in told


@pytest.mark.parametrize("size", [(40, 12), (60, 20), (240, 70)])
async def test_the_exam_list_cuts_no_important_title_at_any_size(tmp_path: Path, size: tuple[int, int]) -> None:
    async with program(tmp_path, size=size) as run:
        assert "Numerical literacy" in run.text()
        assert "1:12:07" in run.text()
        await run.press("end")
        assert "8/12" in run.text()


async def test_enter_opens_the_instructions_of_an_available_exam(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        await run.press("down", "enter")
        assert run.screen == "InstructionsScreen"


async def test_enter_on_a_finished_attempt_shows_its_result(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        await run.press("end", "enter")
        assert run.screen == "ResultScreen"


async def test_an_upcoming_exam_says_when_it_opens(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        await run.press("down", "down", "down", "enter")
        assert "Mock test 7 opens 17 Mar" in run.notices
        assert run.screen == "AttemptsScreen"


async def test_rows_are_filtered_as_one_types_and_escape_shows_all_again_and_then_goes_home(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        before = run.lms.faults.calls["attempts.page"]
        await run.press("slash")
        await run.type("literacy")
        assert run.lms.faults.calls["attempts.page"] == before  # every row was loaded
        assert "Numerical literacy" in run.text()
        assert "JEE" not in run.text()
        await run.press("escape")
        assert "JEE" in run.text()
        await run.press("escape")
        assert run.screen == "HomeScreen"


async def test_a_filter_also_finds_what_is_on_pages_that_are_not_loaded(tmp_path: Path) -> None:
    lms = FakeLms()
    known = [institute.finished(number, institute.QUICK, 3, 1) for number in range(2, 91)]
    lms.attempts.known = [*known, institute.finished(1, institute.JEE, 30, 10)]
    async with program(tmp_path, lms, size=(80, 24)) as run:
        await run.press("slash")
        await run.type("jee")
        await run.until(lambda: "JEE Main" in run.text())
        assert "Five quick ones" not in run.text()
        await run.press("escape")
        await run.until(lambda: "Five quick ones" in run.text())


async def test_a_key_sorts_by_each_column_in_turn_and_a_click_on_a_heading_by_that_column(tmp_path: Path) -> None:
    async with program(tmp_path, size=(200, 40)) as run:
        await run.press("o")
        text = run.text()
        assert "Done ↑" in text
        assert text.index("✓ JEE Main") < text.index("✓ Numerical literacy")
        for _ in range(9):
            await run.press("o")
        assert "rank ↑" in run.text()
        await run.press("o")
        assert "↑" not in run.text()
        row = next(y for y, line in enumerate(run.rows()) if " score " in line)
        scores = [("195", "159", "132", "8/12"), ("8/12", "132", "159", "195")]
        for expected in scores:
            x = run.rows()[row].index("score")
            await run.pilot.click(offset=(x, row))
            await run.settle()
            places = [run.text().index(score) for score in expected]
            assert places == sorted(places)


async def test_a_sorted_list_has_every_page(tmp_path: Path) -> None:
    lms = FakeLms()
    exams = [institute.exam(f"e{number}", f"Exam {number:03}") for number in range(90)]
    lms.attempts.known = [institute.finished(100 + number, one, 3, 1) for number, one in enumerate(reversed(exams))]
    lms.exams.lists = {state: [] for state in ExamState}
    async with program(tmp_path, lms, size=(80, 24)) as run:
        assert "Exam 000" not in run.text()
        await run.press("o", "home")
        assert "Exam 000" in run.text()


async def test_an_empty_search_result_has_a_message(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        await run.press("slash")
        await run.type("zoology")
        await run.press("enter")
        assert "No exam matches." in run.text()


async def test_one_course_can_be_shown(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        await run.press("c")
        assert "Choose a course" in run.text()
        await run.press("down", "enter")
        assert "Five quick ones" in run.text()
        assert "JEE" not in run.text()
        await run.press("c", "home", "enter")
        assert "JEE" in run.text()


@pytest.mark.parametrize("size", [(40, 12), (80, 24), (120, 40)])
async def test_the_list_of_courses_is_closed_by_mouse_without_a_choice(tmp_path: Path, size: tuple[int, int]) -> None:
    async with program(tmp_path, size=size) as run:
        await run.press("c")
        await run.settle()
        await press(run, next((row.index("Cancel"), y) for y, row in enumerate(run.rows()) if "Cancel" in row))
        assert run.screen == "AttemptsScreen"
        assert "Numerical literacy" in run.text()


@pytest.mark.parametrize("size", [(40, 12), (80, 24), (120, 40)])
async def test_a_long_list_in_a_dialog_shows_its_chosen_option_and_its_button(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with program(tmp_path, size=size) as run:
        options = [f"Option {number}" for number in range(1, 61)]
        run.app.run_worker(dialogs.choose(run.app, "Choose one", options, chosen=59))
        await run.until(lambda: "Option 60" in run.text())
        assert "Cancel" in run.text()


async def test_an_exam_can_be_started_by_its_link_name(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        await run.press("n", "enter")
        assert "Type the link name." in run.text()
        await run.type("five-minutes")
        await run.press("enter")
        assert run.screen == "InstructionsScreen"
        assert "Five quick ones" in run.text()


async def test_the_error_for_an_unknown_link_name_is_one_sentence(tmp_path: Path) -> None:
    lms = FakeLms()
    async with program(tmp_path, without_exam_lists(lms)) as run:
        await run.press("n")
        await run.type("no-such-exam")
        await run.press("enter")
        assert run.screen == "InstructionsScreen"
        await run.press("enter")
        assert "The server could not find this." in run.words


async def test_without_exam_lists_the_exams_of_attempts_are_offered(tmp_path: Path) -> None:
    async with program(tmp_path, without_exam_lists(FakeLms())) as run:
        assert "Available" in run.text()
        assert "This server has no list of exams." in run.words
        assert "Press n to open an exam by its link name." in run.words
        await run.press("down", "enter")
        assert run.screen == "InstructionsScreen"
        assert "JEE Main" in run.text()


async def test_an_unreachable_server_is_reported_above_the_list_and_r_retries(tmp_path: Path) -> None:
    lms = FakeLms()
    lms.faults.fail("attempts.page", *[Offline("The server cannot be reached.")] * 2)
    async with program(tmp_path, lms) as run:
        assert "The server cannot be reached." in run.words
        assert "Press r to try again." in run.words
        await run.press("r")
        assert "cannot be reached" not in run.text()
        assert "195/300" in run.text()


async def test_lists_stay_while_the_server_cannot_be_reached(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        run.lms.faults.fail("attempts.page", ServerFault("The server reported an internal error."))
        run.lms.faults.fail("exams.page", *[ServerFault("The server reported an internal error.")] * 2)
        await run.press("r")
        assert "internal error" in run.words
        assert "195/300" in run.text()


async def test_pages_are_fetched_only_when_scrolled_to(tmp_path: Path) -> None:
    lms = FakeLms()
    lms.attempts.known = [institute.finished(number, institute.QUICK, 3, 1) for number in range(1, 91)]
    lms.exams.lists = {state: [] for state in ExamState}
    async with program(tmp_path, lms, size=(80, 14)) as run:
        before = lms.faults.calls["attempts.page"]
        await run.press("end")
        assert lms.faults.calls["attempts.page"] == before + 1
        for _ in range(6):
            await run.press("end")
        assert lms.faults.calls["attempts.page"] == before + 4


async def test_an_institute_without_exams_has_a_message(tmp_path: Path) -> None:
    lms = FakeLms()
    lms.attempts.known = []
    lms.exams.lists = {state: [] for state in ExamState}
    async with program(tmp_path, lms) as run:
        assert "You have no exams yet." in run.text()
        await run.press("enter", "down", "end")
        assert run.screen == "AttemptsScreen"


async def test_unsent_answers_are_listed_first(tmp_path: Path) -> None:
    journals = MemoryJournals()
    journal = journals.open(AttemptKey("https://lms.example.org", institute.ASHA.id, 180), "JEE Main")
    journal.record(Entry(1, 3, Answer((31,)), 0.0, 0.0))
    journal.close()
    async with program(tmp_path, journals=journals) as run:
        assert "Not sent yet" in run.text()
        assert "1 unsent" in run.text()


def test_an_exam_known_only_from_its_journal_shows_no_invented_details() -> None:
    holdings = ExamLists(unfinished=(Unfinished(AttemptKey("o", 7, 180), "Lost and found", 1),))
    told = " ".join(span.text for line in details(holdings.items()[0], holdings, 60, institute.NOW) for span in line)
    assert "1 answer saved but not sent." in told
    assert "one attempt" not in told
    assert "no time limit" not in told


def test_an_exam_in_a_journal_is_listed_until_the_server_lists_it() -> None:
    kept = Unfinished(AttemptKey("o", 7, institute.RESUMABLE.id), "Lost and found", 0)
    (row,) = ExamLists(unfinished=(kept,)).items()
    assert (row.kind, row.attempt_id, row.title) == (ExamGroup.RESUME, institute.RESUMABLE.id, "Lost and found")
    assert details(row, ExamLists(unfinished=(kept,)), 60, institute.NOW)
    (row,) = ExamLists(unfinished=(kept,), attempts=(institute.RESUMABLE,)).items()
    assert row.attempt is institute.RESUMABLE


async def test_a_search_also_filters_unsent_answers(tmp_path: Path) -> None:
    journals = MemoryJournals()
    journal = journals.open(AttemptKey("https://lms.example.org", institute.ASHA.id, 9180), "Lost and found")
    journal.record(Entry(1, 3, Answer((31,)), 0.0, 0.0))
    journal.close()
    async with program(tmp_path, journals=journals) as run:
        assert "Lost and found" in run.words
        await run.press("/")
        await run.type("numerical")
        await run.press("enter")
        assert "Lost and found" not in run.words


async def test_expired_sign_in_is_renewed_over_the_list(tmp_path: Path) -> None:
    lms = FakeLms()
    lms.faults.fail("attempts.page", SignInNeeded("Your sign-in has expired."))
    async with program(tmp_path, lms) as run:
        assert "Sign in again" in run.text()
        await run.type("wrong")
        await run.press("enter")
        assert "Wrong user name or password." in run.words
        await run.press("ctrl+a", "ctrl+k")
        await run.type("practice")
        await run.press("enter")
        assert "195/300" in run.text()


async def test_titles_from_the_server_are_text_and_never_markup(tmp_path: Path) -> None:
    lms = FakeLms()
    wicked = institute.exam(
        "wicked", "x [/b] y [@click=app.exit]go[/]", description="<b>\x1b]0;x\x07</b>[/]", course="[/]"
    )
    lms.exams.lists[ExamState.AVAILABLE] = [wicked]
    lms.exams.sync()
    async with program(tmp_path, lms, size=(160, 40)) as run:
        await run.press("down")
        assert "x [/b] y [@click=app.exit]go[/]" in run.text()
        assert "\x1b" not in run.text()
        await run.press("c", "escape", "enter")
        assert run.screen == "InstructionsScreen"
        assert "[@click=app.exit]go[/]" in run.text()


async def test_a_click_selects_and_a_second_one_opens(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        row = next(y for y, text in enumerate(run.rows()) if "Five quick" in text)
        await run.pilot.click(offset=(10, row))
        await run.settle()
        assert "questions 5" in run.words
        await run.pilot.click(offset=(10, row))
        await run.settle()
        assert run.screen == "InstructionsScreen"


async def test_ten_thousand_attempts_are_read_page_by_page_without_delay(tmp_path: Path) -> None:
    lms = FakeLms()
    lms.exams.lists = {state: [] for state in lms.exams.lists}
    one = institute.finished(1, institute.JEE, 30, 10)
    lms.attempts.known = [one.model_copy(update={"id": number}) for number in range(1, 10_001)]
    async with program(tmp_path, lms, size=(80, 24)) as run:
        pages = lms.faults.calls["attempts.page"]
        assert pages <= 3
        await run.press("down", "down", "down")
        assert lms.faults.calls["attempts.page"] == pages
        await run.press("end")
        assert lms.faults.calls["attempts.page"] == pages + 1
        await run.press("enter")
        assert run.screen == "ResultScreen"


async def test_an_empty_list_says_what_to_do(tmp_path: Path) -> None:
    lms = FakeLms()
    lms.attempts.known = []
    lms.exams.lists = {state: [] for state in lms.exams.lists}
    async with program(tmp_path, lms, size=(40, 12), keys={"refresh": "f9"}) as run:
        assert "You have no exams yet. Ask your institute when an exam opens. Press f9 to refresh." in run.words
        assert "Press n to open an exam by its link name." in run.words


async def test_details_of_the_selected_exam_are_painted_with_the_cursor(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        await run.press("down")
        assert "Five quick ones" in run.text().split("Details")[1]
        await run.press("end")
        assert "Numerical literacy" in run.text().split("Details")[1]
