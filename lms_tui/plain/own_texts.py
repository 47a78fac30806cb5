"""The student's own texts in the dialogue: notes, the scratchpad and highlights."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from lms_tui.attempt.desk import SCRATCHPAD, note_of
from lms_tui.attempt.values import Item
from lms_tui.common.cleaning import clean_line
from lms_tui.plain import sentences
from lms_tui.plain.typed_lines import Jotting, Order
from lms_tui.views.format import counted
from lms_tui.views.highlights import WordText, texts_of

if TYPE_CHECKING:
    from lms_tui.attempt.keeper import Keeper


class OwnTexts:
    """Each call returns the lines to say."""

    def __init__(self, keeper: "Keeper") -> None:
        self._keeper = keeper
        self._desk = keeper.desk

    def noted(self, item: Item) -> bool:
        return bool(self._desk.text(note_of(item.question_id)))

    def remarks(self, item: Item) -> list[str]:
        """Tell what there is at a question."""
        note = ["You have a note: type note."] if self.noted(item) else []
        return [*note, *highlighted(self._texts(item), self._desk.text)]

    def read(self, order: Order, item: Item) -> list[str]:
        """Read the note of a question, or the scratchpad."""
        return sentences.jotted(order, self._desk.text(_name(order, item)))

    def jot(self, item: Item, typed: Jotting) -> list[str]:
        """Add a line to a note or to the scratchpad, or replace its text."""
        name = _name(typed.order, item)
        before = "" if typed.replaces else self._desk.text(name)
        if self._keeper.session.read_only:
            return [self._keeper.session.read_only]
        self._desk.keep(name, f"{before}\n{typed.text}" if before else typed.text)
        kept = "Saved on this computer." if self._desk.kept(name) else "Not saved on this computer yet."
        return [f"{sentences.JOTTINGS[typed.order]}{'' if typed.text else ' removed'}. {kept}"]

    def highlight(self, item: Item, phrase: str) -> list[str]:
        """Highlight these words everywhere, or remove their highlights. Without words, list what is highlighted."""
        texts, phrase = self._texts(item), phrase.strip("\"“”' ")
        if not phrase:
            nothing = "Nothing is highlighted. To highlight: highlight and the words."
            return highlighted(texts, self._desk.text) or [nothing]
        if self._keeper.session.read_only:
            return [self._keeper.session.read_only]
        said = [line for text in texts for line in self._toggled(text, phrase)]
        return said or [f"The words “{clean_line(phrase)[:60]}” are not in this question."]

    def _toggled(self, text: WordText, phrase: str) -> list[str]:
        if not (places := text.places_of(phrase)):
            return []
        self._desk.keep(text.name, text.toggled(self._desk.text(text.name), places))
        lit = text.covers(self._desk.text(text.name), places[0])
        return [f"{'H' if lit else 'No longer h'}ighlighted in the {_kind(text)}, {counted(len(places), 'place')}."]

    def _texts(self, item: Item) -> tuple[WordText, ...]:
        body = self._keeper.question(item.question_id).question
        return texts_of(item.question_id, body.direction, body.question_html)


def highlighted(texts: Sequence[WordText], desk: Callable[[str], str]) -> list[str]:
    """Tell the highlighted words of texts. `desk` returns a text of the student's own by its name."""
    found = Counter(
        (_kind(text), clean_line(text.phrase(chosen))) for text in texts for chosen in text.ranges(desk(text.name))
    )
    return [
        f"Highlighted in the {kind}{f', {places} places' if places > 1 else ''}: {words}"
        for (kind, words), places in found.items()
    ]


def _name(order: Order, item: Item) -> str:
    """Return the name on the desk of the note of a question, or of the scratchpad."""
    return SCRATCHPAD if order is Order.SCRATCH else note_of(item.question_id)


def _kind(text: WordText) -> str:
    return "question" if text.question_id else "passage"
