"""Lies of a server: every endpoint of the document, every field that it names, every kind of lie."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import httpx

from lms_tui.client.recording import Exchange
from lms_tui.qa.walk import endpoints
from lms_tui.qa.walk.endpoints import endpoint_of
from lms_tui.qa.walk.shapes import names_of_fields
from lms_tui.qa.walk.user_client import CannotWalkError
from lms_tui.qa.walk.verdicts import Watcher
from tests.walk.wrong_server import Answering, Heard, answered

FieldPath = tuple[str, ...]
ROW = "[]"
_DECIMAL = re.compile(r"-?\d+\.\d+")
_EXTENSIONS = re.compile(r"/auth-token/|GET /api/v2\.2/exams/$|/sections/")
"""Endpoints that the document does not have."""
_NAMES = frozenset({"id", "username", "slug", "state", "type"})


@dataclass(frozen=True, slots=True)
class Lie:
    """One kind of lie at an endpoint: about a field in all rows, or about the whole reply if `field` is empty."""

    endpoint: str
    field: FieldPath
    kind: str

    def __str__(self) -> str:
        return f"{self.endpoint} {'.'.join(self.field) or 'reply'} {self.kind}"


def lies_of(heard: Sequence[Heard]) -> list[Lie]:
    """Return every lie that changes a reply."""
    found: dict[Lie, None] = {}
    known = names_of_fields()
    for endpoint, replies in _by_endpoint(heard).items():
        trees = [json.loads(one.content) for one in replies if one.content]
        for kind in ("wrong code", "empty", *(("stale",) if len(set(map(_text, trees))) > 1 else ())):
            found[Lie(endpoint, (), kind)] = None
        if any(len(tree.get("results", ())) > 1 for tree in trees):
            found[Lie(endpoint, (), "wrong order")] = None
            found[Lie(endpoint, (), "row missing")] = None
            found[Lie(endpoint, (), "row twice")] = None
        if any(tree.get("next") for tree in trees):
            found[Lie(endpoint, (), "wrong page")] = None
        for tree in trees:
            for path, value in _fields(tree):
                for kind in _kinds(path[-1], value):
                    found[Lie(endpoint, path, kind)] = None
    return [lie for lie in found if not _EXTENSIONS.search(lie.endpoint) and known.issuperset({*lie.field} - {ROW})]


def _by_endpoint(heard: Iterable[Heard]) -> dict[str, list[Heard]]:
    found: dict[str, list[Heard]] = {}
    for one in heard:
        if 200 <= one.status < 300:
            found.setdefault(_endpoint(one.key), []).append(one)
    return found


def _endpoint(key: tuple[str, str, str, bytes]) -> str:
    return endpoint_of(key[0], httpx.URL(key[1]).path)


def _fields(tree: Any, path: FieldPath = ()) -> Iterator[tuple[FieldPath, Any]]:
    match tree:
        case dict():
            for name, value in tree.items():
                yield (*path, name), value
                yield from _fields(value, (*path, name))
        case list():
            for row in tree:
                yield from _fields(row, (*path, ROW))
        case _:
            pass


def _kinds(name: str, value: Any) -> Iterator[str]:
    yield "missing"
    if value is None:
        return
    yield "null"
    yield "wrong type"
    if isinstance(value, int | float) or (isinstance(value, str) and _DECIMAL.fullmatch(value)):
        yield "off by one"
    elif name in _NAMES and value:
        yield "another's"


def _lied(value: Any, kind: str) -> Any:
    lie: Any = None
    match kind, value:
        case "wrong type", str():
            lie = 7
        case "wrong type", bool():
            lie = "yes"
        case "wrong type", int() | float():
            lie = [value]
        case "wrong type", _:
            lie = "text"
        case "off by one", bool():
            lie = not value
        case "off by one", str():
            lie = f"{float(value) + 1:.2f}" if _DECIMAL.fullmatch(value) else value
        case "off by one", _:
            lie = value + 1
        case "another's", _:
            lie = f"{value}-of-another"
        case _:
            pass
    return lie


class LyingServer(httpx.AsyncBaseTransport):
    """Answers as the right server did, with one lie. `lied` is false as long as the lie has changed nothing."""

    def __init__(self, heard: list[Heard], lie: Lie) -> None:
        self._inner = Answering(heard)
        self._lie = lie
        self._first: dict[str, Any] = {}
        self.lied = False

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        response = await self._inner.handle_async_request(request)
        if endpoint_of(request.method, request.url.path) != self._lie.endpoint or response.status_code >= 400:
            return response
        status, tree = response.status_code, json.loads(await response.aread())
        right = status, _text(tree)
        if self._lie.field:
            _change(tree, self._lie.field, self._lie.kind)
        else:
            status, tree = self._about_the_reply(request, status, tree)
        self.lied |= right != (status, _text(tree))
        return answered(status, _text(tree).encode())

    def _about_the_reply(self, request: httpx.Request, status: int, tree: Any) -> tuple[int, Any]:
        key = request.url.path.rpartition("/questions/")[0] or request.headers.get("authorization", "")
        match self._lie.kind:
            case "wrong code":
                status, tree = 404, {"detail": "Not found."}
            case "empty":
                tree = {}
            case "stale":
                tree = self._first.setdefault(key, tree)
            case "wrong page":
                tree = self._first.setdefault(request.url.path, tree)
            case "wrong order":
                tree["results"].reverse()
            case "row missing":
                del tree["results"][:1]
            case "row twice":
                tree["results"] += tree["results"][:1]
        return status, tree


def _change(tree: Any, field: FieldPath, kind: str) -> None:
    name, *rest = field
    if name == ROW:
        for row in tree if isinstance(tree, list) else ():
            _change(row, tuple(rest), kind)
    elif isinstance(tree, dict) and name in tree:
        if rest:
            _change(tree[name], tuple(rest), kind)
        elif kind == "missing":
            del tree[name]
        elif tree[name] is not None:
            tree[name] = _lied(tree[name], kind)


def _text(tree: Any) -> str:
    return json.dumps(tree)


class Stopping(Watcher):
    """Stops a walk once a broken rule shows a reply of the endpoint that lies. A whole walk would show it too."""

    def __init__(self, lie: Lie) -> None:
        self._lie = lie
        self.named = False

    def judged(self, _: str, exchanges: Sequence[Exchange], problems: Sequence[str]) -> None:
        if problems and not self.named and self._lie.endpoint in map(endpoints.endpoint, exchanges):
            self.named = True
            raise CannotWalkError("The lie is named.", "")
