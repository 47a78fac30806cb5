"""Files that are nothing but openers, and files of no format, for every reader: bounded work, never a crash."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lms_tui.banks.model import NotAnExam
from lms_tui.banks.reader import read_exam

SIZE = 100_000
MOODLE = "<quiz><question type='cloze'><questiontext><text><![CDATA[{}]]></text></questiontext></question></quiz>"
BROKEN_MOODLE = "<quiz><question type='essay'>{}"
BROKEN_QTI = "<questestinterop><item ident='a'>{}"
ITEM = "<assessmentItem><itemBody><p>{}</p><extendedTextInteraction/></itemBody></assessmentItem>"
YAML = "questions:\n  - question: Q\n    essay: yes\n{}"
TEXT2QTI = "1. Q\n*a) x\nb) y\n\n{}"
AIKEN = "Q?\nA. a\nB. b\nANSWER: A\n\n{}"
PIECES = [
    (MOODLE, ["{1:MC:=a~", "{1:SA:", "\\", "<img src='a'>", "[[1]]", "data:image/png;base64,"]),
    (BROKEN_MOODLE, ["<question ", "<question type='x'>", "<a>", "&", "&#1;", "<!--", "\x01"]),
    (BROKEN_QTI, ["<item ", "&lt;img data-equation-content="]),
    (ITEM, ["<textEntryInteraction/>", "_____", "<feedbackInline/>", "<p>"]),
    (YAML, ["- ", "  - [\n", "[", "? ", "&a ", "*a ", '"', "---\n"]),
    (TEXT2QTI, ["1. Q\n", "COMMENT\n", "``` {run}\n", "$", "... x\n"]),
    (AIKEN, ["A. a\n", "ANSWER: A\n", "Q\n"]),
]


@pytest.mark.parametrize(("form", "piece"), [(form, piece) for form, pieces in PIECES for piece in pieces])
def test_many_opening_characters_are_read_or_refused(form: str, piece: str) -> None:
    try:
        reading = read_exam(form.format(piece * (SIZE // len(piece))).encode(), "x")
    except NotAnExam:
        return
    assert reading.findings or reading.exam.questions


SEEDS = [
    "<quiz><question type='multichoice'>",
    "<questestinterop><item>",
    "<assessmentItem>",
    "questions:\n",
    "1. Q\n*a) x\n",
    "Q\nA. a\nANSWER: A\n",
    "Q{=a ~b}\n\n",
    "PK\x03\x04",
]


@given(st.sampled_from(SEEDS), st.binary(max_size=300))
def test_any_bytes_after_the_start_of_a_format_are_read_or_refused(seed: str, data: bytes) -> None:
    try:
        read_exam(seed.encode() + data, "x")
    except NotAnExam:
        return


@given(st.sampled_from(SEEDS[3:7]), st.text("ab:-[]{}*=.1)\n ~|>#'\"%^_!+", max_size=200))
def test_any_text_after_the_start_of_a_format_is_read_or_refused(seed: str, text: str) -> None:
    try:
        read_exam(f"{seed}{text}".encode(), "x")
    except NotAnExam:
        return


@pytest.mark.parametrize(
    "data", [b"", b"\0" * 1000, b"\xff\xfe", b"\xef\xbb\xbf", b"\xff\xfe<\0q\0", bytes(range(256)) * 20]
)
def test_empty_and_binary_files_are_refused(data: bytes) -> None:
    with pytest.raises(NotAnExam):
        read_exam(data, "x.xml")
