"""The program as a dialogue of lines: sign in, choose an exam, answer it, see the result."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from random import SystemRandom
from typing import TYPE_CHECKING, Final, TypeVar

import anyio

from lms_tui.attempt.beginning import Beginning, exam_to_begin, running_of
from lms_tui.attempt.desk import desk_text
from lms_tui.attempt.free_journal import open_when_free
from lms_tui.attempt.journal.memory import MemoryJournals
from lms_tui.attempt.journal.receipt import answer_lines
from lms_tui.attempt.keeper import AttemptOverError, Keeper
from lms_tui.attempt.kept_exam import kept_exam
from lms_tui.attempt.ports import AttemptKey, Journal, JournalError, JournalInUseError, NewerJournalError
from lms_tui.attempt.signing import sign_receipts
from lms_tui.client.port import ExamState
from lms_tui.common.cleaning import clean_line
from lms_tui.plain import listing, review
from lms_tui.plain.afterwards import history, replayed, timed
from lms_tui.plain.exam import ExamDialogue
from lms_tui.plain.line_io import InputEndedError, LineIO
from lms_tui.plain.listing import Entry
from lms_tui.plain.practice import PracticeDialogue, learnt, practise
from lms_tui.plain.speech import to_speech
from lms_tui.views import replay
from lms_tui.views.attempts import without_server
from lms_tui.views.deck import deck_of
from lms_tui.views.error_messages import error_message
from lms_tui.views.format import counted
from lms_tui.views.instructions import asks_for_code
from lms_tui.views.result import may_retake
from lms_tui.views.sign_in import waiting_words
from lms_tui.wire.errors import ApiError, NotFound, Unreachable

if TYPE_CHECKING:
    from lms_tui.attempt.ports import JournalRecord
    from lms_tui.views.ports import Dependencies, Opening, UserSession
    from lms_tui.wire.exams import Exam

_T = TypeVar("_T")
_AT_ONCE: Final = 10
"""Entries of a list that are shown at once."""


class LeftError(Exception):
    """The person asked to leave the program."""


class PlainProgram:
    """One run of the program without a screen."""

    def __init__(self, io: LineIO, dependencies: "Dependencies", opening: "Opening") -> None:
        self._io = io
        self._dependencies = dependencies
        self._opening = opening
        self._step = ""

    async def run(self) -> None:
        """Run until the user leaves or the input ends."""
        try:
            if self._opening.practice is not None:
                await PracticeDialogue(self._io, self._opening.practice).run()
                return
            session = await self._enter()
            exam_list = ExamList(self._io, self._dependencies, session)
            if self._opening.exam_slug:
                await exam_list.take(self._opening.exam_slug)
            await exam_list.run()
        except (InputEndedError, LeftError):
            self._io.say("", "Goodbye. All saved answers are kept.")

    def _say_step(self, step: str) -> None:
        """Say a step without its count, once."""
        step = step.partition(":")[0]
        if step != self._step:
            self._step = step
            self._io.say(f"{step} …")

    async def _enter(self) -> "UserSession":
        if self._opening.enter is not None:
            return await self._opening.enter(on_step=self._say_step)
        profiles = self._dependencies.session_provider.profiles()
        if profiles:
            try:
                if (session := await self._dependencies.session_provider.resume(profiles[0])) is not None:
                    name = clean_line(profiles[0].name)
                    said = "Signed in" if session.unreachable is None else "Not connected yet"
                    self._io.say(f"{said}: {name}.")
                    return session
            except ApiError as error:
                self._io.say(error_message(error).text)
        return await self._sign_in(profiles[0].base_url if profiles else "")

    async def _sign_in(self, known: str) -> "UserSession":
        self._io.say("Sign in to a server, or type practice to try the program on this computer.")
        while True:
            hint = f" (empty for {clean_line(known)})" if known else ""
            server = await self._io.ask(f"Server{hint}: ") or known
            if not server:
                continue
            try:
                if server.casefold() == "practice":
                    return await self._dependencies.session_provider.practice()
                username = await self._io.ask("User name: ")
                password = await self._io.ask("Password: ", secret=True)
                return await self._dependencies.session_provider.sign_in(
                    server, username, password, keep=False, on_wait=lambda wait: self._io.say(waiting_words(wait))
                )
            except ApiError as error:
                self._io.say(error_message(error).text)


class ExamList:
    """The numbered list of exams of a signed-in student."""

    def __init__(self, io: LineIO, dependencies: "Dependencies", session: "UserSession") -> None:
        self._io = io
        self._dependencies = dependencies
        self._lms = session.lms
        self._user_id = session.user.id
        self._deck = deck_of(dependencies, session)

    async def run(self) -> None:
        while True:
            entries = await self._tried(self._entries)
            if entries is None:
                if await self._io.ask("Press enter to try again, or type quit: ") in {"q", "quit"}:
                    raise LeftError
                continue
            await self._choose(entries)

    async def _entries(self) -> list[Entry]:
        """Return the list. Without the server, it has the exams that can be resumed from their journals."""
        journals, now = self._dependencies.journals, self._dependencies.clock.wall()
        outstanding = journals.outstanding(self._lms.origin, self._user_id)
        unfinished = outstanding.unfinished
        try:
            attempts = await self._lms.attempts.page()
            available = await self._pages(ExamState.AVAILABLE)
            upcoming = await self._pages(ExamState.UPCOMING)
        except Unreachable as error:
            if not unfinished:
                raise
            self._io.say(error_message(error).text, without_server(unfinished))
            return listing.entries((), (), (), unfinished, datetime.now(UTC))
        await sign_receipts(self._lms.attempts, journals, outstanding.unsigned, now)
        return listing.entries(attempts.results, available, upcoming, unfinished, datetime.now(UTC))

    async def _pages(self, state: ExamState) -> "Sequence[Exam]":
        """Fetch the first page of a list. Empty if the server has no such list."""
        try:
            return (await self._lms.exams.page(state)).results
        except NotFound:
            return ()

    async def _choose(self, entries: Sequence[Entry]) -> None:
        self._io.say("", listing.size_words(entries))
        if due := self._deck.count_due() if self._deck is not None else 0:
            self._io.say(f"{counted(due, 'question')} to practise today.")
        tasks = {"s": self._statistics, "h": self._history, "p": self._practise}
        shown = 0
        more = True
        while True:
            if more:
                upto = shown + _AT_ONCE
                self._io.say(*(f"{n}. {e.text}" for n, e in enumerate(entries[shown:upto], shown + 1)))
                shown, more = min(upto, len(entries)), False
            rest = f", m for {len(entries) - shown} more" if shown < len(entries) else ""
            choices = (
                f"A number{rest}, s for statistics, h for the history of your subjects, p to practise, "
                "r to read again, q to quit: "
            )
            line = (await self._io.ask(choices)).casefold()
            match line:
                case "q" | "quit":
                    raise LeftError
                case "m" | "more" if rest:
                    more = True
                case "s" | "statistics" | "h" | "history" | "p" | "practise":
                    await self._tried(tasks[line[0]])
                case "r" | "read":
                    return
                case _ if line.isdecimal() and 0 < int(line) <= len(entries):
                    await self._open(entries[int(line) - 1])
                    return
                case _:
                    self._io.say("Unknown choice.")

    async def _practise(self) -> None:
        """Show the numbers of the deck, and practise one of the drills."""
        if self._deck is not None:
            self._io.say(*await practise(self._io, self._deck))

    async def _open(self, entry: Entry) -> None:
        match entry.kind:
            case listing.Kind.RESUME:
                await self._sit(entry.attempt_id, entry.title)
            case listing.Kind.AVAILABLE:
                await self.take(entry.slug)
            case listing.Kind.UPCOMING:
                self._io.say("This exam is not open yet.")
            case listing.Kind.DONE:
                await self._result(entry.attempt_id)

    async def take(self, slug: str) -> None:
        """Show the instructions of an exam and start it on request."""
        read = await self._tried(lambda: exam_to_begin(self._lms.exams, self._lms.attempts, slug))
        if read is None:
            return
        exam, attempts = read
        self._io.say("", f"{clean_line(exam.title) or slug}.", *to_speech(exam.description))
        self._io.say(*listing.rules(exam, attempts))
        begun = running_of(attempts)
        doing = "resume" if begun else "start"
        beginning = Beginning(self._lms.attempts, slug)
        while True:
            line = (await self._io.ask(f"Type start to {doing} the exam, or back: ")).casefold()
            if line in {"back", "b", "quit", "q"}:
                return
            if line != "start":
                continue
            code = "" if begun or not asks_for_code(exam) else await self._io.ask("Type the access code of the exam: ")
            attempt = begun or await self._tried(partial(beginning.begin, code))
            if attempt is not None:
                await self._sit(attempt.id, clean_line(exam.title))
                return
            if beginning.unsure:
                self._io.say("It is not known whether the exam has started. Type start to check.")

    async def _sit(self, attempt_id: int, title: str) -> None:
        journal = await self._journal(attempt_id, title)
        if journal is None:
            return
        try:
            keeper = await self._opened(journal, attempt_id)
        except AttemptOverError:
            journal.close()
            self._io.say("The exam has ended on the server.")
            await self._result(attempt_id)
            return
        except BaseException:
            journal.close()
            raise
        if keeper is None:
            journal.close()
            return
        try:
            over = await ExamDialogue(self._io, keeper, self._lms, local=self._dependencies.settings.local).run()
        finally:
            keeper.close()
        if over:
            await self._result(attempt_id)

    async def _opened(self, journal: Journal, attempt_id: int) -> Keeper | None:
        """Open the attempt on the server, or from the journal where the server cannot be reached."""
        service, clock = self._lms.attempts, self._dependencies.clock
        try:
            return await Keeper.open(service, journal, clock, SystemRandom(), attempt_id)
        except Unreachable as error:
            self._io.say(error_message(error).text)
        except ApiError as error:
            self._io.say(error_message(error).text)
            return None
        if kept_exam(journal) is None:
            lines = answer_lines(journal)
            self._io.say(*(["Answers saved on this computer:", *lines] if lines else []))
            return None
        line = await self._io.ask("Type continue to go on without the server, or press enter to go back: ")
        if line.casefold() not in {"c", "continue"}:
            return None
        return Keeper.resume_offline(service, journal, clock, SystemRandom())

    async def _journal(self, attempt_id: int, title: str) -> Journal | None:
        key = AttemptKey(self._lms.origin, self._user_id, attempt_id)
        try:
            journal = await self._free_journal(key, title)
        except (JournalInUseError, NewerJournalError) as error:
            self._io.say(error_message(error).text)
            return None
        except JournalError as error:
            self._io.say(
                f"{error_message(error).what} Answers are sent to the server, but what was not sent yet is lost if "
                "this program stops."
            )
            return MemoryJournals().open(key, title)
        if journal.restored:
            self._io.say(journal.restored)
        return journal

    async def _free_journal(self, key: AttemptKey, title: str) -> Journal:
        """Open a journal, and wait for another window that is about to close. Raise as `Journals.open`."""
        journals, clock = self._dependencies.journals, self._dependencies.clock
        try:
            return journals.open(key, title)
        except JournalInUseError as error:
            self._io.say(f"{error_message(error).what} Waiting for it to close …")
        return await open_when_free(lambda: journals.open(key, title), clock, anyio.Event())

    async def _result(self, attempt_id: int) -> None:
        attempt = await self._tried(lambda: self._lms.attempts.read(attempt_id))
        if attempt is None:
            return
        self._io.say("", *review.result(attempt, datetime.now(UTC)))
        retake = ", t to take the exam again" if may_retake(attempt) else ""
        while True:
            asked = f"v for the review, u for the subjects, replay for the replay{retake}, or enter to go back: "
            line = (await self._io.ask(asked)).casefold()
            match line:
                case "v" | "review":
                    await self._tried(lambda: self._review(attempt_id))
                case "u" | "subjects":
                    subjects = await self._tried(lambda: self._lms.attempts.subjects(attempt_id))
                    self._io.say(*review.subjects(subjects or ()))
                case "replay":
                    await self._replay(attempt_id)
                case "t" | "retake" if retake:
                    await self.take(attempt.exam.slug)
                    return
                case "" | "b" | "back":
                    return
                case "q" | "quit":
                    raise LeftError
                case _:
                    self._io.say("Unknown choice.")

    async def _replay(self, attempt_id: int) -> None:
        if (journal := self._journal_of(attempt_id)) is None:
            self._io.say(replay.NO_JOURNAL)
            return
        self._io.say("", *await replayed(journal, self._lms.attempts.review(attempt_id)))

    def _journal_of(self, attempt_id: int) -> "JournalRecord | None":
        try:
            return self._dependencies.journals.look(AttemptKey(self._lms.origin, self._user_id, attempt_id))
        except JournalError:
            return None

    async def _history(self) -> None:
        page = await self._lms.attempts.page()
        self._io.say("", *await history(self._lms.attempts, page.results))

    async def _review(self, attempt_id: int) -> None:
        attempt = await self._lms.attempts.read(attempt_id)
        journal = self._journal_of(attempt_id)
        desk = partial(desk_text, journal) if journal is not None else (lambda _: "")
        pages = timed(self._lms.attempts.review(attempt_id), journal, attempt)
        shown = review.Review(self._io, pages, desk)
        await shown.run()
        if self._deck is not None:
            self._io.say(*learnt(self._deck, attempt, shown.questions))

    async def _statistics(self) -> None:
        self._io.say("", *review.statistics(await self._lms.stats()))

    async def _tried(self, request: "Callable[[], Awaitable[_T]]") -> "_T | None":
        """Make a request. Shows the error and returns None if it fails."""
        try:
            return await request()
        except ApiError as error:
            self._io.say(error_message(error).text)
            return None
