from lms_tui.service.attempts.answers import body_view
from lms_tui.service.attempts.matching import asked_html, choices
from lms_tui.service.core.database.tables import Pair, Question


def a_match() -> Question:
    pairs = (("Ammeter", "electric current"), ("<i>Barometer</i>", "pressure < 2 bar"), ("", "Speed"))
    return Question(
        kind="M",
        html="<p>What measures what?</p>",
        pairs=[Pair(order=at, left_html=left, right=right) for at, (left, right) in enumerate(pairs, 1)],
        options=[],
        essay_topics=[],
    )


def test_every_left_side_of_a_match_is_beside_the_gap_with_its_key() -> None:
    assert asked_html(a_match()) == (
        "<p>What measures what?</p><table><tr><td>Ammeter</td><td>[[1]]</td></tr>"
        "<tr><td><i>Barometer</i></td><td>[[2]]</td></tr></table>"
    )


def test_the_order_of_choices_of_a_match_does_not_reveal_the_key() -> None:
    assert [(option.id, option.text_html) for option in choices(a_match())] == [
        (1, "electric current"),
        (2, "pressure &lt; 2 bar"),
        (3, "Speed"),
    ]
    assert "✓" not in body_view(a_match()).model_dump_json()


def test_the_review_shows_the_key_of_a_match() -> None:
    assert "<td>[[2]]</td><td>✓ pressure &lt; 2 bar</td>" in asked_html(a_match(), key=True)
