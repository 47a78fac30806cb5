"""The deck of a student: what is due, how sure and how correct answers were, and each card (pure)."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Final

from lms_tui.banks.scoring import Outcome
from lms_tui.common.frozen import frozen
from lms_tui.practice.cards import Card
from lms_tui.practice.decks import UserDeck
from lms_tui.practice.drills import DAY, Topic, topics
from lms_tui.practice.grading import Certainty
from lms_tui.practice.schedule import end_of_day
from lms_tui.practice.store import Deck, Review, Row
from lms_tui.views import charts
from lms_tui.views import format as say
from lms_tui.views.rows import EMPTY, padded, row, strong, wrapped
from lms_tui.views.rows import Row as Line

if TYPE_CHECKING:
    from lms_tui.views.ports import Dependencies, UserSession

_TOPICS: Final = 6
_DUE: Final = 11
"""Cells of the words that say when a card is due."""
_SUBJECT: Final = 14
_NAME, _TOLD = 17, 14
"""Cells of the name of a topic, and of its numbers."""
_SAID: Final = {
    Certainty.SURE: lambda count: f"{say.counted(count, 'answer')} that you were sure of",
    Certainty.THINK: lambda count: f"{say.counted(count, 'answer')} that you thought correct",
    Certainty.GUESS: lambda count: say.counted(count, "guess", "guesses"),
}
_WORDS: Final = {Certainty.SURE: "sure", Certainty.THINK: "think so", Certainty.GUESS: "guess"}


@frozen
class Certain:
    """The answers of one certainty."""

    certainty: Certainty
    answers: int
    correct: int


@frozen
class DeckFacts:
    """`streak`: days in a row with practice, today or until yesterday."""

    due: int = 0
    cards: int = 0
    resting: int = 0
    week: int = 0
    streak: int = 0
    certain: tuple[Certain, ...] = ()
    topics: tuple[Topic, ...] = ()


def deck_of(dependencies: "Dependencies", session: "UserSession") -> UserDeck | None:
    """Return the deck of the signed-in user, None where there is no practice. Creates no file."""
    if dependencies.decks is None:
        return None
    return UserDeck(dependencies.decks(), session.lms.origin, session.user.id, session.user.username)


def facts_of(deck: Deck, now: float) -> DeckFacts:
    rows, reviews = deck.rows(), deck.reviews()
    until = end_of_day(now)
    own = [review for review in reviews if not review.source]
    return DeckFacts(
        due=sum(row.due <= until and not row.suspended for row in rows),
        cards=len(rows),
        resting=sum(row.suspended for row in rows),
        week=sum(row.due <= until + 7 * DAY and not row.suspended for row in rows),
        streak=streak(own, now),
        certain=calibration(own),
        topics=topics(reviews)[:_TOPICS],
    )


def streak(reviews: Iterable[Review], now: float) -> int:
    """Return how many days in a row have practice, up to today or yesterday."""
    days = {_day(review.at) for review in reviews}
    day = _day(now)
    day = day if day in days else day - timedelta(days=1)
    count = 0
    while day in days:
        count, day = count + 1, day - timedelta(days=1)
    return count


def _day(at: float) -> date:
    return datetime.fromtimestamp(at).astimezone().date()


def calibration(reviews: Sequence[Review]) -> tuple[Certain, ...]:
    """Return how many answers of each certainty were correct."""
    found = []
    for certainty in _WORDS:
        told = [review for review in reviews if review.certainty is certainty]
        if told:
            found.append(Certain(certainty, len(told), sum(r.outcome is Outcome.CORRECT for r in told)))
    return tuple(found)


def fact_words(facts: DeckFacts) -> list[str]:
    """Return the numbers of the deck as sentences."""
    if not facts.cards:
        return ["Your deck is empty. Questions that you do not know in a practice or a review come into it."]
    due = f"{say.counted(facts.due, 'card')} due today" if facts.due else "Nothing is due today"
    resting = f", {facts.resting} resting" if facts.resting else ""
    lines = [f"{due}. {facts.week} due within a week, {say.counted(facts.cards, 'card')} in all{resting}."]
    return [*lines, f"You practised on {facts.streak} days in a row."] if facts.streak > 1 else lines


def certain_words(facts: DeckFacts) -> list[str]:
    """`Of 20 answers that you were sure of, 14 were correct.`"""
    lines = []
    for each in facts.certain:
        were = "was" if each.correct == 1 else "were"
        lines.append(f"Of {_SAID[each.certainty](each.answers)}, {each.correct} {were} correct.")
    return lines


def topic_words(facts: DeckFacts) -> list[str]:
    return [f"{topic.name}: {topic.correct} of {topic.answers} correct." for topic in facts.topics]


def fact_rows(facts: DeckFacts, room: int) -> list[Line]:
    """Return the numbers of the deck, the calibration chart and the topics."""
    rows = [line for text in fact_words(facts) for line in wrapped(text, room)]
    if facts.certain:
        rows += [EMPTY, row(strong("How sure, how correct", "title"))]
        for each in facts.certain:
            told = f"{each.correct} of {each.answers}"
            rows.append(charts.labelled_bar(_WORDS[each.certainty], each.correct, each.answers, told, room, "accent"))
    if facts.topics:
        rows += [EMPTY, row(strong("Your topics, the weakest first", "title"))]
        for topic in facts.topics:
            told = f"{topic.correct} of {topic.answers}"
            bar = charts.bar(topic.correct, topic.answers, max(4, room - _NAME - _TOLD), look="good")
            rows.append(row((padded(topic.name, _NAME), "dim"), *bar, f"  {told}"))
    return rows


def due_words(card: Row, now: float) -> str:
    """`today`, `tomorrow`, `in 5 days` or `resting`."""
    if card.suspended:
        return "resting"
    days = (_day(card.due) - _day(now)).days
    return "today" if days <= 0 else "tomorrow" if days == 1 else f"in {days} days"


def card_row(card: Row, room: int, now: float) -> Line:
    """One card of the list: when it is due, its subject and its first words."""
    due = due_words(card, now)
    look = "warning" if due == "today" else "dim"
    subject = _SUBJECT if room >= 2 * (_DUE + _SUBJECT) else 0
    words = padded(card.words, max(1, room - _DUE - subject))
    return row((padded(due, _DUE), look), (f"{padded(card.subject, subject - 1)} " if subject else "", "dim"), words)


def card_rows(card: Row, content: Card | None, room: int, now: float) -> list[Line]:
    """Return a card without its key."""
    rows = wrapped(content.words if content else card.words, room)
    about = " · ".join(part for part in (card.subject, card.exam, due_words(card, now)) if part)
    return [*wrapped(about, room, "dim"), EMPTY, *rows]
