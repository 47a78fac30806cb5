from dataclasses import dataclass
from datetime import datetime


@dataclass(slots=True)
class UserRow:
    """The columns of a user that the fast path reads."""

    id: int
    username: str
    first_name: str
    last_name: str
    photo: str
    is_active: bool
    tokens_valid_from: datetime
    modified: datetime

    @property
    def display_name(self) -> str:
        return f"{self.first_name} {self.last_name}".strip() or self.username
