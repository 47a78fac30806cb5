"""The overview before the end: the state of every question, by section, by keys and by mouse."""

import re
from datetime import timedelta

import pytest

from lms_tui.attempt.desk import note_of
from lms_tui.attempt.events import NotAccepted
from lms_tui.attempt.values import Phase
from lms_tui.common.settings import Appearance
from lms_tui.tui.screens.runner.overview import Overview
from lms_tui.tui.widgets.palette import PaletteView
from lms_tui.views import overview
from lms_tui.views.runner import Filter
from tests.fakes.attempts import AttemptInMemory, an_exam, question, two_sections
from tests.fakes.sitting import Sitting, settings, sitting


async def click(sit: Sitting, text: str) -> None:
    x, y = sit.place_of(text)
    await sit.pilot.click(offset=(x + 1, y))
    for _ in range(5):
        await sit.pilot.pause()


async def test_it_shows_state_not_sent_and_note_of_every_question() -> None:
    async with sitting(AttemptInMemory(an_exam(12)), size=(100, 30)) as sit:
        await sit.press("a")
        await sit.work()
        sit.keeper.desk.keep(note_of(3), "look again")
        await sit.press("n", "b", "m", "n", "m", "o")
        text = sit.text()
        assert " 1●       2◈↑      3◆↑✎     4· " in text
        assert "2 of 12 answered · 10 unanswered (9 not seen) · 2 marked · 2 not sent" in text
        assert "Question 3: unanswered, marked for review, not sent, with a note" in text
        assert "Question number 3: what is 3 + 3?" in text
        await sit.press("left")
        assert "Question 2: answered, marked for review, not sent" in sit.text()


async def test_help_shows_the_keys_of_the_overview_and_of_a_dialog() -> None:
    async with sitting(AttemptInMemory(an_exam(12)), size=(80, 24)) as sit:
        await sit.press("o", "?")
        assert "Keys of the overview" in sit.text()
        assert "Go to the selected question" in sit.text()
        await sit.press("escape")
        assert "Overview: " in sit.text()
        await sit.press("e", "f1")
        assert "Keys of this dialog" in sit.text()
        await sit.press("escape")
        assert "End the exam?" in sit.text()


async def test_a_click_opens_the_help_of_the_overview() -> None:
    async with sitting(AttemptInMemory(an_exam(12)), size=(80, 24)) as sit:
        await sit.press("o")
        await click(sit, "? help")
        assert "Keys of the overview" in sit.text()


async def test_help_over_the_overview_closes_with_the_exam() -> None:
    service = AttemptInMemory(an_exam(2), duration=timedelta(minutes=1))
    async with sitting(service) as sit:
        await sit.press("o", "?")
        await sit.jump(61)
        await sit.work()
        await sit.pilot.pause()
        assert sit.left_as() == "ended"


async def test_a_text_that_is_not_a_number_is_named_before_the_end() -> None:
    """Keys that leave the field for another question show no field that says so."""
    asked = [question(1, "<p>How many?</p>", [], kind="N"), *an_exam(3)[1:]]
    async with sitting(AttemptInMemory(asked), size=(100, 30)) as sit:
        await sit.press(*"9.8 m", "alt+n", "ctrl+e")
        assert "1  not written as a number: 1" in sit.text()
        await sit.press("o", "left")
        assert "Question 1: answered, not written as a number, not sent" in sit.text()
        await sit.press("enter", "backspace", "4", "ctrl+e")
        assert "not written as a number" not in sit.text()


async def test_sections_are_headed_with_their_counts_and_say_when_they_are_closed() -> None:
    service = AttemptInMemory(an_exam(6), sections=two_sections())
    async with sitting(service, size=(100, 30)) as sit:
        session = sit.keeper.session
        await sit.press("a", "o")
        first, second = (section.name for section in session.sections)
        assert f"{first} · 1 of {len(session.items)} answered" in sit.text()
        assert f"{second} · not open yet" in sit.text()
        await sit.press("escape", "ctrl+n", "tab", "enter")
        await sit.work()
        await sit.press("o")
        assert f"{first} · 1 of {len(session.items)} answered · ended" in sit.text()
        assert "1 ended section" in sit.text()
        await sit.press("home")
        assert "Question 1: answered, section ended" in sit.text()


async def test_the_filter_shows_all_unanswered_marked_and_not_seen_questions() -> None:
    async with sitting(AttemptInMemory(an_exam(5)), size=(80, 24)) as sit:
        await sit.press("a", "n", "m", "n", "o")
        grid = sit.app.screen.query_one(PaletteView)
        shown = {}
        for _ in Filter:
            rows = "".join(grid.strip(y).text for y in range(1, grid.window + 1))
            shown[grid.strip(0).text.split(" ─")[0].strip("╭─ ")] = [int(number) for number in re.findall(r"\d+", rows)]
            await sit.press("f")
        assert shown == {
            "Questions": [1, 2, 3, 4, 5],
            "Only unanswered": [2, 3, 4, 5],
            "Only marked": [2],
            "Only not seen": [4, 5],
        }
        await sit.press("f", "f", "f", "enter")
        assert sit.keeper.session.item.number == 4


async def test_a_filter_without_questions_says_so_and_enter_does_nothing() -> None:
    async with sitting(AttemptInMemory(an_exam(3)), size=(80, 24)) as sit:
        await sit.press("o", "f", "f", "enter")
        assert "No question is marked." in sit.text()
        assert isinstance(sit.app.screen, Overview)


async def test_e_opens_the_end_dialog_and_o_there_opens_the_overview_again() -> None:
    async with sitting(AttemptInMemory(an_exam(3)), size=(80, 24)) as sit:
        await sit.press("o", "e")
        assert "End the exam?" in sit.text()
        await sit.press("o")
        assert isinstance(sit.app.screen, Overview)
        assert sit.keeper.session.editable
        await sit.press("e", "tab", "enter")
        assert sit.keeper.session.phase is Phase.ENDING


async def test_from_the_dialog_of_a_section_the_overview_leads_back_to_it() -> None:
    async with sitting(AttemptInMemory(an_exam(4), sections=two_sections()), size=(80, 24)) as sit:
        await sit.press("ctrl+n", "o")
        assert "e end section" in sit.rows()[-1]
        await sit.press("e")
        assert "End the section?" in sit.text()
        await sit.press("escape", "o", "e")
        assert "End the exam?" in sit.text()


async def test_the_selected_question_is_described_next_to_the_questions_in_a_high_window() -> None:
    async with sitting(AttemptInMemory(an_exam(12)), size=(200, 60)) as sit:
        await sit.press("o")
        described, cells = sit.place_of("Question 1: unanswered"), sit.place_of(" 1○")
        assert 0 < cells[1] - described[1] < 5


async def test_every_part_takes_clicks() -> None:
    async with sitting(AttemptInMemory(an_exam(30)), size=(80, 24)) as sit:
        await sit.press("o")
        await click(sit, "f filter")
        assert "Only unanswered" in sit.text()
        await click(sit, "e end")
        await click(sit, "Overview (o)")
        assert isinstance(sit.app.screen, Overview)
        await click(sit, " 17·")
        assert sit.keeper.session.item.number == 17


async def test_arrows_keep_the_column_across_headings_and_short_rows() -> None:
    service = AttemptInMemory(an_exam(30), sections=two_sections(timed=False))
    async with sitting(service, size=(80, 24)) as sit:
        await sit.press("o", "right", "right")
        before = sit.text()
        for _ in range(8):
            await sit.press("down")
        await sit.press(*["up"] * 8)
        assert sit.text() == before


@pytest.mark.parametrize("size", [(40, 12), (80, 24), (120, 40), (200, 60)])
async def test_it_fits_every_window_and_writes_ascii(size: tuple[int, int]) -> None:
    chosen = settings(Appearance(ascii=True))
    async with sitting(AttemptInMemory(an_exam(75)), size=size, chosen=chosen) as sit:
        await sit.press("b", "o")
        text = sit.text()
        assert "Question 1: answered" in text
        assert "esc back" in text
        assert text.isascii()
        await sit.press("end", "enter")
        assert sit.keeper.session.item.number == 75


async def test_a_narrow_window_shows_the_key_of_the_end_and_all_counts() -> None:
    async with sitting(AttemptInMemory(an_exam(75)), size=(40, 12)) as sit:
        await sit.press("b", "n", "m", "o")
        rows = sit.rows()
        assert "1/75 answered · 1 marked · 2 not sent" in rows[1]
        assert rows[-1].strip().split("  ") == ["enter go to", "e end", "esc back", "? help"]
        await click(sit, "e end")
        assert "End the exam?" in sit.text()


async def test_a_narrow_window_says_which_section_is_closed() -> None:
    service = AttemptInMemory(an_exam(6), sections=two_sections())
    first, second = (section.model_copy(update={"name": f"Paper of {section.name}"}) for section in service.sections)
    service.sections = [first, second]
    async with sitting(service, size=(40, 12)) as sit:
        await sit.press("a", "ctrl+n", "tab", "enter")
        await sit.work()
        await sit.press("o")
        assert "Paper of Physics · 1/3 · ended" in sit.text()


async def test_the_clock_runs_on_and_stays_hidden_where_it_was_hidden() -> None:
    async with sitting(AttemptInMemory(an_exam(3)), size=(80, 24)) as sit:
        await sit.press("o")
        await sit.pass_time(5)
        assert "02:59:5" in sit.rows()[0]
        await sit.press("escape", "h", "o")
        assert "02:59" not in sit.text()


async def test_a_refused_answer_waits_with_its_reason() -> None:
    async with sitting(AttemptInMemory(an_exam(3)), size=(80, 24)) as sit:
        await sit.press("a")
        item = sit.keeper.session.item
        sit.keeper._live.apply(NotAccepted(1, item.latest, "Too late."))
        session = sit.keeper.session
        words = overview.state_words(session, session.item, noted=False)
        assert words == "Question 1: answered, not accepted: Too late."


async def test_a_long_list_of_numbers_stays_in_its_column_in_a_narrow_window() -> None:
    async with sitting(AttemptInMemory(an_exam(75)), size=(40, 12)) as sit:
        await sit.press("ctrl+e")
        rows = [row.strip("│╭╮╰╯┃ ") for row in sit.rows()]
        assert rows[2:4] == ["75  unanswered: 1, 2, 3, 4, 5,", "6 …"]
        assert sit.rows()[3].index("6 …") == sit.rows()[2].index("unanswered")


async def test_the_end_dialog_keeps_its_buttons_when_the_window_becomes_narrow() -> None:
    async with sitting(AttemptInMemory(an_exam(12)), size=(80, 24)) as sit:
        await sit.press("ctrl+e")
        assert "Overview (o)" in sit.text()
        await sit.pilot.resize_terminal(40, 12)
        await sit.pilot.pause()
        buttons = [button.region for button in sit.app.screen.query("Button")]
        assert [region.right <= 40 and region.bottom <= 12 for region in buttons] == [True] * 3
        assert "Overview (o)" not in sit.text()
        await sit.pilot.resize_terminal(80, 24)
        await sit.pilot.pause()
        assert "Overview (o)" in sit.text()


async def at_a_question_with_every_state(sit: Sitting) -> None:
    """Answer and mark every question. The third one has a note."""
    await sit.press("a", *("n", "m") * 8)
    sit.keeper.desk.keep(note_of(3), "look again")


def described(sit: Sitting) -> list[str]:
    """The two rows about a question."""
    rows = [row.strip() for row in sit.rows()]
    first = next(place for place, row in enumerate(rows) if row.startswith("Question "))
    return rows[first : first + 2]


async def test_a_small_window_shows_the_whole_state_of_a_question() -> None:
    async with sitting(AttemptInMemory(an_exam(9)), size=(40, 12)) as sit:
        await at_a_question_with_every_state(sit)
        await sit.press("o", "home", "right")
        assert "Question 2: unanswered, marked for" in sit.text()
        await sit.press("right")
        assert described(sit) == ["Question 3: unanswered, marked for", "review, not sent, with a note"]
        await sit.press("home")
        assert described(sit) == ["Question 1: answered, not sent", "Question number 1: what is 1 + 1?"]


async def test_the_end_dialog_says_that_its_text_goes_on_below() -> None:
    shown = ("unanswered: 2, 3", "marked for review: 2, 3", "not yet sent")
    async with sitting(AttemptInMemory([*an_exam(8), question(9, kind="N")]), size=(40, 12)) as sit:
        await at_a_question_with_every_state(sit)
        await sit.press("enter", "x", "enter", "ctrl+e")
        assert all(text in sit.text() for text in shown)
        assert "▼ 2 more" in sit.text()
        await sit.press("down")
        assert "▲ 2 above" in sit.text()
        assert "▼" not in sit.text()
        assert "change them." in sit.text()
    async with sitting(AttemptInMemory(an_exam(9)), size=(80, 24)) as sit:
        await at_a_question_with_every_state(sit)
        await sit.press("ctrl+e")
        assert "change them." in sit.text()
        assert "▼" not in sit.text()
