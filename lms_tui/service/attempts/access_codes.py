"""The access code of an exam, which a student types to begin an attempt. Wrong codes are throttled as sign-ins are."""

import hmac

from sqlalchemy import select

from lms_tui.common.frozen import frozen
from lms_tui.service.attempts.lifecycle import StudentAttempts
from lms_tui.service.auth.guesses import Guess
from lms_tui.service.auth.throttle import Throttle
from lms_tui.service.core.database.tables import Attempt, Exam
from lms_tui.service.core.errors import WHOLE, Invalid, TooMany
from lms_tui.wire.attempt_states import AttemptState
from lms_tui.wire.single_attempts import CreatedAttempt


@frozen
class GivenCode:
    """The code in a request, "" without one, and the network that it comes from."""

    code: str
    network: str


def create_attempt(student: StudentAttempts, slug: str, given: GivenCode) -> tuple[CreatedAttempt, bool]:
    """Do as `StudentAttempts.create`, once the access code has been checked."""
    _check(student, slug, given)
    return student.create(slug)


def _check(student: StudentAttempts, slug: str, given: GivenCode) -> None:
    """Raise Invalid without the code of the exam, TooMany after wrong ones. A running attempt needs none."""
    wanted = _wanted(student, slug)
    if not wanted:
        return
    if not given.code:
        raise Invalid({WHOLE: ["This exam needs its access code."]})
    guess = Guess(f"{student.user_id} begins {slug}", given.network, "", student.now)
    throttle = Throttle(student.database, guess)
    try:
        throttle.check()
        if not hmac.compare_digest(given.code.encode(), plain_code(wanted).encode()):
            throttle.fail()
            raise Invalid({WHOLE: ["Wrong access code."]})
        throttle.succeed()
    except TooMany as error:
        raise TooMany(error.seconds, "start the exam") from None


def plain_code(code: str) -> str:
    return "".join(code.casefold().split())


def _wanted(student: StudentAttempts, slug: str) -> str:
    """Return the code that a new attempt needs, or ""."""
    running = select(Attempt.id).where(
        Attempt.exam_id == Exam.id, Attempt.user_id == student.user_id, Attempt.state == AttemptState.RUNNING
    )
    with student.database.read() as session:
        return session.scalar(select(Exam.access_code).where(Exam.slug == slug, ~running.exists())) or ""
