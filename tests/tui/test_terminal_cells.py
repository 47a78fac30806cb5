"""Cells are counted as the terminal says: what its answers mean, and what does not answer."""

from collections.abc import Iterator

import pytest
from rich.cells import cell_len, set_cell_size

from lms_tui.content.cells import clusters, width
from lms_tui.content.html import parse
from lms_tui.content.layout import layout
from lms_tui.tui.terminal.cell_widths import PROBES, Counts, count_as_before, count_like, counts_of

TMUX = (*[2] * 11, 2, 1, 4, 2, 2, 2, 0, 0)
CLUSTERS = (*[1] * 11, 1, 2, 2, 2, 2, 2, 2, 2)
XTERM = (*[2] * 11, 2, 1, 4, 4, 2, 2, 2, 2)


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    yield
    count_as_before()


@pytest.mark.parametrize("answers", [TMUX, CLUSTERS, XTERM])
def test_cells_are_counted_as_the_terminal_reported(answers: tuple[int, ...]) -> None:
    count_like(counts_of(answers))
    assert tuple(map(cell_len, PROBES)) == answers


def test_every_spacing_mark_of_a_script_has_the_measured_width() -> None:
    assert width("हिन्दी தமிழ்") == 7
    count_like(counts_of(TMUX))
    assert width("हिन्दी தமிழ்") == 10
    assert clusters("दी") == (("द", 1), ("ी", 1))
    assert set_cell_size("தா", 3) == "தா "


def test_consonants_joined_by_a_virama_are_one_cluster_if_the_terminal_joins_them() -> None:
    count_like(counts_of(CLUSTERS))
    assert clusters("क्षमा") == (("क्ष", 1), ("मा", 1))


def test_text_laid_out_before_is_measured_again() -> None:
    document = parse("<p>\\(x\\) हिन्दी</p>")
    before = layout(document, 40)
    count_like(counts_of(TMUX))
    after = layout(document, 40)
    assert [line.text for line in before] == [line.text for line in after]
    assert after[0].width == before[0].width + 2 == width(after[0].text)


def test_impossible_cursor_reports_change_nothing() -> None:
    assert dict(counts_of([9] * len(PROBES)).sizes) == {}
    count_like(Counts())
    assert [cell_len(text) for text in ("क्ष", "1\ufe0f\u20e3", "漢字", "a")] == [2, 2, 4, 1]
