"""Bugs where the program meets a server: addresses, tokens, bodies, and words that come to the screen."""

from collections.abc import Callable, Generator
from typing import Any

import httpx

from lms_tui.client import address, connection, decoding, pages
from lms_tui.client import errors as client_errors
from lms_tui.client import retry as client_retry
from lms_tui.common import cleaning
from lms_tui.tui import dialog_box
from lms_tui.wire.errors import ApiError, Defect, ServerFault
from tests.client import test_client_addresses, test_client_answers, test_client_errors, test_client_sign_in
from tests.client.stranger import raw
from tests.mutants import checks, rules
from tests.mutants.checks import passes, with_client
from tests.mutants.planting import Bug, altered, around, keyword, swap


def _anywhere(sound: Callable[[str, str], str]) -> Callable[[str, str], str]:
    """Follow a link that leads to another server."""

    def follow(base: str, link: str) -> str:
        try:
            return sound(base, link)
        except Defect:
            return link

    return follow


def _to_every_origin(_: object) -> Callable[..., Generator[httpx.Request, httpx.Response, None]]:
    def auth_flow(self: connection.TokenAuth, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        if self._token:
            request.headers["Authorization"] = f"JWT {self._token}"
        yield request

    return auth_flow


def _with_controls(text: str) -> str:
    return text.replace("\r\n", "\n")


def _pages_pass(sound: Callable[[bytes], object]) -> Callable[[bytes], object]:
    def decode(body: bytes) -> object:
        return {"id": 5} if body.lstrip().startswith(b"<") else sound(body)

    return decode


def _any_question(sound: Callable[..., Any]) -> Callable[..., Any]:
    return lambda tree, item, _identity=None: sound(tree, item)


def _seconds_alone(sound: Callable[..., float | None]) -> Callable[..., float | None]:
    return lambda value, now: sound(value, now) if str(value).strip("+-").replace(".", "").isdigit() else None


def _with_its_body(sound: Callable[..., ApiError]) -> Callable[..., ApiError]:
    def from_response(status: int, headers: dict[str, str], body: bytes) -> ApiError:
        return ServerFault(body.decode(errors="replace")) if status >= 500 else sound(status, headers, body)

    return from_response


AT_THE_BORDER = (
    Bug(
        "`next` is followed to another server",
        around(address.follow, _anywhere),
        with_client(
            test_client_answers.test_list_that_leads_to_another_server_is_not_followed, "https://evil.example/?page=2"
        ),
        "with pytest.raises(Defect",
    ),
    Bug(
        "the token goes to another origin",
        around(connection.TokenAuth.auth_flow, _to_every_origin),
        passes(test_client_sign_in.test_token_goes_to_one_origin_only, "https://evil.example/"),
        "Authorization",
    ),
    Bug(
        "a redirect is followed with an answer in it",
        altered(connection.http_client, keyword("follow_redirects", value=True)),
        with_client(test_client_answers.test_a_request_with_an_answer_follows_no_redirect, 308),
        "with pytest.raises(",
    ),
    Bug(
        "an address of another server is taken for ours",
        around(address.follow, _anywhere),
        passes(test_client_addresses.test_link_to_another_server_is_refused, "https://asha:pw@learn.example.edu/x"),
        "with pytest.raises(Defect",
    ),
    Bug(
        "control characters of a server reach the screen",
        around(cleaning.clean_tree, lambda _: lambda tree: tree),
        passes(test_client_answers.test_strings_and_names_of_replies_are_cleaned),
        "assert decode(",
    ),
    Bug(
        "characters that turn the reading direction are passed",
        around(cleaning.clean, lambda _: _with_controls),
        passes(rules.escape_and_bidi_characters_are_marked),
        "assert clean(",
    ),
    Bug(
        "words of a server are read as markup",
        swap(dialog_box, "Content", str),
        checks.words_of_a_server_are_shown_as_they_are,
        "assert str(label.render()) == hostile",
    ),
    Bug(
        "NaN is accepted as a number",
        around(decoding._nothing, lambda _: float),
        passes(test_client_answers.test_invalid_numbers_lose_their_field_only),
        "assert decode(body) ==",
    ),
    Bug(
        "the sign-in page of a network counts as an answer",
        around(decoding.decode, _pages_pass),
        with_client(
            test_client_answers.test_a_reply_that_is_not_of_the_api_acknowledges_nothing,
            raw(b"<html>Hotel Wi-Fi</html>"),
        ),
        "with pytest.raises(NotTheService",
    ),
    Bug(
        "an echo of another question counts",
        around(pages.identified, _any_question),
        with_client(test_client_answers.test_echo_of_another_question_is_no_acknowledgement),
        "with pytest.raises(NotTheService",
    ),
    Bug(
        "a moment in `Retry-After` is not understood",
        around(client_retry.parse_retry_after, _seconds_alone),
        passes(rules.retry_after_may_be_a_moment),
        "== 60.0",
    ),
    Bug(
        "the body of a fault is shown",
        around(client_errors.from_response, _with_its_body),
        passes(test_client_errors.test_the_body_of_a_server_fault_is_not_shown),
        "assert 'Traceback' not in",
    ),
)
