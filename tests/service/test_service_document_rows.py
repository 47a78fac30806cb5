"""Every row of the API document on raw JSON: success, each stated error, what is not there, and wrong input."""

import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.service.authorisation import TABLE
from tests.service.document_rows import NOWHERE, ROWS, Described
from tests.service.service_world import World
from tests.service.test_service_authorisation import Institute, furnished

DOCUMENT = Path(__file__).parents[2] / "../shared/api/lms-api.md"
VARIANTS = {("POST", "/api/v2.2/admin/mentors/"), ("GET", "/api/v2.2/admin/mentors/")}
JSON = "application/json"


@pytest.fixture
async def institute(tmp_path: Path, database_url: str) -> AsyncIterator[Institute]:
    world = World.at(tmp_path / "service", database_url)
    yield await furnished(world)
    await world.close()


def at(institute: Institute, row: Described, state: str = "") -> str:
    return institute.filled(row.path, **institute.attempts[state or row.state])


def test_the_rows_are_the_rows_of_the_document() -> None:
    if not DOCUMENT.exists():
        pytest.skip("the API document is not here")
    tables = re.findall(r"^\| (GET|POST|PUT|DELETE) \| (/\S+)", DOCUMENT.read_text("utf-8"), re.MULTILINE)
    listed = {(method, named(path.partition("?")[0])) for method, path in tables}
    described = {(row.method, named(row.path)) for row in ROWS}
    assert described - VARIANTS == listed
    assert (len(described), len(listed)) == (38, 36)


def named(path: str) -> str:
    return re.sub(r"[<{]\w+[>}]", "*", path)


def test_every_row_of_the_document_has_permissions() -> None:
    routes = {(row.method, named(row.path.rstrip("/"))) for row in TABLE}
    assert {(row.method, named(row.path.rstrip("/"))) for row in ROWS} <= routes


async def test_every_row_answers_with_its_status_in_json(institute: Institute) -> None:
    # What ends an attempt or takes something away comes last.
    for row in sorted(ROWS, key=lambda row: (row.method == "DELETE", row.path.endswith(("/end/", "{user_id}")))):
        response = await institute.callers[row.who].send(row.method, at(institute, row) + row.query, json=row.body)
        assert response.status_code == row.status, (row.name, response.text)
        if row.status == 204:
            assert response.content == b""
        else:
            assert response.headers["content-type"] == "application/json"
            assert response.json() is not None


async def test_every_row_has_the_usual_error_shape(institute: Institute) -> None:
    """Who may not, what is not there, an attempt in the other state, and a query that cannot be."""
    for row in ROWS:
        expected: list[tuple[str, int, Any]] = []
        for who, status in row.refused:
            response = await institute.callers[who].send(row.method, at(institute, row) + row.query, json=row.body)
            expected.append((who, status, response))
        caller = institute.callers[row.who]
        if row.absent:
            path = institute.filled(row.path, **NOWHERE)
            expected.append(("absent", row.absent, await caller.send(row.method, path + row.query, json=row.body)))
        if row.other:
            response = await caller.send(row.method, at(institute, row, row.other), json=row.body)
            expected.append((row.other, 403, response))
        for query, status in row.wrong_query:
            expected.append((query, status, await caller.send(row.method, at(institute, row) + query)))
        for what, status, response in expected:
            assert response.status_code == status, (row.name, what, response.text)
            assert_told(response.json())


def assert_told(error: Any) -> None:
    """One sentence under `detail`, or sentences for each field."""
    if "detail" in error:
        assert list(error) == ["detail"]
        assert isinstance(error["detail"], str)
        return
    assert error
    assert all(isinstance(sentence, str) for sentences in error.values() for sentence in sentences)


async def test_every_row_names_the_invalid_fields_of_its_body(institute: Institute) -> None:
    large = json.dumps({"title": "x" * 2_000_000, "photo": "x" * 5_000_000}).encode()
    for row in (row for row in ROWS if row.wrong):
        path, caller = at(institute, row), institute.callers[row.who]
        for wrong in row.wrong:
            response = await caller.send(row.method, path, json=wrong.body)
            assert (response.status_code, set(response.json())) == (400, set(wrong.fields)), (row.name, wrong)
            assert_told(response.json())
        for content, status in ((b"{", 400), (b"\xff", 400), (b"NaNNaN", 400), (large, 413)):
            response = await caller.send(row.method, path, content=content, headers={"Content-Type": JSON})
            assert (response.status_code, list(response.json())) == (status, ["detail"]), (row.name, content[:9])
        assert (await caller.send(row.method, path, data={"name": "x"})).status_code == 400


async def test_an_impossible_path_is_not_found_or_refused(institute: Institute) -> None:
    for row in (row for row in ROWS if "{" in row.path):
        for text in ("0", "-1", "x%00y", "9" * 40, "%F0%9F%98%80", "' OR 1=1 --"):
            path = re.sub(r"\{\w+\}", text, row.path)
            response = await institute.callers[row.who].send(row.method, path + row.query, json=row.body)
            assert response.status_code in {404, 403, 405}, (path, response.text)
            assert_told(response.json())
