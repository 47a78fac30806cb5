"""The requests of the first screen, which begin while that screen is still loaded."""

import asyncio
from typing import TYPE_CHECKING, Any, Final

from lms_tui.attempt.beginning import exam_to_begin
from lms_tui.client.port import ExamState

if TYPE_CHECKING:
    from lms_tui.client.port import Lms
    from lms_tui.wire.attempts import Attempt
    from lms_tui.wire.base import Page
    from lms_tui.wire.exams import Exam

LISTS: Final = ("attempts", *(state.value for state in (ExamState.AVAILABLE, ExamState.UPCOMING)))
"""The lists of the home screen and of the exam list."""


async def page_of(lms: "Lms", name: str, number: int = 1, *, course: str = "", title: str = "") -> "Page[Any]":
    """Return one page of a list. Raises NotFound where the server has no such list."""
    if name == "attempts":
        return await lms.attempts.page(number, course=course, title=title)
    return await lms.exams.page(ExamState(name), number, course=course, title=title)


class FirstPages:
    """The requests for the first pages, which begin at once."""

    def __init__(self, lms: "Lms") -> None:
        self._tasks = {name: asyncio.create_task(page_of(lms, name)) for name in LISTS}
        for task in self._tasks.values():
            task.add_done_callback(_look)

    def take(self) -> "dict[str, asyncio.Task[Page[Any]]]":
        """Return the requests once. A second caller gets none, because a list changes."""
        taken, self._tasks = self._tasks, {}
        return taken


class FirstExam:
    """The requests for an exam and the attempts at it, which begin at once."""

    def __init__(self, lms: "Lms", slug: str) -> None:
        self.slug = slug
        self._task: asyncio.Task[tuple[Exam, list[Attempt]]] | None = asyncio.create_task(
            exam_to_begin(lms.exams, lms.attempts, slug)
        )
        self._task.add_done_callback(_look)

    def take(self) -> "asyncio.Task[tuple[Exam, list[Attempt]]] | None":
        """Return the requests once. A second caller gets none, because attempts change."""
        taken, self._task = self._task, None
        return taken


def _look(task: "asyncio.Task[Any]") -> None:
    """Take note of an error, which asyncio would report if nobody takes the answer."""
    if not task.cancelled():
        task.exception()
