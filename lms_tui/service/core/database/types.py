"""Column types that behave the same on SQLite and PostgreSQL."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Final

from sqlalchemy import BigInteger, DateTime, Dialect, Integer, String
from sqlalchemy.types import TypeDecorator

from lms_tui.service.core.database.units import MICROSECOND, SCALE, microseconds, ten_thousandths

Identity: Final = BigInteger().with_variant(Integer(), "sqlite")
"""A primary key. SQLite generates IDs only for INTEGER columns."""


class Moment(TypeDecorator[datetime]):
    """A moment in UTC. Raises ValueError for a datetime without an offset."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a moment needs an offset")
        value = value.astimezone(UTC)
        return value.replace(tzinfo=None) if dialect.name == "sqlite" else value

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        del dialect
        return None if value is None else value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Span(TypeDecorator[timedelta]):
    """A duration, stored in microseconds."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: timedelta | None, dialect: Dialect) -> int | None:
        del dialect
        return None if value is None else microseconds(value)

    def process_result_value(self, value: int | None, dialect: Dialect) -> timedelta | None:
        del dialect
        # A sum of PostgreSQL is numeric, which the driver returns as a Decimal.
        return None if value is None else int(value) * MICROSECOND


class Marks(TypeDecorator[Decimal]):
    """A number with four decimal places, stored in ten-thousandths for exact sorting and sums."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: Decimal | None, dialect: Dialect) -> int | None:
        del dialect
        return None if value is None else ten_thousandths(Decimal(value))

    def process_result_value(self, value: int | None, dialect: Dialect) -> Decimal | None:
        del dialect
        return None if value is None else Decimal(value) / SCALE


class ExactDecimal(TypeDecorator[Decimal]):
    """A decimal stored as text, because the bounds of numeric keys must not be rounded."""

    impl = String(80)
    cache_ok = True

    def process_bind_param(self, value: Decimal | None, dialect: Dialect) -> str | None:
        del dialect
        return None if value is None else str(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Decimal | None:
        del dialect
        return None if value is None else Decimal(value)
