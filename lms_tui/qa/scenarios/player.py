"""Playing a scenario against a server: each step is a request, whose answer is compared with what is expected."""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any, Final

from lms_tui.client.connection import Access
from lms_tui.client.port import TOKEN_PATH
from lms_tui.client.recording import Exchange
from lms_tui.qa.scenarios.scenario import Scenario, Step, in_words, time_of
from lms_tui.qa.scenarios.terminal import Terminal
from lms_tui.qa.walk.passing import Passing
from lms_tui.qa.walk.values import Tree, as_rows, at, integer, seconds, shown
from lms_tui.qa.walk.visitor import (
    ATTEMPTS,
    EXAMS,
    ME,
    STATS,
    Account,
    CannotWalkError,
    Visitor,
    attempt,
    exam_attempts,
    question,
)

_SLACK: Final = 5.0
"""Seconds that a time may differ from what a scenario expects."""
_SHOWN: Final = 40
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Cast:
    """Who plays, where. `fault`: puts a fault on, "" takes all off; None: this server has no faults.

    `app`: opens the app in a terminal, given the token of the one who uses it; None: there is no app here.
    """

    base_url: str
    accounts: Mapping[str, Account]
    access: Access
    passing: Passing
    fault: Callable[[str], Awaitable[None]] | None = None
    app: Callable[[str, str], Terminal] | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a step went: `problems` empty where it led to what was expected."""

    words: str
    problems: tuple[str, ...]
    request: str = ""


@dataclass(slots=True)
class _Seen:
    """What a step brought: the answer, and the rows of all its pages."""

    exchange: Exchange
    rows: tuple[Tree, ...] = ()


@dataclass(slots=True)
class _Stage:
    cast: Cast
    stack: AsyncExitStack
    visitors: dict[str, Visitor] = field(default_factory=dict)
    attempts: dict[str, int] = field(default_factory=dict)
    questions: dict[int, tuple[Tree, ...]] = field(default_factory=dict)
    running: dict[int, Visitor] = field(default_factory=dict)
    app: Terminal | None = None

    async def visitor(self, who: str) -> Visitor:
        if who not in self.visitors:
            user = who.partition("@")[0]
            account = self.cast.accounts.get(user)
            if account is None:
                raise CannotWalkError(f"The scenario needs {user}, who has no account here.", "Give --second-user.")
            visitor = Visitor(self.cast.base_url, self.cast.access, account.username)
            self.stack.push_async_callback(visitor.close)
            await visitor.sign_in(TOKEN_PATH, account)
            self.visitors[who] = visitor
        return self.visitors[who]

    def attempt_of(self, step: Step) -> int:
        owner = step.owner or step.user
        if owner not in self.attempts:
            raise CannotWalkError(f"{owner} has started no exam yet.", "Let the scenario start one first.")
        return self.attempts[owner]

    async def row(self, step: Step, number: int) -> Tree:
        """Question `number` (from 1) of the attempt, as its owner sees it."""
        made = self.attempt_of(step)
        if len(self.questions.get(made, ())) < number:
            owner = await self.visitor(step.owner or step.who)
            listing = await owner.read_all(attempt(made, "questions/"))
            self.questions[made] = listing.rows or self.questions.get(made, ())
        rows = self.questions[made]
        if not 1 <= number <= len(rows):
            raise CannotWalkError(f"The attempt shows no question {number}.", "Correct the scenario.")
        return rows[number - 1]


async def play(scenario: Scenario, cast: Cast) -> list[Outcome]:
    """Play every step, whatever the ones before came to; raises CannotWalkError and ApiError."""
    async with AsyncExitStack() as stack:
        stage = _Stage(cast, stack)
        try:
            outcomes = [await _play(stage, step) for step in scenario.steps]
        finally:
            if stage.app is not None:
                stage.app.close()
            if cast.fault is not None:
                await cast.fault("")
            for made, owner in stage.running.items():
                await owner.put(attempt(made, "end/"))
    return outcomes


async def _play(stage: _Stage, step: Step) -> Outcome:
    """Do what a step says."""
    if step.verb == "app":
        return Outcome(in_words(step), tuple(await _use_app(stage, step)))
    beside = _BESIDE.get(step.verb)
    if beside is not None:
        await beside(stage, step)
        return Outcome(in_words(step), ())
    visitor = await stage.visitor(step.who)
    seen = await _REQUESTS.get(step.verb, _move)(stage, step, visitor)
    told = f"{seen.exchange.method} {seen.exchange.path} → {seen.exchange.outcome}"
    return Outcome(in_words(step), tuple(unmet(seen.exchange, seen.rows, step.expect)), told)


async def _use_app(stage: _Stage, step: Step) -> list[str]:
    """Open, use or leave the app, and return what its screen does not show."""
    if step.given == "open":
        await _open_app(stage, step)
        return []
    if stage.app is None:
        raise CannotWalkError("The app is not open.", "Let the scenario open it first.")
    match step.given:
        case {"press": str(keys)}:
            stage.app.press(*keys.split())
        case {"type": str(text)}:
            stage.app.press(*text)
        case {"see": str(pattern)}:
            if not await stage.app.see(pattern):
                return [f"the app does not show {pattern}", *stage.app.text().splitlines()[:_SHOWN]]
            await stage.app.settle()
        case _:
            stage.app.close()
            stage.app = None
    return []


async def _open_app(stage: _Stage, step: Step) -> None:
    if stage.cast.app is None:
        raise CannotWalkError("There is no app to play with here.", "Play it without --base-url.")
    visitor = await stage.visitor(step.who)
    if stage.app is not None:
        stage.app.close()
    stage.app = stage.cast.app(visitor.username, visitor.token)


async def _move(stage: _Stage, step: Step, visitor: Visitor) -> _Seen:
    """Start, heartbeat or end."""
    verb = {"resume": "start", "heartbeat": "heartbeat", "end": "end"}[step.verb]
    exchange = await visitor.put(attempt(stage.attempt_of(step), f"{verb}/"))
    if at(exchange.tree(), "state") == "Completed":
        stage.running.pop(stage.attempt_of(step), None)
    return _Seen(exchange)


async def _say_nothing(_: _Stage, __: Step) -> None:
    """A note is for people."""


async def _fault(stage: _Stage, step: Step) -> None:
    if stage.cast.fault is None:
        raise CannotWalkError("This server cannot be asked for faults.", "Play it without --base-url.")
    await stage.cast.fault(step.given or "")


async def _expire(stage: _Stage, step: Step) -> None:
    visitor = await stage.visitor(step.who)
    visitor.use(_expired(visitor.token))


async def _sign_in(stage: _Stage, step: Step, visitor: Visitor) -> _Seen:
    return _Seen(await visitor.sign_in(TOKEN_PATH, stage.cast.accounts[step.user]))


async def _wait(stage: _Stage, step: Step) -> None:
    duration = time_of(step.given) or 0.0
    if duration > stage.cast.passing.longest:
        raise CannotWalkError(
            "The scenario waits longer than anyone would.", "Play it without --base-url, or with --fast-clock."
        )
    await stage.cast.passing.let_pass(duration)


def _expired(token: str) -> str:
    """A token that the server does not accept any more."""
    head, dot, signature = token.rpartition(".")
    return f"{head}{dot}{signature[::-1]}"


async def _start(stage: _Stage, step: Step, visitor: Visitor) -> _Seen:
    exchange = await visitor.post(exam_attempts(step.given))
    made = integer(at(exchange.tree(), "id"))
    if exchange.succeeded and made:
        stage.attempts[step.user] = made
        stage.running[made] = visitor
    return _Seen(exchange)


async def _read(stage: _Stage, step: Step, visitor: Visitor) -> _Seen:
    if step.verb == "list":
        listing = await visitor.read_all(EXAMS, state=step.given)
        return _Seen(listing.pages[0], listing.rows)
    path = {"stats": STATS, "me": ME, "attempts": ATTEMPTS}.get(step.given)
    if path is None:
        part = {"attempt": "", "subjects": "review/subjects/"}.get(step.given, f"{step.given}/")
        path = attempt(stage.attempt_of(step), part)
    if step.given in {"attempt", "stats", "me"}:
        return _Seen(await visitor.get(path))
    listing = await visitor.read_all(path)
    if step.given == "questions" and listing.rows and not step.owner:
        stage.questions[stage.attempt_of(step)] = listing.rows
    return _Seen(listing.pages[0], listing.rows)


async def _answer(stage: _Stage, step: Step, visitor: Visitor) -> _Seen:
    given = step.given
    row = await stage.row(step, given["question"])
    options = [integer(option.get("id")) for option in as_rows(at(row, "question", "answers"))]
    body: dict[str, Any] = {}
    if "choose" in given:
        letters = "" if given["choose"] == "none" else str(given["choose"])
        body["selected_answers"] = [options[_LETTERS.index(letter)] for letter in letters]
    names = {"text": "short_text", "essay": "essay_text", "mark": "review"}
    body |= {field: given[name] for name, field in names.items() if name in given}
    if "gaps" in given:
        gaps = enumerate(given["gaps"], start=1)
        body["gap_fill_responses"] = [{"order": str(order), "answer": str(words)} for order, words in gaps]
    return _Seen(await visitor.put(question(stage.attempt_of(step), integer(row.get("id"))), body))


async def _end_section(stage: _Stage, step: Step, visitor: Visitor) -> _Seen:
    read = await visitor.get(attempt(stage.attempt_of(step)))
    sections = as_rows(at(read.tree(), "sections"))
    if not 1 <= step.given <= len(sections):
        raise CannotWalkError(f"The attempt has no section {step.given}.", "Correct the scenario.")
    return _Seen(await visitor.put(str(sections[step.given - 1].get("end_url"))))


_BESIDE: Final = {
    "wait": _wait,
    "fault": _fault,
    "clear faults": _fault,
    "note": _say_nothing,
    "sign-in expires": _expire,
}
"""What happens without a request."""
_REQUESTS: Final = {
    "sign in": _sign_in,
    "start": _start,
    "read": _read,
    "list": _read,
    "answer": _answer,
    "end section": _end_section,
}


# What was expected.


def unmet(exchange: Exchange, rows: tuple[Tree, ...], expect: object) -> Iterator[str]:
    """Say in sentences what was expected and is not so."""
    if expect == "refused":
        if exchange.status < 400:
            yield f"it was answered {exchange.outcome}, and should have been refused"
        return
    wanted = expect if isinstance(expect, Mapping) else {}
    if "status" not in wanted and not exchange.succeeded:
        yield f"it was answered {exchange.outcome}"
        return
    for name, value in wanted.items():
        yield from _unmet(exchange, rows, str(name), value)


def _unmet(exchange: Exchange, rows: tuple[Tree, ...], name: str, value: Any) -> Iterator[str]:
    match name:
        case "status":
            if exchange.status != value:
                yield f"it was answered {exchange.outcome}, not {value}"
        case "answers":
            yield from _unmet_answers(rows, value)
        case "marked":
            marked = [number for number, row in enumerate(rows, start=1) if row.get("review") is True]
            if marked != value:
                yield f"marked are {marked}, not {value}"
        case "rows":
            if len(rows) != value:
                yield f"there are {len(rows)} rows, not {value}"
        case "has" | "has not":
            there = value in [row.get("slug") or row.get("id") for row in rows]
            if there is (name == "has not"):
                yield f"{value} is {'' if there else 'not '}in the list"
        case _:
            yield from _unmet_field(exchange, name, value)


def _unmet_field(exchange: Exchange, name: str, value: Any) -> Iterator[str]:
    found = at(exchange.tree(), *name.split("."))
    if isinstance(found, list) and name.rpartition(".")[2] == "sections":
        found = [row.get("state") for row in as_rows(found)]
    duration = time_of(value)
    if duration is not None:
        told = seconds(found)
        if told is None or abs(told - duration) > _SLACK:
            yield f"{name} is {shown(found)}, not about {value}"
    elif found != value:
        yield f"{name} is {found if isinstance(found, list) else shown(found)}, not {value}"


def _unmet_answers(rows: tuple[Tree, ...], wanted: Mapping[int, str]) -> Iterator[str]:
    for number, letters in wanted.items():
        if not 1 <= number <= len(rows):
            yield f"there is no question {number}"
            continue
        row = rows[number - 1]
        options = [option.get("id") for option in as_rows(at(row, "question", "answers"))]
        selected = row.get("selected_answers")
        chosen = sorted(
            _LETTERS[options.index(one)] if one in options else "?"
            for one in (selected if isinstance(selected, list) else [])
        )
        told = "".join(chosen) or _words_of(row) or "none"
        if told != str(letters):
            yield f"the answer to question {number} is {told}, not {letters}"


def _words_of(row: Tree) -> str:
    gaps = ", ".join(str(gap.get("answer")) for gap in as_rows(row.get("gap_fill_responses")))
    return str(row.get("short_text") or row.get("essay_text") or gaps or "")
