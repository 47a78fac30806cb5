"""Lists of several pages. Each item comes once, and every page comes from the same server."""

import logging
from collections.abc import AsyncIterator, Mapping
from typing import Any, Final, TypeVar

from pydantic import ValidationError

from lms_tui.client.address import follow
from lms_tui.client.connection import Connection
from lms_tui.wire.base import Page, Wire
from lms_tui.wire.errors import Defect, NotTheService

MOST_PAGES: Final = 500
_log = logging.getLogger(__name__)
Item = TypeVar("Item", bound=Wire)


async def pages(
    connection: Connection, path: str, item: type[Item], params: dict[str, str] | None = None
) -> AsyncIterator[Page[Item]]:
    """Yield the pages of a list. Items whose id was seen before are left out.

    Raises Defect if `next` leads to another server, before a request is sent there, or after `MOST_PAGES` pages.
    """
    address = connection.resolve(path)
    seen: set[int] = set()
    visited: set[str] = set()
    while address not in visited:
        if len(visited) == MOST_PAGES:
            raise Defect("The list on the server has no end.")
        visited.add(address)
        page = parse_page(await connection.get(address, params if len(visited) == 1 else None), item)
        fresh = []
        for entry in page.results:
            identity = int(getattr(entry, "id", 0))
            if identity and identity in seen:
                continue
            seen.add(identity)
            fresh.append(entry)
        yield page.model_copy(update={"results": tuple(fresh)})
        if not page.next:
            return
        address = follow(address, page.next)


async def page_at(connection: Connection, path: str, item: type[Item], number: int, **query: str) -> Page[Item]:
    """Read one page of a list, counted from 1. Empty values of the query are left out."""
    params = {"page": str(max(number, 1)), **filled(query)}
    return parse_page(await connection.get(path, params), item)


def filled(query: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in query.items() if value}


async def every(connection: Connection, path: str, item: type[Item]) -> list[Item]:
    """Return the items of all pages in their order."""
    return [entry async for page in pages(connection, path, item) for entry in page.results]


def parse_page(tree: object, item: type[Item]) -> Page[Item]:
    """Read a page object or a plain list. Raises NotTheService for anything else."""
    if isinstance(tree, list):
        tree = {"results": tree, "count": len(tree)}
    if not isinstance(tree, dict) or not isinstance(tree.get("results"), list):
        raise NotTheService("The server's reply is not a list.")
    entries = [parse(entry, item) for entry in tree["results"] if isinstance(entry, dict)]
    envelope = parse({**tree, "results": []}, Page)
    return Page[Any].model_construct(**{**dict(envelope), "results": tuple(entries)})


def parse(tree: object, item: type[Item]) -> Item:
    """Read one object. A field with a wrong type gets its default, and the other fields are kept."""
    if not isinstance(tree, dict):
        raise NotTheService("The server's reply is not of this API.")
    fields = dict(tree)
    for _ in range(len(fields) + 1):
        try:
            return item.model_validate(fields)
        except ValidationError as error:
            wrong = {str(problem["loc"][0]) for problem in error.errors(include_input=False) if problem["loc"]}
            _log.warning("%s has unreadable fields: %s", item.__name__, ", ".join(sorted(wrong)))
            if not wrong & fields.keys():
                break
            fields = {name: value for name, value in fields.items() if name not in wrong}
    raise NotTheService("The server's reply is not of this API.")


def identified(tree: object, item: type[Item], identity: int | None = None) -> Item:
    """Read one object that has an id, which must be the given one if it is known. Raises NotTheService."""
    entry = parse(tree, item)
    found = int(getattr(entry, "id", 0))
    if found <= 0 or (identity is not None and found != identity):
        raise NotTheService("The server's reply is about another object.")
    return entry
