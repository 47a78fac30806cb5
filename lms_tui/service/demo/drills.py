"""The short exams: number sense, four minutes of mental arithmetic, a physics quiz, acids and bases."""

from typing import Final

from lms_tui.banks.model import Question
from lms_tui.service.demo.writing import choose

_NUMBERS: Final = ("Mathematics", "Numbers")
_ARITHMETIC: Final = ("Mathematics", "Arithmetic")
_MECHANICS: Final = ("Science", "Physics", "Mechanics")
_WAVES: Final = ("Science", "Physics", "Waves and light")
_ELECTRICITY: Final = ("Science", "Physics", "Electricity")
_REACTIONS: Final = ("Science", "Chemistry", "Reactions")

NUMBER_SENSE: Final[tuple[Question, ...]] = (
    choose(
        "<p>What is the highest common factor of 84 and 126?</p>",
        ("14", "21", "42", "252"),
        "C",
        r"<p>\(84 = 2^2\cdot 3\cdot 7\) and \(126 = 2\cdot 3^2\cdot 7\); they share \(2\cdot 3\cdot 7 = 42\).</p>",
        subject=_NUMBERS,
    ),
    choose(
        "<p>What is the lowest common multiple of 12 and 18?</p>",
        ("36", "6", "216", "72"),
        "A",
        r"<p>\(36 = 3 \times 12 = 2 \times 18\), and no smaller number is a multiple of both.</p>",
        subject=_NUMBERS,
    ),
    choose(
        "<p>15 % of 240 is</p>",
        ("24", "30", "34", "36"),
        "D",
        "<p>10 % is 24 and 5 % is 12, together 36.</p>",
        subject=_ARITHMETIC,
    ),
    choose(
        "<p>Which of these numbers are prime? Choose all that are.</p>",
        ("51", "53", "57", "59"),
        "BD",
        r"<p>\(51 = 3 \times 17\) and \(57 = 3 \times 19\); 53 and 59 have no divisor but 1 and themselves.</p>",
        subject=_NUMBERS,
    ),
    choose(
        r"<p>\(\frac{2^{10}}{2^{7}} =\)</p>",
        ("2", "8", r"\(2^{17}\)", "1"),
        "B",
        r"<p>\(2^{10-7} = 2^3 = 8\).</p>",
        subject=_ARITHMETIC,
    ),
    choose(
        r"<p>What is the last digit of \(7^4\)?</p>",
        ("1", "3", "7", "9"),
        "A",
        r"<p>\(7^2 = 49\), and \(49^2 = 2401\).</p>",
        subject=_NUMBERS,
    ),
    choose(
        r"<p>Which fraction is \(0.\overline{6}\)?</p>",
        (r"\(\frac{3}{5}\)", r"\(\frac{6}{10}\)", r"\(\frac{2}{3}\)", r"\(\frac{5}{8}\)"),
        "C",
        r"<p>With \(x = 0.\overline{6}\): \(10x - x = 6\), so \(x = \frac{6}{9} = \frac{2}{3}\).</p>",
        subject=_NUMBERS,
    ),
    choose(
        r"<p>Which of \(\frac{2}{3}\), \(\frac{3}{5}\), \(\frac{5}{8}\) and \(\frac{7}{10}\) is the smallest?</p>",
        (r"\(\frac{2}{3}\)", r"\(\frac{3}{5}\)", r"\(\frac{5}{8}\)", r"\(\frac{7}{10}\)"),
        "B",
        "<p>As decimals they are 0.667, 0.6, 0.625 and 0.7.</p>",
        subject=_NUMBERS,
    ),
)


def _sum(task: str, options: tuple[str, ...], key: str, why: str) -> Question:
    return choose(rf"<p>\({task}\)</p>", options, key, f"<p>{why}</p>", subject=_ARITHMETIC)


SPRINT: Final[tuple[Question, ...]] = (
    _sum(r"17 \times 6 =", ("96", "102", "112", "92"), "B", r"\(10\times 6 + 7\times 6 = 60 + 42 = 102\)."),
    _sum(r"144 \div 12 =", ("12", "14", "11", "16"), "A", r"\(12 \times 12 = 144\)."),
    _sum(r"25 \times 16 =", ("360", "420", "375", "400"), "D", r"\(25 \times 4 \times 4 = 100 \times 4 = 400\)."),
    _sum("1000 - 387 =", ("623", "513", "613", "713"), "C", r"\(1000 - 400 = 600\), and 13 more."),
    _sum(r"\frac{3}{4} \cdot 48 =", ("36", "32", "40", "34"), "A", "A quarter of 48 is 12, three of them are 36."),
    _sum("11^2 =", ("111", "121", "132", "122"), "B", r"\(11 \times 11 = 110 + 11 = 121\)."),
    _sum(r"20\,\% \cdot 350 =", ("35", "50", "75", "70"), "D", "10 % is 35, and twice that is 70."),
    _sum(r"\sqrt{196} =", ("16", "13", "14", "18"), "C", r"\(14^2 = 196\)."),
    _sum("7.5 + 2.75 =", ("10.25", "9.25", "10.5", "9.75"), "A", r"\(7.5 + 2.5 = 10\), and 0.25 more."),
    _sum(r"45 \times 99 =", ("4545", "4455", "4500", "4405"), "B", r"\(45 \times 100 - 45 = 4455\)."),
)

PHYSICS_QUIZ: Final[tuple[Question, ...]] = (
    choose(
        "<p>One newton is the same as</p>",
        (
            r"\(1\ \text{kg}\cdot\text{m/s}\)",
            r"\(1\ \text{kg}\cdot\text{m/s}^2\)",
            r"\(1\ \text{kg}\cdot\text{m}^2\text{/s}^2\)",
            r"\(1\ \text{kg/m}\)",
        ),
        "B",
        r"<p>Force is mass times acceleration, \(F = ma\).</p>",
        subject=_MECHANICS,
    ),
    choose(
        "<p>A crate is pushed 4 m along the floor with a force of 50 N in the direction of motion. "
        "How much work is done?</p>",
        ("12.5 J", "54 J", "100 J", "200 J"),
        "D",
        r"<p>\(W = F \cdot s = 50 \times 4 = 200\ \text{J}\).</p>",
        subject=_MECHANICS,
    ),
    choose(
        r"<p>A box weighing 600 N stands on an area of \(0.3\ \text{m}^2\). What pressure does it exert?</p>",
        ("180 Pa", "200 Pa", "2000 Pa", "6000 Pa"),
        "C",
        r"<p>\(p = \frac{F}{A} = \frac{600}{0.3} = 2000\ \text{Pa}\).</p>",
        subject=_MECHANICS,
    ),
    choose(
        r"<p>A piece of metal has a mass of 540 g and a volume of \(200\ \text{cm}^3\). What is its density?</p>",
        (
            r"\(2.7\ \text{g/cm}^3\)",
            r"\(0.37\ \text{g/cm}^3\)",
            r"\(3.4\ \text{g/cm}^3\)",
            r"\(7.4\ \text{g/cm}^3\)",
        ),
        "A",
        r"<p>\(\rho = \frac{m}{V} = \frac{540}{200} = 2.7\ \text{g/cm}^3\), as aluminium has.</p>",
        subject=_MECHANICS,
    ),
    choose(
        "<p>The echo of a clap comes back from a cliff after 2 s. Sound travels at 340 m/s. How far is the cliff?</p>",
        ("170 m", "340 m", "680 m", "1360 m"),
        "B",
        r"<p>The sound goes there and back: \(\frac{340 \times 2}{2} = 340\ \text{m}\).</p>",
        subject=_WAVES,
    ),
    choose(
        r"<p>A voltage of 12 V is applied to a resistor of \(4\ \Omega\). What current flows?</p>",
        ("48 A", "8 A", "3 A", "0.33 A"),
        "C",
        r"<p>\(I = \frac{U}{R} = \frac{12}{4} = 3\ \text{A}\).</p>",
        subject=_ELECTRICITY,
    ),
    choose(
        "<p>Which of these are units of energy? Choose all that are.</p>",
        ("watt", "joule", "pascal", "kilowatt hour"),
        "BD",
        "<p>The watt is a unit of power and the pascal one of pressure. A kilowatt hour is 3.6 million joules.</p>",
        subject=_MECHANICS,
    ),
    choose(
        "<p>Meena stands 2 m in front of a plane mirror. How far is she from her image?</p>",
        ("1 m", "2 m", "3 m", "4 m"),
        "D",
        "<p>The image lies as far behind the mirror as she stands in front of it: 2 m and 2 m.</p>",
        subject=_WAVES,
    ),
    choose(
        "<p>A hammer and a feather are dropped together where there is no air. Which one lands first?</p>",
        ("Both at the same time", "The hammer", "The feather", "It depends on the height"),
        "A",
        "<p>Without air both fall with the same acceleration, whatever their mass.</p>",
        subject=_MECHANICS,
    ),
    choose(
        "<p>A motor takes in 500 J and does 350 J of useful work. What is its efficiency?</p>",
        ("30 %", "70 %", "150 %", "85 %"),
        "B",
        r"<p>\(\frac{350}{500} = 0.7 = 70\,\%\).</p>",
        subject=_MECHANICS,
    ),
)

ACIDS: Final[tuple[Question, ...]] = (
    choose(
        "<p>An acid turns</p>",
        ("red litmus blue", "blue litmus red", "both kinds of litmus green", "neither kind of litmus"),
        "B",
        "<p>Litmus is red in acids and blue in bases.</p>",
        subject=_REACTIONS,
    ),
    choose(
        r"<p>What kind of reaction is \(\ce{HCl + NaOH -> NaCl + H2O}\)?</p>",
        ("Neutralisation", "Combustion", "Decomposition", "Polymerisation"),
        "A",
        "<p>An acid and a base make a salt and water.</p>",
        subject=_REACTIONS,
    ),
    choose(
        "<p>Four solutions have the pH 1, 5, 7 and 12. Which one is the most acidic?</p>",
        ("pH 5", "pH 7", "pH 12", "pH 1"),
        "D",
        "<p>The lower the pH, the more hydrogen ions a solution holds.</p>",
        subject=_REACTIONS,
    ),
    choose(
        "<p>Which of these dissolve in water as bases? Choose all that do.</p>",
        (r"\(\ce{CH3COOH}\)", r"\(\ce{NaOH}\)", r"\(\ce{NH3}\)", r"\(\ce{H2SO4}\)"),
        "BC",
        r"<p>Sodium hydroxide and ammonia give hydroxide ions. \(\ce{CH3COOH}\) and \(\ce{H2SO4}\) are acids.</p>",
        subject=_REACTIONS,
    ),
    choose(
        "<p>Which gas rises when zinc is put into dilute sulphuric acid?</p>",
        ("Oxygen", "Sulphur dioxide", "Hydrogen", "Carbon dioxide"),
        "C",
        r"<p>\(\ce{Zn + H2SO4 -> ZnSO4 + H2 ^}\)</p>",
        subject=_REACTIONS,
    ),
    choose(
        "<p>The pH of a solution falls from 4 to 2. The concentration of hydrogen ions becomes</p>",
        ("2 times as large", "half as large", "20 times as large", "100 times as large"),
        "D",
        r"<p>Each step of the pH is a factor of ten: \(\frac{10^{-2}}{10^{-4}} = 100\).</p>",
        subject=_REACTIONS,
    ),
)
