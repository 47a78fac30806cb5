"""Write a formula on one line: x², ½, (a + b)/c, √(x), ∫₀^π."""

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from lms_tui.content.cells import normalise
from lms_tui.content.maths.spacing import spaced
from lms_tui.content.maths.symbols import COMBINING, VULGAR, lowered, raised
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

_BRACES: Final = {"⏞": "overbrace", "⏟": "underbrace"}
_DEGREES: Final = {"3": "∛", "4": "∜"}
ARROWS: Final = frozenset("→⟶←⟵↔⟷⇌⇋⇄⇒⇐⇔↦")
_FACTORS: Final = frozenset({Role.ORDINARY, Role.INNER, Role.FUNCTION, Role.LARGE, Role.OPEN})
_NO_FACTORS: Final = (EMPTY, *map(Atom, ".?…⋯"))
_OVERLINES: Final = frozenset("¯―‾")


def write(node: Node, *, tight: bool = False) -> str:  # noqa: C901, PLR0911 - one return for each kind of node
    """Write a tree on one line. `tight` omits the blanks around signs, as in scripts."""
    match node:
        case Atom():
            return node.text
        case Space():
            return " " * node.cells
        case Row():
            return "".join(" " * gap + text for gap, text, _, _ in row_parts(node.children, tight=tight))
        case Fraction():
            return _fraction(node, tight=tight)
        case Root():
            return _root(node)
        case Scripts():
            return _scripts(node, tight=tight)
        case Accent():
            return accent(node)
        case Fence():
            return _fence(node, tight=tight)
        case Grid():
            return _grid(node)
        case Enclosed():
            inner = write(node.body, tight=tight)
            return f"[{inner}]" if node.notation == "box" else struck(inner)


def row_parts(children: tuple[Node, ...], *, tight: bool = False) -> Iterator[tuple[int, str, Node, Role]]:
    """Yield the blanks, the text, the node and the role of each child of a row.

    A fraction before a factor is bracketed, because 1/15 x would be ambiguous.
    """
    placed = list(spaced(children, tight=tight))
    for at, (gap, child, own) in enumerate(placed):
        text = write(child, tight=tight)
        follower = placed[at + 1] if at + 1 < len(placed) else None
        factor = follower is not None and follower[2] in _FACTORS and follower[1] not in _NO_FACTORS
        divided = isinstance(child, Fraction) and child.bar and "/" in text and not text.endswith(")")
        yield gap, f"({text})" if divided and factor else text, child, own


def struck(text: str) -> str:
    """Cross out each character."""
    return "".join(char if char == " " else char + "\u0338" for char in text)


def simple(node: Node) -> bool:
    """Return whether a node needs no brackets beside a slash, a root or a power."""
    match node:
        case Atom():
            return node.role in {Role.ORDINARY, Role.LARGE} and " " not in node.text
        case Row(children):
            children = children[1:] if len(children) > 1 and is_sign(children[0]) else children
            return all(_factor(child) for child in children) and (
                len(children) == 1 or all(isinstance(child, (Atom, Scripts)) for child in children)
            )
        case _:
            return _factor(node)


def is_sign(node: Node) -> bool:
    return isinstance(node, Atom) and node.text in {"−", "+", "±", "∓"}


def _factor(node: Node) -> bool:
    """Return whether a node is a number, a symbol with at most small scripts, or bracketed."""
    match node:
        case Atom():
            return node.role is Role.ORDINARY and " " not in node.text
        case Scripts():
            return not node.limits and _factor(node.base) and small_scripts(node) is not None
        case Accent() | Fence():
            return True
        case Root():
            return simple(node.body) and len(inline(node.body)) == 1
        case _:
            return False


def single(node: Node) -> bool:
    """Return whether a node is a single factor. A product under a slash would be ambiguous."""
    return len(inline(node)) == 1 and _factor(inline(node)[0])


def small_scripts(node: Scripts) -> str | None:
    """Return the scripts of a node in small characters, or None if some are missing."""
    below = "" if node.below is None else lowered(write(node.below, tight=True))
    above = "" if node.above is None else raised(write(node.above, tight=True))
    if node.below in {EMPTY, None}:
        below = ""
    if node.above in {EMPTY, None}:
        above = ""
    if below is None or above is None:
        return None
    return above + below if node.base == EMPTY else below + above


def _bracketed(text: str, *, alone: bool) -> str:
    return text if alone else f"({text})"


def _fraction(node: Fraction, *, tight: bool) -> str:
    over, under = write(node.over, tight=tight), write(node.under, tight=tight)
    if not node.bar:
        return f"({over} over {under})"
    if not tight and (vulgar := VULGAR.get((over, under))):
        return vulgar
    return f"{_bracketed(over, alone=simple(node.over))}/{_bracketed(under, alone=single(node.under))}"


def _root(node: Root) -> str:
    body = write(node.body)
    inner = body if single(node.body) and isinstance(inline(node.body)[0], Atom) else f"({body})"
    degree = write(node.degree, tight=True) if node.degree is not None else ""
    if not degree:
        return f"√{inner}"
    if sign := _DEGREES.get(degree):
        return sign + inner
    small = raised(degree)
    return f"{small}√{inner}" if small else f"√[{degree}]{inner}"


def _scripts(node: Scripts, *, tight: bool) -> str:
    base = write(node.base, tight=tight)
    if node.limits and base in ARROWS:
        return _labelled(base, node)
    if node.base == EMPTY:
        return _script(node.above, "^") + _script(node.below, "_")
    if isinstance(node.base, Accent) and node.base.mark in _BRACES:
        return f"{_BRACES[node.base.mark]}({base}: {write(node.above or node.below or EMPTY)})"
    if not _factor(node.base) and role(node.base) in {Role.ORDINARY, Role.INNER} and not _is_unit(node.base):
        base = f"({base})"
    return base + _script(node.below, "_") + _script(node.above, "^")


def _is_unit(node: Node) -> bool:
    """Return whether a node is words or a quotient of letters, whose power belongs to its last letter: m/s²."""
    if isinstance(node, Atom):
        return node.upright
    parts = inline(node)
    return any(isinstance(part, Atom) and part.text == "/" for part in parts) and all(
        isinstance(part, Atom) and (part.text == "/" or part.text.isalpha()) for part in parts
    )


def _labelled(arrow: str, node: Scripts) -> str:
    """Write an arrow with its conditions: A ─heat→ B."""
    over = "" if node.above is None else write(node.above).strip()
    under = "" if node.below is None else write(node.below).strip()
    label = over + (f"[{under}]" if under else "")
    if not label:
        return arrow
    return f"{arrow}{label}─" if arrow in "←⟵" else f"─{label}{arrow}"


def _script(node: Node | None, sign: str) -> str:
    if node is None or node == EMPTY:
        return ""
    text = write(node, tight=True)
    tiny = lowered(text) if sign == "_" else raised(text)
    if tiny is not None:
        return tiny
    return f"{sign}{text}" if len(text) == 1 else f"{sign}({text})"


def accent(node: Accent) -> str:
    """Add an accent as a composed letter, as a combining mark on each letter, or as a mark before brackets.

    A letter with an index carries the accent on the letter: the vector r_AB.
    """
    if isinstance(node.base, Scripts) and _is_on_letter(node, node.base):
        return write(replace(node.base, base=replace(node, base=node.base.base)))
    base = write(node.base).replace("ı", "i").replace("ȷ", "j")
    if not base.strip():
        return base or node.mark
    underlined = not node.over and node.mark in "_̲―¯"
    mark = "\u0332" if underlined else COMBINING.get(node.mark)
    return base if mark is None else _marked(base, mark, node)


def _marked(base: str, mark: str, node: Accent) -> str:
    if " " in base:
        return f"{_named(node)}({base})"
    if len(base) == 1 or unicodedata.combining(base[-1]):
        return normalise(base + mark)
    if node.over and node.mark in _OVERLINES:
        mark = "\u0305"
    return "".join(char + mark for char in base) if mark in "\u0305\u0332" else f"{_named(node)}({base})"


def _is_on_letter(node: Accent, scripts: Scripts) -> bool:
    """Return whether an accent over a letter with an index belongs to the letter alone."""
    is_letter = isinstance(scripts.base, Atom) and len(scripts.base.text) == 1
    return is_letter and scripts.above is None and node.over and node.mark not in _OVERLINES


def _named(node: Accent) -> str:
    return {"→": "vec", "⟶": "vec", "^": "hat", "~": "tilde"}.get(node.mark, "bar")


def _fence(node: Fence, *, tight: bool) -> str:
    if isinstance(node.body, Fraction) and not node.body.bar and (node.opening, node.closing) == ("(", ")"):
        return f"C({write(node.body.over)}, {write(node.body.under)})"
    if isinstance(node.body, Grid) and node.opening == "{" and not node.closing:
        return f"{{{'; '.join(case(cells) for cells in node.body.rows)}"
    body = write(node.body, tight=tight)
    return f"{node.opening}{body}{node.closing}"


def case(cells: Sequence[Node], say: Callable[[Node], str] = write) -> str:
    """Write one line of a definition by cases, with a comma before the condition."""
    parts = [text for cell in cells if (text := say(cell).strip())]
    return ", ".join(part.rstrip(" ,") for part in parts[:-1]) + (", " if len(parts) > 1 else "") + "".join(parts[-1:])


def _grid(node: Grid) -> str:
    joint = "" if not node.gap else " "
    rows = [joint.join(_cell(cell, lead=not node.gap) for cell in cells) for cells in node.rows]
    return "; ".join(line.strip() for line in rows)


def _cell(node: Node, *, lead: bool) -> str:
    text = write(node)
    return f" {text}" if lead and role(inline(node)[0] if inline(node) else node) is Role.RELATION else text
