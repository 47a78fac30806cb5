"""Moodle XML construct by construct, and what becomes of broken and hostile files."""

import gc
from base64 import b64encode
from decimal import Decimal
from io import BytesIO

import pytest
from PIL import Image

from lms_tui.banks.model import NotAnExam, NumericKey, Option, Pair, Question, Reading, TextKey
from lms_tui.banks.reader import read_exam
from lms_tui.banks.report import Report, check
from lms_tui.banks.xml_tree import Node, parse_xml
from lms_tui.content.images.bitmap import embedded
from lms_tui.wire.question_types import QuestionType

D = Decimal
PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 20
ACCENTED = '<quiz><question type="essay"><questiontext><text>é</text></questiontext></question></quiz>'


def read(questions: str, head: str = '<?xml version="1.0" encoding="UTF-8"?>') -> Reading:
    return read_exam(f"{head}\n<quiz>{questions}</quiz>".encode(), "bank.xml")


def one(kind: str, body: str, stem: str = "Q?") -> Question:
    text = f'<questiontext format="html"><text>{stem}</text></questiontext>'
    reading = read(f'<question type="{kind}"><name><text>N</text></name>{text}{body}</question>')
    assert reading.errors == ()
    (question,) = reading.exam.questions
    return question


def answer(fraction: str, text: str, feedback: str = "", more: str = "") -> str:
    told = f"<feedback><text>{feedback}</text></feedback>"
    return f'<answer fraction="{fraction}" format="html"><text>{text}</text>{told}{more}</answer>'


def messages(reading: Reading) -> str:
    return " ".join(finding.message for finding in reading.findings)


def test_a_single_choice_keeps_its_key_penalties_and_feedback() -> None:
    question = one("multichoice", "<single>true</single>" + answer("100", "a", "yes") + answer("-25", "b"))
    assert question.kind is QuestionType.SINGLE
    assert question.options == (Option("a", True, None, "yes"), Option("b", False, D("-0.25")))


def test_several_correct_choices_keep_their_fractions() -> None:
    body = "<single>false</single>" + answer("50", "a") + answer("50", "b") + answer("0", "c")
    question = one("multichoice", body)
    assert question.kind is QuestionType.MULTIPLE
    assert [(o.html, o.correct, o.weight) for o in question.options] == [
        ("a", True, D("0.5")),
        ("b", True, D("0.5")),
        ("c", False, None),
    ]


def test_true_false_is_a_single_choice_in_words() -> None:
    question = one("truefalse", answer("0", "true") + answer("100", "false"))
    assert question.options == (Option("True"), Option("False", True))


def test_short_answers_keep_case_rule_shares_and_stars() -> None:
    question = one("shortanswer", "<usecase>1</usecase>" + answer("100", "Ber*") + answer("50", r"Bonn \*"))
    assert question.texts == (
        TextKey("Ber*", case_sensitive=True),
        TextKey(r"Bonn \*", case_sensitive=True, weight=D("0.5")),
    )


def test_numbers_have_their_tolerance() -> None:
    question = one("numerical", answer("100", "3,5", "", "<tolerance>0.5</tolerance>") + answer("0", "*", "no"))
    assert question.numbers == (NumericKey(D(3), D(4)),)


def test_essay_with_files_only_is_a_file_question() -> None:
    assert one("essay", "<responseformat>editor</responseformat>").kind is QuestionType.ESSAY
    files = "<responseformat>noinline</responseformat><attachments>1</attachments>"
    assert one("essay", files).kind is QuestionType.FILES


@pytest.mark.parametrize(
    ("listed", "types"),
    [
        ("", ()),
        ("*", ()),
        (".pdf,.JPG", (".pdf", ".jpg")),
        ("pdf; .odt  png", (".pdf", ".odt", ".png")),
        ("image/jpeg,application/pdf", (".jpg", ".jpeg", ".pdf")),
        ("web_image", (".jpg", ".jpeg", ".png", ".gif", ".webp", ".svg")),
    ],
)
def test_a_file_question_has_the_types_and_the_number_of_its_files(listed: str, types: tuple[str, ...]) -> None:
    many = (
        f"<responseformat>noinline</responseformat><attachments>3</attachments><filetypeslist>{listed}</filetypeslist>"
    )
    question = one("essay", many)
    assert (question.file_types, question.most_files) == (types, 3)
    assert one("essay", many.replace(">3<", ">-1<")).most_files == 20


def test_a_group_of_file_types_that_is_not_known_is_reported() -> None:
    written = (
        "<responseformat>noinline</responseformat><attachments>1</attachments><filetypeslist>blend/x</filetypeslist>"
    )
    reading = read(f'<question type="essay"><questiontext><text>Q</text></questiontext>{written}</question>')
    assert "“blend/x” is not a known file type" in reading.findings[0].message


def test_match_without_a_left_side_is_a_distractor() -> None:
    rows = "".join(
        f"<subquestion><text>{left}</text><answer><text>{right}</text></answer></subquestion>"
        for left, right in (("France", "Paris"), ("", "Rome"))
    )
    assert one("matching", rows).pairs == (Pair("France", "Paris"), Pair("", "Rome"))


@pytest.mark.parametrize(("kind", "tag"), [("gapselect", "selectoption"), ("ddwtos", "dragbox")])
def test_gap_offers_the_choices_of_its_group(kind: str, tag: str) -> None:
    choices = "".join(
        f"<{tag}><text>{text}</text><group>{group}</group></{tag}>"
        for text, group in (("cat", 1), ("red", 2), ("dog", 1))
    )
    question = one(kind, choices, "A [[3]] is [[2]].")
    assert question.html == "A [[1]] is [[2]]."
    assert question.texts == (TextKey("dog", gap=1), TextKey("red", gap=2))
    assert question.gap_choices == (("cat", "dog"), ("red",))


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        ("{1:SHORTANSWER:=a~%50%b}", QuestionType.SHORT),
        ("{:MC:=a~b#no}", QuestionType.SINGLE),
        ("{2:MR:%50%a~%50%b~c}", QuestionType.MULTIPLE),
        ("{1:NUMERICAL:=5:0.5}", QuestionType.NUMERIC),
        ("{1:SA:=a} and {1:MCV:=x~y}", QuestionType.GAPS),
    ],
)
def test_embedded_answers_become_a_question_of_their_kind(written: str, kind: QuestionType) -> None:
    assert one("cloze", "", f"Say {written} now").kind is kind


def test_several_embedded_answers_become_gaps_with_marks_added_up() -> None:
    question = one("cloze", "", r"In {1:SA:=a\}b~c} and {1:MC:x~=y &amp;amp; z} and {1:NM:=5:0.5~%50%6:1}")
    assert question.html == "In [[1]] and [[2]] and [[3]]"
    assert question.texts == (TextKey("a}b", gap=1), TextKey("y & z", gap=2))
    assert question.numbers == (NumericKey(D("4.5"), D("5.5"), gap=3), NumericKey(D(5), D(7), D("0.5"), gap=3))
    assert question.gap_choices == ((), ("x", "y & z"), ())
    assert question.marks == 3


def test_an_ordering_question_becomes_a_match_with_a_warning() -> None:
    reading = read('<question type="ordering"><questiontext><text>Q</text></questiontext>'
                   "<answer><text>one</text></answer><answer><text>two</text></answer></question>")  # fmt: skip
    assert reading.exam.questions[0].pairs == (Pair("1.", "one"), Pair("2.", "two"))
    assert "order" in messages(reading)


def test_embedded_files_become_data_uris_and_missing_ones_are_reported() -> None:
    data = b64encode(PNG).decode()
    file = f'<file name="a b.png" path="/x/" encoding="base64">{data[:10]}\n {data[10:]}</file>'
    stem = '<text><![CDATA[<img src="@@PLUGINFILE@@/x/a%20b.png" alt="A"><img src="@@PLUGINFILE@@/c.png">]]></text>'
    reading = read(f'<question type="essay"><questiontext format="html">{stem}{file}</questiontext></question>')
    assert f'src="data:image/png;base64,{data}" alt="A"' in reading.exam.questions[0].html
    assert "“c.png” is not in the file" in messages(reading)
    assert reading.findings[0].question == 1


def test_a_picture_in_the_old_form_follows_the_text() -> None:
    body = f"<image>old.png</image><image_base64>{b64encode(PNG).decode()}</image_base64>"
    assert one("essay", body).html.startswith('Q?<p><img src="data:image/png;base64,')


def test_category_is_the_subject_and_description_the_passage() -> None:
    essay = '<question type="essay"><questiontext><text>Why?</text></questiontext></question>'
    reading = read(
        '<question type="category"><category><text>$course$/top/Physics/Optics</text></category></question>'
        '<question type="description"><questiontext><text>Read this.</text></questiontext></question>' + essay * 2
    )
    assert [q.direction_html for q in reading.exam.questions] == ["Read this."] * 2
    assert reading.exam.questions[0].subject == ("Physics", "Optics")


def test_formats_of_moodle_become_html() -> None:
    text = '<questiontext format="{}"><text>a &lt; b\n**c**</text></questiontext>'
    for form, html in (("plain_text", "a &lt; b<br>**c**"), ("markdown", "a &lt; b\n<strong>c</strong>")):
        reading = read(f'<question type="essay">{text.format(form)}</question>')
        assert reading.exam.questions[0].html == html


def test_number_id_tags_and_marks_are_kept() -> None:
    body = "<idnumber>Q7</idnumber><defaultgrade>2.5</defaultgrade><tags><tag><text>hard</text></tag></tags>"
    question = one("essay", body)
    assert (question.identifier, question.marks, question.tags, question.title) == ("Q7", D("2.5"), ("hard",), "N")


def test_each_unsupported_part_is_reported_once_with_its_questions() -> None:
    essay = '<question type="essay"><hint><text>Try</text></hint></question>'
    reading = read(essay * 3)
    assert "hints (questions 1, 2, 3)" in messages(reading)


def test_an_unsupported_question_type_is_reported_and_the_rest_is_read() -> None:
    essay = '<question type="essay"><questiontext><text>Why?</text></questiontext></question>'
    reading = read(f'{essay}\n<question type="stack"><name><text>S</text></name></question>{essay}')
    assert len(reading.exam.questions) == 2
    (error,) = reading.errors
    assert error.line == 3
    assert "“S”" in error.message
    assert "“stack”" in error.message


def test_one_broken_question_does_not_lose_the_others() -> None:
    essay = '<question type="essay"><questiontext><text>Why?</text></questiontext></question>\n'
    reading = read(essay + '<question type="essay"><questiontext></wrong></question>\n' + essay + "<question type='x'>")
    assert len(reading.exam.questions) == 2
    assert [error.line for error in reading.errors][1:] == [3, 5]


def test_html_entities_bare_ampersands_and_control_characters_are_read() -> None:
    reading = read(
        '<question type="essay"><questiontext><text>a&nbsp;b &amp; c & d &#1; \x02</text></questiontext></question>'
    )
    assert reading.exam.questions[0].html.startswith("a\xa0b & c & d ")


@pytest.mark.parametrize(
    "doctype",
    [
        '<!DOCTYPE quiz [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>',
        '<!DOCTYPE quiz [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE quiz [<!ENTITY % x SYSTEM "http://127.0.0.1:9/x.dtd">%x;]>',
    ],
)
def test_a_file_that_declares_entities_is_refused_with_a_message(doctype: str) -> None:
    with pytest.raises(NotAnExam, match="declares an entity") as caught:
        read('<question type="essay"></question>', f'<?xml version="1.0"?>{doctype}')
    assert "DOCTYPE" in caught.value.advice


def test_deep_nesting_loses_one_question_only() -> None:
    deep = "<p>" * 5000 + "</p>" * 5000
    essay = '<question type="essay"><questiontext><text>Why?</text></questiontext></question>'
    reading = read(f'<question type="essay">{deep}</question>{essay}')
    assert len(reading.exam.questions) == 1
    assert "nested deeper" in messages(reading)


@pytest.mark.parametrize("encoding", ["utf-16", "iso-8859-1", "windows-1252", "utf-8-sig"])
def test_declared_encodings_and_byte_order_marks_are_used(encoding: str) -> None:
    declared = encoding.removesuffix("-sig")
    text = f'<?xml version="1.0" encoding="{declared}"?>{ACCENTED}'
    reading = read_exam(text.encode(encoding), "x.xml")
    assert reading.exam.questions[0].html == "é"
    assert reading.findings == ()


def test_a_wrong_encoding_declaration_is_reported() -> None:
    text = f'<?xml version="1.0" encoding="UTF-8"?>{ACCENTED}'
    reading = read_exam(text.encode("latin-1"), "x.xml")
    assert reading.exam.questions[0].html == "é"
    assert "encoding" in messages(reading)


def test_field_of_ten_megabytes_is_read() -> None:
    assert len(one("essay", "", "x" * 10_000_000).html) == 10_000_000


def with_picture(data: bytes) -> Report:
    file = f'<file name="a.png" encoding="base64">{b64encode(data).decode()}</file>'
    stem = '<text>Q&lt;img src="@@PLUGINFILE@@/a.png"&gt;</text>'
    source = f'<quiz><question type="essay"><questiontext format="html">{stem}{file}</questiontext></question></quiz>'
    return check(source.encode(), "bank.xml")


def test_a_picture_that_cannot_be_read_is_left_out_with_one_warning() -> None:
    report = with_picture(PNG * 30_000)
    assert [found.message for found in report.warnings] == ["The picture “a.png” cannot be decoded and was left out."]
    assert report.questions[0].html == 'Q<img src="" alt="a.png">'


def test_the_photo_of_a_phone_becomes_a_smaller_copy() -> None:
    noise = Image.effect_noise((4000, 3000), 80)
    stream = BytesIO()
    noise.save(stream, "JPEG", quality=80)
    assert stream.tell() > 3_000_000
    report = with_picture(stream.getvalue())
    assert [found.message for found in report.warnings] == [
        "The picture “a.png” is large. A smaller copy was imported."
    ]
    bitmap = embedded(report.questions[0].html.split('"')[1])
    assert bitmap is not None
    assert bitmap.width > 600


def test_a_long_file_is_read_question_by_question_with_its_lines() -> None:
    question = "<question type='essay'><questiontext><text>Q&nbsp;?</text></questiontext></question>\n"
    count = 3 * 256 * 1024 // len(question)
    reading = read_exam(f"<quiz>\n{question * count}</quiz>".encode(), "long.xml")
    assert [question.line for question in reading.exam.questions] == list(range(2, count + 2))
    assert {question.html for question in reading.exam.questions} == {"Q\xa0?"}


def test_every_right_answer_of_the_open_university_counts_the_same() -> None:
    question = one("oumultiresponse", answer("100", "a") + answer("100", "b") + answer("0", "c"))
    assert question.kind is QuestionType.MULTIPLE
    assert [(option.html, option.correct, option.weight) for option in question.options] == [
        ("a", True, None),
        ("b", True, None),
        ("c", False, None),
    ]


def nodes() -> int:
    return sum(type(each) is Node for each in gc.get_objects())


def test_a_tree_is_freed_without_a_collection() -> None:
    gc.collect()
    gc.disable()
    before = nodes()
    assert parse_xml("<quiz><question/></quiz>").find("question") is not None
    assert nodes() == before
