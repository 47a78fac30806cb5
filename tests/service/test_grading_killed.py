"""Marks by hand and corrections under kill -9: all of a command is in the database, or nothing."""

import os
import signal
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any, Final

import pytest
from sqlalchemy import event, select
from sqlalchemy.engine import Engine

from lms_tui.banks.model import Question as Essay
from lms_tui.cli import main
from lms_tui.service.core.database.base import Base
from lms_tui.service.core.database.tables import AuditLine, HandMark, Question
from lms_tui.wire.question_types import QuestionType
from tests.service.service_world import Caller, World, choice, exam_of
from tests.service.test_service_correction import check

pytestmark = pytest.mark.slow

EACH: Final = 9
"""A process is killed at one of so many steps."""


def run(world: World, last: int, *command: str) -> int:
    """Run a command in a process that is killed at a step: before or after a statement, or before a commit.

    Return its exit code, or minus the number of its signal.
    """
    url = world.database.url.render_as_string(hide_password=False)
    if not (child := os.fork()):  # without the second that a new interpreter takes to import the service
        steps = count(1)

        def step(*_: object) -> None:
            if next(steps) == last:
                os.kill(os.getpid(), signal.SIGKILL)

        for name in ("before_cursor_execute", "after_cursor_execute", "commit"):
            event.listen(Engine, name, step)
        code = 1
        try:
            code = main(["exam", *command, "--database-url", url])
        finally:
            os._exit(code)  # nothing of the test may run in this process
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def stored(world: World) -> dict[str, list[Any]]:
    """Everything in the database but the lease of the service and its epoch."""
    with world.database.read() as session:
        return {
            table.name: sorted(map(repr, session.execute(select(table))))
            for table in Base.metadata.sorted_tables
            if table.name not in {"leases", "server_epoch", "sign_in_levels"}
        }


def killed_at_each_step(world: World, *command: str) -> Iterator[int]:
    """Kill a command at later and later steps, until one has done its work. Yield after each that has done nothing."""
    before, step = stored(world), 1
    while True:
        code = run(world, step, *command)
        if stored(world) != before:
            return
        assert code == -signal.SIGKILL
        yield step
        step += EACH


@pytest.fixture
async def taken(world: World, asha: Caller, ravi: Caller) -> World:
    """An exam with choices and essays that two students have ended."""
    essays = tuple(Essay(QuestionType.ESSAY, f"<p>Essay {number}</p>") for number in range(4))
    world.add_exam(exam_of(choice("One"), choice("Two"), *essays))
    for student in (asha, ravi):
        attempt = await student.create("sums")
        for question in await student.questions(attempt):
            options = [option["id"] for option in question["question"]["answers"]]
            body = {"selected_answers": options[:1]} if options else {"essay_text": "words"}
            await student.put(f"/api/v2.2/attempts/{attempt}/questions/{question['id']}", body)
        await student.put(f"/api/v2.2/attempts/{attempt}/end/")
    return world


def audited(world: World) -> list[str]:
    with world.database.read() as session:
        return list(session.scalars(select(AuditLine.what).order_by(AuditLine.id)))


@pytest.mark.parametrize("how", [("--void",), ("--key", "B")])
def test_a_killed_correction_is_all_or_nothing(taken: World, how: tuple[str, ...]) -> None:
    steps = list(killed_at_each_step(taken, "correct", "sums", "1", *how, "--yes"))
    assert len(steps) > 3
    check(taken)
    with taken.database.read() as session:
        assert session.scalars(select(Question.correction).where(Question.order == 1)).one()
    assert audited(taken).count("question.correct") == 1


def test_killed_marks_are_all_or_nothing(taken: World, tmp_path: Path) -> None:
    file = tmp_path / "marks.csv"
    rows = [f"{question},{name},{question % 4}" for question in range(3, 7) for name in ("asha", "ravi")]
    file.write_text("question,username,marks\n" + "\n".join(rows), encoding="utf-8")
    steps = list(killed_at_each_step(taken, "mark", "sums", "--csv", str(file)))
    assert len(steps) > 3
    assert len(stored(taken)["hand_marks"]) == len(rows)
    assert audited(taken).count("marks.give") == len(rows)
    steps = list(killed_at_each_step(taken, "mark", "sums", "--release"))
    assert len(steps) > 3
    check(taken)
    assert audited(taken).count("marks.release") == 1
    with taken.database.read() as session:
        assert session.scalars(select(HandMark.is_released)).all() == [True] * len(rows)
