from datetime import datetime

from sqlalchemy import Select, select
from sqlalchemy.exc import IntegrityError

from lms_tui.service.core.bodies import Body, Line200
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.tables import Batch
from lms_tui.service.core.errors import Invalid, NotFound
from lms_tui.service.core.naming import LONGEST_BATCH, proper_name
from lms_tui.service.core.text import storable


class BatchBody(Body):
    name: Line200


def listed(search: str) -> Select[Batch]:
    """Select batches by name; `search`: a part of it in any case."""
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
    """Make a batch; its name is its own, because users and posts are put into batches by name."""
    batch = Batch(name=proper_name(name, "name", LONGEST_BATCH), created=now, modified=now)
    try:
        with database.write() as session:
            session.add(batch)
    except IntegrityError:
        raise Invalid({"name": ["There is a batch of this name already."]}) from None
    return batch
