"""The statements of the reads that students make all the time. Each one costs SQLAlchemy more than the database."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Engine, event

from tests.service.service_world import Caller


@pytest.fixture
def statements() -> Iterator[list[str]]:
    """The statements that SQLAlchemy has run."""
    made: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_others: object) -> None:
        made.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    yield made
    event.remove(Engine, "before_cursor_execute", note)


@pytest.mark.parametrize(
    ("path", "most"),
    [
        ("/api/v2.2/me/", 1),
        ("/api/v2.2/attempts/{}", 4),
        ("/api/v2.2/attempts/", 5),
        ("/api/v2.2/attempts/{}/questions/", 5),
        ("/api/v2.2/exams/available/", 3),
    ],
)
async def test_a_read_takes_few_statements(
    asha: Caller, attempt: int, statements: list[str], path: str, most: int
) -> None:
    await asha.get(path.format(attempt))
    asked = [statement for statement in statements if statement.startswith("SELECT")]
    assert len(asked) <= most, asked
