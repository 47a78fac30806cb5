"""The types of questions, their names and the fields that hold their answers (wire notes, Values)."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class QuestionType(StrEnum):
    """A type of question. The value is its code in the API."""

    SINGLE = "R"
    MULTIPLE = "C"
    SHORT = "S"
    NUMERIC = "N"
    ESSAY = "E"
    FILES = "F"
    GAPS = "G"
    MATCH = "M"

    @property
    def label(self) -> str:
        return _LABELS[self]


_LABELS: Final[Mapping[QuestionType, str]] = MappingProxyType(
    {
        QuestionType.SINGLE: "one answer",
        QuestionType.MULTIPLE: "several answers",
        QuestionType.SHORT: "short text",
        QuestionType.NUMERIC: "number",
        QuestionType.ESSAY: "essay",
        QuestionType.FILES: "file upload",
        QuestionType.GAPS: "fill the gaps",
        QuestionType.MATCH: "matching",
    }
)

CHOICE_TYPES: Final = frozenset({QuestionType.SINGLE, QuestionType.MULTIPLE})
"""Types that are answered by choosing options."""
LINE_TYPES: Final = frozenset({QuestionType.SHORT, QuestionType.NUMERIC})
"""Types that are answered by one line of text."""
GAP_TYPES: Final = frozenset({QuestionType.GAPS, QuestionType.MATCH})
"""Types that are answered gap by gap."""

_FIELDS: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        **dict.fromkeys(CHOICE_TYPES, frozenset({"selected_answers"})),
        **dict.fromkeys(LINE_TYPES, frozenset({"short_text"})),
        QuestionType.ESSAY: frozenset({"essay_text", "essay_topic"}),
        **dict.fromkeys(GAP_TYPES, frozenset({"gap_fill_responses"})),
        QuestionType.FILES: frozenset({"gap_fill_responses"}),
    }
)


def label_of(code: str) -> str:
    """Return the name of a type by its code. "" for an unknown one."""
    return QuestionType(code).label if code in _KNOWN else ""


def fields_of_type(code: str) -> frozenset[str]:
    """Return the names of the fields that hold an answer to this type. Empty for an unknown type."""
    return _FIELDS.get(code, frozenset())


_KNOWN: Final = frozenset(QuestionType)
