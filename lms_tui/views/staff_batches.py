"""Batches (pure)."""

from typing import Final

from lms_tui.common.cleaning import clean_line
from lms_tui.views import format as say
from lms_tui.views import forms
from lms_tui.views.forms import FieldSpec
from lms_tui.views.listing import Column, heading_row, line_row
from lms_tui.views.rows import EMPTY, Row, pairs, row, strong, wrapped
from lms_tui.wire.batches import Batch

_COLUMNS: Final = (Column("number", 6, 40, right=True), Column("made", 12, 30, right=True))


def heading(room: int) -> Row:
    return heading_row("Batch", _COLUMNS, room)


def line(batch: Batch, room: int) -> Row:
    return line_row(batch.name, (str(batch.id), say.day(batch.created)), _COLUMNS, room)


def details(batch: Batch, room: int) -> list[Row]:
    facts = [("number", str(batch.id)), ("made", say.day(batch.created)), ("changed", say.day(batch.modified))]
    words = "Accounts and posts name it to belong to it."
    return [row(strong(clean_line(batch.name))), EMPTY, *pairs(facts, room), EMPTY, *wrapped(words, room, "dim")]


def batch_form() -> tuple[FieldSpec, ...]:
    return (FieldSpec("name", "Name", check=forms.at_most(300), required=True),)
