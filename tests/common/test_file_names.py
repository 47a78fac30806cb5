"""The names of saved files."""

import pytest

from lms_tui.common.file_names import file_name, name_of_answer_file


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("my report.pdf", "my report.pdf"),
        (".profile", "profile"),
        ("..", "file"),
        ("", "file"),
        ("a/../b:c?.pdf", "a-..-b-c-.pdf"),
        ("a\x1bb.pdf", "a␛b.pdf"),
        ("அ" * 140 + ".pdf", "அ" * 60 + "அ" * 5 + ".pdf"),
        ("a" * 200, "a" * 200),
    ],
)
def test_a_name_that_others_gave_becomes_one_that_a_file_can_have(given: str, name: str) -> None:
    assert file_name(given) == name
    assert file_name(name) == name


def test_a_file_of_an_answer_is_named_by_attempt_question_and_number() -> None:
    assert name_of_answer_file(41, 7, 1, "essay.pdf") == "41-7-1-essay.pdf"
