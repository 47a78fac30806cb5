"""Read LaTeX into the formula tree: expand the source's own macros, then parse, with text and chemistry inside."""

import re
from functools import lru_cache
from typing import Final

from lms_tui.common.cleaning import clean
from lms_tui.content.maths.chemistry import reaction
from lms_tui.content.maths.constructs import BUILDERS
from lms_tui.content.maths.macros import UnreadableFormula, expanded
from lms_tui.content.maths.reader import LatexReader
from lms_tui.content.maths.tree import Atom, Enclosed, Node, Role, Row
from lms_tui.content.text import safe_text

LONGEST: Final = 4_000
"""Most characters of a formula. A longer formula is shown as its source."""
_INVISIBLE: Final = re.compile("[\u200b\u2060\ufeff\ufffd\u00a0\u2009\ue000-\uf8ff]+")
_ESCAPED: Final = re.compile(r"\\([%$#&_{} ,;:!])")
_SIZED: Final = re.compile(r"\\(?:left|right)\s*\.|\\(?:left|right|middle)(?![a-z])")


@lru_cache(maxsize=1024)
def read_latex(source: str) -> Node | None:
    """Return the tree of a LaTeX formula without delimiters, or None if it must be shown as its source."""
    if len(source) > LONGEST:
        return None
    try:
        prepared = _INVISIBLE.sub(" ", expanded(source, LONGEST))
    except UnreadableFormula:
        return None
    try:
        return LatexReader(prepared, BUILDERS, _words).read()
    except UnreadableFormula:
        pass
    try:  # read unpaired delimiters as plain signs
        return LatexReader(_SIZED.sub("", prepared), BUILDERS, _words).read()
    except UnreadableFormula:
        return None


def _words(name: str, body: str) -> Node:
    """Read the argument of a text command, including formulas between dollar signs."""
    if name in {"ce", "chem"}:
        return reaction(clean(body))
    if name == "operatorname":
        return Atom(_plain(body.replace(r"\,", " ")).strip(), Role.FUNCTION, upright=True)
    if name == "tag":
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
    """Return text with escapes resolved and without font commands."""
    text = re.sub(r"\\(?:text(?:bf|it|rm|sf|tt|up|normal)?|emph|mathrm|mathbf|bf|it|rm)\s*(?=[{ ])", "", text)
    text = _ESCAPED.sub(r"\1", text).replace("~", " ").replace("``", "“").replace("''", "”").replace("---", "—")
    text = re.sub(r"(?<!\\)[{}]", "", text).replace("--", "–")
    return safe_text(" ".join(f"|{text}|".split())[1:-1])
