"""Blanks in a formula row, in whole cells, after TeX's table of atom classes."""

from collections.abc import Iterator
from typing import Final

from lms_tui.content.maths.symbols import INTEGRALS, VULGAR
from lms_tui.content.maths.tree import Atom, Fence, Fraction, Node, Role, Root, Row, Scripts, Space, role

_UNARY_AFTER: Final = frozenset(
    {Role.BINARY, Role.RELATION, Role.OPEN, Role.PUNCTUATION, Role.FUNCTION, Role.LARGE, Role.BAR}
)
_APART: Final = frozenset({Role.RELATION, Role.BINARY})
_TIGHT_AFTER: Final = frozenset({Role.OPEN, Role.BAR})
_TIGHT_BEFORE: Final = frozenset({Role.CLOSE, Role.PUNCTUATION, Role.BAR})


def spaced(children: tuple[Node, ...], *, tight: bool = False) -> Iterator[tuple[int, Node, Role]]:
    """Yield each child with the blanks before it and its role. `tight` leaves almost no blanks, as in scripts."""
    before: Role | None = None
    previous: Node | None = None
    blanks = 0
    integral = False
    for at, child in enumerate(children):
        if isinstance(child, Space):
            blanks = max(blanks, child.cells if not tight else 0)
            continue
        own = role(child)
        if own is Role.BINARY and (before is None or before in _UNARY_AFTER or _last(children, at)):
            own = Role.ORDINARY
        gap = 0
        if before is not None:
            gap = _tight_gap(before, own) if tight else _loose_gap(before, own, previous, children, at, integral)
        integral = integral or _is_integral(child)
        if gap and (is_vulgar(child) or is_vulgar(previous)):
            gap = _gap_at_vulgar(before, own, gap)
        yield max(gap, blanks), child, own
        before, previous, blanks = own, child, 0
    if blanks and before is not None:
        yield blanks, Row(()), Role.ORDINARY


def _loose_gap(
    before: Role, own: Role, previous: Node | None, children: tuple[Node, ...], at: int, integral: bool
) -> int:
    """Return the blanks between two children of a row. `integral`: an integral stands before them."""
    if gap := _gap(before, own, previous, children[at]):
        return gap
    if own is before is Role.ORDINARY and (_ends_open(previous) or _called(children, at)):
        return 1
    return int(integral and before is not Role.LARGE and _differential(children, at))


def _gap_at_vulgar(before: Role | None, own: Role, gap: int) -> int:
    """Return the blanks beside a fraction of one character, which needs few."""
    if Role.RELATION in {before, own}:
        return gap
    return int(before in {Role.BINARY, Role.PUNCTUATION} or own is Role.BINARY)


def is_vulgar(node: Node | None) -> bool:
    """Return whether a fraction has its own character: ½, 3⅚."""
    if not isinstance(node, Fraction) or not isinstance(node.over, Atom) or not isinstance(node.under, Atom):
        return False
    return node.bar and (node.over.text, node.under.text) in VULGAR


def _last(children: tuple[Node, ...], at: int) -> bool:
    return at == len(children) - 1


def _tight_gap(before: Role, own: Role) -> int:
    """Return the blanks in a script. Only names are set apart: max n."""
    return int(before is Role.FUNCTION and own in {Role.ORDINARY, Role.FUNCTION, Role.INNER})


def _gap(before: Role, own: Role, previous: Node | None, child: Node) -> int:  # noqa: PLR0911 - a table, row by row
    if own in _TIGHT_BEFORE:
        return 0
    if before is Role.PUNCTUATION or own in _APART or before in _APART:
        return 1
    if before in _TIGHT_AFTER:
        return 0
    if before is Role.LARGE:
        return 1
    if before is Role.FUNCTION:
        return int(not isinstance(child, Fence) or child.opening not in "([{")
    if own in {Role.LARGE, Role.FUNCTION}:
        return int(not _glued(previous))
    if isinstance(child, Fence) and isinstance(previous, Fence):
        return 0
    return int(Role.INNER in {before, own} and not _glued(previous))


def _glued(node: Node | None) -> bool:
    """Return whether a sign belongs to the next symbol."""
    return isinstance(node, Atom) and node.text in "−+±∓¬∂∇Δ" and node.role is Role.BINARY


def _ends_open(node: Node | None) -> bool:
    """Return whether a factor after a root needs a blank, because it would seem to be under the root."""
    return isinstance(node, Root) or (isinstance(node, Row) and bool(node.children) and _ends_open(node.children[-1]))


def _called(children: tuple[Node, ...], at: int) -> bool:
    """Return whether a function call such as f(x) begins here, which is set apart from the factor before it."""
    child = children[at]
    base = child.base if isinstance(child, Scripts) else child
    following = children[at + 1] if at + 1 < len(children) else None
    named = isinstance(base, Atom) and base.text in {"f", "g", "h", "F", "G"}
    return named and isinstance(following, Fence) and following.opening == "("


def _is_integral(node: Node) -> bool:
    base = node.base if isinstance(node, Scripts) else node
    return isinstance(base, Atom) and base.text in INTEGRALS


def _differential(children: tuple[Node, ...], at: int) -> bool:
    """Return whether a `d` in an integral begins dx or dθ."""
    child = children[at]
    following = children[at + 1] if at + 1 < len(children) else None
    if not (isinstance(child, Atom) and child.text == "d" and at):
        return False
    base = following.base if isinstance(following, Scripts) else following
    return isinstance(base, Atom) and len(base.text) == 1 and base.text.isalpha()
