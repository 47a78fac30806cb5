"""Names of the things that requests refer to."""

from collections.abc import Sequence
from typing import Final, TypeVar

from sqlalchemy import Select, bindparam, case, or_, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from lms_tui.service.core.database.base import Base
from lms_tui.service.core.database.people import User
from lms_tui.service.core.errors import Invalid
from lms_tui.service.core.slugs import first_free
from lms_tui.service.core.text import storable

T = TypeVar("T", bound=Base)
MAX_BATCH_NAME: Final = 200
MAX_COURSE_NAME: Final = 300
_SHOWN: Final = 100


def rows_named(session: Session, column: InstrumentedAttribute[str], names: Sequence[str], field: str) -> list[T]:
    """Return the rows with these names, each once. Raises Invalid about `field` for an unknown name."""
    wanted = list(dict.fromkeys(storable(name).strip() for name in names))
    found = {getattr(row, column.key): row for row in session.scalars(select(column.class_).where(column.in_(wanted)))}
    unknown = [name for name in wanted if name not in found]
    if unknown:
        raise Invalid({field: [f"Nothing is named “{name[:_SHOWN]}”." for name in unknown[:5]]})
    return [found[name] for name in wanted]


def user_named(username: str) -> Select[User]:
    """Select the user of a name in any case. Where older names differ only in case, the exact one is the user's."""
    return _NAMED.params(_name_parameters(username))


def find_user(session: Session, username: str) -> User | None:
    """Return the user that `user_named` selects, in half the time: the statement is made once."""
    return session.scalar(_NAMED, _name_parameters(username))


def _name_parameters(username: str) -> dict[str, str]:
    name = storable(username)
    return {"user_name": name, "user_key": name.casefold()}


_IS_EXACT: Final = User.username == bindparam("user_name")
_NAMED: Final = (
    select(User)
    .where(or_(_IS_EXACT, User.name_key == bindparam("user_key")))
    .order_by(case((_IS_EXACT, 0), else_=1))
    .limit(1)
)


def clean_name(text: str, field: str, longest: int) -> str:
    """Return a name without surrounding white space. Raises Invalid about `field` if it is empty or too long."""
    name = storable(text).strip()
    if not name:
        raise Invalid({field: ["This field may not be blank."]})
    if len(name) > longest:
        raise Invalid({field: [f"This is longer than {longest} characters."]})
    return name


def free_slug(session: Session, column: InstrumentedAttribute[str], base: str) -> str:
    """Return a slug that is free in the column: base, or base with a number."""
    return first_free(base, set(session.scalars(select(column).where(column.startswith(base, autoescape=True)))))
