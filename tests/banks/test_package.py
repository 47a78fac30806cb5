"""Zip packages: manifests, pictures, shared texts, junk, and hostile archives."""

import zipfile
from collections.abc import Mapping
from io import BytesIO

import pytest

from lms_tui.banks import archive
from lms_tui.banks.model import NotAnExam, Reading
from lms_tui.banks.reader import read_exam

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 20


def packed(members: Mapping[str, str | bytes]) -> bytes:
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as file:
        for name, body in members.items():
            file.writestr(name, body)
    return stream.getvalue()


def item(name: str, stem: str = "Q?", head: str = "") -> str:
    declared = '<responseDeclaration identifier="R" cardinality="single" baseType="identifier">'
    declared += "<correctResponse><value>A</value></correctResponse></responseDeclaration>"
    choices = '<simpleChoice identifier="A">a</simpleChoice><simpleChoice identifier="B">b</simpleChoice>'
    body = f'{stem}<choiceInteraction responseIdentifier="R">{choices}</choiceInteraction>'
    opener = f'<assessmentItem identifier="{name}" title="{name}">'
    return f"{opener}{head}{declared}<itemBody>{body}</itemBody></assessmentItem>"


def manifest(*resources: tuple[str, str]) -> str:
    listed = "".join(f'<resource identifier="r" type="{kind}" href="{href}"/>' for kind, href in resources)
    return f'<manifest xmlns="http://www.imsglobal.org/xsd/imscp_v1p1"><resources>{listed}</resources></manifest>'


def paper(*references: str) -> str:
    items = "".join(f'<assessmentItemRef identifier="x" href="{reference}"/>' for reference in references)
    return (
        '<assessmentTest identifier="t" title="Paper"><testPart><assessmentSection title="S"><timeLimits maxTime="60"/>'
        f"{items}</assessmentSection></testPart></assessmentTest>"
    )


def read(members: dict[str, str | bytes]) -> Reading:
    return read_exam(packed(members), "package.zip")


TEST, ITEM = "imsqti_test_xmlv2p1", "imsqti_item_xmlv2p1"


def test_a_test_gives_order_and_sections_and_other_files_are_reported() -> None:
    reading = read(
        {
            "imsmanifest.xml": manifest((TEST, "t/test.xml"), (ITEM, "i/b.xml"), (ITEM, "i/a.xml"), (ITEM, "i/c.xml")),
            "t/test.xml": paper("../i/b.xml", "../i/a.xml", "../i/gone.xml"),
            "i/a.xml": item("a"),
            "i/b.xml": item("b"),
            "i/c.xml": item("c"),
            "__MACOSX/i/._a.xml": b"\0\5\x16\7junk",
        }
    )
    assert reading.exam.title == "Paper"
    assert [q.identifier for q in reading.exam.questions] == ["b", "a"]
    assert reading.exam.sections[0].duration is not None
    told = " ".join(finding.message for finding in reading.findings)
    assert "“../i/gone.xml”" in told
    assert "1 item of the package left out" in told


def test_pictures_are_found_relative_to_the_item() -> None:
    stem = '<img src="../pictures/my%20cat.png" alt="A cat"/><img src="lost.png"/>'
    reading = read(
        {"imsmanifest.xml": manifest((ITEM, "i/a.xml")), "i/a.xml": item("a", stem), "pictures/my cat.png": PNG}
    )
    assert 'src="data:image/png;base64,' in reading.exam.questions[0].html
    (finding,) = reading.findings
    assert (finding.message, finding.question) == ("The picture “lost.png” is not in the file.", 1)


def test_referenced_and_included_stimuli_become_passages() -> None:
    head = '<assessmentStimulusRef identifier="s" href="../s/s.xml"/>'
    stimulus = '<assessmentStimulus><stimulusBody><p>Read <img src="x.png"/></p></stimulusBody></assessmentStimulus>'
    included = '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="../s/i.xml"/>'
    reading = read(
        {
            "imsmanifest.xml": manifest((ITEM, "i/a.xml"), (ITEM, "i/b.xml")),
            "i/a.xml": item("a", head=head),
            "i/b.xml": item("b", f"{included}<p>Why?</p>"),
            "s/s.xml": stimulus,
            "s/i.xml": "<div><p>Included</p></div>",
            "s/x.png": PNG,
        }
    )
    first, second = reading.exam.questions
    assert first.direction_html.startswith('<p>Read <img src="data:image/png')
    assert (second.html, second.direction_html) == ("<p>Why?</p>", "<div><p>Included</p></div>")
    assert reading.findings == ()


def test_a_qti_3_package_keeps_its_stimulus() -> None:
    source = item("a", head='<qti-assessment-stimulus-ref identifier="s" href="s.xml"/>').replace(
        "assessmentItem", "qti-assessment-item"
    )
    source = source.replace("itemBody", "qti-item-body").replace("choiceInteraction", "qti-choice-interaction")
    source = source.replace("responseIdentifier", "response-identifier").replace("simpleChoice", "qti-simple-choice")
    stimulus = "<qti-assessment-stimulus><qti-stimulus-body><p>Read</p></qti-stimulus-body></qti-assessment-stimulus>"
    reading = read({"imsmanifest.xml": manifest(("imsqti_item_xmlv3p0", "a.xml")), "a.xml": source, "s.xml": stimulus})
    assert reading.exam.questions[0].direction_html == "<p>Read</p>"


def test_package_without_a_manifest_is_searched() -> None:
    reading = read({"x/b.xml": item("b"), "x/a.xml": item("a"), "notes.xml": "<notes/>"})
    assert [q.identifier for q in reading.exam.questions] == ["a", "b"]


def test_a_manifest_that_names_no_questions_is_no_file_that_was_left_out() -> None:
    reading = read({"imsmanifest.xml": manifest(), "a.xml": item("a"), "notes.xml": "<notes/>"})
    assert [finding.message for finding in reading.findings] == ["1 file of the package left out: notes.xml."]


def test_a_manifest_with_missing_files_is_reported() -> None:
    reading = read({"imsmanifest.xml": manifest((ITEM, "a.xml"), (ITEM, "gone.xml")), "a.xml": item("a")})
    assert len(reading.exam.questions) == 1
    assert "“gone.xml”" in reading.errors[0].message


@pytest.mark.parametrize(("attempts", "retakes"), [(2, (True, 1)), (1, (False, 0)), (-1, (True, -1))])
def test_a_canvas_quiz_has_its_limits_and_its_full_questions(attempts: int, retakes: tuple[bool, int]) -> None:
    older = '<questestinterop><assessment title="{}"><section><item ident="i" title="t">'
    older += (
        "<itemmetadata><qtimetadata><qtimetadatafield><fieldlabel>question_type</fieldlabel><fieldentry>essay_question</fieldentry>"
        "</qtimetadatafield></qtimetadata>"
    )
    older += "</itemmetadata><presentation><material><mattext>Q</mattext></material></presentation>"
    older += "</item></section></assessment></questestinterop>"
    meta = "<quiz><title>Quiz one</title><time_limit>30</time_limit>"
    meta += f"<allowed_attempts>{attempts}</allowed_attempts></quiz>"
    reading = read(
        {
            "imsmanifest.xml": manifest(("imsqti_xmlv1p2/imscc_xmlv1p1/assessment", "g1/assessment_qti.xml")),
            "g1/assessment_qti.xml": older.format("short"),
            "g1/assessment_meta.xml": meta,
            "non_cc_assessments/g1.xml.qti": older.format("full"),
        }
    )
    exam = reading.exam
    assert (exam.title, str(exam.duration)) == ("Quiz one", "0:30:00")
    assert (exam.allow_retake, exam.max_retakes) == retakes


def test_several_assessments_become_sections() -> None:
    reading = read({"imsmanifest.xml": manifest((TEST, "1.xml"), (TEST, "2.xml")), "a.xml": item("a"),
                    "1.xml": paper("a.xml"), "2.xml": paper("a.xml").replace('title="S"', "")})  # fmt: skip
    assert [section.name for section in reading.exam.sections] == ["S", "Paper"]


def test_zip_of_other_formats_is_read() -> None:
    assert len(read({"bank.gift": "Q?{=a ~b}", "readme.txt": "Hello"}).exam.questions) == 1
    reading = read({"1.gift": "Q?{=a ~b}", "2.gift": "Q?{=a ~b}"})
    assert [section.name for section in reading.exam.sections] == ["1", "2"]


def test_paths_outside_the_package_are_ignored_with_a_warning() -> None:
    reading = read({"../../evil.xml": item("evil"), "/etc/evil.xml": item("evil"), "a.xml": item("a")})
    assert [q.identifier for q in reading.exam.questions] == ["a"]
    assert "2 files ignored" in reading.findings[0].message
    stem = '<img src="../../../../etc/passwd"/>'
    assert "“passwd” is not in the file" in read({"a.xml": item("a", stem)}).findings[0].message


def test_a_zip_bomb_is_refused_with_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "LARGEST_SUM", 1_000_000)
    with pytest.raises(NotAnExam, match="unpacks to more than"):
        read({"imsmanifest.xml": b" " * 1_000_001})


def test_a_text_that_includes_itself_does_not_loop() -> None:
    included = '<div><xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="i.xml"/></div>'
    assert len(read({"a.xml": item("a", included), "i.xml": included}).exam.questions) == 1


@pytest.mark.parametrize(
    "data",
    [b"PK\x03\x04rest", packed({"a.xml": item("a")})[:-30], packed({"a.xml": "x"}), packed({})],
    ids=["stub", "cut", "no questions", "empty"],
)
def test_broken_or_empty_zip_gets_one_sentence(data: bytes) -> None:
    with pytest.raises(NotAnExam) as caught:
        read_exam(data, "p.zip")
    assert str(caught.value).endswith(".")
    assert caught.value.advice


def test_a_damaged_file_in_a_package_is_reported_and_the_rest_is_read() -> None:
    data = bytearray(
        packed({"imsmanifest.xml": manifest((ITEM, "a.xml"), (ITEM, "b.xml")), "a.xml": item("a"), "b.xml": item("b")})
    )
    at = data.index(b"b.xml", data.index(b"PK\x03\x04", data.index(b"a.xml")))
    data[at + 10 : at + 30] = b"\xff" * 20
    reading = read_exam(bytes(data), "p.zip")
    assert len(reading.exam.questions) == 1
    assert "damaged" in reading.errors[0].message


def test_entities_in_a_package_are_refused() -> None:
    bomb = '<!DOCTYPE a [<!ENTITY x "y">]>' + item("a")
    with pytest.raises(NotAnExam, match="declares an entity"):
        read({"imsmanifest.xml": manifest((ITEM, "a.xml")), "a.xml": bomb})


def test_a_package_of_unsupported_questions_names_each_of_them() -> None:
    spot = item("map").replace("choiceInteraction", "hotspotInteraction")
    reading = read({"imsmanifest.xml": manifest((ITEM, "a.xml")), "a.xml": spot})
    assert reading.exam.questions == ()
    assert "hotspotInteraction" in reading.errors[0].message


def test_a_pool_of_blackboard_is_read() -> None:
    def told(text: str) -> str:
        inner = f'<mat_formattedtext type="HTML">{text}</mat_formattedtext>'
        return f"<material><mat_extension>{inner}</mat_extension></material>"

    labels = "".join(
        f'<response_label ident="{name}"><flow_mat>{told(name)}</flow_mat></response_label>' for name in "ab"
    )
    pool = (
        "<questestinterop><assessment title='Pool'><section><item><presentation><flow class='Block'>"
        f"<flow class='QUESTION_BLOCK'>{told('&lt;b&gt;Which?&lt;/b&gt;')}</flow><flow class='RESPONSE_BLOCK'>"
        f"<response_lid ident='response' rcardinality='Single'><render_choice>{labels}</render_choice></response_lid>"
        "</flow></flow></presentation><resprocessing><respcondition title='correct'><conditionvar>"
        "<varequal respident='response'>b</varequal></conditionvar><setvar variablename='SCORE'>SCORE.max</setvar>"
        "</respcondition></resprocessing></item></section></assessment></questestinterop>"
    )
    listed = '<manifest><resources><resource bb:file="r.dat" type="assessment/x-bb-qti-pool"/></resources></manifest>'
    listed = listed.replace("<manifest", '<manifest xmlns:bb="http://www.blackboard.com/content-packaging/"')
    (question,) = read({"imsmanifest.xml": listed, "r.dat": pool}).exam.questions
    assert (question.html, [option.correct for option in question.options]) == ("<b>Which?</b>", [False, True])


def test_the_xml_of_another_program_is_named() -> None:
    with pytest.raises(NotAnExam, match="a file of Open edX"):
        read_exam(b'<?xml version="1.0"?><problem><label>Q</label></problem>', "x.xml")
