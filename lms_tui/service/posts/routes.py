from http import HTTPStatus
from typing import Annotated

from fastapi import Depends

from lms_tui.service.core.dependencies import Caller, Paged, ServiceDep, UrlsDep
from lms_tui.service.core.roles import Admin
from lms_tui.service.core.routing import Router, Slug
from lms_tui.service.posts.handlers import NewPostBody, PostBody, Posts, listed, listed_for
from lms_tui.service.posts.views import listed_view, summary_view
from lms_tui.wire import posts as wire
from lms_tui.wire.base import Page

router = Router(prefix="/api/v2.2")


async def posts_of(service: ServiceDep, urls: UrlsDep) -> Posts:
    return Posts(service.database, urls, service.clock())


AllPosts = Annotated[Posts, Depends(posts_of)]


@router.get("/admin/posts/")
def list_posts(_admin: Admin, service: ServiceDep, urls: UrlsDep, paging: Paged) -> Page[wire.ListedPost]:
    with service.database.read() as session:
        return paging.of_rows(session, listed(), lambda rows: [listed_view(row, urls) for row in rows])


@router.post("/admin/posts/", status_code=HTTPStatus.CREATED)
def create_post(body: NewPostBody, admin: Admin, posts: AllPosts) -> wire.WholePost:
    return posts.create(body, admin.id)


@router.put("/admin/posts/{slug}/")
def update_post(slug: Slug, body: PostBody, _admin: Admin, posts: AllPosts) -> wire.WholePost:
    return posts.update(slug, body)


@router.delete("/admin/posts/{slug}/", status_code=HTTPStatus.NO_CONTENT)
def delete_post(slug: Slug, _admin: Admin, posts: AllPosts) -> None:
    posts.delete(slug)


@router.get("/posts/")
def list_readable_posts(caller: Caller, service: ServiceDep, urls: UrlsDep, paging: Paged) -> Page[wire.PostSummary]:
    """List the posts that the caller can read, the newest first."""
    statement = listed_for(caller, service.clock())
    with service.database.read() as session:
        return paging.of_rows(session, statement, lambda rows: [summary_view(row, urls) for row in rows])


@router.get("/posts/{slug}")
def read_post(slug: Slug, caller: Caller, posts: AllPosts) -> wire.Post:
    return posts.read(slug, caller)
