"""The rules of the walk. Each rule quotes the text that it is based on."""

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files

import yaml


class Source(StrEnum):
    """The source of a rule. A server must follow the document. The notes describe other servers."""

    DOCUMENT = "document"
    NOTES = "notes"


@dataclass(frozen=True, slots=True)
class Rule:
    """`quote` is verbatim and stands under the heading `under`. `expect` says what the walk checks."""

    id: str
    source: Source
    under: str
    quote: str
    expect: str


@cache
def load_rules() -> tuple[Rule, ...]:
    """Return every rule in the order of the table."""
    rows = yaml.safe_load(files(__package__).joinpath("rules.yaml").read_text("utf-8"))
    return tuple(Rule(row["id"], Source(row["from"]), row["under"], row["quote"], row["expect"]) for row in rows)
