"""The files of answers over HTTP. The API document has none of these endpoints."""

from typing import Annotated, Any, Final

import anyio.to_thread
from fastapi import Path, Query, Request
from fastapi.responses import StreamingResponse

from lms_tui.service.attempts.dependencies import StudentDep
from lms_tui.service.attempts.files import complete_file, content_of
from lms_tui.service.attempts.records import check_owner
from lms_tui.service.attempts.uploads import Part, Uploads
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.tables import AttemptFile
from lms_tui.service.core.dependencies import ServiceDep
from lms_tui.service.core.routing import Id, Router
from lms_tui.wire.files import AttemptFiles, UploadedFile

router = Router(prefix="/api/v2.2/attempts/{attempt_id}/files")

_LARGEST: Final = 2**31 - 1
_BYTES: Final = "application/octet-stream"
_CONTENT: Final[dict[str, Any]] = {_BYTES: {"schema": {"type": "string", "format": "binary"}}}
_BODY: Final[dict[str, Any]] = {"requestBody": {"required": True, "content": _CONTENT}}
SENT: Final[dict[int | str, dict[str, Any]]] = {200: {"content": _CONTENT, "description": "The content of the file."}}
"""The content of a file as a reply in the OpenAPI document."""
Digest = Annotated[str, Path(pattern=r"^[0-9a-f]{64}$")]
"""The SHA-256 of the content of a file."""
Bytes = Annotated[int, Query(ge=0, le=_LARGEST)]


@router.get("/")
def list_files(attempt_id: Id, student: StudentDep, service: ServiceDep) -> AttemptFiles:
    """Return the files of an attempt and their limits, and what its questions accept while it runs.

    Questions of sections that have not started are left out. The API document has no such endpoint.
    """
    return Uploads(student, service.settings.limits).of(attempt_id)


@router.put("/{digest}", openapi_extra=_BODY)
async def upload_part(
    attempt_id: Id,
    digest: Digest,
    size: Bytes,
    student: StudentDep,
    service: ServiceDep,
    request: Request,
    offset: Bytes = 0,
) -> UploadedFile:
    """Store the next part of a file of an answer, and return how much of the file is stored.

    `size`: the bytes of the file. `offset`: the bytes before this part. A part at another place than the stored bytes
    end changes nothing, so a request can be repeated. The API document has no such endpoint.
    """
    part = Part(digest, size, offset, await request.body())
    uploads = Uploads(student, service.settings.limits)
    return await anyio.to_thread.run_sync(uploads.receive, attempt_id, part, limiter=service.uploads)


@router.get("/{digest}", response_class=StreamingResponse, responses=SENT)
def download_file(attempt_id: Id, digest: Digest, student: StudentDep) -> StreamingResponse:
    """Return the content of a complete file of an own attempt. The API document has no such endpoint."""
    with student.database.read() as session:
        check_owner(session, student.user_id, attempt_id)
        file = complete_file(session, attempt_id, digest)
    return sent(student.database, file)


def sent(database: Database, file: AttemptFile) -> StreamingResponse:
    """Return a complete file as a reply. No browser shows it as a page of the service."""
    headers = {
        "Content-Length": str(file.size),
        "Content-Disposition": "attachment",
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "private, no-store",
    }
    return StreamingResponse(content_of(database, file.id), media_type=_BYTES, headers=headers)
