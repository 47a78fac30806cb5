"""Match questions in lists and reviews. The API has no field for pairs."""

import pytest

from lms_tui.banks.model import Pair, Question
from lms_tui.wire.question_types import QuestionType
from tests.service.service_world import Caller, World, choice, exam_of

MATCH = Question(
    QuestionType.MATCH,
    "<p>What measures what?</p>",
    pairs=(Pair("Ammeter", "electric current"), Pair("<i>Barometer</i>", "pressure < 2 bar"), Pair("", "Speed")),
)


@pytest.fixture
async def attempt(world: World, asha: Caller) -> int:
    world.add_exam(exam_of(choice("Before"), MATCH, choice("After"), show_answers=True))
    return await asha.create("sums")


async def test_every_left_side_of_a_match_is_beside_the_gap_with_its_key(asha: Caller, attempt: int) -> None:
    _, match, _ = await asha.questions(attempt)
    assert match["question"]["question_html"] == (
        "<p>What measures what?</p><table><tr><td>Ammeter</td><td>[[1]]</td></tr>"
        "<tr><td><i>Barometer</i></td><td>[[2]]</td></tr></table>"
    )


async def test_the_order_of_choices_of_a_match_does_not_reveal_the_key(asha: Caller, attempt: int) -> None:
    before, match, after = await asha.questions(attempt)
    assert match["question"]["answers"] == [
        {"id": 1, "text_html": "electric current"},
        {"id": 2, "text_html": "pressure &lt; 2 bar"},
        {"id": 3, "text_html": "Speed"},
    ]
    assert "✓" not in str(match)
    assert len(before["question"]["answers"]) == len(after["question"]["answers"]) == 4


async def test_the_review_shows_the_key_of_a_match(asha: Caller, attempt: int) -> None:
    await asha.put(f"/api/v2.2/attempts/{attempt}/end/")
    review = await asha.get(f"/api/v2.2/attempts/{attempt}/review/")
    assert "<td>[[2]]</td><td>✓ pressure &lt; 2 bar</td>" in review["results"][1]["question"]["question_html"]
