"""The deck on the disk."""

import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from lms_tui.banks.scoring import Outcome
from lms_tui.practice.cards import Card
from lms_tui.practice.grading import Certainty, Grade
from lms_tui.practice.schedule import end_of_day
from lms_tui.practice.store import Deck, DeckError, Review, count_due
from tests.fakes.decks import DAY, START, Clocks, decks, sums


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deck.sqlite3"


@pytest.fixture
def deck(path: Path) -> Iterator[Deck]:
    opened = Deck(path)
    yield opened
    opened.close()


def missed(at: float = START, source: str = "") -> Review:
    return Review(at, Outcome.INCORRECT, Grade.AGAIN, source=source)


def known(at: float) -> Review:
    return Review(at, Outcome.CORRECT, Grade.GOOD)


def test_a_missed_question_is_due_the_next_day(deck: Deck) -> None:
    deck.record(sums(1)[0], missed())
    assert not deck.due(end_of_day(START))
    assert [row.words for row in deck.due(end_of_day(START + DAY))] == ["1 + 1?"]


def test_a_known_card_comes_back_later_each_time(deck: Deck) -> None:
    (card,) = sums(1)
    card_id = deck.record(card, missed()).card_id
    dues = []
    for _ in range(4):
        memory = deck.memory(card_id)
        assert memory is not None
        dues.append(memory.due - memory.reviewed)
        deck.record(card, known(memory.due))
    assert dues == sorted(dues)
    assert dues[-1] > 2 * dues[0]


def test_a_question_that_was_known_is_history_and_no_card(deck: Deck) -> None:
    assert deck.record(sums(1)[0], known(START)).card_id == 0
    assert not deck.rows()
    assert [review.grade for review in deck.reviews()] == [Grade.GOOD]


def test_an_answer_of_an_attempt_counts_once(deck: Deck) -> None:
    (card,) = sums(1)
    first = deck.record(card, missed(source="attempt 3 question 4"))
    again = deck.record(card, missed(START + DAY, source="attempt 3 question 4"))
    assert (again.card_id, again.review_id) == (first.card_id, 0)
    assert len(deck.reviews()) == 1
    deck.remove([first.card_id])
    deck.record(card, missed(source="attempt 3 question 4"))
    assert not deck.rows()


def test_an_older_attempt_that_is_read_later_does_not_reschedule_a_card(deck: Deck) -> None:
    (card,) = sums(1)
    card_id = deck.record(card, missed(START, source="attempt 2 question 1")).card_id
    deck.record(card, known(START + DAY))
    before = deck.memory(card_id)
    deck.record(card, missed(START - 9 * DAY, source="attempt 1 question 1"))
    assert deck.memory(card_id) == before
    assert len(deck.reviews()) == 3


def test_a_later_certainty_replaces_the_review(deck: Deck) -> None:
    (card,) = sums(1)
    plain = deck.record(card, known(START))
    guessed = Review(START, Outcome.CORRECT, Grade.HARD, Certainty.GUESS)
    added = deck.record(card, guessed, plain)
    assert added.new
    assert [review.certainty for review in deck.reviews()] == [Certainty.GUESS]
    deck.record(card, known(START), added)
    assert not deck.rows()
    card_id = deck.record(card, missed()).card_id
    before = deck.memory(card_id)
    wrong = deck.record(card, missed(START + DAY))
    deck.record(card, known(START + DAY), wrong)
    assert deck.memory(card_id) != before
    assert len(deck.reviews()) == 3


def test_a_changed_question_keeps_its_card(deck: Deck) -> None:
    card = replace(sums(1)[0], number="12")
    card_id = deck.record(card, missed()).card_id
    body = card.asked.model_copy(update={"question_html": "<p>1 plus 1?</p>"})
    changed = replace(card, asked=body)
    assert deck.record(changed, known(START + DAY)).card_id == card_id
    assert deck.cards([card_id])[card_id].words == "1 plus 1?"
    assert len(deck.rows()) == 1


def test_cards_rest_come_back_and_go(deck: Deck) -> None:
    ids = [deck.record(card, missed()).card_id for card in sums(3)]
    until = START + 2 * DAY
    assert deck.suspend(ids[:1]) == 1
    assert deck.suspend(ids[:1]) == 0
    assert [row.card_id for row in deck.due(until)] == ids[1:]
    assert deck.suspend(ids[:1], suspended=False) == 1
    assert deck.reset(ids[1:2], START) == 1
    assert [row.card_id for row in deck.due(START)] == ids[1:2]
    assert deck.remove(ids) == 3
    assert not deck.rows()
    assert len(deck.reviews()) == 3


def test_a_search_finds_every_word_and_takes_signs_as_they_are(deck: Deck) -> None:
    for card in sums(12, subject="100% sums"):
        deck.record(card, missed())
    assert len(deck.rows("100% sums")) == 12
    assert [row.words for row in deck.rows("12 12")] == ["12 + 12?"]
    assert not deck.rows("1_")


def test_the_file_is_private_and_another_reader_sees_it(deck: Deck, path: Path) -> None:
    deck.record(sums(1)[0], missed())
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert count_due(path, START + 2 * DAY) == 1
    assert count_due(path.with_name("none"), START) == 0
    assert not path.with_name("none").exists()


def test_a_damaged_deck_is_kept_aside(path: Path) -> None:
    path.write_bytes(b"no database" * 100)
    deck = Deck(path)
    assert "damaged-1" in deck.restored
    assert not deck.rows()
    deck.close()
    assert path.with_suffix(".damaged-1").read_bytes().startswith(b"no database")


def test_a_deck_of_a_newer_version_is_refused_and_stays(path: Path) -> None:
    Deck(path).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(DeckError, match="newer version"):
        Deck(path)
    assert path.exists()


def test_each_user_of_each_server_has_a_deck_of_their_own(tmp_path: Path) -> None:
    clocks = Clocks()
    every = decks(tmp_path / "journals", clocks)
    for user_id in (1, 2):
        deck = every.open("https://a.example", user_id, "asha")
        if user_id == 1:
            deck.record(sums(1)[0], missed())
        deck.close()
    clocks.later(DAY)
    assert [every.count_due("https://a.example", user) for user in (1, 2, 3)] == [1, 0, 0]
    last = every.open_last()
    assert last.about("user") == "asha"
    last.close()


def with_picture(card: Card, source: str) -> Card:
    html = f"<p>Look: <img src='{source}' alt='a map'><img src='data:image/png;base64,AA=='></p>"
    return replace(card, asked=card.asked.model_copy(update={"question_html": html}))


def test_a_deck_keeps_the_pictures_of_its_cards_as_long_as_one_shows_them(deck: Deck) -> None:
    first, second = (with_picture(card, "/map.png") for card in sums(2))
    numbers = [deck.record(card, missed()).card_id for card in (replace(first, number="1"), second)]
    assert deck.missing_pictures() == ("/map.png",)
    deck.keep_picture("/map.png", b"pixels")
    assert (deck.missing_pictures(), deck.picture("/map.png")) == ((), b"pixels")
    deck.remove(numbers[1:])
    assert deck.picture("/map.png") == b"pixels"
    deck.record(with_picture(replace(first, number="1"), "/new.png"), missed())
    assert deck.missing_pictures() == ("/new.png",)
    deck.remove(numbers)
    assert deck.picture("/map.png") is None


def test_pictures_beyond_the_room_of_a_deck_are_not_kept(deck: Deck, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lms_tui.practice.store._ROOM", 10)
    deck.record(with_picture(sums(1)[0], "/map.png"), missed())
    deck.keep_picture("/map.png", bytes(11))
    assert deck.picture("/map.png") is None
