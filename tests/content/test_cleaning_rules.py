import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lms_tui.common.cleaning import UNSEEN, clean, clean_line, clean_tree

DANGEROUS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f\ud800-\udfff]"
)


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("\x1b[31mred", "␛[31mred"),
        ("\x1b]52;c;aGk=\x07", "␛]52;c;aGk=␇"),
        ("\x9b6n", f"{UNSEEN}6n"),
        ("a\x7fb", "a␡b"),
        ("user\u202etxt.exe", f"user{UNSEEN}txt.exe"),
        ("a\u200bb", f"a{UNSEEN}b"),
        ("\ud800", UNSEEN),
        ("a\u2028b", f"a{UNSEEN}b"),
        ("a\rb", "a␍b"),
        ("a\r\nb", "a\nb"),
        ("tag\U000e0041", f"tag{UNSEEN}"),
    ],
)
def test_control_characters_become_visible_marks(hostile: str, shown: str) -> None:
    assert clean(hostile) == shown


@pytest.mark.parametrize("text", ["क्‍ष", "می‌خواهم", "\U0001f468\u200d\U0001f469", "tab\tand\nnewline", "naïve — “½”"])
def test_characters_that_scripts_and_emoji_need_are_kept(text: str) -> None:
    assert clean(text) == text


@pytest.mark.parametrize("text", ["a\u200db", "\u200c", "क\u200d\u200dष", "x\u200d"])
def test_a_joiner_without_neighbours_becomes_a_mark(text: str) -> None:
    assert UNSEEN in clean(text)


def test_a_line_has_no_newline() -> None:
    assert clean_line(" a\n\tb\u00a0 c ") == "a b c"


def test_every_string_and_key_of_a_tree_is_cleaned() -> None:
    assert clean_tree({"a\x1b": ["\x07", 1, None]}) == {"a␛": ["␇", 1, None]}


@given(st.text(st.characters(codec=None)))
def test_no_dangerous_character_survives_and_none_is_deleted(text: str) -> None:
    cleaned = clean(text)
    assert not DANGEROUS.search(cleaned)
    assert len(cleaned) == len(text.replace("\r\n", "\n"))
    assert clean(cleaned) == cleaned
