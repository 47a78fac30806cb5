"""Parameters of FSRS for one student, with a simulated learner whose memory model is not that of FSRS."""

import json
import sqlite3
import sys
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest

from benchmarks.tuning import Practised
from lms_tui.banks.scoring import Outcome
from lms_tui.cli import main
from lms_tui.practice.grading import Grade, History
from lms_tui.practice.schedule import after_review, read_parameters
from lms_tui.practice.store import Deck, Review
from lms_tui.practice.tuning import FEWEST, TuningError, log_loss, repetitions, tuning
from tests.fakes.decks import DAY, START, Clocks, decks, sums
from tests.fakes.json_output import told

FORGETFUL = 0.5
"""The decay of a memory that forgets much faster than the default parameters tell."""
DAMAGED = ("", "{", "5", "[1, 2]", "[null]", json.dumps([9e9] * 21), json.dumps([float("nan")] * 21), "[" * 5000)


@cache
def histories() -> tuple[History, ...]:
    """Return the reviews of a learner who practises what is due each day for two months."""
    learner = Practised.of(1, 40, FORGETFUL)
    learner.practise(range(1, 61))
    return learner.histories()


def fill(deck: Deck, reviews: tuple[History, ...]) -> None:
    """Record the reviews of a learner."""
    cards = sums(len(reviews))
    outcomes = {Grade.AGAIN: Outcome.INCORRECT}
    ordered = sorted((at, number, grade) for number, card in enumerate(reviews) for at, grade in card)
    deck.learn((cards[n], Review(at, outcomes.get(grade, Outcome.CORRECT), grade)) for at, n, grade in ordered)


@pytest.fixture
def deck(tmp_path: Path) -> Deck:
    return decks(tmp_path / "journals", Clocks()).open()


def test_tuned_parameters_predict_a_learner_better_whose_forgetting_is_not_the_usual_one() -> None:
    found = tuning(histories(), ())
    assert found.repetitions == len(repetitions(histories())) >= FEWEST
    assert found.tested == pytest.approx(found.repetitions / 5, rel=0.2)
    assert found.is_better
    assert found.after < 0.8 * found.before
    assert found.before == log_loss(histories(), repetitions(histories())[-found.tested], ())


def test_tuning_gives_the_same_parameters_each_time() -> None:
    assert tuning(histories(), ()) == tuning(histories(), ())


@pytest.mark.parametrize("grade", [Grade.AGAIN, Grade.GOOD])
def test_a_learner_who_always_or_never_knows_gets_parameters_that_fsrs_accepts(grade: Grade) -> None:
    card = ((START, Grade.AGAIN), *((START + day * DAY, grade) for day in (1, 3, 8, 20)))
    found = tuning((card,) * 200, ())
    assert after_review(None, Grade.AGAIN, START, found.parameters).stability > 0


def test_a_deck_with_too_few_repetitions_is_not_tuned() -> None:
    same_day = tuple((START + number, Grade.GOOD) for number in range(2 * FEWEST))
    with pytest.raises(TuningError, match="Tuning needs 400 repetitions, and this deck has 0"):
        tuning((same_day,), ())


def test_a_deck_keeps_the_reviews_of_each_card_and_its_parameters(deck: Deck) -> None:
    fill(deck, histories())
    assert sorted(deck.histories()) == sorted(histories())
    found = tuning(deck.histories(), deck.parameters()).parameters
    deck.tune(found)
    with closing(Deck(deck.path)) as again:
        assert again.parameters() == found
    deck.close()


def test_every_scheduling_uses_the_parameters_of_the_deck(deck: Deck) -> None:
    (card,) = sums(1)
    review = Review(START, Outcome.INCORRECT, Grade.AGAIN)
    found = tuning(histories(), ()).parameters
    deck.tune(found)
    card_id = deck.record(card, review).card_id
    assert deck.memory(card_id) == (first := after_review(None, Grade.AGAIN, START, found))
    assert first.stability != after_review(None, Grade.AGAIN, START).stability
    deck.record(card, Review(START + DAY, Outcome.CORRECT, Grade.GOOD))
    assert deck.memory(card_id) == after_review(first, Grade.GOOD, START + DAY, found)
    deck.reset([card_id], START + 2 * DAY)
    reset = deck.memory(card_id)
    assert reset is not None
    assert reset.stability == first.stability
    deck.close()


@pytest.mark.parametrize("text", DAMAGED)
def test_damaged_parameters_are_the_default_ones(deck: Deck, text: str) -> None:
    assert read_parameters(text) == ()
    with closing(sqlite3.connect(deck.path)) as connection, connection:
        connection.execute("INSERT INTO about VALUES ('parameters', ?)", (text,))
    assert deck.parameters() == ()
    assert deck.record(sums(1)[0], Review(START, Outcome.INCORRECT, Grade.AGAIN)).new
    deck.close()


def test_the_command_keeps_better_parameters_and_says_what_changed(
    deck: Deck, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(*words: str) -> int:
        return main(["deck", *words, "--data-dir", str(tmp_path)])

    fill(deck, histories())
    assert run("stats") == 0
    assert "lms-tui deck tune" in capsys.readouterr().out
    assert run("tune", "--json") == 0
    first = told(capsys.readouterr().out, "deck", "tune")
    assert first["changed"]
    assert first["log_loss_after"] < first["log_loss_before"]
    assert list(deck.parameters()) == first["parameters"]
    assert run("stats") == 0
    assert "lms-tui deck tune" not in capsys.readouterr().out
    assert run("tune") == 0
    assert "The new parameters do not predict better. The deck keeps the old ones." in capsys.readouterr().out
    assert list(deck.parameters()) == first["parameters"]
    assert run("tune", "--defaults", "--json") == 0
    assert told(capsys.readouterr().out, "deck", "tune")["parameters"] == []
    assert run("tune", "--defaults") == 0
    assert capsys.readouterr().out == "The deck uses the default parameters.\n"
    assert run("tune") == 0
    assert "The deck uses the new parameters." in capsys.readouterr().out
    assert deck.parameters()
    deck.close()


def test_the_command_says_what_is_missing(
    deck: Deck, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = ["deck", "tune", "--data-dir", str(tmp_path)]
    assert main(run) == 1
    assert "Practise more." in capsys.readouterr().err
    fill(deck, histories())
    monkeypatch.setitem(sys.modules, "fsrs_rs_python", None)
    assert main(run) == 1
    said = capsys.readouterr().err
    assert "Tuning needs the extra tune." in said
    assert "python3 -m pip install 'lms-tui[tune]'" in said
    assert deck.parameters() == ()
    deck.close()
