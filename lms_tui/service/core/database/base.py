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
"""Names for constraints, so that a migration can alter them on both databases."""

NEVER_REUSED: Final[dict[str, Any]] = {"sqlite_autoincrement": True}
"""An id that was once given is not given again: a token of a deleted user must not become another user's."""


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
    """A table whose rows are told apart by one number."""

    id: Mapped[int] = mapped_column(Identity, primary_key=True)
