"""The details of a user, and the form of the own profile (pure)."""

from lms_tui.common.cleaning import clean_line
from lms_tui.content.images import Bitmap, half_blocks, size_in_cells
from lms_tui.views import forms
from lms_tui.views.forms import FieldSpec, Values
from lms_tui.views.rows import EMPTY, Row, Span, pairs, row, strong, wrapped
from lms_tui.wire.accounts import ProfileChanges
from lms_tui.wire.users import CurrentUser, UserSummary

_TALLEST_PHOTO = 14


def shown_name(user: UserSummary) -> str:
    return clean_line(user.display_name or user.username)


def person_rows(user: UserSummary, room: int) -> list[Row]:
    """The public details of a user."""
    return _card(user, [], room)


def _card(user: UserSummary, facts: list[tuple[str, str]], room: int) -> list[Row]:
    known = [("user name", clean_line(user.username)), ("user ID", str(user.id)), *facts]
    return [row(strong(shown_name(user))), EMPTY, *pairs(known, room)]


def profile_rows(user: CurrentUser, room: int) -> list[Row]:
    address = ", ".join(
        clean_line(part) for part in (user.address1, user.address2, user.city, user.zip, user.state) if part.strip()
    )
    facts = [
        ("batches", ", ".join(clean_line(name) for name in user.batches)),
        ("e-mail", clean_line(user.email)),
        ("phone", clean_line(user.phone)),
        ("born", clean_line(user.birth_date or "")),
        ("gender", clean_line(user.gender)),
        ("address", address),
    ]
    missing = [label for label, value in facts if not value and label != "batches"]
    rows = _card(user, facts, room)
    if missing:
        rows += [EMPTY, *wrapped(f"Not filled in: {', '.join(missing)}.", room, "dim")]
    return rows


def photo_rows(bitmap: Bitmap | None, words: str, room: int) -> list[Row]:
    """The photo in half blocks. `words`: shown without a photo."""
    if bitmap is None:
        return wrapped(words, room, "dim")
    columns, rows = size_in_cells(bitmap, room, _TALLEST_PHOTO, enlarge=True)
    return [tuple(Span(run.text, colours=run.colours) for run in runs) for runs in half_blocks(bitmap, columns, rows)]


def profile_form(user: CurrentUser) -> tuple[FieldSpec, ...]:
    known = {name: getattr(user, name) or "" for name in (*forms.NAME_FIELDS, "birth_date", "gender", "state")}
    return forms.person(known, born=forms.year_first, born_hint="YYYY-MM-DD")


def profile_changes(changed: Values) -> ProfileChanges:
    """The request for changed values. Profiles use numbers for genders and states, and 0 for none."""
    sent: dict[str, object] = {name: text for name, text in changed.items() if name not in {"gender", "state"}}
    if "gender" in changed:
        sent["gender"] = forms.gender_number(changed["gender"])
    if "state" in changed:
        sent["state_choices"] = forms.state_number(changed["state"])
    return ProfileChanges.model_validate(sent)
