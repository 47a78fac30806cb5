from contextvars import copy_context

import pytest
from bidi import get_display
from hypothesis import given
from hypothesis import strategies as st

from lms_tui.content import bidi
from lms_tui.content.bidi import leave_words_to_terminal, turns_words
from lms_tui.content.cells import clusters
from lms_tui.content.html import parse
from lms_tui.content.layout import layout

MIXED = st.text("abcאבגابج12٣٤+-*,.:%$()[]{}<> !?/ـ", max_size=24)


@given(MIXED, st.sampled_from([0, 1]))
def test_the_order_is_that_of_the_unicode_algorithm(text: str, base: int) -> None:
    places = bidi.order(bidi.levels(text, base))
    assert "".join(text[place] for place in places) == get_display(text, base_dir="R" if base else "L")


def shown(html: str, width: int = 40, *, reorder: bool = True) -> list[str]:
    return [line.text for line in layout(parse(html), width, bidi=reorder)]


def test_right_to_left_paragraph_stands_at_the_right_edge_in_visual_order() -> None:
    assert shown("<p>שלום עולם</p>", 12) == ["   םלוע םולש"]


def test_a_formula_in_right_to_left_text_runs_from_left_to_right() -> None:
    assert shown("<p>אם $x+1=2$ אז</p>", 20) == ["      זא x + 1 = 2 םא"[-20:]]


def test_a_tall_formula_is_reordered_as_a_whole() -> None:
    lines = shown(r"<p>אם $\frac{x+1}{2}$ אז</p>", 12)
    assert lines == ["    x + 1", " זא ───── םא", "      2"]


def test_brackets_are_mirrored_around_right_to_left_text() -> None:
    assert shown("<p>(שלום)</p>", 6) == ["(םולש)"]


def test_points_follow_their_letter() -> None:
    assert shown("<p>שָלום</p>", 4) == ["םולשָ"]


def test_a_latin_word_at_the_start_does_not_change_the_direction() -> None:
    assert shown("<p>C זו שפה</p>", 10) == ["  הפש וז C"]


def test_a_terminal_that_reorders_text_gets_logical_order() -> None:
    assert shown("<p>שלום עולם</p>", 12, reorder=False) == ["שלום עולם"]


def test_the_direction_attribute_overrides_the_letters() -> None:
    assert shown('<p dir="rtl">abc</p>', 6) == ["   abc"]


def test_label_of_a_right_to_left_item_stands_at_its_right() -> None:
    assert shown("<ol><li>שלום</ol>", 10) == ["    םולש 1."]


def test_words_are_ordered_but_letters_are_left_to_a_terminal_that_reorders_them() -> None:
    text = "<p dir=rtl>پانی کا درجۂ 25 (H<sub>2</sub>O) ہے، اور</p>"

    def shown(*, turning: bool) -> str:
        def lay() -> str:
            leave_words_to_terminal(turning=turning)
            return layout(parse(text), 60)[0].text.strip()

        return copy_context().run(lay)

    plain, turned = shown(turning=False), shown(turning=True)
    assert plain != turned
    assert [clusters_of(word) for word in turned.split()] == [
        clusters_of(word)[::-1] if word[0] > "\u0590" else clusters_of(word) for word in plain.split()
    ]
    assert turned.split()[-1] == "پانی"


def clusters_of(word: str) -> list[str]:
    return [cluster for cluster, _ in clusters(word)]


@pytest.mark.parametrize(
    ("environment", "turns"),
    [
        ({"TERM": "xterm-kitty"}, True),
        ({"TERM": "tmux-256color", "KITTY_WINDOW_ID": "1"}, True),
        ({"TERM": "xterm"}, False),
    ],
)
def test_kitty_is_known_to_reorder_words(environment: dict[str, str], *, turns: bool) -> None:
    assert turns_words(environment) is turns
