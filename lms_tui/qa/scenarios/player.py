"""Play a scenario: each step is an action or a request, and the reply is compared with the expectation."""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import replace
from string import ascii_lowercase
from typing import Any, Final

import anyio

from lms_tui.client.connection import Access
from lms_tui.client.port import TOKEN_PATH
from lms_tui.client.recording import Exchange
from lms_tui.common.frozen import frozen
from lms_tui.qa.scenarios.expectations import problems_of
from lms_tui.qa.scenarios.scenario import Scenario, Step, in_words, time_of
from lms_tui.qa.scenarios.terminal import Terminal
from lms_tui.qa.walk import user_client as paths
from lms_tui.qa.walk.clocks import ServerClock
from lms_tui.qa.walk.user_client import Account, CannotWalkError, UserClient
from lms_tui.qa.walk.values import Tree, as_rows, at, integer

_LINES_SHOWN: Final = 40
_FIELDS: Final = {"text": "short_text", "essay": "essay_text", "mark": "review"}
_MOVES: Final = {"resume": "start/", "heartbeat": "heartbeat/", "end": "end/"}
_PARTS: Final = {"attempt": "", "subjects": "review/subjects/", "questions": "questions/", "review": "review/"}
_PATHS: Final = {"stats": paths.STATS, "me": paths.ME, "attempts": paths.ATTEMPTS}


@frozen
class Target:
    """The server of a scenario and its users.

    `fault` adds a fault, or removes all faults for an empty text. `open_app` starts the app for a user name and a
    token. Both are None for a server of somebody else.
    """

    base_url: str
    accounts: Mapping[str, Account]
    access: Access
    clock: ServerClock
    fault: Callable[[str], Awaitable[None]] | None = None
    open_app: Callable[[str, str], Terminal] | None = None


@frozen
class Outcome:
    """The result of a step, with a sentence for each unmet expectation. `seconds`: how long the step took."""

    words: str
    problems: tuple[str, ...] = ()
    request: str = ""
    seconds: float = 0.0


async def play(
    scenario: Scenario, target: Target, on_outcome: Callable[[Outcome], None] = lambda _: None
) -> list[Outcome]:
    """Play every step, even after a failed one. Raises CannotWalkError and ApiError.

    `on_outcome` gets the result of each step at once, also of those before an error.
    """
    outcomes: list[Outcome] = []
    async with AsyncExitStack() as stack:
        player = _Player(target, stack)
        try:
            for step in scenario.steps:
                since = anyio.current_time()
                outcome = await player.play(step)
                outcomes.append(replace(outcome, seconds=anyio.current_time() - since))
                on_outcome(outcomes[-1])
        finally:
            await player.clean_up()
    return outcomes


class _Player:
    def __init__(self, target: Target, stack: AsyncExitStack) -> None:
        self._target = target
        self._stack = stack
        self._clients: dict[str, UserClient] = {}
        self._attempts: dict[str, int] = {}
        self._questions: dict[int, tuple[Tree, ...]] = {}
        self._running: dict[int, UserClient] = {}
        self._app: Terminal | None = None

    async def play(self, step: Step) -> Outcome:
        problems: list[str] = []
        match step.verb:
            case "note":
                pass
            case "app":
                problems = await self._use_app(step)
            case "wait":
                await self._wait(time_of(step.given) or 0.0)
            case "fault" | "clear faults":
                if self._target.fault is None:
                    raise CannotWalkError("This server accepts no faults.", "Leave out --base-url.")
                await self._target.fault(step.given or "")
            case "sign-in expires":
                client = await self._client(step.who)
                client.use(_forged(client.token))
            case _:
                reply, rows = await self._send(step, await self._client(step.who))
                request = f"{reply.method} {reply.path} → {reply.outcome}"
                return Outcome(in_words(step), tuple(problems_of(reply, rows, step.expect)), request)
        return Outcome(in_words(step), tuple(problems))

    async def clean_up(self) -> None:
        """Close the app, remove the faults and end the attempts."""
        self._close_app()
        if self._target.fault is not None:
            await self._target.fault("")
        for attempt, owner in self._running.items():
            await owner.put(paths.attempt(attempt, "end/"))

    async def _wait(self, duration: float) -> None:
        if duration > self._target.clock.longest_wait:
            raise CannotWalkError("A wait of the scenario is too long.", "Leave out --base-url, or use --fast-clock.")
        await self._target.clock.let_pass(duration)

    async def _use_app(self, step: Step) -> list[str]:
        """Open, use or leave the app. Return what its screen does not show."""
        if step.given == "open":
            if self._target.open_app is None:
                raise CannotWalkError("The app cannot be opened here.", "Leave out --base-url.")
            client = await self._client(step.who)
            self._close_app()
            self._app = self._target.open_app(client.username, client.token)
            return []
        if self._app is None:
            raise CannotWalkError("The app is not open.", "Open it in an earlier step.")
        match step.given:
            case {"press": str(keys)}:
                self._app.press(*keys.split())
            case {"type": str(text)}:
                self._app.press(*text)
            case {"see": str(pattern)}:
                if not await self._app.see(pattern):
                    return [f"the app does not show {pattern}", *self._app.text().splitlines()[:_LINES_SHOWN]]
                await self._app.settle()
            case _:
                self._close_app()
        return []

    def _close_app(self) -> None:
        if self._app is not None:
            self._app.close()
            self._app = None

    async def _send(self, step: Step, client: UserClient) -> tuple[Exchange, tuple[Tree, ...]]:
        """Return the reply, and the rows of all its pages."""
        rows: tuple[Tree, ...] = ()
        match step.verb:
            case "list":
                listing = await client.read_all(paths.EXAMS, state=step.given)
                reply, rows = listing.pages[0], listing.rows
            case "read":
                path = _PATHS.get(step.given) or paths.attempt(self._attempt_of(step), _PARTS[step.given])
                listing = await client.read_all(path)
                reply, rows = listing.pages[0], listing.rows
            case "sign in":
                reply = await client.sign_in(TOKEN_PATH, self._target.accounts[step.user])
            case "start":
                reply = await client.post(paths.exam_attempts(step.given))
            case "answer":
                reply = await self._answer(step, client)
            case "end section":
                reply = await self._end_section(step, client)
            case verb:
                reply = await client.put(paths.attempt(self._attempt_of(step), _MOVES[verb]))
        attempt = integer(at(reply.tree(), "id"))
        if step.verb == "start" and reply.succeeded and attempt:
            self._attempts[step.user] = attempt
            self._running[attempt] = client
        if at(reply.tree(), "state") == "Completed":
            self._running.pop(attempt, None)
        return reply, rows

    async def _answer(self, step: Step, client: UserClient) -> Exchange:
        given = step.given
        row = await self._question(step, given["question"])
        options = [integer(option.get("id")) for option in as_rows(at(row, "question", "answers"))]
        body: dict[str, Any] = {field: given[name] for name, field in _FIELDS.items() if name in given}
        if "choose" in given:
            letters = "" if given["choose"] == "none" else str(given["choose"])
            body["selected_answers"] = [options[ascii_lowercase.index(letter)] for letter in letters]
        if "gaps" in given:
            gaps = enumerate(map(str, given["gaps"]), start=1)
            body["gap_fill_responses"] = [{"order": str(order), "answer": text} for order, text in gaps]
        return await client.put(paths.question(self._attempt_of(step), integer(row.get("id"))), body)

    async def _end_section(self, step: Step, client: UserClient) -> Exchange:
        read = await client.get(paths.attempt(self._attempt_of(step)))
        sections = as_rows(at(read.tree(), "sections"))
        if not 1 <= step.given <= len(sections):
            raise CannotWalkError(f"The attempt has no section {step.given}.", "Correct the scenario.")
        return await client.put(str(sections[step.given - 1].get("end_url")))

    async def _client(self, who: str) -> UserClient:
        if who not in self._clients:
            user = who.partition("@")[0]
            account = self._target.accounts.get(user)
            if account is None:
                raise CannotWalkError(f"The scenario needs an account for {user}.", "Use --second-user.")
            client = UserClient(self._target.base_url, self._target.access, account.username)
            self._stack.push_async_callback(client.close)
            await client.sign_in(TOKEN_PATH, account)
            self._clients[who] = client
        return self._clients[who]

    def _attempt_of(self, step: Step) -> int:
        owner = step.owner or step.user
        if owner not in self._attempts:
            raise CannotWalkError(f"{owner} has not started an exam.", "Start one in an earlier step.")
        return self._attempts[owner]

    async def _question(self, step: Step, number: int) -> Tree:
        """Return question `number`, counted from 1, as the owner of the attempt sees it."""
        attempt = self._attempt_of(step)
        if len(self._questions.get(attempt, ())) < number:
            owner = await self._client(step.owner or step.who)
            listing = await owner.read_all(paths.attempt(attempt, "questions/"))
            self._questions[attempt] = listing.rows or self._questions.get(attempt, ())
        rows = self._questions[attempt]
        if not 1 <= number <= len(rows):
            raise CannotWalkError(f"The attempt has no question {number}.", "Correct the scenario.")
        return rows[number - 1]


def _forged(token: str) -> str:
    """Return a token that the server refuses."""
    head, dot, signature = token.rpartition(".")
    return f"{head}{dot}{signature[::-1]}"
