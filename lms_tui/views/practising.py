"""The parts of a session of practice: the question, the verdict and the end (pure)."""

from collections import Counter
from typing import Final

from lms_tui.attempt.values import Item
from lms_tui.banks.scoring import Outcome
from lms_tui.content.model import MathsStyle
from lms_tui.practice.grading import Certainty, is_slow
from lms_tui.practice.session import Session, Turn
from lms_tui.views import format as say
from lms_tui.views.review import html_rows, question_rows
from lms_tui.views.rows import EMPTY, Row, strong, wrapped
from lms_tui.wire.attempts import ReviewQuestion

_WORDS: Final = {
    Outcome.CORRECT: ("correct", "good"),
    Outcome.PARTIAL: ("partly correct", "warning"),
    Outcome.INCORRECT: ("incorrect", "bad"),
    Outcome.UNANSWERED: ("left out", "dim"),
    Outcome.UNSCORED: ("answered", "accent"),
}
_SURE: Final = {
    Certainty.SURE: "you were sure",
    Certainty.THINK: "you thought so",
    Certainty.GUESS: "you guessed",
}


def item_of(turn: Turn, number: int = 1) -> Item:
    """Return the question as the widgets and sentences of an exam take it."""
    card = turn.card
    return Item(number, number, card.kind, card.options, subject=card.subject, answer=turn.answer)


def reviewed(turn: Turn, number: int = 1) -> ReviewQuestion:
    """Return the question with its key, the answer and the own time."""
    return turn.card.reviewed(turn.answer, turn.latest or Outcome.UNANSWERED, turn.seconds, number)


def place_words(session: Session) -> str:
    """`Question 3 of 12`, where a repeated question counts again."""
    done = len(session.done)
    return f"Question {min(done + 1, done + session.left)} of {done + session.left}"


def verdict(turn: Turn) -> tuple[str, str]:
    """Return the outcome of the latest answer in words, and its look. ("", "base") before the first answer."""
    if turn.latest is None:
        return "", "base"
    words, look = _WORDS[turn.latest]
    told = [words.capitalize(), say.seconds(round(turn.seconds))]
    if turn.latest is not turn.first and turn.first is not None:
        told = [words.capitalize(), f"first answer {_WORDS[turn.first][0]}", *told[1:]]
    told += ["slow"] if is_slow(turn.seconds, turn.card.usual) else []
    told += [_SURE[turn.certainty]] if turn.certainty in _SURE else []
    return " · ".join(told), look


def key_rows(turn: Turn, number: int, room: int, style: MathsStyle) -> list[Row]:
    """Return the verdict, the question with its key, the own time, the explanation, and below them the passage."""
    words, look = verdict(turn)
    question = reviewed(turn, number)
    passage = (question.question.direction or "").strip()
    body = question.question.model_copy(update={"direction": None})
    told = question_rows(question.model_copy(update={"question": body}), room, style)[2:]
    rows = [*wrapped(words, room, look), EMPTY, *told]
    below = [EMPTY, (strong("Passage", "title"),), *html_rows(passage, room, style)] if passage else []
    return [*rows, *below]


def summary(session: Session, added: int) -> list[str]:
    """Return the sentences at the end of a session."""
    found = Counter(session.outcomes())
    if not found:
        return ["Nothing was answered."]
    counts = [f"{found[outcome]} {words}" for outcome, (words, _) in _WORDS.items() if found[outcome]]
    lines = [f"{', '.join(counts)}. Practice is not scored."]
    if added:
        lines.append(f"{say.counted(added, 'question')} added to your deck. The first day of practice is tomorrow.")
    return lines
