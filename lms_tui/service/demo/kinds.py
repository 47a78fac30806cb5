"""One question of every type, and the questions of a test that is still to come."""

from decimal import Decimal
from typing import Final

from lms_tui.banks.model import NumericKey, Pair, Question, TextKey
from lms_tui.service.demo.writing import choose
from lms_tui.wire.question_types import QuestionType

_GEOGRAPHY: Final = ("General knowledge", "Geography")
_PHYSICS: Final = ("Science", "Physics")
_CHEMISTRY: Final = ("Science", "Chemistry")
_BIOLOGY: Final = ("Science", "Biology")
_MATHS: Final = ("Mathematics", "Algebra")

EVERY_KIND: Final[tuple[Question, ...]] = (
    choose(
        "<p><strong>One answer.</strong> Which river flows through Varanasi?</p>",
        ("Yamuna", "Ganga", "Godavari", "Kaveri"),
        "B",
        "<p>Varanasi lies on the left bank of the Ganga.</p>",
        subject=_GEOGRAPHY,
    ),
    choose(
        "<p><strong>Several answers.</strong> Which of these cities lie on the coast? Choose all that do.</p>",
        ("Chennai", "Nagpur", "Kochi", "Bhopal"),
        "AC",
        "<p>Chennai lies on the Bay of Bengal and Kochi on the Arabian Sea; the other two lie inland.</p>",
        subject=_GEOGRAPHY,
    ),
    Question(
        QuestionType.SHORT,
        "<p><strong>A short text.</strong> What is the capital of Sikkim?</p>",
        texts=(TextKey("Gangtok"),),
        explanation_html="<p>The capital of Sikkim is Gangtok.</p>",
        subject=_GEOGRAPHY,
    ),
    Question(
        QuestionType.NUMERIC,
        r"<p><strong>A number.</strong> A bus travels 150 km in 2.5 hours. What is its mean speed in km/h?</p>",
        numbers=(NumericKey(Decimal("59.5"), Decimal("60.5")),),
        explanation_html=r"<p>\(\frac{150}{2.5} = 60\ \text{km/h}\).</p>",
        subject=_PHYSICS,
    ),
    Question(
        QuestionType.ESSAY,
        "<p><strong>An essay.</strong> Choose a topic and write a few paragraphs.</p>",
        essay_topics=("A place that I should like to show a visitor", "What a town can do with its rain"),
        explanation_html="<p>Essays are read by a person; they earn no marks by themselves.</p>",
        subject=("English", "Writing"),
    ),
    Question(
        QuestionType.GAPS,
        "<p><strong>Gaps.</strong> Plants take in carbon [[1]] and give off [[2]] when they make sugar from light.</p>",
        texts=(TextKey("dioxide", gap=1), TextKey("oxygen", gap=2)),
        explanation_html=r"<p>\(\ce{6CO2 + 6H2O -> C6H12O6 + 6O2}\)</p>",
        subject=_BIOLOGY,
    ),
    Question(
        QuestionType.MATCH,
        "<p><strong>Matching.</strong> Which instrument measures what?</p>",
        pairs=(
            Pair("Barometer", "pressure of the air"),
            Pair("Ammeter", "electric current"),
            Pair("Thermometer", "temperature"),
            Pair("", "speed of the wind"),
        ),
        explanation_html="<p>The speed of the wind would be measured with an anemometer.</p>",
        subject=_PHYSICS,
    ),
)

UPCOMING: Final[tuple[Question, ...]] = (
    choose(
        "<p>What is the tenth term of 5, 9, 13, 17, …?</p>",
        ("37", "41", "45", "50"),
        "B",
        r"<p>\(a_{10} = 5 + 9 \cdot 4 = 41\).</p>",
        subject=_MATHS,
    ),
    choose(
        "<p>What is the formula of aluminium oxide?</p>",
        (r"\(\ce{AlO}\)", r"\(\ce{AlO3}\)", r"\(\ce{Al2O3}\)", r"\(\ce{Al3O2}\)"),
        "C",
        r"<p>\(\ce{Al^3+}\) and \(\ce{O^2-}\): two of the first carry as much charge as three of the second.</p>",
        subject=_CHEMISTRY,
    ),
    choose(
        r"<p>Two resistors of \(8\ \Omega\) are connected in parallel. What is their total resistance?</p>",
        (r"\(16\ \Omega\)", r"\(8\ \Omega\)", r"\(2\ \Omega\)", r"\(4\ \Omega\)"),
        "D",
        r"<p>Equal resistors share the current equally; two of them halve the resistance.</p>",
        subject=_PHYSICS,
    ),
    choose(
        "<p>Which of these numbers are multiples of 6? Choose all that are.</p>",
        ("64", "42", "76", "54"),
        "BD",
        r"<p>\(42 = 7 \times 6\) and \(54 = 9 \times 6\); 64 and 76 are not divisible by 3.</p>",
        subject=_MATHS,
    ),
    choose(
        "<p>Which blood group can be given to everybody in an emergency?</p>",
        ("O, Rh negative", "AB, Rh positive", "A, Rh negative", "B, Rh positive"),
        "A",
        "<p>Its red cells carry none of the antigens A, B and Rh D.</p>",
        subject=_BIOLOGY,
    ),
)
