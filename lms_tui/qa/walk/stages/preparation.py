"""Sign in, read the lists and choose an exam."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from lms_tui.qa.walk.checks import attempts, replies, results
from lms_tui.qa.walk.patient_client import PatientClient
from lms_tui.qa.walk.shapes import shape
from lms_tui.qa.walk.user_client import EXAMS, ME, STATS, Account, CannotWalkError, exam_attempts
from lms_tui.qa.walk.values import Tree, at, integer, seconds
from lms_tui.qa.walk.walk_run import WalkRun
from lms_tui.wire.base import parse_instant

NOBODY: Final = Account("lms-tui-walk-nobody", "no-such-user")
_NO_LISTS: Final = "this server has no list of exams (an extension of the API)"
_NO_GUESS: Final = "--read-only sends no wrong password"
SHORTEST: Final = 240.0
"""Seconds of the shortest exam for the time rules. In a shorter one, a pause could count as work."""


async def check_sign_in(run: WalkRun, nobody: PatientClient, token_path: str) -> None:
    """Check the sign-in, the user of each token, and the refusal without a token."""
    for client in (run.owner, run.other):
        if client is not None:
            me = await client.get(ME)
            run.succeeds("auth.header", me)
            run.check("auth.identity", replies.is_me(me, client.username), me)
            run.check("me.fields", replies.has_me_fields(me), me)
            if client is run.owner and me.succeeded:
                run.user_id = at(me.tree(), "id")
    lower = await nobody.ask(ME, run.owner.token, lower=True)
    run.succeeds("auth.header", lower)
    missing = await nobody.get(ME)
    forged = await nobody.ask(ME, _forge(run.owner.token))
    for refused in (missing, forged):
        run.fails("auth.identity", refused)
        run.fails("auth.refused", refused, 401)
    if run.owner.only_reads:
        run.verdicts.skip(_NO_GUESS, "auth.password", "auth.wrong-password")
        return
    for account in (Account(run.owner.username, NOBODY.password), NOBODY):
        refused = await nobody.post(token_path, {"username": account.username, "password": account.password})
        run.fails("auth.password", refused)
        run.fails("auth.wrong-password", refused, 400)


def _forge(token: str) -> str:
    """Return a token with the same claims and a wrong signature."""
    head, dot, signature = token.rpartition(".")
    return f"{head}{dot}{'A' if signature[:1] != 'A' else 'B'}{signature[1:]}"


async def read_starting_point(run: WalkRun) -> None:
    """Read the statistics and the lists of exams before the attempt."""
    stats = await run.owner.get(STATS)
    run.stats = stats
    run.succeeds("stats.fields", stats)
    run.check("stats.fields", replies.has_shape(stats, shape("stats")), stats)
    run.check("stats.report", results.has_reports(stats), stats)
    run.check("stats.totals", results.totals_cover(stats), stats)
    listed = await run.owner.read_all(EXAMS)
    if listed.pages[0].status in {404, 405}:
        run.verdicts.skip(_NO_LISTS, "exams.list", "exams.state", "create.retakes")
        return
    run.watch_list(listed)
    run.succeeds("exams.list", listed.exchange)
    run.check("exams.list", replies.each_has(listed.rows, shape("listed-exam"), "exam"), listed.exchange)
    run.check("exams.list", replies.each_has(listed.rows, shape("exam"), "exam"), listed.exchange)
    run.exams = list(listed.rows)
    upcoming = await run.owner.read_all(EXAMS, state="upcoming")
    run.upcoming = [str(row.get("slug")) for row in upcoming.rows]


async def choose_exam(run: WalkRun, slug: str) -> None:
    """Choose the given exam, or the exam that covers most rules. Raises CannotWalkError."""
    if slug:
        run.exam = next((exam for exam in run.exams if exam.get("slug") == slug), {"slug": slug})
    else:
        candidates = startable_exams(run)
        if not candidates:
            running = [str(exam.get("slug")) for exam in run.exams if integer(exam.get("paused_attempts_count"))]
            advice = f"End the running attempt of {running[0]} first, or g" if running else "G"
            raise CannotWalkError("This account can start no exam.", f"{advice}ive an exam with --exam SLUG.")
        run.exam = max(candidates, key=_interest)
    earlier = await run.owner.read_all(exam_attempts(run.slug))
    run.earlier = list(earlier.rows)
    if any(row.get("state") == attempts.RUNNING for row in earlier.rows):
        raise CannotWalkError(
            f"The exam {run.slug} has a running attempt, and the walk would end it.",
            "End it first, or choose another exam with --exam.",
        )


def startable_exams(run: WalkRun) -> Sequence[Tree]:
    """Return the exams that can be started now and have no running attempt."""
    return [exam for exam in run.exams if exam.get("slug") not in run.upcoming and _has_attempts_left(exam)]


def _has_attempts_left(exam: Tree) -> bool:
    made, retakes = integer(exam.get("attempts_count")), exam.get("max_retakes")
    over = parse_instant(exam.get("end_date"))
    if integer(exam.get("paused_attempts_count")) or (over is not None and over < datetime.now(UTC)):
        return False
    return made == 0 or (exam.get("allow_retake") is True and (not isinstance(retakes, int) or not 0 <= retakes < made))


def is_unlimited(exam: Tree) -> bool:
    retakes = exam.get("max_retakes")
    return exam.get("allow_retake") is True and (not isinstance(retakes, int) or retakes < 0)


def _interest(exam: Tree) -> tuple[bool, bool, bool, int]:
    """Prefer unlimited exams, then timed ones, ones without sections, and ones with many questions."""
    timed = (seconds(exam.get("duration")) or 0) >= SHORTEST
    return is_unlimited(exam), timed, not at(exam, "sections"), integer(exam.get("number_of_questions"))
