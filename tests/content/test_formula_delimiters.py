from itertools import pairwise

import pytest

from lms_tui.content.delimiters import formulas
from lms_tui.content.html import parse
from lms_tui.content.model import Maths, Paragraph


def found(text: str) -> list[str]:
    return [each.source for each in formulas(text) if not each.literal]


@pytest.mark.parametrize(
    ("text", "sources"),
    [
        (r"let \(x\) and \[y\]", ["x", "y"]),
        ("let $x$ and $$y$$", ["x", "y"]),
        ("between $a$ and $b$.", ["a", "b"]),
        ("$5$ and $ x + y = 2 $", ["5", "x + y = 2"]),
        (r"\begin{align}a&=b\end{align}", [r"\begin{align}a&=b\end{align}"]),
        (r"as \ce{H2O} is", [r"\ce{H2O}"]),
        (r"$n \text{ is prime and odd}$", [r"n \text{ is prime and odd}"]),
        ("$a/\\sqrt{2}$", ["a/\\sqrt{2}"]),
        ("$PQR$ and $f(x)=$", ["PQR", "f(x)="]),
    ],
)
def test_formulas_are_found(text: str, sources: list[str]) -> None:
    assert found(text) == sources


@pytest.mark.parametrize(
    "text",
    [
        "It costs $5 and $10.",
        "I bet $1 and claim that if you give me $5 I will give you $99 in return.",
        "He buys a horse for $60, sells it for 70$ and buys it for $80 again.",
        "(for every ox he received $10, for every cow $5 and for every calf $0.5)",
        "5*$20=$100 and then $100-$20=$80",
        "$course$/top/Default for x",
        "$CATEGORY: a/b",
        "file://$user_name$/x",
        "earns $10/hour, or $80/day",
        "$5k–$x deal",
        "US$ 5 and A$ 6",
        "$",
        "$$",
        r"costs \$5 and \$6",
    ],
)
def test_prices_and_placeholders_are_not_formulas(text: str) -> None:
    assert found(text) == []


def test_escaped_dollar_is_a_dollar() -> None:
    (block,) = parse(r"<p>\$5</p>").blocks
    assert isinstance(block, Paragraph)
    assert [getattr(child, "text", child) for child in block.children] == ["$5"]


def test_display_and_inline_formulas_are_distinguished() -> None:
    (block,) = parse(r"<p>\(a\) \[b\] $c$ $$d$$</p>").blocks
    assert isinstance(block, Paragraph)
    assert [child.display for child in block.children if isinstance(child, Maths)] == [False, True, False, True]


def test_formulas_do_not_overlap() -> None:
    spans = [(each.start, each.end) for each in formulas(r"$a$ \(b$c\) $d$ $$e$f$$ \[g\(h\]i\)")]
    assert all(left[1] <= right[0] for left, right in pairwise(spans))
