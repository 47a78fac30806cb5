"""One sitting of practice: the questions in turn, the answers and what they earned (pure)."""

from collections.abc import Iterable, Sequence
from dataclasses import field, replace
from enum import Enum

from lms_tui.attempt.values import Answer
from lms_tui.banks.scoring import Outcome
from lms_tui.common.frozen import frozen
from lms_tui.practice.cards import Card
from lms_tui.practice.grading import Certainty
from lms_tui.wire.question_types import QuestionType


class Stage(Enum):
    """MISSED: the last answer was not correct, and another one can be given. SHOWN: the key is on the screen."""

    ASKED = "asked"
    MISSED = "missed"
    SHOWN = "shown"


@frozen
class Asked:
    """A card to ask. `card_id`: its ID in the deck, 0 if it is not in the deck."""

    card: Card
    card_id: int = 0


@frozen
class Turn:
    """A question on the screen. `first`: the outcome of the first answer, which alone counts.

    `seconds`: the time until the first answer. `judged`: the answer that was judged last.
    """

    asked: Asked
    answer: Answer = field(default_factory=Answer)
    certainty: Certainty = Certainty.NONE
    stage: Stage = Stage.ASKED
    first: Outcome | None = None
    latest: Outcome | None = None
    seconds: float = 0.0
    judged: Answer | None = None

    @property
    def card(self) -> Card:
        return self.asked.card

    @property
    def stands_missed(self) -> bool:
        """Whether the answer has been judged as not correct and has not been changed since."""
        return self.stage is Stage.MISSED and self.answer == self.judged

    def choose(self, place: int) -> "Turn":
        """Choose an option, or take it back where several can be chosen."""
        options, before = self.card.options, self.answer.selected
        if self.stage is Stage.SHOWN or not 0 <= place < len(options):
            return self
        option = options[place]
        if self.card.kind != QuestionType.MULTIPLE:
            return self._with(replace(self.answer, selected=(option,)))
        kept = tuple(each for each in before if each != option)
        return self._with(replace(self.answer, selected=kept if option in before else (*before, option)))

    def write(self, name: str, text: str) -> "Turn":
        """Write the answer, or the text of the gap with this number."""
        if self.stage is Stage.SHOWN:
            return self
        match name:
            case "short_text":
                answer = replace(self.answer, short_text=text)
            case "essay_text":
                answer = replace(self.answer, essay_text=text)
            case "essay_topic":
                answer = replace(self.answer, essay_topic=text)
            case _:
                answer = replace(self.answer, gaps=tuple(({**dict(self.answer.gaps), name: text}).items()))
        return self._with(answer)

    def _with(self, answer: Answer) -> "Turn":
        return replace(self, answer=answer)

    def judge(self, seconds: float) -> "Turn":
        """Judge the answer. A correct one shows the key, and so does one that only a person can mark."""
        if self.stage is Stage.SHOWN or not self.answer.given:
            return self
        found = self.card.outcome(self.answer)
        missed = found in {Outcome.INCORRECT, Outcome.PARTIAL}
        stage = Stage.MISSED if missed else Stage.SHOWN
        return replace(self._counted(found, seconds), stage=stage, latest=found, judged=self.answer)

    def with_certainty(self, certainty: Certainty) -> "Turn":
        """Tell the certainty, or take it back. An answer that was left out has none."""
        if self.first is Outcome.UNANSWERED:
            return self
        return replace(self, certainty=Certainty.NONE if certainty is self.certainty else certainty)

    def reveal(self, seconds: float) -> "Turn":
        """Show the key. An answer that was not judged yet is judged. Without one, the question is left out."""
        if self.answer.given and self.first is None:
            return replace(self.judge(seconds), stage=Stage.SHOWN)
        return replace(self._counted(Outcome.UNANSWERED, seconds), stage=Stage.SHOWN)

    def _counted(self, found: Outcome, seconds: float) -> "Turn":
        if self.first is not None:
            return self
        certainty = Certainty.NONE if found is Outcome.UNANSWERED else self.certainty
        return replace(self, first=found, latest=found, seconds=seconds, certainty=certainty)


@frozen
class Session:
    """`waiting`: what is still to be asked. `done`: the turns that are over. `turn` None: the session has ended."""

    turn: Turn | None
    waiting: tuple[Asked, ...] = ()
    done: tuple[Turn, ...] = ()

    @classmethod
    def of(cls, cards: Iterable[Asked]) -> "Session":
        waiting = tuple(cards)
        return cls(Turn(waiting[0]) if waiting else None, waiting[1:])

    @property
    def left(self) -> int:
        return len(self.waiting) + (self.turn is not None)

    def with_turn(self, turn: Turn) -> "Session":
        return replace(self, turn=turn)

    def next(self) -> "Session":
        """Ask the next question. A question that was not known comes again at the end."""
        if self.turn is None:
            return self
        known = self.turn.first in {Outcome.CORRECT, Outcome.UNSCORED}
        again = () if known else (self.turn.asked,)
        rest = (*self.waiting, *again)
        return Session(Turn(rest[0]) if rest else None, rest[1:], (*self.done, self.turn))

    def end(self) -> "Session":
        """End now. A question without an answer is not counted."""
        judged = (self.turn,) if self.turn is not None and self.turn.first is not None else ()
        return Session(None, (), (*self.done, *judged))

    def outcomes(self) -> Sequence[Outcome]:
        """Return the first outcome of each different question."""
        found: dict[str, Outcome] = {}
        for turn in self.done:
            if turn.first is not None:
                found.setdefault(turn.card.digest, turn.first)
        return tuple(found.values())
