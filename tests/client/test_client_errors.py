import json
import socket
import ssl
from datetime import UTC, datetime
from email.utils import format_datetime

import httpx
import pytest

from lms_tui.client.errors import from_response, from_transport, words_of
from lms_tui.client.retry import LONGEST_WAIT, parse_retry_after, pause_before_retry
from lms_tui.wire.errors import (
    ApiError,
    Busy,
    Defect,
    Forbidden,
    Invalid,
    NotFound,
    NotTheService,
    Offline,
    Refused,
    ServerFault,
    SignInNeeded,
    TimedOut,
    Unreachable,
)

HTML = b"<!DOCTYPE html><html><body>Welcome to Hotel Wi-Fi</body></html>"


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (301, b"", NotTheService),
        (302, HTML, NotTheService),
        (308, b"", NotTheService),
        (400, b'{"detail": "no"}', Invalid),
        (400, HTML, NotTheService),
        (401, b'{"detail": "no"}', SignInNeeded),
        (403, b'{"detail": "no"}', Forbidden),
        (403, b"", Forbidden),
        (403, HTML, NotTheService),
        (404, b'{"detail": "Not found"}', NotFound),
        (404, HTML, NotFound),
        (405, b"", Defect),
        (407, HTML, NotTheService),
        (408, b"", TimedOut),
        (409, b'{"detail": "no"}', Invalid),
        (410, b"", NotFound),
        (413, b"", Defect),
        (418, b"", Defect),
        (422, b'{"detail": []}', Invalid),
        (425, b"", Busy),
        (429, b"", Busy),
        (500, HTML, ServerFault),
        (502, HTML, ServerFault),
        (503, b"", Busy),
        (504, b"", TimedOut),
        (511, HTML, NotTheService),
        (599, b"", ServerFault),
        (199, b"", Defect),
        (799, b"", ServerFault),
    ],
)
def test_each_status_has_one_error(status: int, body: bytes, kind: type[ApiError]) -> None:
    error = from_response(status, httpx.Headers(), body)
    assert type(error) is kind
    assert error.status == status
    assert str(error).endswith(".")
    assert error.advice


@pytest.mark.parametrize(
    ("body", "sentence", "fields"),
    [
        ({"detail": "The exam has already ended"}, "The exam has already ended", {}),
        ({"detail": {"error_code": "max_attempts", "message": "No attempts left"}}, "No attempts left", {}),
        ({"error_code": "E1", "detail": "Too late.", "title": "Error"}, "Too late.", {}),
        ({"error_code": "E1", "title": "Closed"}, "Closed", {}),
        ({"message": "Closed"}, "Closed", {}),
        ({"non_field_errors": ["One.", "Two."]}, "One. Two.", {}),
        ({"username": ["Required."], "zip": "Wrong."}, "", {"username": ("Required.",), "zip": ("Wrong.",)}),
        ({"address": {"zip": ["Wrong."]}}, "", {"address.zip": ("Wrong.",)}),
        ({"errors": {"zip": ["Wrong."]}}, "", {"zip": ("Wrong.",)}),
        ({"detail": [{"loc": ["body", "zip"], "msg": "Wrong."}]}, "", {"zip": ("Wrong.",)}),
        (["One.", "Two."], "One. Two.", {}),
        ("Plain.", "Plain.", {}),
        ({}, "", {}),
        (None, "", {}),
        (7, "", {}),
        ({"detail": None}, "", {}),
        ({"detail": 5, "zip": 7}, "", {}),
        ({"detail": [[], {}, {"loc": 5, "msg": 5}]}, "", {"": ()}),
    ],
)
def test_error_messages_are_found_in_every_shape(
    body: object, sentence: str, fields: dict[str, tuple[str, ...]]
) -> None:
    assert words_of(body) == (sentence, fields)


def test_a_refusal_has_the_message_of_the_service() -> None:
    error = from_response(403, {}, b'{"detail": "The exam has already ended"}')
    assert str(error) == "The exam has already ended."


def test_an_invalid_field_is_named_with_its_message() -> None:
    error = from_response(400, {}, b'{"username": ["This field is required."]}')
    assert isinstance(error, Invalid)
    assert error.fields == {"username": ("This field is required.",)}
    assert str(error) == "username: This field is required."


@pytest.mark.case(24)
def test_the_message_of_a_hostile_body_is_one_short_clean_line() -> None:
    body = json.dumps({"detail": "\x1b]52;c;AAAA\x07\n\n[red]\u202e" + "x" * 5000}).encode()
    message = str(from_response(403, {}, body))
    assert "\x1b" not in message
    assert "\n" not in message
    assert "\u202e" not in message
    assert len(message) < 320


@pytest.mark.case(24)
def test_the_body_of_a_server_fault_is_not_shown() -> None:
    assert "Traceback" not in str(from_response(500, {}, b'{"detail": "Traceback (most recent call last)"}'))


def test_the_error_for_a_redirect_names_the_host_only() -> None:
    error = from_response(302, {"location": "https://portal.example/?token=secret"}, b"")
    assert "portal.example" in str(error)
    assert "secret" not in str(error)


def test_busy_holds_the_requested_wait() -> None:
    error = from_response(429, httpx.Headers({"Retry-After": "30"}), b"")
    assert isinstance(error, Busy)
    assert error.retry_after == 30


NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
LATER = format_datetime(datetime(2026, 3, 1, 12, 1, tzinfo=UTC), usegmt=True)
EARLIER = format_datetime(datetime(2026, 3, 1, 11, 0, tzinfo=UTC), usegmt=True)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("30", 30.0),
        (" 30 ", 30.0),
        ("0", 0.0),
        ("1.5", 1.5),
        ("-5", 0.0),
        ("1000000000", LONGEST_WAIT),
        ("soon", None),
        ("", None),
        ("NaN", None),
        ("inf", None),
        ("1e9", None),
        ("٣٠", 30.0),
        (LATER, 60.0),
        (EARLIER, 0.0),
        ("Thu, 99 Foo 2026 99:99:99 GMT", None),
        ("9" * 400, None),
        ("Sun, 01 Mar 2026 12:01:00", 60.0),
    ],
)
@pytest.mark.case(23)
def test_retry_after_is_read_in_every_form(header: str | None, seconds: float | None) -> None:
    assert parse_retry_after(header, NOW) == seconds


@pytest.mark.parametrize(
    ("error", "tries", "pause"),
    [
        (Offline("."), 1, 0.25),
        (Offline("."), 2, 1.0),
        (Offline("."), 3, None),
        (ServerFault("."), 1, 0.25),
        (Busy("."), 1, 0.25),
        (Busy(".", retry_after=1.5), 1, 1.5),
        (Busy(".", retry_after=30), 1, None),
        (TimedOut("."), 1, None),
        (NotTheService("."), 1, None),
        (Forbidden("."), 1, None),
        (SignInNeeded("."), 1, None),
        (Defect("."), 1, None),
    ],
)
def test_a_read_is_repeated_only_for_short_waits(error: ApiError, tries: int, pause: float | None) -> None:
    assert pause_before_retry(error, tries) == pause


def _certificate_failure() -> httpx.ConnectError:
    verification = ssl.SSLCertVerificationError(1, "certificate verify failed")
    verification.verify_message = "certificate has expired"
    error = httpx.ConnectError("[SSL: CERTIFICATE_VERIFY_FAILED]")
    error.__cause__ = verification
    return error


@pytest.mark.parametrize(
    ("failure", "kind", "words"),
    [
        (httpx.ConnectError("refused"), Offline, "cannot be reached"),
        (httpx.ReadError("reset"), Offline, "was lost"),
        (httpx.RemoteProtocolError("Server disconnected"), Offline, "during its reply"),
        (httpx.ProxyError("403"), Offline, "proxy"),
        (httpx.ConnectTimeout(""), TimedOut, "5 s"),
        (httpx.ReadTimeout(""), TimedOut, "5 s"),
        (TimeoutError(), TimedOut, "5 s"),
        (httpx.PoolTimeout(""), TimedOut, "5 s"),
        (httpx.InvalidURL("bad"), Defect, "address"),
        (httpx.UnsupportedProtocol("x"), Defect, "address"),
        (OSError("no route"), Offline, "was lost"),
        (_certificate_failure(), NotTheService, "certificate has expired"),
        (
            httpx.ConnectError(
                "[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: self-signed certificate (_ssl.c:1)"
            ),
            NotTheService,
            "self-signed certificate",
        ),
    ],
)
def test_each_failure_of_the_network_has_one_error(failure: Exception, kind: type[ApiError], words: str) -> None:
    error = from_transport(failure, 5)
    assert type(error) is kind
    assert words in str(error)


def test_the_error_families_do_not_overlap() -> None:
    assert not issubclass(Refused, Unreachable)
    assert not issubclass(Defect, Unreachable | Refused)


def test_a_name_without_an_address_says_what_an_address_looks_like() -> None:
    failure = httpx.ConnectError("[Errno -2] Name or service not known")
    failure.__cause__ = socket.gaierror(-2, "Name or service not known")
    error = from_transport(failure, 5)
    assert isinstance(error, Offline)
    assert str(error) == "The server cannot be reached: its name was not found."
    assert "looks like https://learn.example.edu" in error.advice
