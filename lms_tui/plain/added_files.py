"""The files of an answer in the dialogue: added by a path, removed by a number, and read out."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING

from lms_tui.attempt.answer_files import files_of
from lms_tui.attempt.file_choice import ChosenFile, FileChoiceError, file_reader
from lms_tui.attempt.ports import JournalError
from lms_tui.attempt.values import Item
from lms_tui.common.sizes import bytes_of
from lms_tui.plain.typed_lines import Command, Order
from lms_tui.views import files as present
from lms_tui.wire.question_types import QuestionType

if TYPE_CHECKING:
    from lms_tui.attempt.keeper import Keeper


Reading = Callable[[Callable[[], ChosenFile]], Awaitable[ChosenFile | None]]
"""Runs a function that reads a file, and returns what it returns, or None if the student stops it."""


class AddedFiles:
    """Each call returns the lines to say. `local`: whether the files of this computer are those of the student."""

    def __init__(self, keeper: "Keeper", reading: Reading, *, local: bool) -> None:
        self._keeper = keeper
        self._reading = reading
        self._local = local

    async def reply(self, command: Command, item: Item) -> list[str]:
        """Add a file, remove one, or read the files of an answer."""
        if item.kind != QuestionType.FILES:
            return ["This question takes no files."]
        await self._keeper.files.read([item.question_id])
        item = self._keeper.session.find(item.question_id) or item  # it may have been sent while the line was typed
        if command.order is Order.FILE and not command.text:
            return self._read(item)
        if reason := self._why_not(item):
            return [reason]
        if command.order is Order.REMOVE:
            return [self._remove(item, command.number)]
        return [await self._add(item, command.text)]

    def _why_not(self, item: Item) -> str:
        session = self._keeper.session
        if session.read_only:
            return session.read_only
        if not session.open_to_change(item):
            return "This answer cannot be changed any more."
        return present.why_none(self._keeper.files, item.question_id, local=self._local)

    def _read(self, item: Item) -> list[str]:
        files = self._keeper.files
        accepted = files.accepted(item.question_id)
        told = [] if accepted is None else [f"{present.accepted(*accepted, ', ')}."]
        said = [
            f"File {number}: {file.words}, {present.state_of(item, file, files.received)}."
            for number, file in enumerate(files_of(item.answer), 1)
        ]
        reason = self._why_not(item)
        return [*told, *(said or ["No file yet."]), *([reason] if reason else [])]

    async def _add(self, item: Item, path: str) -> str:
        try:
            chosen = await self._reading(partial(file_reader(self._keeper, item), path))
            if chosen is None:
                return "The file was not added."
            item = self._keeper.session.find(item.question_id) or item
            self._keeper.attach(item, chosen.name, chosen.content)
        except (FileChoiceError, JournalError) as error:
            return f"{error} {error.advice}"
        return f"Added {chosen.name}, {bytes_of(len(chosen.content))}. {self._saved(item)}"

    def _remove(self, item: Item, number: int) -> str:
        there = files_of(item.answer)
        if not 1 <= number <= len(there):
            return f"There is no file {number} in this answer."
        self._keeper.detach(item, number - 1)
        return f"Removed {there[number - 1].name}. {self._saved(item)}"

    def _saved(self, item: Item) -> str:
        now = self._keeper.session.find(item.question_id) or item
        trouble = self._keeper.session.journal_trouble
        return "Saved." if now.here >= now.latest else f"Not saved on this computer: {trouble}"
