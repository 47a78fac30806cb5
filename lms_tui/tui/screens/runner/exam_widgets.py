"""The widgets of the exam screen. A new session goes in, and only what it changed is painted."""

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.geometry import Size

from lms_tui.attempt.desk import note_of
from lms_tui.attempt.values import Item
from lms_tui.common.settings import Runner
from lms_tui.content.images import following
from lms_tui.content.model import MathsStyle
from lms_tui.tui.screens.runner.answer_fields import AnswerFields, KeyOf
from lms_tui.tui.screens.runner.aside import Aside
from lms_tui.tui.screens.runner.last_minutes import LastMinutes
from lms_tui.tui.screens.runner.layout_cache import Key, LayoutCache, near
from lms_tui.tui.screens.runner.line_focus import LineFocus
from lms_tui.tui.screens.runner.pacing import PaceLine
from lms_tui.tui.screens.runner.parts import BottomLine, TooSmall
from lms_tui.tui.screens.runner.plan import LINES_FROM, NEAR_FROM, PALETTE_FROM, SMALLEST, Plan, plan
from lms_tui.tui.screens.runner.question_cells import QuestionCells
from lms_tui.tui.screens.runner.status_lines import StatusLines
from lms_tui.tui.screens.runner.text_marks import TextMarks
from lms_tui.tui.widgets.answer_editor import AnswerEditor, LeftField
from lms_tui.tui.widgets.document import DocumentView
from lms_tui.tui.widgets.drawn import Drawn
from lms_tui.tui.widgets.files_box import FilesBox
from lms_tui.tui.widgets.note_panel import NotePanel
from lms_tui.tui.widgets.palette import PaletteView
from lms_tui.tui.widgets.question import QuestionState, QuestionView
from lms_tui.views import runner as present
from lms_tui.views.answers import AnswerMode
from lms_tui.views.glyphs import UNICODE, Glyphs
from lms_tui.views.question_layout import Passage, QuestionLayout, passage_of

if TYPE_CHECKING:
    from lms_tui.attempt.events import Wrote
    from lms_tui.attempt.keeper import Keeper
    from lms_tui.attempt.session import Session
    from lms_tui.wire.attempts import AttemptQuestionBody

_NARROW = 60
_STYLES = (MathsStyle.TWO_DIMENSIONAL, MathsStyle.LINE, MathsStyle.SOURCE, MathsStyle.WORDS)


class _Across(Horizontal):
    """Widgets side by side that leave no cell free. Textual would compose each row behind them again for each paint."""

    BLANK = True


class _Column(Vertical):
    """Widgets one below the other that leave no cell free."""

    BLANK = True


class ExamWidgets(_Column):
    """Owns the widgets and never changes the session. Call `paint` with each new session."""

    def __init__(
        self,
        keeper: "Keeper",
        *,
        glyphs: Glyphs,
        style: MathsStyle,
        settings: Runner,
        local: bool,
        badge: str,
        marks: str,
        bottom: BottomLine,
        key_of: KeyOf,
        key_beside_text: KeyOf,
        left_field: LeftField,
        left_note: LeftField,
    ) -> None:
        super().__init__(id="widgets")
        self._keeper = keeper
        self._glyphs = glyphs
        self._key_of = key_of
        self._key_beside_text = key_beside_text
        self._layouts = LayoutCache(
            self._body, passage_key=lambda form: (key_beside_text if form.writes else key_of)("read_passage")
        )
        editor = AnswerEditor(left_field, plain=glyphs is not UNICODE)
        files = FilesBox(plain=glyphs is not UNICODE)
        self.fields = AnswerFields(
            keeper, self._layouts, editor, files, glyphs=glyphs, write_key=key_of("pick"), local=local
        )
        self._marks = marks
        self.style = style
        self._session: Session | None = None
        self._tops: dict[int, int] = {}
        self._unfolded = False
        self.counts = present.Tally()
        self._planned: Plan | None = None
        self._noticed_for = 1
        self._painted_for: Size | None = None
        self._arranged_for: Size | None = None
        self.status = StatusLines(keeper, bottom, glyphs=glyphs, badge=badge, clock_hidden=not settings.show_clock)
        self.last_minutes = LastMinutes(settings.time_signal)
        self.pace = PaceLine(keeper, plain=glyphs is not UNICODE, wanted=settings.pace_line)
        self._passage = DocumentView(title="Passage", style=style, glyphs=glyphs, id="passage")
        self._question = QuestionView(glyphs=glyphs)
        self.line_focus = LineFocus(self._passage, self._question, keeper.desk)
        self.text_marks = TextMarks(keeper, self._passage, self._question)
        self._palette = PaletteView(glyphs=glyphs)
        self.cells = QuestionCells(self._palette, lambda question: bool(keeper.desk.text(note_of(question))))
        self.aside = Aside(self._palette, NotePanel(left_note, plain=glyphs is not UNICODE))
        self._below_answer = Drawn(id="below-answer")
        self._bottom = bottom

    def compose(self) -> ComposeResult:
        self._arrange()
        yield self.status.head()
        yield self.status.sections
        yield self.pace
        yield self.last_minutes
        yield self.status.notice
        with _Across(id="body"):
            yield self._passage
            with _Column(id="answering") as self._answering:
                yield self._question
                yield self.fields.editor
                yield self.fields.files
                yield self._below_answer
            yield self.aside
        yield self._bottom
        yield TooSmall(id="too-small")

    # The window.

    @property
    def area(self) -> Size:
        """The size of the widgets, or of the terminal before the widgets has one."""
        return self.size or self.app.size

    @property
    def _narrow(self) -> bool:
        return self.size.width < _NARROW

    def on_mount(self) -> None:
        self.paint(self._keeper.session)

    def on_resize(self) -> None:
        # A session may be painted between the new size and this event. The widgets are not arranged for it then.
        if not self._painted_for == self._arranged_for == self.area:
            self._arrange(resized=True)
            self._session = None
            self.paint(self._keeper.session)

    def _arrange(self, *, resized: bool = False) -> None:
        size = self._arranged_for = self.area
        self.set_class(size.width < SMALLEST.width or size.height < SMALLEST.height, "-too-small")
        self.set_class(size.height >= LINES_FROM, "-lines")
        self.set_class(size.width >= _NARROW, "-roomy")
        self.set_class(size.width >= PALETTE_FROM, "-wide")
        self.aside.fit_into(size, resized=resized)
        self.status.arrange(roomy=size.height >= LINES_FROM)
        self.pace.display = self.pace.wanted and size.height >= LINES_FROM and self.pace.now is not None

    def _plan(self, item: Item) -> Plan:
        passage = self._has_passage(item)
        sections, mode = len(self._keeper.session.sections) > 1, self._layouts.form(item).mode
        rows = {"banner": self.last_minutes.rows, "notice": self.status.notice.rows}
        return plan(self.area, sections=sections, passage=passage, mode=mode, pace=self.pace.display, **rows)

    def _has_passage(self, item: Item) -> bool:
        return bool((self._body(item.question_id).direction or "").strip())

    def _body(self, question_id: int) -> "AttemptQuestionBody":
        return self._keeper.question(question_id).question

    def _layout_of(self, item: Item) -> QuestionLayout:
        return self._layouts.get(*self._layout_key(item))

    def _layout_key(self, item: Item) -> Key:
        divided = self._plan(item)
        unfolded = self._unfolded or self.text_marks.unfolded(item)
        passage = Passage.BESIDE if divided.passage else Passage.UNFOLDED if unfolded else Passage.FOLDED
        gaps, numbered = self.fields.gap_texts(item), self.text_marks.numbered(item)
        return item, divided.inner, divided.rows, self.style, passage, gaps, numbered

    # Painting.

    def paint(self, session: "Session") -> None:
        """Show a session. Only what differs from the one before is painted."""
        before, self._session = self._session, session
        if not session.items:
            self._session = None
            return
        self._painted_for = self.area
        moved = before is None or before.item.question_id != session.item.question_id
        if moved:
            self._show_question(session)
        else:
            self._show_answer(session)
        self.counts = counts = present.tally(session)
        self._palette.use_key(self.key_of("filter_palette"))
        self.cells.paint(before, session, counts)
        if moved:
            self.status.show_place(session)
        self.status.sections.show(present.tabs(session))
        self.status.show(session, counts, self._key_of("reconnect"))

    def _show_question(self, session: "Session") -> None:
        item = session.item
        if self._session is not None and self._question.laid_out.question_id >= 0:
            self._tops[self._question.laid_out.question_id] = self._question.top
        layout = self._layout_of(item)
        self._noticed_for = self.status.notice.rows
        divided = self._divide(item, layout)
        if divided.passage and (document := passage_of(self._body(item.question_id))) is not None:
            numbered = self.text_marks.numbered(item)
            self._passage.show(document, title="Passage", style=self.style, numbered=numbered)
        moved = self._question.laid_out.question_id != item.question_id
        self._question.show(layout, self._question_state(session), top=self._tops.get(item.question_id, 0))
        self.text_marks.paint()
        if self.line_focus.rows:
            self.call_after_refresh(self.line_focus.arrive if moved else self.line_focus.apply)
        self.fields.show(session, narrow=self._narrow)
        if self._missing() is not None:
            self.set_timer(0.01, self._warm)

    def _divide(self, item: Item, layout: QuestionLayout) -> Plan:
        """Divide the window for the question, and give the widgets their sizes."""
        divided = self._plan(item)
        if self.fields.form.mode is AnswerMode.ESSAY:
            divided = divided.grown(len(layout.rows))
        elif divided.editor and self.area.height >= NEAR_FROM:
            divided = divided.closed_up(len(layout.rows))
        if self._planned != divided:
            self._planned = divided
            self._answering.styles.width = divided.question
            self._passage.display = bool(divided.passage)
            if divided.passage:
                self._passage.styles.width = divided.passage
            self._question.styles.height = divided.rows + 2 if divided.free else "1fr"
            self._below_answer.display = bool(divided.free)
            self.fields.fit(divided.editor)
        return divided

    def _show_answer(self, session: "Session") -> None:
        """Paint the answer of a question that is on the screen already."""
        if self._layouts.form(session.item).writes:
            self._lay_out_again(session)
        self.fields.show(session, narrow=self._narrow)
        self._question.update_state(self._question_state(session))

    def _lay_out_again(self, session: "Session") -> None:
        """Show the texts in the gaps of a question."""
        shown = self._layout_of(session.item)
        if shown is not self._question.laid_out:
            self._divide(session.item, shown)
            self._question.show(shown, self._question_state(session), top=self._question.top)

    def switch_pace(self) -> None:
        """Show or hide the pace."""
        self.pace.wanted = not self.pace.wanted
        self._arrange()
        self.pace.paint()
        self._show_again(top=self._question.top)

    def tick(self) -> None:
        """Paint the clock and the save light. Call once a second."""
        self.pace.tick()
        self.status.tick()
        self._show_last_minutes()
        self.status.show_clock(self.key_of("hide_clock"))
        self.status.show(self._keeper.session, self.counts, self._key_of("reconnect"))
        if self._noticed_for != self.status.notice.rows and self._keeper.session.items:
            self._show_again(top=self._question.top)

    def _show_last_minutes(self) -> None:
        session = self._keeper.session
        left = self._keeper.time_left() if session.editable else None
        room = self.has_class("-lines")
        if self.last_minutes.show(left, section=session.more_sections, room=room) and session.items:
            self._show_again(top=self._question.top)

    def key_of(self, identity: str) -> str:
        """The key of a command that works at the question on the screen."""
        return (self._key_beside_text if self.fields.take_letters else self._key_of)(identity)

    # The question on the screen.

    def _question_state(self, session: "Session") -> QuestionState:
        noted, switch_key = self.cells.noted(session.item.question_id), self.key_of("switch_answer")
        return self.fields.state(session, marks=self._marks, noted=noted, switch_key=switch_key)

    def refresh_answer(self) -> None:
        """Paint the answer of the question on the screen again."""
        self._show_answer(self._keeper.session)
        self._question.reveal(self.fields.cursor)

    def letters_changed(self) -> None:
        """Show the keys that work from now on."""
        self.refresh_answer()
        self._palette.use_key(self.key_of("filter_palette"))
        self.status.show_clock(self.key_of("hide_clock"))

    def highlight(self, index: int) -> None:
        """Highlight an option, gap or row of the question on the screen."""
        self.fields.move_cursor(index)
        self.refresh_answer()

    def show_draft(self, draft: "Wrote | None") -> None:
        """Show the text that is being typed, or None once it is saved."""
        session, form = self._keeper.session, self.fields.form
        self.fields.hold(draft)
        if draft is not None and draft.question_id == session.item.question_id and form.mode is AnswerMode.GAPS:
            self._lay_out_again(session)
        if form.writes:
            self.fields.describe(session, narrow=self._narrow)

    # Scrolling and styles.

    def scroll_pages(self, pages: int) -> None:
        if not self._question.scroll_pages(pages) and self._passage.display:
            self._passage.scroll_pages(pages)

    def scroll_rows(self, rows: int) -> None:
        self._question.scroll_rows(rows)

    def scroll_aside(self, steps: int) -> None:
        if not self._question.scroll_aside(steps) and self._passage.display:
            self._passage.scroll_aside(steps)

    def scroll_passage(self, rows: int) -> None:
        if not self.line_focus.move(rows):
            self._passage.scroll_rows(rows)

    def fold_passage(self) -> str:
        """Fold or unfold the passage. Return what to say if that changes nothing on the screen."""
        item = self._keeper.session.item
        if not self._has_passage(item):
            return "This question has no passage."
        if self._plan(item).passage:
            return "The passage is beside the question."
        before = self._layout_of(item).rows
        self._unfolded = not self._unfolded
        if self._layout_of(item).rows == before:
            self._unfolded = not self._unfolded
            return "The passage is shown in full."
        self._show_again(top=0)
        return ""

    def next_style(self) -> MathsStyle:
        self.style = following(self.style, _STYLES)
        self._show_again(top=self._question.top)
        return self.style

    def _show_again(self, top: int) -> None:
        session = self._keeper.session
        self._tops[session.item.question_id] = top
        self._show_question(session)

    def pictures_changed(self) -> None:
        """Lay out the question again: a picture has arrived."""
        self._layouts.forget()
        if self._keeper.session.items:
            self._show_again(top=self._question.top)

    def show_words(self) -> None:
        """Lay out the question again: its words got numbers, or marks."""
        self._show_again(top=self._question.top)

    @property
    def palette_shown(self) -> bool:
        return self.has_class("-wide") and not self.has_class("-too-small")

    def note_changed(self, question_id: int) -> None:
        """Show that a question has a note, or has none any more."""
        session = self._keeper.session
        if question_id in session.places:
            self.cells.note_changed(session, self.counts, session.places[question_id])
            self._show_answer(session)

    # Layouts made before they are needed.

    def _missing(self) -> Key | None:
        """Return the first question near the current one that is not laid out."""
        session = self._keeper.session
        keys = (self._layout_key(session.items[place]) for place in near(session.current, len(session.items)))
        return next((key for key in keys if not self._layouts.has(*key)), None)

    def _warm(self) -> None:
        """Lay out and draw one question near the current one, then schedule the next."""
        if (key := self._missing()) is not None:
            layout = self._layouts.get(*key)
            if self._question.size.width and key[1] == self._question.inner_width:
                self._question.prime(layout, QuestionState())
            self.set_timer(0.004, self._warm)
