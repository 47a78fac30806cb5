"""Many schedules: some programs in ptys, a proxy for each, one service behind them all."""

import asyncio
import socket
import threading
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.proxy.institute import Institute, every_type
from tests.proxy.proxy import FaultProxy
from tests.proxy.sitter import Outcome, Sitter


@dataclass
class Tally:
    schedules: int
    answers: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        told = ", ".join(f"{count} {fault}" for fault, count in self.faults.most_common())
        return (
            f"{self.schedules} schedules of the program in a terminal, {self.answers} answers, "
            f"{self.faults.total()} faults ({told}): {len(self.wrong)} answers lost or wrong"
        )


class _Proxies:
    """The proxies in a thread of their own, with a loop of their own."""

    def __init__(self, proxies: Sequence[FaultProxy]) -> None:
        self._proxies = proxies
        self._loop = asyncio.new_event_loop()
        self._over = asyncio.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join()

    def _run(self) -> None:
        """Serve, then end what is left in the loop, and close it."""
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve())

    async def _serve(self) -> None:
        async with AsyncExitStack() as stack:
            for proxy in self._proxies:
                await stack.enter_async_context(proxy)
            await self._over.wait()


def run(schedules: int, seed: int, *, jobs: int = 2) -> Tally:
    """Sit `schedules` exams, each with the seed of its own number, in `jobs` programs side by side."""
    tally = Tally(schedules)
    users = tuple(f"student{number}" for number in range(jobs))
    with TemporaryDirectory(prefix="lms-tui-proxy-") as place, ExitStack() as stack:
        folder = Path(place)
        papers = tuple(every_type(f"Trial {number}") for number in range(1, schedules + 1))
        institute = stack.enter_context(Institute(folder / "service", users, 0, papers))
        listeners = [socket.create_server(("127.0.0.1", 0), backlog=100) for _ in users]
        proxies = [
            FaultProxy(institute.port, Random(seed), 0.0, healthy=True, listener=listener) for listener in listeners
        ]
        sitters = []
        for user, proxy, listener in zip(users, proxies, listeners, strict=True):
            institute.sign_in(user, folder / user, int(listener.getsockname()[1]))
            # Begun before there is a thread: a process with threads should not fork.
            sitters.append(Sitter(folder / user, proxy, institute))
            stack.callback(sitters[-1].close)
        stack.enter_context(_Proxies(proxies))
        shares = [range(1 + number, schedules + 1, jobs) for number in range(jobs)]
        with ThreadPoolExecutor(jobs) as pool:
            for outcomes in pool.map(lambda sitter, share: _share(sitter, share, seed), sitters, shares):
                for outcome in outcomes:
                    tally.answers += outcome.answers
                    tally.wrong += outcome.wrong
        for proxy in proxies:
            tally.faults += proxy.faults
    return tally


def _share(sitter: Sitter, numbers: range, seed: int) -> list[Outcome]:
    outcomes = []
    for number in numbers:
        outcomes.append(sitter.sit(number, seed + number - 1))
        if outcomes[-1].wrong:
            break  # the program may not be at home any more
    return outcomes
