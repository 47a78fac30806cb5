"""Runs one attempt: opens its journal and keeper, shows the exam screen, and closes both at the end."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from random import SystemRandom
from typing import TYPE_CHECKING, Final

import anyio
from textual.app import App

from lms_tui.attempt.free_journal import open_when_free
from lms_tui.attempt.journal.memory import MemoryJournals
from lms_tui.attempt.journal.receipt import answer_lines, file_name, receipt_of, write_receipt
from lms_tui.attempt.keeper import AttemptOverError, Keeper
from lms_tui.attempt.kept_exam import kept_exam
from lms_tui.attempt.persistent import run_persistently
from lms_tui.attempt.ports import AttemptKey, Journal, JournalError, JournalInUseError, NewerJournalError
from lms_tui.attempt.read_only_keeper import ReadOnlyKeeper
from lms_tui.tui import dialogs
from lms_tui.tui.commands import Where, commands_by_id
from lms_tui.tui.modal import close_above, screen_below_modals
from lms_tui.views.error_messages import error_message
from lms_tui.views.ports import Dependencies
from lms_tui.wire.errors import ApiError, Unreachable

if TYPE_CHECKING:
    from lms_tui.client.port import Lms
    from lms_tui.tui.screens.runner.screen import RunnerScreen

_log = logging.getLogger(__name__)
_AGAIN: Final = "Try again"
_BACK: Final = "Back"
_CONTINUE: Final = "Continue without the server"
_SHOW_ANSWERS: Final = "Show the saved answers"
_TICKS: Final = (0.4, 0.95)
"""When a clock is drawn, as `tick_at` of the exam. Exams that end together draw theirs one after the other."""


def _offer_of(journal: Journal | None) -> str:
    """Return the choice that a journal allows without the server, or "" for an empty journal."""
    if journal is None:
        return ""
    if kept_exam(journal) is not None:
        return _CONTINUE
    return _SHOW_ANSWERS if journal.newest() else ""


class AttemptController:
    """Belongs to the app, because the keeper must outlive the exam screen."""

    def __init__(self, app: App[None], dependencies: Dependencies, lms: "Lms", user_id: int, *, badge: str) -> None:
        self._app = app
        self._dependencies = dependencies
        self._lms = lms
        self._user_id = user_id
        self._badge = badge
        self._keeper: Keeper | None = None
        self._screen: RunnerScreen | None = None

    @property
    def on_screen(self) -> bool:
        return self._screen is not None

    async def run(self, attempt_id: int, title: str) -> bool:
        """Return True when the attempt is over and has a result, False when it was left or not opened."""
        key = AttemptKey(self._lms.origin, self._user_id, attempt_id)
        try:
            journal = await self._open_journal(key, title)
        except JournalInUseError as error:
            return await self._show_read_only(key, error)
        except NewerJournalError as error:
            await dialogs.notice(self._app, "The exam cannot be opened", error_message(error).text, error=True)
            return False
        try:
            keeper = await self._opened(lambda: self._open_keeper(journal, attempt_id), journal)
        except AttemptOverError:
            undelivered = sum(1 for kept in journal.newest().values() if not kept.acknowledged)
            receipt = receipt_of(journal, self._dependencies.clock.wall())
            journal.close()
            if undelivered:
                answers = "1 answer was" if undelivered == 1 else f"{undelivered} answers were"
                listed = (
                    f"{answers} saved on this computer but not accepted by the server. A receipt lists them with their "
                    "times."
                )
                await self._offer_receipt(attempt_id, receipt, "The exam has ended on the server", listed)
            return True
        except BaseException:
            journal.close()
            raise
        if keeper is None:
            journal.close()
            return False
        self._keeper = keeper
        try:
            over = await self._show(keeper) in {"ended", "closed"}
            if over and (keeper.session.refused or keeper.session.missing_in_ended):
                listed = "A receipt lists every answer, its time and the server's last reply."
                await self._offer_receipt(attempt_id, keeper.receipt(), "Some answers were not accepted", listed)
            return over
        finally:
            self.close()

    # Undelivered answers.

    async def _offer_receipt(self, attempt_id: int, receipt: str, title: str, listed: str) -> None:
        """Offer to write a receipt. `listed`: what the receipt lists, as a sentence."""
        text = f"{listed} You can give it to your institute."
        if await dialogs.confirm(self._app, title, text, yes="Write a receipt", no="Later"):
            await self._write_receipt(attempt_id, receipt)

    async def _write_receipt(self, attempt_id: int, receipt: str) -> None:
        """Write the receipt to the folder of exports and say where it is."""
        again = f"To write it later: lms-tui receipt export {attempt_id}"
        path = self._dependencies.settings.paths.exports / file_name(attempt_id, self._dependencies.clock.wall())
        try:
            write_receipt(path, receipt)
        except OSError as error:
            text = f"{path} cannot be written ({error.strerror}).\n{again}"
            await dialogs.notice(self._app, "The receipt was not written", text, error=True)
        else:
            text = f"File: {path}\n{again}\nTo check it: lms-tui receipt verify FILE"
            await dialogs.notice(self._app, "The receipt is written", text)

    # Opening.

    async def _show_read_only(self, key: AttemptKey, error: JournalInUseError) -> bool:
        """Offer to show, read-only, an attempt that another process has open."""
        body = f"{error_message(error).text} You can view it here but not change it."
        if not await dialogs.confirm(self._app, "Already open", body, yes="View", no="Back"):
            return False
        try:
            keeper = await self._opened(
                lambda: ReadOnlyKeeper.look(
                    self._lms.attempts, self._dependencies.journals, self._dependencies.clock, key
                )
            )
        except AttemptOverError:
            return True
        except JournalError as trouble:
            await dialogs.notice(self._app, "The exam cannot be shown", error_message(trouble).what, error=True)
            return False
        if keeper is None:
            return False
        self._keeper = keeper
        try:
            return await self._show(keeper) in {"ended", "closed"}
        finally:
            self.close()

    async def _open_journal(self, key: AttemptKey, title: str) -> Journal:
        """Open the journal, or one in memory when the disk takes none. Raise JournalInUseError, NewerJournalError."""
        try:
            journal = await self._free_journal(key, title)
        except (JournalInUseError, NewerJournalError):
            raise
        except JournalError as error:
            _log.error("no journal: %s", error)
            await dialogs.notice(
                self._app,
                "Not saved on this computer",
                f"{error_message(error).what} Answers are still sent to the server. An answer that is not sent yet is "
                "lost if this program stops. Keep the window open, or make room on the disk and open the exam again.",
                error=True,
            )
            return MemoryJournals().open(key, title)
        if journal.restored:
            await dialogs.notice(self._app, "The journal was repaired", journal.restored)
        return journal

    async def _free_journal(self, key: AttemptKey, title: str) -> Journal:
        """Open a journal, and wait for another window that is about to close. Raise as `Journals.open`."""
        journals, clock, enough = self._dependencies.journals, self._dependencies.clock, anyio.Event()
        try:
            return journals.open(key, title)
        except JournalInUseError as error:
            words = f"{error_message(error).what} Waiting for it to close …"
        async with dialogs.waiting(self._app, words, enough.set):
            return await open_when_free(lambda: journals.open(key, title), clock, enough)

    async def _open_keeper(self, journal: Journal, attempt_id: int) -> Keeper:
        random = SystemRandom()
        return await Keeper.open(self._lms.attempts, journal, self._dependencies.clock, random, attempt_id)

    async def _opened(self, opening: Callable[[], Awaitable[Keeper]], journal: Journal | None = None) -> Keeper | None:
        """Return the keeper, or None when the person gave up. A failure offers another try.

        Without a server the journal offers the whole exam, or the saved answers where it does not keep the questions.
        """
        while True:
            try:
                async with dialogs.waiting(self._app, "Opening the exam …"):
                    return await opening()
            except ApiError as error:
                offer = _offer_of(journal) if isinstance(error, Unreachable) else ""
                if journal is None or not offer:
                    answer = await self._ask_again(error)
                else:
                    answer = await self._ask_without_server(error, journal, offer)
                if answer == _CONTINUE and journal is not None:
                    random = SystemRandom()
                    return Keeper.resume_offline(self._lms.attempts, journal, self._dependencies.clock, random)
                if answer == _BACK:
                    return None

    async def _ask_again(self, error: ApiError) -> str:
        again = await dialogs.confirm(
            self._app, "The exam could not be opened", error_message(error).text, yes=_AGAIN, no=_BACK
        )
        return _AGAIN if again else _BACK

    async def _ask_without_server(self, error: ApiError, journal: Journal, offer: str) -> str:
        options = (offer, _AGAIN, _BACK)
        chosen = await dialogs.choose(self._app, error_message(error).what, options)
        answer = _BACK if chosen is None else options[chosen]
        if answer == _SHOW_ANSWERS:
            await dialogs.notice(self._app, "Saved answers", "\n".join(answer_lines(journal)))
        return answer

    async def _show(self, keeper: Keeper) -> str:
        """Show the exam until it is over or left. Return "ended", "closed" or "left"."""
        from lms_tui.tui.screens.runner.screen import RunnerScreen  # noqa: PLC0415 - brings content and widgets

        done: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        asking = [screen for screen in self._app.screen_stack if getattr(screen, "replaceable", False)]
        typing = await close_above(self._app, asking[-1] if asking else screen_below_modals(self._app))
        runner = RunnerScreen(
            keeper,
            self._lms,
            settings=self._dependencies.settings,
            badge=self._badge,
            tick_at=SystemRandom().uniform(*_TICKS),
            concluded=done.set_result,
            typing=typing,
        )
        self._screen = runner
        self._app.run_worker(self._keep(keeper), name="keeper", group="keeper", exclusive=True, exit_on_error=False)
        try:
            # The exam replaces the instructions, because a key could land on the list between them.
            await (self._app.switch_screen(runner) if asking else self._app.push_screen(runner))
            return await done
        finally:
            self._screen = None

    async def _keep(self, keeper: Keeper) -> None:
        if not await run_persistently(keeper):
            self._app.notify(
                "Answers are saved on this computer but not sent to the server any more. "
                f"Leave the exam ({self._leave_key()}) and resume it.",
                title="Error in lms-tui",
                severity="error",
                timeout=60,
                markup=False,
            )

    def _leave_key(self) -> str:
        return commands_by_id(Where.RUNNER)["leave"].first_key(self._dependencies.settings.keys)

    def save_draft(self) -> None:
        """Save what is being typed in the exam."""
        if self._screen is not None and self._screen.is_mounted:
            self._screen.save_draft()

    def close(self) -> None:
        """Stop sending and close the journal. Unsent answers are sent when the attempt is resumed."""
        self._app.workers.cancel_group(self._app, "keeper")
        if self._keeper is not None:
            self._keeper.close()
            self._keeper = None
