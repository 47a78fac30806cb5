from dataclasses import dataclass
from datetime import date, datetime


@dataclass(slots=True)
class CallerRow:
    """The columns of a user that decide whether a token is valid."""

    id: int
    is_active: bool
    tokens_valid_from: datetime


@dataclass(slots=True)
class UserRow(CallerRow):
    """The columns of a user that the fast path shows."""

    username: str
    first_name: str
    last_name: str
    photo: str
    modified: datetime

    @property
    def display_name(self) -> str:
        return f"{self.first_name} {self.last_name}".strip() or self.username


@dataclass(slots=True)
class BatchRow:
    name: str


@dataclass(slots=True)
class OwnUserRow(UserRow):
    """The columns of a user that only the user sees, and the batches."""

    email: str
    address1: str
    address2: str
    city: str
    zip: str
    phone: str
    birth_date: date | None
    gender_code: str | None
    state_code: str | None
    batches: list[BatchRow]
