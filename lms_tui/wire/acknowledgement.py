"""The signed acknowledgement: which answers of an attempt a server held, and when (standard library only).

It is `payload.signature`, both in base64url without padding. The payload is JSON with the attempt, its user, the moment
and a digest of all answers. The signature is Ed25519 over the payload. The embedded service tells it in a header of the
reply to the end of an attempt, and at a path of its own. Other servers lack both.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any, Final, Self

from lms_tui.common.base64url import decoded, encoded
from lms_tui.common.frozen import frozen

ACKNOWLEDGEMENT_HEADER: Final = "X-Answers-Acknowledged"
_FORM: Final = re.compile(r"[A-Za-z0-9_-]{1,4000}\.[A-Za-z0-9_-]{86}")


@frozen
class GivenAnswer:
    """The answer to a question, as it counts. `question_id`: in its attempt. `gaps`: number and text."""

    question_id: int
    selected: Sequence[int] = ()
    short_text: str | None = None
    essay_text: str | None = None
    essay_topic: str | None = None
    gaps: Iterable[tuple[str, str]] = ()

    @property
    def content(self) -> tuple[Any, ...]:
        """The same for the same answer, and false in each part where nothing was answered."""
        texts = (self.short_text or "", self.essay_text or "", self.essay_topic or "")
        return (*texts, sorted(set(self.selected)), sorted({(str(gap), text) for gap, text in self.gaps if text}))


@frozen
class ClaimedAnswer:
    """The newest answer to a question in a receipt. `at`: the time on the clock of the student's computer."""

    given: GivenAnswer
    at: datetime
    delivered: bool


@frozen
class Acknowledgement:
    """`at`: the moment in UTC. `answers`: how many answers the server held. `key`: the public key, in base64url."""

    attempt_id: int
    user_id: int
    username: str
    state: str
    at: str
    answers: int
    digest: str
    key: str

    @property
    def payload(self) -> bytes:
        return encoded(json.dumps(asdict(self), separators=(",", ":")).encode()).encode()


@frozen
class Signed:
    """`payload`: the signed bytes."""

    told: Acknowledgement
    payload: bytes
    signature: bytes

    @classmethod
    def read(cls, text: str) -> Self:
        """Raise ValueError where this is no acknowledgement. The signature is not checked."""
        if not is_acknowledgement(text):
            raise ValueError(text[:40])
        payload, _, signature = text.partition(".")
        try:
            told = Acknowledgement(**json.loads(decoded(payload)))
        except TypeError as error:
            raise ValueError(str(error)) from error
        return cls(told, payload.encode(), decoded(signature))


def is_acknowledgement(text: str) -> bool:
    """Return whether a text has the form of an acknowledgement."""
    return _FORM.fullmatch(text) is not None


def digest_of(answers: Iterable[GivenAnswer]) -> tuple[int, str]:
    """Return how many questions were answered, and the digest of their answers."""
    given = sorted((answer.question_id, *content) for answer in answers if any(content := answer.content))
    text = json.dumps(given, ensure_ascii=True, separators=(",", ":"))
    return len(given), hashlib.sha256(text.encode()).hexdigest()
