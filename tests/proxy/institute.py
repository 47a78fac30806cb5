"""The service as `lms-tui serve` runs it, in a process of its own over a database file, and what is in that file."""

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Self

import httpx

from lms_tui.banks.model import Exam, NumericKey, Pair, Question, TextKey
from lms_tui.common.settings import Profile, find_paths
from lms_tui.runtime.profiles import ProfileList
from lms_tui.runtime.secrets import FileTokens
from lms_tui.wire.question_types import QuestionType
from tests.ports import reserved_port
from tests.service.service_world import PASSWORD, World, choice, exam_of, sums
from tests.waiting import PATIENCE

QUESTIONS = 6
_HELD = """
SELECT q.selected_answers, q.review, q.question_id, q.short_text, q.essay_text, q.gap_fill_responses, a.state
FROM attempt_questions AS q
JOIN attempts AS a ON a.id = q.attempt_id JOIN exams AS e ON e.id = a.exam_id
WHERE e.slug = ? ORDER BY a.id, q."order"
"""


@dataclass(frozen=True)
class Held:
    """What is held for one question: places of the chosen options from 0, whether it is marked, and texts by field.

    The fields of gaps and of left sides of matches are their numbers.
    """

    chosen: tuple[int, ...] = ()
    marked: bool = False
    texts: tuple[tuple[str, str], ...] = ()


def every_type(title: str) -> Exam:
    """One question of each type that the program answers, and a second single choice: KINDS tells their order."""
    return exam_of(
        choice("Single"),
        choice("Several", several=True),
        Question(QuestionType.SHORT, "<p>capital</p>", texts=(TextKey("Chennai"),)),
        Question(QuestionType.NUMERIC, "<p>pi</p>", numbers=(NumericKey(Decimal("3.14"), Decimal("3.15")),)),
        Question(QuestionType.ESSAY, "<p>write</p>"),
        Question(QuestionType.GAPS, "<p>fill [[1]] and [[2]]</p>", texts=(TextKey("a", gap=1), TextKey("b", gap=2))),
        Question(QuestionType.MATCH, "<p>match</p>", pairs=(Pair("x", "one"), Pair("y", "two"), Pair("", "zero"))),
        choice("Last"),
        title=title,
    )


KINDS = "RCSNEGMR"
RIGHTS = ("one", "two", "zero")
"""The right sides of the match, in the order in which they are shown."""


class Institute:
    """Exams `trial-1` … `trial-N` of six questions each, and further `papers`, open to every user."""

    def __init__(self, folder: Path, users: tuple[str, ...], exams: int, papers: tuple[Exam, ...] = ()) -> None:
        self._folder = folder
        world = World.at(find_paths(folder).service)
        world.clock.now = datetime.now(UTC)
        for user in users:
            world.add_user(user)
        for number in range(1, exams + 1):
            world.add_exam(sums(QUESTIONS, title=f"Trial {number}"))
        for paper in papers:
            world.add_exam(paper)
        world.database.close()
        # The port must still be free when the service starts again.
        self._reserved = reserved_port()
        self.port: int = self._reserved.getsockname()[1]
        self._serve()

    def _serve(self) -> None:
        options = ("--data-dir", str(self._folder), "--port", str(self.port), "--end-with-stdin")
        argv = [sys.executable, "-m", "lms_tui", "serve", *options]
        self._process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        assert self._process.stdout.readline().startswith("Listening")

    def stop(self) -> None:
        """Kill the service."""
        self._process.kill()
        self._process.communicate(timeout=PATIENCE)

    def start_again(self) -> None:
        """Start the service on the port that it had."""
        self._serve()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate(timeout=PATIENCE)
        self._reserved.close()

    def sign_in(self, user: str, data: Path, port: int) -> None:
        """Let the program with this data directory find itself signed in to the service behind another port."""
        body = {"username": user, "password": PASSWORD}
        answer = httpx.post(f"http://127.0.0.1:{self.port}/api/v2.5/auth-token/", json=body, timeout=PATIENCE)
        paths = find_paths(data)
        profile = Profile("Trial", f"http://127.0.0.1:{port}", user)
        ProfileList(paths.profiles).remember(profile)
        FileTokens(paths.secrets).keep(profile, answer.json()["token"])

    def held(self, slug: str) -> tuple[list[Held], set[str]]:
        """Every question of every attempt at an exam, in order, and the states of these attempts."""
        path = find_paths(self._folder).service / "service.sqlite3"
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
            rows = database.execute(_HELD, (slug,)).fetchall()
            options = {
                question: [
                    row[0]
                    for row in database.execute(
                        'SELECT id FROM options WHERE question_id = ? ORDER BY "order"', (question,)
                    )
                ]
                for _, _, question, *_ in rows
            }
        held = [
            Held(
                tuple(sorted(options[question].index(option) for option in json.loads(chosen))),
                bool(review),
                _texts(short, essay, json.loads(gaps)),
            )
            for chosen, review, question, short, essay, gaps, _ in rows
        ]
        return held, {state for *_, state in rows}


def _texts(short: str | None, essay: str | None, gaps: list[dict[str, str]]) -> tuple[tuple[str, str], ...]:
    fields = [("short_text", short), ("essay_text", essay), *((gap["order"], gap["answer"]) for gap in gaps)]
    return tuple(sorted((field, text) for field, text in fields if text))
