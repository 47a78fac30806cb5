r"""Read LaTeX into the formula tree in one pass.

An unknown macro stands for its own name. Source that TeX refuses raises UnreadableFormula, such as two powers, `\left`
without `\right`, or an environment without an end. Such a formula is shown as its source.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from lms_tui.content.maths.infix import FRACTIONS
from lms_tui.content.maths.macros import UnreadableFormula
from lms_tui.content.maths.rows import row, scripted
from lms_tui.content.maths.tokens import Tokens, character, symbol
from lms_tui.content.maths.tree import EMPTY, Accent, Atom, Fraction, Node, Role, Row, Scripts, inline

_DEEPEST: Final = 60
_TOP: Final[frozenset[str]] = frozenset()
_GROUP: Final = frozenset("}")
_PRIMES: Final = {1: "′", 2: "″", 3: "‴", 4: "⁗"}
_DEGREE: Final = Atom("∘", Role.BINARY)


class _Kind(Enum):
    """The state of the last item of a row, which decides which scripts may follow."""

    NONE = auto()
    PLAIN = auto()
    BELOW = auto()
    ABOVE = auto()
    PRIMED = auto()
    BOTH = auto()


@dataclass(slots=True)
class _Item:
    r"""The last item of a row. Scripts can still be added to it.

    `nodes`: an item without scripts. `limits`: set by `\limits` or `\nolimits`, else None.
    """

    kind: _Kind = _Kind.NONE
    nodes: tuple[Node, ...] = ()
    base: Node = EMPTY
    below: Node | None = None
    above: Node | None = None
    primes: int = 0
    limits: bool | None = None

    def take(self) -> tuple[Node, ...]:
        """Return the nodes of the item with its scripts."""
        if self.kind is _Kind.PLAIN:
            return self.nodes
        if self.kind is _Kind.NONE:
            return ()
        if self.limits or (isinstance(self.base, Accent) and self.base.mark in "⏞⏟"):
            return (Scripts(self.base, self.below, self.above, limits=True),)
        return (scripted(self.base, self.below, self.above),)

    def follow(self, row: list[Node], nodes: tuple[Node, ...]) -> None:
        """Add the item to its row and start a new one."""
        row.extend(self.nodes if self.kind is _Kind.PLAIN else self.take())
        self.kind, self.nodes, self.limits = _Kind.PLAIN, nodes, None

    def start(self) -> None:
        """Use the current item as the base of a script."""
        nodes = self.take()
        limits = self.limits if self.kind is _Kind.PLAIN else None
        self.base, self.below, self.above, self.primes = _one(nodes), None, None, 0
        self.nodes, self.limits = (), limits

    def index(self, node: Node) -> None:
        if self.kind is _Kind.BELOW:
            raise UnreadableFormula
        if self.kind is _Kind.ABOVE or self.kind is _Kind.PRIMED:
            self.below, self.kind = node, _Kind.BOTH
            return
        self.start()
        self.below, self.kind = node, _Kind.BELOW

    def power(self, node: Node) -> None:
        if self.kind is _Kind.ABOVE:
            raise UnreadableFormula
        if self.kind is _Kind.BELOW:
            self.above, self.kind = node, _Kind.BOTH
        elif self.kind is _Kind.PRIMED and self.above is not None:
            self.above, self.kind = row((self.above, node)), _Kind.ABOVE
        else:
            self.start()
            self.above, self.kind = node, _Kind.ABOVE
            if node == Atom(_PRIMES[1]):
                self.primes, self.kind = 1, _Kind.PRIMED

    def prime(self) -> None:
        if self.kind is _Kind.ABOVE:
            raise UnreadableFormula
        if self.kind is _Kind.BELOW:
            self.above, self.kind = Atom(_PRIMES[1]), _Kind.BOTH
            return
        if self.kind is not _Kind.PRIMED:
            self.start()
        self.primes += 1
        self.above, self.kind = Atom(_PRIMES.get(self.primes) or _PRIMES[1] * self.primes), _Kind.PRIMED


class LatexReader:
    """Reads one source.

    `builders` read the arguments of commands, by the command's name with its backslash. `words` turns the name and the
    argument of a text command into a node.
    """

    def __init__(self, source: str, builders: "Builders", words: Callable[[str, str], Node], depth: int = 0) -> None:
        self.tokens = Tokens(source)
        self.words = words
        self._builders = builders
        self._depth = depth
        self._cells = False
        self.stop = ""
        """The token that ended the last row."""

    def read(self) -> Node:
        return row(self.sequence(_TOP))

    def reread(self, source: str) -> Node:
        """Read the LaTeX that a command stands for."""
        return LatexReader(source, self._builders, self.words, self._depth + 1).read()

    def sequence(self, stops: frozenset[str]) -> list[Node]:
        """Read items up to one of `stops` or the end of the source, and consume the stop."""
        self._depth += 1
        if self._depth > _DEEPEST:
            raise UnreadableFormula
        cells, self._cells = self._cells, "&" in stops
        nodes: list[Node] = []
        item = _Item()
        take = self.tokens.next
        while (lexeme := take()) and lexeme not in stops:
            if lexeme == "_":
                item.index(self.script())
            elif lexeme == "^":
                item.power(self.script())
            elif lexeme == "'":
                item.prime()
            elif lexeme in FRACTIONS:
                nodes.extend(item.take())
                item = _Item()
                nodes = [self._divided(lexeme, nodes, stops)]
                lexeme = self.stop
                break
            elif lexeme in {r"\limits", r"\nolimits"}:
                item.limits = lexeme == r"\limits"
            elif lexeme in {r"\degree", r"\celsius"}:
                item.power(_DEGREE)
                if lexeme == r"\celsius":
                    item.follow(nodes, (Atom("C"),))
            else:
                item.follow(nodes, self.item(lexeme))
        nodes.extend(item.take())
        self._depth -= 1
        self._cells = cells
        self.stop = lexeme
        return nodes

    def _divided(self, lexeme: str, over: list[Node], stops: frozenset[str]) -> Node:
        r"""Build the fraction of `\over` and similar commands from the nodes before and after it."""
        opening, closing, bar = FRACTIONS[lexeme](self.tokens)
        under = self.sequence(stops)
        if not (over and under) and lexeme not in {r"\brace", r"\brack"}:
            raise UnreadableFormula
        fraction = Fraction(row(over), row(under), bar)
        return row((*symbol(opening), fraction, *symbol(closing))) if opening or closing else fraction

    def item(self, lexeme: str) -> tuple[Node, ...]:
        """Read the symbol, group or command that a token begins."""
        if lexeme == "{":
            nodes = self.sequence(_GROUP)
            if not nodes and not self.stop:
                raise UnreadableFormula
            return inline(row(nodes))
        build = self._builders.get(lexeme)
        if build is not None:
            return build(self, lexeme)
        if lexeme.startswith(r"\math") and not character(lexeme):
            return inline(self.argument())
        return symbol(lexeme)

    def script(self) -> Node:
        """Read a subscript or superscript. Without braces it is one digit of a number."""
        digit = self.tokens.digit()
        return Atom(digit) if digit else self.argument()

    def argument(self) -> Node:
        """Read one argument: a group, or the item of one token. It is empty at the end of a cell or group."""
        at = self.tokens.at
        lexeme = self.tokens.next()
        if not lexeme or lexeme in {r"\right", r"\end"}:
            raise UnreadableFormula
        if lexeme == "}" or (self._cells and lexeme in {"&", r"\\"}):
            self.tokens.at = at
            return EMPTY
        self._depth += 1
        if self._depth > _DEEPEST:
            raise UnreadableFormula
        if lexeme in "^_":
            node: Node = Scripts(
                Atom(""), self.script() if lexeme == "_" else None, self.script() if lexeme == "^" else None
            )
        elif lexeme == "'":
            node = Atom(_PRIMES[1])
        else:
            node = _one(self.item(lexeme))
        self._depth -= 1
        return node

    def last_argument(self) -> Node:
        """Read an argument, or return an empty node at the end of the source."""
        at = self.tokens.at
        if not self.tokens.next():
            return EMPTY
        self.tokens.at = at
        return self.argument()

    def peek(self) -> str:
        """Return the next token without consuming it."""
        at = self.tokens.at
        lexeme = self.tokens.next()
        self.tokens.at = at
        return lexeme


Builder = Callable[[LatexReader, str], tuple[Node, ...]]
Builders = Mapping[str, Builder]


def _one(nodes: tuple[Node, ...]) -> Node:
    if len(nodes) == 1 and not isinstance(nodes[0], (Row, Scripts)):
        return nodes[0]
    return row(nodes)
