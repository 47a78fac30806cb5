"""Answers byte for byte over a real socket: whatever comes, it is read or is an error of the tree."""

import pytest

from lms_tui.wire.attempts import AnswerInput
from lms_tui.wire.errors import ApiError, Busy
from tests.client.bare import signed_in_bare

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
async def test_header_that_is_not_ascii_does_no_harm(headers: bytes, seconds: float | None) -> None:
    async with signed_in_bare() as (bare, lms):
        bare.reply = BUSY + headers + b"\r\n"
        with pytest.raises(ApiError) as raised:
            await lms.attempts.save(5, 3, AnswerInput())
    assert raised.value.status in {503, None}
    assert (raised.value.retry_after if isinstance(raised.value, Busy) else None) == seconds
