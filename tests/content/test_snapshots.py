# ruff: noqa: E501 - the sources of questions stay on one line
"""How hard questions look, kept as text: `LMS_TUI_SNAPSHOTS=write pytest tests/content/test_snapshots.py` makes them anew.

A change of one is looked at by a person before it is kept.
"""

import os
from pathlib import Path

import pytest

from lms_tui.content.html import parse
from lms_tui.content.layout import layout
from lms_tui.content.model import MathsStyle

FOLDER = Path(__file__).parent / "snapshots"
CELLS = 60
_RULE = "═" * CELLS
QUESTIONS = {
    "integral-with-a-fraction": r"Let \(f(x)=\int_0^x \frac{t^2}{1+t^4}\,dt\). Then \(\lim_{x\to 0}\frac{f(x)}{x^3}\) is",
    "nested-fractions": r"\[x = a_0 + \cfrac{1}{a_1 + \cfrac{1}{a_2 + \cfrac{1}{a_3}}}\] Find \(x\) for \(a_i=1\).",
    "quadratic-formula": r"The roots of \(ax^2+bx+c=0\) are \[x=\frac{-b\pm\sqrt{b^2-4ac}}{2a}.\]",
    "sum-and-product": r"\[\sum_{k=1}^{n} k^3 = \left(\frac{n(n+1)}{2}\right)^2,\quad \prod_{p}\frac{1}{1-p^{-s}}=\zeta(s)\]",
    "matrix-equation": r"If \(A=\begin{pmatrix}1&2\\3&4\end{pmatrix}\) and \(B=\begin{bmatrix}0&-1\\1&0\end{bmatrix}\), then \(\begin{vmatrix}a&b\\c&d\end{vmatrix}\) of \(AB\) is",
    "augmented-matrix": r"\[\left[\begin{array}{cc|c}1&2&3\\4&5&6\end{array}\right]\]",
    "truth-table": r"Complete: \[\begin{array}{c|c|c}\hline p&q&p\Rightarrow q\\\hline T&F&?\\F&T&?\\\hline\end{array}\]",
    "cases": r"\[f(x)=\begin{cases}x^2 & \text{if } x<0\\ \frac{1}{2}x & \text{otherwise}\end{cases}\]",
    "aligned": r"\begin{align}2x+3y&=7\\x-y&=1\end{align} Hence \(x+y=\)",
    "vectors": r"\(\vec{a}=2\hat{i}-\hat{j}\), \(\overrightarrow{AB}\cdot\vec{a}=|\vec{a}|^2\), \(\overline{z}=x-iy\), \(\angle ABC=30^\circ\)",
    "roots": r"\(\sqrt{2}+\sqrt[3]{x+1}+\sqrt{\frac{a+b}{c}}\)",
    "binomial": r"\(\binom{n}{k}=\frac{n!}{k!\,(n-k)!}\) and \({}^{10}C_3\)",
    "powers": r"\(10^{-19}\), \(a_{n+1}\), \(x^{2^{n}}\), \(e^{-\frac{E_a}{RT}}\), \(2^{10}\text{ m s}^{-1}\)",
    "chemistry": r"\(\ce{2H2 + O2 ->[\Delta] 2H2O}\), \(\ce{SO4^{2-}}\), \(\ce{^{14}_{6}C}\), \(\ce{N2 + 3H2 <=> 2NH3}\), \(\ce{CuSO4*5H2O}\)",
    "chemistry-in-html": "H<sub>2</sub>SO<sub>4</sub> + 2 NaOH → Na<sub>2</sub>SO<sub>4</sub> + 2 H<sub>2</sub>O; [Fe(CN)<sub>6</sub>]<sup>4−</sup>",
    "units": r"A train moves at \(20\,\text{m/s}\) for \(8\,\mathrm{s}\); \(g=9.8\ \mathrm{m\,s^{-2}}\), \(h=6.63\times10^{-34}\ \mathrm{J\,s}\).",
    "prices-are-no-formulas": "A pen costs $5 and a book $12. How much are 3 pens and $course$ books, if $x+y=7$?",
    "unknown-macro": r"\(\frac{1}{2} + \unknownmacro{x} = \sqrt{3}\)",
    "mathml": "<math><mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><msqrt><mn>2</mn></msqrt></mfrac><mo>=</mo><msubsup><mo>∫</mo><mn>0</mn><mn>1</mn></msubsup><mi>x</mi><mi>d</mi><mi>x</mi></math>",
    "long-formula": r"\[(a+b)^6 = a^6 + 6a^5b + 15a^4b^2 + 20a^3b^3 + 15a^2b^4 + 6ab^5 + b^6 = \sum_{k=0}^{6}\binom{6}{k}a^{6-k}b^k\]",
    "table-with-spans": "<table><caption>Rainfall</caption><tr><th rowspan=2>Town<th colspan=2>mm<tr><th>2022<th>2023<tr><td>Bhuj<td align=right>402<td align=right>388<tr><td>Leh<td align=right>98<td align=right>1,117</table>",
    "table-of-formulas": r"<table><tr><th>f(x)<th>f'(x)<tr><td>\(\frac{1}{x}\)<td>\(-\frac{1}{x^2}\)<tr><td>\(\sqrt{x}\)<td>\(\frac{1}{2\sqrt{x}}\)</table>",
    "table-wider-than-the-line": "<table><tr>" + "".join(f"<th>column {n}" for n in range(9)) + "<tr>" + "".join(f"<td>value {n}" for n in range(9)) + "</table>",
    "lists": "<ol type=A><li>one<ul><li>inner<ol type=i><li>deep<li>deeper</ol></ul><li>two<p>second paragraph</p></ol>",
    "code": "<p>What does it print?</p><pre>for i in range(3):\n    if i % 2:\n        print(i, end=' ')\n</pre><p>Think of <code>range(3)</code>.</p>",
    "quote-and-headings": "<h2>Passage</h2><blockquote><p>All that is <i>gold</i> does not glitter.</p><blockquote>Not all those who wander are lost.</blockquote></blockquote><hr><p>Who <u>wrote</u> it?</p>",
    "marks": "<b>bold</b> <i>italic</i> <u>under</u> <s>struck</s> x<sup>2</sup> x<sup>n+1</sup> a<sub>ij</sub> <mark>marked</mark> <a href='https://example.org/x'>a link</a>",
    "gaps": "The capital of France is [[1]] and <input> is that of Japan; <select><option>Rome<option>Oslo</select>.",
    "images": "<p>See <img src='https://example.org/graph.png' alt='a velocity graph' width=640 height=480>.</p><figure><img src=x.png><figcaption>Figure 1: a lens</figcaption></figure>",
    "broken-html": "<p>one <b>two <i>three</b> four<table><td>cell<p>in it</table> five < six && 0<x<7 <foo>bar</foo>",
    "hostile": "<p>a&#27;[31mred&#x202e;b</p><script>alert(1)</script><style>p{}</style><iframe src='https://evil.example/x'></iframe><img src=x onerror=y alt='&#7;'>",
    "hindi": "<p>एक वस्तु \\(v = u + at\\) से गति करती है। उसका त्वरण ज्ञात कीजिए।</p>",
    "tamil": "<p>தமிழ்நாட்டின் தலைநகரம் எது? \\(x^2 = 4\\) எனில் \\(x\\) என்ன?</p>",
    "urdu": "<p>پانی کا درجۂ حرارت \\(25^\\circ\\mathrm{C}\\) ہے، اور 3.5 کلو پانی (H<sub>2</sub>O) موجود ہے۔</p>",
    "hebrew-table": "<table dir=rtl><tr><th>שם<th>גיל<tr><td>רון<td>17<tr><td>נועה<td>9</table>",
    "japanese": "<p>次の文の下線部「<u>漢字</u>」の読みを答えなさい。<ruby>東京<rt>とうきょう</rt></ruby>は日本の首都である。</p>",
    "emoji": "<p>👍🏽 likes, 👨\u200d👩\u200d👧 family, ☀️ sun, 🇮🇳 flag, 1️⃣ first</p>",
    "entities": "<p>5 &lt; 7 &amp; 7 &gt; 5; &frac12; &times; &alpha;&nbsp;=&nbsp;&infin;; &#8477;; caf&eacute;</p>",
    "plain-text": "First line\nsecond line, 5 < 7\n\nA new paragraph with \\(x^2\\).",
}  # fmt: skip


def snapshot(html: str) -> str:
    parts = [html.strip("\n")]
    for style in (MathsStyle.TWO_DIMENSIONAL, MathsStyle.LINE, MathsStyle.WORDS):
        lines = [line.text.rstrip() for line in layout(parse(html), CELLS, style)]
        if style is MathsStyle.TWO_DIMENSIONAL or "\n".join(lines) not in parts:
            parts.append("\n".join(lines))
    return f"\n{_RULE}\n".join(parts) + "\n"


@pytest.mark.parametrize("name", QUESTIONS)
def test_each_question_matches_its_snapshot(name: str) -> None:
    path = FOLDER / f"{name}.txt"
    made = snapshot(QUESTIONS[name])
    if os.environ.get("LMS_TUI_SNAPSHOTS") == "write":
        path.write_text(made, encoding="utf-8")
    assert made == path.read_text(encoding="utf-8")


def test_every_snapshot_has_a_question() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(QUESTIONS)
