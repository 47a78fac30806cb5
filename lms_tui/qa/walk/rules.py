"""The rules of the walk as data: each quotes the document that it judges by."""

from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import files

import yaml


class Source(StrEnum):
    """Where a rule stands: a server has to keep the document; the notes tell what others of its kind do."""

    DOCUMENT = "document"
    NOTES = "notes"


@dataclass(frozen=True, slots=True)
class Rule:
    """`quote`: the words of the source, verbatim, `under` which heading; `expect`: what the walk looks for."""

    id: str
    source: Source
    under: str
    quote: str
    expect: str


def load_rules() -> tuple[Rule, ...]:
    """Every rule, in the order of the table."""
    rows = yaml.safe_load(files(__package__).joinpath("rules.yaml").read_text("utf-8"))
    return tuple(Rule(row["id"], Source(row["from"]), row["under"], row["quote"], row["expect"]) for row in rows)
