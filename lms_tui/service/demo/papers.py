"""The exams with sections: reading and reasoning without clocks, a scholarship mock whose papers have their own."""

from typing import Final

from lms_tui.banks.model import Question
from lms_tui.service.demo.writing import choose

_READING: Final = ("English", "Reading")
_LOGIC: Final = ("Reasoning", "Logic")
_PHYSICS: Final = ("Science", "Physics")
_CHEMISTRY: Final = ("Science", "Chemistry")

_STEPWELL: Final = (
    "<h3>The well with many steps</h3>"
    "<p>In the dry west of India, water lies deep in the ground and its level rises and falls with the seasons. "
    "Builders answered this with the <em>stepwell</em>: a long flight of stairs that leads from the street down to the "
    "water. After the monsoon only a few steps are dry; at the end of summer people walk down several storeys. "
    "Whatever the month, the water can be reached on foot.</p>"
    "<p>Going down, a visitor feels the air turn cool, because the sun does not reach the lower floors and the stone "
    "stays damp. So a stepwell was more than a source of water. Travellers rested there, neighbours met there, and "
    "traders made their bargains in the shade.</p>"
    "<p>When pipes and pumps came, many stepwells were forgotten and filled with rubbish. Some towns now clear them "
    "again. They have found that a clean stepwell still does its oldest work: it catches the rain and lets it sink "
    "into the ground.</p>"
)
_LIBRARY: Final = (
    "<h3>Town Library: rules for members</h3>"
    "<ol><li>A member may keep up to <strong>four</strong> books at a time.</li>"
    "<li>A book may be kept for 14 days. It may be renewed once, for another 7 days, unless somebody has reserved "
    "it.</li>"
    "<li>For a book that is late the fee is ₹2 for each day, but never more than ₹50.</li>"
    "<li>Reference books do not leave the reading room.</li></ol>"
)

READING: Final[tuple[Question, ...]] = (
    choose(
        "<p>Why does a stepwell have so many steps?</p>",
        (
            "Because the street lies on a hill",
            "So that the water can be reached whatever its level is",
            "So that many people can sit on them",
            "Because steps are easier to build than walls",
        ),
        "B",
        "<p>The level changes with the seasons; “whatever the month, the water can be reached on foot”.</p>",
        subject=_READING,
        direction=_STEPWELL,
    ),
    choose(
        "<p>When do people have to walk down the farthest?</p>",
        ("During the monsoon", "Right after the monsoon", "At the end of summer", "At the end of the rains"),
        "C",
        "<p>At the end of summer the level is lowest, and people walk down several storeys.</p>",
        subject=_READING,
        direction=_STEPWELL,
    ),
    choose(
        "<p>What reasons does the text give for the cool air? Choose all that it gives.</p>",
        (
            "Trees grow around the well.",
            "The sun does not reach the lower floors.",
            "Wind blows down the stairs.",
            "The stone stays damp.",
        ),
        "BD",
        "<p>The second paragraph names the missing sun and the damp stone; trees and wind do not occur.</p>",
        subject=_READING,
        direction=_STEPWELL,
    ),
    choose(
        "<p>Which word could stand in place of “bargains” in the second paragraph?</p>",
        ("Meals", "Prayers", "Maps", "Deals"),
        "D",
        "<p>Traders agree on prices: they make deals.</p>",
        subject=_READING,
        direction=_STEPWELL,
    ),
    choose(
        "<p>What does the last paragraph mainly say?</p>",
        (
            "Restored stepwells are useful again.",
            "Pipes and pumps are harmful.",
            "Stepwells should become museums.",
            "Rain has become rare.",
        ),
        "A",
        "<p>Towns clear the wells, and these again lead rain into the ground.</p>",
        subject=_READING,
        direction=_STEPWELL,
    ),
    choose(
        "<p>Farid borrows a book on 1 June and renews it once. Nobody has reserved it. "
        "For how many days may he keep it altogether?</p>",
        ("14", "21", "28", "7"),
        "B",
        "<p>14 days and, by rule 2, another 7.</p>",
        subject=_READING,
        direction=_LIBRARY,
    ),
    choose(
        "<p>Leela brings a book back 30 days late. What does she pay?</p>",
        ("₹60", "₹30", "₹50", "₹2"),
        "C",
        "<p>30 days would be ₹60, but rule 3 limits the fee to ₹50.</p>",
        subject=_READING,
        direction=_LIBRARY,
    ),
    choose(
        "<p>Which of these do the rules allow? Choose all that they allow.</p>",
        (
            "Keeping four books at the same time",
            "Taking a dictionary from the reference shelf home overnight",
            "Renewing a book that somebody has reserved",
            "Reading a reference book in the reading room",
        ),
        "AD",
        "<p>Rule 1 allows four books and rule 4 the reading room. Reference books stay there, and a reserved book "
        "cannot be renewed.</p>",
        subject=_READING,
        direction=_LIBRARY,
    ),
)

REASONING: Final[tuple[Question, ...]] = (
    choose(
        "<p>Kavya says: “Arun is the only son of my mother's mother.” How is Arun related to Kavya?</p>",
        ("Brother", "Father", "Cousin", "Uncle"),
        "D",
        "<p>A son of her grandmother and a brother of her mother is Kavya's uncle.</p>",
        subject=_LOGIC,
    ),
    choose(
        "<p>Imran walks 6 km north, then 8 km east. How far is he from where he started, in a straight line?</p>",
        ("14 km", "10 km", "2 km", "7 km"),
        "B",
        r"<p>\(\sqrt{6^2 + 8^2} = \sqrt{100} = 10\).</p>",
        subject=_LOGIC,
    ),
    choose(
        "<p>If each letter is replaced by the next one of the alphabet, <code>LAMP</code> becomes</p>",
        ("<code>MBNQ</code>", "<code>KZLO</code>", "<code>MBNP</code>", "<code>NCOR</code>"),
        "A",
        "<p>L→M, A→B, M→N, P→Q.</p>",
        subject=_LOGIC,
    ),
    choose(
        "<p>Which one does not belong with the others?</p>",
        ("Mercury", "Venus", "Moon", "Mars"),
        "C",
        "<p>Three are planets of the Sun; the Moon goes around the Earth.</p>",
        subject=_LOGIC,
    ),
    choose(
        "<p>What is the smaller angle between the hands of a clock at 4 o'clock?</p>",
        (r"\(90^\circ\)", r"\(100^\circ\)", r"\(150^\circ\)", r"\(120^\circ\)"),
        "D",
        r"<p>Each hour is \(\frac{360^\circ}{12} = 30^\circ\), and \(4 \times 30^\circ = 120^\circ\).</p>",
        subject=_LOGIC,
    ),
    choose(
        "<p>Five friends stand in a queue. Tara is in front of Uma and behind Vikram. Wasim is the last one, and "
        "Xena stands right behind Uma. Who is first?</p>",
        ("Tara", "Vikram", "Uma", "Xena"),
        "B",
        "<p>The order is Vikram, Tara, Uma, Xena, Wasim.</p>",
        subject=_LOGIC,
    ),
    choose(
        "<p>All squares are rectangles. All rectangles have four sides. What follows? Choose all that does.</p>",
        (
            "All squares have four sides.",
            "Everything with four sides is a rectangle.",
            "Some rectangles are squares, if there are squares.",
            "No rectangle is a square.",
        ),
        "AC",
        "<p>Squares are rectangles and inherit their four sides. The second sentence turns the rule around, which is "
        "not given.</p>",
        subject=_LOGIC,
    ),
    choose(
        "<p>Which number comes next? 2, 6, 12, 20, 30, …</p>",
        ("42", "40", "36", "44"),
        "A",
        r"<p>\(1\cdot 2,\ 2\cdot 3,\ 3\cdot 4,\ 4\cdot 5,\ 5\cdot 6\), and then \(6\cdot 7 = 42\).</p>",
        subject=_LOGIC,
    ),
)

MOCK_PHYSICS: Final[tuple[Question, ...]] = (
    choose(
        "<p>One watt is the same as</p>",
        ("one joule for each second", "one newton for each metre", "one volt for each ampere", "one joule second"),
        "A",
        "<p>Power is energy divided by time.</p>",
        subject=_PHYSICS,
    ),
    choose(
        r"<p>A ball is thrown straight up at \(20\ \text{m/s}\). How high does it rise? "
        r"(\(g = 10\ \text{m/s}^2\), no air)</p>",
        ("10 m", "40 m", "20 m", "2 m"),
        "C",
        r"<p>\(h = \frac{v^2}{2g} = \frac{400}{20} = 20\ \text{m}\).</p>",
        subject=_PHYSICS,
    ),
    choose(
        "<p>A trolley of 3 kg rolls at 4 m/s against a trolley of 1 kg at rest and they stick together. "
        "At what speed do they roll on?</p>",
        ("4 m/s", "3 m/s", "2 m/s", "12 m/s"),
        "B",
        r"<p>Momentum is kept: \(\frac{3 \times 4}{3 + 1} = 3\ \text{m/s}\).</p>",
        subject=_PHYSICS,
    ),
    choose(
        "<p>A wave has a frequency of 50 Hz and a wavelength of 4 m. How fast does it travel?</p>",
        ("12.5 m/s", "54 m/s", "46 m/s", "200 m/s"),
        "D",
        r"<p>\(v = f\lambda = 50 \times 4 = 200\ \text{m/s}\).</p>",
        subject=_PHYSICS,
    ),
    choose(
        "<p>What changes when a beam of light passes from air into glass? Choose all that does.</p>",
        ("Its frequency", "Its speed", "Its wavelength", "Its period"),
        "BC",
        r"<p>Light is slower in glass, \(v = \frac{c}{n}\). Frequency and period are kept, so the wavelength becomes "
        "shorter.</p>",
        subject=_PHYSICS,
    ),
    choose(
        r"<p>How much heat does it take to warm \(0.5\ \text{kg}\) of water by \(20\ ^\circ\text{C}\)? "
        r"(\(c = 4200\ \text{J/(kg}\cdot{}^\circ\text{C)}\))</p>",
        ("84 kJ", "21 kJ", "42 kJ", "8.4 kJ"),
        "C",
        r"<p>\(Q = mc\,\Delta T = 0.5 \times 4200 \times 20 = 42\,000\ \text{J}\).</p>",
        subject=_PHYSICS,
    ),
)

MOCK_CHEMISTRY: Final[tuple[Question, ...]] = (
    choose(
        r"<p>How many molecules are in \(18\ \text{g}\) of water? (H = 1, O = 16)</p>",
        (
            r"\(6.022 \times 10^{23}\)",
            r"\(3.011 \times 10^{23}\)",
            r"\(1.204 \times 10^{24}\)",
            r"\(18 \times 10^{23}\)",
        ),
        "A",
        r"<p>18 g is one mole of \(\ce{H2O}\), which holds Avogadro's number of molecules.</p>",
        subject=_CHEMISTRY,
    ),
    choose(
        r"<p>What is the oxidation number of manganese in \(\ce{KMnO4}\)?</p>",
        ("+4", "+5", "+6", "+7"),
        "D",
        r"<p>Potassium has \(+1\) and each oxygen \(-2\): \(1 + x - 8 = 0\), so \(x = +7\).</p>",
        subject=_CHEMISTRY,
    ),
    choose(
        "<p>Which gas turns limewater milky?</p>",
        ("Oxygen", "Carbon dioxide", "Hydrogen", "Nitrogen"),
        "B",
        r"<p>\(\ce{Ca(OH)2 + CO2 -> CaCO3 v + H2O}\): the calcium carbonate makes it milky.</p>",
        subject=_CHEMISTRY,
    ),
    choose(
        r"<p>How many structural isomers has \(\ce{C4H10}\)?</p>",
        ("1", "3", "2", "4"),
        "C",
        "<p>Two: butane with a straight chain, and 2-methylpropane with a branch.</p>",
        subject=_CHEMISTRY,
    ),
    choose(
        "<p>Which of these oxides are amphoteric? Choose all that are.</p>",
        (r"\(\ce{Na2O}\)", r"\(\ce{SO2}\)", r"\(\ce{Al2O3}\)", r"\(\ce{ZnO}\)"),
        "CD",
        r"<p>The oxides of aluminium and zinc react with acids and with bases. \(\ce{Na2O}\) is basic and "
        r"\(\ce{SO2}\) is acidic.</p>",
        subject=_CHEMISTRY,
    ),
    choose(
        "<p>A sample holds 80 g of a substance with a half-life of 5 days. How much is left after 15 days?</p>",
        ("40 g", "20 g", "5 g", "10 g"),
        "D",
        r"<p>Three half-lives: \(80 \to 40 \to 20 \to 10\).</p>",
        subject=_CHEMISTRY,
    ),
)
