"""Checks of lists: envelope, pages and filters."""

from collections.abc import Iterator, Sequence
from typing import Final
from urllib.parse import parse_qs, urlsplit

from lms_tui.client.recording import Exchange
from lms_tui.qa.walk.checks.replies import has_shape
from lms_tui.qa.walk.shapes import shape
from lms_tui.qa.walk.values import Tree, as_rows, as_tree, at, shown

PAGE_SIZE: Final = 20


def is_page(exchange: Exchange) -> Iterator[str]:
    yield from has_shape(exchange, shape("envelope"))


def next_has_page(exchange: Exchange) -> Iterator[str]:
    link = at(exchange.tree(), "next")
    if isinstance(link, str) and "page" not in parse_qs(urlsplit(link).query):
        yield f"next is {shown(link)}, without a page"


def is_of_size(exchange: Exchange, size: int = PAGE_SIZE) -> Iterator[str]:
    tree = as_tree(exchange.tree())
    if tree.get("per_page") != size:
        yield f"per_page is {shown(tree.get('per_page'))}, not {size}"
    rows = len(as_rows(tree.get("results")))
    if rows > size:
        yield f"the page has {rows} rows"


def are_all_there(rows: Sequence[Tree], expected: int) -> Iterator[str]:
    ids = [row.get("id") for row in rows]
    if len(set(map(str, ids))) < len(ids):
        yield "a question is on the pages twice"
    if len(ids) != expected:
        yield f"the pages have {len(ids)} questions, and the attempt has {expected}"


def has_listed(rows: Sequence[Tree], attempt: int, state: str) -> Iterator[str]:
    states = [row.get("state") for row in rows if row.get("id") == attempt]
    if not states:
        yield f"attempt {attempt} is not in the list"
    elif states[0] != state:
        yield f"attempt {attempt} is {shown(states[0])} in the list, not {state}"


def has_not_listed(rows: Sequence[Tree], attempt: int) -> Iterator[str]:
    if attempt in [row.get("id") for row in rows]:
        yield f"attempt {attempt} is in the list"


def are_callers(rows: Sequence[Tree], username: str) -> Iterator[str]:
    for row in rows:
        user = row.get("user")
        name = user if isinstance(user, str) else at(user, "username")
        if name != username:
            yield f"attempt {shown(row.get('id'))} is of {shown(name)}"


def are_of(rows: Sequence[Tree], field: str, wanted: str, *, whole: bool) -> Iterator[str]:
    """Check a filter by a field of the exam. The field equals the value if `whole`, else contains it."""
    for row in rows:
        value = str(at(row, "exam", field) or "")
        if (value.lower() != wanted.lower()) if whole else (wanted.lower() not in value.lower()):
            yield f"attempt {shown(row.get('id'))} has the exam's {field} {shown(value)}"


def is_empty(rows: Sequence[Tree]) -> Iterator[str]:
    if rows:
        yield f"{len(rows)} attempts were found"
