"""A session of practice on the screen, by keys and by mouse."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from lms_tui.banks.scoring import Outcome
from lms_tui.practice.cards import Card
from lms_tui.practice.decks import UserDeck
from lms_tui.practice.grading import Certainty, Grade
from lms_tui.practice.run import PracticeRun
from lms_tui.practice.session import Asked, Session
from lms_tui.practice.store import Deck, Review
from lms_tui.wire.question_types import QuestionType
from tests.fakes import institute
from tests.fakes.decks import DAY, Clocks, decks, every_type, sums
from tests.fakes.lms import FakeLms, school
from tests.fakes.looks import SIZES, looks_as_kept
from tests.fakes.pictures import FakePictures
from tests.fakes.program import program
from tests.tui.test_pictures_from_addresses import painted, png


def practice(folder: Path, cards: Iterable[Card], clocks: Clocks | None = None) -> PracticeRun:
    clocks = clocks or Clocks()
    session = Session.of(Asked(card) for card in cards)
    return PracticeRun(Deck(folder / "deck"), session, clocks.now, clocks.now, title="Practice: sums")


def kept(session: PracticeRun) -> tuple[Review, ...]:
    """Read what the session kept. The screen has closed its deck."""
    deck = Deck(session.deck.path)
    reviews = deck.reviews()
    deck.close()
    return reviews


async def test_a_letter_answers_and_the_key_is_shown_with_the_explanation(tmp_path: Path) -> None:
    clocks = Clocks()
    session = practice(tmp_path, sums(2), clocks)
    async with program(tmp_path, practice=session) as run:
        assert "Question 1 of 2" in run.text()
        clocks.later(12)
        await run.press("b")
        assert "Incorrect · 12 s. r shows the key" in run.text()
        await run.press("c", "a")
        for words in ("Correct · first answer incorrect · 12 s", "correct, your answer", "Twice 1.", "Explanation"):
            assert words in run.text()
        await run.press("enter")
        assert "Question 2 of 3" in run.text()
        await run.press("s", "a", "enter", "a", "enter")
        assert "1 correct, 1 incorrect. Practice is not scored." in run.text()
        assert "1 question added to your deck" in run.text()
    outcomes = [(review.outcome, review.certainty) for review in kept(session)]
    assert outcomes == [
        (Outcome.INCORRECT, Certainty.NONE), (Outcome.CORRECT, Certainty.SURE), (Outcome.CORRECT, Certainty.NONE)
    ]  # fmt: skip


async def test_enter_after_a_miss_shows_the_key_and_goes_on(tmp_path: Path) -> None:
    session = practice(tmp_path, [sums(1)[0], every_type()[QuestionType.SHORT]])
    async with program(tmp_path, practice=session) as run:
        await run.press("b")
        assert "Incorrect · 0 s." in run.text()
        assert "enter see the key" in run.text()
        await run.press("enter")
        assert "Incorrect · 0 s" in run.text()
        assert "Explanation" in run.text()
        await run.press("enter")
        assert "Question 2 of 3" in run.text()
        await run.press(*"Black", "enter", "backspace", "e", "enter")
        assert "Baltic" not in run.text()  # another answer is judged again
        await run.press("enter")
        assert "Baltic" in run.text()
    assert [review.outcome for review in kept(session)] == [Outcome.INCORRECT, Outcome.INCORRECT]


ANSWERS = {
    QuestionType.SINGLE: ("a",),
    QuestionType.MULTIPLE: ("a", "down", "down", "down", "space", "enter"),
    QuestionType.SHORT: (*"Baltic", "enter"),
    QuestionType.NUMERIC: (*"3.14", "enter"),
    QuestionType.GAPS: (*"sky", "enter", *"blue", "enter"),
    QuestionType.MATCH: ("a", "b", "enter"),
    QuestionType.ESSAY: (*"Once", "escape", "enter"),
}


@pytest.mark.parametrize("kind", ANSWERS)
async def test_every_type_is_answered_by_keys(tmp_path: Path, kind: QuestionType) -> None:
    session = practice(tmp_path, [every_type()[kind]])
    async with program(tmp_path, practice=session, size=(80, 24)) as run:
        await run.press(*ANSWERS[kind])
        assert ("Answered" if kind is QuestionType.ESSAY else "Correct · 0 s") in run.text()
        await run.press("enter")
        assert "The end of this session" in run.text()
        await run.press("escape")
    assert len(kept(session)) == 1


async def test_letters_are_words_in_a_field_and_commands_with_alt(tmp_path: Path) -> None:
    session = practice(tmp_path, [every_type()[QuestionType.SHORT]])
    async with program(tmp_path, practice=session) as run:
        assert "alt+r show the key  alt+s sure" in run.text()
        await run.press("escape")
        assert " r show the key  s sure" in run.text()
        await run.press("enter", "r", "s", "g", "alt+g", "alt+r")
        for words in ("Incorrect · 0 s · you guessed", "rsg", "Baltic"):
            assert words in run.text()


async def test_an_option_is_chosen_by_the_mouse_and_the_footer_goes_on(tmp_path: Path) -> None:
    session = practice(tmp_path, sums(2))
    async with program(tmp_path, practice=session) as run:
        row = next(n for n, text in enumerate(run.rows()) if "A ( )" in text)
        await run.pilot.click(offset=(10, row))
        await run.settle()
        assert "correct, your answer" in run.text()
        footer = run.rows()[-1]
        await run.pilot.click(offset=(footer.index("next"), len(run.rows()) - 1))
        await run.settle()
        assert "Question 2 of 2" in run.text()


async def test_the_footer_says_what_enter_does_now(tmp_path: Path) -> None:
    async with program(tmp_path, practice=practice(tmp_path, sums(2))) as run:
        told = []
        for key in ("b", "a", "enter", "a", "enter", "a", "enter"):
            told.append(
                next(word for word in ("check", "see the key", "next", "finish") if f" {word} " in run.rows()[-1])
            )
            await run.press(key)
        assert told == ["check", "see the key", "next", "check", "next", "check", "finish"]
        assert "The end of this session" in run.text()
        assert not any(word in run.rows()[-1] for word in ("check", "next", "finish"))
        assert "back" in run.rows()[-1]


async def test_escape_ends_the_session_and_then_leaves(tmp_path: Path) -> None:
    session = practice(tmp_path, sums(3))
    async with program(tmp_path, practice=session, size=(40, 12)) as run:
        await run.press("b", "escape")
        assert "1 incorrect." in run.text()
        await run.press("escape")
        assert not run.app.is_running or run.app.return_code == 0


@pytest.mark.parametrize("size", SIZES)
async def test_the_practice_screen_matches_its_snapshot(tmp_path: Path, size: tuple[int, int]) -> None:
    session = practice(tmp_path, (sums(1)[0], every_type()[QuestionType.GAPS]))
    async with program(tmp_path, practice=session, size=size) as run:
        await run.press("b")
        different = [] if await looks_as_kept(run, "practice") else ["practice"]
        await run.press("g", "a")
        different += [] if await looks_as_kept(run, "practice-key") else ["practice-key"]
    assert not different


@pytest.fixture
def clocks() -> Clocks:
    return Clocks(institute.NOW.timestamp())


@pytest.fixture
def user_deck(tmp_path: Path, clocks: Clocks) -> UserDeck:
    """The deck of the user of the fake institute, with five cards that are due."""
    user = UserDeck(decks(tmp_path / "journals", clocks), FakeLms().origin, institute.ASHA.id, "asha")
    missed = (
        (card, Review(clocks.now() - DAY, Outcome.INCORRECT, Grade.AGAIN, Certainty.SURE, 20, card.subject))
        for card in (*sums(4), *sums(5, subject="Products")[4:])
    )
    user.learn(missed)
    return user


async def test_home_tells_how_many_cards_are_due_and_two_keys_start(tmp_path: Path, user_deck: UserDeck) -> None:
    async with program(tmp_path, school(), home=True, decks=user_deck.decks) as run:
        await run.settle()
        assert "5 due today" in run.text()
        await run.press("p", "enter")
        assert run.screen == "PracticeScreen"
        await run.press("1", "escape", "escape", "escape")
        await run.settle()
        assert run.screen == "HomeScreen"


async def test_a_review_fills_the_deck_and_says_so(tmp_path: Path, clocks: Clocks) -> None:
    every = decks(tmp_path / "journals", clocks)
    async with program(tmp_path, school(), decks=every) as run:
        await run.press("down", "down", "down", "down", "enter")
        await run.settle()
        await run.press("enter")
        await run.until(lambda: "back in practice on later days" in run.notices)
    clocks.later(2 * DAY)
    assert every.count_due(FakeLms().origin, institute.ASHA.id) > 0


async def test_the_deck_shows_a_picture_of_its_card_after_the_cache_and_the_server_have_lost_it(
    tmp_path: Path, clocks: Clocks
) -> None:
    picture, loaded = png("#ff0000"), "https://lms.example.org/map.png"
    (plain,) = sums(1)
    html = "<p><img src='/map.png' alt='a map'></p>"
    card = replace(plain, asked=plain.asked.model_copy(update={"question_html": html}))
    user_deck = UserDeck(decks(tmp_path / "journals", clocks), FakeLms().origin, institute.ASHA.id)
    user_deck.learn([(card, Review(clocks.now() - DAY, Outcome.INCORRECT, Grade.AGAIN))])
    lms = FakeLms()
    lms.pictures = pictures = FakePictures({loaded: picture})
    async with program(tmp_path, lms, home=True, decks=user_deck.decks) as run:
        await run.press("p")
        await run.until(lambda: user_deck.picture("/map.png") == picture)
    pictures.known.clear()
    async with program(tmp_path, lms, home=True, decks=user_deck.decks) as run:
        await run.press("p", "p")
        await run.until(lambda: painted(run) > 0)
    assert pictures.asked == [loaded]


@pytest.mark.parametrize("kind", [QuestionType.SINGLE, QuestionType.SHORT])
async def test_a_long_passage_hides_neither_the_question_nor_the_verdict(tmp_path: Path, kind: QuestionType) -> None:
    plain = every_type()[kind]
    passage = "".join(f"<p>Line {number}.</p>" for number in range(40))
    card = replace(plain, asked=plain.asked.model_copy(update={"direction": passage}), explanation_html="<p>So.</p>")
    session = practice(tmp_path, [sums(1)[0], card])
    async with program(tmp_path, practice=session, size=(80, 24)) as run:
        await run.press("a", "enter")
        assert plain.words in run.text()
        assert "Line 39." in run.text()
        await run.press("escape" if kind is QuestionType.SHORT else "down", "r")
        for words in ("left out", plain.words, "So.", "Passage"):
            assert words.casefold() in run.text().casefold()


async def test_a_result_leads_to_practice_with_what_was_not_known(tmp_path: Path, clocks: Clocks) -> None:
    async with program(tmp_path, school(), decks=decks(tmp_path / "journals", clocks)) as run:
        await run.press("down", "down", "down", "down", "enter")
        await run.settle()
        await run.press("m")
        assert run.screen == "PracticeScreen"


async def test_practice_from_a_result_keeps_what_was_not_known_also_if_it_ends_early(
    tmp_path: Path, clocks: Clocks
) -> None:
    every = decks(tmp_path / "journals", clocks)
    async with program(tmp_path, school(), decks=every) as run:
        await run.press("down", "down", "down", "down", "enter")
        await run.settle()
        await run.press("m", "escape", "escape")
        await run.settle()
    clocks.later(2 * DAY)
    assert every.count_due(FakeLms().origin, institute.ASHA.id) > 0


async def test_cards_are_found_rested_reset_and_removed(tmp_path: Path, user_deck: UserDeck) -> None:
    async with program(tmp_path, home=True, decks=user_deck.decks) as run:
        await run.press("p", "/")
        await run.type("products")
        await run.press("enter")
        assert "1 card " in run.text()
        await run.press("x")
        assert "resting" in run.text()
        await run.press("u")
        assert "1 resting" not in run.words
        await run.press("delete")
        assert "It comes back if you miss this question again." in run.text()
        await run.press("tab", "enter")
        await run.press("escape")
        assert "4 cards" in run.text()


async def test_a_drill_is_chosen_from_a_list(tmp_path: Path, user_deck: UserDeck) -> None:
    async with program(tmp_path, home=True, decks=user_deck.decks) as run:
        await run.press("p", "d", "down", "enter")
        await run.settle()
        assert run.screen == "PracticeScreen"
        assert "10:00 left" in run.text()


@pytest.mark.usefixtures("utc")
@pytest.mark.parametrize("size", SIZES)
async def test_the_deck_screen_matches_its_snapshot(tmp_path: Path, user_deck: UserDeck, size: tuple[int, int]) -> None:
    async with program(tmp_path, home=True, decks=user_deck.decks, size=size) as run:
        await run.press("p")
        assert await looks_as_kept(run, "deck")
