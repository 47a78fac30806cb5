"""Checks of any reply. Each check yields a sentence for each problem."""

from collections.abc import Iterable, Iterator

from lms_tui.client.recording import Exchange
from lms_tui.qa.walk.shapes import shape
from lms_tui.qa.walk.values import STRING, Shape, as_tree, at, field_problems, shown


def succeeds(exchange: Exchange) -> Iterator[str]:
    if not exchange.succeeded:
        yield f"answered {exchange.outcome}"


def fails(exchange: Exchange) -> Iterator[str]:
    """Check that the request fails with any status, because the document names none for most refusals."""
    if exchange.status < 400:
        yield f"answered {exchange.outcome}, and should have failed"


def has_status(exchange: Exchange, *allowed: int) -> Iterator[str]:
    if exchange.status not in allowed:
        yield f"answered {exchange.outcome}, not {' or '.join(str(status) for status in allowed)}"


def has_shape(exchange: Exchange, shape: Shape) -> Iterator[str]:
    yield from field_problems(exchange.tree(), shape)


def each_has(rows: Iterable[object], shape: Shape, name: str) -> Iterator[str]:
    """Check the rows of a list. A problem of several rows is reported with the first one only."""
    told: set[str] = set()
    for place, row in enumerate(rows):
        for words in field_problems(row, shape):
            if words not in told:
                told.add(words)
                yield f"{name} {place + 1}: {words}"


def is_me(exchange: Exchange, username: str) -> Iterator[str]:
    name = at(exchange.tree(), "username")
    if name != username:
        yield f"/me/ is {shown(name)}, not {shown(username)}"


def has_me_fields(exchange: Exchange) -> Iterator[str]:
    yield from has_shape(exchange, shape("me"))
    me = as_tree(exchange.tree())
    if not all(STRING.test(me.get(name)) for name in ("username", "first_name", "last_name", "display_name")):
        return
    whole = f"{me['first_name']} {me['last_name']}".strip() or me["username"]
    if me["display_name"] != whole:
        yield f"display_name is {shown(me['display_name'])}, not {shown(whole)}"
