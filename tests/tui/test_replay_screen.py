"""The replay of an ended attempt: the words and the timeline, and the screen by keys and by mouse."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lms_tui.attempt.journal.memory import MemoryJournal, MemoryJournals
from lms_tui.attempt.journal.receipt import note_paper
from lms_tui.attempt.ports import AttemptKey, Entry, Visit
from lms_tui.attempt.replay import Replay, replay_of
from lms_tui.attempt.values import Answer, Item
from lms_tui.views import replay as present
from lms_tui.views.replay import Effect, ReplayView, replay_view
from lms_tui.views.rows import cells, plain
from lms_tui.wire.attempt_states import AttemptState
from lms_tui.wire.attempts import ReviewQuestion
from lms_tui.wire.errors import Forbidden
from tests.fakes import institute
from tests.fakes.lms import FakeLms
from tests.fakes.program import Program, program

RUN = 1_000_000
QUESTIONS = 12


def key_of(question: ReviewQuestion) -> int:
    return next(option.id for option in question.question.answers if option.is_correct)


def other_than(question: ReviewQuestion) -> list[int]:
    return [option.id for option in question.question.answers if not option.is_correct]


REVIEW = [institute.reviewed(number) for number in range(1, QUESTIONS + 1)]
SINGLE = [question for question in REVIEW if question.question.type == "R"]


def fill(journal: MemoryJournal, answers: list[tuple[int, int]], *, seconds: float = 30.0) -> MemoryJournal:
    """Sit an exam: each answer is a question and its option, given after `seconds`."""
    note_paper(journal, [Item(q.id, q.order, "R", tuple(o.id for o in q.question.answers)) for q in REVIEW])
    now = 0.0
    for number, (question, option) in enumerate(answers, 1):
        answer = Answer((option,), review=False)
        visit = Visit(RUN, question, now)
        journal.record(Entry(RUN + number, question, answer, now + seconds / 2, 1e9 + now), visits=[visit])
        now += seconds
    journal.record(visits=[Visit(RUN, 0, now)])
    return journal


def sat(answers: list[tuple[int, int]], *, seconds: float = 30.0) -> Replay:
    return replay_of(fill(MemoryJournal(AttemptKey("http://fake", 7, 1), "Trial"), answers, seconds=seconds))


def view_of(answers: list[tuple[int, int]]) -> ReplayView:
    return replay_view(sat(answers), REVIEW)


first, second, third = SINGLE[:3]
CHANGED = [
    (first.id, other_than(first)[0]),
    (second.id, key_of(second)),
    (third.id, other_than(third)[0]),
    (first.id, key_of(first)),
    (second.id, other_than(second)[0]),
    (third.id, other_than(third)[1]),
]
"""One change that helped, one that harmed, and one that did neither."""


# The words.


def test_one_sentence_tells_which_changes_helped() -> None:
    assert present.summary(view_of(CHANGED)) == (
        "You changed 3 answers: 1 from incorrect to correct, 1 from correct to incorrect, 1 from incorrect to "
        "incorrect."
    )


def test_without_a_change_the_sentence_says_so() -> None:
    assert present.summary(view_of(CHANGED[:3])) == "You changed no answer."


def test_an_answer_that_was_changed_twice_counts_twice() -> None:
    answers = [(first.id, key_of(first)), (first.id, other_than(first)[0]), (first.id, key_of(first))]
    assert present.summary(view_of(answers)).startswith("You changed 1 answer 2 times in all: ")


def test_without_a_review_the_times_are_shown_and_the_reason_is_told() -> None:
    view = replay_view(sat(CHANGED), [], "The answers are not open yet.")
    assert present.words(view) == [
        "You changed 3 answers.",
        "3 min on 3 questions. You returned to 3 of them.",
        "Whether a change helped is not known: The answers are not open yet.",
    ]
    assert present.line_words(view.lines[first.order - 1], timed=True).startswith(
        f"Question {first.order}: 1 min, 2 visits, changed from "
    )


def test_a_journal_without_visits_says_that_it_has_no_times() -> None:
    journal = MemoryJournal(AttemptKey("http://fake", 7, 1), "Trial")
    journal.record(Entry(1, first.id, Answer((key_of(first),)), 1.0, 1.0))
    view = replay_view(replay_of(journal), REVIEW)
    assert "kept no times" in " ".join(present.words(view))
    assert present.timeline_rows(view, 60, 8) == []


ANSWERS = st.lists(
    st.sampled_from(SINGLE).flatmap(
        lambda question: st.tuples(
            st.just(question.id), st.sampled_from([option.id for option in question.question.answers])
        )
    ),
    max_size=30,
)


@given(ANSWERS)
def test_what_the_changes_gained_is_the_difference_of_the_first_and_the_last_answer(
    answers: list[tuple[int, int]],
) -> None:
    """For each question: helped minus harmed is the last answer's outcome minus the first one's."""
    view = view_of(answers)
    keys = {question.id: key_of(question) for question in SINGLE}
    for line in view.lines:
        given_here = [option for question, option in answers if question == line.question_id]
        effects = [change.effect for change in line.changes]
        gained = effects.count(Effect.HELPED) - effects.count(Effect.HARMED)
        correct = [option == keys[line.question_id] for option in given_here]
        assert gained == (correct[-1] - correct[0] if correct else 0)
        assert all(change.known for change in line.changes)
    counted = [int(number) for number in re.findall(r"(\d+) from", present.summary(view))]
    assert sum(counted) == len(view.changes)


@given(ANSWERS, st.integers(20, 200), st.integers(1, 30))
def test_the_timeline_fits_every_width_and_height(answers: list[tuple[int, int]], room: int, height: int) -> None:
    view = view_of(answers)
    rows = present.timeline_rows(view, room, height, chosen=first.id)
    assert all(cells(line) <= room for line in rows)
    assert len(rows) <= height + 2 + 3


def test_the_timeline_shows_visits_from_left_to_right_and_questions_from_top_to_bottom() -> None:
    view = view_of([(SINGLE[0].id, key_of(SINGLE[0])), (SINGLE[1].id, key_of(SINGLE[1]))])
    upper, lower, *_ = (plain(line) for line in present.timeline_rows(view, 42, QUESTIONS))
    assert upper == f"{SINGLE[0].order} " + "█" * 20 + " " * 20
    assert lower == f"{SINGLE[1].order} " + " " * 20 + "█" * 20


def test_an_essay_that_waits_for_marks_is_called_not_marked() -> None:
    body = REVIEW[0].question.model_copy(update={"type": "E", "answers": ()})
    essay = REVIEW[0].model_copy(update={"question": body, "selected_answers": (), "essay_text": "Tides."})
    line = replay_view(sat(CHANGED), [essay, *REVIEW[1:]]).lines[0]
    assert present.line_words(line, timed=True).startswith("Question 1: not marked, ")
    assert plain(present.detail_rows(line, 60, timed=True)[0]) == "Question 1   ? not marked"


def test_a_row_of_the_timeline_names_all_of_its_questions() -> None:
    view = view_of([(question.id, key_of(question)) for question in SINGLE])
    numbers = [line.number for line in view.lines if line.stays]
    rows = [plain(line).lstrip() for line in present.timeline_rows(view, 60, 2)][:2]
    half = -(-len(numbers) // 2)
    assert rows[0].startswith(f"{numbers[0]}-{numbers[half - 1]} ")
    assert rows[1].startswith(f"{numbers[half]}-{numbers[-1]} ")


# The screen.


async def to_replay(run: Program) -> None:
    await run.press("down", "down", "down", "down", "enter")
    await run.settle()
    await run.press("r")
    await run.settle()


def taken(lms: FakeLms) -> MemoryJournals:
    """The journals of a computer on which the attempt that `to_replay` opens was taken."""
    journals = MemoryJournals()
    for attempt in (a for a in lms.attempts.known if a.state != AttemptState.RUNNING):
        journal = journals.open(AttemptKey(lms.origin, institute.ASHA.id, attempt.id), attempt.exam.title)
        assert isinstance(journal, MemoryJournal)
        fill(journal, CHANGED)
        journal.finish()
        journal.close()
    return journals


@pytest.mark.parametrize("size", [(40, 12), (80, 24), (200, 60)])
async def test_the_replay_has_a_sentence_a_timeline_and_a_table(tmp_path: Path, size: tuple[int, int]) -> None:
    lms = FakeLms()
    async with program(tmp_path, lms, journals=taken(lms), size=size) as run:
        await to_replay(run)
        assert run.screen == "ReplayScreen"
        assert "You changed 3 answers: 1 from incorrect to correct" in " ".join(run.words.replace("┃", " ").split())
        seen = run.words
        for key in ("down", "up", *["pagedown"] * 5):
            await run.press(key)
            seen += run.words
        for told in ("3 min on 3 questions", "0:00", "3:00", "▲ change helped", "✗ → ✓", "✓ → ✗"):
            assert told in seen


async def test_the_selected_question_tells_its_visits_and_opens_in_the_review(tmp_path: Path) -> None:
    lms = FakeLms()
    async with program(tmp_path, lms, journals=taken(lms)) as run:
        await to_replay(run)
        await run.press(*["down"] * (second.order - 1))
        assert "(from correct to incorrect)" in run.words
        await run.press("enter")
        assert run.screen == "ReviewScreen"
        assert f"Question {second.order} of 75" in run.text()
        await run.press("r")
        assert run.screen == "ReplayScreen"


async def test_from_the_review_the_replay_opens_at_its_question(tmp_path: Path) -> None:
    lms = FakeLms()
    async with program(tmp_path, lms, journals=taken(lms), size=(120, 40)) as run:
        await run.press("down", "down", "down", "down", "enter")
        await run.settle()
        await run.press("enter")
        await run.settle()
        await run.press("n", "n", "r")
        await run.settle()
        assert run.screen == "ReplayScreen"
        assert "Question 3 " in run.text()


async def test_the_replay_is_opened_by_mouse_from_the_footer(tmp_path: Path) -> None:
    lms = FakeLms()
    async with program(tmp_path, lms, journals=taken(lms)) as run:
        await to_replay(run)
        await run.press("escape")
        row = len(run.rows()) - 1
        await run.pilot.click(offset=(run.rows()[row].index("r replay") + 3, row))
        await run.settle()
        assert run.screen == "ReplayScreen"


async def test_a_computer_without_the_journal_says_why_there_is_no_replay(tmp_path: Path) -> None:
    async with program(tmp_path, journals=MemoryJournals()) as run:
        await to_replay(run)
        assert "This computer holds no journal of this attempt" in run.words


async def test_without_the_review_the_replay_says_why_no_change_is_judged(tmp_path: Path) -> None:
    lms = FakeLms()
    async with program(tmp_path, lms, journals=taken(lms), size=(80, 24)) as run:
        await run.press("down", "down", "down", "down", "enter")
        await run.settle()
        lms.faults.fail("attempts.review", Forbidden("The answers are not open yet."))
        await run.press("r")
        assert "You changed 3 answers." in run.words
        assert "Whether a change helped is not known: The answers are not open yet." in run.words
        await run.press("enter")
        assert run.screen == "ReplayScreen"
        await run.press("ctrl+r")
        assert "1 from incorrect to correct" in run.words
