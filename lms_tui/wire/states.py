"""The states of India by their ISO 3166-2:IN code, with the names and numbers that the API uses."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

STATES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "IN-AN": "Andaman and Nicobar Islands",
        "IN-AP": "Andhra Pradesh",
        "IN-AR": "Arunachal Pradesh",
        "IN-AS": "Assam",
        "IN-BR": "Bihar",
        "IN-CG": "Chhattisgarh",
        "IN-CH": "Chandigarh",
        "IN-DH": "Dadra and Nagar Haveli and Daman and Diu",
        "IN-DL": "Delhi",
        "IN-GA": "Goa",
        "IN-GJ": "Gujarat",
        "IN-HP": "Himachal Pradesh",
        "IN-HR": "Haryana",
        "IN-JH": "Jharkhand",
        "IN-JK": "Jammu and Kashmir",
        "IN-KA": "Karnataka",
        "IN-KL": "Kerala",
        "IN-LA": "Ladakh",
        "IN-LD": "Lakshadweep",
        "IN-MH": "Maharashtra",
        "IN-ML": "Meghalaya",
        "IN-MN": "Manipur",
        "IN-MP": "Madhya Pradesh",
        "IN-MZ": "Mizoram",
        "IN-NL": "Nagaland",
        "IN-OD": "Odisha",
        "IN-PB": "Punjab",
        "IN-PY": "Puducherry",
        "IN-RJ": "Rajasthan",
        "IN-SK": "Sikkim",
        "IN-TN": "Tamil Nadu",
        "IN-TR": "Tripura",
        "IN-TS": "Telangana",
        "IN-UK": "Uttarakhand",
        "IN-UP": "Uttar Pradesh",
        "IN-WB": "West Bengal",
    }
)

_FORMER: Final[Mapping[str, str]] = MappingProxyType(
    {
        "IN-CT": "IN-CG",
        "IN-DD": "IN-DH",
        "IN-DN": "IN-DH",
        "IN-OR": "IN-OD",
        "IN-TG": "IN-TS",
        "IN-UT": "IN-UK",
    }
)
"""Codes that ISO has replaced since 2019, with the present ones. Older data contains them."""

_CODES: Final[Mapping[str, str]] = MappingProxyType({name.casefold(): code for code, name in STATES.items()})
_NUMBERED: Final = tuple(STATES)


def state_name(code: str | None) -> str:
    """Return the full name of a state by its present or former code, or ""."""
    return STATES.get(_FORMER.get(code or "", code or ""), "")


def code_of_state(text: str) -> str | None:
    """Return the code for a code or for the name of a state, or None."""
    return text if state_name(text) else _CODES.get(text.casefold())


def number_of_state(code: str | None) -> int:
    """Return the number of a state in profiles: its place in the order of the codes, from 1, or 0."""
    current = _FORMER.get(code or "", code or "")
    return _NUMBERED.index(current) + 1 if current in STATES else 0


def state_numbered(number: int) -> str | None:
    """Return the code of a state by its number in profiles, None for 0. Raise IndexError for other numbers."""
    if not 0 <= number <= len(_NUMBERED):
        raise IndexError(number)
    return _NUMBERED[number - 1] if number else None
