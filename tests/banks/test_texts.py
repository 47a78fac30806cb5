"""Texts of questions as other pages name them."""

import pytest

from lms_tui.banks.texts import title_or_text


@pytest.mark.parametrize(
    ("title", "markup", "named"),
    [
        ("Motion", "<p>A car starts.</p>", "Motion"),
        ("", "<p>A car <b>starts</b>.</p>", "A car starts."),
        (
            "",
            "A car starts from rest and reaches its full speed after eight seconds.",
            "A car starts from rest and reaches its full speed after…",
        ),
        (
            "",
            r"A car starts from rest and reaches 20 m/s in \(8\,\mathrm{s}\). How far?",
            "A car starts from rest and reaches 20 m/s in…",
        ),
        ("", "x" * 80, "x" * 59 + "…"),
    ],
)
def test_a_question_without_a_title_is_named_by_the_beginning_of_its_text(title: str, markup: str, named: str) -> None:
    assert title_or_text(title, markup) == named
