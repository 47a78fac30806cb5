"""A real service is killed in mid-exam and its database put back: its real clients give everything back."""

import asyncio
import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest

from lms_tui.attempt.events import Chose, Visited
from lms_tui.attempt.journal.store import FileJournals
from lms_tui.attempt.keeper import Keeper
from lms_tui.attempt.ports import AttemptKey
from lms_tui.attempt.session import Session
from lms_tui.client.auth import sign_in
from lms_tui.client.connection import Access
from lms_tui.client.port import Attempts, Lms
from lms_tui.common.settings import find_paths
from lms_tui.wire.attempts import Attempt
from tests.proxy.fast_clock import ResumingClock
from tests.proxy.institute import Institute
from tests.record import Told
from tests.service.service_world import PASSWORD, sums

CLIENTS = 20
QUESTIONS = 8
SPEED = 60.0
PATIENCE = 240.0


@dataclass
class Client:
    """A student at the exam. `beats`: replies to heartbeats since the service was put back."""

    lms: Lms
    keeper: Keeper
    attempt_id: int
    held: Callable[[int], dict[int, tuple[int, ...]]]
    beats: int = -1000
    back: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """What the database held before the third heartbeat."""
    looked: asyncio.Event = field(default_factory=asyncio.Event)
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    lost: int = 0

    def sees(self, session: Session) -> None:
        self.lost = max(self.lost, session.lost_there)
        self.changed.set()

    async def until_sent(self, answers: int) -> None:
        while self.keeper.session.saved_there < answers or self.keeper.session.unsent:
            self.changed.clear()
            await self.changed.wait()

    def answer(self, place: int, option: int) -> None:
        item = self.keeper.session.items[place]
        self.keeper.do(Visited(item.question_id))
        self.keeper.do(Chose(item.question_id, item.options[option]))

    def given(self) -> dict[int, tuple[int, ...]]:
        return {item.question_id: item.answer.selected for item in self.keeper.session.items}


class Counting:
    """The attempt endpoints of a client, with a count of the replies to heartbeats."""

    def __init__(self, attempts: Attempts) -> None:
        self._attempts = attempts
        self.client: Client | None = None

    def __getattr__(self, name: str) -> object:
        return getattr(self._attempts, name)

    async def heartbeat(self, attempt_id: int) -> Attempt:
        client = self.client
        if client is not None and client.beats == 2:
            client.back = await asyncio.to_thread(client.held, attempt_id)
            client.looked.set()
        attempt = await self._attempts.heartbeat(attempt_id)
        if client is not None:
            client.beats += 1
        return attempt


@dataclass(frozen=True)
class Place:
    """The files of the service."""

    folder: Path

    @property
    def database(self) -> Path:
        return self.folder / "service.sqlite3"

    def held(self, attempt_id: int) -> dict[int, tuple[int, ...]]:
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as database:
            rows = database.execute(
                "SELECT id, selected_answers FROM attempt_questions WHERE attempt_id = ?", (attempt_id,)
            )
            return {question: tuple(json.loads(chosen)) for question, chosen in rows}

    def copy(self, target: Path) -> None:
        target.mkdir()
        with closing(sqlite3.connect(self.database)) as old, closing(sqlite3.connect(target / "copy")) as new:
            old.backup(new)
        shutil.copy(self.folder / "epoch.mark", target / "mark")

    def put_back(self, copy: Path, *, unnoticed: bool) -> None:
        """Put the copy in place. `unnoticed`: as if the whole machine was put back, with the mark."""
        for name in ("-wal", "-shm"):
            self.database.with_name(self.database.name + name).unlink(missing_ok=True)
        if not unnoticed:
            # Another file, as a person would copy it. In the same file, only the count of ticks tells, one each 5 s.
            shutil.copyfile(copy / "copy", self.folder / "other")
            (self.folder / "other").replace(self.database)
        else:
            self.database.write_bytes((copy / "copy").read_bytes())
            mark = self.folder / "epoch.mark"
            older = json.loads((copy / "mark").read_text("ascii")) | {"inode": mark.stat().st_ino}
            mark.write_text(json.dumps(older), "ascii")


async def sat_down(base: str, user: str, journals: Path, place: Place) -> Client:
    lms = (await sign_in(base, user, PASSWORD, access=Access(timeout=PATIENCE, allow_plain_http=True))).lms
    attempt = await lms.attempts.create("trial")
    journal = FileJournals(journals).open(AttemptKey(lms.origin, int(user[1:]), attempt.id), "Trial")
    counting = Counting(lms.attempts)
    keeper = await Keeper.open(counting, journal, ResumingClock(SPEED), Random(user), attempt.id)  # type: ignore[arg-type]  # the rest is passed on
    client = Client(lms, keeper, attempt.id, place.held)
    counting.client = client
    keeper.listen(client.sees)
    return client


@pytest.mark.parametrize("unnoticed", [False, True], ids=["the service notices it", "only the numbers tell"])
async def test_every_answer_is_back_within_two_heartbeats(tmp_path: Path, told: Told, *, unnoticed: bool) -> None:
    users = tuple(f"s{number}" for number in range(1, CLIENTS + 1))
    place, paper = Place(find_paths(tmp_path / "service").service), sums(QUESTIONS, title="Trial", duration=None)
    with Institute(tmp_path / "service", users, 0, (paper,)) as institute:
        base = f"http://127.0.0.1:{institute.port}"
        clients = [await sat_down(base, user, tmp_path / "journals", place) for user in users]
        async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as group:
            running = [group.create_task(client.keeper.run()) for client in clients]
            for client in clients:
                for question in range(3):
                    client.answer(question, 0)
            await asyncio.gather(*(client.until_sent(3) for client in clients))
            place.copy(tmp_path / "copy")
            for client in clients:
                for question in range(2, 7):
                    client.answer(question, 1)
            await asyncio.gather(*(client.until_sent(7) for client in clients))
            institute.stop()
            place.put_back(tmp_path / "copy", unnoticed=unnoticed)
            missing = sum(place.held(client.attempt_id) != client.given() for client in clients)
            institute.start_again()
            for client in clients:
                client.beats = 0
                client.answer(7, 2)
            await asyncio.gather(*(client.looked.wait() for client in clients))
            for task in running:
                task.cancel()
        back = sum(client.back == client.given() for client in clients)
        for client in clients:
            client.keeper.close()
            await client.lms.close()
    answers = sum(len(client.back) for client in clients)
    told(f"{CLIENTS} clients, {answers} answers: {missing} clients missed some, {back} have all after two heartbeats")
    assert missing == CLIENTS
    assert back == CLIENTS
    assert [client.lost for client in clients] == [5] * CLIENTS
    epochs = {client.keeper._sender.sync.remembered.epoch for client in clients}
    assert len(epochs) == 1
    assert (json.loads((tmp_path / "copy" / "mark").read_text("ascii"))["epoch"] in epochs) is unnoticed
