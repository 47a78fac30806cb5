from http import HTTPStatus
from typing import Annotated, Final
from uuid import UUID

from fastapi import Depends, Query, Request
from fastapi.responses import FileResponse, HTMLResponse

from lms_tui.service.core.dependencies import Caller, Paged, ServiceDep, UrlsDep
from lms_tui.service.core.roles import Staff
from lms_tui.service.core.routing import Id, Router
from lms_tui.service.videos import contents, page
from lms_tui.service.videos.playback import Playback, viewer_at
from lms_tui.service.videos.tokens import AllTokens, ListStatus, TokenBody
from lms_tui.wire import videos as wire
from lms_tui.wire.base import Page

router = Router()

_TOKENS: Final = "/api/v2.5/admin/videos/{video_id}/access-tokens/"
_KINDS: Final = {".mp4": "video/mp4", ".m4v": "video/mp4", ".webm": "video/webm", ".ogv": "video/ogg"}


Kind = Annotated[str, Query(alias="type", max_length=50)]


@router.get("/api/v2.5/me/courses/")
def list_own_courses(caller: Caller, service: ServiceDep, urls: UrlsDep, paging: Paged) -> Page[wire.Course]:
    """List the courses that the caller can use, in order of name."""
    with service.database.read() as session:
        return contents.own_courses(session, caller, service.clock(), urls, paging)


@router.get("/api/v2.5/me/contents/")
def list_own_contents(caller: Caller, service: ServiceDep, paging: Paged, kind: Kind = "") -> Page[wire.OwnContent]:
    """List the contents of all courses that the caller can use, such as `?type=video`."""
    with service.database.read() as session:
        return contents.own_contents(session, caller, service.clock(), kind, paging)


@router.get("/api/v3/courses/{course_id}/contents/")
def list_contents(
    course_id: Id, caller: Caller, service: ServiceDep, paging: Paged, kind: Kind = ""
) -> wire.CourseContentsPage:
    with service.database.read() as session:
        return contents.course_contents(session, caller, service.clock(), course_id, kind, paging)


@router.get("/api/v2.4/contents/{content_id}/")
def read_content(content_id: Id, caller: Caller, service: ServiceDep) -> wire.ContentDetails:
    with service.database.read() as session:
        return contents.details(session, caller, service.clock(), content_id)


@router.post(_TOKENS, status_code=HTTPStatus.CREATED)
def create_token(video_id: UUID, body: TokenBody, _staff: Staff, tokens: AllTokens) -> wire.PlaybackToken:
    return tokens.create(video_id, body)


@router.get(_TOKENS)
def list_tokens(
    video_id: UUID, _staff: Staff, tokens: AllTokens, paging: Paged, status: ListStatus = ListStatus.ALL
) -> Page[wire.PlaybackToken]:
    return tokens.listed(video_id, status, paging)


@router.get(_TOKENS + "{code}/")
def read_token(video_id: UUID, code: str, _staff: Staff, tokens: AllTokens) -> wire.PlaybackToken:
    return tokens.read(video_id, code)


@router.put(_TOKENS + "{code}/")
def update_token(video_id: UUID, code: str, body: TokenBody, _staff: Staff, tokens: AllTokens) -> wire.PlaybackToken:
    return tokens.update(video_id, code, body)


async def playback_of(request: Request, service: ServiceDep) -> Playback:
    viewer = viewer_at(request.client.host if request.client else "", request.headers.get("user-agent", ""))
    return Playback(service, viewer, request.scope.get("root_path", ""), service.clock())


Player = Annotated[Playback, Depends(playback_of)]


@router.get("/embed/{video_id}/", response_class=HTMLResponse)
def embed(video_id: UUID, service: ServiceDep, player: Player, access_token: str = "") -> HTMLResponse:
    """Return the page of a frame. The access token grants the right to play, without an account."""
    opened = player.open(video_id, access_token)
    shown, style = opened or page.refusal(
        "This video link has expired.", "Go back to the page with the video and open it again."
    )
    return HTMLResponse(
        shown,
        HTTPStatus.OK if opened else HTTPStatus.FORBIDDEN,
        page.headers(style, service.settings.embed_origins),
    )


@router.get("/embed/{video_id}/playback/{name}", response_class=FileResponse)
def play(video_id: UUID, name: str, player: Player) -> FileResponse:
    """Return the video of a granted playback, complete or in ranges."""
    path = player.file(video_id, name)
    return FileResponse(
        path,
        media_type=_KINDS.get(path.suffix.lower(), "application/octet-stream"),
        headers={
            "Cache-Control": "private, no-store",
            "Content-Security-Policy": "default-src 'none'; sandbox",
            "Cross-Origin-Resource-Policy": "same-origin",
            "X-Content-Type-Options": "nosniff",
        },
    )
