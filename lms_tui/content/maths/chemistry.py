r"""Read `\ce{…}` of mhchem into the formula tree: counts, charges, isotopes, states, bonds and arrows."""

import re
from typing import Final

from lms_tui.content.maths.tree import EMPTY, Atom, Node, Role, Row, Scripts, Space

_TOKEN: Final = re.compile(
    r"(?P<arrow><-->|<=>>|<<=>|<=>|<->|->|<-)(?:\[(?P<over>[^\]]*)\])?(?:\[(?P<below>[^\]]*)\])?"
    r"|(?P<maths>\$[^$]*\$)"
    r"|\^(?:\{(?P<supgroup>[^{}]*)\}|(?P<sup>[0-9]*[+\-]|[0-9]+|[a-zA-Z.]))"
    r"|_(?:\{(?P<subgroup>[^{}]*)\}|(?P<sub>[0-9]+|[a-zA-Z]))"
    r"|(?P<charge>(?<=[A-Za-z0-9)\]}])[+\-]+(?=$|[\s\])},^(]))"
    r"|(?P<state>\((?:aq|s|l|g|cr|am|v|ads|sol)\))"
    r"|(?P<letters>[A-Za-z]+)"
    r"|(?P<count>(?<=[A-Za-z)\]}])[0-9]+)"
    r"|(?P<number>[0-9]+(?:[./][0-9]+)?)"
    r"|(?P<space>\s+)"
    r"|(?P<macro>\\[A-Za-z]+\s?|\\.)"
    r"|(?P<other>.)",
    re.DOTALL,
)
_ARROWS: Final = {
    "->": "⟶", "<-": "⟵", "<->": "⟷", "<-->": "⇄", "<=>": "⇌", "<=>>": "⇌", "<<=>": "⇌",
}  # fmt: skip
_OTHER: Final = {"^": "↑", "*": "·", ".": "·", "=": "=", "#": "≡", "-": "−", "~": " "}
_MACROS: Final = {r"\alpha": "α", r"\beta": "β", r"\gamma": "γ", r"\Delta": "Δ", r"\cdot": "·", r"\bond": "−",
                  r"\circ": "°", r"\nu": "ν", r"\mu": "μ", r"\pi": "π", r"\sigma": "σ", r"\eta": "η"}  # fmt: skip


def reaction(source: str) -> Node:
    r"""Read the content of `\ce{…}`. An unknown character stands for itself."""
    nodes: list[Node] = []
    spaced = True
    for match in _TOKEN.finditer(" ".join(source.split())):
        kind = match.lastgroup or "other"
        if match["arrow"]:
            nodes.append(_arrow(match["arrow"], match["over"], match["below"]))
        elif kind in {"sup", "supgroup", "charge"}:
            _attach(nodes, above=_text(match[kind]), joined=not spaced)
        elif kind in {"sub", "subgroup"}:
            _attach(nodes, below=_text(match[kind]), joined=not spaced)
        elif kind == "count" and nodes:
            _attach(nodes, below=_text(match[kind]), joined=True)
        else:
            nodes.extend(_plain(kind, match[0], spaced=spaced))
        spaced = kind == "space" or bool(match["arrow"]) or (kind == "other" and match[0] in "*.=#")
    return Row(tuple(nodes))


def _text(text: str) -> Node:
    return Atom(text.strip("$").replace("-", "−"), upright=True)


def _attach(nodes: list[Node], *, joined: bool, below: Node | None = None, above: Node | None = None) -> None:
    """Add a script to the last symbol. After a space it belongs to the next symbol, as in isotopes."""
    last = nodes[-1] if nodes else None
    if isinstance(last, Scripts) and (joined or last.base == EMPTY):
        if (below is None or last.below is None) and (above is None or last.above is None):
            nodes[-1] = Scripts(last.base, below or last.below, above or last.above)
            return
    elif joined and last is not None:
        nodes[-1] = Scripts(last, below, above)
        return
    nodes.append(Scripts(EMPTY, below, above))


def _arrow(arrow: str, over: str | None, below: str | None) -> Node:
    base = Atom(_ARROWS[arrow], Role.RELATION)
    if not over and not below:
        return base
    return Scripts(base, reaction(below) if below else None, reaction(over) if over else None, limits=True)


def _plain(kind: str, text: str, *, spaced: bool) -> list[Node]:  # noqa: PLR0911 - one return for each kind of token
    if kind == "space":
        return [Space(1)]
    if kind == "letters" and text == "v" and spaced:
        return [Atom("↓")]
    if kind in {"letters", "state"}:
        return [Atom(text, upright=True)]
    if kind in {"number", "count"}:
        return [Atom(text)]
    if kind == "macro":
        return [Atom(_MACROS.get(text.strip(), text), upright=True)]
    if kind == "maths":
        return [Atom(text.strip("$"))]
    if text == "+":
        return [Atom("+", Role.BINARY)]
    return [Atom(_OTHER.get(text, text))] if text not in "{}" else []
