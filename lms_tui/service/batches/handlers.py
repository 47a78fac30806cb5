from datetime import datetime

from sqlalchemy import Select, select
from sqlalchemy.exc import IntegrityError

from lms_tui.service.core.bodies import Body, Line200
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.tables import Batch
from lms_tui.service.core.errors import Invalid, NotFound
from lms_tui.service.core.naming import MAX_BATCH_NAME, clean_name
from lms_tui.service.core.text import storable


class BatchBody(Body):
    name: Line200


def listed(search: str) -> Select[Batch]:
    """Select batches in order of name. `search` is a part of the name in any case."""
    statement = select(Batch).order_by(Batch.name, Batch.id)
    if search:
        statement = statement.where(Batch.name.icontains(storable(search), autoescape=True))
    return statement


def read(database: Database, batch_id: int) -> Batch:
    with database.read() as session:
        batch = session.get(Batch, batch_id)
    if batch is None:
        raise NotFound
    return batch


def create(database: Database, name: str, now: datetime) -> Batch:
    """Create a batch. Raises Invalid if the name is taken."""
    batch = Batch(name=clean_name(name, "name", MAX_BATCH_NAME), created=now, modified=now)
    try:
        with database.write() as session:
            session.add(batch)
    except IntegrityError:
        raise Invalid({"name": ["This batch name is already taken."]}) from None
    return batch
