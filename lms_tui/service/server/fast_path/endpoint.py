"""Recognition of heartbeats and answers for the fast path. Other requests take the ASGI route to the same writer."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pydantic import ValidationError

from lms_tui.service.attempts.answers import AnswerBody
from lms_tui.service.attempts.stamps import Stamp
from lms_tui.service.attempts.writes import AnswerWrite, Heartbeat, Write
from lms_tui.service.core.context import Service
from lms_tui.service.core.security import SCHEME
from lms_tui.service.core.tokens import BadToken, Claims
from lms_tui.service.core.urls import Urls
from lms_tui.service.server.fast_path.writer import Writer

METHOD: Final = b"PUT"
_PATH: Final = re.compile(rb"/api/v2\.2/attempts/([1-9][0-9]{0,17})/(?:heartbeat|questions/([1-9][0-9]{0,17}))/?")
_JSON: Final = b"application/json"
_NOT_PLAIN: Final = frozenset({b"expect", b"transfer-encoding", b"upgrade"})
"""Headers of requests without a known body length, which the fast path does not serve."""


@dataclass(slots=True)
class Head:
    """The head of a plain heartbeat or answer. `headers`: by lower-case name, without repeated ones."""

    attempt_id: int
    question_id: int | None
    headers: Mapping[bytes, bytes]


class Endpoint:
    """Parses requests of the fast path."""

    def __init__(self, service: Service, writer: Writer) -> None:
        self.writer = writer
        self._tokens = service.tokens
        self._clock = service.clock
        self._largest = service.settings.limits.body

    def head(self, target: bytes, headers: Sequence[tuple[bytes, bytes]]) -> Head | None:
        """Parse the head of a PUT, None where the fast path does not serve it."""
        found = _PATH.fullmatch(target)
        if found is None:
            return None
        by_name = dict(headers)
        length = by_name.get(b"content-length", b"0")
        plain = (
            len(by_name) == len(headers)
            and by_name.keys().isdisjoint(_NOT_PLAIN)
            and b"host" in by_name
            and length.isdigit()
            and len(length) < 16
            and int(length) <= self._largest
        )
        attempt, question = found.groups()
        return Head(int(attempt), int(question) if question else None, by_name) if plain else None

    def parse(self, head: Head, body: bytes, urls: Urls) -> Write | None:
        """Parse a complete request, None where the ASGI route must refuse it."""
        claims = self._claims(head.headers)
        if claims is None:
            return None
        if head.question_id is None:
            return Heartbeat(claims.user_id, claims.issued, head.attempt_id, urls, self._clock())
        if head.headers.get(b"content-type") != _JSON:
            return None
        given = head.headers.get(b"x-answer-seq")
        time = head.headers.get(b"x-answer-time")
        written = None if time is None else time.decode("latin-1")
        stamp = None if given is None else Stamp.read(given.decode("latin-1"), written)
        if stamp is None and (given is not None or time is not None):
            return None
        try:
            answer = AnswerBody.model_validate_json(body)
        except ValidationError:
            return None
        return AnswerWrite(
            claims.user_id, claims.issued, head.attempt_id, urls, self._clock(), head.question_id, answer, stamp
        )

    def _claims(self, headers: Mapping[bytes, bytes]) -> Claims | None:
        scheme, _, token = headers.get(b"authorization", b"").partition(b" ")
        if scheme.lower() != SCHEME or not token.isascii():
            return None
        try:
            return self._tokens.read(token.decode("ascii"))
        except BadToken:
            return None
