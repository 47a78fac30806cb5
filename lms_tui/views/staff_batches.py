"""Batches, for administrators (pure)."""

from typing import Final

from lms_tui.common.cleaning import clean_line
from lms_tui.views import format as say
from lms_tui.views import forms
from lms_tui.views.forms import FieldSpec
from lms_tui.views.listing import Column, Listing
from lms_tui.views.rows import EMPTY, Row, pairs, row, strong, wrapped
from lms_tui.wire.batches import Batch

LISTING: Final[Listing[Batch]] = Listing(
    "Batch",
    (Column("ID", 6, 40, right=True), Column("created", 12, 30, right=True)),
    lambda batch: (batch.name, str(batch.id), say.day(batch.created)),
)


def details(batch: Batch, room: int) -> list[Row]:
    facts = [("ID", str(batch.id)), ("created", say.day(batch.created)), ("changed", say.day(batch.modified))]
    words = "Add students and posts from their own pages."
    return [row(strong(clean_line(batch.name))), EMPTY, *pairs(facts, room), EMPTY, *wrapped(words, room, "dim")]


def batch_form() -> tuple[FieldSpec, ...]:
    return (FieldSpec("name", "Name", check=forms.at_most(300), required=True),)
