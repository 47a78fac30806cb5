"""Let the app take a small exam by itself before the first session. This is the rehearsal.

Python makes the instructions of a function faster while it runs the function. Sessions that are forked after the
rehearsal share the faster instructions. The exam, its server and its journal are deleted after it.
"""

import asyncio
import gc
import json
import sys
import tempfile
from datetime import timedelta
from functools import lru_cache
from http import HTTPStatus
from pathlib import Path
from typing import Final

import httpx
from textual.pilot import Pilot

from lms_tui.common.settings import Paths, Settings
from lms_tui.runtime.front_end import dependencies_of
from lms_tui.runtime.kept_lists import KeptLists
from lms_tui.runtime.sessions.messages import Start
from lms_tui.runtime.sessions.one_user import OneUser
from lms_tui.tui.one_user_app import OneUserApp
from lms_tui.tui.screens.runner.screen import RunnerScreen
from lms_tui.views.ports import Opening
from lms_tui.wire.attempt_states import AttemptState
from lms_tui.wire.attempts import AnswerOption, Attempt, AttemptQuestion, AttemptQuestionBody
from lms_tui.wire.base import Wire
from lms_tui.wire.exams import Exam, ListedExam
from lms_tui.wire.question_types import QuestionType
from lms_tui.wire.users import CurrentUser

_LONGEST: Final = 20.0
"""Seconds after which the rehearsal ends, whatever it has reached."""
QUESTIONS: Final = 8
_PAUSE: Final = 0.05
_LRU_CACHE: Final = type(lru_cache(int))
_SIZE: Final = (120, 40)
_START: Final = Start(0, 1, "rehearsal", "token", "127.0.0.1", "xterm-256color", "C.UTF-8", "truecolor", plain=False)
_ROOT: Final = "/api/v2.2"
_ATTEMPT: Final = f"{_ROOT}/attempts/1"
_EXAM: Final = Exam(
    id=1, title="Rehearsal", slug="rehearsal", duration=timedelta(hours=1), number_of_questions=QUESTIONS
)
_PASSAGE: Final = "<p>Read the <i>passage</i>. Then choose an answer to the question that follows it.</p>" * 8


class _Server(httpx.AsyncBaseTransport):
    """Answers the requests for one attempt, in this process. It answers all others with 404."""

    def __init__(self) -> None:
        attempt = Attempt(
            id=1, exam=_EXAM, state=AttemptState.RUNNING, remaining_time=_EXAM.duration, total_questions=QUESTIONS
        )
        self.answered: set[int] = set()
        self._questions = {number: _question(number) for number in range(1, QUESTIONS + 1)}
        self._replies: dict[str, object] = {
            f"{_ROOT}/me/": _tree(CurrentUser(id=1, username=_START.username)),
            f"{_ROOT}/exams/": _page(ListedExam(**dict(_EXAM))),
            f"{_ROOT}/attempts/": _page(attempt),
            f"{_ATTEMPT}/questions/": _page(*self._questions.values()),
            f"{_ATTEMPT}/start/": _tree(attempt),
            f"{_ATTEMPT}/heartbeat/": _tree(attempt),
        }

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path
        if request.method == "PUT" and path.startswith(f"{_ATTEMPT}/questions/"):
            question = self._questions[int(path.rpartition("/")[2])]
            answer = json.loads(await request.aread())
            if answer["selected_answers"]:
                self.answered.add(question.id)
            return _reply(_tree(question) | answer)
        if path in self._replies:
            return _reply(self._replies[path])
        return _reply({"detail": "Not found."}, HTTPStatus.NOT_FOUND)


def _reply(tree: object, status: HTTPStatus = HTTPStatus.OK) -> httpx.Response:
    # The client reads the stream of a reply. httpx would read that of `json=` before.
    return httpx.Response(status, stream=httpx.ByteStream(json.dumps(tree).encode()))


def _question(number: int) -> AttemptQuestion:
    kind = QuestionType.MULTIPLE if number % 4 == 0 else QuestionType.SINGLE
    options = tuple(
        AnswerOption(id=10 * number + place, text_html=f"<p>${number + place}$ m</p>") for place in range(4)
    )
    stem = f"<p>A body moves with <b>${number}$ m/s</b>. How far does it come in $\\frac{{{number}}}{{2}}$ seconds?</p>"
    body = AttemptQuestionBody(
        question_html=stem, direction=_PASSAGE if number > QUESTIONS // 2 else None, answers=options, type=kind
    )
    return AttemptQuestion(id=number, question=body)


def _tree(model: Wire) -> dict[str, object]:
    return model.model_dump(mode="json")


def _page(*models: Wire) -> dict[str, object]:
    trees = [_tree(model) for model in models]
    return {"count": len(trees), "next": None, "previous": None, "per_page": len(trees), "results": trees}


def rehearse() -> int:
    """Let the app take the exam. Return the number of answers that arrived.

    A failure is written to standard error. Sessions work after it too, and need more memory.
    """
    server = _Server()
    try:
        with tempfile.TemporaryDirectory(prefix="lms-tui-rehearsal-") as folder:
            asyncio.run(_sit(Path(folder), server))
    except Exception as error:  # noqa: BLE001 - sessions work without a rehearsal
        print(f"The rehearsal has failed: {error!r}", file=sys.stderr)  # noqa: T201 - the log of this process
    _clear_caches()
    return len(server.answered)


def _clear_caches() -> None:
    """Clear the caches of all functions.

    Cached styles remember escape sequences, which depend on the colours of a terminal. Those of sessions differ.
    """
    gc.unfreeze()  # the app has frozen them, and frozen objects are not listed
    for cache in gc.get_objects():
        if isinstance(cache, _LRU_CACHE):
            cache.cache_clear()


async def _sit(folder: Path, server: _Server) -> None:
    settings = Settings(Paths(data=folder, config=folder, downloads=folder), local=False)
    lists = KeptLists(settings.paths.secrets)
    user = OneUser("http://127.0.0.1", _START, _LONGEST, lists, transport=server)
    app = OneUserApp(dependencies_of(settings, user, settings.paths.journals), Opening(user.enter, title="Rehearsal"))
    try:
        async with asyncio.timeout(_LONGEST), app.run_test(size=_SIZE) as pilot:
            while not isinstance(app.screen, RunnerScreen):
                await pilot.press("enter")  # it opens nothing until the list has come
                await pilot.pause(_PAUSE)
            await _answer(pilot)
            while len(server.answered) < QUESTIONS - 1:
                await pilot.pause(_PAUSE)
    finally:
        await user.close()


async def _answer(pilot: Pilot[None]) -> None:
    for number in range(1, QUESTIONS):
        await pilot.press("abcd"[number % 4], *(["m"] if number % 5 == 0 else []), "n")
    for _ in range(1, QUESTIONS):
        await pilot.press("p")
