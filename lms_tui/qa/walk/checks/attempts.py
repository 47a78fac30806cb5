"""Checks of attempts: fields, state and time."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from lms_tui.client.recording import Exchange
from lms_tui.qa.walk.checks.replies import each_has
from lms_tui.qa.walk.shapes import shape
from lms_tui.qa.walk.values import DECIMAL, NUMBER, Tree, as_rows, as_tree, at, field_problems, integer, seconds, shown

RUNNING: Final = "Running"
COMPLETED: Final = "Completed"
_FIXED: Final = ("id", "url", "date", "total_questions", "review_url", "questions_url")


def has_attempt_fields(attempt: object) -> Iterator[str]:
    yield from field_problems(attempt, shape("attempt"))


def has_exam_fields(attempt: object) -> Iterator[str]:
    exam = at(attempt, "exam")
    yield from field_problems(exam, shape("exam"), "exam.")
    yield from each_has(as_rows(at(exam, "sections")), shape("exam-section"), "section of the exam")


def is_same(created: object, found: object) -> Iterator[str]:
    """Check that a reply about the attempt of `created` has the same values, except those that a request refreshes."""
    yield from _differences(created, found, _FIXED)
    yield from _differences(at(created, "exam"), at(found, "exam"), shape("exam"), "exam.")


def _differences(was: object, now: object, names: Iterable[str], where: str = "") -> Iterator[str]:
    for name in names:
        if at(was, name) != at(now, name):
            yield f"{where}{name} was {shown(at(was, name))} and is {shown(at(now, name))}"


def has_spans(attempt: object) -> Iterator[str]:
    """Check the durations. They are null only in an exam without a time limit."""
    timed = bool(seconds(at(attempt, "exam", "duration")))
    yield from field_problems(attempt, shape("attempt-spans" if timed else "attempt-spans-untimed"))


def has_user(attempt: object, username: str, user_id: object, *, expanded: bool) -> Iterator[str]:
    user = at(attempt, "user")
    if not expanded:
        if user != username:
            yield f"user is {shown(user)}, not {shown(username)}"
        return
    yield from field_problems(user, shape("user"), "user.")
    if isinstance(user, Mapping) and user.get("username") != username:
        yield f"user.username is {shown(user.get('username'))}, not {shown(username)}"
    if isinstance(user, Mapping) and user_id is not None and user.get("id") != user_id:
        yield f"user.id is {shown(user.get('id'))}, not {shown(user_id)} as at /me/"


def has_exam_url(attempt: object) -> Iterator[str]:
    url = at(attempt, "exam_url")
    if not isinstance(url, str) or not url:
        yield f"exam_url is {shown(url)}, not a string"


def has_decimal_score(attempt: object) -> Iterator[str]:
    """Check the score of any reply but that to the creation. The notes allow NA before the end."""
    score = at(attempt, "score")
    if not DECIMAL.test(score) and (at(attempt, "state") == COMPLETED or score != "NA"):
        yield f"score is {shown(score)}, not {DECIMAL.name}"


def is_in_state(exchange: Exchange, state: str) -> Iterator[str]:
    found = at(exchange.tree(), "state")
    if found != state:
        yield f"state is {shown(found)}, not {state}"


def is_attempt(exchange: Exchange, attempt: int) -> Iterator[str]:
    found = at(exchange.tree(), "id")
    if found != attempt:
        yield f"it is attempt {shown(found)}, not {attempt}"


def is_of_exam(exchange: Exchange, slug: str) -> Iterator[str]:
    found = at(exchange.tree(), "exam", "slug")
    if found != slug:
        yield f"exam.slug is {shown(found)}, not {shown(slug)}"


def starts_its_clock(exchange: Exchange) -> Iterator[str]:
    attempt = as_tree(exchange.tree())
    for name in ("remaining_time", "time_taken", "rank"):
        if name not in attempt:
            yield f"{name} is missing"
    if attempt.get("rank") != "NA":
        yield f"rank is {shown(attempt.get('rank'))}, not NA"
    given, left = seconds(at(attempt, "exam", "duration")), seconds(attempt.get("remaining_time"))
    if given and not at(attempt, "exam", "sections") and (left is None or abs(left - given) > 5):
        yield f"remaining_time is {shown(attempt.get('remaining_time'))} of {shown(at(attempt, 'exam', 'duration'))}"


def has_number_for_score(exchange: Exchange) -> Iterator[str]:
    score = at(exchange.tree(), "score")
    if not NUMBER.test(score):
        yield f"score is {shown(score)}, not a number"


def has_moved_on(before: object, after: Exchange) -> Iterator[str]:
    was, now = at(before, "last_started_time"), at(after.tree(), "last_started_time")
    if isinstance(was, str) and isinstance(now, str) and now <= was:
        yield f"last_started_time is still {shown(now)}"


def has_fallen(before: Exchange, after: Exchange, passed: float, slack: float) -> Iterator[str]:
    """Check `remaining_time` in two heartbeats that are `passed` seconds apart, plus or minus `slack`."""
    yield from _has_moved(before, after, "remaining_time", -passed, slack)


def has_grown(before: Exchange, after: Exchange, passed: float, slack: float) -> Iterator[str]:
    yield from _has_moved(before, after, "time_taken", passed, slack)


def _has_moved(before: Exchange, after: Exchange, name: str, expected: float, slack: float) -> Iterator[str]:
    was, now = seconds(at(before.tree(), name)), seconds(at(after.tree(), name))
    if was is None or now is None:
        yield f"{name} was {shown(at(before.tree(), name))} and is {shown(at(after.tree(), name))}"
    elif abs((now - was) - expected) > slack:
        yield f"{name} went from {was:.1f} s to {now:.1f} s while {abs(expected):.1f} s passed"


def has_forgiven(before: Exchange, after: Exchange, pause: float) -> Iterator[str]:
    """Check that a pause did not use up the time. A server may count a part of it as work."""
    yield from is_in_state(after, RUNNING)
    was, now = seconds(at(before.tree(), "remaining_time")), seconds(at(after.tree(), "remaining_time"))
    if was is not None and (now is None or was - now > pause / 2):
        yield f"a pause of {pause:.0f} s left {shown(at(after.tree(), 'remaining_time'))} of {was:.0f} s"


def is_over(read: Exchange, answered: Exchange) -> Iterator[str]:
    attempt = as_tree(read.tree())
    if attempt.get("state") == RUNNING:
        yield "the attempt still runs"
    left = seconds(attempt.get("remaining_time"))
    if left is not None and left > 0:
        yield f"remaining_time is {shown(attempt.get('remaining_time'))}"
    if answered.status < 400:
        yield f"an answer after the time was over was answered {answered.outcome}"


def sections_lock(sections: Sequence[Tree], question_counts: Mapping[str, int | None]) -> Iterator[str]:
    """`question_counts` holds the number of visible questions by section name, None if the server refused them."""
    locks = len(sections) > 1 and all(seconds(section.get("duration")) for section in sections)
    ordered = sorted(sections, key=lambda section: integer(section.get("order")))
    for place, section in enumerate(ordered):
        name, state = str(section.get("name")), section.get("state")
        count = question_counts.get(name)
        if place == 0 or not locks:
            if state != RUNNING:
                yield f"section {shown(name)} is {shown(state)}, not {RUNNING}"
            if not count:
                yield f"section {shown(name)} shows no questions"
            continue
        if state == RUNNING:
            yield f"section {shown(name)} runs before its turn"
        if count:
            yield f"section {shown(name)} shows {count} questions before its turn"
