"""Values at the edge of what numbers and calendars hold: each costs its own field, and what is read can be used."""

from datetime import datetime, timedelta, timezone
from decimal import Decimal

import pytest

from lms_tui.client.api import HttpLms
from tests.client.stranger import Stranger, answer, page

ATTEMPT = "GET /api/v2.2/attempts/5"
ATTEMPTS = "GET /api/v2.2/attempts/"


@pytest.mark.parametrize(
    "text",
    [
        "1e1000000",
        "-1e1000000",
        "1e12",
        "1e999999999999999999",
        "9" * 10_000,
        "1e99999999999999999999999",
        "Infinity",
        "NaN",
        "sNaN",
        "-sNaN123",
        "",
        "twelve",
    ],
)
@pytest.mark.case(29)
async def test_a_number_beyond_any_score_loses_its_field_only(stranger: Stranger, lms: HttpLms, text: str) -> None:
    row = dict.fromkeys(("score", "percentile", "correct_count", "remaining_attempts", "rank"), text)
    stranger.on(ATTEMPT, answer({"id": 5, "state": "Running", **row}))
    stranger.on(ATTEMPTS, answer(page([{"id": 4, "score": "4.00"}, {"id": 5, **row}], count=text)))
    read = await lms.attempts.read(5)
    first, second = (await lms.attempts.page()).results
    for attempt in (read, second):
        assert (attempt.score, attempt.percentile, attempt.remaining_attempts, attempt.rank) == (None,) * 4
        assert attempt.correct_count == 0
    assert (read.state, first.score) == ("Running", Decimal(4))


@pytest.mark.parametrize(
    ("text", "score"),
    [("0e1000000", 0), ("1e-1000000", 0), ("12." + "5" * 5_000, 12.56), ("-999999999999", -999999999999)],
)
async def test_number_in_any_notation_is_written_back_as_one(
    stranger: Stranger, lms: HttpLms, text: str, score: float
) -> None:
    stranger.on(ATTEMPT, answer({"id": 5, "score": text, "correct_count": text}))
    attempt = await lms.attempts.read(5)
    assert attempt.model_dump(mode="json")["score"] == f"{score:.2f}"
    assert attempt.correct_count == int(score)


@pytest.mark.parametrize(
    "text",
    [
        "9999-12-31T23:59:59-23:59",
        "9999-12-31T23:59:59Z",
        "9999-12-31T23:59:59+23:59",
        "9999-12-31T23:59:59.999999",
        "9999-12-31",
        "0001-01-01T00:00:00+23:59",
        "0001-01-01T00:00:00Z",
        "0001-01-01T00:00:00-23:59",
        "0001-01-01",
        "0001-W01-1",
    ],
)
@pytest.mark.case(29)
async def test_a_moment_outside_the_calendar_of_a_zone_is_no_time(stranger: Stranger, lms: HttpLms, text: str) -> None:
    stranger.on(ATTEMPT, answer({"id": 5, "date": text, "exam": {"id": 1, "start_date": text}}))
    attempt = await lms.attempts.read(5)
    assert (attempt.id, attempt.date, attempt.exam.id, attempt.exam.start_date) == (5, None, 1, None)


@pytest.mark.parametrize(
    "text",
    ["0001-01-02T23:59:59+23:59", "0001-01-02T00:00:00Z", "9999-12-30T23:59:59.999999Z", "9999-12-29T23:59:59-23:59"],
)
@pytest.mark.parametrize("hours", [-23.99, 0, 5.5, 23.99, None])
async def test_a_moment_can_be_shown_in_every_zone_and_written(
    stranger: Stranger, lms: HttpLms, text: str, hours: float | None
) -> None:
    stranger.on(ATTEMPT, answer({"id": 5, "date": text}))
    attempt = await lms.attempts.read(5)
    moment = datetime.fromisoformat(text)
    assert attempt.date == moment
    assert attempt.date.astimezone(None if hours is None else timezone(timedelta(hours=hours))) == moment
    written = datetime.fromisoformat(attempt.model_dump(mode="json")["date"])
    assert written == moment
