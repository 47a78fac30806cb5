"""A session of practice as a dialogue of lines."""

from collections.abc import Sequence
from contextlib import closing
from random import Random
from typing import TYPE_CHECKING, Final

from lms_tui.common.user_errors import AdvisedError
from lms_tui.plain import sentences, typed_lines
from lms_tui.plain.line_io import InputEndedError, LineIO
from lms_tui.plain.passages import passage
from lms_tui.plain.review import reviewed
from lms_tui.plain.speech import to_speech
from lms_tui.plain.typed_lines import Choice, Command, EssayBegun, Order, UnknownLine, Written
from lms_tui.practice.drills import Drill
from lms_tui.practice.grading import Certainty
from lms_tui.practice.session import Stage, Turn
from lms_tui.views import practising as present
from lms_tui.views.answers import AnswerForm, AnswerMode, form_of
from lms_tui.views.answers import written as text_of
from lms_tui.views.deck import certain_words, fact_words, facts_of, topic_words
from lms_tui.views.format import counted
from lms_tui.views.missed import answers_of
from lms_tui.wire.attempts import Attempt, ReviewQuestion
from lms_tui.wire.question_types import QuestionType, label_of

if TYPE_CHECKING:
    from lms_tui.practice.decks import UserDeck
    from lms_tui.practice.run import PracticeRun

_SURE: Final = {"sure": Certainty.SURE, "think": Certainty.THINK, "think so": Certainty.THINK, "guess": Certainty.GUESS}
_HELP: Final = (
    "Type your answer. You see at once whether it is correct, and can answer again.",
    "An empty line shows the correct answer, and then the next question or the end.",
    "sure, think or guess: how certain you are, before or after the answer.",
    "Type check to judge an answer with several parts, read to read the question again, or quit to end the session.",
)


class PracticeDialogue:
    def __init__(self, io: LineIO, run: "PracticeRun") -> None:
        self._io = io
        self._run = run

    async def run(self) -> None:
        """Ask until every question is known, or until the student leaves."""
        self._io.say(f"{self._run.title}. Practice is not scored, and nothing is sent. Type ? for help.")
        try:
            await self._converse()
        except InputEndedError:
            self._run.end()
            raise
        finally:
            self._io.say("", *present.summary(self._run.session, self._run.added))

    async def _converse(self) -> None:
        asked = -1
        while (turn := self._run.turn) is not None:
            if asked != (asked := len(self._run.session.done)):
                self._ask(turn)
            line = (await self._io.ask("> ")).strip()
            try:
                await self._obey(line, turn)
            except AdvisedError as error:  # a full disk must not end the session
                self._io.say(f"{error} {error.advice}")

    async def _obey(self, line: str, turn: Turn) -> None:
        word = line.casefold()
        if word in _SURE:
            self._run.certain(_SURE[word])
            told = self._run.turn.certainty if self._run.turn else Certainty.NONE
            said = "Noted." if told else "Taken back." if turn.certainty else "There is no answer to be sure of."
            self._io.say(said)
        elif word in {"quit", "q"}:
            self._run.end()
        elif word in {"?", "help"}:
            self._io.say(*_HELP)
        elif word in {"read", "r"}:
            self._ask(turn)
        elif not word and turn.stage is Stage.SHOWN:
            self._run.next()
        elif not word:
            self._run.reveal()
            self._tell()
        elif word == "check":
            self._judge()
        else:
            await self._answer(line, turn)

    async def _answer(self, line: str, turn: Turn) -> None:
        if turn.stage is Stage.SHOWN:
            self._io.say(f"The answer is shown. {self._how_to_go_on}")
            return
        form = self._form(turn)
        meaning = typed_lines.understood(line, kind=turn.card.kind, options=len(form.choices))
        match meaning:
            case Choice(places=places):
                chosen = {turn.card.options.index(option) for option in turn.answer.selected}
                for place in places if turn.card.kind != QuestionType.MULTIPLE else chosen ^ set(places):
                    self._run.choose(place)
                self._judge()
            case Written(field=field, text=text) if field in form.fields:
                self._run.write(field, typed_lines.sent_for(text, form.texts) if form.texts else text)
                self._judge_when_complete(form)
            case Written():
                self._io.say(f"The gaps are {', '.join(form.fields)}.")
            case EssayBegun():
                await self._essay()
            case UnknownLine(why=why):
                self._io.say(why)
            case Command(order=Order.OPTIONS):
                self._io.say(*sentences.options(present.item_of(turn), form))
            case _:
                self._io.say("This command is for exams. Type ? for help.")

    async def _essay(self) -> None:
        self._io.say("Write. A line with only a full stop finishes.")
        lines: list[str] = []
        while (line := await self._io.ask("", indented=True)).strip() != ".":
            lines.append(line)
        self._run.write("essay_text", "\n".join(lines))
        self._judge()

    def _judge_when_complete(self, form: AnswerForm) -> None:
        turn = self._run.turn
        if turn is None or all(text_of(turn.answer, field).strip() for field in form.fields):
            self._judge()
        else:
            missing = [field for field in form.fields if not text_of(turn.answer, field).strip()]
            self._io.say(f"Still empty: {', '.join(missing)}. Type check to judge it with these parts empty.")

    def _judge(self) -> None:
        self._run.submit()
        turn = self._run.turn
        if turn is not None and turn.latest is None:
            self._io.say("There is no answer yet.")
        elif turn is not None and turn.stage is Stage.MISSED:
            self._io.say(f"{present.verdict(turn)[0]}. Answer again, or press enter to see the correct answer.")
        else:
            self._tell()

    def _tell(self) -> None:
        """Say the verdict, the key and the explanation."""
        turn = self._run.turn
        if turn is None:
            return
        question = present.reviewed(turn, len(self._run.session.done) + 1)
        body = question.question.model_copy(update={"question_html": ""})
        shown = reviewed(question.model_copy(update={"question": body}))[1:]
        self._io.say(f"{present.verdict(turn)[0]}.", *shown, self._how_to_go_on)

    @property
    def _how_to_go_on(self) -> str:
        return "Press enter for the next question." if self._run.has_next else "Press enter to finish."

    def _ask(self, turn: Turn) -> None:
        card, form, item = turn.card, self._form(turn), present.item_of(turn)
        head = [present.place_words(self._run.session), card.subject, label_of(card.kind).capitalize()]
        lines = [" ".join(f"{part}." for part in head if part), *passage(card.asked.direction)]
        lines += [*to_speech(card.asked.question_html), *sentences.options(item, form)]
        how = "" if form.mode is AnswerMode.SHOWN else typed_lines.how_to_answer(card.kind, len(form.choices))
        self._io.say("", *lines, how or "Press enter to see the correct answer.")

    def _form(self, turn: Turn) -> AnswerForm:
        return form_of(turn.card.kind, turn.card.asked)


async def practise(io: LineIO, user_deck: "UserDeck") -> list[str]:
    """Let the student choose a drill, and practise it. Return what to say at the end."""
    try:
        with closing(user_deck.open()) as deck:
            facts = facts_of(deck, user_deck.decks.now())
        io.say("", *fact_words(facts), *certain_words(facts), *topic_words(facts))
        if not facts.cards:
            return []
        drills = list(Drill)
        io.say(*(f"{number}. {drill.value}" for number, drill in enumerate(drills, 1)))
        line = await io.ask("A number, or enter to go back: ")
        if not (line.isdecimal() and 0 < int(line) <= len(drills)):
            return []
        run = user_deck.start(drills[int(line) - 1], Random())
        with closing(run.deck):
            if run.turn is None:
                return ["There is no such card."]
            await PracticeDialogue(io, run).run()
    except AdvisedError as error:
        return [f"{error} {error.advice}"]
    return []


def learnt(user_deck: "UserDeck", attempt: Attempt, questions: Sequence[ReviewQuestion]) -> list[str]:
    """Keep the answers of a review in the deck. Return what to say of it."""
    try:
        added = user_deck.learn(answers_of(attempt, questions, user_deck.decks.now()))
    except AdvisedError as error:
        return [f"{error} {error.advice}"]
    return (
        [f"{counted(added, 'question')} added to your deck. Type p in the list of exams to practise."] if added else []
    )
