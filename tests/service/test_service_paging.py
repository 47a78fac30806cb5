"""A page of a list: its items, its count and its neighbours are right, whether or not it is full."""

from collections.abc import Sequence

import pytest
from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from lms_tui.service.core.database.tables import Course
from lms_tui.service.core.errors import NotFound
from lms_tui.service.core.pages import PER_PAGE
from lms_tui.service.core.paging import Paging
from lms_tui.wire.base import Page, Wire
from tests.service.service_world import World

OURS = Course.name.startswith("Paging ")


class Listed(Wire):
    id: int


def listed(ids: Sequence[int]) -> list[Listed]:
    return [Listed(id=number) for number in ids]


def both(session: Session, number: int) -> tuple[Page[Listed], Page[Listed]]:
    """The same page, by rows and by key."""
    paging = Paging(number, str)
    newest = select(Course).where(OURS).order_by(Course.id.desc())
    by_rows = paging.of_rows(session, newest, lambda rows: listed([row.id for row in rows]))
    return by_rows, paging.of_newest(session, select(Course.id).where(OURS), (Course.id,), listed)


@pytest.mark.parametrize("size", [0, 1, PER_PAGE - 1, PER_PAGE, PER_PAGE + 1, 2 * PER_PAGE])
async def test_items_count_and_neighbours_are_right_for_every_size(world: World, size: int) -> None:
    with world.database.write() as session:
        for number in range(size):
            session.execute(insert(Course).values(name=f"Paging {number}", created=world.clock()))
    with world.database.read() as session:
        wanted = list(session.scalars(select(Course.id).where(OURS).order_by(Course.id.desc())))
        pages = max(1, -(-size // PER_PAGE))
        for number in range(1, pages + 1):
            first = (number - 1) * PER_PAGE
            for page in both(session, number):
                assert [item.id for item in page.results] == wanted[first : first + PER_PAGE]
                assert page.count == size
                assert page.next == (str(number + 1) if number < pages else None)
                assert page.previous == (str(number - 1) if number > 1 else None)
        for beyond in (pages + 1, pages + 9):
            with pytest.raises(NotFound):
                both(session, beyond)
