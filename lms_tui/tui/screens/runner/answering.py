"""The side of the board on which answers are written: which field is looked at, and what stands in it."""

from abc import abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING

from textual.containers import Vertical

from lms_tui.attempt.values import Item
from lms_tui.tui.screens.runner.layout_cache import LayoutCache
from lms_tui.tui.widgets.answer_editor import AnswerEditor, LeftField
from lms_tui.views import answers
from lms_tui.views.answers import AnswerForm, AnswerMode
from lms_tui.views.glyphs import UNICODE, Glyphs
from lms_tui.views.question_layout import GapTexts
from lms_tui.wire.question_types import QuestionType, label_of

if TYPE_CHECKING:
    from lms_tui.attempt.events import Wrote
    from lms_tui.attempt.keeper import Keeper
    from lms_tui.attempt.session import Session

_NARROW = 60
KeyOf = Callable[[str], str]
"""The key of a command as people read it, by the command's id: as declared, or as settings replaced it."""


class AnswerSide(Vertical):
    """`cursors`: by question the place of the option, gap or left side that is highlighted."""

    def __init__(
        self, keeper: "Keeper", layouts: LayoutCache, *, glyphs: Glyphs, key_of: KeyOf, left_field: LeftField
    ) -> None:
        super().__init__(id="board")
        self._keeper = keeper
        self._layouts = layouts
        self._glyphs = glyphs
        self._key_of = key_of
        self._cursors: dict[int, int] = {}
        self._draft: tuple[int, str, str] | None = None
        self.editor = AnswerEditor(left_field, plain=glyphs is not UNICODE)

    @abstractmethod
    def _lay_again(self, session: "Session") -> None:
        """Show the text of the question with what stands in its gaps now."""

    @property
    def write_key(self) -> str:
        return self._key_of("pick")

    @property
    def form(self) -> AnswerForm:
        """How the question on the screen is answered."""
        return self._layouts.form(self._keeper.session.item)

    def field_of(self, item: Item) -> int:
        """Place of the field that is looked at."""
        return max(0, min(self._cursors.get(item.question_id, 0), len(self._layouts.form(item).fields) - 1))

    @property
    def field(self) -> str:
        """Name of the field that is looked at, "" where the question on the screen has none."""
        item = self._keeper.session.item
        fields = self._layouts.form(item).fields
        return fields[0 if self.form.mode is AnswerMode.ESSAY else self.field_of(item)] if fields else ""

    def filling(self, item: Item) -> GapTexts | None:
        """What stands in the gaps of a question that has gaps, also while it is being written."""
        form = self._layouts.form(item)
        if form.mode is not AnswerMode.GAPS:
            return None
        texts = tuple((int(field), self._written(item, field)) for field in form.fields)
        return GapTexts(tuple(entry for entry in texts if entry[1]), int(form.fields[self.field_of(item)]))

    def _written(self, item: Item, field: str) -> str:
        """The text of a field: as it is being written, else as it was kept."""
        if self._draft is not None and self._draft[:2] == (item.question_id, field):
            return self._draft[2]
        return answers.written(item.answer, field)

    def draft(self, event: "Wrote | None") -> None:
        """Show what is being written before it is kept; None: it has been."""
        session = self._keeper.session
        self._draft = None if event is None else (event.question_id, event.field, event.text)
        if event is not None and event.question_id == session.item.question_id and self.form.mode is AnswerMode.GAPS:
            self._lay_again(session)
        if self.form.writes:
            self._describe_editor(session)

    def show_editor(self, session: "Session") -> None:
        """Show the field that is looked at with what stands in it."""
        item, form = session.item, self.form
        if not form.writes:
            return
        closed = not session.open_to_change(item)
        hint = "" if closed else f"{self.write_key}: write"
        whose = (item.question_id, self.field)
        self.editor.show(
            whose, self._written(item, self.field), essay=form.mode is AnswerMode.ESSAY, hint=hint, closed=closed
        )
        self._describe_editor(session)

    def _describe_editor(self, session: "Session") -> None:
        item, form = session.item, self.form
        text = self._written(item, self.field)
        title = "Your answer"
        if form.mode is AnswerMode.GAPS:
            title = f"Gap {self.field}" + (f" of {len(form.fields)}" if len(form.fields) > 1 else "")
        elif label := label_of(item.kind):
            title += f" {self._glyphs.dot} {label}"
        wrong = answers.number_trouble(text) if item.kind == QuestionType.NUMERIC and not self.editor.writing else ""
        length = answers.length_words(text, short=self.size.width < _NARROW) if form.mode is AnswerMode.ESSAY else ""
        foot = f" {self._glyphs.dot} ".join(word for word in (wrong, length, self._kept(item, text)) if word)
        self.editor.say(title, foot, wrong=bool(wrong))

    def _kept(self, item: Item, text: str) -> str:
        """Whether what stands in the field is durable; nothing where nobody writes."""
        if self._draft is not None or item.here < item.latest:
            return "not kept yet"
        return "kept" if text and self.editor.writing else ""
