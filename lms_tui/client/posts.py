from collections.abc import AsyncIterator
from typing import Final

from lms_tui.client.address import segment
from lms_tui.client.connection import Connection
from lms_tui.client.optional_list import OptionalList
from lms_tui.client.pages import identified, page_at, pages
from lms_tui.wire.base import Page
from lms_tui.wire.posts import ListedPost, Post, PostInput, PostSummary, WholePost

_ADMIN: Final = "/api/v2.2/admin/posts/"


class HttpPosts:
    """The endpoints of posts. Requests that change something are sent once."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._readable = OptionalList(connection, "/api/v2.2/posts/", PostSummary, "notices")

    async def readable(self, number: int = 1) -> Page[PostSummary]:
        return await self._readable.page(number)

    async def page(self, number: int = 1) -> Page[ListedPost]:
        return await page_at(self._connection, _ADMIN, ListedPost, number)

    def pages(self) -> AsyncIterator[Page[ListedPost]]:
        return pages(self._connection, _ADMIN, ListedPost)

    async def read(self, slug: str) -> Post:
        return identified(await self._connection.get(f"/api/v2.2/posts/{segment(slug)}"), Post)

    async def create(self, post: PostInput) -> WholePost:
        return identified(await self._connection.send("POST", _ADMIN, body=post.fields()), WholePost)

    async def update(self, slug: str, changes: PostInput) -> WholePost:
        tree = await self._connection.send("PUT", f"{_ADMIN}{segment(slug)}/", body=changes.fields())
        return identified(tree, WholePost)

    async def delete(self, slug: str) -> None:
        await self._connection.send("DELETE", f"{_ADMIN}{segment(slug)}/")
