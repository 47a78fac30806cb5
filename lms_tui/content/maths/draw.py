"""Draw a formula in two dimensions.

- Scripts stay on the line if Unicode has small characters for them (x², aₙ₊₁, 10⁻¹⁹). Others take a row above or below.
- In running text, a simple fraction (m/n, 7π/4, 1/e³) gets a slash if the whole formula then fits on one row and no
  factor stands beside it. ½mv² uses the character ½. Every other fraction is stacked.
- Limits are above and below ∑, ∏ and lim. An integral with limits is as tall as its integrand, at least three rows.
- A root of one symbol is √x. A longer root has an overline, and a root of stacked content is drawn.
- Brackets, bars and braces grow with stacked content. The arrow of a vector is above it.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Final

from lms_tui.common.frozen import frozen
from lms_tui.content.cells import width
from lms_tui.content.maths.delimiters import BRACES, delimiter
from lms_tui.content.maths.line import accent, simple, single, struck, write
from lms_tui.content.maths.picture import NOTHING, Picture, beside, extended, line_of, on_row, stacked
from lms_tui.content.maths.shapes import (
    braced,
    column_align,
    corners,
    grid_row,
    has_bar,
    long_arrow,
    ruled,
    short_root,
    tall_root,
)
from lms_tui.content.maths.spacing import is_vulgar, spaced
from lms_tui.content.maths.symbols import INTEGRALS, lowered, raised
from lms_tui.content.maths.tree import (
    EMPTY,
    Accent,
    Atom,
    Enclosed,
    Fence,
    Fraction,
    Grid,
    Node,
    Role,
    Root,
    Row,
    Scripts,
    Space,
    inline,
    role,
)

_STRETCHED: Final = {"∫": "⌠⎮⌡", "∬": "⌠⎮⌡", "∭": "⌠⎮⌡"}
_TIMES: Final = {"∫": 1, "∬": 2, "∭": 3}
_ARROWS: Final = {"→": ("", "─", "→"), "⟶": ("", "─", "→"), "←": ("←", "─", ""), "↔": ("←", "─", "→"),
                  "⃗": ("", "─", "→"), "⇀": ("", "─", "⇀"), "↼": ("↼", "─", "")}  # fmt: skip
_LINES: Final = frozenset("¯―‾_̲")
_LONGEST_SMALL: Final = 10
_FREE_BEFORE: Final = frozenset({Role.BINARY, Role.RELATION, Role.PUNCTUATION, Role.OPEN})
_FREE_AFTER: Final = frozenset({Role.BINARY, Role.RELATION, Role.PUNCTUATION, Role.CLOSE})
_DEGREES: Final = {"3": "∛", "4": "∜"}


@frozen
class Part:
    """A child of a row, drawn, with the blanks before it."""

    gap: int
    picture: Picture
    node: Node
    role: Role


@frozen
class Drawing:
    """Draws nodes. `slash` writes simple fractions on one line. `script` saves space inside powers and limits."""

    slash: bool = False
    script: bool = False

    def draw(self, node: Node) -> Picture:  # noqa: C901, PLR0911 - one return for each kind of node
        match node:
            case Atom():
                return line_of(node.text)
            case Space():
                return line_of(" " * (0 if self.script else node.cells))
            case Row():
                return self.row(node)
            case Fraction():
                return self.fraction(node)
            case Root():
                return self.root(node)
            case Scripts():
                return self.scripts(node)
            case Accent():
                return self.accent(node)
            case Fence():
                return self.fence(node)
            case Grid():
                return self.grid(node)
            case Enclosed():
                return self.enclosed(node)

    def row(self, node: Row, *, lead: bool = False) -> Picture:
        """Draw children side by side.

        Integrals grow with their integrand. With `lead`, a first sign keeps its blanks.
        """
        parts = self.parts(node.children)
        if lead and len(parts) > 1 and role(parts[0].node) in {Role.RELATION, Role.BINARY}:
            second = replace(parts[1], gap=max(1, parts[1].gap))
            parts = [replace(parts[0], gap=1), second, *parts[2:]]
        return beside((part.gap, part.picture) for part in parts)

    def parts(self, nodes: tuple[Node, ...]) -> list[Part]:
        """Draw each child of a row. Integrals come last, because their height depends on their integrands."""
        children = list(spaced(nodes, tight=self.script))
        pictures: list[Picture] = []
        waiting: list[int] = []
        for at, (_, child, _) in enumerate(children):
            waits = not self.script and _integral(child) is not None
            pictures.append(NOTHING if waits else self._in_row(children, at))
            if waits:
                waiting.append(at)
        for at in reversed(waiting):
            above, below = _reach(children, pictures, at)
            pictures[at] = self.integral(children[at][1], above, below)
        parts = [Part(gap, picture, child, own) for (gap, child, own), picture in zip(children, pictures, strict=True)]
        return [replace(part, gap=1) if not part.gap and _needed(parts, at) else part for at, part in enumerate(parts)]

    def _in_row(self, children: list[tuple[int, Node, Role]], at: int) -> Picture:
        """Draw a child. A fraction next to a factor is never written with a slash."""
        child = children[at][1]
        if not isinstance(child, Fraction) or not self.slash:
            return self.draw(child)
        before = children[at - 1][2] if at else Role.OPEN
        after = children[at + 1][2] if at + 1 < len(children) else Role.CLOSE
        signed = at > 0 and isinstance(sign := children[at - 1][1], Atom) and sign.role is Role.BINARY
        lone = (before in _FREE_BEFORE or signed) and after in _FREE_AFTER
        return self.fraction(child, slash=lone)

    def fraction(self, node: Fraction, *, slash: bool = True) -> Picture:
        if self.script and node.bar:
            return line_of(write(node, tight=True))
        if self.slash and node.bar:
            if not slash and is_vulgar(node):
                return line_of(write(node))
            if slash and simple(node.over) and single(node.under):
                over, under = self.draw(node.over), self.draw(node.under)
                if over.height == under.height == 1:
                    return line_of(f"{over.rows[0]}/{under.rows[0]}")
        inner = Drawing()
        over, under = inner.draw(node.over), inner.draw(node.under)
        if not node.bar:
            return stacked([over, under], over.height - 1)
        nested = any(has_bar(part) for part in (over, under))
        bar = line_of("─" * max(1, max(over.width, under.width) + (2 if nested else 0)))
        return on_row([over, bar, under], 1)

    def root(self, node: Root) -> Picture:
        body = self.draw(node.body)
        degree = "" if node.degree is None else write(node.degree, tight=True)
        if body.height == 1:
            sign = _DEGREES.get(degree) or ("√" if not degree else None)
            small = raised(degree) if degree else ""
            head = sign or (f"{small}√" if small else "")
            if head:
                return short_root(head, body, node)
        return tall_root(body, degree)

    def scripts(self, node: Scripts) -> Picture:
        integral = _integral(node)
        if integral is not None and not self.script:
            return self.integral(node, 0, 0)
        base = self.draw(node.base)
        large = isinstance(node.base, Atom) and node.base.role is Role.LARGE
        if node.limits or (large and integral is None):
            if self.script and not isinstance(node.base, Accent):
                return line_of(write(node, tight=True))
            return self._limits(base, node)
        return self._attached(base, node)

    def _limits(self, base: Picture, node: Scripts) -> Picture:
        inner = Drawing(script=True)
        parts = [base]
        which = 0
        if node.above is not None and node.above != EMPTY:
            parts.insert(0, inner.draw(node.above))
            which = 1
        if node.below is not None and node.below != EMPTY:
            parts.append(inner.draw(node.below))
        if isinstance(node.base, Atom) and node.base.role is Role.RELATION:
            cells = max(part.width for part in parts)
            parts = [long_arrow(part, node.base.text, cells) if part is base else part for part in parts]
        return on_row(parts, which)

    def _attached(self, base: Picture, node: Scripts) -> Picture:
        """Draw scripts to the right of their base, in small characters or on separate rows."""
        below, small_below = self._script(node.below, raise_it=False)
        above, small_above = self._script(node.above, raise_it=True)
        upper = above if above is not None else line_of(small_above)
        lower = below if below is not None else line_of(small_below)
        if base.height > 1 and not isinstance(node.base, Accent):
            column = corners(base, upper, lower)
        elif below is None and above is None:
            column = line_of(small_above + small_below if node.base == EMPTY else small_below + small_above)
        elif below is None:
            column = on_row([upper, lower], 1, "l")
        elif above is None:
            column = on_row([upper, lower], 0, "l")
        else:
            column = on_row([upper, NOTHING, lower], 1, "l")
        return beside([(0, base), (0, column)])

    def _script(self, node: Node | None, *, raise_it: bool) -> tuple[Picture | None, str]:
        """Return a script as a picture, and as small characters if there are any."""
        if node is None or node == EMPTY:
            return None, ""
        text = write(node, tight=True)
        tiny = raised(text) if raise_it else lowered(text)
        if tiny is not None and len(tiny) <= _LONGEST_SMALL:
            return None, tiny
        return Drawing(script=True).draw(node), ""

    def integral(self, node: Node, above: int, below: int) -> Picture:
        """Draw an integral sign that covers rows `above` and `below`, with limits to its right."""
        sign = _integral(node) or "∫"
        scripts = node if isinstance(node, Scripts) else Scripts(EMPTY)
        lower, small_lower = self._script(scripts.below, raise_it=False)
        upper, small_upper = self._script(scripts.above, raise_it=True)
        if sign not in _STRETCHED or scripts.limits:
            return self._limits(line_of(sign), scripts)
        if lower is None and upper is None and not above and not below:
            return line_of(sign + small_lower + small_upper)
        up, down = max(above, 1), max(below, 1)
        top, middle, bottom = tuple(_STRETCHED[sign])
        times = _TIMES[sign]
        rows = [top * times, *[middle * times] * (up + down - 1), bottom * times]
        stroke = Picture(tuple(rows), times, up)
        inner = Drawing(script=True)
        high = inner.draw(scripts.above) if scripts.above is not None else NOTHING
        low = inner.draw(scripts.below) if scripts.below is not None else NOTHING
        return beside([(0, stroke), (0, corners(stroke, high, low))])

    def accent(self, node: Accent) -> Picture:
        base = self.draw(node.base)
        text = base.rows[0].strip()
        if base.height == 1 and not text and not node.over:
            return line_of("_" * max(4, base.width))
        arrow = _ARROWS.get(node.mark)
        if arrow is not None and node.over:
            head, shaft, tail = arrow
            mark = head + shaft * max(0, base.width - len(head) - len(tail)) + tail
            return on_row([line_of(mark), base], 1)
        if node.mark in "⏞⏟⎴⎵⏜⏝⏠⏡":
            return braced(base, over=node.over)
        if base.height == 1 and len(inline(node.base)) == 1 and width(text) == 1:
            return line_of(accent(node))
        mark = {"ˆ": "^", "˜": "~", "∼": "~"}.get(node.mark, node.mark)
        if node.mark in _LINES:
            mark = ("_" if node.over else "‾") * base.width
        return on_row([line_of(mark), base], 1) if node.over else on_row([base, line_of(mark)], 0)

    def fence(self, node: Fence) -> Picture:
        grid = isinstance(node.body, Grid)
        if isinstance(node.body, Grid):
            loose = bool({node.opening, node.closing} & BRACES)
            body = self.grid(node.body, loose=loose)
        else:
            body = self.draw(node.body)
        piled = grid or (isinstance(node.body, Fraction) and not node.body.bar)
        grows = body.height > 1 and (piled or (body.above and body.below) or body.height > 2)
        if not grows:
            return beside([(0, line_of(node.opening)), (0, body), (0, line_of(node.closing))])
        if {node.opening, node.closing} & BRACES and body.height == 2:
            body = extended(body, max(1, body.above), max(1, body.below))
        opening = delimiter(node.opening, body.above, body.below)
        closing = delimiter(node.closing, body.above, body.below)
        return beside([(0, opening), (int(grid and node.opening in BRACES), body),
                       (int(grid and node.closing in BRACES), closing)])  # fmt: skip

    def _grid_lines(self, node: Grid) -> tuple[list[Picture], list[int]]:
        """Draw the lines of a grid, and return them with the widths of its columns."""
        cells = [[self._cell(cell, lead=not node.gap) for cell in row] for row in node.rows]
        widths = [max(cell.width for cell in column if cell is not None) for column in zip_longest(*cells)]
        aligns = [column_align(cells, at, node) for at in range(len(widths))]
        return [grid_row(row, widths, aligns, node) for row in cells], widths

    def grid(self, node: Grid, *, loose: bool = False) -> Picture:
        lines, widths = self._grid_lines(node)
        needs_room = any(line.height > 1 for line in lines) or (loose and len(lines) == 2)
        if node.rules:
            lines = ruled(lines, widths, node)
        elif len(lines) > 1 and needs_room:
            lines = _spread(lines)
        if not lines:
            return NOTHING
        if len(lines) % 2:
            return on_row(lines, len(lines) // 2, "l")
        return stacked(lines, (sum(line.height for line in lines) - 1) // 2, "l")

    def _cell(self, cell: Node, *, lead: bool) -> Picture:
        if self.script:
            return self.draw(cell)
        if lead:
            return Drawing().row(cell, lead=True) if isinstance(cell, Row) else Drawing().draw(cell)
        return Drawing(slash=may_be_flat(cell)).draw(cell)

    def enclosed(self, node: Enclosed) -> Picture:
        body = self.draw(node.body)
        if node.notation == "strike":
            return line_of(struck(body.rows[0])) if body.height == 1 else body
        rows = tuple(f"│ {row} │" for row in body.rows)
        edge = "─" * (body.width + 2)
        return Picture((f"┌{edge}┐", *rows, f"└{edge}┘"), body.width + 4, body.baseline + 1)


def _spread(lines: Sequence[Picture]) -> list[Picture]:
    """Put a blank line between the rows of a grid."""
    blank = line_of(" " * lines[0].width)
    return [lines[0], *(part for line in lines[1:] for part in (blank, line))]


def may_be_flat(node: Node) -> bool:  # noqa: PLR0911 - one return for each kind of node
    """Return whether a formula fits on one row with its fractions written with a slash."""
    match node:
        case Row(children):
            return all(may_be_flat(child) for child in children)
        case Fraction():
            return node.bar and simple(node.over) and (is_vulgar(node) or single(node.under))
        case Root():
            return len(inline(node.body)) == 1 and isinstance(inline(node.body)[0], Atom)
        case Scripts():
            return not node.limits and role(node.base) is not Role.LARGE and may_be_flat(node.base)
        case Accent():
            return node.mark not in _ARROWS and len(inline(node.base)) == 1
        case Fence():
            return may_be_flat(node.body)
        case Grid():
            return False
        case Enclosed():
            return node.notation != "box"
        case _:
            return True


def _reach(children: Sequence[tuple[int, Node, Role]], pictures: Sequence[Picture], at: int) -> tuple[int, int]:
    """Return the rows above and below the baseline of an integrand, which ends at the next relation."""
    above = below = 0
    for (_, _, own), picture in zip(children[at + 1 :], pictures[at + 1 :], strict=True):
        if own is Role.RELATION:
            break
        above, below = max(above, picture.above), max(below, picture.below)
    return above, below


def _needed(parts: Sequence[Part], at: int) -> bool:
    """Return whether a factor after a stacked fraction needs a blank."""
    return at > 0 and (_stacked_vulgar(parts[at - 1]) or _stacked_vulgar(parts[at]))


def _stacked_vulgar(part: Part) -> bool:
    return len(part.picture.rows) > 1 and is_vulgar(part.node)


def _integral(node: Node) -> str | None:
    base = node.base if isinstance(node, Scripts) else node
    return base.text if isinstance(base, Atom) and base.text in INTEGRALS else None
