"""Cut LaTeX source into tokens.

A token is a command with its backslash, an escaped sign, a number with its unit, or one character. Tokens are cut on
demand, because the arguments of some commands are plain text.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from lms_tui.content.maths.letters import decoded, named, written
from lms_tui.content.maths.macros import UnreadableFormula, group
from lms_tui.content.maths.tree import Atom, Node, Space

_GROUPED: Final = r"(?:(?<![\d.,])[1-9]\d{0,2}(?:,\d{3})+|(?<![\d.,({\[])[1-9]\d?(?:,\d\d)+,\d{3})(?![\d,])"
"""A number with commas as in 1,000,000, or as in India: 18,00,000. After a bracket, the latter is a list."""
_NUMBER: Final = rf"{_GROUPED}|\d+(?:\.\d+)?(?:\s*(?:in|mm|cm|pt|em|ex|pc|bp|dd|cc|sp|mu))?"
_TOKEN: Final = re.compile(rf"\s*(\\(?:[A-Za-z]+|[^A-Za-z])|{_NUMBER}|\.\d*|\S)", re.DOTALL)
_DIGIT: Final = re.compile(rf"\s*({_GROUPED}|\d)")
_OPENING: Final = re.compile(r"\s*(?:\[[^\]]*\])?\s*(?=\{)")
_DIMENSION: Final = re.compile(
    r"\s*(\{\s*)?(-?\s*(?:\d+\.?\d*|\.\d+))\s*(em|ex|pt|px|in|mm|cm|pc|bp|dd|cc|sp|mu)(?(1)\s*\})"
)
_ESCAPES: Final = frozenset("\\[]{}!,:>;|_%#$& ")
_IGNORED: Final = (
    r"\middle", r"\noindent", r"\displaylimits", r"\textstyle", r"\displaystyle", r"\scriptstyle",
     r"\scriptscriptstyle", r"\nonumber", r"\notag", r"\allowbreak", r"\nobreak", r"\par", r"\strut", r"\mathstrut",
     r"\rm", r"\bf", r"\it", r"\sf", r"\tt", r"\cal", r"\frak", r"\normalfont", r"\relax", r"\protect", r"\tiny",
     r"\Tiny", r"\small", r"\footnotesize", r"\scriptsize", r"\large", r"\Large", r"\LARGE", r"\huge", r"\Huge",
     r"\normalsize",
)  # fmt: skip
ALIASES: Final[Mapping[str, str]] = {
    r"\percent": r"\%", r"\N": r"\mathbb{N}", r"\R": r"\mathbb{R}", r"\Z": r"\mathbb{Z}", r"\Q": r"\mathbb{Q}",
    r"\C": r"\mathbb{C}", r"\dint": r"\int", r"\nicefrac": r"\frac", r"\sfrac": r"\frac", r"\flatfrac": r"\frac",
    r"\cfrac": r"\frac", r"\dfrac": r"\frac", r"\tfrac": r"\frac", r"\lvert": "|", r"\rvert": "|", r"\lVert": r"\|",
    r"\rVert": r"\|", r"\vert": "|", r"\Vert": r"\|", r"\divides": r"\mid", r"\dd": "d", r"\dif": "d", r"\diff": "d",
    r"\hfill": r"\quad", r"\hfil": r"\quad", r"\lt": "<", r"\gt": ">", r"\lbrack": "[", r"\rbrack": "]",
    r"\lbrace": r"\{", r"\rbrace": r"\}", r"\grad": r"\nabla", r"\ohm": r"\Omega", r"\micro": r"\mu",
    r"\angstrom": "Å", r"\AA": "Å", r"\dots": r"\ldots", r"\varnothing": r"\emptyset", r"\dag": r"\dagger",
    r"\ddag": r"\ddagger", r"\P": "¶", r"\copyright": "©", r"\euro": "€", r"\Square": r"\square",
    r"\qed": r"\blacksquare", r"\lnot": r"\neg", r"\hdots": r"\ldots", r"\dotsc": r"\ldots",
    r"\implies": r"\Rightarrow", r"\iff": r"\Leftrightarrow", r"\impliedby": r"\Leftarrow",
    "\u2018": "'", "\u2019": "'", "~": r"\ ", r"\nobreakspace": r"\ ", r"\space": r"\ ", r"\cr": r"\\",
    **{f"\\{blank}": r"\ " for blank in "\t\n\r\f\v"}, **dict.fromkeys(_IGNORED, ""),
}  # fmt: skip
_SPACES: Final[Mapping[str, int]] = {
    r"\:": 1, r"\,": 1, r"\enspace": 1, r"\!": 1, r"\>": 1, r"\negthinspace": 1, r"\negmedspace": 1,
    r"\negthickspace": 1, r"\thickspace": 1, r"\thinspace": 1, r"\qquad": 4, r"\quad": 2, r"\;": 1, r"\Space": 1,
    r"\\": 1,
}  # fmt: skip
FUNCTIONS: Final = (
    "arccos", "arcctg", "arcsin", "arctan", "arctg", "ch", "cos", "cosh", "cosec", "cot", "cotg", "coth", "csc",
    "ctg", "cth", "deg", "dim", "exp", "hom", "ker", "ln", "lg", "log", "sec", "sh", "sin", "sinh", "tan", "tanh",
    "tg", "th", "lim", "sup", "inf", "max", "min", "det", "gcd", "plim", "Pr", "arg", "sgn", "sign", "tr", "Tr",
    "rank", "rk", "adj", "sech", "csch", "arccot", "arcsec", "arccsc", "arcosh", "arsinh", "artanh", "arcsinh",
    "arccosh", "arctanh", "Arg", "Log", "Ln", "cis", "cov", "Cov", "Var", "var", "erf", "span", "diag", "Im", "Re",
    "id", "ord", "lcm", "lcd", "hcf", "HCF", "LCM", "curl", "im", "coker", "Hom", "End", "Aut", "Gal", "GL", "SL",
    "vol", "area", "argmax", "argmin", "median", "mean", "cl", "conv", "dist", "supp", "res", "Res", "const", "mex",
    "nCr", "nPr",
)  # fmt: skip
_NAMES: Final[Mapping[str, str]] = {
    **{rf"\{name}": name for name in FUNCTIONS},
    r"\argmin": "argmin", r"\injlim": "inj lim", r"\varinjlim": "inj lim", r"\projlim": "proj lim",
    r"\varprojlim": "proj lim", r"\liminf": "lim inf", r"\varliminf": "lim inf", r"\limsup": "lim sup",
    r"\varlimsup": "lim sup", r"\intop": "∫", r"\bmod": "mod", r"\mod": "mod",
}  # fmt: skip
"""Operators with a name."""


@dataclass(slots=True)
class Tokens:
    """A source and the current position in it."""

    source: str
    at: int = 0

    def next(self) -> str:
        """Consume the next token and resolve its alias. Returns an empty string at the end."""
        while found := _TOKEN.match(self.source, self.at):
            self.at = found.end()
            lexeme = found[1]
            alias = ALIASES.get(lexeme)
            if alias is None:
                if lexeme[0] == "\\" and len(lexeme) == 2 and not lexeme[1].isalpha() and lexeme[1] not in _ESCAPES:
                    self.at -= 1
                    return "\\"
                return lexeme
            if alias:
                return alias
        return ""

    def digit(self) -> str:
        """Consume one digit, the form of arguments without braces. Returns an empty string if there is none."""
        found = _DIGIT.match(self.source, self.at)
        if found is None:
            return ""
        self.at = found.end()
        return found[1]

    def begins(self, text: str) -> bool:
        """Consume `text` after optional blanks. Returns whether it was there."""
        at = self.at
        while self.source[at : at + 1].isspace():
            at += 1
        if not self.source.startswith(text, at):
            return False
        self.at = at + len(text)
        return True

    def opened(self) -> bool:
        """Return whether a group follows, and skip square brackets before it."""
        found = _OPENING.match(self.source, self.at)
        if found is None:
            return False
        self.at = found.end()
        return True

    def raw(self) -> str:
        """Consume a group without parsing it, or the next token."""
        if self.opened():
            text, self.at = group(self.source, self.at)
            return text
        lexeme = self.next()
        if not lexeme:
            raise UnreadableFormula
        return lexeme

    def dimension(self) -> str:
        """Consume a length with its unit, or return an empty string."""
        found = _DIMENSION.match(self.source, self.at)
        if found is None:
            return ""
        self.at = found.end()
        return found[2].replace(" ", "") + found[3]

    def skip(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Consume the match of a pattern at the current position."""
        found = pattern.match(self.source, self.at)
        if found is not None:
            self.at = found.end()
        return found


@lru_cache(maxsize=4096)
def symbol(lexeme: str) -> tuple[Node, ...]:
    """Return the nodes of a token without arguments. An unknown token stands for itself."""
    if lexeme == r"\ ":
        return (Atom(" ", upright=True),)
    if (cells := _SPACES.get(lexeme)) is not None:
        return (Space(cells),)
    if lexeme[:1].isdigit():
        return (Atom("".join(lexeme.split())),)
    text = written(decoded(_NAMES.get(lexeme) or character(lexeme) or lexeme))
    return (named(text),) if text else ()


@lru_cache(maxsize=512)
def character(lexeme: str) -> str:
    """Return the character of a command or sign, or an empty string."""
    table = _table()
    # A dictionary of all rows would need ten times as much memory as their text.
    end = table.find(f" {lexeme}\n")
    return chr(int(table[table.rfind("\n", 0, end) + 1 : end], 16)) if end >= 0 else ""


@cache
def _table() -> str:
    """Read the table on first use, because many exams have no formulas."""
    table = Path(__file__).with_name("latex_symbols.txt").read_text("utf-8")
    return "".join(row for row in table.splitlines(keepends=True) if not row.startswith("%"))
