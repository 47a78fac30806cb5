"""Which question is on the screen."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual import on
from textual.events import Key

from lms_tui.attempt.events import Visited
from lms_tui.tui.screens.base import CommandScreen
from lms_tui.tui.screens.runner.parts import BottomLine, SectionsLine
from lms_tui.tui.widgets.palette import PaletteView
from lms_tui.views import runner as present

if TYPE_CHECKING:
    from lms_tui.attempt.keeper import Keeper
    from lms_tui.tui.screens.runner.announcer import Announcer
    from lms_tui.tui.screens.runner.answer_fields import KeyOf


class MoveCommands(CommandScreen[str]):
    """The exam screen is this class with the commands of the attempt."""

    _keeper: "Keeper"
    _announcer: "Announcer"
    _navigation: "Navigation"

    @on(BottomLine.Clicked)
    async def _hint_clicked(self, message: BottomLine.Clicked) -> None:
        hint = message.hint
        if hint is None:
            self._navigation.type_number(None)
            self._announcer.acknowledge()
        elif hint.press:
            self.app.post_message(Key(hint.press, None))
        else:
            await self.run_action(hint.action)

    def action_explain_choice(self) -> None:
        self._announcer.say("Click an option, or press its letter.")

    def action_next_question(self) -> None:
        self._navigation.step(1)

    def action_previous_question(self) -> None:
        self._navigation.step(-1)

    def action_next_unanswered(self) -> None:
        self._navigation.next_unanswered()

    def action_previous_unanswered(self) -> None:
        self._navigation.next_unanswered(backwards=True)

    def action_next_marked(self) -> None:
        self._navigation.next_marked()

    def action_previous_marked(self) -> None:
        self._navigation.next_marked(backwards=True)

    @on(SectionsLine.Clicked)
    async def _section_clicked(self, message: SectionsLine.Clicked) -> None:
        session = self._keeper.session
        why = present.why_closed(session, message.place)
        if not why:
            self._navigation.visit_section(message.place)
        elif session.preemptive and session.running_section == message.place - 1:
            await self.run_action("screen.end_section")
        else:
            self._announcer.say(why)

    @on(PaletteView.CellClicked)
    def _cell_clicked(self, message: PaletteView.CellClicked) -> None:
        self._navigation.visit(message.place)


class Navigation:
    """`leave`: saves what is being typed. `moved`: called after each visit. `prompt`: shows the number being typed.

    `key_of`: the key of a command.
    """

    def __init__(
        self,
        keeper: "Keeper",
        announcer: "Announcer",
        *,
        leave: Callable[[], None],
        moved: Callable[[], None],
        prompt: Callable[[str | None], None],
        key_of: "KeyOf",
    ) -> None:
        self._keeper = keeper
        self._announcer = announcer
        self._leave = leave
        self._moved = moved
        self._prompt = prompt
        self._key_of = key_of
        self._typed: str | None = None

    @property
    def typing(self) -> bool:
        """Whether the number of a question is being typed."""
        return self._typed is not None

    def visit(self, index: int) -> None:
        self.type_number(None)
        self._leave()
        session = self._keeper.session
        if 0 <= index < len(session.items):
            self._keeper.do(Visited(session.items[index].question_id))
        self._moved()

    def visit_section(self, section: int) -> None:
        """Go to the first question of a section."""
        items = self._keeper.session.items
        self.visit(next(index for index, item in enumerate(items) if item.section == section))

    def step(self, steps: int) -> None:
        session = self._keeper.session
        place = session.current + steps
        self.visit(place)
        if not 0 <= place < len(session.items):
            end_key, section_key = self._key_of("end"), self._key_of("end_section")
            self._announcer.say(
                *present.no_further(session, forward=steps > 0, end_key=end_key, section_key=section_key)
            )

    def next_unanswered(self, *, backwards: bool = False) -> None:
        session = self._keeper.session
        self._seek(session.next_unanswered(backwards=backwards), present.all_answered(session))

    def next_marked(self, *, backwards: bool = False) -> None:
        self._seek(self._keeper.session.next_marked(backwards=backwards), "No question is marked for review.")

    def _seek(self, index: int | None, otherwise: str) -> None:
        if index is None:
            self._announcer.say(otherwise)
        else:
            self.visit(index)

    # The number of a question.

    def type_number(self, typed: str | None = "") -> None:
        """Ask for the number of a question, or stop asking with None."""
        self._typed = typed
        count = len(self._keeper.session.items)
        self._prompt(None if typed is None else f"Go to question (1-{count}), then enter: {typed}")

    def handle_key(self, event: Key) -> None:
        """Handle a key while `typing`."""
        typed = self._typed or ""
        if event.character and event.character.isdigit():
            self.type_number(typed + event.character)
        elif event.key == "backspace" and typed:
            self.type_number(typed[:-1])
        else:
            self.type_number(None)
            if event.key == "enter" and typed:
                self._go_to(int(typed))

    def _go_to(self, number: int) -> None:
        session = self._keeper.session
        self._seek(session.place_of(number), present.no_question(session, number))
