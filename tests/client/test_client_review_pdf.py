"""The printed review: read from the server that was signed in to, whole, and from nowhere else."""

import pytest

from lms_tui.client import connection
from lms_tui.client.api import HttpLms
from lms_tui.wire.attempts import Attempt
from lms_tui.wire.errors import ApiError, Defect, Forbidden, NotFound, NotTheService, SignInNeeded
from tests.client.stranger import BASE, TOKEN, Answer, Stranger, answer, raw

PRINTED = b"%PDF-1.7\n" + b"x" * 200_000
PATH = "/api/v2.2/attempts/5/review/pdf/"


def attempt(url: str = BASE + PATH) -> Attempt:
    return Attempt(id=5, review_pdf_url=url)


async def test_a_pdf_review_is_read_and_reports_progress(stranger: Stranger, lms: HttpLms) -> None:
    told: list[tuple[int, int | None]] = []
    stranger.on(f"GET {PATH}", raw(PRINTED, headers={"content-length": str(len(PRINTED))}))
    content = await lms.attempts.review_pdf(attempt(), lambda done, whole: told.append((done, whole)))
    assert content == PRINTED
    assert told[-1] == (len(PRINTED), len(PRINTED))
    (request,) = stranger.requests
    assert request.headers["Authorization"] == f"JWT {TOKEN}"
    assert request.headers["Accept"] == "application/pdf"


@pytest.mark.parametrize(
    "url",
    ["https://cdn.example.net/5.pdf", "//evil.example/5.pdf", "https://learn.example.edu:8443/5.pdf", "file:///5.pdf"],
)
async def test_a_pdf_review_of_another_server_is_not_requested(stranger: Stranger, lms: HttpLms, url: str) -> None:
    with pytest.raises(Defect):
        await lms.attempts.review_pdf(attempt(url), lambda *_: None)
    assert not stranger.requests


async def test_an_exam_without_a_pdf_review_has_an_error_with_a_message(stranger: Stranger, lms: HttpLms) -> None:
    with pytest.raises(NotFound, match="not available as a PDF"):
        await lms.attempts.review_pdf(attempt(""), lambda *_: None)
    assert not stranger.requests


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (raw(b"<html>Sign in to this network"), NotTheService),
        (raw(b"", 302, {"location": "https://evil.example/"}), NotTheService),
        (answer({"detail": "The exam has not ended yet."}, 403), Forbidden),
        (answer({"detail": "Expired."}, 401), SignInNeeded),
    ],
)
async def test_anything_but_a_pdf_is_an_error_with_a_message(
    stranger: Stranger, lms: HttpLms, reply: Answer, error: type[ApiError]
) -> None:
    stranger.on(f"GET {PATH}", reply)
    with pytest.raises(error):
        await lms.attempts.review_pdf(attempt(), lambda *_: None)


async def test_an_endless_file_is_refused(stranger: Stranger, lms: HttpLms, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "_LARGEST_FILE", 1_000)
    stranger.on(f"GET {PATH}", raw(PRINTED))
    with pytest.raises(NotTheService, match="too large"):
        await lms.attempts.review_pdf(attempt(), lambda *_: None)
