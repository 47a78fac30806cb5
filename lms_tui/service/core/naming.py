"""Things that requests call by their names."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Final, TypeVar

from sqlalchemy import select
from sqlalchemy.orm import InstrumentedAttribute, Session

from lms_tui.service.core.database.base import Base
from lms_tui.service.core.errors import Invalid
from lms_tui.service.core.text import storable

T = TypeVar("T", bound=Base)
LONGEST_BATCH: Final = 200
LONGEST_COURSE: Final = 300
_SHOWN: Final = 100


def called(session: Session, column: InstrumentedAttribute[str], names: Sequence[str], field: str) -> list[T]:
    """Load the rows whose column has these names, each once; raises Invalid about field where one has none."""
    wanted = list(dict.fromkeys(storable(name).strip() for name in names))
    found = {getattr(row, column.key): row for row in session.scalars(select(column.class_).where(column.in_(wanted)))}
    unknown = [name for name in wanted if name not in found]
    if unknown:
        raise Invalid({field: [f"There is nothing named “{name[:_SHOWN]}”." for name in unknown[:5]]})
    return [found[name] for name in wanted]


def proper_name(text: str, field: str, longest: int) -> str:
    """Return a name as it is kept, without white space around it; raises Invalid about field for one that is none."""
    name = storable(text).strip()
    if not name:
        raise Invalid({field: ["This field may not be blank."]})
    if len(name) > longest:
        raise Invalid({field: [f"This is longer than {longest} characters."]})
    return name


def slug_of(text: str) -> str:
    """Make a slug of the Latin letters and digits in a text, the same one each time; "" where it has none."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:180].strip("-")


def free_slug(session: Session, column: InstrumentedAttribute[str], base: str) -> str:
    """Return a slug that the column does not have: base, with a number behind it where that is taken."""
    taken = set(session.scalars(select(column).where(column.startswith(base, autoescape=True))))
    slug, number = base, 2
    while slug in taken:
        slug, number = f"{base}-{number}", number + 1
    return slug
