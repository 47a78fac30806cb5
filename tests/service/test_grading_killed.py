"""Marks by hand, corrections and reopened attempts under kill -9: all of a command is in the database, or nothing."""

import os
import signal
from collections.abc import Iterator
from decimal import Decimal
from itertools import count
from pathlib import Path
from typing import Any, Final

import pytest
from sqlalchemy import event, select
from sqlalchemy.engine import Engine

from lms_tui.banks.model import Question as Essay
from lms_tui.cli import main
from lms_tui.service.core.database.every_table import METADATA
from lms_tui.service.core.database.tables import Attempt, AttemptQuestion, AuditLine, HandMark, Notice, Question
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
            code = main([*command, "--database-url", url])
        finally:
            os._exit(code)  # nothing of the test may run in this process
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def stored(world: World) -> dict[str, list[Any]]:
    """Everything in the database but the lease of the service and its epoch."""
    with world.database.read() as session:
        return {
            table.name: sorted(map(repr, session.execute(select(table))))
            for table in METADATA.sorted_tables
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
    steps = list(killed_at_each_step(taken, "exam", "correct", "sums", "1", *how, "--yes"))
    assert len(steps) > 3
    check(taken)
    with taken.database.read() as session:
        assert session.scalars(select(Question.correction).where(Question.order == 1)).one()
    assert audited(taken).count("question.correct") == 1


def test_a_killed_reopening_is_all_or_nothing(taken: World) -> None:
    command = ("exam", "reopen", "sums", "--user", "asha", "--user", "ravi", "--minutes", "5")
    assert len(list(killed_at_each_step(taken, *command))) > 3
    check(taken)
    assert audited(taken).count("exam.reopen") == 2
    with taken.database.read() as session:
        assert session.scalars(select(Notice.kind)).all() == ["reopen"] * 2
        assert session.scalars(select(Attempt.state)).all() == ["Running"] * 2
        assert not any(session.scalars(select(AttemptQuestion.marks)))


def test_killed_second_marks_are_all_or_nothing(taken: World, tmp_path: Path) -> None:
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    rows = [f"{question},{name}" for question in range(3, 7) for name in ("asha", "ravi")]
    for file, marks in ((first, 1), (second, 2)):
        file.write_text("question,username,marks\n" + "\n".join(f"{row},{marks}" for row in rows), encoding="utf-8")
    mark = ("exam", "mark", "sums")
    assert run(taken, 0, *mark, "--csv", str(first)) == 0
    steps = list(killed_at_each_step(taken, *mark, "--csv", str(second), "--second", "--as-marker", "meera"))
    assert len(steps) > 3
    assert len(stored(taken)["second_marks"]) == len(rows)
    assert audited(taken).count("marks.give") == 2 * len(rows)
    # Final marks for one answer, the mean of both for the others.
    final = ("--final", "--user", "asha", "--question", "3", "--marks", "4")
    assert len(list(killed_at_each_step(taken, *mark, *final))) > 1
    assert len(stored(taken)["second_marks"]) == len(rows) - 1
    assert len(list(killed_at_each_step(taken, *mark, "--release", "--differ-by", "1"))) > 3
    check(taken)
    assert stored(taken)["second_marks"] == []
    assert audited(taken).count("marks.release") == 1
    with taken.database.read() as session:
        given = session.scalars(select(HandMark.marks).where(HandMark.is_released).order_by(HandMark.marks)).all()
    assert given == [Decimal("1.5")] * (len(rows) - 1) + [Decimal(4)]


def test_killed_marks_are_all_or_nothing(taken: World, tmp_path: Path) -> None:
    file = tmp_path / "marks.csv"
    rows = [f"{question},{name},{question % 4}" for question in range(3, 7) for name in ("asha", "ravi")]
    file.write_text("question,username,marks\n" + "\n".join(rows), encoding="utf-8")
    steps = list(killed_at_each_step(taken, "exam", "mark", "sums", "--csv", str(file)))
    assert len(steps) > 3
    assert len(stored(taken)["hand_marks"]) == len(rows)
    assert audited(taken).count("marks.give") == len(rows)
    steps = list(killed_at_each_step(taken, "exam", "mark", "sums", "--release"))
    assert len(steps) > 3
    check(taken)
    assert audited(taken).count("marks.release") == 1
    with taken.database.read() as session:
        assert session.scalars(select(HandMark.is_released)).all() == [True] * len(rows)
