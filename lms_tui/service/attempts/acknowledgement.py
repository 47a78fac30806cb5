"""The signed acknowledgement of the answers of an attempt. See `lms_tui.wire.acknowledgement`.

It is made from what is committed, when an attempt has ended and when its student asks. Heartbeats and answers carry no
signature, so they cost what they cost without it.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from lms_tui.common import signatures
from lms_tui.common.base64url import encoded
from lms_tui.service.core.database.tables import Attempt, AttemptQuestion, User
from lms_tui.service.core.signer import Signer
from lms_tui.wire.acknowledgement import ACKNOWLEDGEMENT_HEADER, Acknowledgement, GivenAnswer, digest_of

_PURPOSE: Final = "acknowledgement"
DESCRIBED: Final[dict[int | str, dict[str, Any]]] = {
    200: {
        "headers": {
            ACKNOWLEDGEMENT_HEADER: {
                "description": "The signed acknowledgement of the answers of this attempt, for a receipt.",
                "schema": {"type": "string", "pattern": r"^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{86}$"},
            },
        }
    }
}
"""The header of the reply to the end of an attempt in the OpenAPI document."""


def acknowledgement_of(session: Session, attempt_id: int, signer: Signer, now: datetime) -> str:
    """Return the signed acknowledgement of an attempt."""
    user_id, username, state = session.execute(
        select(User.id, User.username, Attempt.state)
        .join(User, User.id == Attempt.user_id)
        .where(Attempt.id == attempt_id)
    ).one()
    answers, digest = digest_of(answers_of(session, attempt_id))
    seed = signer.sign(_PURPOSE)
    told = Acknowledgement(
        *(attempt_id, user_id, username, state, now.isoformat(timespec="milliseconds"), answers, digest),
        key=encoded(signatures.public_key_of(seed)),
    )
    return f"{told.payload.decode()}.{encoded(signatures.sign(seed, told.payload))}"


def public_key(signer: Signer) -> str:
    """Return the public key of the service, in base64url."""
    return encoded(signatures.public_key_of(signer.sign(_PURPOSE)))


def answers_of(session: Session, attempt_id: int) -> Iterable[GivenAnswer]:
    """Return the answers of an attempt as they count."""
    rows = session.execute(
        select(
            AttemptQuestion.id,
            AttemptQuestion.selected_answers,
            AttemptQuestion.short_text,
            AttemptQuestion.essay_text,
            AttemptQuestion.essay_topic,
            AttemptQuestion.gap_fill_responses,
        ).where(AttemptQuestion.attempt_id == attempt_id)
    )
    for id_, selected, short, essay, topic, gaps in rows:
        yield GivenAnswer(id_, selected, short, essay, topic, [(gap["order"], gap["answer"]) for gap in gaps])
