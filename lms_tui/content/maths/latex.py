r"""LaTeX to the formula tree: what latex2mathml does not know is rewritten first, then it converts, then we read.

Words and chemistry never pass the converter: each `\text{…}` and `\ce{…}` becomes a private character that stands
for a finished tree, so braces, signs and formulas inside them are safe.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final, cast
from xml.etree.ElementTree import Element

from lms_tui.cleaning import clean
from lms_tui.content.cells import settle
from lms_tui.content.maths.chemistry import reaction
from lms_tui.content.maths.macros import Unfit, expanded, group, quantities
from lms_tui.content.maths.mathml import Reader, row
from lms_tui.content.maths.tree import Atom, Enclosed, Node, Role, Row

LONGEST: Final = 4_000
"""Characters of a formula; a longer one is shown as its source."""
_FIRST_ISLAND: Final = 0xE000
_PRIVATE: Final = re.compile("[\ue000-\uf8ff]")
_INVISIBLE: Final = re.compile("[\u200b\u2060\ufeff\ufffd\u00a0\u2009]+")
_WORDS: Final = re.compile(
    r"\\(text(?:bf|it|md|normal|rm|sf|tt|up)?|mbox|hbox|emph|fbox|ce|pu|chem|operatorname\*?|textcolor|color|require"
    r"|label|tag\*?|hspace\*?|vspace\*?|cssId|class|bbox|href)\s*(?:\[[^\]]*\])?\s*(?=\{)"
)
_DROPPED: Final = frozenset(
    {"textcolor", "color", "require", "label", "vspace", "vspace*", "cssId", "class", "bbox", "href"}
)
_ENVIRONMENT: Final = re.compile(r"\\(begin|end)\s*\{([A-Za-z]+\*?)\}")
_ENVIRONMENTS: Final[Mapping[str, tuple[str, str]]] = {
    "aligned": (r"\begin{split}", r"\end{split}"),
    "align": (r"\begin{split}", r"\end{split}"),
    "align*": (r"\begin{split}", r"\end{split}"),
    "alignedat": (r"\begin{split}", r"\end{split}"),
    "eqnarray": (r"\begin{split}", r"\end{split}"),
    "eqnarray*": (r"\begin{split}", r"\end{split}"),
    "gather": (r"\begin{matrix}", r"\end{matrix}"),
    "gather*": (r"\begin{matrix}", r"\end{matrix}"),
    "gathered": (r"\begin{matrix}", r"\end{matrix}"),
    "multline": (r"\begin{matrix}", r"\end{matrix}"),
    "multline*": (r"\begin{matrix}", r"\end{matrix}"),
    "subarray": (r"\begin{matrix}", r"\end{matrix}"),
    "equation": ("", ""),
    "equation*": ("", ""),
    "displaymath": ("", ""),
    "math": ("", ""),
    "dcases": (r"\begin{cases}", r"\end{cases}"),
    "rcases": (r"\left.\begin{array}{ll}", r"\end{array}\right\}"),
    "dcases*": (r"\begin{cases}", r"\end{cases}"),
    "tabular": (r"\begin{array}", r"\end{array}"),
    "darray": (r"\begin{array}", r"\end{array}"),
}
_MACROS: Final[Mapping[str, str]] = {
    "degree": r"^{\circ}", "celsius": r"^{\circ}\mathrm{C}", "percent": r"\%", "N": r"\mathbb{N}", "R": r"\mathbb{R}",
    "Z": r"\mathbb{Z}", "Q": r"\mathbb{Q}", "C": r"\mathbb{C}", "dint": r"\int",
    "nicefrac": r"\frac", "sfrac": r"\frac", "flatfrac": r"\frac", "cfrac": r"\frac", "middle": "",
    "lvert": "|", "rvert": "|", "lVert": r"\|", "rVert": r"\|", "vert": "|", "Vert": r"\|", "divides": r"\mid",
    "dd": "d", "dif": "d", "diff": "d", "noindent": "", "displaylimits": "",
    "textstyle": "", "displaystyle": "", "scriptstyle": "", "scriptscriptstyle": "", "nonumber": "", "notag": "",
    "allowbreak": "", "nobreak": "", "par": " ", "strut": "", "mathstrut": "", "hfill": r"\quad", "hfil": r"\quad",
    "rm": "", "bf": "", "it": "", "sf": "", "tt": "",
    "cal": "", "normalfont": "", "relax": "", "protect": "",
    "tiny": "", "small": "", "large": "", "Large": "", "LARGE": "", "huge": "", "Huge": "", "normalsize": "",
    "lt": "<", "gt": ">", "lbrack": "[", "rbrack": "]", "lbrace": r"\{", "rbrace": r"\}",
    "grad": r"\nabla",
    "ohm": r"\Omega", "micro": r"\mu", "angstrom": "Å", "AA": "Å", "dots": r"\ldots", "varnothing": r"\emptyset",
    "dag": r"\dagger",
    "ddag": r"\ddagger", "P": "¶", "copyright": "©", "euro": "€", "Square": r"\square", "qed": r"\blacksquare",
    "lnot": r"\neg", "hdots": r"\ldots", "dotsc": r"\ldots",
    "argmax": r"\operatorname{argmax}",
    "implies": r"\Rightarrow", "iff": r"\Leftrightarrow", "impliedby": r"\Leftarrow",
}  # fmt: skip

_NAMES: Final = frozenset(
    {"arg", "sgn", "sign", "tr", "Tr", "rank", "rk", "adj", "cosec", "sech", "csch", "arccot", "arcsec", "arccsc",
     "arcosh", "arsinh", "artanh", "arcsinh", "arccosh", "arctanh", "Arg", "Log", "Ln", "cis", "cov", "Cov", "Var",
     "var", "erf", "span", "diag", "Im", "Re", "id", "ord", "lcm", "lcd", "hcf", "HCF", "LCM", "curl", "im", "coker",
     "Hom", "End", "Aut", "Gal", "GL", "SL", "vol", "area", "mod", "argmax", "argmin", "median", "mean", "cl",
     "conv", "dist", "supp", "res", "Res", "const", "mex", "nCr", "nPr"}
)  # fmt: skip
"""Operators by name that the converter does not know."""
_MACRO: Final = re.compile(r"\\([A-Za-z]+)(?![A-Za-z])")
_ESCAPED: Final = re.compile(r"\\([%$#&_{} ,;:!])")
_COMMENT: Final = re.compile(r"(?<!\\)%")
_RULE: Final = re.compile(r"\\rule\s*(?:\[[^\]]*\])?\s*\{[^{}]*\}\s*\{[^{}]*\}")
_THOUSANDS: Final = re.compile(r"(?<![\d.,])[1-9]\d{0,2}(?:,\d{3})+(?![\d,])")
_COLUMNS: Final = re.compile(r"(\\begin\{array\})\s*(?:\[[a-z]\])?\s*\{((?:[^{}]|\{[^{}]*\})*)\}(?:\s*\\hline)*")
_SIZED: Final = re.compile(r"\\(?:left|right)\s*\.|\\(?:left|right|middle)(?![a-z])")
_PAIRED: Final = {"abs": ("|", "|"), "norm": (r"\|", r"\|"), "set": (r"\{", r"\}"), "ceil": (r"\lceil ", r"\rceil "),
                  "floor": (r"\lfloor ", r"\rfloor ")}  # fmt: skip
_PAIR: Final = re.compile(r"\\(abs|norm|set|ceil|floor)\s*(?=\{)")


@lru_cache(maxsize=1024)
def read_latex(source: str) -> Node | None:
    """Return the tree of a LaTeX formula (no delimiters), None where it has to be shown as its source."""
    if len(source) > LONGEST:
        return None
    islands: dict[str, Node] = {}
    try:
        prepared = prepare(expanded(source, LONGEST), islands)
    except Unfit:
        return None
    for attempt in (prepared, _SIZED.sub("", prepared)):
        if not attempt.strip():
            return row(())
        try:
            return Reader(islands).read(_converter()(attempt))
        except Exception:  # noqa: BLE001, S112 - the converter raises IndexError, KeyError, StopIteration, RecursionError
            continue
    return None


def _converter() -> Callable[[str], Element]:
    from latex2mathml.converter import convert_to_element  # noqa: PLC0415 - 18 ms that a paper without maths saves

    return cast("Callable[[str], Element]", convert_to_element)


def prepare(source: str, islands: dict[str, Node]) -> str:
    """Rewrite LaTeX into what the converter knows; `islands` receives the trees of texts and chemistry."""
    source = _INVISIBLE.sub(" ", _PRIVATE.sub("\ufffd", source))
    source = _COMMENT.sub(r"\\%", source)
    source = _set_aside(source, islands)
    source = _THOUSANDS.sub(lambda found: _mark(islands, Atom(found[0])), source)
    source = source.replace("~", r"\ ").replace("\u2018", "'").replace("\u2019", "'")
    source = quantities(source)
    source = _RULE.sub(r"\\_\\_\\_\\_", source)
    source = _paired(source)
    source = _ENVIRONMENT.sub(_environment, source)
    source = _COLUMNS.sub(lambda found: f"{found[1]}{{{_columns(found[2])}}}", source)
    return _MACRO.sub(lambda found: _macro(found[1]), source)


def _macro(name: str) -> str:
    known = _MACROS.get(name)
    if known is None:
        return f"\\operatorname{{{name}}}" if name in _NAMES else f"\\{name}"
    return f"{known} " if known[-1:].isalpha() and known.startswith("\\") else known


def _columns(text: str) -> str:
    """Keep of an array's column specification what the converter takes: l, c, r and rules."""
    spec = re.sub(r"[@!>*]\{[^{}]*\}|[pmb]\{[^{}]*\}", lambda found: "l" if found[0][0] in "pmb" else "", text)
    return "".join(char for char in spec if char in "lcr|") or "c"


def _environment(found: "re.Match[str]") -> str:
    pair = _ENVIRONMENTS.get(found[2])
    if pair is None:
        return found[0]
    return pair[0] if found[1] == "begin" else pair[1]


def _paired(source: str) -> str:
    r"""Write \abs{x} and its kin as delimiters around a group."""
    while found := _PAIR.search(source):
        body, end = group(source, found.end())
        opening, closing = _PAIRED[found[1]]
        source = f"{source[: found.start()]}{{{opening}{body}{closing}}}{source[end:]}"
    return source


def _set_aside(source: str, islands: dict[str, Node]) -> str:
    """Put a private character in the place of every text and every `ce`."""
    result: list[str] = []
    at = 0
    while found := _WORDS.search(source, at):
        result.append(source[at : found.start()])
        body, at = group(source, found.end())
        name = found[1]
        if name in _DROPPED:
            result.append(" ")
        elif name in {"hspace", "hspace*"}:
            result.append(r"\ ")
        else:
            result.append(_mark(islands, _island(name, body)))
    result.append(source[at:])
    return "".join(result)


def _mark(islands: dict[str, Node], tree: Node) -> str:
    """Take the next private character for a tree; a formula of LONGEST characters cannot use them up."""
    mark = chr(_FIRST_ISLAND + len(islands))
    islands[mark] = tree
    return mark


def _island(name: str, body: str) -> Node:
    if name in {"ce", "chem"}:
        return reaction(clean(body))
    if name in {"operatorname", "operatorname*"}:
        return Atom(_plain(body.replace(r"\,", " ")).strip(), Role.FUNCTION, upright=True)
    if name in {"tag", "tag*"}:
        body = f"  ({body})"
    parts: list[Node] = []
    for at, piece in enumerate(re.split(r"(?<!\\)\$", body)):
        if at % 2:
            parts.append(read_latex(piece) or Atom(_plain(piece)))
        elif piece:
            parts.append(Atom(_plain(piece), upright=True))
    tree = Row(tuple(parts)) if len(parts) != 1 else parts[0]
    return Enclosed(tree, "box") if name == "fbox" else tree


def _plain(text: str) -> str:
    """Words as they are read: escapes resolved, font commands dropped."""
    text = re.sub(r"\\(?:text(?:bf|it|rm|sf|tt|up|normal)?|emph|mathrm|mathbf|bf|it|rm)\s*(?=[{ ])", "", text)
    text = _ESCAPED.sub(r"\1", text).replace("~", " ").replace("``", "“").replace("''", "”").replace("---", "—")
    text = re.sub(r"(?<!\\)[{}]", "", text).replace("--", "–")
    return settle(clean(" ".join(f"|{text}|".split())[1:-1]))
