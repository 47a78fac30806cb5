"""Word documents: what is a question, which option is right, and what the reader reports as left out."""

import base64
from decimal import Decimal

import pytest

from lms_tui.banks.report import Report, check
from lms_tui.wire.question_types import QuestionType
from tests.banks.format_samples import PICTURE
from tests.banks.word_files import SPACES, docx, lines, p, picture, r, table

D = Decimal
PNG = base64.b64decode(PICTURE.partition(",")[2])


def read(*body: str, members: dict[str, bytes | str] | None = None) -> Report:
    return check(docx(*body, members=members), "unit 1.docx")


def keys(report: Report) -> list[list[str]]:
    return [[option.html for option in question.options if option.correct] for question in report.questions]


def told(report: Report) -> list[tuple[int, str]]:
    return [(finding.line, finding.message) for finding in (*report.errors, *report.warnings)]


PAPER = "1. The capital of France?\nA. London\nB. Paris\nC. Rome\n"
NEXT = "2. The capital of Italy?\nA. London\nB. Paris\nC. Rome\nAnswer: C"


@pytest.mark.parametrize(
    "paper",
    [
        PAPER + "Answer: B",
        PAPER + "Ans. b",
        PAPER + "Correct answer: B. Paris",
        PAPER + "Answer: (B)",
        PAPER + "Antwort: Paris",
        PAPER + "Đáp án: B",
        "1) The capital of France?\na) London\n*b) Paris\nc) Rome",
        "Question 1: The capital of France?\nA) London\nB) Paris*\nC) Rome",
        "Q1. The capital of France?\n(a) London\n(b) Paris (correct)\n(c) Rome",
        "Question 1\nThe capital of France?\nA) London\nB) Paris ✓\nC) Rome",
        "1. The capital of France? A. London B. Paris C. Rome\nAnswer: B",
        "1、The capital of France?（ B ）\nA．London　B．Paris　C．Rome",
        "The capital of France?\nA. London\nB. Paris\nC. Rome\nANSWER: B",
        "1. The capital of France? [Ans: B]\nA. London\tB. Paris\nC. Rome",
        PAPER + "Answer key\n1. B",
        PAPER + "Answers\n1) B – it is on the Seine.",
        "1. The capital of France?\nA) London\nA) Paris*\nA) Rome",
        "1. The capital of France?\n☐ London\n☒ Paris\n☐ Rome",
    ],
)
def test_the_options_and_the_key_are_found(paper: str) -> None:
    report = read(lines(paper))
    assert told(report) == []
    (question,) = report.questions
    assert question.kind is QuestionType.SINGLE
    assert "The capital of France?" in question.html
    assert [option.html for option in question.options] == ["London", "Paris", "Rome"]
    assert keys(report) == [["Paris"]]


@pytest.mark.parametrize("style", ["<w:b/>", '<w:highlight w:val="yellow"/>', '<w:u w:val="single"/>',
                                   '<w:color w:val="FF0000"/>'])  # fmt: skip
def test_the_style_of_one_option_is_the_key(style: str) -> None:
    report = read(p("1. Q?"), p("A. x"), p(r("B. ", style), r("y", style)), p("C. z"))
    assert keys(report) == [["y"]]
    assert told(report) == []


def test_a_style_that_all_options_have_is_no_key() -> None:
    report = read(p("1. Q?"), p("A. x", bold=True), p("B. y", bold=True), lines(NEXT))
    assert told(report) == [(1, "The question “Q?” was left out. No option is marked as right.")]


@pytest.mark.parametrize(("style", "word"), [("<w:b/>", "bold"), ('<w:u w:val="single"/>', "underlined"),
                                             ('<w:color w:val="FF0000"/>', "coloured")])  # fmt: skip
def test_a_style_in_few_questions_is_no_key(style: str, word: str) -> None:
    unmarked = [part for at in range(2, 5) for part in (p(f"{at}. Why?"), p("A. x"), p("B. y"))]
    report = read(p("1. Who?"), p("A. Ada"), p("B. Alan"), p(r("C. Life and work", style)), *unmarked)
    assert report.questions == ()
    why = f"An option is {word}, but only 1 of 4 questions mark an option so."
    advice = "Write “Answer: A” below the question, or a star after the right option."
    assert told(report)[0] == (1, f"The question “Who?” was left out. {why} {advice}")
    assert [line for line, _ in told(report)] == [1, 5, 8, 11, 0]  # the last says that nothing was read


def test_a_bold_heading_between_lines_without_letters_is_no_key() -> None:
    worksheet = [p("1. Who?"), p("Ada"), p("Life", bold=True), p("Alan"), p("2. Why?"), p("A. x"), p("B. y")]
    report = read(*worksheet)
    assert report.questions == ()
    assert [line for line, _ in told(report)] == [1, 5, 0]


def test_bold_first_words_of_an_option_are_no_key() -> None:
    partly = p(r("B. y", "<w:b/>"), r(" and more"))
    report = read(p("1. Q?"), p("A. x"), partly, p("2. Q?"), p("A. x", bold=True), partly, lines("3. Q?\nA. x\nB. y*"))
    assert keys(report) == [["y"]]
    assert [line for line, _ in told(report)] == [1, 4]


def test_a_letter_below_the_options_is_no_option() -> None:
    report = read(p("Q?", level=0), *(p(text, level=1) for text in ("xx", "yy", "zz", "B ✓")), lines(NEXT))
    assert keys(report) == [["Rome"]]
    why = "Its right option is only the letter “B”. Write “Answer: B” instead."
    assert told(report) == [(1, f"The question “Q?” was left out. {why}")]


def test_a_style_that_marks_nearly_all_questions_is_the_key() -> None:
    marked = [part for at in range(1, 4) for part in (p(f"{at}. Q?"), p("A. x"), p("B. y", bold=True))]
    forgotten = lines("4. Q?\nA. x\nB. y\n5. Q?\nA. x\nB. y\nAnswer: A\n6. Q?\nA. x*\nB. y\n7. Q? (A)\nA. x\nB. y")
    report = read(*marked, forgotten)
    assert keys(report) == [["y"]] * 3 + [["x"]] * 3
    assert told(report) == [(10, "The question “Q?” was left out. No option is marked as right.")]


def test_signs_in_the_text_of_an_option_are_no_keys() -> None:
    report = read(lines("1. Q?\nA) f(x)\nB) ***\nC) d.value\nD) g(x)"), p("2. Q?"), p("A) x\ny*"), p("B) z"))
    assert [[option.html for option in question.options] for question in report.questions] == [
        ["f(x)", "**", "d.value", "g(x)"],
        ["<p>x</p><p>y</p>", "z"],
    ]
    assert keys(report) == [["**"], ["<p>x</p><p>y</p>"]]


def test_the_numbers_and_letters_of_word_are_read() -> None:
    body = [p("First?", level=0), p("x", level=1), p("y", level=1, bold=True)]
    body += [p("Second?", level=0), p("x", level=1, bold=True), p("y", level=1)]
    body += [p("Third?", level=0), p("x", series=2, level=0), p("y", series=2, level=0), p("Answer: B")]
    report = read(*body)
    assert keys(report) == [["y"], ["x"], ["y"]]
    assert [question.html for question in report.questions] == ["First?", "Second?", "Third?"]
    assert [question.line for question in report.questions] == [1, 4, 7]


def test_typed_letters_in_a_list_with_bullets_are_read() -> None:
    report = read(p("1. Q?"), *(p(text, series=2, level=0) for text in ("A) x", "A) y*", "A) z")))
    assert [option.html for option in report.questions[0].options] == ["x", "y", "z"]
    assert keys(report) == [["y"]]


def test_options_without_letters_are_found_by_the_sign_of_one() -> None:
    report = read(p("1. Which is right?"), p("x"), p("y", bold=True), p("z"), lines(NEXT))
    assert keys(report) == [["y"], ["Rome"]]


def test_a_key_at_the_end_has_runs_tables_and_texts() -> None:
    questions = "".join(f"{at}. Q{at}?\nA. x\nB. y\nC. z\n" for at in range(1, 8))
    report = read(
        lines(questions + "8. Who?\nAnswer key\n1-3 ABC\n4. B, C  5. A"),
        table(["6", "7"], ["C", "B"]),
        p("8. Ada Lovelace"),
        p("Good luck"),
    )
    assert keys(report)[:7] == [["x"], ["y"], ["z"], ["y", "z"], ["x"], ["z"], ["y"]]
    assert report.questions[7].texts[0].text == "Ada Lovelace"
    assert told(report) == [(38, "The text “Good luck” in the key was left out.")]


def test_a_key_for_a_question_that_is_not_there_is_an_error() -> None:
    report = read(lines(PAPER + "Answer key\n1. B\n7. C"))
    assert told(report) == [(7, "The key names question 7 (“C”), which is not there.")]


def test_texts_numbers_essays_and_true_or_false_have_no_options() -> None:
    report = read(
        lines(
            "1. Who?\nAnswer: Ada\n2. How many?\nAnswer: 5 to 7\n3. Is it so?\nAnswer: True\n4. Why?\nAnswer: essay\n"
            "5. Is it?\nTrue\nFalse\nAnswer: False"
        )
    )
    kinds = [question.kind for question in report.questions]
    assert kinds == [QuestionType.SHORT, QuestionType.NUMERIC, QuestionType.SINGLE, QuestionType.ESSAY,
                     QuestionType.SINGLE]  # fmt: skip
    assert keys(report)[4] == ["False"]
    assert told(report) == []


def test_explanations_points_sections_and_passages_are_kept() -> None:
    report = read(
        p("Unit 1", style="Title"),
        p("You have one hour."),
        p("Part A", style="Heading1"),
        lines(PAPER + "Answer: B\nExplanation: It is on the Seine.\nPoints: 2"),
        p("Part B", style="Heading1"),
        lines("Read this text.\n" + NEXT),
    )
    assert told(report) == []
    exam = report.exam
    assert exam is not None
    assert (exam.title, exam.description_html) == ("Unit 1", "You have one hour.")
    assert [section.name for section in exam.sections] == ["Part A", "Part B"]
    first, second = exam.questions
    assert (first.explanation_html, first.marks) == ("It is on the Seine.", D(2))
    assert second.direction_html == "Read this text."


def test_pictures_tables_and_equations_are_in_the_text() -> None:
    fraction = (
        "<m:oMath><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath>"
    )
    report = read(
        p("1. What is ", fraction, r("?")),
        p(picture()),
        table(["a", "b"], ["1", "2"]),
        lines("A. x\nB. y\nAnswer: A"),
        members={"word/media/image1.png": PNG},
    )
    assert told(report) == []
    html = report.questions[0].html
    assert "<math><mfrac><mrow><mi>a</mi></mrow><mrow><mn>2</mn></mrow></mfrac></math>" in html
    assert PICTURE in html
    assert "<table><tr><td>a</td><td>b</td></tr>" in html


def test_a_table_of_layout_is_read_cell_by_cell() -> None:
    report = read(p("1. Q?"), table(["A. x", "B. y"], ["C. z", "D. w"]), p("Answer: D"))
    assert keys(report) == [["w"]]


def test_a_table_with_headings_is_a_sheet() -> None:
    report = read(p("My quiz"), table(["Question", "A", "B", "Answer"], ["Q?", "x", "y", "B"]))
    assert keys(report) == [["y"]]
    assert told(report) == [(1, "The text “My quiz” was left out.")]


def moodle(kind: str, *rows: list[str]) -> str:
    return p("Unit", style="Heading1") + p("Name", style="Heading2") + table(["Text?", kind], *rows)


def test_the_tables_of_moodles_template_are_read() -> None:
    settings = [["Default mark:", "2"], ["Shuffle the choices?", "Yes"], ["#", "Answers", "Feedback", "Grade"]]
    report = read(
        moodle("MC", *settings, ["A.", "x", "no", "0"], ["B.", "y", "", "100"],
               ["", "General feedback:", "because", ""], ["", "Hint 1:", "think", ""]),
        moodle("NUM", ["#", "Answers", "Feedback", "Grade"], ["1.", "5:1", "", "100"]),
        moodle("MAT", ["#", "Question", "Answer", " "], ["1.", "a", "1", ""], ["2.", "b", "2", ""]),
        moodle("CL", ["#", "x", "y", "z"]),
    )  # fmt: skip
    choice, numeric, match = report.questions
    assert (choice.title, choice.subject, choice.marks) == ("Name", ("Unit",), D(2))
    assert [(option.html, option.correct, option.feedback_html) for option in choice.options] == [
        ("x", False, "no"),
        ("y", True, ""),
    ]
    assert choice.explanation_html == "because"
    assert (numeric.numbers[0].low, numeric.numbers[0].high) == (D(4), D(6))
    assert [(pair.left_html, pair.right) for pair in match.pairs] == [("a", "1"), ("b", "2")]
    messages = [message for _, message in told(report)]
    assert any("hints" in message for message in messages)
    assert "The question “Name” was left out. The question type “CL” is not supported." in messages


def test_what_the_exam_does_not_hold_is_told_with_its_paragraph() -> None:
    note = f'<w:footnotes {SPACES}><w:footnote w:id="2">{p("a note")}</w:footnote></w:footnotes>'
    report = read(
        p("1. Q?", '<w:r><w:footnoteReference w:id="2"/></w:r>'),
        p("<w:del><w:r><w:delText>old</w:delText></w:r></w:del>", r("new")),
        p(picture("rId8")),
        p("<w:r><w:chart/></w:r>", r("text")),
        lines("A. x\nB. y\nAnswer: B\nGood luck!"),
        members={
            "word/media/image2.wmf": b"\xd7\xcd\xc6\x9a",
            "word/header1.xml": f"<w:hdr {SPACES}>{p('My school')}</w:hdr>",
            "word/comments.xml": f"<w:comments {SPACES}><w:comment>{p('Check this')}</w:comment></w:comments>",
            "word/footnotes.xml": note,
        },
    )
    assert "Q? (a note)" in report.questions[0].html
    assert sorted(told(report)) == [
        (0, "The comment “Check this” was left out."),
        (0, "The text “My school” at the edge of the pages was left out."),
        (1, "A footnote was put into the text."),
        (2, "The deleted text “old” was left out."),
        (3, "The picture “image2.wmf” is not in a known picture format and was left out."),
        (4, "A chart was left out."),
        (8, "The text “Good luck!” was left out."),
    ]


@pytest.mark.parametrize(
    ("paper", "why"),
    [
        ("1. Q?\nA. x\nB. y\nAnswer: E", "Its answer “E” is none of its options."),
        ("1. Q?\nA. x\nB. y", "No option is marked as right."),
        ("1. Q?\nAnswer: B", "Its answer “B” is a letter, but it has no options."),
        ("1. Why?", "It has no options and no answer. For an essay, write “Answer: essay” below it."),
    ],
)
def test_a_question_that_cannot_be_marked_is_an_error(paper: str, why: str) -> None:
    report = read(lines(NEXT + "\n" + paper.replace("1.", "3.")))
    assert keys(report) == [["Rome"]]
    assert [message.partition("left out. ")[2] for _, message in told(report)] == [why]


def test_gift_in_a_document_is_read() -> None:
    assert keys(read(lines("::T:: Q? {=a ~b}"))) == [["a"]]


def test_a_letter_is_no_exam() -> None:
    assert "has no questions in a known form" in read(lines("Dear Ada,\n1. Come\n2. See")).errors[0].message


def test_entities_and_bombs_are_refused() -> None:
    entity = f'<!DOCTYPE a [<!ENTITY x "y">]><w:document {SPACES}/>'
    assert "declares an entity" in read(members={"word/document.xml": entity}).errors[0].message
    bomb = b"<a>" + b" " * (65 * 1024 * 1024)
    assert "unpacks to more than" in read(members={"word/document.xml": bomb}).errors[0].message


def test_invisible_characters_of_pasted_text_do_not_hide_the_key() -> None:
    report = read(lines("1.\u200b The capital\u2060 of France?\nA.\u200b London\n\u200fB. Paris\nAnswer:\u200b B"))
    assert (told(report), keys(report)) == ([], [["Paris"]])
    assert report.questions[0].html == "The capital of France?"


def test_letters_that_are_joined_across_runs_stay_joined() -> None:
    report = read(p(r("1. क्"), r("\u200dष है?")), p(r("Answer: essay")))
    assert report.questions[0].html == "क्\u200dष है?"
