"""How the choices of gaps and options are shown.

The choices of gaps are written into the text of a question, because the wire has no field for them.
"""

import html
import re
from typing import Final

from lms_tui.banks.model import Option, Question
from lms_tui.banks.texts import GAP, plain

_KEEPS_PLACE: Final = re.compile(
    r"(?:true|false|yes|no|.*\bof (?:the|these)(?: \w+)? above|.*\bof these)\W*", re.IGNORECASE
)
"""An option that speaks of the others, such as "None of the above", or whose place is a habit."""


def keeps_place(option: Option) -> bool:
    """Return whether an option keeps its place where options are shuffled."""
    return option.fixed or _KEEPS_PLACE.fullmatch(plain(option.html)) is not None


def html_with_choices(question: Question) -> str:
    """Return the text with the choices after each gap, or once at the end if all gaps have the same choices."""
    offered = question.gap_choices
    if not any(offered):
        return question.html
    if len(offered) > 1 and len(set(offered)) == 1:
        return f"{question.html}<p>({_listed(offered[0])})</p>"

    def choices(found: "re.Match[str]") -> str:
        texts = question.choices_of(int(found[1]))
        return f"{found[0]} ({_listed(texts)})" if texts else found[0]

    return GAP.sub(choices, question.html)


def html_without_choices(html_text: str, offered: tuple[tuple[str, ...], ...]) -> str:
    """Remove the choices that `html_with_choices` added."""
    if not any(offered):
        return html_text
    if len(offered) > 1 and len(set(offered)) == 1:
        return html_text.removesuffix(f"<p>({_listed(offered[0])})</p>")

    def bare(found: "re.Match[str]") -> str:
        return found[1]

    for gap, texts in enumerate(offered, 1):
        if texts:
            html_text = re.sub(rf"(\[\[\s*0*{gap}\s*\]\]) \({re.escape(_listed(texts))}\)", bare, html_text)
    return html_text


def _listed(texts: tuple[str, ...]) -> str:
    return " / ".join(html.escape(text, quote=False) for text in texts)
