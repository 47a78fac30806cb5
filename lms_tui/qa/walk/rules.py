"""The rules of the walk. Each rule quotes the text that it is based on."""

from collections.abc import Iterable
from enum import StrEnum
from functools import cache
from importlib.resources import files

import yaml

from lms_tui.common.frozen import frozen
from lms_tui.common.user_errors import UsageError


class Source(StrEnum):
    """The source of a rule. A server must follow the document. The notes describe other servers."""

    DOCUMENT = "document"
    NOTES = "notes"


@frozen
class Rule:
    """`quote` is verbatim and stands under the heading `under`. `expect` says what the walk checks."""

    id: str
    source: Source
    under: str
    quote: str
    expect: str

    @property
    def area(self) -> str:
        return self.id.partition(".")[0]


@cache
def load_rules() -> tuple[Rule, ...]:
    """Return every rule in the order of the table."""
    rows = yaml.safe_load(files(__package__).joinpath("rules.yaml").read_text("utf-8"))
    return tuple(Rule(row["id"], Source(row["from"]), row["under"], row["quote"], row["expect"]) for row in rows)


def named_rules(names: Iterable[str]) -> frozenset[str]:
    """Return the rules of these names. A name is a rule, such as `end.score`, or an area, such as `end`.

    Raises UsageError for an unknown name.
    """
    rules, found = load_rules(), set[str]()
    for name in names:
        matching = {rule.id for rule in rules if name in (rule.id, rule.area)}
        if not matching:
            areas = ", ".join(dict.fromkeys(rule.area for rule in rules))
            raise UsageError(f"There is no rule or area “{name}”.", f"The areas are {areas}. See --print-rules.")
        found |= matching
    return frozenset(found)
