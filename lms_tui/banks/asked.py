"""The parts of a question that the API has no field for: the pairs of a match question, and keys of written answers.

The text of a match question ends with a table of the left sides, each beside a numbered gap. The right sides are the
answers. Keys of written answers are answers too: a number reads `2` or `1.9 to 2.1`, and the text of a gap follows its
number, as in `2. sea`.
"""

import html
from collections.abc import Iterable, Iterator, Sequence

from lms_tui.banks.scoring import QuestionKey
from lms_tui.banks.texts import span
from lms_tui.wire.question_types import GAP_TYPES


def match_html(text: str, lefts: Sequence[str], solution: Sequence[str] = ()) -> str:
    """Return the text of a match question with its table. `solution`: the right side of each row, () to hide it."""
    solved = [f"<td>✓ {html.escape(right, quote=False)}</td>" for right in solution] or [""] * len(lefts)
    rows = "".join(
        f"<tr><td>{left}</td><td>[[{gap}]]</td>{right}</tr>"
        for gap, (left, right) in enumerate(zip(lefts, solved, strict=True), start=1)
    )
    return f"{text}<table>{rows}</table>" if rows else text


def match_choices(rights: Iterable[str]) -> list[str]:
    """Return the HTML of the right sides, sorted, which hides the key."""
    return [html.escape(text, quote=False) for text in sorted(set(rights), key=lambda text: (text.casefold(), text))]


def key_texts(key: QuestionKey) -> Iterator[str]:
    """Return every text that earns full marks."""
    for number in key.numbers:
        if number.weight >= 1:
            shown = span(number.low, number.high)
            yield f"{number.gap}. {shown}" if number.gap else shown
    for text in key.texts:
        if text.weight >= 1:
            shown = text.text.replace(r"\*", "*")
            yield f"{text.gap}. {shown}" if key.kind in GAP_TYPES else shown
