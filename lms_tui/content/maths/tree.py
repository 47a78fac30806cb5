"""A formula as a small tree, between MathML and the three ways of writing it (2-D, one line, words)."""

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final


class Role(Enum):
    """What a symbol does in a formula; decides the blanks around it, as TeX's atom classes do."""

    ORDINARY = auto()
    FUNCTION = auto()
    LARGE = auto()
    BINARY = auto()
    RELATION = auto()
    OPEN = auto()
    CLOSE = auto()
    PUNCTUATION = auto()
    INNER = auto()
    BAR = auto()

    __hash__ = object.__hash__  # a member is itself alone, and roles are looked up for every symbol


@dataclass(frozen=True, slots=True)
class Atom:
    """`upright`: words of a text, not symbols."""

    text: str
    role: Role = Role.ORDINARY
    upright: bool = False


@dataclass(frozen=True, slots=True)
class Space:
    """`cells` 0: a thin space that only keeps two symbols apart for the ear."""

    cells: int


@dataclass(frozen=True, slots=True)
class Row:
    children: "tuple[Node, ...]"


@dataclass(frozen=True, slots=True)
class Fraction:
    """`bar` False: a binomial or a stack."""

    over: "Node"
    under: "Node"
    bar: bool = True


@dataclass(frozen=True, slots=True)
class Root:
    body: "Node"
    degree: "Node | None" = None


@dataclass(frozen=True, slots=True)
class Scripts:
    """`limits`: the scripts stand under and over the base, as at a sum."""

    base: "Node"
    below: "Node | None" = None
    above: "Node | None" = None
    limits: bool = False


@dataclass(frozen=True, slots=True)
class Accent:
    """`mark`: the accent's own character, ¯ → ^ ~ ˙ ⏞ and so on; stretched over its base."""

    base: "Node"
    mark: str
    over: bool = True


@dataclass(frozen=True, slots=True)
class Fence:
    """Delimiters that grow with what they hold; either may be empty."""

    opening: str
    body: "Node"
    closing: str


@dataclass(frozen=True, slots=True)
class Grid:
    """A matrix, cases, aligned lines. `aligns`: one of `l`, `c`, `r` for each column.

    `bars`: a rule after column n; `rules`: a rule under row n.
    """

    rows: "tuple[tuple[Node, ...], ...]"
    aligns: str
    bars: frozenset[int] = frozenset()
    gap: int = 2
    rules: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Enclosed:
    """`notation`: `box` or `strike`."""

    body: "Node"
    notation: str


Node = Atom | Space | Row | Fraction | Root | Scripts | Accent | Fence | Grid | Enclosed
EMPTY = Row(())
DEEPEST: Final = 100
"""Nodes of a tree one in the other; as many take as many characters of the source, at least."""


def role(node: Node) -> Role:
    """What a node does in the row it stands in."""
    match node:
        case Atom():
            return node.role
        case Scripts() if node.base != EMPTY:
            return role(node.base)
        case Fraction() | Grid():
            return Role.INNER
        case Row((single,)):
            return role(single)
        case _:
            return Role.ORDINARY


def inline(node: Node) -> tuple[Node, ...]:
    """The children of a row, or the node alone."""
    return node.children if isinstance(node, Row) else (node,)


def is_deep(node: Node) -> bool:
    """Whether a tree is nested deeper than any on paper, so deep that drawing it could run out of room."""
    level: list[Node] = [node]
    for _ in range(DEEPEST):
        level = [part for each in level for part in _parts(each)]
        if not level:
            return False
    return True


def _parts(node: Node) -> tuple[Node, ...]:  # noqa: PLR0911 - one return for each kind of node
    match node:
        case Row(children):
            return children
        case Grid():
            return tuple(cell for row in node.rows for cell in row)
        case Fraction():
            return node.over, node.under
        case Scripts():
            return tuple(part for part in (node.base, node.below, node.above) if part is not None)
        case Root():
            return (node.body,) if node.degree is None else (node.body, node.degree)
        case Accent():
            return (node.base,)
        case Fence() | Enclosed():
            return (node.body,)
        case _:
            return ()
