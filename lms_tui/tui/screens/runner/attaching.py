"""Files in an answer: the dialog that adds and removes them."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from lms_tui.attempt.answer_files import files_of
from lms_tui.attempt.file_choice import ChosenFile, FileChoiceError, file_reader
from lms_tui.attempt.ports import JournalError
from lms_tui.attempt.values import Item
from lms_tui.common.detached import run_detached
from lms_tui.tui import dialogs
from lms_tui.tui.path_dialog import ask_path
from lms_tui.views import files as present
from lms_tui.views.glyphs import Glyphs
from lms_tui.views.runner import Severity

_LONGEST_NUMBER: Final = 6

if TYPE_CHECKING:
    from textual.app import App

    from lms_tui.attempt.keeper import Keeper
    from lms_tui.tui.screens.runner.announcer import Announcer
    from lms_tui.tui.screens.runner.change_guard import ChangeGuard


def _number(typed: str) -> int | None:
    """Return the number of a file, or None for a path. Python reads no number of thousands of digits."""
    return int(typed) if typed.isdecimal() and len(typed) < _LONGEST_NUMBER else None


class Attaching:
    """`local`: whether the files of this computer are those of the student. `read` asks the server what it takes."""

    def __init__(
        self,
        keeper: "Keeper",
        guard: "ChangeGuard",
        announcer: "Announcer",
        *,
        local: bool,
        read: Callable[[], object],
        glyphs: Glyphs,
    ) -> None:
        self._keeper = keeper
        self._guard = guard
        self._announcer = announcer
        self._local = local
        self._read = read
        self._glyphs = glyphs

    def allows(self) -> bool:
        """Return whether a file can be added or removed now, and say why not."""
        if not self._guard.allows():
            return False
        files, item = self._keeper.files, self._keeper.session.item
        if reason := present.why_none(files, item.question_id, local=self._local):
            self._announcer.say(reason, severity=Severity.WARNING)
            if not files.told(item.question_id):
                self._read()
        return not reason

    async def ask(self, app: "App[Any]", begun: str = "") -> None:
        """Ask for a path to add or the number of a file to remove, until the student leaves or no more can be added.

        `begun`: a path that was pasted, or dropped on the terminal.
        """
        question = self._keeper.session.item.question_id
        while (item := self._keeper.session.find(question)) is not None and self._keeper.session.open_to_change(item):
            if not await self._changed(app, item, begun):
                return
            begun = ""

    async def _changed(self, app: "App[Any]", item: Item, begun: str) -> bool:
        """Ask for one change and make it. Return whether to ask again."""
        there, accepted = files_of(item.answer), self._keeper.files.accepted(item.question_id)
        if accepted is None:
            return False
        rules, limits = accepted
        chosen: list[ChosenFile] = []

        async def wrong(text: str) -> str:
            if (number := _number(text)) is not None:
                return "" if 1 <= number <= len(there) else f"There is no file {number} in this answer."
            try:
                chosen[:] = [await run_detached(file_reader(self._keeper, item), text)]
            except FileChoiceError as error:
                return f"{error} {error.advice}"
            return ""

        words = "Type a path to add a file, or a number to remove one." if there else "Type the path of a file."
        words += " Tab completes a path."
        listed = (f"{number}  {file.words}" for number, file in enumerate(there, 1))
        body = "\n".join([present.accepted(rules, limits, f" {self._glyphs.dot} "), *listed, words])
        given = await ask_path(
            app, f"Files of question {item.number}", body, begun=begun, types=rules.types, check=wrong
        )
        if given is None:
            return False
        if (number := _number(given)) is not None:
            self._keeper.detach(item, number - 1)
            return True
        return await self._added(app, item, *chosen) and len(there) + 1 < rules.most

    async def _added(self, app: "App[Any]", item: Item, chosen: ChosenFile) -> bool:
        try:
            self._keeper.attach(self._keeper.session.find(item.question_id) or item, chosen.name, chosen.content)
        except JournalError as error:
            await dialogs.notice(app, "The file was not added", f"{error} {error.advice}", error=True)
            return False
        return True
