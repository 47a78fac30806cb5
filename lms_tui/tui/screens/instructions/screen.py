"""The instructions of an exam, with the key that starts it."""

from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from lms_tui.attempt.beginning import Beginning, exam_to_begin, running_of
from lms_tui.common.cleaning import clean_line
from lms_tui.tui import dialogs
from lms_tui.tui.commands import Where, bindings, commands_by_id
from lms_tui.tui.messages import AttemptAsked, AttemptNotShown
from lms_tui.tui.screens.base import CommandScreen
from lms_tui.tui.widgets.card import Card
from lms_tui.tui.widgets.command_bar import CommandBar
from lms_tui.tui.widgets.top_line import TopLine
from lms_tui.views import instructions as present
from lms_tui.views.error_messages import error_message
from lms_tui.wire.attempts import Attempt
from lms_tui.wire.errors import ApiError, Unreachable
from lms_tui.wire.exams import Exam

if TYPE_CHECKING:
    from lms_tui.client.port import Lms
    from lms_tui.views.first_pages import FirstExam

_KEYS: Final = (
    "choose",
    "pick",
    "next_question",
    "previous_question",
    "mark",
    "strike",
    "undo",
    "go_to",
    "next_unanswered",
    "end",
    "leave",
    "help",
)
"""The commands of the exam that the screen lists."""


class InstructionsScreen(CommandScreen[None]):
    WHERE = Where.INSTRUCTIONS
    CSS_PATH = "screen.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(WHERE), Binding("z", "enlarge_picture", show=False)]

    def __init__(self, lms: "Lms", slug: str, first: "FirstExam | None" = None, *, badge: str = "") -> None:
        """`first`: the requests for the exam that opens first, which may be another one."""
        super().__init__()
        self._lms = lms
        self._slug = slug
        self._early = first.take() if first is not None and first.slug == slug else None
        self._badge = badge
        self._exam: Exam | None = None
        self._attempts: list[Attempt] = []
        self._beginning = Beginning(lms.attempts, slug)
        self._busy = False
        self.replaceable = False
        """Set when the exam opens and replaces this screen."""

    def compose(self) -> ComposeResult:
        yield TopLine("Before you start", "", self._badge)
        with VerticalScroll(id="page"):
            yield Card("Instructions", glyphs=self.glyphs, id="instructions")
            yield Card("Keys", partial(present.key_rows, self._keys()), glyphs=self.glyphs, id="keys")
        yield Static("", id="status", markup=False)
        yield self.command_bar()

    def on_mount(self) -> None:
        self.query_one("#page").focus()
        self.action_retry()

    def _keys(self) -> list[tuple[str, str]]:
        known = commands_by_id(Where.RUNNER)
        keys = {name: known[name].first_key(self.keymap) for name in _KEYS}
        keys["choose"] = self._in_words(f"{keys['choose']} · 1-{len(known['choose'].variants)}")
        return [(keys[name], known[name].help) for name in _KEYS]

    def _aid_keys(self) -> present.AidKeys:
        known = commands_by_id(Where.RUNNER)
        calculator, sheet = (known[name].first_key(self.keymap) for name in ("calculator", "reference_sheet"))
        return present.AidKeys(calculator=f"press {calculator}", sheet=f"press {sheet}")

    def action_enlarge_picture(self) -> None:
        """Show the pictures of the description."""
        from lms_tui.tui.screens.picture.opening import open_pictures  # noqa: PLC0415 - when first asked for

        texts = [self._exam.description] if self._exam is not None else []
        open_pictures(self.app, texts, lambda text, _: self.notify(text, timeout=3, markup=False))

    # Loading the instructions.

    def action_retry(self) -> None:
        if self._exam is None:
            self.query_one("#instructions", Card).say("Loading …")
            self._read()

    @work(name="load", group="load", exclusive=True)
    async def _read(self) -> None:
        early, self._early = self._early, None
        try:
            exam, attempts = await (early or exam_to_begin(self._lms.exams, self._lms.attempts, self._slug))
        except ApiError as error:
            told = error_message(error, retry=f"Press {self.key_of('retry')} to try again.")
            self._say(f"! {told.what} {told.advice}", wrong=True)
            self.query_one("#instructions", Card).say("The instructions could not be loaded.")
            self.query_one(CommandBar).hide("start")
            return
        self._exam, self._attempts = exam, attempts
        self.query_one(CommandBar).hide()
        title = clean_line(exam.title) or self._slug
        self.query_one(TopLine).show(title)
        rows = partial(present.instruction_rows, exam, self._aid_keys(), attempts)
        self.query_one("#instructions", Card).show(title, rows)
        self._invite()

    @property
    def _begun(self) -> Attempt | None:
        return running_of(self._attempts)

    def _invite(self) -> None:
        """Say what the key does now, with the same verb in the last line."""
        self._say(self._invitation())
        words = "continue the exam" if self._begun is not None else "start the exam"
        self.query_one(CommandBar).label("start", words)

    def _invitation(self) -> str:
        key = self.key_of("start")
        if self._begun is not None:
            return f"Already started. Press {key} to continue."
        timed = self._exam is not None and self._exam.duration
        return f"Press {key} to start. The clock starts at once." if timed else f"Press {key} to start."

    def _say(self, text: str, *, wrong: bool = False) -> None:
        status = self.query_one("#status", Static)
        status.update(Content(text))
        status.set_class(wrong, "-wrong")

    # Starting.

    def action_start(self) -> None:
        if self._exam is None or self._busy:
            return
        if (running := self._begun) is not None:
            self._sit(running)
            return
        self._busy = True
        self._say("Starting …")
        self._begin()

    @work(name="start", group="start", exclusive=True)
    async def _begin(self) -> None:
        try:
            code = await self._access_code()
            if code is None:
                self._invite()
                return
            self._sit(await self._beginning.begin(code))
        except Unreachable as error:
            if self._beginning.unsure:
                again = f"The exam may have started. Press {self.key_of('start')} to check."
                self._say(f"! {error_message(error).what} {again}", wrong=True)
            else:
                told = error_message(
                    error, retry=f"The exam was not started. Press {self.key_of('start')} to try again."
                )
                self._say(f"! {told.what} {told.advice}", wrong=True)
        except ApiError as error:
            told = error_message(error)
            self._say(f"! {told.what} {told.advice}", wrong=True)
        finally:
            self._busy = False

    async def _access_code(self) -> str | None:
        """Ask for the access code, if the exam has one. Return None if the person cancels."""
        if not present.asks_for_code(self._exam):
            return ""
        return await dialogs.ask_text(
            self.app, "Access code", present.CODE_WANTED, check=lambda text: "" if text else "Type the code."
        )

    def _sit(self, attempt: Attempt) -> None:
        title = attempt.exam.title or (self._exam.title if self._exam else "")
        self._attempts = [attempt, *(known for known in self._attempts if known.id != attempt.id)]
        self.replaceable = True
        self._say("Opening the exam …")
        self.app.post_message(AttemptAsked(attempt.id, clean_line(title)))

    @on(AttemptNotShown)
    def _offer_again(self) -> None:
        """Offer to continue an exam that was started but could not be opened."""
        self._invite()
