"""An exam of 200 questions with formulas, as a GIFT file: what the runner is measured on."""

from pathlib import Path

QUESTIONS = 200
_KINDS = (
    ("Let $a_{k} = \\frac{%d}{2^k}$. Then $\\sum_{k=1}^{\\infty} a_k$ is equal to", "$%d$"),
    ("A body falls freely for %d seconds. Which distance does it cover, if $g = 9.8$ m/s$^2$?", "$\\frac{%d}{2}$ m"),
    ("The value of $\\int_0^{%d} \\frac{x^2}{\\sqrt{1 + x^3}}\\,dx$ lies between", "$\\sqrt{%d}$ and $\\pi^2$"),
    ("Which of these statements about the compound number %d is true when the temperature rises?", "Statement %d"),
)


def _escaped(text: str) -> str:
    for char in "\\~=#{}:":
        text = text.replace(char, f"\\{char}")
    return text


def write(path: Path, questions: int = QUESTIONS) -> None:
    """Write the exam; no two questions are alike, so nothing is cheap because it was seen before."""
    parts = []
    for number in range(1, questions + 1):
        stem, option = _KINDS[number % len(_KINDS)]
        options = [f"{'=' if at == number % 4 else '~'}{_escaped(option % (number * 4 + at))}" for at in range(4)]
        parts.append(f"::Q{number}::{_escaped(stem % number)} {{\n\t" + "\n\t".join(options) + "\n}\n")
    path.write_text("\n".join(parts), encoding="utf-8")
