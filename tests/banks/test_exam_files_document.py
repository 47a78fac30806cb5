"""The document on exam files tells the truth about the YAML format."""

import re
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

from lms_tui.banks.model import NumericKey, Pair, TextKey
from lms_tui.banks.report import check
from lms_tui.banks.writers import Target, write
from lms_tui.wire.question_types import QuestionType

DOCUMENT = Path(__file__).parents[2] / "docs" / "exam-files.md"


def example() -> bytes:
    found = re.search(r"```yaml\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL)
    assert found is not None
    return found[1].encode()


def test_the_example_has_every_type_and_no_errors() -> None:
    report = check(example(), "exam-files.md")
    assert report.exam is not None
    exam = report.exam
    assert {question.kind for question in exam.questions} == set(QuestionType)
    assert report.errors == ()
    assert report.warnings == ()
    assert (exam.questions[-1].file_types, exam.questions[-1].most_files) == ((".pdf", ".jpg"), 2)
    assert (exam.duration, exam.mark_per_question, exam.max_retakes) == (timedelta(minutes=90), Decimal(4), 2)
    first, _, number, short, gaps, measured, match, *_ = exam.questions
    assert "60" in first.direction_html
    assert first.options[2].weight == Decimal("-0.25")
    assert number.numbers == (NumericKey(Decimal("9.79"), Decimal("9.83")),)
    assert short.texts[:2] == (TextKey("joule*"), TextKey("J", case_sensitive=True))
    assert gaps.gap_choices == ((), ("freezes", "burns"))
    assert measured.numbers == (NumericKey(Decimal("0.91"), Decimal("0.93"), gap=1),)
    assert match.pairs[-1] == Pair("", "100")


def test_example_can_be_written_and_read_back() -> None:
    exam = check(example(), "exam-files.md").exam
    assert exam is not None
    assert write(exam, Target.YAML).findings == ()


def test_every_format_that_can_be_written_is_in_the_table() -> None:
    written = next(line for line in DOCUMENT.read_text("utf-8").splitlines() if line.startswith("| written"))
    assert sum(map(written.count, ("yes", "Cartridge", "2.1", "csv", "xlsx"))) == len(Target)
