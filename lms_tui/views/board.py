"""The live board of an exam (pure)."""

from collections.abc import Callable, Collection, Iterable
from datetime import datetime, timedelta
from typing import Final

from lms_tui.common.cleaning import clean_line
from lms_tui.common.frozen import frozen
from lms_tui.common.outages import newest_span
from lms_tui.views import format as say
from lms_tui.views.listing import Column, Listing
from lms_tui.views.rows import EMPTY, Row, pairs, title_rows
from lms_tui.wire.board import BoardRow, Grant, GrantKind

_LOOKS: Final = {"running": "base", "paused": "warning", "time over": "bad"}
_MOST_MINUTES: Final = 24 * 60
_LONGEST: Final = 500
"""Characters of a message."""


def listing(now: Callable[[], datetime], marked: Collection[int], sign: str = "✓") -> Listing[BoardRow]:
    """Return the columns of the board. `now`: called for each line that is drawn. `marked`: the selected attempts."""
    moment = now()
    return Listing(
        "Student",
        (
            Column("user name", 16, 110),
            Column("state", 9),
            Column("answered", 8, 46, right=True),
            Column("left", 7, 34, right=True),
            Column("contact", 7, 56, right=True),
            Column("shown", 5, 66, right=True),
        ),
        lambda row: _cells(row, now(), f"{sign} " if row.attempt in marked else ""),
        (
            lambda row: row.name.casefold(),
            lambda row: row.username.casefold(),
            lambda row: row.state,
            lambda row: row.answered,
            lambda row: left_of(row, moment),
            lambda row: row.last_contact,
            lambda row: row.waiting_notices if row.notices else None,
        ),
        look=lambda row: "accent" if row.attempt in marked else _LOOKS.get(row.state, "dim"),
    )


def _cells(row: BoardRow, now: datetime, sign: str) -> tuple[str, ...]:
    return (
        sign + name_of(row),
        row.username,
        row.state,
        f"{row.answered}/{row.total_questions}",
        _left_words(row, now),
        "" if row.state == "ended" else _ago(row.last_contact, now),
        _shown(row),
    )


def in_order(rows: Iterable[BoardRow]) -> list[BoardRow]:
    """Return the rows as the board lists them: attempts that run before ended ones, each by the student's name."""
    return sorted(rows, key=lambda row: (row.state == "ended", row.name.casefold(), row.attempt))


def name_of(row: BoardRow) -> str:
    return clean_line(row.name or row.username)


def left_of(row: BoardRow, now: datetime) -> timedelta | None:
    """Return the time left, which goes on since the row was read."""
    if row.ends_at is None:
        return row.remaining_time
    return max(row.ends_at - now, timedelta())


def _left_words(row: BoardRow, now: datetime) -> str:
    left = left_of(row, now)
    if left is None:
        return "" if row.state == "ended" else "untimed"
    return say.clock(left)


def _ago(moment: datetime | None, now: datetime) -> str:
    if moment is None:
        return ""
    seconds = max(0, int((now - moment).total_seconds()))
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"


def _shown(row: BoardRow) -> str:
    return f"{row.notices - row.waiting_notices}/{row.notices}" if row.notices else ""


def details(row: BoardRow, room: int, now: datetime) -> list[Row]:
    notices = f"{row.notices - row.waiting_notices} of {row.notices} shown" if row.notices else "none"
    facts = [
        ("user name", clean_line(row.username)),
        ("state", clean_line(row.state)),
        ("answered", f"{row.answered} of {row.total_questions}"),
        ("time left", _left_words(row, now)),
        ("started", say.moment_near(row.started, now)),
        ("last contact", f"{_ago(row.last_contact, now)} ago" if row.last_contact else ""),
        ("devices", str(row.devices or "")),
        ("notices", notices),
    ]
    return [*title_rows(name_of(row), room), EMPTY, *pairs(facts, room)]


def summary(rows: Collection[BoardRow]) -> str:
    """Return how many attempts are in each state: `12 running, 1 paused, 3 ended`."""
    counts = {state: sum(row.state == state for row in rows) for state in ("running", "paused", "time over", "ended")}
    return ", ".join(f"{count} {state}" for state, count in counts.items() if count)


@frozen
class Asked:
    """How a command of the board asks for what it needs, and what it says when it is done.

    `least`: of the minutes, None if none are asked for. `warning`: what is asked before it is done. `done`: takes the
    number of students.
    """

    kind: GrantKind
    title: str
    done: str
    least: int | None = None
    warning: str = ""
    states: tuple[str, ...] = ("running", "paused", "time over")
    for_everyone: bool = True


EXTRA_TIME: Final = Asked(GrantKind.TIME, "Extra time", "{minutes} more for {students}.", least=1)
PAUSE: Final = Asked(GrantKind.PAUSE, "Stop the clock", "The clock is stopped for {students}.", states=("running",))
GO_ON: Final = Asked(GrantKind.GO_ON, "Go on", "The clock runs again for {students}.", states=("paused",))
MESSAGE: Final = Asked(GrantKind.MESSAGE, "Message", "Message sent to {students}. Their apps show it within a minute.")
END: Final = Asked(
    GrantKind.END,
    "End the exam",
    "The exam ends for {students} in 90 seconds at the latest.",
    warning="Each app has 90 seconds at most to send its answers. Students cannot change them after that.",
)
OUTAGE: Final = Asked(
    GrantKind.OUTAGE,
    "Give back the time of an interruption",
    "The time is given back to {students}.",
    warning="Type when it began and ended, by the clock of this computer, such as 10:05-10:17.",
)
REOPEN: Final = Asked(
    GrantKind.REOPEN,
    "Reopen the exam",
    "{students} can continue.",
    least=0,
    warning="The result is gone until the exam ends again, and so are marks that were given by hand.\n"
    "Type how many minutes to give besides the time that was left: 0 for none.",
    states=("ended",),
    for_everyone=False,
)


@frozen
class Choice:
    """Students to choose from for a command. `usernames`: none for everyone."""

    words: str
    usernames: tuple[str, ...]


def choices(asked: Asked, current: BoardRow | None, marked: Collection[BoardRow]) -> list[Choice]:
    """Return for whom a command can be: the selected students, else the one at the cursor, or everyone."""
    found = []
    fitting = [row for row in marked if row.state in asked.states]
    if fitting:
        names = tuple(dict.fromkeys(row.username for row in fitting))
        found.append(Choice(f"The selected: {say.counted(len(names), 'student')}", names))
    elif current is not None and current.state in asked.states:
        found.append(Choice(f"Only {name_of(current)}", (current.username,)))
    if asked.for_everyone:
        found.append(Choice("Everyone who takes the exam now", ()))
    return found


def check_minutes(least: int) -> Callable[[str], str]:
    """Return a function from typed minutes to their fault, or ""."""

    def check(text: str) -> str:
        wanted = text.isascii() and text.isdecimal() and least <= int(text[:9]) <= _MOST_MINUTES
        return "" if wanted else f"Type whole minutes from {least} to {_MOST_MINUTES}."

    return check


def check_span(now: Callable[[], datetime]) -> Callable[[str], str]:
    """Return a function from a typed span to its fault, or ""."""
    words = "Type a time that is over, such as 10:05-10:17."
    return lambda typed: "" if newest_span(typed, now().astimezone()) else words


def check_message(text: str) -> str:
    if not text:
        return "Type a message."
    return "" if len(text) <= _LONGEST else f"The message has more than {_LONGEST} characters."


def done_words(asked: Asked, grant: Grant, changed: int) -> str:
    if not changed:
        return "Nothing changed: no attempt is in the right state."
    minutes = say.counted(grant.minutes or 0, "minute")
    return asked.done.format(minutes=minutes, students=say.counted(changed, "student"))


def question_words(asked: Asked, whom: Choice) -> str:
    return f"{whom.words}.\n{asked.warning}".strip()
