"""Change the time of running exams from the command line."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from lms_tui.service.admin.administration import AdminError, Administration, translate_errors
from lms_tui.service.core.errors import NotFound
from lms_tui.service.watch.grants import Grants


@contextmanager
def grants_of(admin: Administration, slug: str, usernames: Sequence[str]) -> Iterator[Grants]:
    """Open the changes of an exam in one transaction. Raises AdminError."""
    with translate_errors(), admin.database.write() as session:
        try:
            yield Grants(session, admin.now, admin.who, slug, usernames)
        except NotFound:
            raise AdminError(f"There is no exam {slug}.", "See `lms-tui exam list`.") from None
