"""Every case that is at hand is read with the right types, or says what it left out."""

import os
import random
from collections import Counter
from pathlib import Path

import pytest

from lms_tui.banks.model import NotAnExam
from lms_tui.banks.reader import read_exam
from lms_tui.banks.report import as_json, as_text, check
from lms_tui.banks.writers import Target, write
from lms_tui.wire.question_types import QuestionType
from tests.banks.fuzz_banks import damaged

CASES = Path(__file__).parents[2] / ".." / "shared" / "cases"
FILES = (
    sorted(path for path in CASES.glob("*/*") if path.is_file() and path.suffix != ".json") if CASES.is_dir() else []
)
needs_cases = pytest.mark.skipif(not FILES, reason="the shared cases are not beside this checkout")
ROUNDS = int(os.environ.get("LMS_TUI_FUZZ_ROUNDS", "2"))
R, C, S, N, E, F, M, G = (QuestionType(code) for code in "RCSNEFMG")
EXPECTED = {
    "exams/brain-teasers.aiken.txt": {R: 207},
    "exams/jee-main-2025-jan22-shift1.gift": {R: 75},
    "exams/numerical-literacy.gift": {R: 66},
    "exams/urdu-mixed.gift": {R: 130},
    "qti/canvas-export-qti12.zip": {R: 2, C: 1},
    "qti/canvas-export-qti21.zip": {R: 2, C: 1, S: 1, E: 1},
    "qti/qti12-essay.xml": {E: 1},
    "qti/qti12-fib_feedback.xml": {S: 1},
    "qti/qti12-matching.xml": {M: 1},
    "qti/qti12-mc_feedback.xml": {R: 1},
    "qti/qti12-multiple_answer_canvas.xml": {C: 1},
    "qti/qti12-multiple_choice.xml": {R: 1},
    "qti/qti12-numeric_within_range.xml": {N: 1},
    "qti/qti12-ordering.xml": {M: 1},
    "qti/qti12-question_group.xml": {R: 10},
    "qti/qti12-stimulus_with_child_item.xml": {R: 1},
    "qti/qti12-true_false_with_calculator.xml": {R: 1},
    "qti/qti2-choice_multiple.xml": {C: 1},
    "qti/qti2-choice_multiple_rtl.xml": {C: 1},
    "qti/qti2-essay.xml": {E: 1},
    "qti/qti2-match2.xml": {M: 1},
    "qti/qti2-order.xml": {M: 1},
    "qti/qti2-text_entry.xml": {S: 1},
    "moodlexml/stack-essay-image.xml": {E: 1},
    "moodlexml/stack-gapselect-table-image.xml": {G: 1},
    "moodlexml/stack-matching-terms.xml": {M: 1},
    "moodlexml/stack-mc-euler-diagram.xml": {R: 1},
    "moodlexml/stack-mc-inverse-matrix.xml": {C: 1},
    "moodlexml/stack-truefalse-linearity.xml": {R: 1},
    "markdown/readme-01.txt": {R: 1},
    "markdown/readme-02.txt": {R: 1},
    "markdown/readme-03.txt": {C: 1},
    "markdown/readme-04.txt": {N: 3},
    "markdown/readme-05.txt": {S: 1},
    "markdown/readme-06.txt": {E: 1},
    "markdown/readme-07.txt": {F: 1},
    "markdown/readme-08.txt": {R: 1},
    "markdown/readme-09.txt": {R: 2},
}
REFUSED = {"markdown/readme-08.txt", "qti/qti12-question_group.xml"}
"""Cases with code that is never run, and with a question bank that is in another file."""


def named(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


@needs_cases
@pytest.mark.parametrize("name", EXPECTED)
def test_case_has_its_questions_and_every_key(name: str) -> None:
    report = check((CASES / name).read_bytes(), name)
    assert Counter(question.kind for question in report.questions) == EXPECTED[name]
    if name not in REFUSED:
        assert report.errors == ()


@needs_cases
@pytest.mark.parametrize("path", FILES, ids=named)
def test_case_can_be_checked_and_written_in_every_format(path: Path) -> None:
    report = check(path.read_bytes(), path.name)
    assert as_text(report)
    assert as_json(report)
    if report.exam is None or not report.exam.questions:
        return
    for target in Target:
        written = write(report.exam, target)
        assert not [found for found in written.findings if "can be read back" in found.message]


def sentences(data: bytes, name: str) -> list[str]:
    """What is said of a file: that it is no exam, or what was found in it."""
    try:
        return [*(finding.message for finding in read_exam(data, name).findings), "It was read."]
    except NotAnExam as refusal:
        return [str(refusal), refusal.advice]


@needs_cases
@pytest.mark.parametrize("path", FILES, ids=named)
def test_a_damaged_case_is_read_or_refused_with_a_message(path: Path) -> None:
    data = path.read_bytes()
    for seed in range(ROUNDS):
        broken = damaged(data, random.Random(f"{path.name}{seed}"))
        told = sentences(broken, path.name)
        assert told
        assert all(sentence and "Traceback" not in sentence for sentence in told)
