"""Read LaTeX matrices, cases, aligned lines and arrays into grids."""

import re
from collections.abc import Mapping
from typing import Final

from lms_tui.content.maths.macros import UnreadableFormula
from lms_tui.content.maths.reader import LatexReader
from lms_tui.content.maths.rows import row
from lms_tui.content.maths.tokens import symbol
from lms_tui.content.maths.tree import Atom, Fence, Grid, Node, Role, inline

_ALIGNED: Final = frozenset(
    {"split", "aligned", "align", "align*", "alignedat", "alignat", "alignat*", "eqnarray", "eqnarray*", "flalign",
     "flalign*"}
)  # fmt: skip
_NUMBERED: Final = frozenset({"alignedat", "alignat", "alignat*"})
"""Environments whose first argument is a number of column pairs."""
_ARRAYS: Final = frozenset({"array", "tabular", "darray"})
_CASES: Final = frozenset({"cases", "dcases", "dcases*"})
_TRANSPARENT: Final = frozenset({"equation", "equation*", "displaymath", "math"})
_FENCES: Final[Mapping[str, tuple[str, str]]] = {
    "pmatrix": ("(", ")"), "bmatrix": ("[", "]"), "Bmatrix": ("{", "}"), "vmatrix": ("|", "|"), "Vmatrix": ("‖", "‖"),
    "cases": ("{", ""), "dcases": ("{", ""), "dcases*": ("{", ""), "rcases": ("", "}"),
}  # fmt: skip
_GRIDS: Final = frozenset(
    {"matrix", "smallmatrix", "gather", "gather*", "gathered", "multline", "multline*", "subarray", *_ALIGNED, *_ARRAYS,
     *_FENCES}
)  # fmt: skip
_CELLS: Final = frozenset({"&", r"\\", r"\end"})
_LINES: Final = frozenset({"&", r"\\", "}"})
_NAME: Final = re.compile(r"\s*\{([A-Za-z]+\*?)\}")
_COUNT: Final = re.compile(r"\s*\{\s*\d*\s*\}")
_COLUMN: Final = re.compile(r"\s*\{([lcr])\}")
_PLACE: Final = re.compile(r"\s*\[[a-z]\]")
_SKIP: Final = re.compile(r"\*?\s*\[\s*-?[\d.]+\s*[a-z]{2}\s*\]|\*(?=\s)")
_RULE: Final = re.compile(
    r"\s*\\(?:(?:hline|hdashline|toprule|midrule|bottomrule)(?![A-Za-z])|c(?:mid)?(?:line|rule)\s*\{[^{}]*\})"
)
_SPECIAL: Final = re.compile(r"[@!>*<]\{[^{}]*\}|[pmb]\{[^{}]*\}")


def begin(reader: LatexReader, lexeme: str) -> tuple[Node, ...]:
    """Read an environment."""
    found = reader.tokens.skip(_NAME)
    if found is None:
        return (Atom(lexeme, Role.FUNCTION, upright=True),)
    name = found[1]
    if name in _TRANSPARENT:
        return ()
    plain = name if name in _GRIDS else name.rstrip("*")
    aligns, bars = _aligned(reader, plain)
    rows, rules = _rows(reader, _CELLS)
    ending = reader.tokens.skip(_NAME)
    if reader.stop != r"\end" or ending is None or ending[1] != name:
        raise UnreadableFormula
    if plain not in _GRIDS and len(rows) == 1 and len(rows[0]) == 1:
        return inline(rows[0][0])
    return (_grid(plain, rows, aligns, bars, rules),)


def end(reader: LatexReader, lexeme: str) -> tuple[Node, ...]:
    r"""Read `\end` without `\begin`."""
    found = reader.tokens.skip(_NAME)
    if found is not None and found[1] in _TRANSPARENT:
        return ()
    return (Atom(lexeme if found is None else f"{lexeme}{{{found[1]}}}", Role.FUNCTION, upright=True),)


def lines(reader: LatexReader, lexeme: str) -> tuple[Node, ...]:
    r"""Read the grid in the braces of a command such as `\substack` or `\matrix`."""
    if reader.tokens.begins("{"):
        rows, rules = _rows(reader, _LINES)
    else:
        rows, rules = [(reader.argument(),)], frozenset()
    return (_grid(lexeme[1:], rows, "", frozenset(), rules),)


def _grid(name: str, rows: list[tuple[Node, ...]], aligns: str, bars: frozenset[int], rules: frozenset[int]) -> Node:
    columns = max(map(len, rows), default=0)
    gap = 0 if name in _ALIGNED or name in {"eqalign", "eqalignno"} else 2
    aligns = aligns or ("rl" if name in _ALIGNED else "l" if name in _CASES else "c")
    wanted = (aligns * (columns // len(aligns) + 1))[:columns]
    grid = Grid(tuple(rows), wanted, bars, gap, rules)
    fences = _FENCES.get(name)
    return grid if fences is None else Fence(fences[0], grid, fences[1])


def _aligned(reader: LatexReader, name: str) -> tuple[str, frozenset[int]]:
    """Return the alignment of each column and the columns with a bar after them."""
    if name in _NUMBERED:
        reader.tokens.skip(_COUNT)
    if name == "rcases":
        return "ll", frozenset()
    if name == "subarray":
        found = reader.tokens.skip(_COLUMN)
        return (found[1] if found is not None else ""), frozenset()
    if name not in _ARRAYS:
        found = reader.tokens.skip(_PLACE)
        return (found[0].strip(" []") if found is not None and found[0].strip(" []") in "lcr" else ""), frozenset()
    reader.tokens.skip(_PLACE)
    if not reader.tokens.opened():
        return "", frozenset()
    text = _SPECIAL.sub(lambda found: "l" if found[0][0] in "pmb" else "", reader.tokens.raw())
    return _columns(text)


def _columns(text: str) -> tuple[str, frozenset[int]]:
    aligns, bars = "", set()
    for char in text:
        if char == "|" and aligns:
            bars.add(len(aligns) - 1)
        elif char in "lcr":
            aligns += char
    return aligns, frozenset(bars)


def _rows(reader: LatexReader, stops: frozenset[str]) -> tuple[list[tuple[Node, ...]], frozenset[int]]:
    """Read the cells of a grid and the rows with a rule after them."""
    rows: list[tuple[Node, ...]] = []
    rules: set[int] = set()
    cells: list[Node] = []
    filled = False
    while True:
        while not cells and reader.tokens.skip(_RULE):
            rules.add(len(rows) - 1)
        at = reader.tokens.at
        content = reader.sequence(stops)
        filled = filled or bool(content) or bool(reader.tokens.source[at : reader.tokens.at - len(reader.stop)].strip())
        cells.append(row(content))
        if reader.stop == "&":
            continue
        last = reader.stop != r"\\"
        if filled or not last:
            rows.append(tuple(cells))
        if last:
            return rows, frozenset(rules - {-1})
        reader.tokens.skip(_SKIP)
        cells, filled = [], False


def line_end(reader: LatexReader, lexeme: str) -> tuple[Node, ...]:
    """Read a new line outside of a grid as a space, and skip its distance."""
    reader.tokens.skip(_SKIP)
    return symbol(lexeme)


ENVIRONMENTS: Final = {r"\begin": begin, r"\end": end, r"\\": line_end}
COMMANDS: Final = (
    r"\matrix", r"\pmatrix", r"\bmatrix", r"\Bmatrix", r"\vmatrix", r"\Vmatrix", r"\array", r"\substack", r"\cases",
    r"\displaylines", r"\eqalign", r"\eqalignno", r"\smallmatrix", r"\split", r"\align",
)  # fmt: skip
