"""All errors have one shape and never repeat input or tracebacks."""

from collections.abc import AsyncIterator

import pytest

from lms_tui.service.core.limits import BodyLimits
from tests.service.service_world import Caller, World


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/api",
        "/api/v2.2/nope",
        "/api/v9/me/",
        "/api/v2.2//me/",
        "/api/v2.2/me//",
        "/api/v2.2/me/%2e%2e/attempts/",
        "/docs",
        "/openapi.json",
        "/api/v2.2/attempts/x",
        "/api/v2.2/attempts/0",
        "/api/v2.2/attempts/-1/",
        "/api/v2.2/users/+1",
        "/api/v2.2/users/%201",
        "/api/v2.2/users/01",
        "/api/v2.2/users/1_0",
        "/api/v2.2/users/%D9%A1",
        "/api/v2.2/users/1%0A",
        "/api/v2.2/attempts/99999999999999999999/",
        "/api/v2.2/exams/no%20slug",
        "/api/v2.2/exams/%0A",
        "/api/v2.2/exams/" + "x" * 300,
    ],
)
async def test_an_unknown_path_is_not_found(asha: Caller, path: str) -> None:
    assert await asha.get(path, 404) == {"detail": "Not found"}


@pytest.mark.parametrize(("method", "path"), [("DELETE", "/api/v2.2/attempts/"), ("POST", "/api/v2.2/me/")])
async def test_an_unknown_method_gets_the_usual_error_shape(asha: Caller, method: str, path: str) -> None:
    response = await asha.send(method, path)
    assert (response.status_code, set(response.json())) == (405, {"detail"})
    assert response.headers["allow"] == "GET"


@pytest.mark.parametrize(
    "content",
    [
        b"{",
        b"",
        b"\xff\xfe",
        b"[" * 30_000,
        b'{"selected_answers": [' + b"1" * 5_000 + b"]}",
        b'{"selected_answers": NaN}',
        b'{"short_text": "\\ud800"}',
        b'"text"',
        b"null",
    ],
)
async def test_an_invalid_body_is_refused_without_a_server_error(asha: Caller, attempt: int, content: bytes) -> None:
    question = (await asha.questions(attempt))[0]["id"]
    path = f"/api/v2.2/attempts/{attempt}/questions/{question}"
    response = await asha.send("PUT", path, content=content, headers={"Content-Type": "application/json"})
    assert response.status_code == 400
    assert isinstance(response.json(), dict)


async def test_a_form_is_not_accepted_as_json(asha: Caller, attempt: int) -> None:
    question = (await asha.questions(attempt))[0]["id"]
    response = await asha.send("PUT", f"/api/v2.2/attempts/{attempt}/questions/{question}", data={"review": "true"})
    assert response.status_code == 400


async def test_a_body_without_a_content_type_is_read_as_json(asha: Caller, attempt: int) -> None:
    question = (await asha.questions(attempt))[0]["id"]
    path = f"/api/v2.2/attempts/{attempt}/questions/{question}"
    untold = await asha.send("PUT", path, content=b'{"review": true}')
    assert (untold.status_code, untold.json()["review"]) == (200, True)
    other = await asha.send("PUT", path, content=b'{"review": true}', headers={"Content-Type": "text/plain"})
    assert (other.status_code, "application/json" in other.text) == (400, True)


@pytest.mark.parametrize("announced", [True, False])
async def test_a_body_beyond_the_limit_is_refused(asha: Caller, announced: bool) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(70):
            yield b"x" * 1024

    content = b"x" * 70 * 1024 if announced else pieces()
    response = await asha.send(
        "PUT", "/api/v2.2/attempts/1/questions/1", content=content, headers={"Content-Type": "application/json"}
    )
    assert (response.status_code, set(response.json())) == (413, {"detail"})


async def test_an_incomplete_body_times_out(world: World) -> None:
    async def receive() -> dict[str, object]:
        import anyio  # noqa: PLC0415  # a fake of one test

        await anyio.sleep_forever()
        return {}

    sent: list[dict[str, object]] = []

    async def send(message: dict[str, object]) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "POST",
        "path": "/api/v2.5/auth-token/",
        "raw_path": b"",
        "query_string": b"",
        "headers": [(b"content-type", b"application/json"), (b"content-length", b"10")],
    }
    await BodyLimits(world.app, largest=100, seconds=0.0)(scope, receive, send)  # type: ignore[arg-type]  # plain dicts serve as ASGI messages
    assert sent[0]["status"] == 408


async def test_a_server_error_is_answered_without_its_traceback(
    world: World, asha: Caller, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> None:
        raise RuntimeError("canary")

    monkeypatch.setattr(type(world.database), "read", lambda _self: fail())
    response = await asha.send("GET", "/api/v2.2/me/")
    assert (response.status_code, response.json()) == (500, {"detail": "The server failed to process the request."})
    assert "RuntimeError in GET /api/v2.2/me/" in caplog.text
    assert asha.headers["Authorization"] not in caplog.text


async def test_a_wrong_list_state_is_a_field_error(asha: Caller) -> None:
    assert set(await asha.get("/api/v2.2/exams/?state=lost", 400)) == {"state"}
