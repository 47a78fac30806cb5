"""How answers change: by the student, by undo, and by another device (pure)."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from lms_tui.attempt.events import (
    Attached,
    Chose,
    ChoseOther,
    Cleared,
    Foreign,
    Marked,
    Struck,
    Toggled,
    Visited,
    Wrote,
)
from lms_tui.attempt.values import Answer, Item
from lms_tui.wire.question_types import CHOICE_TYPES, QuestionType

if TYPE_CHECKING:
    from lms_tui.attempt.session import Session

UNDO_DEPTH: Final = 200
Edit = Chose | Toggled | Cleared | Marked | Struck | Wrote | Attached | ChoseOther


def with_item(session: "Session", item: Item, **changes: Any) -> "Session":
    place = session.places[item.question_id]
    items = (*session.items[:place], item, *session.items[place + 1 :])
    return replace(session, items=items, **changes)


def _changed(session: "Session", item: Item, answer: Answer, *, visit_only: bool = False) -> "Session":
    """Record a new answer as the next change. The same answer is no change."""
    if answer == item.answer:
        return session
    sequence = session.sequence + 1
    visit_only = visit_only and (item.visit_only or not item.unsent)
    changed = replace(
        item, answer=answer, latest=sequence, refused="", other_answer=None, theirs=False, visit_only=visit_only
    )
    undo = session.undo if visit_only else (*session.undo, (item.question_id, item.answer))[-UNDO_DEPTH:]
    return with_item(session, changed, sequence=sequence, undo=undo, lost_there=session.lost_there if visit_only else 0)


def visited(session: "Session", event: Visited) -> "Session":
    place = session.places.get(event.question_id)
    if place is None:
        return session
    session = replace(session, current=place)
    item = session.items[place]
    if item.answer.visited or not session.open_to_change(item):
        return session
    return _changed(session, item, replace(item.answer, review=False), visit_only=True)


def _picked(item: Item, option_id: int, *, take_back: bool) -> tuple[int, ...]:
    chosen = item.answer.selected
    if item.kind == QuestionType.MULTIPLE:
        picked = {*chosen, option_id} if option_id not in chosen else set(chosen) - {option_id}
        # An ID that this client does not know is kept as the server sent it.
        return tuple(o for o in item.options if o in picked) + tuple(o for o in chosen if o not in item.options)
    if option_id in chosen:
        return () if take_back else chosen
    return (option_id,)


def _written(answer: Answer, event: Wrote) -> Answer:
    match event.field:
        case "short_text":
            return replace(answer, short_text=event.text)
        case "essay_text":
            return replace(answer, essay_text=event.text)
        case "essay_topic":
            return replace(answer, essay_topic=event.text)
        case order:
            return replace(answer, gaps=tuple((dict(answer.gaps) | {order: event.text}).items()))


def edited(session: "Session", item: Item, event: Edit) -> "Session":  # noqa: PLR0911 - one return an event, read as a table
    answer = replace(item.answer, review=bool(item.answer.review))
    match event:
        case Chose(option_id=option) | Toggled(option_id=option):
            if option not in item.options or item.kind not in CHOICE_TYPES:
                return session
            selected = _picked(item, option, take_back=isinstance(event, Toggled))
            struck = item.struck - set(selected)
            return _changed(session, replace(item, struck=struck), replace(answer, selected=selected))
        case Struck(option_id=option):
            if option not in item.options:
                return session
            return with_item(session, replace(item, struck=item.struck ^ {option}))
        case Cleared():
            return _changed(session, item, Answer(review=answer.review))
        case Marked():
            return _changed(session, item, replace(answer, review=not item.answer.marked))
        case Wrote():
            return _changed(session, item, _written(answer, event))
        case Attached(files=files):
            return _changed(
                session, item, replace(answer, gaps=tuple((str(n), text) for n, text in enumerate(files, 1)))
            )
        case ChoseOther():
            return _other_chosen(session, item)


def _other_chosen(session: "Session", item: Item) -> "Session":
    if item.other_answer is None:
        return session
    changed = _changed(session, item, replace(item.other_answer, review=bool(item.other_answer.review)))
    chosen = changed.items[session.places[item.question_id]]
    return with_item(changed, replace(chosen, other_answer=item.answer))


def undone(session: "Session") -> "Session":
    """Undo the last change of an answer."""
    if not session.undo:
        return session
    question_id, before = session.undo[-1]
    item = session.find(question_id)
    rest = session.undo[:-1]
    if item is None or not session.open_to_change(item):
        return replace(session, undo=rest)
    before = replace(before, review=bool(before.review))
    earlier = _changed(session, item, before)
    return replace(earlier, undo=rest, current=session.places[question_id])


def foreign(session: "Session", item: Item, event: Foreign) -> "Session":
    """Show the answer of another device in place of ours or beside it. Undo restores ours as a new change."""
    if not event.taken:
        return with_item(session, replace(item, other_answer=event.answer))
    ours_again = item.theirs and item.other_answer is not None and item.other_answer.same_as(event.answer)
    ours = item.other_answer if item.theirs or item.visit_only else item.answer
    taken = replace(
        item,
        answer=event.answer,
        other_answer=item.answer if ours_again else ours,
        theirs=not ours_again,
        here=item.here if event.saved else -1,
        there=item.latest,
        refused="",
        visit_only=False,
    )
    undo = (*session.undo, (item.question_id, item.answer))[-UNDO_DEPTH:]
    return with_item(session, taken, undo=undo)
