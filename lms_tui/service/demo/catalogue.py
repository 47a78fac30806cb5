"""The exams of the demo institute with when and for whom they are open."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Final

from lms_tui.banks.model import Exam, Question, Section
from lms_tui.service.demo import drills, foundation_maths, foundation_science, kinds, languages, papers
from lms_tui.service.demo.writing import numbered

FOUNDATION: Final = "Foundation Science and Maths"
LANGUAGE: Final = "Language and Reasoning"
SCHOLARSHIP: Final = "Scholarship Preparation"

MORNING: Final = "Foundation Morning"
EVENING: Final = "Foundation Evening"
SCHOLARS: Final = "Scholarship 2026"

_FOUR: Final = Decimal(4)
_ONE: Final = Decimal(1)


@dataclass(frozen=True, slots=True)
class Offer:
    """An exam as it is set: times count from the day the institute is made, negative ones lie before it.

    `ranks_after`: when ranks are published; None: they are always shown.
    """

    exam: Exam
    course: str
    batches: tuple[str, ...]
    starts: timedelta
    ends: timedelta | None = None
    ranks_after: timedelta | None = None
    is_public: bool = False


def _whole(prefix: str, questions: Sequence[Question]) -> tuple[Section, ...]:
    return (Section("", numbered(prefix, questions)),)


_FOUNDATION_TEST: Final = Exam(
    "Foundation Test 1: Science, Maths and Reasoning",
    _whole(
        "ft1",
        (
            *foundation_science.PHYSICS,
            *foundation_science.CHEMISTRY,
            *foundation_science.BIOLOGY,
            *foundation_maths.MATHEMATICS,
            *foundation_maths.REASONING,
        ),
    ),
    slug="foundation-test-1",
    description_html=(
        "<p>Fifty questions from the first term. Most have <strong>one</strong> right answer; where several are right, "
        "the question says so, and all of them must be chosen.</p><ul><li>A right answer earns 4 marks.</li>"
        "<li>A wrong answer costs 1 mark.</li><li>Figures and constants are given where they are needed.</li></ul>"
    ),
    duration=timedelta(minutes=60),
    mark_per_question=_FOUR,
    negative_marks=_ONE,
    max_retakes=-1,
    language="en",
)
_NUMBER_SENSE: Final = Exam(
    "Number Sense in Eight Questions",
    _whole("ns", drills.NUMBER_SENSE),
    slug="number-sense",
    description_html="<p>Factors, fractions and powers. There is no clock: take the time you need.</p>",
    language="en",
)
_SPRINT: Final = Exam(
    "Four-Minute Sprint: Mental Arithmetic",
    _whole("sprint", drills.SPRINT),
    slug="four-minute-sprint",
    description_html="<p>Ten sums in four minutes, without paper. Nothing is lost by a wrong answer.</p>",
    duration=timedelta(minutes=4),
    max_retakes=-1,
    language="en",
)
_READING: Final = Exam(
    "Reading and Reasoning",
    (
        Section(
            "Reading",
            numbered("read", papers.READING),
            cut_off=6,
            instructions_html="<p>Two texts, and questions about them. Answer from the text.</p>",
        ),
        Section(
            "Reasoning",
            numbered("reason", papers.REASONING),
            cut_off=6,
            instructions_html="<p>Each question stands alone.</p>",
        ),
    ),
    slug="reading-and-reasoning",
    description_html="<p>Two sections under one clock; you may go back and forth between them.</p>",
    duration=timedelta(minutes=30),
    mark_per_question=Decimal(2),
    negative_marks=Decimal("0.5"),
    max_retakes=2,
    language="en",
)
_MOCK: Final = Exam(
    "Scholarship Mock: Two Papers",
    (
        Section(
            "Paper 1: Physics",
            numbered("mock-p", papers.MOCK_PHYSICS),
            duration=timedelta(minutes=10),
            cut_off=8,
            instructions_html="<p>Ten minutes. When they are over, the second paper begins by itself.</p>",
        ),
        Section(
            "Paper 2: Chemistry",
            numbered("mock-c", papers.MOCK_CHEMISTRY),
            duration=timedelta(minutes=10),
            cut_off=8,
            instructions_html="<p>Ten minutes. The first paper cannot be opened again.</p>",
        ),
    ),
    slug="scholarship-mock",
    description_html=(
        "<p>Two papers one after the other, each with a clock of its own. A paper that has ended stays closed.</p>"
    ),
    duration=timedelta(minutes=20),
    mark_per_question=_FOUR,
    negative_marks=_ONE,
    max_retakes=1,
    language="en",
)
_PHYSICS_QUIZ: Final = Exam(
    "Weekly Physics Quiz",
    _whole("quiz", drills.PHYSICS_QUIZ),
    slug="weekly-physics-quiz",
    description_html="<p>Ten short questions. It may be taken five times; see how you improve.</p>",
    duration=timedelta(minutes=15),
    mark_per_question=Decimal(2),
    negative_marks=Decimal("0.5"),
    max_retakes=4,
    language="en",
)
_ACIDS: Final = Exam(
    "Chapter Test: Acids and Bases",
    _whole("acids", drills.ACIDS),
    slug="acids-and-bases",
    description_html="<p>The test at the end of the chapter. Ranks are published when everybody has taken it.</p>",
    duration=timedelta(minutes=10),
    mark_per_question=_FOUR,
    negative_marks=_ONE,
    allow_retake=False,
    language="en",
)
_LANGUAGES: Final = Exam(
    "हिन्दी and தமிழ்",
    (
        Section("हिन्दी", numbered("hi", languages.HINDI)),
        Section("தமிழ்", numbered("ta", languages.TAMIL)),
    ),
    slug="hindi-and-tamil",
    description_html="<p>Five questions in Hindi and five in Tamil. Answer those that you can read.</p>",
    duration=timedelta(minutes=20),
    mark_per_question=Decimal(2),
    max_retakes=-1,
)
_EVERY_KIND: Final = Exam(
    "Every Type of Question",
    _whole("kinds", kinds.EVERY_KIND),
    slug="every-type-of-question",
    description_html="<p>One question of each type that the institute uses, to try them out.</p>",
    max_retakes=-1,
    enable_ranks=False,
    language="en",
)
_UPCOMING: Final = Exam(
    "Foundation Test 2",
    _whole("ft2", kinds.UPCOMING),
    slug="foundation-test-2",
    description_html="<p>The second test of the term.</p>",
    duration=timedelta(minutes=15),
    mark_per_question=_FOUR,
    negative_marks=_ONE,
    max_retakes=1,
    language="en",
)

_DAY: Final = timedelta(days=1)

OFFERS: Final[tuple[Offer, ...]] = (
    Offer(_FOUNDATION_TEST, FOUNDATION, (MORNING, EVENING), -20 * _DAY, 365 * _DAY),
    Offer(_NUMBER_SENSE, FOUNDATION, (MORNING, EVENING), -40 * _DAY),
    Offer(_SPRINT, FOUNDATION, (MORNING, EVENING, SCHOLARS), -30 * _DAY),
    Offer(_PHYSICS_QUIZ, FOUNDATION, (MORNING, EVENING), -45 * _DAY, ranks_after=-38 * _DAY),
    Offer(_ACIDS, FOUNDATION, (MORNING, EVENING), -14 * _DAY, 30 * _DAY, ranks_after=7 * _DAY),
    Offer(_READING, LANGUAGE, (MORNING, EVENING, SCHOLARS), -25 * _DAY, 365 * _DAY),
    Offer(_LANGUAGES, LANGUAGE, (MORNING, EVENING, SCHOLARS), -25 * _DAY),
    Offer(_MOCK, SCHOLARSHIP, (SCHOLARS,), -10 * _DAY, 365 * _DAY),
    Offer(_EVERY_KIND, LANGUAGE, (), -25 * _DAY, is_public=True),
    Offer(_UPCOMING, FOUNDATION, (MORNING, EVENING), 3 * _DAY, 60 * _DAY),
)
