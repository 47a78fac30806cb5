from collections.abc import Sequence

from lms_tui.service.core.database.tables import Batch
from lms_tui.service.core.urls import Urls
from lms_tui.wire import batches as wire
from lms_tui.wire.users import BatchName


def batch_view(batch: Batch, urls: Urls) -> wire.Batch:
    return wire.Batch(
        id=batch.id, name=batch.name, url=urls.batch(batch.id), created=batch.created, modified=batch.modified
    )


def batch_names(batches: Sequence[Batch], urls: Urls) -> list[BatchName]:
    """Return batches as users and posts list them."""
    return [BatchName(id=batch.id, name=batch.name, url=urls.batch(batch.id)) for batch in batches]
