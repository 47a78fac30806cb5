"""An institute that covers every rule of the walk, and a walk through it without a socket."""

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import httpx

from lms_tui.banks.model import Exam, Section
from lms_tui.client.connection import Access
from lms_tui.qa.walk.clocks import MovableClock
from lms_tui.qa.walk.user_client import Account
from lms_tui.qa.walk.verdicts import Verdict, Watcher
from lms_tui.qa.walk.walking import Plan, Report, walk
from lms_tui.service.attempts.lifecycle import StudentAttempts
from lms_tui.service.core.database import tables
from lms_tui.service.core.settings import Timing
from lms_tui.service.core.urls import Urls
from tests.service.service_world import PASSWORD, World, choice, copy_database, every_kind, exam_of, locked, sums

BASE = "http://127.0.0.1:8000"
ASHA, RAVI = Account("asha", PASSWORD), Account("ravi", PASSWORD)
ALSO = ("every-kind", "parts", "open-parts")
Wrap = Callable[[httpx.AsyncBaseTransport], httpx.AsyncBaseTransport]


def furnish(world: World) -> None:
    """Two students, an exam of two pages and 30 minutes, and one for each special case."""
    asha = world.add_user("asha", first_name="Asha", last_name="Nair", email="asha@lms.test", batches=("Evening",))
    world.add_user("ravi")
    questions = [choice(f"Sum {number}", several=number % 4 == 3, subject=("Maths", "Sums")) for number in range(23)]
    world.add_exam(exam_of(*questions, max_retakes=-1))
    world.add_exam(every_kind())
    world.add_exam(locked())
    parts = tuple(Section(f"Part {number}", (choice(f"{number}"),)) for number in (1, 2))
    world.add_exam(Exam("Open parts", parts, duration=timedelta(minutes=20)))
    world.add_exam(sums(title="Later"), start_date=world.clock.now + timedelta(days=2))
    world.add_exam(sums(title="Once", allow_retake=False), course="Physics")
    sitting = StudentAttempts(world.database, Timing(), Urls(BASE), asha, world.clock.now)
    sitting.end(sitting.create("once")[0].id)
    with world.database.write() as session:
        number = Decimal(5)
        group = tables.ReportGroup(order=1, name="Sums", min_score=number, max_score=number, average_score=number)
        card = tables.ReportCard(
            user_id=asha,
            title="Term",
            total_score=number,
            total_min_range=number,
            total_max_range=number,
            is_published=True,
            created=world.clock.now,
            groups=[group],
        )
        session.add(card)


async def no_pause(_: float) -> None: ...


async def walk_through(
    world: World, wrap: Wrap = lambda inner: inner, plan: Plan | None = None, watcher: Watcher | None = None
) -> Report:
    """Walk through the world with a movable clock. `wrap` wraps the transport."""
    transport = wrap(httpx.ASGITransport(world.app, raise_app_exceptions=False))

    async def move(seconds: float) -> None:
        world.clock.move(seconds=seconds)

    plan = plan or Plan(BASE, ASHA, RAVI, also=ALSO)
    return await walk(plan, Access(transport=transport, sleep=no_pause), MovableClock(lambda: 0.0, move), watcher)


def accused(report: Report) -> set[str]:
    return {line.rule.id for line in report.lines if line.verdict in {Verdict.BROKEN, Verdict.DIFFERS}}


async def replayed(
    transport: httpx.AsyncBaseTransport, plan: Plan | None = None, watcher: Watcher | None = None, **access: Any
) -> Report:
    """Walk through recorded replies, with the same requests and a clock that stands still."""
    plan = plan or Plan(BASE, ASHA, RAVI, also=ALSO)
    settings = Access(**{"transport": transport, "sleep": no_pause, **access})
    return await walk(plan, settings, MovableClock(lambda: 0.0, no_pause), watcher)


def at_file(file: Path, folder: Path) -> World:
    """Open a copy of a furnished institute in a folder."""
    copy_database(file, folder)
    return World.at(folder)
