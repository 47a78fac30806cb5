from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, ClassVar, Final

from sqlalchemy import JSON, MetaData
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from lms_tui.service.core.database.types import Identity, Marks, Moment, Span

NAMING: Final = {
    "ix": "ix_%(column_0_N_label)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}
"""Names of constraints, which a migration needs to alter them on both databases."""

NEVER_REUSED: Final[dict[str, Any]] = {"sqlite_autoincrement": True}
"""Never gives an ID twice. A token of a deleted user must not become valid for another."""


class Base(DeclarativeBase):
    metadata = MetaData(naming_convention=NAMING)
    type_annotation_map: ClassVar[dict[Any, Any]] = {
        datetime: Moment,
        timedelta: Span,
        Decimal: Marks,
        list[int]: JSON,
        list[str]: JSON,
        list[list[str]]: JSON,
        list[dict[str, str]]: JSON,
        dict[str, int]: JSON,
    }
    __table_args__: Any = NEVER_REUSED


class Numbered:
    """A table with a numeric primary key."""

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
