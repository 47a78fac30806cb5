"""Whatever a server, a file or a clipboard says, no row of any screen holds what a terminal obeys or nobody sees."""

import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel
from textual.app import App, ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.filter import LineFilter
from textual.widgets import Button, Input, Label, OptionList, Static

from lms_tui.content.html import parse
from lms_tui.content.lines import Line, Run
from lms_tui.tui.app import LmsApp
from lms_tui.tui.screens.runner.parts import NoticeLine, TitleLine
from lms_tui.tui.terminal.render_guard import VisibleOnly
from lms_tui.tui.widgets.answer_editor import AnswerEditor
from lms_tui.tui.widgets.card import Card, RowsPane
from lms_tui.tui.widgets.document import DocumentView
from lms_tui.tui.widgets.question import QuestionState, QuestionView
from lms_tui.tui.widgets.row_list import Entry, RowList
from lms_tui.tui.widgets.top_line import TopLine
from lms_tui.views.question_layout import LayoutRow, QuestionLayout
from lms_tui.views.rows import row
from lms_tui.views.runner import Notice, Severity
from lms_tui.wire.errors import Offline
from tests.fakes import institute
from tests.fakes.attempts import AttemptInMemory, question
from tests.fakes.lms import FakeLms
from tests.fakes.program import program
from tests.fakes.sitting import SittingApp, sitting

PAYLOADS = {
    "colour": "\x1b[31mred",
    "cursor": "\x1b[2J\x1b[H",
    "query": "\x1b[6n",
    "title": "\x1b]0;owned\x07",
    "link": "\x1b]8;;https://evil.example\x1b\\x\x1b]8;;\x1b\\",
    "clipboard": "\x1b]52;c;aGk=\x07",
    "unterminated": "\x1b]52;c;",
    "device string": "\x1bP+q544e\x1b\\\x1b_G;x\x1b\\",
    "c1 sequence": "\x9b31m\x9d0;x\x9c",
    "bell and backspace": "a\x07\x08\x08b\x7f",
    "carriage return": "over\rwritten\x0b\x0c",
    "direction override": "exe\u202etxt.\u202c",
    "isolate": "\u2066a\u2069\u061c\u200e\u200f",
    "zero width": "a\u200bb\u2060\ufeffc",
    "separators": "a\u2028b\u2029c\x85d",
    "tags and surrogates": "\U000e0041\ud800\U000e007f\ufff9",
    "markup": "[red]x[/b] [@click=app.boom]go[/] [0] [link=https://evil.example]y[/link]",
    "entities": "&#27;[31m&#x9b;6n&#155;&#x202e;&#8203;&#7;",
}
DANGEROUS = re.compile(
    "[\x00-\x1f\x7f-\x9f\u2028\u2029\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f\ud800-\udfff]"
)


def check(app: App[Any]) -> None:
    """The invariant, for everything on the screen now."""
    for strip in app.screen._compositor.render_strips():
        for segment in strip:
            if not segment.control:
                assert not DANGEROUS.search(segment.text), repr(segment.text)
            style = segment.style
            assert style is None or (style.link is None and "@click" not in str(style.meta.get("@click", "")))
        assert strip.cell_length == app.size.width


class Gallery(App[None]):
    """Every widget of the program, and the library's own that it uses, with one text in all of them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text

    def get_line_filters(self) -> list[LineFilter]:
        return [VisibleOnly()]

    def compose(self) -> ComposeResult:
        text = self.text
        with VerticalScroll():
            yield TopLine(text, text, text)
            yield TitleLine(text, text)
            yield NoticeLine()
            yield Card(text, lambda _: (row(text, (text, "dim")),), note=text)
            yield RowsPane(text, lambda _: (row(text),))
            yield RowList(text)
            yield DocumentView(parse(text), title=text)
            yield QuestionView()
            yield AnswerEditor(lambda *_: None)
            yield Input(value=text, placeholder=text)
            yield Label(Content(text))
            yield Static(text, markup=False)
            yield Button(Content(text))
            yield OptionList(Content(text))

    def on_mount(self) -> None:
        text = self.text
        self.notify(text, markup=False, title=text)
        self.query_one(NoticeLine).show(Notice(text, text, Severity.WARNING))
        self.query_one(RowList).show(lambda _: [Entry("a", row(text)), Entry("", row(text))], title=text, note=text)
        line = Line((Run(text),), len(text))
        sheet = QuestionLayout(1, (LayoutRow(line), LayoutRow(line, 0, labelled=True)), (range(1, 2),), len(text))
        self.query_one(QuestionView).show(sheet, QuestionState(title=text, marks=text, note=text))
        desk = self.query_one(AnswerEditor)
        desk.display = True
        desk.show((1, "essay_text"), text, essay=True, hint=text, closed=False)
        desk.say(text, text, wrong=True)
        for widget in self.query("VerticalScroll > *"):
            widget.styles.height = 4


@pytest.mark.parametrize("payload", PAYLOADS)
async def test_no_widget_prints_control_characters(payload: str) -> None:
    async with Gallery(f"a{PAYLOADS[payload]}z").run_test(size=(100, 70)) as pilot:
        await pilot.pause()
        check(pilot.app)


def hostile(value: Any, payload: str) -> Any:
    """A wire model with the payload in every text that is written by people."""
    if isinstance(value, BaseModel):
        changes = {name: hostile(getattr(value, name), payload) for name in type(value).model_fields}
        changes = {
            name: f"{value}{payload}" if name in _WORDS and isinstance(value, str) else value
            for name, value in changes.items()
        }
        return value.model_copy(update=changes)
    if isinstance(value, list | tuple):
        return type(value)(hostile(item, payload) for item in value)
    return value


_WORDS = frozenset(
    {
        "title", "description", "course", "name", "subject", "question_html", "direction", "text_html", "display_name",
        "explanation_html", "report_title", "instructions", "first_name", "last_name", "essay_text", "short_text",
    }
)  # fmt: skip


@pytest.fixture(params=["\x1b]0;", "\u202e\u200b\x9b6n", "[/b][@click=app.boom]", "&#27;&#x9b;&#x202e;"])
def bad(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    payload = f"{request.param}!"
    for name in ("STATS", "QUICK", "HINDI", "LATER", "JEE", "LITERACY", "ATTEMPTS", "ASHA"):
        monkeypatch.setattr(institute, name, hostile(getattr(institute, name), payload))
    for name in ("question", "reviewed", "subjects"):
        plain = getattr(institute, name)
        monkeypatch.setattr(institute, name, lambda *given, plain=plain: hostile(plain(*given), payload))
    return payload


async def test_no_screen_around_an_exam_prints_control_characters(bad: str, tmp_path: Path) -> None:
    async with program(tmp_path, FakeLms(institute.ASHA)) as run:
        check(run.app)
        for keys in (["down"], ["slash", "x", "escape"], ["ctrl+p"], ["escape"], ["question_mark"], ["escape"], ["s"]):
            await run.press(*keys)
            check(run.app)
        await run.press("escape", "home", "enter")
        check(run.app)


async def test_result_and_review_print_no_control_characters(bad: str, tmp_path: Path) -> None:
    async with program(tmp_path, FakeLms(institute.ASHA)) as run:
        await run.press("down", "down", "down", "down", "enter")
        check(run.app)
        await run.press("pagedown")
        check(run.app)
        await run.press("enter")
        assert run.screen == "ReviewScreen"
        for key in ("n", "n", "p", "t", "pagedown"):
            await run.press(key)
            check(run.app)


async def test_server_errors_print_no_control_characters(bad: str, tmp_path: Path) -> None:
    lms = FakeLms()
    for method in ("exams.page", "attempts.page", "stats", "exams.read"):
        lms.faults.fail(method, *[Offline(f"The server says {bad}.", advice=f"Do {bad}.") for _ in range(9)])
    async with program(tmp_path, lms) as run:
        check(run.app)
        await run.press("s")
        check(run.app)


@pytest.mark.parametrize("payload", PAYLOADS)
async def test_the_exam_and_its_dialogs_print_no_control_characters(
    payload: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SittingApp, "get_line_filters", LmsApp.get_line_filters)
    monkeypatch.setattr(SittingApp, "_guards", (VisibleOnly(),), raising=False)
    text = f"a{PAYLOADS[payload]}z"
    asked = [
        question(1, f"<p>{text}</p><pre>{text}</pre>", [text, f"<b>{text}</b>"], direction=text, subject=text),
        question(2, text, [text], kind="C", subject=text),
        question(3, text, [text], kind="E", essay_text=text),
        question(4, text, kind=text),
    ]
    async with sitting(AttemptInMemory(asked, title=text)) as sit:
        for key in ("a", "n", "n", "n", "f", "o", "escape", "v", "r"):
            await sit.press(key)
            check(sit.app)
        await sit.press("ctrl+e")
        check(sit.app)


async def test_control_characters_in_pasted_text_are_shown_as_marks(tmp_path: Path) -> None:
    async with program(tmp_path, signed_in=False) as run:
        for text in PAYLOADS.values():
            await run.type(text)
            check(run.app)
