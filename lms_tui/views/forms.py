"""The fields of forms, and the checks of their texts before they are sent (pure)."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from enum import StrEnum
from typing import Final

from lms_tui.common.frozen import frozen
from lms_tui.wire.base import parse_instant
from lms_tui.wire.states import STATES

Check = Callable[[str], str]
"""Returns the error of a text, "" for none."""
Values = Mapping[str, str]
"""The text of each field by its name. A tick box holds "yes" or ""."""

TICKED: Final = "yes"
GENDERS: Final = ("Male", "Female", "Transgender")
"""In the order of the numbers that the API uses in profiles, from 1."""
GENDER_CODES: Final = ("male", "female", "trans")
_USERNAME: Final = re.compile(r"[\w.@+-]+")
_EMAIL: Final = re.compile(r"[^@\s]+@[^@\s]+")
_SLUG: Final = re.compile(r"[-a-zA-Z0-9_]{1,200}")
_DAY_FIRST: Final = re.compile(r"([0-9]{1,2})/([0-9]{1,2})/([0-9]{4})")
_YEAR_FIRST: Final = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_LIFE: Final = re.compile(r"(\d{1,7})\s*(s|sec|seconds?|min|minutes?|h|hours?|d|days?)?", re.IGNORECASE)
_UNITS: Final = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}
_OLDEST: Final = 1900


class FieldKind(StrEnum):
    """The input that a field needs."""

    LINE = "line"
    SECRET = "secret"  # noqa: S105 - the name of a kind
    TICK = "tick"
    TEXT = "text"
    """Several lines."""


def no_check(_: str) -> str:
    return ""


@frozen
class FieldSpec:
    """A field of a form.

    `name` is the field of the API. `label` has at most 11 cells. `choices` are suggested while typing. `aliases` are
    other names that the server uses for the field in its errors.
    """

    name: str
    label: str
    value: str = ""
    kind: FieldKind = FieldKind.LINE
    hint: str = ""
    check: Check = no_check
    required: bool = False
    choices: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()

    def wrong(self, text: str) -> str:
        """Return the error of a text before it is sent, "" for none."""
        if not text.strip():
            return f"{self.label} is required." if self.required else ""
        return self.check(text.strip() if self.kind is FieldKind.LINE else text)


def wrong_fields(specs: Iterable[FieldSpec], values: Values) -> dict[str, str]:
    """The fields that the server would refuse, each with its error."""
    found = {spec.name: spec.wrong(values[spec.name]) for spec in specs}
    return {name: words for name, words in found.items() if words}


def field_of(specs: Sequence[FieldSpec], reported: str) -> str:
    """Find the field for a name in an error, such as `batches.0` or an alias. "" if the form has none."""
    root = reported.partition(".")[0]
    return next((spec.name for spec in specs if root == spec.name or root in spec.aliases), "")


def assign_errors(specs: Sequence[FieldSpec], fields: Mapping[str, Sequence[str]]) -> tuple[dict[str, str], str]:
    """Assign the errors of the server to fields. Returns them by field, and one line for the whole form.

    The line holds the errors that belong to no field. Without such errors it repeats the first field's error.
    """
    found: dict[str, str] = {}
    rest = []
    for reported, lines in fields.items():
        name, text = field_of(specs, reported), " ".join(lines)
        if name:
            found[name] = f"{found[name]} {text}" if name in found else text
        else:
            rest.append(text)
    first = next((f"{spec.label}: {found[spec.name]}" for spec in specs if spec.name in found), "")
    return found, " ".join(rest) or first


def changed(specs: Iterable[FieldSpec], values: Values) -> dict[str, str]:
    """The changed values by field. Lines are stripped."""
    return {
        spec.name: _trimmed(spec, values[spec.name])
        for spec in specs
        if _trimmed(spec, values[spec.name]) != _trimmed(spec, spec.value)
    }


def _trimmed(spec: FieldSpec, text: str) -> str:
    return text.strip() if spec.kind is FieldKind.LINE else text


# Checks.


def at_most(length: int, check: Check = no_check) -> Check:
    def wrong(text: str) -> str:
        return f"Use at most {length} characters (now {len(text)})." if len(text) > length else check(text)

    return wrong


def username(text: str) -> str:
    return "" if _USERNAME.fullmatch(text) else "Use letters, digits and . @ + - _ only."


def email(text: str) -> str:
    return "" if _EMAIL.fullmatch(text) else "Write an e-mail address such as name@example.org."


def slug(text: str) -> str:
    last = text.rstrip("/").rpartition("/")[2]
    return "" if _SLUG.fullmatch(last) else "Use letters, digits, - and _ only."


def moment(text: str) -> str:
    return "" if parse_instant(text) else "Write the time as 2026-01-31T09:30:00+05:30."


def day_first(text: str) -> str:
    """Check a date of birth as the API takes it from administrators: DD/MM/YYYY."""
    return _day(_DAY_FIRST, (3, 2, 1), "DD/MM/YYYY", text)


def year_first(text: str) -> str:
    """Check a date of birth as the API takes it in the own profile: YYYY-MM-DD."""
    return _day(_YEAR_FIRST, (1, 2, 3), "YYYY-MM-DD", text)


def _day(form: re.Pattern[str], order: tuple[int, int, int], example: str, text: str) -> str:
    found = form.fullmatch(text) if text.isascii() else None
    try:
        born = date(*(int(found[group]) for group in order)) if found else None
    except ValueError:
        born = None
    return "" if born is not None and born.year >= _OLDEST else f"Write the date as {example}."


def one_of(choices: Sequence[str], words: str) -> Check:
    known = {choice.casefold() for choice in choices}
    return lambda text: "" if text.casefold() in known else words


def identifier(text: str) -> str:
    return "" if text.isascii() and text.isdigit() and 0 < int(text) < 2**63 else "Type a number, such as 12."


def lifetime(text: str) -> str:
    seconds = seconds_of(text)
    if seconds is None:
        return "Write a duration such as 10 min, 2 h or 1 day."
    return "" if 1 <= seconds <= 30 * 86_400 else "Choose 1 second to 30 days."


def seconds_of(text: str) -> int | None:
    """Read `600`, `10 min`, `2 h` or `1 day`. Return None for anything else."""
    found = _LIFE.fullmatch(text.strip())
    return int(found[1]) * _UNITS[(found[2] or "s")[0].lower()] if found else None


# Values.


def names(text: str) -> tuple[str, ...]:
    """Split names at commas and drop repeated ones."""
    return tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))


def state_code(text: str) -> str:
    """The code of a state, from its name or its code. Any other text is returned unchanged."""
    wanted = text.strip().casefold()
    return next((code for code, name in STATES.items() if wanted in {code.casefold(), name.casefold()}), text.strip())


def state_number(text: str) -> int:
    """The number that profiles use for a state: from 1 in the order of the codes, 0 for none."""
    code = state_code(text)
    return list(STATES).index(code) + 1 if code in STATES else 0


def gender_number(text: str) -> int:
    known = [name.casefold() for name in GENDERS]
    return known.index(text.strip().casefold()) + 1 if text.strip().casefold() in known else 0


def gender_code(text: str) -> str:
    """Return `male`, `female`, `trans` or ""."""
    number = gender_number(text)
    return GENDER_CODES[number - 1] if number else ""


NAME_FIELDS: Final = ("first_name", "last_name", "email", "phone", "address1", "address2", "city", "zip")


def person(known: Values, *, born: Check, born_hint: str) -> tuple[FieldSpec, ...]:
    """Return the fields of a person. `known` holds the present values by field of the API."""

    def line(name: str, label: str, check: Check, **more: object) -> FieldSpec:
        return FieldSpec(name, label, known.get(name, ""), check=check, **more)  # type: ignore[arg-type]  # its fields

    states = tuple(STATES.values())
    return (
        line("first_name", "First name", at_most(150)),
        line("last_name", "Last name", at_most(150)),
        line("email", "E-mail", at_most(254, email), hint="name@example.org"),
        line("phone", "Phone", at_most(30)),
        line("birth_date", "Born", born, hint=born_hint),
        line(
            "gender",
            "Gender",
            one_of(GENDERS, "Choose Male, Female or Transgender."),
            hint="Male, Female or Transgender",
            choices=GENDERS,
            aliases=("gender_code",),
        ),
        line("address1", "Address", at_most(255)),
        line("address2", "Address 2", at_most(255)),
        line("city", "City", at_most(100)),
        line("zip", "PIN code", at_most(20)),
        line(
            "state",
            "State",
            one_of((*states, *STATES), "Write a state of India or its code, such as IN-TN."),
            hint="Tamil Nadu, or IN-TN",
            choices=states,
            aliases=("state_code", "state_choices"),
        ),
    )
