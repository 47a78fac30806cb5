"""The mathematics, data and reasoning questions of the foundation test."""

from typing import Final

from lms_tui.banks.model import Question
from lms_tui.service.demo.writing import choose

_ALGEBRA: Final = ("Mathematics", "Algebra")
_MATRICES: Final = ("Mathematics", "Algebra", "Matrices")
_CALCULUS: Final = ("Mathematics", "Calculus")
_GEOMETRY: Final = ("Mathematics", "Geometry")
_CHANCE: Final = ("Mathematics", "Probability")
_DATA: Final = ("Reasoning", "Data")
_LOGIC: Final = ("Reasoning", "Logic")
_PROGRAMS: Final = ("Reasoning", "Programs")

MATHEMATICS: Final[tuple[Question, ...]] = (
    choose(
        r"<p>What are the solutions of \(x^2 - 5x + 6 = 0\)?</p>",
        ("1 and 6", "−2 and −3", "2 and 3", "−1 and 6"),
        "C",
        r"<p>\(x^2 - 5x + 6 = (x-2)(x-3)\), which is zero for \(x = 2\) and \(x = 3\).</p>",
        subject=_ALGEBRA,
    ),
    choose(
        r"<p>\(\sqrt{50} - \sqrt{18} =\)</p>",
        (r"\(2\sqrt{2}\)", r"\(\sqrt{32}\)", r"\(8\sqrt{2}\)", r"\(4\sqrt{2}\)"),
        "A",
        r"<p>\(\sqrt{50} = 5\sqrt{2}\) and \(\sqrt{18} = 3\sqrt{2}\); the difference is \(2\sqrt{2}\).</p>",
        subject=_ALGEBRA,
    ),
    choose(
        r"<p>Simplify for positive, unequal \(x\) and \(y\):</p>"
        r"<p>\[\frac{\dfrac{1}{x}-\dfrac{1}{y}}{\dfrac{1}{x}+\dfrac{1}{y}}\]</p>",
        (r"\(\frac{x-y}{x+y}\)", r"\(\frac{y-x}{y+x}\)", r"\(\frac{1}{x-y}\)", r"\(\frac{y-x}{xy}\)"),
        "B",
        r"<p>Multiply numerator and denominator by \(xy\): \(\frac{y-x}{y+x}\).</p>",
        subject=_ALGEBRA,
    ),
    choose(
        r"<p>\(\log_2 32 + \log_3 \frac{1}{9} =\)</p>",
        ("7", "−3", "5", "3"),
        "D",
        r"<p>\(2^5 = 32\) and \(3^{-2} = \frac{1}{9}\), so the sum is \(5 + (-2) = 3\).</p>",
        subject=_ALGEBRA,
    ),
    choose(
        r"<p>\[\sum_{k=1}^{20} (2k-1) =\]</p>",
        ("400", "380", "420", "210"),
        "A",
        r"<p>The sum of the first \(n\) odd numbers is \(n^2\), and \(20^2 = 400\).</p>",
        subject=_ALGEBRA,
    ),
    choose(
        r"<p>Which statements about \(f(x) = x^2 - 4x + 3\) are right? Choose all that are.</p>",
        (
            r"Its graph meets the \(y\)-axis at \((0, -3)\).",
            r"Its least value is \(-1\).",
            r"Its axis of symmetry is \(x = 2\).",
            r"It is positive between \(x = 1\) and \(x = 3\).",
        ),
        "BC",
        r"<p>\(f(x) = (x-2)^2 - 1\): least value \(-1\) at \(x = 2\). \(f(0) = 3\), and between its zeros 1 and 3 the "
        "parabola lies below the axis.</p>",
        subject=_ALGEBRA,
    ),
    choose(
        r"<p>\(\det \begin{pmatrix} 2 &amp; 3 \\ 1 &amp; 4 \end{pmatrix} =\)</p>",
        ("11", "8", "5", "−5"),
        "C",
        r"<p>\(2 \cdot 4 - 3 \cdot 1 = 5\).</p>",
        subject=_MATRICES,
    ),
    choose(
        r"<p>\(\begin{pmatrix} 1 &amp; 2 \\ 0 &amp; 1 \end{pmatrix} "
        r"\begin{pmatrix} 3 &amp; 0 \\ 1 &amp; 2 \end{pmatrix} =\)</p>",
        tuple(
            rf"\(\begin{{pmatrix}} {a} &amp; {b} \\ {c} &amp; {d} \end{{pmatrix}}\)"
            for a, b, c, d in ((3, 6, 1, 4), (3, 0, 0, 2), (5, 2, 1, 2), (5, 4, 1, 2))
        ),
        "D",
        r"<p>Row times column: \(1\cdot 3 + 2\cdot 1 = 5\), \(1\cdot 0 + 2\cdot 2 = 4\), \(0\cdot 3 + 1\cdot 1 = 1\), "
        r"\(0\cdot 0 + 1\cdot 2 = 2\).</p>",
        subject=_MATRICES,
    ),
    choose(
        r"<p>\[\int_{0}^{2} \left(3x^2 - 2x\right) dx =\]</p>",
        ("8", "4", "12", "0"),
        "B",
        r"<p>An antiderivative is \(x^3 - x^2\); between the limits it grows by \(8 - 4 = 4\).</p>",
        subject=_CALCULUS,
    ),
    choose(
        r"<p>\(\frac{d}{dx}\left(x^2 e^x\right) =\)</p>",
        (r"\(\left(x^2 + 2x\right)e^x\)", r"\(2x e^x\)", r"\(x^2 e^x\)", r"\(\left(x^2 + 1\right)e^x\)"),
        "A",
        r"<p>Product rule: \(2x \cdot e^x + x^2 \cdot e^x = (x^2 + 2x)e^x\).</p>",
        subject=_CALCULUS,
    ),
    choose(
        r"<p>\[\lim_{x \to 0} \frac{\sin 3x}{x} =\]</p>",
        (r"\(\frac{1}{3}\)", "1", "3", "0"),
        "C",
        r"<p>\(\frac{\sin 3x}{x} = 3 \cdot \frac{\sin 3x}{3x}\), and the fraction tends to 1.</p>",
        subject=_CALCULUS,
    ),
    choose(
        "<p>Two fair dice are thrown. What is the probability that the sum is 7?</p>",
        (r"\(\frac{1}{12}\)", r"\(\frac{7}{36}\)", r"\(\frac{1}{9}\)", r"\(\frac{1}{6}\)"),
        "D",
        r"<p>Six of the 36 equally likely pairs have the sum 7: \(\frac{6}{36} = \frac{1}{6}\).</p>",
        subject=_CHANCE,
    ),
    choose(
        "<p>Which of these numbers are irrational? Choose all that are.</p>",
        (r"\(\sqrt{2}\)", r"\(\frac{22}{7}\)", r"\(\pi\)", r"\(0.\overline{3}\)"),
        "AC",
        r"<p>\(\frac{22}{7}\) is a fraction, and \(0.\overline{3} = \frac{1}{3}\) is one too. \(\sqrt{2}\) and \(\pi\) "
        "are none.</p>",
        subject=_ALGEBRA,
    ),
    choose(
        "<p>The legs of a right triangle are 9 cm and 12 cm long. What is the radius of its inscribed circle?</p>",
        ("2 cm", "3 cm", "4.5 cm", "7.5 cm"),
        "B",
        r"<p>The hypotenuse is \(\sqrt{81 + 144} = 15\), and in a right triangle "
        r"\(r = \frac{a + b - c}{2} = \frac{9 + 12 - 15}{2} = 3\).</p>",
        subject=_GEOMETRY,
    ),
    choose(
        r"<p>What is the area of a sector of \(60^\circ\) in a circle with a radius of 6 cm?</p>",
        (r"\(6\pi\ \text{cm}^2\)", r"\(12\pi\ \text{cm}^2\)", r"\(36\pi\ \text{cm}^2\)", r"\(2\pi\ \text{cm}^2\)"),
        "A",
        r"<p>\(\frac{60}{360} \cdot \pi \cdot 6^2 = 6\pi\).</p>",
        subject=_GEOMETRY,
    ),
    choose(
        r"<p>\(\theta\) is an acute angle with \(\tan\theta = \frac{3}{4}\). What is \(\sin\theta\)?</p>",
        (r"\(\frac{4}{5}\)", r"\(\frac{3}{4}\)", r"\(\frac{3}{5}\)", r"\(\frac{5}{3}\)"),
        "C",
        r"<p>A right triangle with the legs 3 and 4 has the hypotenuse 5, so \(\sin\theta = \frac{3}{5}\).</p>",
        subject=_GEOMETRY,
    ),
)

_BOOKS: Final = (
    "<p>Three shops count the books that they sold:</p>"
    "<table><caption>Books sold</caption>"
    "<tr><th>Shop</th><th>January</th><th>February</th><th>March</th></tr>"
    "<tr><td>North</td><td>120</td><td>150</td><td>180</td></tr>"
    "<tr><td>South</td><td>200</td><td>160</td><td>140</td></tr>"
    "<tr><td>East</td><td>90</td><td>135</td><td>180</td></tr></table>"
)

REASONING: Final[tuple[Question, ...]] = (
    choose(
        "<p>Which shop sold twice as many books in March as in January?</p>",
        ("North", "South", "East", "none of them"),
        "C",
        r"<p>East: \(2 \times 90 = 180\).</p>",
        subject=_DATA,
        direction=_BOOKS,
    ),
    choose(
        "<p>By how many per cent did the sales of South fall from January to March?</p>",
        ("14 %", "20 %", "60 %", "30 %"),
        "D",
        r"<p>They fell by \(200 - 140 = 60\), and \(\frac{60}{200} = 30\,\%\).</p>",
        subject=_DATA,
        direction=_BOOKS,
    ),
    choose(
        "<p>How many books did North sell in a month, on average?</p>",
        ("150", "135", "160", "450"),
        "A",
        r"<p>\(\frac{120 + 150 + 180}{3} = 150\).</p>",
        subject=_DATA,
        direction=_BOOKS,
    ),
    choose(
        "<p>Which statements are right? Choose all that are.</p>",
        (
            "In March East sold more than North.",
            "Over the three months South sold the fewest.",
            "The three shops together sold more from month to month.",
            "In February South sold the most.",
        ),
        "CD",
        "<p>The totals are 410, 445 and 500. In February South leads with 160. In March East and North are equal, and "
        "over the three months South sold the most (500).</p>",
        subject=_DATA,
        direction=_BOOKS,
    ),
    choose(
        "<p>Which number comes next? 3, 6, 11, 18, 27, …</p>",
        ("36", "38", "40", "35"),
        "B",
        "<p>The differences are 3, 5, 7, 9, and the next one is 11.</p>",
        subject=_LOGIC,
    ),
    choose(
        "<p>What does this Python program print?</p>"
        "<pre><code>total = 0\nfor n in range(1, 6):\n    if n % 2:\n        total += n\nprint(total)</code></pre>",
        ("6", "15", "10", "9"),
        "D",
        r"<p>It adds the odd numbers from 1 to 5: \(1 + 3 + 5 = 9\).</p>",
        subject=_PROGRAMS,
    ),
    choose(
        "<p>All roses are flowers. Some flowers fade quickly. What follows for certain?</p>",
        (
            "Some roses fade quickly.",
            "All roses fade quickly.",
            "No rose fades quickly.",
            "None of the other three.",
        ),
        "D",
        "<p>The flowers that fade quickly may or may not be roses; the two sentences leave it open.</p>",
        subject=_LOGIC,
    ),
)
