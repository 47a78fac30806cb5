"""Watch running exams and change their time from the command line."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime

from lms_tui.service.admin.administration import Administration, translate_errors, unknown
from lms_tui.service.core.errors import NotFound
from lms_tui.service.watch.board import board_of
from lms_tui.service.watch.grants import Grants
from lms_tui.wire.board import BoardRow


@contextmanager
def grants_of(admin: Administration, slug: str, usernames: Sequence[str]) -> Iterator[Grants]:
    """Open the changes of an exam in one transaction. Raises AdminError."""
    with translate_errors(), admin.database.write() as session:
        try:
            yield Grants(session, admin.now, admin.who, slug, usernames)
        except NotFound:
            raise unknown("exam", slug) from None


def changes_of(admin: Administration, slug: str, now: datetime, cursor: str) -> tuple[list[BoardRow], str]:
    """Return the attempts of an exam that have changed since a cursor, and the next one. Raises AdminError."""
    rows: list[BoardRow] = []
    more = True
    while more:
        with admin.database.read() as session:
            try:
                board = board_of(session, slug, now, cursor)
            except NotFound:
                raise unknown("exam", slug) from None
        rows += board.attempts
        cursor, more = board.cursor, board.more
    return rows, cursor
