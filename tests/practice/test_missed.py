"""Cards from the review of an attempt."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from lms_tui.attempt.values import Answer
from lms_tui.banks.scoring import Outcome
from lms_tui.practice.decks import UserDeck
from lms_tui.practice.drills import Drill, mixed, rows_of, topics
from lms_tui.practice.grading import Certainty, Grade
from lms_tui.practice.store import Review, Row
from lms_tui.views.deck import DeckFacts, calibration, certain_words, due_words, facts_of, streak
from lms_tui.views.missed import answers_of, card_of, missed
from lms_tui.wire.attempts import Attempt, GapFill, ReviewOption, ReviewQuestion, ReviewQuestionBody
from lms_tui.wire.exams import Exam
from lms_tui.wire.question_types import QuestionType
from tests.fakes.decks import DAY, START, Clocks, decks, every_type, sums

ATTEMPT = Attempt(id=3, exam=Exam(title="Mock"), date=datetime.fromtimestamp(START - DAY, UTC))


def single(number: int, chosen: tuple[int, ...], **fields: object) -> ReviewQuestion:
    options = (ReviewOption(id=1, text_html="yes", is_correct=True), ReviewOption(id=2, text_html="no"))
    body = ReviewQuestionBody(id=number, question_html=f"<p>Q{number}</p>", answers=options, type="R", subject="Optics")
    return ReviewQuestion(id=number, order=number, question=body, selected_answers=chosen, **fields)


def test_wrong_left_out_and_slow_answers_become_cards() -> None:
    questions = [
        single(1, (1,)),
        single(2, (2,)),
        single(3, ()),
        single(4, (1,), duration="0:03:00", average_duration=60.0),
    ]
    grades = [review.grade for _, review in answers_of(ATTEMPT, questions, START)]
    assert grades == [Grade.GOOD, Grade.AGAIN, Grade.AGAIN, Grade.HARD]
    assert [card.number for card in missed(ATTEMPT, questions)] == ["2", "3"]


def test_a_question_without_a_key_is_no_card() -> None:
    question = single(1, (2,))
    hidden = question.question.model_copy(update={"answers": (ReviewOption(id=1, text_html="yes"),)})
    assert card_of(question.model_copy(update={"question": hidden}), "Mock") is None
    assert card_of(question.model_copy(update={"correction": "void"}), "Mock") is None
    strange = question.question.model_copy(update={"type": "?"})
    assert card_of(question.model_copy(update={"question": strange}), "Mock") is None


@pytest.mark.parametrize("kind", ["S", "N", "G", "M"])
def test_a_written_question_of_a_review_can_be_answered_again(kind: str) -> None:
    told = every_type()[QuestionType(kind)]
    body = ReviewQuestionBody(
        question_html=told.asked.question_html, answers=told.shown, type=kind, explanation_html="<p>Why.</p>"
    )
    question = ReviewQuestion(id=1, question=body, gap_fill_responses=(GapFill(order="1", answer="x"),), short_text="x")
    card = card_of(question, "Mock")
    assert card is not None
    right = {
        "S": Answer(short_text="baltic"),
        "N": Answer(short_text="3.14"),
        "G": Answer(gaps=(("1", "sky"), ("2", "blue"))),
        "M": Answer(gaps=(("1", "1"), ("2", "2"))),
    }
    assert card.outcome(right[kind]) is Outcome.CORRECT
    assert card.explanation_html == "<p>Why.</p>"


def test_a_review_is_learnt_once_and_its_cards_are_due_the_day_after_the_attempt(tmp_path: Path) -> None:
    clocks = Clocks()
    user = UserDeck(decks(tmp_path, clocks), "https://a.example", 1, "asha")
    assert user.count_due() == 0
    answers = list(answers_of(ATTEMPT, [single(1, (1,)), single(2, (2,)), single(3, ())], START))
    assert user.learn(answers) == 2
    assert user.learn(answers) == 0
    assert user.count_due() == 2
    deck = user.open()
    assert len(deck.reviews()) == 3
    deck.close()


def test_an_attempt_in_the_future_was_now() -> None:
    (answer,) = answers_of(ATTEMPT, [single(1, (2,))], START - 9 * DAY)
    assert answer[1].at == START - 9 * DAY


def test_a_session_mixes_subjects() -> None:
    rows = [Row(n, subject, "", "", 0.0) for n, subject in enumerate("AAABBC")]
    assert [row.subject for row in mixed(rows)] == ["A", "B", "C", "A", "B", "A"]


def test_drills_choose_by_topic_and_by_week(tmp_path: Path) -> None:
    clocks = Clocks()
    user = UserDeck(decks(tmp_path, clocks), "https://a.example", 1)
    deck = user.open()
    for card in sums(6, subject="Weak"):
        deck.record(card, Review(START, Outcome.INCORRECT, Grade.AGAIN, subject="Weak"))
    for card in every_type().values():
        deck.record(card, Review(START - 30 * DAY, Outcome.INCORRECT, Grade.AGAIN, subject="Old"))
    for _ in range(10):
        deck.record(sums(7)[6], Review(START, Outcome.CORRECT, Grade.GOOD, subject="Old"))
    assert [topic.name for topic in topics(deck.reviews())] == ["Weak", "Old"]
    assert {row.subject for row in rows_of(Drill.WEAKEST, deck, START)} == {"Weak"}
    assert len(rows_of(Drill.WEEK, deck, START + DAY)) == 6
    assert len(rows_of(Drill.DUE, deck, START)) == 7
    assert len(rows_of(Drill.DUE, deck, START + DAY)) == 13
    deck.close()


def test_ten_minutes_go_on_with_what_is_least_probably_known(tmp_path: Path) -> None:
    user = UserDeck(decks(tmp_path, Clocks()), "https://a.example", 1)
    deck, (due, fresh, old, resting) = user.open(), sums(4)
    for card, day in ((due, 3), (fresh, 1), (old, 2), (resting, 3)):
        deck.record(card, Review(START - day * DAY, Outcome.INCORRECT, Grade.AGAIN))
    for card, day in ((fresh, 0), (old, 1), (resting, 1)):
        deck.record(card, Review(START - day * DAY, Outcome.CORRECT, Grade.EASY))
    deck.suspend([deck.find(resting)])
    assert [row.words for row in rows_of(Drill.DUE, deck, START)] == [due.words]
    assert [row.words for row in rows_of(Drill.TEN, deck, START)] == [due.words, old.words, fresh.words]
    deck.close()


def test_a_streak_ends_after_a_day_without_practice() -> None:
    reviews = [Review(START - days * DAY, Outcome.CORRECT, Grade.GOOD) for days in (0, 1, 2, 4)]
    assert streak(reviews, START) == 3
    assert streak(reviews, START + DAY) == 3
    assert streak(reviews, START + 2 * DAY) == 0


def test_the_calibration_tells_how_many_sure_answers_were_correct() -> None:
    reviews = [
        Review(START, outcome, Grade.GOOD, Certainty.SURE)
        for outcome in (Outcome.CORRECT, Outcome.CORRECT, Outcome.INCORRECT)
    ]
    facts = DeckFacts(certain=calibration(reviews))
    assert certain_words(facts) == ["Of 3 answers that you were sure of, 2 were correct."]


def test_a_row_says_when_its_card_is_due(tmp_path: Path) -> None:
    clocks = Clocks()
    deck = decks(tmp_path, clocks).open()
    deck.record(sums(1)[0], Review(START, Outcome.INCORRECT, Grade.AGAIN))
    (row,) = deck.rows()
    assert [due_words(row, START + days * DAY) for days in (-3, 0, 1, 2)] == ["in 4 days", "tomorrow", "today", "today"]
    assert facts_of(deck, START).week == 1
    deck.close()
