"""The client refuses text that no request can hold, with a sentence and before it sends anything."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from lms_tui.client.api import HttpLms
from lms_tui.client.auth import sign_in, sign_in_with_token
from lms_tui.client.connection import Access
from lms_tui.client.port import ExamState, PictureAddress
from lms_tui.wire.accounts import NewUser, ProfileChanges, UserChanges
from lms_tui.wire.attempts import AnswerInput, Attempt, AttemptSection, GapFill
from lms_tui.wire.errors import ApiError, Invalid
from lms_tui.wire.mentors import NewMentor
from lms_tui.wire.posts import PostInput
from lms_tui.wire.videos import PlaybackTokenInput
from tests.client.stranger import BASE, Stranger, signed_in_stranger

HALF = "caf\ud800"
"""Half a surrogate pair, as a broken paste or a file name leaves it."""
CODE = PlaybackTokenInput()


@pytest.mark.parametrize(
    "call",
    [
        lambda lms: lms.attempts.page(title=HALF),
        lambda lms: lms.attempts.page(course=HALF),
        lambda lms: lms.attempts.create(HALF),
        lambda lms: lms.attempts.of_exam(HALF),
        lambda lms: lms.attempts.save(5, 3, AnswerInput(essay_text=HALF)),
        lambda lms: lms.attempts.save(5, 3, AnswerInput(gap_fill_responses=(GapFill(order="1", answer=HALF),))),
        lambda lms: lms.attempts.save(5, 3, AnswerInput(), "é:1"),
        lambda lms: lms.attempts.save(5, 3, AnswerInput(), "a\r\nX-Other: 1"),
        lambda lms: lms.attempts.save(5, 3, AnswerInput(), f"{HALF}:1"),
        lambda lms: lms.attempts.save(5, 3, AnswerInput(), "w1:1 "),
        lambda lms: lms.users.find("a" * 70_000),
        lambda lms: lms.attempts.section_questions(AttemptSection(questions_url=f"/api/{HALF}/")),
        lambda lms: lms.attempts.start_section(AttemptSection(start_url=f"?{HALF}")),
        lambda lms: lms.attempts.review_pdf(Attempt(id=5, review_pdf_url=f"/{HALF}.pdf"), lambda *_: None),
        lambda lms: lms.exams.page(ExamState.HISTORY, title=HALF),
        lambda lms: lms.exams.read(HALF),
        lambda lms: lms.posts.read(HALF),
        lambda lms: lms.posts.create(PostInput(title=HALF)),
        lambda lms: lms.posts.update(HALF, PostInput()),
        lambda lms: lms.posts.update("news", PostInput(batches=("A", HALF))),
        lambda lms: lms.posts.delete(HALF),
        lambda lms: lms.users.create(NewUser(username=HALF, password="a long secret")),
        lambda lms: lms.users.update(7, UserChanges(city=HALF)),
        lambda lms: lms.users.update_profile(7, ProfileChanges(city=HALF)),
        lambda lms: lms.users.find(HALF),
        lambda lms: lms.mentors.create(NewMentor(username="m", password=HALF)),
        lambda lms: lms.mentors.assign(3, [HALF]),
        lambda lms: lms.mentors.remove(3, [HALF]),
        lambda lms: lms.batches.create(HALF),
        lambda lms: lms.batches.page(search=HALF),
        lambda lms: anext(lms.batches.pages(search=HALF)),
        lambda lms: lms.videos.contents(1, HALF),
        lambda lms: lms.videos.tokens(HALF),
        lambda lms: lms.videos.tokens("uuid", status=HALF),
        lambda lms: lms.videos.token("uuid", HALF),
        lambda lms: lms.videos.token(HALF, "code"),
        lambda lms: lms.videos.create_token(HALF, CODE),
        lambda lms: lms.videos.create_token("uuid", PlaybackTokenInput(annotations=({"text": HALF},))),
        lambda lms: lms.videos.create_token("uuid", PlaybackTokenInput(annotations=({"text": object()},))),
        lambda lms: lms.videos.create_token("uuid", PlaybackTokenInput(annotations=({"text": b"\xff"},))),
        lambda lms: lms.videos.update_token("uuid", HALF, CODE),
        lambda lms: lms.pictures.read(PictureAddress(f"{BASE}/{HALF}.png"), 1_000),
        lambda lms: lms.sign_in_again(HALF),
    ],
)
async def test_text_that_cannot_be_encoded_is_never_sent(
    stranger: Stranger, lms: HttpLms, call: Callable[[HttpLms], Awaitable[object]]
) -> None:
    with pytest.raises(Invalid) as raised:
        await call(lms)
    assert str(raised.value).endswith(".")
    assert raised.value.advice.endswith(".")
    assert "\ud800" not in f"{raised.value}{raised.value.advice}{raised.value.fields}"
    assert stranger.requests == []


async def test_field_that_cannot_be_encoded_is_named(lms: HttpLms) -> None:
    with pytest.raises(Invalid) as raised:
        await lms.users.create(NewUser(username="kaveri", password="a long secret", city=HALF, zip="683101"))
    assert raised.value.fields == {"city": (str(raised.value),)}


@pytest.mark.parametrize(
    ("base_url", "username", "password"),
    [
        (BASE, HALF, "practice"),
        (BASE, "asha", HALF),
        (f"{BASE}/{HALF}", "asha", "practice"),
        (f"https://{HALF}.example.edu", "asha", "practice"),
        ("https://²⒈.example", "asha", "practice"),
        (f"https://{'é' * 64}.example", "asha", "practice"),
        ("https://-é-.example", "asha", "practice"),
        ("https://xn--é.example", "asha", "practice"),
        ("https://xn--", "asha", "practice"),
        ("https://[::1%é]", "asha", "practice"),
        ("https://[fe80::1]:x", "asha", "practice"),
        ("https://1:2:3/", "asha", "practice"),
    ],
)
async def test_a_sign_in_that_cannot_be_sent_has_a_message(base_url: str, username: str, password: str) -> None:
    stranger = signed_in_stranger()
    with pytest.raises(Invalid) as raised:
        await sign_in(base_url, username, password, access=stranger.access())
    assert raised.value.advice.endswith(".")
    assert stranger.requests == []


@pytest.mark.parametrize(
    "host", ["a" * 64 + ".invalid", "a..invalid", ".", "é.invalid", "_.invalid", "127.1.1.1.1", "[::]"]
)
async def test_an_invalid_host_is_an_api_error(host: str) -> None:
    stranger = signed_in_stranger()
    with pytest.raises(ApiError):
        await sign_in(f"https://{host}", "asha", "practice", access=stranger.access(transport=None))


@pytest.mark.parametrize("name", ["no\0file.pem", f"{HALF}.pem", "missing.pem", "."])
async def test_unreadable_certificates_are_an_api_error(name: str) -> None:
    with pytest.raises(Invalid, match="ca_file"):
        await sign_in(BASE, "asha", "practice", access=signed_in_stranger().access(ca_file=Path(name)))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("HTTPS_PROXY", "gopher://proxy.example:70"),
        ("ALL_PROXY", "http://[::1"),
        ("ALL_PROXY", "http://proxy.example:port"),
        ("ALL_PROXY", "socks5://127.0.0.1:1080"),
        ("NO_PROXY", "[::1"),
        ("SSL_CERT_FILE", "missing.pem"),
        ("SSL_CERT_FILE", __file__),
        ("SSLKEYLOGFILE", "missing/keys"),
    ],
)
async def test_an_unusable_environment_variable_is_named(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://proxy.example:3128")
    monkeypatch.setenv(name, value)
    with pytest.raises(Invalid) as raised:
        await sign_in(BASE, "asha", "practice", access=Access())
    assert name in raised.value.advice


@pytest.mark.parametrize("token", [HALF, "é", "a b", "a\nb", "x" * 9_000])
async def test_a_token_that_cannot_be_sent_is_an_api_error(token: str) -> None:
    with pytest.raises(ApiError):
        await sign_in_with_token(BASE, token, access=signed_in_stranger().access())
