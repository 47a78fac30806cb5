"""A click on a section opens it, or says why it is closed."""

from dataclasses import replace

import pytest

from lms_tui.views.runner import why_closed
from lms_tui.wire.attempt_states import AttemptState
from tests.fakes.attempts import AttemptInMemory, an_exam, two_sections
from tests.fakes.sitting import Sitting, sitting


async def click(sit: Sitting, section: str) -> None:
    await sit.pilot.click(offset=(sit.rows()[1].index(section) + 1, 1))
    for _ in range(5):
        await sit.pilot.pause()


async def test_a_click_on_an_open_section_goes_to_its_first_question() -> None:
    async with sitting(AttemptInMemory(an_exam(6), sections=two_sections(timed=False)), size=(80, 24)) as sit:
        second = next(item.number for item in sit.keeper.session.items if item.section == 1)
        await click(sit, "Chemistry")
        assert f"Question {second} of 6" in sit.text()
        await click(sit, "Physics")
        assert "Question 1 of 6" in sit.text()


@pytest.mark.parametrize("keys", [(), ("o",)], ids=["palette", "overview"])
async def test_a_click_on_the_heading_of_a_section_goes_to_its_first_question(keys: tuple[str, ...]) -> None:
    async with sitting(AttemptInMemory(an_exam(6), sections=two_sections(timed=False)), size=(120, 40)) as sit:
        second = next(item.number for item in sit.keeper.session.items if item.section == 1)
        await sit.press(*keys)
        await sit.click("Chemistry")
        assert f"Question {second} of 6" in sit.text()
        await sit.press(*keys)
        await sit.click("Physics")
        assert "Question 1 of 6" in sit.text()


@pytest.mark.parametrize("size", [(40, 12), (80, 24), (120, 40)])
async def test_a_click_on_the_heading_of_a_section_that_is_not_open_says_when_it_opens(size: tuple[int, int]) -> None:
    async with sitting(AttemptInMemory(an_exam(6), sections=two_sections()), size=size) as sit:
        await sit.press("o")
        await sit.click("not open yet")
        assert "Overview: " in sit.text()
        assert "Chemistry opens when the section" in sit.text()
        await sit.press("right")
        assert "Chemistry opens when the section" not in sit.text()
        assert "Question 2: " in sit.text()


async def test_a_click_on_the_next_section_asks_whether_to_end_this_one() -> None:
    async with sitting(AttemptInMemory(an_exam(6), sections=two_sections()), size=(80, 24)) as sit:
        await click(sit, "Chemistry")
        assert "End the section?" in sit.text()
        await sit.pilot.click("#yes")
        await sit.work()
        last = len(sit.keeper.session.items)
        assert "Physics (ended)" in sit.text()
        await click(sit, "Physics")
        assert f"Question 1 of {last}" in sit.text()


async def test_a_click_on_a_section_that_ends_with_its_time_says_when_the_next_one_opens() -> None:
    service = AttemptInMemory(an_exam(6), sections=two_sections(), preemptive=False)
    async with sitting(service, size=(80, 24)) as sit:
        await click(sit, "Chemistry")
        assert "Chemistry opens when the section before it has ended with its time." in sit.text()
        assert "End the section?" not in sit.text()


async def test_a_section_that_was_not_read_says_why_it_is_closed() -> None:
    async with sitting(AttemptInMemory(an_exam(6), sections=two_sections())) as sit:
        session = sit.keeper.session
        ended = tuple(replace(section, state=AttemptState.COMPLETED) for section in session.sections)
        assert why_closed(replace(session, sections=ended), 1) == "Chemistry has ended. You cannot open it again."
        assert why_closed(session, 1) == "Chemistry opens when the section before it has ended."
        assert not why_closed(session, 0)
