"""An attempt as a dialogue. Each typed line gets a reply."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import anyio

from lms_tui.attempt.aids import Aids
from lms_tui.attempt.events import Chose, Cleared, EndAsked, Marked, Undone, UserEvent, Visited, Wrote
from lms_tui.attempt.file_choice import ChosenFile
from lms_tui.attempt.persistent import run_persistently
from lms_tui.attempt.session import Session
from lms_tui.attempt.values import Goal, Item, Phase
from lms_tui.common.cleaning import clean, clean_line
from lms_tui.common.detached import MOMENT, run_detached
from lms_tui.plain import calculating, sentences, typed_lines
from lms_tui.plain.added_files import AddedFiles
from lms_tui.plain.announcements import Announcements
from lms_tui.plain.line_io import InputEndedError, LineIO
from lms_tui.plain.own_texts import OwnTexts
from lms_tui.plain.passages import Passages
from lms_tui.plain.typed_lines import Choice, Command, EssayBegun, Jotting, Meaning, Order, UnknownLine, Written
from lms_tui.views import ending
from lms_tui.views import format as say
from lms_tui.views import runner as present
from lms_tui.views.answers import AnswerForm, AnswerMode, form_of, why_read_only
from lms_tui.views.calculations import NAME as CALCULATOR
from lms_tui.views.calculations import Calculations
from lms_tui.views.error_messages import error_message
from lms_tui.views.pace import pace, pace_words, seconds_of
from lms_tui.wire.errors import ApiError
from lms_tui.wire.question_types import QuestionType

if TYPE_CHECKING:
    from lms_tui.attempt.keeper import Keeper
    from lms_tui.client.port import Lms

_TICK: Final = 1.0
_PATIENCE: Final = 5.0
"""Seconds to wait for the sending before the user is asked."""


class ExamDialogue:
    """The dialogue of one attempt. `run` returns True if the attempt is over, False if the user left it."""

    def __init__(self, io: LineIO, keeper: "Keeper", lms: "Lms", *, local: bool = True) -> None:
        self._io = io
        self._keeper = keeper
        self._lms = lms
        self._aids = Aids(lms.attempts, keeper.session.attempt_id, keeper.desk)
        self._own = OwnTexts(keeper)
        self._files = AddedFiles(keeper, self._read_patiently, local=local)
        self._announcements = Announcements(io, keeper)
        self._passages = Passages()
        self._before = keeper.session
        self._question: anyio.CancelScope | None = None
        self._typed_ahead: list[str] = []
        self._leaving = False
        self._turned = anyio.Event()

    async def run(self) -> bool:
        self._keeper.listen(self._changed)
        gone: InputEndedError | None = None
        async with anyio.create_task_group() as group:
            group.start_soon(self._keep)
            group.start_soon(self._watch)
            group.start_soon(self._aids.read)
            try:
                await self._converse()
            except InputEndedError as error:
                gone = error  # raised here, it would become part of an exception group
            group.cancel_scope.cancel()
        if gone is not None:
            raise gone
        return self._keeper.session.over

    async def _keep(self) -> None:
        if not await run_persistently(self._keeper):
            self._io.say(
                "An internal error occurred. Your answers are saved on this computer but no longer sent. "
                "Type quit, then resume the exam."
            )

    async def _watch(self) -> None:
        while True:
            await anyio.sleep(_TICK)
            self._keeper.tick()
            self._announcements.tick()

    def _changed(self, session: Session) -> None:
        before, self._before = self._before, session
        self._announcements.changed(before, session)
        if session.phase is not before.phase:
            self._turned.set()
            self._turned = anyio.Event()
            self._cancel_question()

    def _cancel_question(self) -> None:
        if self._question is not None:
            self._question.cancel()

    async def _ask(self, prompt: str, *, indented: bool = False) -> str | None:
        """Ask for a line. Return None if the phase of the attempt changes first."""
        if self._typed_ahead:
            return self._typed_ahead.pop(0)
        with anyio.CancelScope() as self._question:
            return await self._io.ask(prompt, indented=indented)
        return None

    async def _read_patiently(self, read: Callable[[], ChosenFile]) -> ChosenFile | None:
        """Return what a function reads, or None if the student stops it, because a drive may hang.

        Other lines that are typed meanwhile are obeyed afterwards.
        """
        reading = asyncio.ensure_future(run_detached(read))
        ahead: list[str] = []
        try:
            await asyncio.wait([reading], timeout=MOMENT)
            if not reading.done():
                reading.add_done_callback(lambda _: self._cancel_question())
            while not reading.done():
                line = await self._ask("Reading. Type stop to leave it: ")
                if (line or "").casefold() == "stop":
                    return None
                if line is not None:
                    ahead.append(line)
                elif not reading.done():
                    return None
            return reading.result()
        finally:
            reading.cancel()
            self._typed_ahead += ahead

    async def _converse(self) -> None:
        session = self._keeper.session
        self._io.say(
            f"{clean_line(session.title) or 'The exam'}. {say.counted(session.size, 'question')}, "
            f"{session.answered} answered. "
            f"{self._time()}",
            "Type ? at any time for the commands.",
        )
        self._show(session.item)
        while not (self._leaving or self._keeper.session.over):
            if self._keeper.session.phase is not Phase.RUNNING:
                await self._wait_for_the_end()
                continue
            item = self._keeper.session.item
            line = await self._ask(f"{item.number}> ")
            if line is not None:
                options = len(self._form(item).choices)
                await self._obey(typed_lines.understood(line, kind=item.kind, options=options), item)
        if self._keeper.session.over:
            self._io.say("", *sentences.ended(self._keeper.session))

    async def _obey(self, meaning: Meaning, item: Item) -> None:
        match meaning:
            case Choice(places=(topic,)) if item.kind == QuestionType.ESSAY:
                self._do(item, Wrote(item.question_id, "essay_topic", self._form(item).texts[topic]))
            case Choice(places=places):
                for place in places:
                    self._keeper.do(Chose(item.question_id, item.options[place]))
                self._confirm(item.question_id)
            case Written(field=field, text=text):
                self._put(item, field, text)
            case EssayBegun():
                await self._write(item)
            case Jotting():
                self._io.say(*self._own.jot(item, meaning))
            case UnknownLine(why=why):
                self._io.say(why)
            case Command(order=Order.FILE | Order.REMOVE):
                self._io.say(*await self._files.reply(meaning, item))
            case Command():
                await self._command(meaning, item)

    def _form(self, item: Item) -> AnswerForm:
        return form_of(item.kind, self._keeper.question(item.question_id).question)

    def _put(self, item: Item, field: str, text: str) -> None:
        form = self._form(item)
        if field in form.fields:
            told = typed_lines.sent_for(text, form.texts) if form.mode is AnswerMode.MATCH else text
            self._do(item, Wrote(item.question_id, field, told))
        elif form.fields:
            self._io.say(f"There is no number {field}. The numbers are {', '.join(form.fields)}.")
        else:
            self._io.say(why_read_only(item, form))

    def _do(self, item: Item, event: UserEvent) -> None:
        self._keeper.do(event)
        self._confirm(item.question_id)

    async def _command(self, command: Command, item: Item) -> None:
        match command.order:
            case Order.READ:
                self._show(item, again=True)
            case Order.OPTIONS:
                form = self._form(item)
                self._io.say(*sentences.options(item, form), sentences.chosen(item, form))
            case Order.MARK:
                self._do(item, Marked(item.question_id))
            case Order.CLEAR:
                self._do(item, Cleared(item.question_id))
            case Order.UNDO:
                self._undo()
            case Order.CALC:
                await self._calculate(command.text, item)
            case Order.HIGHLIGHT:
                self._io.say(*self._own.highlight(item, command.text))
            case Order.NOTE | Order.SCRATCH:
                self._io.say(*self._own.read(command.order, item))
            case Order.NEXT | Order.PREVIOUS | Order.GO | Order.UNANSWERED:
                self._move(command)
            case _:
                await self._command_of_exam(command.order)

    async def _command_of_exam(self, order: Order) -> None:
        session = self._keeper.session
        match order:
            case Order.TIME:
                left, whole = self._keeper.time_left(), seconds_of(self._keeper.exam, session)
                self._io.say(self._time(), *filter(None, [pace_words(pace(session, whole, left, 0))]))
            case Order.SAVED:
                self._io.say(*sentences.saved(session, self._keeper.silence()))
            case Order.OVERVIEW:
                noted = [item.number for item in session.items if self._own.noted(item)]
                self._io.say(*sentences.overview(session, noted))
            case Order.SHEET:
                await self._aids.read()
                self._io.say(*sentences.sheet(self._aids.known))
            case Order.SECTION:
                await self._end_section(session)
            case Order.SIGN_IN:
                await self._sign_in()
            case Order.END:
                await self._end()
            case Order.QUIT:
                self._leaving = True
                self._io.say("Your answers are saved on this computer. You can resume the exam.")
            case _:
                item = session.item
                how = typed_lines.how_to_answer(item.kind, len(self._form(item).choices))
                self._io.say(how, *sentences.commands())

    def _move(self, command: Command) -> None:
        session = self._keeper.session
        match command.order:
            case Order.GO:
                found = session.place_of(command.number)
                if found is None:
                    numbers = f"The questions are {session.first_number} to {session.last_number}."
                    self._io.say(f"{present.no_question(session, command.number)} {numbers}")
                else:
                    self._visit(found)
            case Order.UNANSWERED:
                found = session.next_unanswered()
                if found is None:
                    self._io.say(present.all_answered(session))
                else:
                    self._visit(found)
            case order:
                place = session.current + (1 if order is Order.NEXT else -1)
                if 0 <= place < len(session.items):
                    self._visit(place)
                else:
                    self._io.say(f"This is the {'last' if place > 0 else 'first'} question.")

    def _visit(self, place: int) -> None:
        session = self._keeper.session
        item = session.items[place]
        if session.locked and item.section != session.running_section:
            self._io.say(f"Question {item.number} is in a section that has ended. You cannot change its answer.")
        self._keeper.do(Visited(item.question_id))
        self._show(item)

    async def _calculate(self, text: str, item: Item) -> None:
        desk = self._keeper.desk
        sums = Calculations.from_text(desk.text(CALCULATOR))
        form = self._form(item)
        if text.casefold() != "answer":
            await self._aids.read()
            sums, said = calculating.reply(sums, text, self._aids.scope)
            desk.keep(CALCULATOR, sums.to_text())
            self._io.say(*said)
        elif form.mode is AnswerMode.LINE and sums.result:
            self._do(item, Wrote(item.question_id, form.fields[0], sums.result))
        else:
            self._io.say(calculating.no_answer(sums))

    def _undo(self) -> None:
        before = self._keeper.session
        self._keeper.do(Undone())
        if self._keeper.session is before:
            self._io.say("There is nothing to undo.")
        else:
            self._confirm(self._keeper.session.item.question_id)

    def _show(self, item: Item, *, again: bool = False) -> None:
        """Read a question. `again`: with its passage, also where that was read last."""
        self._keeper.do(Visited(item.question_id))
        session = self._keeper.session
        item = session.items[session.places[item.question_id]]
        asked = self._keeper.question(item.question_id)
        passage = self._passages.before(asked.question.direction, again=again)
        self._io.say("", *sentences.question(session, item, asked, passage), *self._own.remarks(item))

    def _confirm(self, question_id: int) -> None:
        session = self._keeper.session
        form = self._form(session.items[session.places[question_id]])
        self._io.say(sentences.confirmation(session, question_id, form))

    def _time(self) -> str:
        return sentences.time(self._keeper.time_left())

    async def _write(self, item: Item) -> None:
        """Read the lines of an essay. Each line is saved when it is typed."""
        text = item.answer.essay_text or ""
        if text:
            self._io.say("So far:", *clean(text).split("\n"))
        self._io.say("Write. A line with only a full stop finishes.")
        while (line := await self._ask("", indented=True)) is not None and line.strip() != ".":
            text = f"{text}\n{line}" if text else line
            self._keeper.do(Wrote(item.question_id, "essay_text", text))
        self._confirm(item.question_id)

    async def _end(self) -> None:
        lines = ending.end_lines(self._keeper.session)
        self._io.say("; ".join(f"{count} {clean_line(label)}" for count, label in lines) + ".")
        if (await self._ask("Type yes to end the exam, anything else to continue: ") or "").casefold() == "yes":
            self._keeper.do(EndAsked())
        elif self._keeper.session.editable:
            self._io.say("The exam continues.")

    async def _end_section(self, session: Session) -> None:
        if session.all_open:
            self._io.say(ending.ALL_OPEN)
        elif not session.more_sections:
            self._io.say("There is no section after this one.")
        elif not session.preemptive:
            self._io.say("This section ends with its time, not before.")
        elif (await self._ask("Type yes to end this section. You cannot return to it: ") or "").casefold() == "yes":
            self._keeper.do(EndAsked(Goal.SECTION))

    async def _wait_for_the_end(self) -> None:
        """Wait until everything is sent. The user can leave meanwhile."""
        session = self._keeper.session
        notice = present.notice(session, present.tally(session), self._keeper.silence())
        if notice is not None:
            self._io.say(notice.text.replace("(ctrl+r)", "(type sign in)"))
        turned = self._turned
        with anyio.move_on_after(_PATIENCE):
            await turned.wait()
            self._begin_again()
            return
        line = await self._ask("Sending. Wait, or type quit to leave, or sign in: ")
        if line is None:
            self._begin_again()
            return
        match typed_lines.understood(line, kind="", options=0):
            case Command(order=Order.QUIT):
                await self._command_of_exam(Order.QUIT)
            case Command(order=Order.SIGN_IN):
                await self._sign_in()
            case _:
                self._keeper.retry()

    def _begin_again(self) -> None:
        if self._keeper.session.phase is Phase.RUNNING:
            self._io.say("The next section has started.", self._time())
            self._show(self._keeper.session.item)

    async def _sign_in(self) -> None:
        password = await self._io.ask("Password: ", secret=True)
        if not password:
            return
        try:
            await self._lms.sign_in_again(password)
        except ApiError as error:
            self._io.say(error_message(error).text)
            return
        self._keeper.retry()
        self._io.say("Signed in. Sending continues.")
