"""Pictures by their address: whose they are, what goes along, and how much is read."""

import asyncio

import httpx
import pytest

from lms_tui.client.api import HttpLms
from lms_tui.client.auth import sign_in
from lms_tui.client.port import PictureAddress
from lms_tui.wire.errors import ApiError, Defect, NotFound, NotTheService, SignInNeeded, TimedOut
from tests.client.stranger import BASE, TOKEN, Answer, Stranger, raw, signed_in_stranger

LARGEST = 1_000


@pytest.mark.parametrize(
    ("source", "url", "host"),
    [
        ("/media/a.png", f"{BASE}/media/a.png", ""),
        ("media/a.png?x=1", f"{BASE}/media/a.png?x=1", ""),
        (f"{BASE}/a.png", f"{BASE}/a.png", ""),
        ("http://learn.example.edu/a.png", f"{BASE}/a.png", ""),
        ("//cdn.example.org/a.png", "https://cdn.example.org/a.png", "cdn.example.org"),
        ("https://learn.example.edu:8443/a.png", "https://learn.example.edu:8443/a.png", "learn.example.edu:8443"),
        ("https://cdn.example.org/a.png#x", "https://cdn.example.org/a.png", "cdn.example.org"),
    ],
)
async def test_the_address_shows_which_server_has_a_picture(lms: HttpLms, source: str, url: str, host: str) -> None:
    assert lms.pictures.locate(source) == PictureAddress(url, host)


@pytest.mark.parametrize(
    "source",
    ["", "x" * 3000, "file:///etc/passwd", "javascript:alert(1)", "http://cdn.example.org/a.png", "data:image/png,x",
     "https://asha:pw@cdn.example.org/a.png", "https://[", "https://cdn.example.org:99999/a", "ftp://x.example/a",
     "https://a\nb.example/"],
)  # fmt: skip
async def test_a_picture_with_an_invalid_address_is_never_requested(lms: HttpLms, source: str) -> None:
    assert lms.pictures.locate(source) is None


async def test_the_token_is_sent_for_pictures_of_the_own_server_only(stranger: Stranger, lms: HttpLms) -> None:
    stranger.on("GET /a.png", raw(b"one", headers={"set-cookie": "s=1"}))
    for source in ("/a.png", "https://cdn.example.org/a.png", "https://learn.example.edu:8443/a.png"):
        found = lms.pictures.locate(source)
        assert found is not None
        assert await lms.pictures.read(found, LARGEST) == b"one"
    own, *others = stranger.requests
    assert own.headers["Authorization"] == f"JWT {TOKEN}"
    assert not [other for other in others if TOKEN in str(other.headers) or "cookie" in other.headers]


async def test_redirect_is_followed_on_the_same_server_only(stranger: Stranger, lms: HttpLms) -> None:
    stranger.on("GET /a.png", raw(b"", 302, {"location": "/b.png"})).on("GET /b.png", raw(b"two"))
    assert await lms.pictures.read(PictureAddress(f"{BASE}/a.png"), LARGEST) == b"two"
    for elsewhere in ("https://evil.example/b.png", "//evil.example/b.png", "http://169.254.169.254/b.png"):
        stranger.on("GET /a.png", raw(b"", 302, {"location": elsewhere}))
        with pytest.raises(Defect):
            await lms.pictures.read(PictureAddress(f"{BASE}/a.png"), LARGEST)
    assert {request.url.host for request in stranger.requests} == {"learn.example.edu"}


async def test_redirects_in_a_circle_end(stranger: Stranger, lms: HttpLms) -> None:
    stranger.on("GET /a.png", raw(b"", 302, {"location": "/a.png"}))
    with pytest.raises(Defect):
        await lms.pictures.read(PictureAddress(f"{BASE}/a.png"), LARGEST)
    assert len(stranger.requests) == 4


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (raw(b"x" * (LARGEST + 1)), NotTheService),
        (raw(b"x", headers={"content-encoding": "gzip"}), NotTheService),
        (raw(b"x", 404), NotFound),
        (httpx.ConnectError("no"), ApiError),
    ],
)
async def test_a_too_large_compressed_or_missing_picture_is_an_error_with_a_message(
    stranger: Stranger, lms: HttpLms, reply: Answer | Exception, error: type[ApiError]
) -> None:
    stranger.on("GET /a.png", reply)
    with pytest.raises(error):
        await lms.pictures.read(PictureAddress(f"{BASE}/a.png"), LARGEST)


async def test_a_picture_that_never_arrives_is_an_error() -> None:
    class Silence(httpx.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            if request.url.path == "/a.png":
                await asyncio.Event().wait()
            return await httpx.MockTransport(signed_in_stranger()._handle).handle_async_request(request)

    signed_in = await sign_in(BASE, "asha", "practice", access=Stranger().access(transport=Silence(), timeout=1.0))
    with pytest.raises(TimedOut):
        await signed_in.lms.pictures.read(PictureAddress(f"{BASE}/a.png"), LARGEST)
    await signed_in.lms.close()


async def test_nothing_is_read_after_signing_out(lms: HttpLms) -> None:
    await lms.close()
    with pytest.raises(SignInNeeded):
        await lms.pictures.read(PictureAddress(f"{BASE}/a.png"), LARGEST)
