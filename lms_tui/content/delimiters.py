"""Find formulas in running text. Prices such as $5 and placeholders such as $course$ are not formulas."""

import re
from collections.abc import Iterator
from typing import Final

from lms_tui.common.frozen import frozen

OBJECT: Final = "\ufffc"
"""Marks an image, a formula or a gap in a flat text. No formula extends across it."""

# An opening delimiter ends the search for a closing one. Otherwise many of them take quadratic time.
_LONGEST_DOLLAR: Final = 1_500
_DELIMITED: Final = re.compile(
    r"(?P<escaped>\\\$|\\\\(?=[(\[]))"
    r"|\\\[(?P<display>(?:\\\\|(?!\\\[)[^\ufffc])+?)\\\]"
    r"|\\\((?P<inline>(?:\\\\|(?!\\\()[^\ufffc])+?)\\\)"
    r"|\$\$(?P<dollars>[^$\ufffc]+(?:\\\$[^$\ufffc]*)*)\$\$"
    r"|(?P<environment>\\begin\s*\{(?P<name>(?:equation|align|aligned|alignedat|gather|gathered|multline|eqnarray|split"
    r"|cases|[dr]cases|[pbvBV]?matrix|smallmatrix|array|math|displaymath)\*?)\}[^\ufffc]{0,4000}?\\end\s*\{(?P=name)\})"
    r"|(?P<chemistry>\\ce\s*\{(?:[^{}\ufffc]|\{[^{}\ufffc]*\})*\})"
    r"|(?P<dollar>\$)"
)
_CLOSING: Final = re.compile(r"(?<!\\)\$")
_STRONG: Final = re.compile(r"\\[A-Za-z]+|[\^_=<>≤≥≠±×÷√∑∫πθαβλμσ]")
_PLACEHOLDER: Final = re.compile(r"[a-z]{4,}|[A-Za-z]{3,}(?:[_.][A-Za-z]{3,})+|[A-Z]{5,}|[a-z]{3,}(?:/[\w .-]*)+")
_PROSE: Final = re.compile(r"(?<![\\A-Za-z{])[A-Za-z]{3,}(?:[,;]?\s+[A-Za-z]{2,})+")
_TEXT_COMMAND: Final = re.compile(
    r"\\(?:text|mbox|mathrm|operatorname|textbf|textit|hbox|begin|end)[a-z]*\s*\{[^{}]*\}"
)


@frozen
class Found:
    """A formula between `start` and `end`, including delimiters. An empty `source` means `literal` is shown instead."""

    start: int
    end: int
    source: str
    display: bool = False
    literal: str = ""


def formulas(text: str) -> Iterator[Found]:
    """Find every formula of a paragraph, from left to right."""
    if "\\" not in text and "$" not in text:
        return
    at = 0
    while match := _DELIMITED.search(text, at):
        at = match.end()
        if match["escaped"]:
            if match["escaped"] == r"\$":
                yield Found(match.start(), at, "", literal="$")
        elif match["dollar"]:
            found = _dollar(text, match.start())
            if found is not None:
                at = found.end
                yield found
        else:
            yield _delimited(match)


def _delimited(match: "re.Match[str]") -> Found:
    start, end = match.span()
    for name in ("display", "dollars", "inline", "environment", "chemistry"):
        source = match[name]
        if source is not None:
            return Found(start, end, source.strip(), display=name in {"display", "dollars", "environment"})
    raise AssertionError(match[0])


def _dollar(text: str, start: int) -> Found | None:
    closing = _CLOSING.search(text, start + 1, start + _LONGEST_DOLLAR)
    if closing is None:
        return None
    source = text[start + 1 : closing.start()]
    after = text[closing.end() : closing.end() + 1]
    if OBJECT in source or "\n\n" in source or not is_formula(source, after):
        return None
    return Found(start, closing.end(), source.strip())


def is_formula(source: str, after: str = "") -> bool:
    """Return whether the text between two dollar signs is a formula and not text between two prices."""
    body = source.strip()
    if not body or after.isdigit():
        return False
    if source[0].isspace() != source[-1].isspace() or (source[0].isspace() and not _STRONG.search(body)):
        return False
    if body[0].isdigit() and body[-1] in "+-−–*/=(,;:" and "\\" not in body:
        return False
    if _PLACEHOLDER.fullmatch(body):
        return False
    if "\\" in body:
        body = _TEXT_COMMAND.sub("", body)
    return _PROSE.search(body) is None
