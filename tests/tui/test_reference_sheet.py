"""The reference sheet of an exam: shown, scrolled, and there again without a network."""

from pathlib import Path

import pytest

from lms_tui.attempt.desk import AIDS, desk_text
from lms_tui.attempt.journal.store import FileJournals
from lms_tui.attempt.journal_session import forget_exam
from lms_tui.wire.attempts import ExamAids
from lms_tui.wire.errors import Offline
from tests.fakes.attempts import KEY, AttemptInMemory, an_exam, question
from tests.fakes.sitting import sitting

LONG = "<h3>Formulas</h3><p>$E_k = \\frac{1}{2}mv^2$</p>" + "".join(f"<p>Law {number}</p>" for number in range(90))
SHEET = ExamAids(reference_sheet=LONG)


@pytest.mark.parametrize("size", [(40, 12), (80, 24), (120, 40), (200, 60)])
async def test_a_key_shows_it_and_escape_returns_to_the_question(size: tuple[int, int]) -> None:
    async with sitting(AttemptInMemory(an_exam(3)), size=size, aids=SHEET) as sit:
        await sit.press("F")
        assert "Reference sheet" in sit.text()
        assert "Formulas" in sit.text()
        await sit.press("b", "escape", "b")
        assert "Reference sheet" not in sit.text()
        assert sit.chosen(1) == (12,)


async def test_it_scrolls_and_is_opened_again_where_it_was() -> None:
    async with sitting(AttemptInMemory(an_exam(3)), aids=SHEET) as sit:
        await sit.press("F", "pagedown", "pagedown", "F")
        await sit.press("n", "F")
        await sit.until(lambda: "Formulas" not in sit.text())
        await sit.press("home")
        assert "Formulas" in sit.text()


async def test_a_click_beside_it_or_on_its_title_closes_it() -> None:
    async with sitting(AttemptInMemory(an_exam(3)), aids=SHEET) as sit:
        for place in ((1, 20), (30, 1)):
            await sit.press("F")
            await sit.pilot.click(offset=place)
            assert "Reference sheet" not in sit.text()


async def test_an_exam_without_one_says_so() -> None:
    for aids in (None, ExamAids(calculator="no"), ExamAids(reference_sheet="  ")):
        async with sitting(AttemptInMemory(an_exam(3)), aids=aids) as sit:
            await sit.press("F")
            assert "This exam has no reference sheet." in sit.text()


async def test_alt_with_the_letter_shows_it_where_letters_are_text() -> None:
    async with sitting(AttemptInMemory([question(1, "<p>Who?</p>", kind="S")]), aids=SHEET) as sit:
        await sit.press("A", "alt+shift+f")
        assert "Formulas" in sit.text()


async def test_it_is_there_without_a_network_and_after_a_crash_and_goes_with_the_exam(tmp_path: Path) -> None:
    service, journals = AttemptInMemory(an_exam(3)), FileJournals(tmp_path)
    journal = journals.open(KEY, "An exam")
    async with sitting(service, journal=journal, aids=SHEET):
        pass
    journal.close()
    journal = journals.open(KEY, "An exam")
    async with sitting(service, journal=journal, aids=Offline("no network")) as sit:
        await sit.press("F")
        assert "Formulas" in sit.text()
        assert sit.app.lms.faults.calls["attempts.aids"] == 0
    forget_exam(journal)
    assert desk_text(journal, AIDS) == ""
    journal.close()


async def test_hostile_text_in_it_is_only_text() -> None:
    told = ExamAids(reference_sheet="<p>[red]x[/red] \x1b[2J<script>y()</script> z</p>")
    async with sitting(AttemptInMemory(an_exam(3)), aids=told) as sit:
        await sit.press("F")
        assert "[red]x[/red]" in sit.text()
        assert "y()" not in sit.text()
