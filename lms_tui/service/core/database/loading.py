"""Loads related rows by statements that are made once.

The loaders of SQLAlchemy make one for each list of related rows. That takes them longer than the database needs.
"""

from collections.abc import Iterable
from typing import Any, Final

from sqlalchemy import BindParameter, Select, bindparam, inspect
from sqlalchemy.orm import Session
from sqlalchemy.orm.attributes import InstrumentedAttribute, set_committed_value

PARENTS: Final[BindParameter[Any]] = bindparam("parents", expanding=True)
"""The IDs of the rows that a statement for `load_lists` finds the related rows of."""


def load_lists(
    session: Session,
    rows: Iterable[Any],
    relation: InstrumentedAttribute[Any],
    statement: Select[Any],
    parent: InstrumentedAttribute[int],
) -> None:
    """Load a list of related rows for each row that lacks it. `parent`: the column of them with the ID of the row."""
    lacking = {row.id: row for row in rows if relation.key in inspect(row).unloaded}
    if not lacking:
        return
    found: dict[int, list[Any]] = {id_: [] for id_ in lacking}
    for related in session.scalars(statement, {PARENTS.key: list(lacking)}):
        found[getattr(related, parent.key)].append(related)
    for id_, row in lacking.items():
        set_committed_value(row, relation.key, found[id_])
