"""Lists in columns: a column is as wide as its contents need, and one without content leaves its room to the title."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from lms_tui.views.listing import Column, Listing, Order
from lms_tui.views.posts import details
from lms_tui.views.rows import cells, plain
from lms_tui.wire.posts import PostSummary

Item = tuple[str, ...]
LISTING: Listing[Item] = Listing(
    "Exam",
    (Column("score", 11, 30, right=True), Column("to mark", 9, 40, right=True)),
    lambda item: item,
    (lambda item: item[0], lambda item: item[1], lambda item: item[2]),
)
NOW = datetime(2026, 3, 17, 12, tzinfo=UTC)


def fitting(*items: Item) -> Listing[Item]:
    return replace(LISTING, columns=LISTING.needed(items))


def test_a_column_is_as_wide_as_its_contents_and_its_heading_need() -> None:
    assert [column.cells for column in fitting(("Physics", "7/24", "3")).columns] == [5, 7]
    assert [column.cells for column in fitting(("Physics", "1234.5/24", "3")).columns] == [9, 7]


@pytest.mark.parametrize(("order", "wide"), [(Order(), [5, 7]), (Order(1), [7, 7]), (Order(2), [5, 9])])
def test_only_the_column_of_the_order_has_room_for_its_sign(order: Order, wide: list[int]) -> None:
    listing = replace(LISTING, order=order)
    assert [column.cells for column in listing.needed([("Physics", "7/24", "3")])] == wide


def test_no_column_is_wider_than_its_limit() -> None:
    assert fitting(("Physics", "1" * 60, "3")).columns[0].cells == 11


def test_the_title_has_the_room_of_a_column_without_content() -> None:
    items = (("Foundation Test 1: Science and Maths", "7/24", ""), ("Physics", "13/24", ""))
    assert plain(fitting(*items).line(items[0], 50)).startswith("Foundation Test 1: Science and Maths ")
    assert "to mark" not in plain(fitting(*items).heading(50))
    assert "to mark" in plain(fitting(("Physics", "", "2")).heading(50))


@pytest.mark.parametrize("room", [20, 30, 50, 200])
def test_every_line_and_the_heading_fill_the_list(room: int) -> None:
    items = (("दो", "7/24", ""), ("Physics " * 9, "13/24", "12"))
    for order in (Order(), Order(1, largest_first=True)):
        listing = replace(fitting(*items), order=order)
        assert {cells(listing.heading(room)), *(cells(listing.line(item, room)) for item in items)} == {room}


def test_a_click_on_the_heading_finds_the_column_below_it() -> None:
    items = (("Physics", "7/24", "3"),)
    listing = fitting(*items)
    heading = plain(listing.heading(50))
    assert listing.clicked(heading.index("score"), 50, items).place == 1
    assert listing.clicked(heading.index("to mark"), 50, items).place == 2


@pytest.mark.parametrize(("later", "label"), [(timedelta(), "published"), (timedelta(seconds=1), "appears")])
def test_a_post_that_students_do_not_see_yet_says_so(later: timedelta, label: str) -> None:
    rows = details(PostSummary(title="Ranks", published_date=NOW + later), 40, NOW)
    assert any(line.startswith(label) and "17 Mar 2026" in line for line in map(plain, rows))
    assert ("Students do not see it yet." in map(plain, rows)) == (label == "appears")
