"""What a form asks for and what is wrong with what was typed, in the service's own terms (pure)."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Final

from lms_tui.wire.base import parse_instant
from lms_tui.wire.states import STATES

Check = Callable[[str], str]
"""From what was typed to what is wrong with it, "" for nothing."""
Values = Mapping[str, str]
"""What was typed, by the name of the field; a tick is "yes" or ""."""

TICKED: Final = "yes"
GENDERS: Final = ("Male", "Female", "Transgender")
"""In the order in which profiles count them, from 1."""
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
    """How a field is typed in."""

    LINE = "line"
    SECRET = "secret"  # noqa: S105 - the name of a kind
    TICK = "tick"
    TEXT = "text"
    """Several lines."""


def no_check(_: str) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """`name`: the API's, so that the service's complaints find the field; `label`: at most 11 cells.

    `choices`: offered while typing. `aliases`: other names under which a service complains about it.
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
        """Say what is wrong before anything is sent; "" for nothing."""
        if not text.strip():
            return f"{self.label} is needed." if self.required else ""
        return self.check(text.strip() if self.kind is FieldKind.LINE else text)


def wrong_fields(specs: Iterable[FieldSpec], values: Values) -> dict[str, str]:
    """The fields that the service would refuse, each with why."""
    found = {spec.name: spec.wrong(values[spec.name]) for spec in specs}
    return {name: words for name, words in found.items() if words}


def field_of(specs: Sequence[FieldSpec], complained: str) -> str:
    """The name of the field that a service means by `batches.0` or an alias; "" where the form has none."""
    root = complained.partition(".")[0]
    return next((spec.name for spec in specs if root == spec.name or root in spec.aliases), "")


def complaints(specs: Sequence[FieldSpec], fields: Mapping[str, Sequence[str]]) -> tuple[dict[str, str], str]:
    """The service's words by the name of the field, and what the form says as a whole.

    That is what belongs to no field; where there is none, the first complaint under the label of its field.
    """
    found: dict[str, str] = {}
    rest = []
    for complained, lines in fields.items():
        name, text = field_of(specs, complained), " ".join(lines)
        if name:
            found[name] = f"{found[name]} {text}" if name in found else text
        else:
            rest.append(text)
    first = next((f"{spec.label}: {found[spec.name]}" for spec in specs if spec.name in found), "")
    return found, " ".join(rest) or first


def changed(specs: Iterable[FieldSpec], values: Values) -> dict[str, str]:
    """What differs from what was there, by name, without blanks around it."""
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
        return f"At most {length} characters, and these are {len(text)}." if len(text) > length else check(text)

    return wrong


def username(text: str) -> str:
    return "" if _USERNAME.fullmatch(text) else "Letters, digits and . @ + - _ make a username."


def email(text: str) -> str:
    return "" if _EMAIL.fullmatch(text) else "This is not an address for e-mail."


def slug(text: str) -> str:
    last = text.rstrip("/").rpartition("/")[2]
    return "" if _SLUG.fullmatch(last) else "The last part of the address may have letters, digits, - and _ only."


def moment(text: str) -> str:
    return "" if parse_instant(text) else "Write the moment as 2026-01-31T09:30:00+05:30."


def day_first(text: str) -> str:
    """DD/MM/YYYY, as administrators write dates of birth."""
    return _day(_DAY_FIRST, (3, 2, 1), "DD/MM/YYYY", text)


def year_first(text: str) -> str:
    """YYYY-MM-DD, as one's own profile has it."""
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


def lifetime(text: str) -> str:
    seconds = seconds_of(text)
    if seconds is None:
        return "Write a time such as 10 min, 2 h or 1 day."
    return "" if 1 <= seconds <= 30 * 86_400 else "From 1 second to 30 days."


def seconds_of(text: str) -> int | None:
    """Read `600`, `10 min`, `2 h` or `1 day`; None for anything else."""
    found = _LIFE.fullmatch(text.strip())
    return int(found[1]) * _UNITS[(found[2] or "s")[0].lower()] if found else None


# Values.


def names(text: str) -> tuple[str, ...]:
    """Split what was typed with commas between, each name once."""
    return tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))


def state_code(text: str) -> str:
    """The code of a state by its name or by itself, "" for none; what is neither stays, for the service to judge."""
    wanted = text.strip().casefold()
    return next((code for code, name in STATES.items() if wanted in {code.casefold(), name.casefold()}), text.strip())


def state_number(text: str) -> int:
    """What profiles call a state choice: from 1 in the order of the codes, 0 for none."""
    code = state_code(text)
    return list(STATES).index(code) + 1 if code in STATES else 0


def gender_number(text: str) -> int:
    known = [name.casefold() for name in GENDERS]
    return known.index(text.strip().casefold()) + 1 if text.strip().casefold() in known else 0


def gender_code(text: str) -> str:
    """`male`, `female` or `trans`; "" for none."""
    number = gender_number(text)
    return GENDER_CODES[number - 1] if number else ""


# What every form about a person asks.

NAME_FIELDS: Final = ("first_name", "last_name", "email", "phone", "address1", "address2", "city", "zip")


def person(known: Values, *, born: Check, born_hint: str) -> tuple[FieldSpec, ...]:
    """Names, contact, date of birth, gender and state; `known`: what is there, by the API's names."""

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
            one_of(GENDERS, "Male, Female or Transgender."),
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
            one_of((*states, *STATES), "The name of a state of India, or its code such as IN-TN."),
            hint="Tamil Nadu, or IN-TN",
            choices=states,
            aliases=("state_code", "state_choices"),
        ),
    )
