"""The science questions of the foundation test."""

from typing import Final

from lms_tui.banks.model import Question
from lms_tui.service.demo.pictures import VELOCITY_GRAPH
from lms_tui.service.demo.writing import choose

_MECHANICS: Final = ("Science", "Physics", "Mechanics")
_OPTICS: Final = ("Science", "Physics", "Optics")
_ELECTRICITY: Final = ("Science", "Physics", "Electricity")
_REACTIONS: Final = ("Science", "Chemistry", "Reactions")
_MATTER: Final = ("Science", "Chemistry", "Structure of matter")
_BIOLOGY: Final = ("Science", "Biology")

PHYSICS: Final[tuple[Question, ...]] = (
    choose(
        r"<p>A car starts from rest and reaches \(20\ \text{m/s}\) in \(8\ \text{s}\) with constant acceleration. "
        r"How far does it travel in that time?</p>",
        ("40 m", "160 m", "80 m", "120 m"),
        "C",
        r"<p>The mean velocity is \(\frac{0+20}{2} = 10\ \text{m/s}\), so the distance is "
        r"\(10 \times 8 = 80\ \text{m}\).</p>",
        subject=_MECHANICS,
    ),
    choose(
        f"<p>The graph shows how the velocity of a cyclist changes.</p><p>{VELOCITY_GRAPH}</p>"
        "<p>How far does the cyclist travel in the 10 seconds?</p>",
        ("72 m", "96 m", "120 m", "144 m"),
        "B",
        r"<p>The distance is the area under the graph: a triangle of \(\frac{1}{2}\times 4\times 12 = 24\ \text{m}\) "
        r"and a rectangle of \(6 \times 12 = 72\ \text{m}\), together \(96\ \text{m}\).</p>",
        subject=_MECHANICS,
    ),
    choose(
        "<p>Which of these quantities are <strong>vectors</strong>? Choose all that are.</p>",
        ("Displacement", "Speed", "Momentum", "Kinetic energy"),
        "AC",
        r"<p>Displacement and momentum \(\vec{p} = m\vec{v}\) have a direction. Speed and kinetic energy are numbers "
        "with a unit only.</p>",
        subject=_MECHANICS,
    ),
    choose(
        r"<p>A block of \(2\ \text{kg}\) is pulled with \(10\ \text{N}\) over a floor whose friction is "
        r"\(4\ \text{N}\). What is its acceleration?</p>",
        (r"\(2\ \text{m/s}^2\)", r"\(5\ \text{m/s}^2\)", r"\(7\ \text{m/s}^2\)", r"\(3\ \text{m/s}^2\)"),
        "D",
        r"<p>The net force is \(10 - 4 = 6\ \text{N}\); \(a = \frac{F}{m} = \frac{6}{2} = 3\ \text{m/s}^2\).</p>",
        subject=_MECHANICS,
    ),
    choose(
        "<p>The speed of a scooter doubles. Its kinetic energy becomes</p>",
        ("four times as large", "twice as large", "half as large", "eight times as large"),
        "A",
        r"<p>\(E = \frac{1}{2}mv^2\) grows with the square of the speed: \((2v)^2 = 4v^2\).</p>",
        subject=_MECHANICS,
    ),
    choose(
        r"<p>At the surface of the Earth (radius \(R\)) the acceleration due to gravity is \(g\). At a height \(R\) "
        "above the surface it is</p>",
        (r"\(\frac{g}{2}\)", r"\(\frac{g}{4}\)", r"\(\frac{g}{\sqrt{2}}\)", r"\(g\)"),
        "B",
        r"<p>The distance from the centre doubles from \(R\) to \(2R\), and \(g \propto \frac{1}{r^2}\), so it falls "
        r"to \(\frac{g}{4}\).</p>",
        subject=_MECHANICS,
    ),
    choose(
        r"<p>An object stands \(30\ \text{cm}\) in front of a concave mirror whose focal length is \(15\ \text{cm}\). "
        "Its image is</p>",
        (
            "virtual, upright and enlarged",
            "real, inverted and smaller",
            "real, inverted and of the same size",
            "at infinity",
        ),
        "C",
        r"<p>The object is at \(2f\), the centre of curvature. Its image forms at the same place, inverted and of the "
        "same size.</p>",
        subject=_OPTICS,
    ),
    choose(
        r"<p>For thin lenses, with distances measured from the lens and positive along the light,</p>"
        r"<p>\[\frac{1}{v}-\frac{1}{u}=\frac{1}{f}\]</p>"
        r"<p>A convex lens has \(f = 10\ \text{cm}\). An object stands at \(u = -15\ \text{cm}\). "
        r"Where is the image?</p>",
        (r"\(v = 6\ \text{cm}\)", r"\(v = -30\ \text{cm}\)", r"\(v = 25\ \text{cm}\)", r"\(v = 30\ \text{cm}\)"),
        "D",
        r"<p>\(\frac{1}{v} = \frac{1}{10} - \frac{1}{15} = \frac{3-2}{30} = \frac{1}{30}\), so "
        r"\(v = 30\ \text{cm}\), on the other side of the lens.</p>",
        subject=_OPTICS,
    ),
    choose(
        r"<p>Light passes from air into a glass block with an angle of incidence of \(45^\circ\) and an angle of "
        r"refraction of \(30^\circ\). What is the refractive index of the glass?</p>",
        (r"\(\sqrt{2}\)", r"\(\frac{1}{\sqrt{2}}\)", r"\(\frac{3}{2}\)", r"\(\sqrt{3}\)"),
        "A",
        r"<p>\(n = \frac{\sin 45^\circ}{\sin 30^\circ} = \frac{1/\sqrt{2}}{1/2} = \frac{2}{\sqrt{2}} = \sqrt{2}\).</p>",
        subject=_OPTICS,
    ),
    choose(
        r"<p>Resistors of \(6\ \Omega\) and \(3\ \Omega\) are in parallel; a resistor of \(4\ \Omega\) is in series "
        "with the two. What is the total resistance?</p>",
        (r"\(13\ \Omega\)", r"\(6\ \Omega\)", r"\(4.5\ \Omega\)", r"\(2\ \Omega\)"),
        "B",
        r"<p>In parallel: \(\frac{6\times 3}{6+3} = 2\ \Omega\). In series with the third: "
        r"\(2 + 4 = 6\ \Omega\).</p>",
        subject=_ELECTRICITY,
    ),
    choose(
        r"<p>A heater of \(2\ \text{kW}\) runs for 3 hours. One unit (\(1\ \text{kWh}\)) costs ₹7. "
        "What does it cost?</p>",
        ("₹14", "₹21", "₹42", "₹84"),
        "C",
        r"<p>The energy is \(2 \times 3 = 6\ \text{kWh}\), and \(6 \times 7 = 42\).</p>",
        subject=_ELECTRICITY,
    ),
    choose(
        "<p>Two lamps are connected <em>in series</em> to a battery. Which statements are right? "
        "Choose all that are.</p>",
        (
            "When one lamp breaks, the other one goes on shining.",
            "The same current flows through both lamps.",
            "The total resistance is smaller than that of either lamp.",
            "The voltages across the lamps add up to that of the battery.",
        ),
        "BD",
        "<p>In series there is one path: one current, and the voltages add up. A broken lamp opens the circuit. "
        "Resistances add up, so the total is larger than each of them.</p>",
        subject=_ELECTRICITY,
    ),
)

CHEMISTRY: Final[tuple[Question, ...]] = (
    choose(
        r"<p>Balance with the smallest whole numbers: \(a\,\ce{Fe} + b\,\ce{O2} \rightarrow c\,\ce{Fe2O3}\). "
        r"What is \(a + b + c\)?</p>",
        ("6", "7", "8", "9"),
        "D",
        r"<p>\(\ce{4Fe + 3O2 -> 2Fe2O3}\): four atoms of iron and six of oxygen on each side; \(4 + 3 + 2 = 9\).</p>",
        subject=_REACTIONS,
    ),
    choose(
        r"<p>What is the pH of a solution with \(0.001\ \text{mol/L}\) of \(\ce{HCl}\)?</p>",
        ("3", "1", "−3", "11"),
        "A",
        r"<p>\(\ce{HCl}\) is a strong acid, so \([\ce{H+}] = 10^{-3}\ \text{mol/L}\) and "
        r"\(\text{pH} = -\log_{10} 10^{-3} = 3\).</p>",
        subject=_REACTIONS,
    ),
    choose(
        "<p>Which of these formulas belong to <strong>alkanes</strong>? Choose all that do.</p>",
        (r"\(\ce{C2H6}\)", r"\(\ce{C3H6}\)", r"\(\ce{C4H10}\)", r"\(\ce{C5H10}\)"),
        "AC",
        r"<p>Alkanes are \(\ce{C_nH_{2n+2}}\): for \(n = 2\) six and for \(n = 4\) ten atoms of hydrogen.</p>",
        subject=_MATTER,
    ),
    choose(
        r"<p>How many moles are \(22\ \text{g}\) of carbon dioxide? (C = 12, O = 16)</p>",
        ("0.25", "0.5", "1", "2"),
        "B",
        r"<p>One mole of \(\ce{CO2}\) has \(12 + 2\times 16 = 44\ \text{g}\), and \(\frac{22}{44} = 0.5\).</p>",
        subject=_MATTER,
    ),
    choose(
        "<p>The electrons of a neutral atom are arranged 2, 8, 7. Which element is it?</p>",
        ("Fluorine", "Argon", "Chlorine", "Sulphur"),
        "C",
        r"<p>\(2 + 8 + 7 = 17\) electrons, hence 17 protons: chlorine.</p>",
        subject=_MATTER,
    ),
    choose(
        "<p>Three substances were examined:</p>"
        "<table><tr><th>Substance</th><th>Melts at</th><th>Conducts when solid</th><th>Conducts when molten</th></tr>"
        "<tr><td>P</td><td>801 °C</td><td>no</td><td>yes</td></tr>"
        "<tr><td>Q</td><td>1085 °C</td><td>yes</td><td>yes</td></tr>"
        "<tr><td>R</td><td>80 °C</td><td>no</td><td>no</td></tr></table>"
        "<p>What are P, Q and R, in this order?</p>",
        (
            "ionic, metallic, molecular",
            "metallic, ionic, molecular",
            "molecular, metallic, ionic",
            "ionic, molecular, metallic",
        ),
        "A",
        "<p>Ions move only in the melt (P), the electrons of a metal always (Q). Molecules carry no charge and melt "
        "early (R).</p>",
        subject=_MATTER,
    ),
    choose(
        r"<p>Which substance is <em>oxidised</em> in \(\ce{CuO + H2 -> Cu + H2O}\)?</p>",
        (r"\(\ce{CuO}\)", r"\(\ce{Cu}\)", r"\(\ce{H2O}\)", r"\(\ce{H2}\)"),
        "D",
        "<p>Hydrogen takes up oxygen and becomes water; copper oxide gives it away and is reduced.</p>",
        subject=_REACTIONS,
    ),
    choose(
        "<p>A mixture of sand, salt and iron filings is to be separated with these steps:</p>"
        "<ol><li>Stir the mixture in water.</li><li>Draw out the iron with a magnet.</li>"
        "<li>Evaporate the water.</li><li>Filter.</li></ol>"
        "<p>Which order takes all three substances apart?</p>",
        ("1, 3, 4, 2", "2, 1, 4, 3", "2, 4, 1, 3", "4, 1, 3, 2"),
        "B",
        "<p>First the magnet takes the iron (2). Water dissolves the salt (1), the filter keeps the sand (4), and the "
        "salt stays behind when the water has evaporated (3).</p>",
        subject=_MATTER,
    ),
    choose(
        "<p>Which of these processes give out heat? Choose all that do.</p>",
        ("Burning of methane", "Melting of ice", "Neutralisation of an acid by a base", "Photosynthesis"),
        "AC",
        "<p>Burning and neutralisation are exothermic. Ice takes up heat to melt, and photosynthesis takes up the "
        "energy of light.</p>",
        subject=_REACTIONS,
    ),
    choose(
        r"<p>How many electrons and neutrons has the ion \({}^{27}_{13}\text{Al}^{3+}\)?</p>",
        (
            "13 electrons, 14 neutrons",
            "10 electrons, 27 neutrons",
            "10 electrons, 14 neutrons",
            "16 electrons, 13 neutrons",
        ),
        "C",
        r"<p>There are \(27 - 13 = 14\) neutrons, and three of the 13 electrons have been given away: 10.</p>",
        subject=_MATTER,
    ),
)

BIOLOGY: Final[tuple[Question, ...]] = (
    choose(
        "<p>In which part of an animal cell is most of its ATP made?</p>",
        ("Nucleus", "Ribosome", "Golgi apparatus", "Mitochondrion"),
        "D",
        "<p>Aerobic respiration, which yields most of a cell's ATP, takes place in the mitochondria.</p>",
        subject=_BIOLOGY,
    ),
    choose(
        "<p>Which of these vessels carry blood that is rich in oxygen? Choose all that do.</p>",
        ("Pulmonary vein", "Pulmonary artery", "Vena cava", "Aorta"),
        "AD",
        "<p>The pulmonary veins bring blood from the lungs to the heart, and the aorta takes it to the body. The vena "
        "cava and the pulmonary artery carry blood that has given its oxygen away.</p>",
        subject=_BIOLOGY,
    ),
    choose(
        "<p>Tall pea plants (T) are dominant over short ones (t). Two plants Tt are crossed:</p>"
        "<table><tr><th></th><th>T</th><th>t</th></tr><tr><th>T</th><td>TT</td><td>Tt</td></tr>"
        "<tr><th>t</th><td>Tt</td><td>tt</td></tr></table>"
        "<p>What share of the offspring is expected to be tall?</p>",
        (r"\(\frac{1}{4}\)", r"\(\frac{1}{2}\)", r"\(\frac{3}{4}\)", "all of it"),
        "C",
        "<p>Three of the four combinations (TT, Tt, Tt) have at least one T and grow tall.</p>",
        subject=_BIOLOGY,
    ),
    choose(
        "<p>Which cells open and close the stomata of a leaf?</p>",
        ("Guard cells", "Xylem cells", "Root hair cells", "Palisade cells"),
        "A",
        "<p>Two guard cells lie around each stoma; when they take up water they bend and open it.</p>",
        subject=_BIOLOGY,
    ),
    choose(
        r"<p>In the food chain <em>grass → grasshopper → frog → snake</em> one tenth of the energy passes on at each "
        r"step. The grass holds \(10\,000\ \text{kJ}\). How much reaches the snake?</p>",
        (r"\(1000\ \text{kJ}\)", r"\(10\ \text{kJ}\)", r"\(100\ \text{kJ}\)", r"\(1\ \text{kJ}\)"),
        "B",
        r"<p>There are three steps: \(10\,000 \times \left(\frac{1}{10}\right)^3 = 10\ \text{kJ}\).</p>",
        subject=_BIOLOGY,
    ),
)
