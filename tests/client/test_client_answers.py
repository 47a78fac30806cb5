"""The client turns the replies of a hostile or broken server into its own errors."""

import gzip
import json
import logging
import zlib
from datetime import UTC, datetime

import httpx
import pytest

from lms_tui.attempt.mapping import memory_of, server_time_of
from lms_tui.client.api import HttpLms
from lms_tui.client.decoding import LARGEST_BODY, decode
from lms_tui.client.port import ExamState
from lms_tui.client.redaction import redact
from lms_tui.wire.attempts import AnswerInput
from lms_tui.wire.errors import (
    ApiError,
    Defect,
    NotFound,
    NotTheService,
    Offline,
    ServerFault,
    SignInNeeded,
    TimedOut,
    Unreachable,
)
from lms_tui.wire.server_memory import ServerMemory
from tests.client.stranger import BASE, TOKEN, Answer, Stranger, answer, page, raw

ATTEMPT = "GET /api/v2.2/attempts/5"
QUESTIONS = "GET /api/v2.2/attempts/5/questions/"
SAVE = "PUT /api/v2.2/attempts/5/questions/3"


async def test_start_and_heartbeat_tell_what_the_server_remembers(stranger: Stranger, lms: HttpLms) -> None:
    body = json.dumps(
        {
            "id": 5,
            "state": "Running",
            "memory": {"epoch": "forged", "seen": {"w1": 1}},
            "server_time": "2030-01-01T00:00:00Z",
        }
    ).encode()
    headers = {"X-Server-Epoch": "0a1b", "x-answer-seen": "w1:57, w2:3", "X-Server-Time": "1772323200123"}
    for verb in ("start", "heartbeat"):
        stranger.on(f"PUT /api/v2.2/attempts/5/{verb}/", raw(body, headers=headers), raw(body))
    for request in (lms.attempts.start, lms.attempts.heartbeat):
        told, silent = await request(5), await request(5)
        assert memory_of(told) == ServerMemory("0a1b", {"w1": 57, "w2": 3})
        assert server_time_of(told, starts=False) == datetime(2026, 3, 1, 0, 0, 0, 123_000, UTC)
        assert memory_of(silent) == ServerMemory()
        assert server_time_of(silent, starts=False) is None


async def test_each_request_has_the_path_of_the_document(stranger: Stranger, lms: HttpLms) -> None:
    attempt = {"id": 5, "state": "Running"}
    stranger.on("POST /api/v2.2/exams/jee-main/attempts/", answer({**attempt, "score": 0}, 201))
    for verb in ("start", "heartbeat", "end"):
        stranger.on(f"PUT /api/v2.2/attempts/5/{verb}/", answer(attempt))
    stranger.on(ATTEMPT, answer(attempt)).on(SAVE, answer({"id": 3, "selected_answers": [9]}))
    stranger.on("GET /api/v2.2/attempts/5/review/subjects/", answer(page([{"id": 1, "name": "Physics"}])))
    stranger.on("GET /api/v2.5/me/stats/", answer({"total_exams": 4}))
    stranger.on("GET /api/v2.2/exams/jee-main", answer({"id": 1, "slug": "jee-main"}))

    assert (await lms.attempts.create("jee-main")).id == 5
    await lms.attempts.start(5)
    await lms.attempts.heartbeat(5)
    await lms.attempts.read(5)
    saved = await lms.attempts.save(5, 3, AnswerInput(selected_answers=(9,), review=True), "w1:4", 1_772_323_200_123)
    await lms.attempts.end(5)
    assert [subject.name for subject in await lms.attempts.subjects(5)] == ["Physics"]
    assert (await lms.stats()).total_exams == 4
    assert (await lms.exams.read("jee-main")).slug == "jee-main"

    assert saved.selected_answers == (9,)
    put = stranger.seen(SAVE)[0]
    assert json.loads(put.content) == {"selected_answers": [9], "review": True}
    assert put.headers["X-Answer-Seq"] == "w1:4"
    assert put.headers["X-Answer-Time"] == "1772323200123"
    assert all(request.headers["Authorization"] == f"JWT {TOKEN}" for request in stranger.requests)


async def test_lists_send_the_filters_of_the_document(stranger: Stranger, lms: HttpLms) -> None:
    stranger.on("GET /api/v2.2/attempts/", answer(page([{"id": 5}]))).on(
        "GET /api/v2.2/exams/", answer(page([{"id": 1}]))
    )
    await lms.attempts.page(2, course="Physics & Maths", title="shift")
    await lms.exams.page(ExamState.UPCOMING)
    first, second = stranger.requests
    assert dict(first.url.params) == {"page": "2", "course": "Physics & Maths", "q": "shift"}
    assert dict(second.url.params) == {"page": "1", "state": "upcoming"}


async def test_a_server_without_exam_lists_raises_not_found(lms: HttpLms) -> None:
    with pytest.raises(NotFound):
        await lms.exams.page(ExamState.AVAILABLE)


@pytest.mark.parametrize("slug", ["", ".", "..", " ", "../../admin", "a/b", "x?y=1", "x#y", "x" * 300])
async def test_slug_never_becomes_another_path(stranger: Stranger, lms: HttpLms, slug: str) -> None:
    with pytest.raises(NotFound):
        await lms.attempts.create(slug)
    assert all(request.url.raw_path.count(b"/") == 6 for request in stranger.requests)


@pytest.mark.parametrize(
    "reply",
    [
        raw(b"<html>Hotel Wi-Fi</html>"),
        raw(b""),
        raw(b'{"id": 5, "state": "Run'),
        raw(b"\xff\xfe\x00"),
        raw(b"[]"),
        raw(b'"5"'),
        raw(b"null"),
        raw(b"5"),
        answer({"ok": True}),
        answer({"id": 6, "state": "Running"}),
        answer({"id": "x"}),
        raw(b"[" * 100_000),
        raw(b'{"a":' * 500 + b"1" + b"}" * 500),
        raw(b"not gzip", headers={"content-encoding": "gzip"}),
        raw(gzip.compress(b'{"id": 5}')[:-12], headers={"content-encoding": "gzip"}),
        raw(b"x", headers={"content-encoding": "br"}),
        answer({"id": 5}, 204 + 98),
    ],
)
@pytest.mark.case(20)
async def test_a_reply_that_is_not_of_the_api_acknowledges_nothing(
    stranger: Stranger, lms: HttpLms, reply: Answer
) -> None:
    stranger.on(ATTEMPT, reply).on("PUT /api/v2.2/attempts/5/heartbeat/", reply)
    with pytest.raises(NotTheService):
        await lms.attempts.read(5)
    with pytest.raises(NotTheService):
        await lms.attempts.heartbeat(5)


@pytest.mark.parametrize("pack", [gzip.compress, zlib.compress])
@pytest.mark.case(29)
async def test_a_compressed_bomb_is_refused_early(stranger: Stranger, lms: HttpLms, pack: object) -> None:
    assert callable(pack)
    flood = pack(b'{"id": 5, "x": "' + b"a" * (LARGEST_BODY * 4) + b'"}')
    stranger.on(ATTEMPT, raw(flood, headers={"content-encoding": "gzip" if pack is gzip.compress else "deflate"}))
    with pytest.raises(NotTheService, match="too large"):
        await lms.attempts.read(5)


async def test_a_compressed_reply_is_read(stranger: Stranger, lms: HttpLms) -> None:
    stranger.on(ATTEMPT, raw(gzip.compress(b'{"id": 5}'), headers={"content-encoding": "gzip"}))
    assert (await lms.attempts.read(5)).id == 5


@pytest.mark.case(29)
def test_invalid_numbers_lose_their_field_only() -> None:
    body = b'{"a": NaN, "b": Infinity, "c": 1e999, "d": ' + b"9" * 5000 + b', "e": 1}'
    assert decode(body) == {"a": None, "b": None, "c": None, "d": None, "e": 1}


def test_strings_and_names_of_replies_are_cleaned() -> None:
    assert decode(b'\xef\xbb\xbf{"t\\u001b": "\\u001b[2J\\ud800 x"}') == {"t␛": "␛[2J� x"}


@pytest.mark.case(29)
async def test_an_invalid_question_does_not_lose_the_exam(stranger: Stranger, lms: HttpLms) -> None:
    good = {"id": 1, "question": {"type": "R", "question_html": "2+2", "answers": [{"id": 1, "text_html": "4"}]}}
    bad = {"id": 2, "question": "gone", "selected_answers": {"a": 1}, "review": True}
    stranger.on(QUESTIONS, answer(page([good, bad, "nonsense", None, {**good, "id": 3}])))
    questions = await lms.attempts.questions(5)
    assert [question.id for question in questions] == [1, 2, 3]
    assert questions[1].question.type == ""
    assert questions[1].review is True


@pytest.mark.case(28)
async def test_every_question_of_every_page_is_read_once(stranger: Stranger, lms: HttpLms) -> None:
    stranger.on(
        QUESTIONS,
        answer(page([{"id": 1}, {"id": 2}], "?page=2", count=99)),
        answer(page([{"id": 2}, {"id": 3}], f"{BASE}/api/v2.2/attempts/5/questions/?page=3")),
        answer(page([{"id": 3}], "http://learn.example.edu/api/v2.2/attempts/5/questions/?page=4")),
        answer(page([{"id": 4}])),
    )
    assert [question.id for question in await lms.attempts.questions(5)] == [1, 2, 3, 4]
    assert {request.url.scheme for request in stranger.requests} == {"https"}


@pytest.mark.parametrize("loop", ["?page=1", "", "/api/v2.2/attempts/5/questions/"])
@pytest.mark.case(28)
async def test_a_list_whose_pages_form_a_circle_ends(stranger: Stranger, lms: HttpLms, loop: str) -> None:
    stranger.on(QUESTIONS, answer(page([{"id": 1}], loop)))
    assert [question.id for question in await lms.attempts.questions(5)] == [1]
    assert len(stranger.requests) <= 2


@pytest.mark.case(28)
async def test_an_endless_list_is_refused(stranger: Stranger, lms: HttpLms) -> None:
    def more(request: httpx.Request) -> Answer:
        number = int(request.url.params.get("page", "1"))
        return answer(page([{"id": number}], f"?page={number + 1}"))

    stranger.on(QUESTIONS, more)
    with pytest.raises(Defect, match="has no end"):
        await lms.attempts.questions(5)


@pytest.mark.parametrize(
    "next_url",
    [
        "https://evil.example/?page=2",
        "//evil.example/",
        "https://u:p@learn.example.edu/?page=2",
        "ftp://learn.example.edu/",
    ],
)
@pytest.mark.case(28)
async def test_list_that_leads_to_another_server_is_not_followed(
    stranger: Stranger, lms: HttpLms, next_url: str
) -> None:
    stranger.on(QUESTIONS, answer(page([{"id": 1}], next_url)))
    with pytest.raises(Defect):
        await lms.attempts.questions(5)
    assert {request.url.host for request in stranger.requests} == {"learn.example.edu"}


async def test_the_first_page_of_a_review_is_returned_before_the_second_is_requested(
    stranger: Stranger, lms: HttpLms
) -> None:
    stranger.on("GET /api/v2.2/attempts/5/review/", answer(page([{"id": 1}], "?page=2")), answer(page([{"id": 2}])))
    review = lms.attempts.review(5)
    assert [question.id for question in (await anext(review)).results] == [1]
    assert len(stranger.requests) == 1
    assert [question.id for question in (await anext(review)).results] == [2]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_request_with_an_answer_follows_no_redirect(stranger: Stranger, lms: HttpLms, status: int) -> None:
    stranger.on(SAVE, raw(b"", status, {"location": "https://evil.example/"}))
    with pytest.raises(NotTheService):
        await lms.attempts.save(5, 3, AnswerInput())
    assert len(stranger.requests) == 1


def with_a_slash(request: httpx.Request) -> Answer:
    """Redirect as Django's APPEND_SLASH does, to the whole address."""
    return raw(b"", 301, {"location": f"http://learn.example.edu{request.url.raw_path.decode()}/"})


@pytest.mark.parametrize("status", [301, 302, 307, 308])
@pytest.mark.parametrize("location", [f"{BASE}{SAVE[4:]}/", f"http://learn.example.edu{SAVE[4:]}/", f"{SAVE[4:]}/"])
async def test_server_that_wants_a_slash_gets_the_same_answer_there(
    stranger: Stranger, lms: HttpLms, status: int, location: str
) -> None:
    stranger.on(SAVE, raw(b"", status, {"location": location}))
    stranger.on(f"{SAVE}/", answer({"id": 3, "selected_answers": [9]}))
    saved = await lms.attempts.save(5, 3, AnswerInput(selected_answers=(9,)), "w1:4")
    assert saved.selected_answers == (9,)
    first, second = stranger.requests
    assert (second.method, second.content, second.headers) == (first.method, first.content, first.headers)


async def test_slash_is_learnt_once_for_each_kind_of_address(stranger: Stranger, lms: HttpLms) -> None:
    for number in (3, 4):
        stranger.on(f"PUT /api/v2.2/attempts/5/questions/{number}", with_a_slash)
        stranger.on(f"PUT /api/v2.2/attempts/5/questions/{number}/", answer({"id": number}))
    stranger.on(ATTEMPT, answer({"id": 5}))
    for number in (3, 4, 3):
        await lms.attempts.save(5, number, AnswerInput())
    await lms.attempts.read(5)
    asked = [request.url.path.removeprefix("/api/v2.2/attempts/5") for request in stranger.requests]
    assert asked == ["/questions/3", "/questions/3/", "/questions/4/", "/questions/3/", ""]


async def test_server_that_wants_slashes_no_longer_is_asked_without(stranger: Stranger, lms: HttpLms) -> None:
    stranger.on(SAVE, with_a_slash, answer({"id": 3}))
    stranger.on(f"{SAVE}/", answer({"id": 3}), raw(b"", 301, {"location": SAVE[4:]}))
    await lms.attempts.save(5, 3, AnswerInput())
    with pytest.raises(NotTheService):
        await lms.attempts.save(5, 3, AnswerInput())
    assert (await lms.attempts.save(5, 3, AnswerInput())).id == 3
    assert [len(stranger.seen(SAVE)), len(stranger.seen(f"{SAVE}/"))] == [2, 2]


@pytest.mark.parametrize(
    "location",
    [
        f"https://evil.example{SAVE[4:]}/",
        f"https://learn.example.edu:444{SAVE[4:]}/",
        f"https://u:p@learn.example.edu{SAVE[4:]}/",
        f"{SAVE[4:]}/?next=1",
        f"{SAVE[4:]}//",
        "/login/",
        "http://[",
        "",
    ],
)
async def test_no_other_redirect_is_followed(stranger: Stranger, lms: HttpLms, location: str) -> None:
    stranger.on(SAVE, raw(b"", 301, {"location": location}))
    with pytest.raises(NotTheService):
        await lms.attempts.save(5, 3, AnswerInput())
    assert len(stranger.requests) == 1


async def test_answer_that_a_redirect_would_turn_into_reading_is_not_followed(stranger: Stranger, lms: HttpLms) -> None:
    stranger.on(SAVE, raw(b"", 303, {"location": f"{SAVE[4:]}/"}))
    with pytest.raises(NotTheService):
        await lms.attempts.save(5, 3, AnswerInput())
    assert len(stranger.requests) == 1


async def test_circle_of_slashes_ends(stranger: Stranger, lms: HttpLms) -> None:
    stranger.on(SAVE, with_a_slash).on(f"{SAVE}/", with_a_slash)
    with pytest.raises(NotTheService):
        await lms.attempts.save(5, 3, AnswerInput())
    assert len(stranger.requests) == 2


async def test_reading_follows_the_slash(stranger: Stranger, lms: HttpLms) -> None:
    stranger.on("GET /api/v2.2/exams/jee", with_a_slash).on(
        "GET /api/v2.2/exams/jee/", answer({"id": 1, "slug": "jee"})
    )
    assert (await lms.exams.read("jee")).slug == "jee"


async def test_a_read_is_repeated_a_few_times(stranger: Stranger, lms: HttpLms) -> None:
    stranger.on(ATTEMPT, httpx.ConnectError("refused"), raw(b"", 503), answer({"id": 5}))
    assert (await lms.attempts.read(5)).id == 5
    assert stranger.waits == [0.25, 1.0]


async def test_a_read_fails_after_three_tries(stranger: Stranger, lms: HttpLms) -> None:
    stranger.on(ATTEMPT, httpx.ReadError("reset"))
    with pytest.raises(Offline):
        await lms.attempts.read(5)
    assert len(stranger.requests) == 3


@pytest.mark.parametrize(
    ("failure", "kind"),
    [
        (httpx.ReadError("reset"), Offline),
        (httpx.ReadTimeout(""), TimedOut),
        (raw(b"", 500), ServerFault),
        (raw(b"", 503), Unreachable),
    ],
)
async def test_change_is_never_repeated_by_the_client(
    stranger: Stranger, lms: HttpLms, failure: Exception | Answer, kind: type[ApiError]
) -> None:
    stranger.on(SAVE, failure).on("POST /api/v2.2/exams/x/attempts/", failure)
    with pytest.raises(kind):
        await lms.attempts.save(5, 3, AnswerInput())
    with pytest.raises(kind):
        await lms.attempts.create("x")
    assert len(stranger.requests) == 2


@pytest.mark.case(20)
async def test_echo_of_another_question_is_no_acknowledgement(stranger: Stranger, lms: HttpLms) -> None:
    stranger.on(SAVE, answer({"id": 4, "selected_answers": [9]}))
    with pytest.raises(NotTheService):
        await lms.attempts.save(5, 3, AnswerInput(selected_answers=(9,)))


async def test_a_closed_client_sends_nothing_and_keeps_no_token(stranger: Stranger, lms: HttpLms) -> None:
    await lms.close()
    with pytest.raises(SignInNeeded):
        await lms.me()
    assert stranger.requests == []


@pytest.mark.parametrize(
    "text",
    [
        f"Authorization: JWT {TOKEN}",
        f"headers=[(b'Authorization', b'JWT {TOKEN}')]",
        f'{{"token": "{TOKEN}"}}',
        f"https://x/embed/1/?access_token={TOKEN}&x=1",
        f"{{'password': '{TOKEN}'}}",
        TOKEN,
    ],
)
def test_secrets_are_removed_from_text(text: str) -> None:
    assert TOKEN not in redact(text)


def test_text_with_many_starts_of_tokens_is_redacted_in_linear_time() -> None:
    text = "-eyJ" * 50_000
    assert redact(text) == text
    assert redact(f"{text}.{TOKEN}") == f"{text}.…"


async def test_log_of_the_http_library_holds_no_secret(
    stranger: Stranger, lms: HttpLms, caplog: pytest.LogCaptureFixture
) -> None:
    stranger.on("GET /api/v2.2/attempts/", answer(page([])))
    with caplog.at_level(logging.DEBUG):
        await lms.attempts.page(title="x")
        logging.getLogger("httpx").info("GET %s", f"{BASE}/embed/?access_token={TOKEN}")
    assert "httpx" in {record.name for record in caplog.records}
    assert TOKEN not in caplog.text
