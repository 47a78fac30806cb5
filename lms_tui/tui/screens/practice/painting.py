"""The texts of the widgets of practice for one turn."""

from lms_tui.practice.session import Stage, Turn
from lms_tui.tui.widgets.question import QuestionState
from lms_tui.views import practising as present
from lms_tui.views.answers import AnswerForm, AnswerMode, chosen_of, matched_of
from lms_tui.views.answers import written as text_of
from lms_tui.views.glyphs import Glyphs
from lms_tui.views.question_layout import GapTexts
from lms_tui.wire.question_types import QuestionType, label_of


def question_state(
    turn: Turn, form: AnswerForm, place: str, reveal_key: str, cursor: int, glyphs: Glyphs
) -> QuestionState:
    """Return the answer, the title and the verdict of a question without its key."""
    told = "" if turn.card.kind == QuestionType.SINGLE else label_of(turn.card.kind)
    parts = (place, turn.card.subject, told, turn.certainty.value)
    verdict = present.verdict(turn)[0]
    return QuestionState(
        chosen=chosen_of(form, present.item_of(turn)),
        cursor=cursor,
        title=f" {glyphs.dot} ".join(part for part in parts if part),
        note=f"{verdict}. {reveal_key} shows the key" if verdict else "",
        matched=matched_of(form, turn.answer) if form.mode is AnswerMode.MATCH else (),
    )


def gap_texts(turn: Turn, form: AnswerForm, active: str) -> GapTexts | None:
    """Return the texts in the gaps of a question, None for a question without gaps."""
    if form.mode is not AnswerMode.GAPS:
        return None
    texts = tuple((int(name), text_of(turn.answer, name)) for name in form.fields)
    return GapTexts(tuple(each for each in texts if each[1]), int(active))


def idle_commands(turn: Turn | None, form: AnswerForm) -> tuple[str, ...]:
    """Return the commands that do nothing now."""
    if turn is None:
        return ("check", "choose", "reveal", "sure", "think_so", "guess")
    if turn.stage is Stage.SHOWN:
        return ("choose", "reveal")
    return () if form.mode in {AnswerMode.CHOOSE, AnswerMode.MATCH} else ("choose",)


def check_label(turn: Turn | None, *, has_next: bool) -> str:
    """Return what the key does that judges the answer. `has_next`: a question follows this one."""
    if turn is None or turn.stage is not Stage.SHOWN:
        return "see the key" if turn is not None and turn.stands_missed else "check"
    return "next" if has_next else "finish"
