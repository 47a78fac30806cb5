"""The formula tree, between LaTeX or MathML and the ways to show a formula."""

from enum import Enum, auto
from typing import Final

from lms_tui.common.frozen import frozen


class Role(Enum):
    """The role of a symbol, like an atom class of TeX. It decides the blanks around the symbol."""

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

    __hash__ = object.__hash__  # faster than the hash of Enum: roles are looked up for every symbol


@frozen
class Atom:
    """A symbol, number or name. `upright` marks words of a text."""

    text: str
    role: Role = Role.ORDINARY
    upright: bool = False


@frozen
class Space:
    """A space of `cells` blanks. A space of 0 cells separates two symbols in speech."""

    cells: int


@frozen
class Row:
    children: "tuple[Node, ...]"


@frozen
class Fraction:
    """A fraction, or without `bar` a binomial or a stack."""

    over: "Node"
    under: "Node"
    bar: bool = True


@frozen
class Root:
    body: "Node"
    degree: "Node | None" = None


@frozen
class Scripts:
    """A base with scripts. With `limits` they are above and below the base, as at a sum."""

    base: "Node"
    below: "Node | None" = None
    above: "Node | None" = None
    limits: bool = False


@frozen
class Accent:
    """A stretched accent. `mark` is its character, such as ¯ → ^ ~ ˙ ⏞."""

    base: "Node"
    mark: str
    over: bool = True


@frozen
class Fence:
    """Delimiters that grow with their content. Either may be empty."""

    opening: str
    body: "Node"
    closing: str


@frozen
class Grid:
    """A matrix, cases or aligned lines.

    `aligns` has `l`, `c` or `r` for each column. `bars` and `rules` are the columns and rows that a line follows.
    """

    rows: "tuple[tuple[Node, ...], ...]"
    aligns: str
    bars: frozenset[int] = frozenset()
    gap: int = 2
    rules: frozenset[int] = frozenset()


@frozen
class Enclosed:
    """A node with a frame or a stroke. `notation` is `box` or `strike`."""

    body: "Node"
    notation: str


Node = Atom | Space | Row | Fraction | Root | Scripts | Accent | Fence | Grid | Enclosed
EMPTY = Row(())
DEEPEST: Final = 100
"""Most nested nodes of a tree. Each level takes at least one character of the source."""


def role(node: Node) -> Role:
    """Return the role of a node in its row."""
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
    """Return the children of a row, or the node in a tuple."""
    return node.children if isinstance(node, Row) else (node,)


def is_deep(node: Node) -> bool:
    """Return whether a tree is nested so deeply that drawing it could exceed the recursion limit."""
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
