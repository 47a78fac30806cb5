from http import HTTPStatus
from typing import Annotated

from fastapi import Query

from lms_tui.service.batches import handlers
from lms_tui.service.batches.views import batch_view
from lms_tui.service.core.dependencies import Paged, ServiceDep, UrlsDep
from lms_tui.service.core.roles import Admin
from lms_tui.service.core.routing import Id, Router
from lms_tui.wire.base import Page
from lms_tui.wire.batches import Batch

router = Router(prefix="/api/v2.5/admin/batches")

Search = Annotated[str, Query(max_length=300)]


@router.get("/")
def list_batches(_admin: Admin, service: ServiceDep, urls: UrlsDep, paging: Paged, search: Search = "") -> Page[Batch]:
    with service.database.read() as session:
        return paging.of_rows(session, handlers.listed(search), lambda rows: [batch_view(row, urls) for row in rows])


@router.get("/{batch_id}")
def read_batch(batch_id: Id, _admin: Admin, service: ServiceDep, urls: UrlsDep) -> Batch:
    return batch_view(handlers.read(service.database, batch_id), urls)


@router.post("/", status_code=HTTPStatus.CREATED)
def create_batch(body: handlers.BatchBody, _admin: Admin, service: ServiceDep, urls: UrlsDep) -> Batch:
    return batch_view(handlers.create(service.database, body.name, service.clock()), urls)
