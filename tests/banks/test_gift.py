"""GIFT construct by construct, and what becomes of bad files."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lms_tui.banks.model import NotAnExam, NumericKey, Option, Pair, Question, Reading, Severity, TextKey
from lms_tui.banks.reader import LARGEST, read_exam, slug_from, title_from
from lms_tui.wire.question_types import QuestionType

D = Decimal


def read(text: str) -> Reading:
    return read_exam(text.encode(), "bank.gift")


def one(text: str) -> Question:
    (question,) = read(text).exam.questions
    return question


def options(question: Question) -> list[tuple[str, bool, Decimal | None]]:
    return [(option.html, option.correct, option.weight) for option in question.options]


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("Q?{=a ~b}", QuestionType.SINGLE),
        ("Q?{~%50%a ~%50%b ~%-100%c}", QuestionType.MULTIPLE),
        ("Q?{~%100%a ~b =%0%c}", QuestionType.SINGLE),
        ("Q?{TRUE}", QuestionType.SINGLE),
        ("Q?{f#no#yes####why}", QuestionType.SINGLE),
        ("Q?{=a =b}", QuestionType.SHORT),
        ("Q?{=a -> b =c -> d}", QuestionType.MATCH),
        ("Q?{=a -> b =c}", QuestionType.SHORT),
        ("Q?{#5}", QuestionType.NUMERIC),
        ("Q?{# =5:1 =%50%6..9 ~#no}", QuestionType.NUMERIC),
        ("Q?{}", QuestionType.ESSAY),
        ("Q?{ ####Marked by hand. }", QuestionType.ESSAY),
    ],
)
def test_type_is_inferred_from_the_answers(source: str, kind: QuestionType) -> None:
    assert one(source).kind is kind


def test_escapes_become_the_characters_they_stand_for() -> None:
    question = one(r"A \{set\} \: \#1 \~ \= 2 \\n and \n{=\\frac\{1\}\{2\} ~\q ~\\\\}")
    assert question.html == r"A {set} : #1 ~ = 2 \n and <br>"
    assert [option.html for option in question.options] == [r"\frac{1}{2}", r"\q", r"\\"]


def test_weights_become_shares_and_a_comma_is_a_point() -> None:
    assert options(one("Q?{~%33,333%a ~%66.667%b ~%-50%c ~d}")) == [
        ("a", True, D("0.33333")),
        ("b", True, D("0.66667")),
        ("c", False, D("-0.5")),
        ("d", False, None),
    ]


@pytest.mark.parametrize("word", ["TRUE", "FALSE"])
def test_feedback_to_true_or_false_is_first_for_the_incorrect_answer(word: str) -> None:
    question = one(f"Q?{{{word}#sorry#well done####why}}")
    told = {True: "well done", False: "sorry"}
    assert question.options == tuple(
        Option(name.title(), correct=name == word, feedback_html=told[name == word]) for name in ("TRUE", "FALSE")
    )
    assert question.explanation_html == "why"


@pytest.mark.parametrize(
    ("source", "key"),
    [
        ("{#3:2}", NumericKey(D(1), D(5))),
        ("{#-5..5}", NumericKey(D(-5), D(5))),
        ("{#5..-5}", NumericKey(D(-5), D(5))),
        ("{#3,5:0,5}", NumericKey(D("3.0"), D("4.0"))),
        ("{#1e3}", NumericKey(D(1000), D(1000))),
        ("{#3:2~#not near}", NumericKey(D(1), D(5))),
        ("{#=%50%7#close}", NumericKey(D(7), D(7), D("0.5"), "close")),
    ],
)
def test_numbers_are_ranges(source: str, key: NumericKey) -> None:
    assert one(f"How many? {source}").numbers == (key,)


@pytest.mark.parametrize("source", ["{One}", "{ One }", "{=One}"])
def test_a_short_answer_needs_no_sign(source: str) -> None:
    question = one(f"First number? {source}")
    assert (question.kind, question.texts) == (QuestionType.SHORT, (TextKey("One"),))


def test_essays_and_bare_answers_with_a_few_texts_are_an_exam() -> None:
    source = "Read the text below.\n\nWhat is f(x)? {}\n\nA long text.\n\nThe first prime is {two}."
    assert [question.kind for question in read(source).exam.questions] == [QuestionType.ESSAY, QuestionType.SHORT]


def test_an_answer_without_text_is_left_out() -> None:
    assert [option.html for option in one("Q?{~=some ~a few ~}").options] == ["some", "a few"]


@pytest.mark.parametrize("stem", [r"\frac{1}", "x_{n}", "x^{2}"])
def test_braces_of_a_formula_are_no_short_answer(stem: str) -> None:
    reading = read(f"Q {stem}\n\nLast?{{T}}")
    assert [question.html for question in reading.exam.questions] == ["Last?"]


def test_matching_keeps_its_distractors() -> None:
    question = one("Match.{=[html]<b>Delhi</b> -> India =Male -> Maldives = -> Nepal}")
    assert question.pairs == (Pair("<b>Delhi</b>", "India"), Pair("Male", "Maldives"), Pair("", "Nepal"))


def test_a_gap_inside_the_text_is_shown_as_a_line() -> None:
    assert one("Water boils at {#100} °C.").html == "Water boils at _____ °C."


def test_answers_inherit_the_format_of_the_question() -> None:
    question = one("[html]<p>Q</p>{=<b>a</b>#<i>yes</i> ~[plain]<b>b</b>}")
    assert [option.html for option in question.options] == ["<b>a</b>", "&lt;b&gt;b&lt;/b&gt;"]
    assert question.options[0].feedback_html == "<i>yes</i>"


@pytest.mark.parametrize(
    ("source", "html"),
    [
        ("[plain]a < b & <b>c</b>\\nd{}", "a &lt; b &amp; &lt;b&gt;c&lt;/b&gt;<br>d"),
        ("a < b & c <b>d</b> x -> y &lt;{}", "a &lt; b &amp; c <b>d</b> x -> y &lt;"),
        (r"$a<b$ and \\(c<d\\) & \\[e & f\\]{}", r"$a&lt;b$ and \(c&lt;d\) &amp; \[e &amp; f\]"),
        ("[markdown]It is **so** and $a_1*b_2*c$.{}", "It is <strong>so</strong> and $a_1*b_2*c$."),
        ("[markdown]- one\\n- two{}", "<ul>\n<li>one</li>\n<li>two</li>\n</ul>"),
        ("It costs $5 and $6 <now>{}", "It costs $5 and $6 &lt;now>"),
    ],
)
def test_formats_become_html_and_formulas_stay(source: str, html: str) -> None:
    assert one(source).html == html


def test_missing_backslashes_in_attributes_and_formulas_are_read() -> None:
    reading = read('[html]<p style="color:#f00">What is $\\\\frac{1}{2}$?</p>{=$2^{-1}$ ~$\\\\sum_{n=1}$}')
    (question,) = reading.exam.questions
    assert question.html == '<p style="color:#f00">What is $\\frac{1}{2}$?</p>'
    assert [option.html for option in question.options] == ["$2^{-1}$", r"$\sum_{n=1}$"]
    assert [finding.severity for finding in reading.findings] == [Severity.WARNING]


def test_categories_become_subjects_and_top_categories_sections() -> None:
    reading = read(
        "$CATEGORY: $course$/top/Physics/Optics\n\nA?{T}\n\n$CATEGORY: Maths\n\nB?{T}\n\n"
        "$CATEGORY: $course$/top/Physics/AC//DC\nC?{T}"
    )
    assert [(s.name, [q.html for q in s.questions], s.duration) for s in reading.exam.sections] == [
        ("Physics", ["A?", "C?"], None),
        ("Maths", ["B?"], None),
    ]
    assert [q.subject for q in reading.exam.questions] == [("Physics", "Optics"), ("Physics", "AC/DC"), ("Maths",)]


def test_one_category_makes_no_section() -> None:
    assert [section.name for section in read("$CATEGORY: a/b\n\nA?{T}\n\n$CATEGORY: a/c\n\nB?{F}").exam.sections] == [
        ""
    ]


def test_description_is_the_passage_of_the_questions_after_it() -> None:
    reading = read("Before?{T}\n\n::P::Read this.\n\nA?{T}\n\nB?{F}\n\n[html]<p>And</p>\n\nthis.\n\nC?{T}\n\nThe end.")
    assert [question.direction_html for question in reading.exam.questions] == [
        "",
        "Read this.",
        "Read this.",
        "<div><p>And</p></div><div>this.</div>",
    ]
    assert [(finding.line, finding.severity) for finding in reading.findings] == [(15, Severity.WARNING)]


def test_ids_and_tags_are_read_from_comments() -> None:
    question = one("// [id:q-7] [tag:easy]\n// [tag:a\\]b]\n::Title::Q?{T}")
    assert (question.identifier, question.tags, question.title, question.line) == ("q-7", ("easy", "a]b"), "Title", 3)


def test_comment_inside_a_question_is_left_out() -> None:
    assert options(one("Q?{\n  =a\n  // ~not me\n  ~b\n}")) == [("a", True, None), ("b", False, None)]


def test_blank_line_inside_open_braces_does_not_end_the_question() -> None:
    question = one("Q?{\n=a\n\n~b\n\n####Because.\n\nTwice.\n}")
    assert len(question.options) == 2
    assert question.explanation_html == "Because. Twice."


def test_a_title_starts_a_question_without_a_blank_line() -> None:
    assert [q.title for q in read("::A::Q?{T}\n::B::R?{F}").exam.questions] == ["A", "B"]


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ("Not closed {=a ~b", "} after its answers is missing"),
        ("Not opened =a }", "without a {"),
        ("Odd {a; b}", "no answers"),
        ("Number {#five}", "“five” is not a number"),
        ("Number {#1..x}", "“x” is not a number"),
        ("Number {#=%0%5:}", "“” is not a number"),
        ("Number {# ~#no}", "no number is marked as correct"),
    ],
)
def test_one_bad_question_does_not_lose_the_others(bad: str, words: str) -> None:
    reading = read(f"First?{{T}}\n\n// a remark\n{bad}\n\nLast?{{=a ~b}}")
    assert [question.html for question in reading.exam.questions] == ["First?", "Last?"]
    (finding,) = reading.errors
    assert finding.line == 4
    assert words in finding.message


@pytest.mark.parametrize(
    ("source", "severity", "words"),
    [
        ("Q?{~a ~b}", Severity.ERROR, "marked as correct"),
        ("Q?{=a =b ~c}", Severity.WARNING, "Several answers"),
        ("Q?{=a ~a}", Severity.WARNING, "the same"),
        ("Q?{~%50%a ~b}", Severity.WARNING, "add up to 50 %"),
        ("Q?{=a ~b ~}", Severity.WARNING, "without text was left out"),
        ("Q?{#3:2~#no}", Severity.WARNING, "feedback to all other numbers"),
        ("{=a ~b}", Severity.WARNING, "no text"),
        ("Q?{~%100%a}", Severity.WARNING, "only one"),
        ("Q?{=%0%a}", Severity.ERROR, "marked as correct"),
        ("Q?{=%50 a ~b}", Severity.WARNING, "no weight"),
        ("// [id:1]\nQ?{T}\n\n// [id:1]\nR?{T}", Severity.WARNING, "used by an earlier"),
    ],
)
def test_unusual_questions_are_kept_and_reported(source: str, severity: Severity, words: str) -> None:
    reading = read(source)
    assert reading.exam.questions
    assert any(finding.severity is severity and words in finding.message for finding in reading.findings)
    assert all(finding.question for finding in reading.findings)


@pytest.mark.parametrize(
    ("data", "letters", "warned"),
    [
        ("Größe?{T}".encode(), "Größe?", False),
        ("Größe?{T}".encode("utf-8-sig"), "Größe?", False),
        ("Größe?{T}".encode("utf-16"), "Größe?", False),
        ("Größe?{T}".encode("utf-16-le"), "Größe?", True),
        ("Größe?{T}".encode("cp1252"), "Größe?", True),
        (b"A?{T}\r\n\r\nB?{T}\r", "A?", False),
    ],
)
def test_encoding_is_found_or_guessed_with_a_warning(data: bytes, letters: str, warned: bool) -> None:
    reading = read_exam(data, "bank.gift")
    assert reading.exam.questions[0].html == letters
    assert any("not UTF-8" in finding.message for finding in reading.findings) is warned


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b" \n",
        b"Dear all,\n\nthe meeting is on Monday.",
        b"PK\x03\x04rest",
        b"%PDF-1.7",
        b'{"a": {}, "b": []}',
        b"<html><body>{}</body></html>",
        b'int main(void) { return 0; }\n\nvoid f() { puts("x"); }',
        b"=== 3.4 ===\n\nAn obsolete method was removed.\n\nIf your block used {$a} in a text, change it.\n\nThe end.",
        b"Define the task instead of a function mymodule_cron() {};",
        b"<p>A board:</p>\nvar p = initBoard(divid, {box: [1, 2]});\n\nvar q = p.create(1, {size: 8});",
        b"The table {lti} has a new column.\n\n=== 3.2 ===\n\nNew.\n\n=== 3.1 ===\n\nOld.",
        b"== != { } ( ) [ ]",
        b"Changes\n\nfirst\n\nsecond\n\nthird\n\nA note on braces {}",
        b"\x00\x01\x02\xff\xfe" * 100,
    ],
)
def test_a_file_without_questions_gets_one_error_with_advice(data: bytes) -> None:
    with pytest.raises(NotAnExam) as caught:
        read_exam(data, "some/notes.txt")
    assert str(caught.value).count(".") <= 2
    assert str(caught.value).endswith(".")
    assert caught.value.advice.endswith(".")
    assert "some/" not in str(caught.value)


def test_a_file_above_the_limit_is_not_read() -> None:
    with pytest.raises(NotAnExam, match="larger than 64 MiB"):
        read_exam(b"Q?{T}\n\n" * (LARGEST // 7 + 1), "big.gift")


def test_file_name_gives_title_and_slug() -> None:
    assert title_from("a/unit-3_motion.gift") == "Unit 3 motion"
    assert slug_from("a/Unit 3_motion (2).gift") == "unit-3-motion-2"
    assert slug_from("வினா.gift") == "exam"


@given(st.text(alphabet="ab{}=~#%:\\$/[]->0.T\n \u200bé", max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        reading = read_exam(text.encode(), "x.gift")
    except NotAnExam:
        return
    assert all(finding.message.endswith((".", "�.")) for finding in reading.findings)
    for question in reading.exam.questions:
        assert 1 <= question.line <= text.count("\n") + 1


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        read_exam(data, "x.gift")
    except NotAnExam:
        return


def test_hostile_sizes_are_read_in_linear_time() -> None:
    for piece in ("Q?{=a ~b}\n\n", "{", "}", "\\(", "$a", "<a b=", "= -> ", "#", "::", "{T}", "[id:"):
        text = "Q?{=a ~b}\n\n" + piece * (60_000 // len(piece))
        assert len(read(text).exam.questions) >= 1


def test_a_drawing_in_plain_text_stays_one_drawing() -> None:
    drawn = '<svg width\\="9">\n<path d\\="M0 0"/></svg>'
    question = read(f"See {drawn} and a<b{{=a ~b}}").exam.questions[0]
    assert question.html == 'See <svg width="9"> <path d="M0 0"/></svg> and a&lt;b'
