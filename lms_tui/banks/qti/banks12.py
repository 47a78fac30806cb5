"""Question banks of a Canvas package, from which the groups of a quiz draw their questions."""

from dataclasses import dataclass, field

from lms_tui.banks.qti.item12 import metadata
from lms_tui.banks.qti.source import Source
from lms_tui.banks.texts import counted
from lms_tui.banks.xml_tree import Node
from lms_tui.common.cleaning import clean_line
from lms_tui.common.frozen import frozen


@frozen
class Bank:
    """The questions of one `objectbank`. `source` is its file."""

    node: Node
    source: Source
    items: tuple[Node, ...]

    @property
    def title(self) -> str:
        return clean_line(metadata(self.node).get("bank_title") or self.node.get("ident"))[:60]


@dataclass(slots=True)
class Banks:
    """The banks of a package by identifier.

    `drawn` holds the questions that a quiz has drawn from them, `pools` the pool of a bank that a group picks from.
    """

    known: dict[str, Bank] = field(default_factory=dict)
    drawn: set[int] = field(default_factory=set)
    pools: dict[str, int] = field(default_factory=dict)

    def add(self, root: Node, source: Source) -> None:
        for node in [root] if root.name == "objectbank" else root.all("objectbank"):
            self.known.setdefault(node.get("ident"), Bank(node, source, tuple(node.walk("item"))))

    def draw(self, bank: Bank, name: str = "") -> list[Node]:
        """Return the questions that no quiz has drawn yet, only the one with that name if a name is given."""
        items = [node for node in bank.items if id(node) not in self.drawn and name in {"", node.get("ident")}]
        self.drawn.update(id(node) for node in items)
        return items

    def tell_unused(self) -> None:
        """Report the questions that no quiz draws."""
        for bank in self.known.values():
            idle = sum(id(node) not in self.drawn for node in bank.items)
            if idle:
                message = (
                    f"The question bank “{bank.title}” has {counted(idle, 'question')} that no quiz uses. Left out."
                )
                bank.source.collector.warn(message, bank.node.line)
