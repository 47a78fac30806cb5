from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

from sqlalchemy import Row, Select, func, select
from sqlalchemy.orm import InstrumentedAttribute, Session
from starlette.requests import Request

from lms_tui.common.frozen import frozen
from lms_tui.service.core.errors import NotFound
from lms_tui.service.core.pages import ANY_PAGE, PER_PAGE
from lms_tui.wire.base import Page, Wire

W = TypeVar("W", bound=Wire)
R = TypeVar("R")
S = TypeVar("S")

_MAX_PAGES: Final = 1_000_000


@frozen
class Paging:
    """The requested page number, and the address of any page of the list."""

    number: int
    address: Callable[[int], str]

    def of_rows(
        self,
        session: Session,
        statement: Select[R],
        present: Callable[[Sequence[R]], list[W]],
        per_page: int = PER_PAGE,
    ) -> Page[W]:
        """Return one page of an ordered statement. Raises NotFound beyond the last page, except for the first."""
        rows = session.scalars(self._part(statement, per_page)).unique().all()
        return self._of_part(session, statement, rows, present, per_page)

    def of_columns(
        self, session: Session, statement: Select[Any], present: Callable[[Sequence[Row[Any]]], list[W]]
    ) -> Page[W]:
        """Do as `of_rows` for a statement that selects columns."""
        return self._of_part(session, statement, session.execute(self._part(statement)).all(), present)

    def _part(self, statement: Select[S], per_page: int = PER_PAGE) -> Select[S]:
        """Limit a statement to the page and one row more, which tells whether the list must be counted."""
        return statement.limit(per_page + 1).offset((self.number - 1) * per_page)

    def _of_part(
        self,
        session: Session,
        statement: Select[Any],
        rows: Sequence[S],
        present: Callable[[Sequence[S]], list[W]],
        per_page: int = PER_PAGE,
    ) -> Page[W]:
        first = (self.number - 1) * per_page
        if first and not rows:
            raise NotFound
        count = first + len(rows) if len(rows) <= per_page else _count(session, statement)
        return self._page(count, per_page, present(rows[:per_page]))

    def of_newest(
        self,
        session: Session,
        statement: Select[int],
        order: Sequence[InstrumentedAttribute[Any]],
        present: Callable[[Sequence[int]], list[W]],
    ) -> Page[W]:
        """Return one page of a statement that selects IDs, the highest `order` first. Raises NotFound like `of_rows`.

        The page is read from the nearer end of the list. An index of the columns makes that cheap.
        """
        newest = statement.order_by(*(column.desc() for column in order))
        if self.number == 1:
            ids = session.scalars(newest.limit(PER_PAGE + 1)).all()
            count = len(ids) if len(ids) <= PER_PAGE else _count(session, statement)
            return self._page(count, PER_PAGE, present(ids[:PER_PAGE]))
        count = _count(session, statement)
        first = self._first(count, PER_PAGE)
        end = min(first + PER_PAGE, count)
        if first <= count - end:
            ids = session.scalars(newest.limit(end - first).offset(first)).all()
        else:
            oldest = statement.order_by(*order)
            ids = session.scalars(oldest.limit(end - first).offset(count - end)).all()[::-1]
        return self._page(count, PER_PAGE, present(ids))

    def of_items(self, items: Sequence[W], per_page: int = PER_PAGE) -> Page[W]:
        first = self._first(len(items), per_page)
        return self._page(len(items), per_page, list(items[first : first + per_page]))

    def _first(self, count: int, per_page: int) -> int:
        first = (self.number - 1) * per_page
        if first and first >= count:
            raise NotFound
        return first

    def _page(self, count: int, per_page: int, results: list[W]) -> Page[W]:
        more = self.number * per_page < count
        return ANY_PAGE(
            count=count,
            next=self.address(self.number + 1) if more else None,
            previous=self.address(self.number - 1) if self.number > 1 else None,
            per_page=per_page,
            results=results,
        )


def _count(session: Session, statement: Select[Any]) -> int:
    return session.scalar(select(func.count()).select_from(statement.order_by(None).subquery())) or 0


def paging_of(request: Request) -> Paging:
    """Read `?page=`, from 1. Raises NotFound for anything else."""
    given = request.query_params.get("page", "1")
    if not (given.isascii() and given.isdecimal() and len(given) < 8 and 1 <= int(given) <= _MAX_PAGES):
        raise NotFound
    return Paging(int(given), lambda number: str(request.url.include_query_params(page=number)))
