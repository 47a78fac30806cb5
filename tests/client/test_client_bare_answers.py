"""Answers byte for byte over a real socket: whatever comes, it is read or is an error of the tree."""

import pytest

from lms_tui.client.port import PictureAddress
from lms_tui.client.recording import Recording
from lms_tui.wire.attempts import AnswerInput, Attempt
from lms_tui.wire.errors import ApiError, Busy
from tests.client.bare import http, signed_in_bare

BUSY = b"HTTP/1.1 503 x\r\nContent-Length: 0\r\n"


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        (b"Retry-After: 7\r\n", 7),
        (b"Retry-After: \xd9\xa3\xd9\xa0\r\n", 30),
        (b"Retry-After: \xd9\xa3\r\nX: \xff\r\n", None),
        (b"Retry-After: bient\xf4t\r\n", None),
        (b"Retry-After: 7\r\nX-Caf\xc3\xa9: a\r\n", None),
        (b"Retry-After: 7\r\nX-Place: Caf\xc3\xa9\r\n", 7),
        (b"Retry-After: 7\r\nRetry-After: 9\r\n", 7),
        (b"Retry-After: " + b"9" * 5_000 + b"\r\n", None),
        (b"Retry-After: Fri, 31 Dec 9999 23:59:59 -2359\r\n", 3_600),
        (b"Retry-After: Mon, 01 Jan 0001 00:00:00 +2359\r\n", 0),
    ],
)
@pytest.mark.case(23)
async def test_a_header_that_is_not_ascii_is_accepted(headers: bytes, seconds: float | None) -> None:
    async with signed_in_bare() as (bare, lms):
        bare.reply = BUSY + headers + b"\r\n"
        with pytest.raises(ApiError) as raised:
            await lms.attempts.save(5, 3, AnswerInput())
    assert raised.value.status in {503, None}
    assert (raised.value.retry_after if isinstance(raised.value, Busy) else None) == seconds


@pytest.mark.parametrize(
    "location",
    [
        b"",
        b"http://xn--/",
        b"http://xn--a/",
        b"http://[",
        b"http://\xff/",
        b"http://\xc3\xa9\xcc\x81/",
        b"http://\xed\xa0\x80/",
        b"http://a:99999/",
        b"http:///x",
        b"mailto:asha",
        b"/" + b"a" * 70_000,
    ],
)
@pytest.mark.parametrize("status", [b"301", b"303", b"307"])
async def test_a_redirect_to_an_invalid_address_is_an_api_error(status: bytes, location: bytes) -> None:
    async with signed_in_bare() as (bare, lms):
        bare.reply = b"HTTP/1.1 %s x\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n" % (status, location)
        with pytest.raises(ApiError):
            await lms.attempts.save(5, 3, AnswerInput())
        with pytest.raises(ApiError):
            await lms.attempts.review_pdf(Attempt(id=5, review_pdf_url="/5.pdf"), lambda *_: None)
        with pytest.raises(ApiError):
            await lms.pictures.read(PictureAddress(f"{bare.address}/a.png"), 1_000)


@pytest.mark.parametrize(
    "cookie",
    [
        b"session=1; Path=/",
        b"a=\x01\x7f",
        b"a=\xff; max-age=" + b"9" * 5_000,
        b"a=b; expires=Thu, 99 Foo 0000 99:99:99 GMT",
        b"a=b; domain=.; port=x; version=x",
    ],
)
async def test_cookies_are_not_kept(cookie: bytes) -> None:
    async with signed_in_bare() as (bare, lms):
        head = b"HTTP/1.1 200 OK\r\nSet-Cookie: " + cookie
        bare.reply = http(b'{"id": 5}', head)
        assert [(await lms.attempts.read(5)).id for _ in range(2)] == [5, 5]
        bare.reply = http(b"GIF", head)
        picture = PictureAddress(f"{bare.address}/a.gif")
        assert [await lms.pictures.read(picture, 1_000) for _ in range(2)] == [b"GIF", b"GIF"]
    assert not [sent for sent in bare.heads if b"cookie" in sent.lower()]


@pytest.mark.parametrize(
    "body",
    [
        b'{"id": 5, "token": "secret1", "name": "\\ud800"}',
        b'[{"token": "secret1"}, "\\ud800"]',
        b'{"token": "secret1", "x": ' + b"[" * 500 + b"]" * 500 + b"}",
        b'{"token": "secret1", "x": ' + b"[" * 980 + b"]" * 980 + b"}",
        b'{"token": "secret1", "x": ' + b"[" * 90_000,
        b'{"token": "secret1", "x": ' + b"9" * 5_000 + b"}",
        b'{"token": "secret1", "x": NaN, "y": 1e999}',
        b'{"token": "secret1", "x": "\xff"}',
    ],
)
async def test_every_reply_is_recorded_without_its_secrets(body: bytes) -> None:
    recording = Recording()
    async with signed_in_bare(recording) as (bare, lms):
        bare.reply = http(body, b"HTTP/1.1 500 x")
        with pytest.raises(ApiError):
            await lms.attempts.read(5)
    kept = recording.exchanges[-1].body
    assert b"secret1" not in kept
    assert kept.startswith(body[:1])
