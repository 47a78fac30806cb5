"""The reader reports each thing in a file that an exam cannot keep."""

import html
import re
import xml.etree.ElementTree as ET  # an independent reader, for files that are at hand
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from urllib.parse import unquote

import pytest

from lms_tui.banks.report import Report, check
from tests.banks.test_bank_cases import CASES, EXPECTED, REFUSED, needs_cases
from tests.banks.test_package import ITEM, TEST, item, manifest, packed, paper

CHOICES = '<answer fraction="100"><text>a</text></answer><answer fraction="0"><text>b</text></answer>'


def told(data: bytes | str, name: str = "bank") -> list[tuple[int, str]]:
    report = check(data.encode() if isinstance(data, str) else data, name)
    return [(finding.line, finding.message) for finding in (*report.errors, *report.warnings)]


def moodle(text: str, more: str = "") -> str:
    body = f'<questiontext format="html"><text><![CDATA[{text}]]></text>{more}</questiontext>'
    return f'<quiz>\n<question type="multichoice"><name><text>T</text></name>{body}{CHOICES}</question></quiz>'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('See <a href="@@PLUGINFILE@@/data.csv">the table</a>.', "The linked file “data.csv” was left out."),
        ('See <a href="data:text/csv;base64,YSxi">it</a>.', "The linked file inside the text was left out."),
        ('Hear <audio src="x.mp3"></audio>', "A sound cannot be shown here."),
        ('<video><source src="x.mp4"></video> See', "A video cannot be shown here."),
    ],
)
def test_linked_files_sounds_and_videos_are_named_with_their_line(text: str, words: str) -> None:
    assert [(line, words in message) for line, message in told(moodle(text))] == [(2, True)]


def test_a_link_to_another_computer_is_no_finding() -> None:
    assert told(moodle('See <a href="https://example.org/x">it</a>.')) == []


def test_an_attached_file_that_no_text_names_is_named() -> None:
    attached = '<file name="data.csv" path="/" encoding="base64">YSxi</file>'
    assert told(moodle("Q", attached)) == [(2, "The attached file “data.csv” was left out.")]


# --- QTI 1.2


def essay(name: str, more: str = "") -> str:
    kind = "<fieldlabel>question_type</fieldlabel><fieldentry>essay_question</fieldentry>"
    meta = f"<itemmetadata><qtimetadata><qtimetadatafield>{kind}</qtimetadatafield></qtimetadata></itemmetadata>"
    text = f"<presentation><material><mattext>{name}</mattext></material></presentation>"
    return f'<item ident="{name}" title="{name}">{more}{meta}{text}</item>'


def quiz(*parts: str) -> str:
    return (
        f'<questestinterop>\n<assessment title="A"><section>{"".join(parts)}</section></assessment></questestinterop>'
    )


BANK = (
    '<questestinterop><objectbank ident="pool"><qtimetadata><qtimetadatafield><fieldlabel>bank_title</fieldlabel>'
    f"<fieldentry>Unit 2</fieldentry></qtimetadatafield></qtimetadata>{essay('one')}{essay('two')}</objectbank>"
    "</questestinterop>"
)
DRAWN = '<bankentry_item sourcebank_ref="pool" item_ref="{}"/>'
GROUP = (
    "<section><selection_ordering><selection><sourcebank_ref>pool</sourcebank_ref><selection_number>1"
    "</selection_number><selection_extension><points_per_item>3.0</points_per_item></selection_extension></selection></selection_ordering></section>"
)


def test_a_question_of_a_bank_that_is_not_there_is_an_error() -> None:
    one = "The question “one”, which the exam draws from a bank, is not in the file."
    bank = "The question bank “pool”, which the exam draws from a bank, is not in the file."
    assert told(quiz(essay("own"), DRAWN.format("one"), GROUP)) == [(2, one), (2, bank)]


def cartridge(*parts: str) -> Report:
    listed = manifest(("imsqti_xmlv1p2/imscc_xmlv1p1/assessment", "g/assessment_qti.xml"))
    members = {
        "imsmanifest.xml": listed,
        "g/assessment_qti.xml": quiz(),
        "non_cc_assessments/g.xml.qti": quiz(*parts),
        "non_cc_assessments/pool.xml.qti": BANK,
    }
    return check(packed(members), "course.imscc")


def test_a_quiz_draws_its_questions_from_the_banks_of_the_package() -> None:
    report = cartridge(essay("own"), DRAWN.format("two"))
    assert [question.identifier for question in report.questions] == ["own", "two"]
    assert [finding.message for finding in (*report.errors, *report.warnings)] == [
        "The question bank “Unit 2” has 1 question that no quiz uses. Left out."
    ]
    report = cartridge(GROUP)
    assert [question.marks for question in report.questions] == [3, 3]
    assert [question.identifier for question in report.questions] == ["one", "two"]
    assert (*report.errors, *report.warnings) == ()
    assert (report.exam and report.exam.picks, [question.pool for question in report.questions]) == ((1,), [1, 1])


def test_two_groups_draw_from_one_bank() -> None:
    report = cartridge(GROUP, GROUP)
    assert (*report.errors, *report.warnings) == ()
    assert report.exam is not None
    assert report.exam.asked == 2


def test_a_question_bank_that_no_quiz_uses_is_named() -> None:
    report = cartridge(essay("own"))
    assert [finding.message for finding in report.warnings] == [
        "The question bank “Unit 2” has 2 questions that no quiz uses. Left out."
    ]


def test_rules_and_times_of_an_old_test_are_named() -> None:
    timed = essay("a", "<duration>PT1M</duration><itemprecondition/>")
    parts = ["time limits of questions (question 1)", "preconditions (question 1)"]
    assert told(quiz(timed)) == [(2, f"Not imported, because exams cannot store it: {part}.") for part in parts]


# --- QTI 2


def test_rules_and_times_of_a_test_are_named() -> None:
    test = (
        paper("a.xml")
        .replace("<testPart>", '<testPart navigationMode="linear" submissionMode="individual">\n')
        .replace('href="a.xml"/>', 'href="a.xml"><preCondition/><branchRule target="x"/><timeLimits maxTime="9"/>'
                 "</assessmentItemRef>")
    )  # fmt: skip
    found = told(packed({"imsmanifest.xml": manifest((TEST, "t.xml")), "t.xml": test, "a.xml": item("a")}))
    messages = [message for _, message in found]
    for words in ("linear navigation", "preconditions", "branch rules", "time limits of questions"):
        assert any(words in message for message in messages), words
    assert all(line for line, _ in found)


def test_files_of_a_package_that_are_no_part_of_a_question_are_named() -> None:
    members: dict[str, str | bytes] = {
        "imsmanifest.xml": manifest((ITEM, "a.xml")),
        "a.xml": item("a"),
        "handout.pdf": b"%PDF",
        "a.css": "p{}",
    }
    assert told(packed(members)) == [(0, "1 file of the package left out: handout.pdf.")]
    assert (0, "1 file of the package left out: x.pdf.") in told(packed({"a.gift": "Q?{T}", "x.pdf": b"%PDF"}))


# --- everything in the cases

_WORD = re.compile(r"[^\W\d_]{3,}")
_NO_TEXT = frozenset(
    {"fieldlabel", "fieldentry", "setvar", "varequal", "varsubset", "defaultgrade", "penalty", "single", "qticomment",
     "shuffleanswers", "answernumbering", "file", "value", "baseValue", "responseformat", "group",
     "displayfeedback", "format", "hidden", "usecase", "sourcebank_ref", "sourcebank_export_id", "selection_number",
     "points_per_item"}
)  # fmt: skip
"""Elements whose text is a setting, a name or a key."""


def words(text: str) -> list[str]:
    plain = re.sub(r"</?[a-z][^<>]*>", " ", html.unescape(html.unescape(text)), flags=re.IGNORECASE)
    return _WORD.findall(plain.lower())


def kept(report: Report) -> set[str]:
    """Every word that the exam holds or a finding names."""
    exam = report.exam
    assert exam is not None
    parts = [repr(exam), *(finding.message for finding in (*report.errors, *report.warnings))]
    return set(words(" ".join(parts).replace("\\n", " ")))


def sources(name: str) -> Iterator[bytes]:
    data = (CASES / name).read_bytes()
    if not name.endswith(".zip"):
        yield data
        return
    with zipfile.ZipFile(BytesIO(data)) as package:
        for member in package.namelist():
            if "__MACOSX" not in member and member.endswith(".xml") and "manifest" not in member:
                yield package.read(member)


def texts_of(node: ET.Element) -> Iterator[str]:
    """The texts of a file, each with the elements that must be named if its words are missing."""
    name = node.tag.rpartition("}")[2]
    if name in _NO_TEXT or name in {"outcomeDeclaration", "responseDeclaration", "responseProcessing"}:
        return
    yield node.text or ""
    for child in node:
        yield from texts_of(child)
        yield child.tail or ""


NAMED = {
    "correctfeedback": "general feedback", "partiallycorrectfeedback": "general feedback", "hint": "hints",
    "incorrectfeedback": "general feedback", "graderinfo": "notes for markers", "itemfeedback": "general feedback",
    "modalFeedback": "general feedback",
}  # fmt: skip
"""Elements that a finding names as a whole."""
USUAL = re.compile(r"your answer is (?:partially )?(?:in)?correct\.?", re.IGNORECASE)
"""The text that Moodle shows when a question has no feedback of its own."""
PLAIN = [name for name in EXPECTED if name.endswith((".gift", ".txt")) and name not in REFUSED]
KEYWORDS = r"quiz title|quiz description|title|points|END_GROUP|GROUP|pick|points per question|ANSWER"
"""The words of text2qti and Aiken."""


@needs_cases
@pytest.mark.parametrize("name", [name for name in EXPECTED if name.endswith((".xml", ".zip"))])
def test_every_text_of_a_case_is_in_the_exam_or_named(name: str) -> None:
    report = check((CASES / name).read_bytes(), name)
    held = kept(report)
    findings = " ".join(finding.message for finding in (*report.errors, *report.warnings))
    missing: list[str] = []
    for data in sources(name):
        root = ET.fromstring(data)  # noqa: S314  # the files are at hand and known
        for parent in list(root.iter()):
            for child in list(parent):
                if (what := NAMED.get(child.tag.rpartition("}")[2])) and what in findings:
                    parent.remove(child)
        missing += [
            word for text in texts_of(root) if not USUAL.search(text) for word in words(text) if word not in held
        ]
    assert missing == []


@needs_cases
@pytest.mark.parametrize("name", PLAIN)
def test_every_word_of_a_plain_case_is_in_the_exam_or_named(name: str) -> None:
    report = check((CASES / name).read_bytes(), name)
    held = kept(report)
    source = (CASES / name).read_text("utf-8")
    source = re.sub(r"^(?://|\$CATEGORY).*$|\\n", " ", source, flags=re.MULTILINE)
    source = re.sub(rf"^(?:{KEYWORDS})", "", source, flags=re.MULTILINE | re.IGNORECASE)
    assert [word for word in words(source) if word not in held] == []


@needs_cases
@pytest.mark.parametrize("name", [name for name in EXPECTED if name.endswith((".xml", ".zip"))])
def test_every_file_that_a_case_names_is_in_the_exam_or_named(name: str) -> None:
    report = check((CASES / name).read_bytes(), name)
    findings = " ".join(finding.message for finding in (*report.errors, *report.warnings))
    pictures = repr(report.exam).count("data:image/")
    for data in sources(name):
        text = html.unescape(data.decode("utf-8", "replace"))
        for reference in re.findall(r"""\b(?:src|href|data|uri)=["']([^"'#]+)["']""", text):
            if reference.startswith(("http", "data:")) or reference.endswith((".xml", ".css", ".xsd")):
                continue
            assert pictures or Path(unquote(reference)).name in findings, reference
