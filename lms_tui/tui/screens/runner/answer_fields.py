"""The fields of the question on the screen: which one is highlighted, and what is written in it."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from lms_tui.attempt.values import Item
from lms_tui.tui.screens.runner.layout_cache import LayoutCache
from lms_tui.tui.widgets.answer_editor import AnswerEditor
from lms_tui.tui.widgets.files_box import FilesBox
from lms_tui.tui.widgets.question import QuestionState
from lms_tui.views import answers
from lms_tui.views import files as file_words
from lms_tui.views import runner as present
from lms_tui.views.answers import AnswerForm, AnswerMode
from lms_tui.views.glyphs import Glyphs
from lms_tui.views.question_layout import GapTexts
from lms_tui.wire.question_types import QuestionType, label_of

if TYPE_CHECKING:
    from lms_tui.attempt.events import Wrote
    from lms_tui.attempt.keeper import Keeper
    from lms_tui.attempt.session import Session

_TOLD: Final = frozenset(QuestionType) - {QuestionType.SINGLE}
"""Types that the title of a question names."""
KeyOf = Callable[[str], str]
"""Returns the key of a command id, as settings may have replaced it."""


class AnswerFields:
    """Owns the highlighted option, gap or row of each question, and the text that is not saved yet."""

    def __init__(
        self,
        keeper: "Keeper",
        layouts: LayoutCache,
        editor: AnswerEditor,
        files: FilesBox,
        *,
        glyphs: Glyphs,
        write_key: str,
        local: bool,
    ) -> None:
        self._local = local
        self.files = files
        self._commanded = -1
        self._keeper = keeper
        self._layouts = layouts
        self._glyphs = glyphs
        self._cursors: dict[int, int] = {}
        self._draft: tuple[int, str, str] | None = None
        self.editor = editor
        self.write_key = write_key

    @property
    def form(self) -> AnswerForm:
        """How the question on the screen is answered."""
        return self._layouts.form(self._keeper.session.item)

    # Letters.

    @property
    def take_letters(self) -> bool:
        """Whether a letter begins an answer. Else it is a command."""
        session = self._keeper.session
        if not session.items or session.item.question_id == self._commanded:
            return False
        words = self.form.writes and session.item.kind != QuestionType.NUMERIC
        return words and session.open_to_change(session.item)

    def command_by_letters(self) -> None:
        """Let letters be commands until another question is on the screen."""
        self._commanded = self._keeper.session.item.question_id

    def arrive(self) -> None:
        """Another question is on the screen."""
        self._commanded = -1

    @property
    def cursor(self) -> int:
        """Index of the highlighted option, gap or row of the question on the screen, -1 for none."""
        return self.cursor_of(self._keeper.session.item)

    def cursor_of(self, item: Item) -> int:
        first = 0 if self._layouts.form(item).mode in {AnswerMode.MATCH, AnswerMode.GAPS} else -1
        return self._cursors.get(item.question_id, first)

    def move_cursor(self, index: int) -> None:
        """Highlight an option, gap or row. The widgets repaints it with the next snapshot or `refresh_answer`."""
        self._cursors[self._keeper.session.item.question_id] = index

    def field_index(self, item: Item) -> int:
        return max(0, min(self._cursors.get(item.question_id, 0), len(self._layouts.form(item).fields) - 1))

    @property
    def at_last_gap(self) -> bool:
        """Whether the highlighted field of the question on the screen is its last one."""
        return self.field_index(self._keeper.session.item) >= len(self.form.fields) - 1

    @property
    def field(self) -> str:
        """Name of the highlighted field, "" for a question without fields."""
        item, form = self._keeper.session.item, self.form
        if not form.fields:
            return ""
        return form.fields[0 if form.mode is AnswerMode.ESSAY else self.field_index(item)]

    def gap_texts(self, item: Item) -> GapTexts | None:
        """Return the texts in the gaps of a question, also text that is not saved yet, or None without gaps."""
        form = self._layouts.form(item)
        if form.mode is not AnswerMode.GAPS:
            return None
        texts = tuple((int(field), self._text_of(item, field)) for field in form.fields)
        return GapTexts(tuple(entry for entry in texts if entry[1]), int(form.fields[self.field_index(item)]))

    def _text_of(self, item: Item, field: str) -> str:
        if self._draft is not None and self._draft[:2] == (item.question_id, field):
            return self._draft[2]
        return answers.written(item.answer, field)

    def hold(self, draft: "Wrote | None") -> None:
        """Take the text that is being typed, or None once it is saved."""
        self._draft = None if draft is None else (draft.question_id, draft.field, draft.text)

    # The editor.

    def state(self, session: "Session", *, marks: str, noted: bool, switch_key: str) -> QuestionState:
        """Return what is shown of the answer to the question on the screen, and its title."""
        item = session.item
        form = self._layouts.form(item)
        closed = not session.open_to_change(item)
        kind = f" {self._glyphs.dot} {label_of(item.kind)}" if item.kind in _TOLD else ""
        return QuestionState(
            chosen=answers.chosen_of(form, item),
            struck=frozenset(place for place, option in enumerate(item.options) if option in item.struck),
            cursor=-1 if form.mode is AnswerMode.GAPS else self.cursor_of(item),
            closed=closed,
            title=f"Question {item.number} of {session.size}{kind}",
            marked=item.answer.marked,
            noted=noted,
            marks=marks,
            note=present.note(item, "" if closed else switch_key),
            matched=answers.matched_of(form, item.answer) if form.mode is AnswerMode.MATCH else (),
        )

    def fit(self, rows: int) -> None:
        """Give the editor or the box of files so many rows. It is hidden without any."""
        files = self.form.mode is AnswerMode.FILES
        self.editor.display, self.files.display = bool(rows) and not files, bool(rows) and files
        if rows:
            (self.files if files else self.editor).styles.height = rows

    def show(self, session: "Session", *, narrow: bool) -> None:
        """Show the text of the highlighted field in the editor, or the files in their box."""
        item, form = session.item, self.form
        if form.mode is AnswerMode.FILES:
            self._show_files(item)
        if not form.writes:
            return
        closed = not session.open_to_change(item)
        hint = "" if closed else "Type your answer" if self.take_letters else f"{self.write_key}: write"
        text = self._text_of(item, self.field)
        essay = form.mode is AnswerMode.ESSAY
        self.editor.show((item.question_id, self.field), text, essay=essay, hint=hint, closed=closed)
        self.describe(session, narrow=narrow)

    def _show_files(self, item: Item) -> None:
        files, dot = self._keeper.files, self._glyphs.dot
        accepted = files.accepted(item.question_id)
        title = "Your files" if accepted is None else file_words.accepted(*accepted, f" {dot} ")
        lines = list(file_words.lines(item, files.received, self._glyphs) or present.given_text(item))
        if reason := file_words.why_none(files, item.question_id, local=self._local):
            lines.append(reason)
        self.files.say(title, "\n".join(lines or [f"No file yet. Press {self.write_key} to add one."]))

    def describe(self, session: "Session", *, narrow: bool) -> None:
        """Write the name of the field, its faults and whether it is saved into the editor's border."""
        item, form = session.item, self.form
        text = self._text_of(item, self.field)
        title = "Your answer"
        if form.mode is AnswerMode.GAPS:
            title = f"Gap {self.field}" + (f" of {len(form.fields)}" if len(form.fields) > 1 else "")
        elif label := label_of(item.kind):
            title += f" {self._glyphs.dot} {label}"
        wrong = answers.number_problem(text) if item.kind == QuestionType.NUMERIC and not self.editor.writing else ""
        # Each new word here paints the whole box: a count of every key would cost more than the key.
        kept = answers.written(item.answer, self.field)
        length = answers.length_words(kept, short=narrow) if form.mode is AnswerMode.ESSAY else ""
        foot = f" {self._glyphs.dot} ".join(word for word in (wrong, length, self._saved(item, text)) if word)
        self.editor.say(title, foot, wrong=bool(wrong))

    def _saved(self, item: Item, text: str) -> str:
        if self._draft is not None or item.here < item.latest:
            return "not saved yet"
        return "saved" if text and self.editor.writing else ""
