"""The real client and keeper against the real service, over real sockets through a proxy that spoils them."""

import asyncio
import os
import socket
from collections import Counter
from pathlib import Path
from random import Random

import anyio
import uvicorn

from lms_tui.attempt.events import Chose, Cleared, EndAsked, Marked, Visited
from lms_tui.attempt.journal.store import FileJournals
from lms_tui.attempt.keeper import AttemptOverError, Keeper
from lms_tui.attempt.ports import AttemptKey
from lms_tui.attempt.session import Session
from lms_tui.attempt.values import Phase
from lms_tui.client.auth import sign_in_with_token
from lms_tui.client.connection import Access
from lms_tui.client.port import Lms
from lms_tui.wire.errors import ApiError
from tests.proxy.fast_clock import FastClock
from tests.proxy.proxy import FaultProxy
from tests.record import Told
from tests.service.service_world import World, sums

SCHEDULES = int(os.environ.get("LMS_TUI_PROXY_SCHEDULES", "12"))
QUESTIONS = 8
SPEED = 30.0
PATIENCE = 90.0
TIMEOUT = 1.0


class Happened:
    """Lets a test wait for the next snapshot of a session, and no longer than it says."""

    def __init__(self) -> None:
        self._next = asyncio.Event()

    def __call__(self, _: Session) -> None:
        self._next.set()

    async def within(self, seconds: float) -> None:
        self._next.clear()
        with anyio.move_on_after(seconds):
            await self._next.wait()


class Bench:
    """One service on a socket of its own, for all schedules."""

    def __init__(self, folder: Path) -> None:
        self.world = World.at(folder)
        self.world.add_user("asha")
        self.socket = socket.create_server(("127.0.0.1", 0))
        # The levels of logging hold for the whole process, and other tests read the log.
        config = uvicorn.Config(self.world.app, log_config=None, access_log=False, lifespan="off", ws="none")
        self.server = uvicorn.Server(config)

    @property
    def port(self) -> int:
        return int(self.socket.getsockname()[1])


async def signed_in(bench: Bench, port: int, patience: float) -> Lms:
    """Sign in, as often as it takes. A busy machine may not reply within the time-out of a spoilt line."""
    access = Access(timeout=patience, allow_plain_http=True)
    while True:
        try:
            token = bench.world.token("asha")
            return (await sign_in_with_token(f"http://127.0.0.1:{port}", token, access=access)).lms
        except ApiError:
            continue


async def opened(lms: Lms, journals: FileJournals, attempt_id: int, seed: int) -> Keeper | None:
    """Open the attempt, as often as it takes; None where it is over."""
    journal = journals.open(AttemptKey(lms.origin, 1, attempt_id), "Trial")
    while True:
        try:
            return await Keeper.open(lms.attempts, journal, FastClock(SPEED), Random(seed), attempt_id)
        except AttemptOverError:
            journal.close()
            return None
        except ApiError:
            continue


async def schedule(bench: Bench, folder: Path, seed: int) -> Counter[str]:
    """Sit one exam on a spoilt line and compare what the service holds in the end with what was answered."""
    bench.world.add_exam(sums(QUESTIONS, title=f"Trial {seed}"))
    attempt_id = await bench.world.caller("asha").create(f"trial-{seed}")
    person, happened = Random(f"{seed} person"), Happened()
    async with FaultProxy(bench.port, Random(f"{seed} line"), badness=0.35, healthy=True) as proxy:
        lms = await signed_in(bench, proxy.port, TIMEOUT)
        proxy.healthy = False
        keeper = await opened(lms, FileJournals(folder), attempt_id, seed)
        assert keeper is not None
        keeper.listen(happened)
        async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as group:
            group.create_task(keeper.run())
            for _ in range(30):
                item = person.choice(keeper.session.items)
                option = person.choice(item.options)
                event = person.choice((Chose, Chose, Chose, Visited, Marked, Cleared))
                keeper.do(Chose(item.question_id, option) if event is Chose else event(item.question_id))  # type: ignore[call-arg]  # the others take the question alone
                await happened.within(person.uniform(0, 0.05))
            keeper.do(EndAsked())
            await happened.within(0.3)
            proxy.healthy = True
            keeper.retry()
        assert keeper.session.phase is Phase.ENDED, keeper.session.reason
        assert keeper.session.refused == ()
        reader = await signed_in(bench, bench.port, PATIENCE)
        held = {
            question.id: question.selected_answers
            async for page in reader.attempts.review(attempt_id)
            for question in page.results
        }
        assert held == {item.question_id: item.answer.selected for item in keeper.session.items}
        keeper.close()
        await lms.close()
        await reader.close()
        return proxy.faults


async def test_no_answer_is_lost_between_the_real_client_and_the_real_service(tmp_path: Path, told: Told) -> None:
    bench = Bench(tmp_path / "service")
    serving = asyncio.ensure_future(bench.server.serve(sockets=[bench.socket]))
    faults: Counter[str] = Counter()
    try:
        for seed in range(1, SCHEDULES + 1):
            faults += await schedule(bench, tmp_path / f"journals-{seed}", seed)
    finally:
        bench.server.should_exit = True
        await serving
        await bench.world.close()
    kinds = ", ".join(f"{count} {fault}" for fault, count in faults.most_common())
    told(f"{SCHEDULES} schedules over real sockets, {faults.total()} faults ({kinds}): 0 answers lost")
    assert faults.total() >= SCHEDULES
