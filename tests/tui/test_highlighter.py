"""The highlighter: words are marked by keys and with the mouse, kept in the journal, and there again."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from rich.segment import Segment
from textual import events

from lms_tui.attempt.desk import desk_text
from lms_tui.attempt.journal.store import FileJournals
from lms_tui.attempt.read_only_keeper import READ_ONLY
from lms_tui.common.settings import Appearance
from lms_tui.content.lines import Mark
from lms_tui.tui.widgets.document import DocumentView
from lms_tui.tui.widgets.marked_pane import MarkedPane
from lms_tui.tui.widgets.question import QuestionView
from lms_tui.views.highlights import texts_of
from lms_tui.views.review import question_rows
from lms_tui.wire.attempts import ReviewQuestion, ReviewQuestionBody
from lms_tui.wire.errors import Offline
from tests.fakes.attempts import KEY, AttemptInMemory, an_exam, question
from tests.fakes.sitting import Sitting, settings, sitting
from tests.tui.test_runner_writing import GAPS, asked

PASSAGE = "<p>" + "The monsoon brings rain. " * 6 + "</p><p>Rivers rise in July.</p>"
SIZES = [(40, 12), (80, 24), (120, 40), (200, 60)]
sizes = pytest.mark.parametrize("size", SIZES)


def _paper() -> AttemptInMemory:
    one = question(1, "<p>What does the passage say?</p>", ["This", "That"], direction=PASSAGE)
    two = question(2, "<p>And what else?</p>", ["These", "Those"], direction=PASSAGE)
    return AttemptInMemory([one, two, *an_exam(4)[2:]])


def _panes(sit: Sitting) -> list[MarkedPane]:
    panes = [sit.app.runner.query_one("#passage", DocumentView), sit.app.runner.query_one("#question", QuestionView)]
    return [pane for pane in panes if pane.display]


def _drawn(sit: Sitting, attribute: str) -> str:
    """The text with an attribute of its style, from the rows of passage and question."""
    parts = [
        segment.text
        for pane in _panes(sit)
        for y in range(1, pane.size.height - 1)
        for segment in [*pane.strip(y), Segment("\n")]
        if segment.text == "\n" or (segment.style and getattr(segment.style, attribute))
    ]
    return " ".join("".join(parts).split())


def _marked(sit: Sitting) -> str:
    return _drawn(sit, "underline")


@sizes
async def test_words_are_chosen_and_marked_by_keys_and_the_same_again_removes_them(size: tuple[int, int]) -> None:
    async with sitting(_paper(), size=size) as sit:
        await sit.press("H", "right", "shift+right", "shift+right")
        assert _drawn(sit, "reverse") == "monsoon brings rain."
        await sit.press("enter")
        assert _marked(sit) == "monsoon brings rain."
        await sit.press("escape")
        assert _drawn(sit, "reverse") == ""
        if size[0] >= 120:
            assert _marked(sit) == "monsoon brings rain."
        await sit.press("H", "right", "shift+right", "shift+right", "H")
        assert _marked(sit) == ""
        assert "removed" in sit.text()


async def test_keys_move_over_rows_and_from_the_passage_into_the_question() -> None:
    async with sitting(_paper()) as sit:
        await sit.press("H", "down", "home", *["down"] * 5)
        assert _drawn(sit, "reverse") == "What"
        await sit.press("shift+end", "enter")
        assert _marked(sit) == "What does the passage say?"
        await sit.press("up")
        assert _drawn(sit, "reverse") in {"July.", "in", "rise", "Rivers"}
        assert sit.chosen(1) == ()


async def test_letters_do_not_answer_while_words_are_chosen_and_other_keys_leave() -> None:
    async with sitting(_paper()) as sit:
        await sit.press("H", "a", "b", "n")
        assert sit.chosen(1) == ()
        assert "Question 1 of 4" in sit.text()
        assert "esc done" in sit.text()
        await sit.press("alt+n")
        assert "Question 2 of 4" in sit.text()
        assert "esc done" not in sit.text()
        await sit.press("b")
        assert len(sit.chosen(2)) == 1


async def test_a_drag_with_the_mouse_marks_words_and_chooses_no_option() -> None:
    async with sitting(_paper()) as sit:
        x, y = sit.place_of("does the passage")
        await _drag(sit, (x + 1, y), (x + 6, y))
        assert _marked(sit) == "does the"
        await _drag(sit, (x + 6, y), (x + 1, y))
        assert _marked(sit) == ""
        option = sit.place_of("This")
        await _drag(sit, (x + 1, y), option)
        assert sit.chosen(1) == ()
        await sit.click("This")
        assert len(sit.chosen(1)) == 1


async def _drag(sit: Sitting, start: tuple[int, int], end: tuple[int, int]) -> None:
    steps = ((events.MouseDown, start), (events.MouseMove, end), (events.MouseUp, end))
    for kind, (x, y) in steps:
        sit.app.post_message(kind(None, x, y, 0, 0, 1, False, False, False, x, y))
    for _ in range(6):
        await sit.pilot.pause()


async def test_a_passage_is_marked_in_all_its_questions_and_a_question_only_in_itself() -> None:
    async with sitting(_paper()) as sit:
        await sit.press("H", "enter", *["down"] * 6, "enter", "escape", "n")
        assert _marked(sit) == "The"
        await sit.press("p")
        assert _marked(sit) in {"The What", "The does"}


async def test_highlights_are_there_again_offline_after_a_kill_and_in_the_review(tmp_path: Path) -> None:
    service = _paper()
    journal = FileJournals(tmp_path).open(KEY, "Trial")
    async with sitting(service, journal=journal) as sit:
        service.silent = Offline("The server cannot be reached.")
        await sit.press("H", "right", "enter")
        shutil.copytree(tmp_path, tmp_path / "killed")  # the files as a kill leaves them
    journal.close()
    again = FileJournals(tmp_path / "killed").open(KEY, "Trial")
    service.silent = None
    async with sitting(service, journal=again, size=(80, 24)) as sit:
        assert _marked(sit) == "monsoon"
    body = ReviewQuestionBody(direction=PASSAGE, question_html="<p>What does the passage say?</p>")
    rows = question_rows(ReviewQuestion(id=1, question=body), 60, desk=lambda name: desk_text(again, name))
    assert [span.text for row in rows for span in row if Mark.MARKER in span.marks] == ["monsoon"]
    again.close()


async def test_a_changed_text_has_no_highlights() -> None:
    changed = question(1, "<p>What does the poem say?</p>", ["This", "That"], direction=PASSAGE)
    async with sitting(_paper()) as sit:
        await sit.press("H", *["down"] * 6, "home", "shift+end", "enter", "escape")
        desk = sit.keeper.desk
        assert _marked(sit) == "What does the passage say?"
        kept = {text.name: desk.text(text.name) for text in texts_of(1, PASSAGE, "<p>What does the passage say?</p>")}
    async with sitting(AttemptInMemory([changed, *an_exam(3)[1:]])) as sit:
        for name, text in kept.items():
            sit.keeper.desk.keep(name, text)
        await sit.press("n", "p")
        assert _marked(sit) == ""


async def test_it_can_be_seen_without_colours_and_signs() -> None:
    async with sitting(_paper(), chosen=settings(Appearance(ascii=True))) as sit:
        await sit.press("H", "right")
        assert _drawn(sit, "reverse") == "monsoon"
        assert "left right word" in sit.text()
        await sit.press("enter", "escape")
        assert _marked(sit) == "monsoon"
        assert all(row.isascii() for row in sit.rows())


async def test_at_a_question_of_words_alt_begins_and_answers_in_gaps_are_kept() -> None:
    async with sitting(AttemptInMemory([asked("G", GAPS), *an_exam(3)[1:]])) as sit:
        await sit.press("alt+shift+h", "right", "enter")
        assert "1 word highlighted." in sit.text()
        await sit.press("escape")
        await sit.press("1", *"dioxide", "escape")
        assert "dioxide" in sit.text()


async def test_the_attempt_of_another_window_cannot_be_marked() -> None:
    async with sitting(_paper()) as sit:
        sit.keeper._live.show(replace(sit.keeper.session, read_only=READ_ONLY))
        await sit.press("H", "enter")
        assert _marked(sit) == ""
        assert READ_ONLY[:20] in sit.text()
