import asyncio
import json
from pathlib import Path

import httpx
import pytest

from lms_tui.client.auth import DEVICE_HEADER, SignedIn, sign_in, sign_in_later, sign_in_with_token
from lms_tui.client.connection import Access, TokenAuth
from lms_tui.wire.errors import (
    ApiError,
    Busy,
    Defect,
    Forbidden,
    Invalid,
    NotFound,
    NotTheService,
    Offline,
    SignInNeeded,
    Unreachable,
)
from lms_tui.wire.users import CurrentUser
from tests.client.stranger import BASE, ME, TOKEN, Answer, Stranger, answer, raw, signed_in_stranger

SIGN_IN = "POST /api/v2.5/auth-token/"
ME_ROUTE = "GET /api/v2.2/me/"


class Memory:
    """Remembers what was to be remembered."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, str, str]] = []
        self.devices: list[str] = []

    async def __call__(self, base_url: str, user: CurrentUser, token: str, device: str) -> None:
        self.rows.append((base_url, user.username, token))
        self.devices.append(device)

    def device_of(self, username: str) -> str:
        return f"of-{username}"


async def test_sign_in_reads_the_user_and_saves_the_token_once() -> None:
    stranger, memory = signed_in_stranger(), Memory()
    signed_in = await sign_in(BASE + "/", "Asha", "practice", access=stranger.access(), remember=memory)
    assert json.loads(stranger.requests[0].content) == {"username": "Asha", "password": "practice"}
    assert "Authorization" not in stranger.requests[0].headers
    assert (signed_in.user.id, signed_in.base_url, signed_in.lms.origin) == (7, BASE, BASE)
    assert memory.rows == [(BASE, "asha", TOKEN)]
    assert TOKEN not in repr(signed_in)
    await signed_in.lms.close()


@pytest.mark.parametrize(
    ("reply", "kind", "words"),
    [
        (
            answer({"non_field_errors": ["Unable to log in with provided credentials."]}, 400),
            Invalid,
            "Unable to log in",
        ),
        (answer({"detail": "No active account"}, 401), Invalid, "user name or password"),
        (answer({"detail": "Account disabled"}, 403), Forbidden, "Account disabled"),
        (answer({"detail": "Not found"}, 404), NotFound, "no sign-in"),
        (raw(b"<html>Hotel</html>"), NotTheService, "web page"),
        (answer({"key": "x"}), NotTheService, "no token"),
        (answer({"token": None}), NotTheService, "no token"),
        (answer({"token": "a b\r\nX-Evil: 1"}), Defect, "token"),
        (answer({"token": "x" * 100_000}), Defect, "token"),
        (httpx.ConnectError("refused"), Offline, "cannot be reached"),
    ],
)
async def test_each_failed_sign_in_has_its_message(reply: Answer | Exception, kind: type[ApiError], words: str) -> None:
    stranger = signed_in_stranger().on(SIGN_IN, reply)
    with pytest.raises(kind, match=words):
        await sign_in(BASE, "asha", "wrong", access=stranger.access())


async def test_a_token_is_enough_to_sign_in() -> None:
    stranger = signed_in_stranger()
    signed_in = await sign_in_with_token(BASE, f" JWT {TOKEN}\n", access=stranger.access())
    assert [request.url.path for request in stranger.requests] == ["/api/v2.2/me/"]
    assert signed_in.user.username == "asha"
    await signed_in.lms.close()


@pytest.mark.parametrize(
    ("token", "kind"), [("", Invalid), ("two words", Defect), ("bell\x07", Defect), ("ключ", Defect)]
)
async def test_text_that_cannot_be_a_token_is_not_sent(token: str, kind: type[ApiError]) -> None:
    stranger = signed_in_stranger()
    with pytest.raises(kind):
        await sign_in_with_token(BASE, token, access=stranger.access())
    assert stranger.requests == []


async def test_an_expired_token_needs_a_new_sign_in() -> None:
    stranger = signed_in_stranger().on(ME_ROUTE, answer({"detail": "Signature has expired."}, 401))
    with pytest.raises(SignInNeeded, match="expired"):
        await sign_in_with_token(BASE, TOKEN, access=stranger.access())


ASHA = CurrentUser(id=7, username="asha", display_name="Asha")
STATS = "GET /api/v2.5/me/stats/"


def known(stranger: Stranger, memory: Memory | None = None) -> SignedIn:
    """Asha's session as her profile kept it, before anything was asked."""
    return sign_in_later(BASE, TOKEN, ASHA, access=stranger.access(), remember=memory)


async def test_a_kept_user_is_asked_for_before_the_first_request_and_once() -> None:
    stranger, memory = signed_in_stranger().on(STATS, answer({})), Memory()
    signed_in = known(stranger, memory)
    assert stranger.requests == []
    assert TOKEN not in repr(signed_in)
    await asyncio.gather(*(signed_in.lms.stats() for _ in range(3)))
    await signed_in.lms.stats()
    paths = [request.url.path for request in stranger.requests]
    assert paths.index("/api/v2.5/me/stats/") > paths.index("/api/v2.2/me/")
    assert paths.count("/api/v2.5/me/stats/") == 4
    assert all(request.headers["Authorization"] == f"JWT {TOKEN}" for request in stranger.requests)
    assert memory.rows == [(BASE, "asha", TOKEN)]
    await signed_in.lms.close()


async def test_a_kept_user_stays_unasked_for_while_the_server_is_away() -> None:
    stranger = signed_in_stranger().on(STATS, answer({}))
    stranger.on(ME_ROUTE, *[httpx.ConnectError("refused")] * 3, answer(ME))
    signed_in = known(stranger)
    with pytest.raises(Offline):
        await signed_in.lms.stats()
    assert stranger.seen(STATS) == []
    await signed_in.lms.stats()
    assert len(stranger.seen(STATS)) == 1
    await signed_in.lms.close()


@pytest.mark.case(22)
async def test_a_kept_token_of_another_user_is_used_for_nothing_until_the_known_user_signs_in() -> None:
    stranger = signed_in_stranger().on(SIGN_IN, answer({"token": "second"})).on(STATS, answer({}))
    stranger.on(ME_ROUTE, answer({**ME, "id": 8}), answer({**ME, "id": 8}), answer(ME))
    memory = Memory()
    signed_in = known(stranger, memory)
    with pytest.raises(SignInNeeded, match="another user"):
        await signed_in.lms.stats()
    with pytest.raises(Forbidden, match="another user"):
        await signed_in.lms.sign_in_again("practice")
    assert (stranger.seen(STATS), memory.rows) == ([], [])
    await signed_in.lms.sign_in_again("practice")
    await signed_in.lms.stats()
    assert stranger.requests[-1].headers["Authorization"] == "JWT second"
    assert memory.rows == [(BASE, "asha", "second")]
    await signed_in.lms.close()


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (answer({"detail": "Signature has expired."}, 401), SignInNeeded),
        # As Forbidden or NotFound, they would be taken for the reply about the attempt.
        (answer({"detail": "Not now."}, 403), NotTheService),
        (answer({"detail": "Not found."}, 404), NotTheService),
    ],
)
async def test_a_kept_token_that_is_refused_asks_to_sign_in_and_no_request_is_refused(
    reply: Answer, kind: type[ApiError]
) -> None:
    stranger = signed_in_stranger().on(ME_ROUTE, reply).on(STATS, answer({}))
    signed_in = known(stranger)
    with pytest.raises(kind):
        await signed_in.lms.stats()
    assert stranger.seen(STATS) == []
    await signed_in.lms.close()


async def test_pictures_of_the_server_ask_for_a_kept_user_first() -> None:
    stranger = signed_in_stranger().on("GET /cell.png", raw(b"picture"))
    signed_in = known(stranger)
    address = signed_in.lms.pictures.locate("/cell.png")
    assert address is not None
    assert await signed_in.lms.pictures.read(address, 100) == b"picture"
    assert [request.url.path for request in stranger.requests] == ["/api/v2.2/me/", "/cell.png"]
    assert stranger.requests[-1].headers["Authorization"] == f"JWT {TOKEN}"
    await signed_in.lms.close()


async def test_signing_out_while_a_kept_user_is_asked_for_sends_nothing_more() -> None:
    paths: list[str] = []
    asked, closed = asyncio.Event(), asyncio.Event()

    async def reply(request: httpx.Request) -> httpx.Response:
        paths.append(request.url.path)
        asked.set()
        await closed.wait()
        return httpx.Response(200, stream=httpx.ByteStream(json.dumps(ME).encode()))

    access = Access(transport=httpx.MockTransport(reply))
    signed_in = sign_in_later(BASE, TOKEN, ASHA, access=access)
    waiting = asyncio.create_task(signed_in.lms.stats())
    await asked.wait()
    await signed_in.lms.close()
    closed.set()
    with pytest.raises(SignInNeeded, match="signed out"):
        await waiting
    assert paths == ["/api/v2.2/me/"]


async def test_password_is_not_sent_unencrypted_to_another_computer() -> None:
    stranger = signed_in_stranger()
    with pytest.raises(Invalid, match="not encrypted"):
        await sign_in("http://learn.example.edu", "asha", "practice", access=stranger.access())
    assert stranger.requests == []


async def test_after_signing_in_again_the_new_token_is_used() -> None:
    stranger = signed_in_stranger().on(SIGN_IN, answer({"token": TOKEN}), answer({"token": "second"}))
    memory = Memory()
    signed_in = await sign_in(BASE, "asha", "practice", access=stranger.access(), remember=memory)
    await signed_in.lms.sign_in_again("practice")
    await signed_in.lms.me()
    assert stranger.requests[-1].headers["Authorization"] == "JWT second"
    assert memory.rows == [(BASE, "asha", TOKEN), (BASE, "asha", "second")]
    await signed_in.lms.close()


@pytest.mark.case(22)
async def test_signing_in_again_as_another_user_changes_nothing() -> None:
    stranger = signed_in_stranger().on(SIGN_IN, answer({"token": TOKEN}), answer({"token": "other"}))
    stranger.on(ME_ROUTE, answer(ME), answer({**ME, "id": 8}), answer(ME))
    signed_in = await sign_in(BASE, "asha", "practice", access=stranger.access())
    with pytest.raises(Forbidden, match="another user"):
        await signed_in.lms.sign_in_again("practice")
    await signed_in.lms.me()
    assert stranger.requests[-1].headers["Authorization"] == f"JWT {TOKEN}"
    await signed_in.lms.close()


async def test_a_wrong_password_when_signing_in_again_changes_nothing() -> None:
    refused = answer({"non_field_errors": ["Wrong."]}, 400)
    stranger = signed_in_stranger().on(SIGN_IN, answer({"token": TOKEN}), refused)
    signed_in = await sign_in(BASE, "asha", "practice", access=stranger.access())
    with pytest.raises(Invalid):
        await signed_in.lms.sign_in_again("wrong")
    assert (await signed_in.lms.me()).id == 7
    await signed_in.lms.close()


async def test_the_servers_name_for_this_device_is_kept_and_sent_with_every_sign_in() -> None:
    granted = raw(json.dumps({"token": TOKEN}).encode(), headers={DEVICE_HEADER: "named"})
    stranger, memory = signed_in_stranger().on(SIGN_IN, granted), Memory()
    access = stranger.access()
    options = {"access": access, "remember": memory, "device_of": memory.device_of}
    signed_in = await sign_in(BASE, "Asha", "practice", **options)  # type: ignore[arg-type]  # the options of both
    await signed_in.lms.sign_in_again("practice")
    assert [request.headers[DEVICE_HEADER] for request in stranger.seen(SIGN_IN)] == ["of-Asha", "of-asha"]
    assert all(DEVICE_HEADER not in request.headers for request in stranger.seen(ME_ROUTE))
    assert memory.devices == ["named", "named"]
    await signed_in.lms.close()


@pytest.mark.parametrize("device", ["", "two words", "x" * 300, "a,b"])
async def test_a_name_that_no_header_should_hold_is_not_kept(device: str) -> None:
    granted = raw(json.dumps({"token": TOKEN}).encode(), headers={DEVICE_HEADER: device})
    stranger, memory = signed_in_stranger().on(SIGN_IN, granted), Memory()
    signed_in = await sign_in(BASE, "asha", "practice", access=stranger.access(), remember=memory)
    assert memory.devices == [""]
    await signed_in.lms.close()


async def test_a_busy_server_is_tried_again_after_the_wait_that_it_asks_for() -> None:
    busy = raw(b'{"detail": "busy"}', 503, {"Retry-After": "10"})
    stranger, told = signed_in_stranger().on(SIGN_IN, busy, busy, answer({"token": TOKEN})), list[float]()
    signed_in = await sign_in(BASE, "asha", "practice", access=stranger.access(), on_wait=told.append)
    assert told == stranger.waits
    assert len(told) == 2
    assert all(10 <= wait <= 15 for wait in told)
    stranger.on(SIGN_IN, busy, answer({"token": TOKEN}))
    await signed_in.lms.sign_in_again("practice", told.append)
    assert len(told) == 3
    await signed_in.lms.close()


async def test_a_server_that_stays_busy_is_an_error_after_two_minutes() -> None:
    stranger = signed_in_stranger().on(SIGN_IN, raw(b"busy", 503))
    with pytest.raises(Busy):
        await sign_in(BASE, "asha", "practice", access=stranger.access())
    assert 100 < sum(stranger.waits) <= 120


@pytest.mark.parametrize(("status", "wait"), [(429, "8"), (503, "3600"), (502, "1")])
async def test_other_refusals_are_not_waited_for(status: int, wait: str) -> None:
    stranger = signed_in_stranger().on(SIGN_IN, raw(b"{}", status, {"Retry-After": wait}))
    with pytest.raises(Unreachable):
        await sign_in(BASE, "asha", "practice", access=stranger.access())
    assert stranger.waits == []


async def test_a_sign_in_may_wait_in_the_queue_of_the_server() -> None:
    stranger = signed_in_stranger()
    signed_in = await sign_in(BASE, "asha", "practice", access=stranger.access(timeout=5.0))
    reads = [request.extensions["timeout"]["read"] for request in stranger.requests]
    assert reads == [45.0, 5.0]
    await signed_in.lms.close()


@pytest.mark.parametrize(
    "url",
    [
        "https://evil.example/",
        "http://learn.example.edu/",
        "https://learn.example.edu:8443/",
        "https://x.learn.example.edu/",
    ],
)
def test_token_goes_to_one_origin_only(url: str) -> None:
    auth = TokenAuth(BASE)
    auth.replace(TOKEN)
    assert "Authorization" not in next(auth.auth_flow(httpx.Request("GET", url))).headers
    assert next(auth.auth_flow(httpx.Request("GET", f"{BASE}/x"))).headers["Authorization"] == f"JWT {TOKEN}"
    assert TOKEN not in repr(auth)


async def test_an_unusable_certificate_file_is_reported_at_once(tmp_path: Path) -> None:
    wrong = tmp_path / "ca.pem"
    wrong.write_text("not a certificate")
    for file in (wrong, tmp_path / "missing.pem"):
        with pytest.raises(Invalid, match="ca_file"):
            await sign_in(BASE, "asha", "practice", access=Access(ca_file=file))
