"""A typed line is an answer or a command, and never mistaken for the other."""

from pathlib import Path

import pytest

from lms_tui.plain.typed_lines import (
    MEANINGS,
    SHORTER,
    Choice,
    Command,
    EssayBegun,
    Meaning,
    Order,
    UnknownLine,
    Written,
    understood,
)


@pytest.mark.parametrize(
    ("line", "kind", "options", "meaning"),
    [
        ("b", "R", 4, Choice((1,))),
        (" D ", "R", 4, Choice((3,))),
        ("a c", "C", 4, Choice((0, 2))),
        ("ac", "C", 4, Choice((0, 2))),
        ("a, c", "C", 4, Choice((0, 2))),
        ("", "R", 4, Command(Order.NEXT)),
        ("n", "R", 4, Command(Order.NEXT)),
        ("next", "R", 26, Command(Order.NEXT)),
        ("n", "R", 14, Choice((13,))),
        ("go 12", "R", 4, Command(Order.GO, 12)),
        ("g 3", "S", 0, Command(Order.GO, 3)),
        ("END", "R", 4, Command(Order.END)),
        ("sign in", "R", 4, Command(Order.SIGN_IN)),
        ("?", "E", 0, Command(Order.HELP)),
        ("= 42", "N", 0, Written("short_text", "42")),
        ("=next", "S", 0, Written("short_text", "next")),
        ("=", "E", 0, EssayBegun()),
        ("= One line.", "E", 0, Written("essay_text", "One line.")),
        ("2 = iron", "G", 0, Written("2", "iron")),
        ("01=iron", "M", 0, Written("1", "iron")),
    ],
)
def test_a_line_is_read_by_the_type_of_the_question(line: str, kind: str, options: int, meaning: Meaning) -> None:
    assert understood(line, kind=kind, options=options) == meaning


@pytest.mark.parametrize(
    ("line", "kind", "options", "word"),
    [
        ("e", "R", 4, "no option E"),
        ("ab", "R", 4, "Only one"),
        ("go", "R", 4, "Unknown command"),
        ("go x", "S", 0, "Unknown command"),
        ("42", "N", 0, "go 42"),
        ("hello", "S", 0, "Type ="),
        ("= 1", "R", 4, "Unknown command"),
        ("next please", "S", 0, "Unknown command"),
        ("go " + "9" * 400, "R", 4, "Unknown command"),
    ],
)
def test_an_unknown_line_gets_a_hint_what_to_type(line: str, kind: str, options: int, word: str) -> None:
    meaning = understood(line, kind=kind, options=options)
    assert isinstance(meaning, UnknownLine)
    assert word in meaning.why
    assert len(meaning.why) < 300


@pytest.mark.parametrize("order", list(Order))
def test_every_command_can_be_typed_by_its_word_with_any_options(order: Order) -> None:
    line = f"{order.value} 1" if order in {Order.GO, Order.REMOVE} else order.value
    for options in (0, 4, 26):
        meaning = understood(line, kind="R", options=options)
        assert isinstance(meaning, Command)
        assert meaning.order is order


def test_the_page_of_the_documentation_names_every_command() -> None:
    page = (Path(__file__).parents[2] / "docs" / "plain.md").read_text(encoding="utf-8")
    for order, meaning in MEANINGS.items():
        letter = f"`{SHORTER[order]}`" if order in SHORTER else ""
        assert f"| `{order.value}` | {letter} | {meaning} |" in page
