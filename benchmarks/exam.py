"""What the runner is measured on: an exam of 200 questions with formulas and a clock (QTI 1.2), and an essay."""

from html import escape
from pathlib import Path
from typing import Final

QUESTIONS: Final = 200
_KINDS: Final = (
    (r"Let $a_{k} = \frac{%d}{2^k}$. Then $\sum_{k=1}^{\infty} a_k$ is equal to", "$%d$"),
    ("A body falls freely for %d seconds. Which distance does it cover, if $g = 9.8$ m/s$^2$?", r"$\frac{%d}{2}$ m"),
    (r"The value of $\int_0^{%d} \frac{x^2}{\sqrt{1 + x^3}}\,dx$ lies between", r"$\sqrt{%d}$ and $\pi^2$"),
    ("Which of these statements about the compound number %d is true when the temperature rises?", "Statement %d"),
)
_SECTIONS: Final = ("Physics", "Chemistry", "Mathematics", "Biology")


def _text(html: str) -> str:
    return f'<material><mattext texttype="text/html">{escape(html)}</mattext></material>'


def _item(number: int) -> str:
    """No two questions are alike, so that nothing is cheap because it was seen before."""
    stem, option = _KINDS[number % len(_KINDS)]
    labels = "".join(
        f'<response_label ident="o{at}">{_text(option % (number * 4 + at))}</response_label>' for at in range(4)
    )
    return (
        f'<item ident="q{number}" title="Question {number}"><presentation>{_text(f"<p>{stem % number}</p>")}'
        f'<response_lid ident="r" rcardinality="Single"><render_choice>{labels}</render_choice></response_lid>'
        '</presentation><resprocessing><outcomes><decvar varname="SCORE" vartype="Decimal" maxvalue="1"/></outcomes>'
        f'<respcondition><conditionvar><varequal respident="r">o{number % 4}</varequal></conditionvar>'
        '<setvar action="Set" varname="SCORE">1</setvar></respcondition></resprocessing></item>'
    )


def write(path: Path, questions: int = QUESTIONS) -> None:
    """Write the exam, in sections that share one clock of three hours."""
    size = -(-questions // len(_SECTIONS))
    sections = "".join(
        f'<section ident="s{place}" title="{name}">'
        + "".join(_item(number) for number in range(place * size + 1, min(questions, (place + 1) * size) + 1))
        + "</section>"
        for place, name in enumerate(_SECTIONS)
    )
    path.write_text(
        '<?xml version="1.0" encoding="UTF-8"?><questestinterop><assessment ident="exam" title="Measured exam">'
        f"<duration>PT3H</duration>{sections}</assessment></questestinterop>",
        encoding="utf-8",
    )


ESSAY: Final = (
    "The sea keeps the warmth of the summer for months, and gives it to the air when the winter comes. Land cools in "
    "days, because only the top was warmed, and water moves the warmth down to where no wind reaches it. "
    "So the coast has mild winters and late springs, while the plains far from it freeze early and thaw at once.\n"
) * 12
"""Paragraphs of 320 characters, 3,840 in all."""


def write_essay(path: Path) -> None:
    """Write an exam of one essay, as YAML."""
    path.write_text(
        "title: Measured essay\nduration: 3 h\nquestions:\n"
        "  - question: Explain why the sea is warmer than the land in winter.\n    essay: yes\n",
        encoding="utf-8",
    )
