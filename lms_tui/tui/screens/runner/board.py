"""Everything of the runner that is drawn: one frozen snapshot goes in, and what it changed is painted."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.geometry import Size

from lms_tui.attempt.values import Item
from lms_tui.content.model import MathsStyle
from lms_tui.tui.presenters import answers
from lms_tui.tui.presenters import runner as present
from lms_tui.tui.presenters.answers import Form, Way
from lms_tui.tui.presenters.glyphs import Glyphs
from lms_tui.tui.presenters.runner import Filter, Notice
from lms_tui.tui.presenters.runner_sheet import Filling, Passage, Sheet, passage_of
from lms_tui.tui.screens.runner.parts import Bottom, Headline, NoticeLine, SectionsLine, TooSmall
from lms_tui.tui.screens.runner.sheets import Key, Sheets
from lms_tui.tui.widgets.desk import LINE_ROWS, Desk, LeftField
from lms_tui.tui.widgets.document import DocumentView
from lms_tui.tui.widgets.palette import Cell, PaletteView
from lms_tui.tui.widgets.pane import FRAME
from lms_tui.tui.widgets.question import Face, QuestionView
from lms_tui.tui.widgets.save_light import SaveLight
from lms_tui.tui.widgets.timer import TimerView

if TYPE_CHECKING:
    from lms_tui.attempt.events import Wrote
    from lms_tui.attempt.keeper import Keeper
    from lms_tui.attempt.session import Session
    from lms_tui.wire.attempts import AttemptQuestionBody

SMALLEST = Size(40, 12)
PALETTE_FROM = 100
"""Columns from which the palette stands beside the question."""
PASSAGE_FROM = 112
"""Columns from which a passage has a box of its own."""
PALETTE_WIDTH = 33
LINES_FROM = 18
"""Rows from which notice and sections have lines of their own."""
_ESSAY_ROWS = 20
_TOLD = frozenset("CSNEGM")
"""Types that the title of a question names."""
_STYLES = (MathsStyle.TWO_DIMENSIONAL, MathsStyle.LINE, MathsStyle.SOURCE, MathsStyle.WORDS)


@dataclass(frozen=True, slots=True)
class Plan:
    """How the window is divided. `question`, `passage`: columns of their boxes; `rows`: inside the question's box.

    `desk`: rows of the box to write in, 0 for none.
    """

    question: int
    passage: int
    rows: int
    palette: bool
    lines: bool
    desk: int = 0

    @property
    def inner(self) -> int:
        return max(1, self.question - FRAME)


def plan(size: Size, *, sections: bool, passage: bool, way: Way = Way.CHOOSE) -> Plan:
    """Divide a window for a question with or without a passage and a box to write in (pure)."""
    palette = size.width >= PALETTE_FROM
    room = size.width - (PALETTE_WIDTH if palette else 0)
    beside = room * 9 // 20 if passage and size.width >= PASSAGE_FROM else 0
    lines = size.height >= LINES_FROM
    body = size.height - 2 - (1 + sections if lines else 0)
    desk = 0
    if way in {Way.LINE, Way.GAPS}:
        desk = LINE_ROWS
    elif way is Way.ESSAY:
        desk = max(5, min(_ESSAY_ROWS, body * 9 // 20))
    return Plan(room - beside, beside, max(1, body - desk - 2), palette, lines, desk)


class Board(Vertical):
    """Owns the widgets. `paint(session)` compares with the snapshot before; nothing here changes the session."""

    def __init__(
        self,
        keeper: "Keeper",
        *,
        glyphs: Glyphs,
        style: MathsStyle,
        clock_hidden: bool,
        badge: str,
        marks: str,
        bottom: Bottom,
        write_key: str = "enter",
        left_field: LeftField,
    ) -> None:
        super().__init__(id="board")
        self.write_key = write_key
        self._keeper = keeper
        self._glyphs = glyphs
        self._marks = marks
        self._style = style
        self.clock_hidden = clock_hidden
        self._session: Session | None = None
        self._sheets = Sheets(self._body)
        self._cursors: dict[int, int] = {}
        self._tops: dict[int, int] = {}
        self._filter = Filter.ALL
        self._headed = False
        self._unfolded = False
        self._counts = present.Tally()
        self._planned: Plan | None = None
        self._painted_for: Size | None = None
        session = keeper.session
        self._headline = Headline(session.title, badge)
        self._timer = TimerView(glyphs=glyphs, hidden=clock_hidden)
        self._light = SaveLight()
        self._sections = SectionsLine()
        self._notice = NoticeLine()
        self._passage = DocumentView(title="Passage", style=style, glyphs=glyphs, id="passage")
        self._question = QuestionView(glyphs=glyphs)
        self.desk = Desk(left_field)
        self._draft: tuple[int, str, str] | None = None
        self._palette = PaletteView(glyphs=glyphs)
        self.bottom = bottom

    def compose(self) -> ComposeResult:
        self._arrange()
        with Horizontal(id="head"):
            yield self._headline
            yield self._timer
            yield self._light
        yield self._sections
        yield self._notice
        with Horizontal(id="body"):
            yield self._passage
            with Vertical(id="answering"):
                yield self._question
                yield self.desk
            yield self._palette
        yield self.bottom
        yield TooSmall(id="too-small")

    # The window.

    @property
    def area(self) -> Size:
        """The size of the board; before it has one that of the terminal, so that the first paint is whole."""
        return self.size or self.app.size

    def on_mount(self) -> None:
        self.paint(self._keeper.session)

    def on_resize(self) -> None:
        if self._painted_for != self.area:
            self._arrange()
            self._session = None
            self.paint(self._keeper.session)

    def _arrange(self) -> None:
        size = self.area
        self.set_class(size.width < SMALLEST.width or size.height < SMALLEST.height, "-too-small")
        self.set_class(size.height >= LINES_FROM, "-lines")
        self.set_class(size.width >= 60, "-roomy")
        self.set_class(size.width >= PALETTE_FROM, "-wide")
        self._sections.display = len(self._keeper.session.sections) > 1 and size.height >= LINES_FROM

    def _plan(self, item: Item) -> Plan:
        body = self._body(item.question_id)
        passage = bool(body.direction and body.direction.strip())
        sections = len(self._keeper.session.sections) > 1
        return plan(self.area, sections=sections, passage=passage, way=self._sheets.form(item).way)

    def _body(self, question_id: int) -> "AttemptQuestionBody":
        return self._keeper.question(question_id).question

    def _sheet(self, item: Item) -> Sheet:
        return self._sheets.get(*self._sheet_key(item))

    def _sheet_key(self, item: Item) -> Key:
        divided = self._plan(item)
        passage = Passage.BESIDE if divided.passage else Passage.UNFOLDED if self._unfolded else Passage.FOLDED
        return item, divided.inner, divided.rows, self._style, passage, self._filling(item)

    def _filling(self, item: Item) -> Filling | None:
        """What stands in the gaps of a question that has gaps, also while it is being written."""
        form = self._sheets.form(item)
        if form.way is not Way.GAPS:
            return None
        texts = tuple((int(field), self._written(item, field)) for field in form.fields)
        return Filling(tuple(entry for entry in texts if entry[1]), int(form.fields[self.field_of(item)]))

    def _written(self, item: Item, field: str) -> str:
        """The text of a field: as it is being written, else as it was kept."""
        if self._draft is not None and self._draft[:2] == (item.question_id, field):
            return self._draft[2]
        return answers.written(item.answer, field)

    # One snapshot in, one repaint out.

    def paint(self, session: "Session") -> None:
        """Show this snapshot; only what differs from the one before is painted."""
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
        self._counts = counts = present.tally(session)
        self._paint_palette(before, session, counts)
        self._paint_around(session, counts, moved=moved)

    def _show_question(self, session: "Session") -> None:
        item = session.item
        if self._session is not None and self._question.sheet.question_id >= 0:
            self._tops[self._question.sheet.question_id] = self._question.top
        divided = self._plan(item)
        if self._planned != divided:
            self._planned = divided
            self._passage.display = bool(divided.passage)
            if divided.passage:
                self._passage.styles.width = divided.passage
            self._desk_rows(divided.desk)
        if divided.passage and (document := passage_of(self._body(item.question_id))) is not None:
            self._passage.show(document, title="Passage", style=self._style)
        self._question.show(self._sheet(item), self._face(session), top=self._tops.get(item.question_id, 0))
        self.show_desk(session)
        self.set_timer(0.01, self._warm)

    def _show_answer(self, session: "Session") -> None:
        """Paint what an answer changed in the question that is on the screen already."""
        if self._sheets.form(session.item).writes:
            self._lay_again(session)
            self.show_desk(session)
        self._question.update_face(self._face(session))

    def _lay_again(self, session: "Session") -> None:
        """The text of a question with gaps changes with what is written into them."""
        shown = self._sheet(session.item)
        if shown is not self._question.sheet:
            self._question.show(shown, self._face(session), top=self._question.top)

    def _desk_rows(self, rows: int) -> None:
        self.desk.display = bool(rows)
        if rows:
            self.desk.styles.height = rows

    # What is written.

    @property
    def form(self) -> Form:
        """How the question on the screen is answered."""
        return self._sheets.form(self._keeper.session.item)

    def field_of(self, item: Item) -> int:
        """Place of the field that is looked at."""
        return max(0, min(self._cursors.get(item.question_id, 0), len(self._sheets.form(item).fields) - 1))

    @property
    def field(self) -> str:
        """Name of the field that is looked at, "" where the question on the screen has none."""
        item = self._keeper.session.item
        fields = self._sheets.form(item).fields
        return fields[0 if self.form.way is Way.ESSAY else self.field_of(item)] if fields else ""

    def draft(self, event: "Wrote | None") -> None:
        """Show what is being written before it is kept; None: it has been."""
        session = self._keeper.session
        self._draft = None if event is None else (event.question_id, event.field, event.text)
        if event is not None and event.question_id == session.item.question_id:
            if self.form.way is Way.GAPS:
                self._lay_again(session)
            self._say_about_desk(session)

    def show_desk(self, session: "Session") -> None:
        item, form = session.item, self.form
        if not form.writes:
            return
        closed = not session.open_to_change(item)
        hint = "" if closed else f"{self.write_key}: write"
        whose = (item.question_id, self.field)
        self.desk.show(whose, self._written(item, self.field), essay=form.way is Way.ESSAY, hint=hint, closed=closed)
        self._say_about_desk(session)

    def _say_about_desk(self, session: "Session") -> None:
        item, form = session.item, self.form
        text = self._written(item, self.field)
        title = "Your answer"
        if form.way is Way.GAPS:
            title = f"Gap {self.field}" + (f" of {len(form.fields)}" if len(form.fields) > 1 else "")
        elif item.kind in present.KINDS:
            title += f" {self._glyphs.dot} {present.KINDS[item.kind]}"
        wrong = answers.number_trouble(text) if item.kind == "N" and not self.desk.writing else ""
        kept = "not kept yet" if self._draft is not None else "kept" if text and self.desk.writing else ""
        told = (wrong, answers.length_words(text) if form.way is Way.ESSAY else "", kept)
        foot = f" {self._glyphs.dot} ".join(word for word in told if word)
        self.desk.say(title, foot, wrong=bool(wrong))

    def _paint_palette(self, before: "Session | None", session: "Session", counts: present.Tally) -> None:
        if before is None or len(before.items) != len(session.items):
            self._fill_palette(session, counts)
            return
        pairs = zip(before.items, session.items, strict=True)
        changed = [place for place, (old, new) in enumerate(pairs) if old is not new]
        if self._filter is not Filter.ALL and any(
            self._filter.passes(before.items[place]) != self._filter.passes(session.items[place]) for place in changed
        ):
            self._fill_palette(session, counts)
            return
        cells = [self._cell(session, place) for place in changed]
        self._palette.update_cells(cells, counts, session.current)

    def _fill_palette(self, session: "Session", counts: present.Tally) -> None:
        self._palette.show(self.cells(), counts, session.current, self._filter)

    def cells(self, chosen: Filter | None = None) -> tuple[Cell, ...]:
        """The palette's cells under the filter of now, or another."""
        session, chosen = self._keeper.session, chosen or self._filter
        self._headed = present.headed(session)
        return tuple(self._cell(session, place) for place, item in enumerate(session.items) if chosen.passes(item))

    def _cell(self, session: "Session", place: int) -> Cell:
        item = session.items[place]
        heading = present.group_of(session, item) if self._headed else ""
        return Cell(place, item.number, present.mark_of(item), heading)

    def _paint_around(self, session: "Session", counts: present.Tally, *, moved: bool) -> None:
        if moved:
            position = present.position(session)
            tabbed = self._sections.display
            self._headline.show(position, position.rpartition(" ")[2] if tabbed else position)
        self._sections.show(present.tabs(session, self._glyphs))
        self._paint_contact(session, counts)

    def _paint_contact(self, session: "Session", counts: present.Tally) -> None:
        silence = self._keeper.silence()
        self._light.show(present.light(session, counts, silence, self._glyphs))
        notice = present.notice(session, counts, silence)
        self._notice.show(notice)
        self.bottom.lasting(None if self.has_class("-lines") else notice)

    def tick(self) -> None:
        """Once a second: the clock, and the age of the last contact where it came to the next step."""
        self._timer.show(self._keeper.time_left(), hidden=self.clock_hidden)
        self._paint_contact(self._keeper.session, self._counts)

    # What may be different for the question on the screen.

    def _face(self, session: "Session") -> Face:
        item = session.item
        form = self._sheets.form(item)
        cursor = self._cursors.get(item.question_id, 0 if form.way is Way.MATCH else -1)
        closed = not session.open_to_change(item)
        kind = f" {self._glyphs.dot} {present.KINDS[item.kind]}" if item.kind in _TOLD else ""
        return Face(
            chosen=answers.chosen_of(form, item),
            struck=frozenset(place for place, option in enumerate(item.options) if option in item.struck),
            cursor=cursor,
            closed=closed,
            title=f"Question {item.number} of {len(session.items)}{kind}",
            marked=item.answer.marked,
            marks=self._marks,
            note=present.note(item),
            matched=answers.matched_of(form, item.answer) if form.way is Way.MATCH else (),
        )

    @property
    def cursor(self) -> int:
        """Place of the highlighted option, gap or left side of the question on the screen, -1 for none."""
        first = 0 if self.form.way in {Way.MATCH, Way.GAPS} else -1
        return self._cursors.get(self._keeper.session.item.question_id, first)

    def put_cursor(self, option: int) -> None:
        """Highlight an option; the repaint comes with the next snapshot or `refresh_face`."""
        self._cursors[self._keeper.session.item.question_id] = option

    def refresh_face(self) -> None:
        session = self._keeper.session
        self._show_answer(session)
        self._question.reveal(self.cursor)

    # Ways of looking.

    def scroll_pages(self, pages: int) -> None:
        if not self._question.scroll_pages(pages) and self._passage.display:
            self._passage.scroll_pages(pages)

    def scroll_rows(self, rows: int) -> None:
        self._question.scroll_rows(rows)

    def scroll_aside(self, steps: int) -> None:
        if not self._question.scroll_aside(steps) and self._passage.display:
            self._passage.scroll_aside(steps)

    def scroll_passage(self, rows: int) -> None:
        self._passage.scroll_rows(rows)

    def fold_passage(self) -> None:
        self._unfolded = not self._unfolded
        self._show_again(top=0)

    def next_style(self) -> MathsStyle:
        self._style = _STYLES[(_STYLES.index(self._style) + 1) % len(_STYLES)]
        self._show_again(top=self._question.top)
        return self._style

    def _show_again(self, top: int) -> None:
        session = self._keeper.session
        self._tops[session.item.question_id] = top
        self._show_question(session)

    def pictures_changed(self) -> None:
        """Lay out again what may hold a picture that has come."""
        self._sheets.forget()
        if self._keeper.session.items:
            self._show_again(top=self._question.top)

    def next_filter(self) -> Filter:
        self._filter = self._filter.following()
        self._fill_palette(self._keeper.session, self._counts)
        return self._filter

    @property
    def palette_shown(self) -> bool:
        return self.has_class("-wide") and not self.has_class("-too-small")

    @property
    def counts(self) -> present.Tally:
        return self._counts

    # Ahead of time.

    def _warm(self) -> None:
        """Lay out and draw one question near the current one, then come back for the next: never more at a time."""
        session = self._keeper.session
        for place in self._near(session):
            item = session.items[place]
            key = self._sheet_key(item)
            if not self._sheets.has(*key):
                sheet = self._sheets.get(*key)
                if self._question.size.width and key[1] == self._question.inner_width:
                    self._question.prime(sheet, Face())
                self.set_timer(0.004, self._warm)
                return

    @staticmethod
    def _near(session: "Session") -> tuple[int, ...]:
        at, last = session.current, len(session.items) - 1
        return tuple(place for place in (at + 1, at - 1, at + 2, at + 3, at + 4) if 0 <= place <= last)

    def say(self, notice: Notice | None) -> None:
        self.bottom.say(notice)
