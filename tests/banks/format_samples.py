"""One small file for each construct that a format carries: what docs/exam-files.md promises, row by row.

What can be written is written; the others are as their own systems write them.
"""

import base64
import json
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from io import BytesIO
from typing import Final

from lms_tui.banks.model import Exam, NumericKey, Option, Pair, Question, Section, TextKey
from lms_tui.banks.writers import Target, write
from lms_tui.wire.question_types import QuestionType
from tests.banks.word_files import docx, lines, p, picture, table

D = Decimal
PICTURE: Final = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJ"
    "RU5ErkJggg=="
)
TWO: Final = (Option("a", correct=True), Option("b"))
WRITTEN: Final = {"GIFT": Target.GIFT, "Moodle XML": Target.MOODLE_XML, "QTI 2.x, 3.0": Target.QTI, "YAML": Target.YAML,
           "sheets": Target.CSV, "Markdown": Target.MARKDOWN}  # fmt: skip
Holds = Callable[[Exam], bool]


def exam(*questions: Question, duration: timedelta | None = None, sections: tuple[Section, ...] = ()) -> Exam:
    return Exam("Exam", sections or (Section("", questions),), slug="exam", duration=duration)


def kinds(*wanted: QuestionType) -> Holds:
    return lambda read: [question.kind for question in read.questions] == list(wanted)


def first(test: Callable[[Question], object]) -> Holds:
    return lambda read: bool(test(read.questions[0]))


THREE: Final = (*(Option(text, correct=True, weight=D("0.5")) for text in "ab"), Option("c"))
CHOICES = exam(Question(QuestionType.SINGLE, "Q", TWO), Question(QuestionType.MULTIPLE, "Q", THREE))
SHORTS = exam(
    Question(QuestionType.SHORT, "Q", texts=(TextKey("a"),)),
    Question(QuestionType.NUMERIC, "Q", numbers=(NumericKey(D(4), D(5)),)),
)
GAPS = exam(
    Question(
        QuestionType.GAPS,
        "<p>[[1]] and [[2]] and [[3]]</p>",
        numbers=(NumericKey(D(4), D(5), gap=3),),
        texts=(TextKey("a", 1), TextKey("b", 2)),
        gap_choices=((), ("b", "c"), ()),
    )
)
FULL: Final[dict[str, tuple[Exam, Holds]]] = {
    "single and multiple choice": (CHOICES, kinds(QuestionType.SINGLE, QuestionType.MULTIPLE)),
    "short answer, number": (SHORTS, kinds(QuestionType.SHORT, QuestionType.NUMERIC)),
    "essay": (exam(Question(QuestionType.ESSAY, "Q")), kinds(QuestionType.ESSAY)),
    "files": (exam(Question(QuestionType.FILES, "Q")), kinds(QuestionType.FILES)),
    "match": (
        exam(Question(QuestionType.MATCH, "Q", pairs=(Pair("a", "1"), Pair("b", "2"), Pair("", "3")))),
        kinds(QuestionType.MATCH),
    ),
    "gaps: free, with choices, numbers": (GAPS, kinds(QuestionType.GAPS)),
    "shares of marks, penalties": (
        exam(Question(QuestionType.SINGLE, "Q", (*TWO, Option("c", weight=D("-0.25"))))),
        first(lambda question: question.options[2].weight == D("-0.25")),
    ),
    "feedback to an answer": (
        exam(Question(QuestionType.SINGLE, "Q", (TWO[0], Option("b", feedback_html="no")))),
        first(lambda question: question.options[1].feedback_html == "no"),
    ),
    "explanation": (
        exam(Question(QuestionType.SINGLE, "Q", TWO, explanation_html="because")),
        first(lambda question: "because" in question.explanation_html),
    ),
    "passages": (
        exam(Question(QuestionType.SINGLE, "Q", TWO, direction_html="<p>Read.</p>")),
        first(lambda question: "Read." in question.direction_html),
    ),
    "pictures inside the file": (
        exam(Question(QuestionType.SINGLE, f'<p><img src="{PICTURE}" alt="dot"></p>', TWO)),
        first(lambda question: PICTURE in question.html),
    ),
    "formulas": (
        exam(Question(QuestionType.SINGLE, r"What is \(x^{2}\)?", TWO)),
        first(lambda question: "x^{2}" in question.html),
    ),
    "subjects": (
        exam(sections=(Section("Physics", (Question(QuestionType.SINGLE, "Q", TWO, subject=("Physics", "Optics")),)),)),
        first(lambda question: question.subject == ("Physics", "Optics")),
    ),
    "ids and tags": (
        exam(Question(QuestionType.SINGLE, "Q", TWO, identifier="q1", tags=("easy",))),
        first(lambda question: question.identifier == "q1"),
    ),
    "marks of a question": (
        exam(Question(QuestionType.SINGLE, "Q", TWO, marks=D("2.5"))),
        first(lambda question: question.marks == D("2.5")),
    ),
    "negative marks, language": (
        exam(Question(QuestionType.SINGLE, "Q", TWO, negative_marks=D("0.5"), language="ta")),
        first(lambda question: question.language == "ta"),
    ),
    "questions drawn at random": (
        replace(exam(*(Question(QuestionType.SINGLE, f"Q{at}", TWO, pool=1) for at in range(3))), picks=(2,)),
        lambda read: read.asked == 2,
    ),
    "duration of the exam": (
        exam(Question(QuestionType.SINGLE, "Q", TWO), duration=timedelta(minutes=45)),
        lambda read: read.duration == timedelta(minutes=45),
    ),
}
"""By row of the table: an exam, and what must be true of it after it was read from a format that carries it."""

AIKEN: Final = {
    "single and multiple choice": "Q?\nA. a\nB. b\nANSWER: A\n\nQ?\nA. a\nB. b\nC. c\nANSWER: A, B\n",
    "formulas": "What is $x^{2}$?\nA. a\nB. b\nANSWER: A\n",
}
TEXT2QTI: Final = {
    "single and multiple choice": "1. Q\n*a) a\nb) b\n\n2. Q\n[*] a\n[*] b\n[ ] c\n",
    "short answer, number": "1. Q\n* a\n\n2. Q\n= 4.5 +- 0.5\n",
    "essay": "1. Q\n____\n",
    "files": "1. Q\n^^^^\n",
    "feedback to an answer": "1. Q\n*a) a\nb) b\n... no\n",
    "explanation": "1. Q\n... because\n*a) a\nb) b\n",
    "passages": "Text: Read.\n\n1. Q\n*a) a\nb) b\n",
    "formulas": "1. What is $x^{2}$?\n*a) a\nb) b\n",
    "questions drawn at random": "GROUP\npick: 2\n" + "1. Q\n*a) a\nb) b\n" * 3 + "END_GROUP\n",
    "marks of a question": "Points: 2.5\n1. Q\n*a) a\nb) b\n",
}
_FIELD: Final = '<response_str ident="r"><render_fib{}><response_label ident="a"/></render_fib></response_str>'


def _text(body: str) -> str:
    return f'<material><mattext texttype="text/html">{body}</mattext></material>'


def _choice(ident: str, labels: str, cardinality: str = "Single", prompt: str = "") -> str:
    options = "".join(
        f'<response_label ident="{at}">{_text(label)}</response_label>' for at, label in enumerate(labels.split("|"))
    )
    opener = f'<response_lid ident="{ident}" rcardinality="{cardinality}">'
    return f"{opener}{prompt}<render_choice>{options}</render_choice></response_lid>"


def _rule(condition: str, score: str = "100", told: str = "") -> str:
    earned = f'<setvar action="Set" varname="SCORE">{score}</setvar>' if score else ""
    shown = f'<displayfeedback linkrefid="{told}"/>' if told else ""
    return f"<respcondition><conditionvar>{condition}</conditionvar>{earned}{shown}</respcondition>"


def _is(value: str, ident: str = "r") -> str:
    return f'<varequal respident="{ident}">{value}</varequal>'


def _item(presentation: str, rules: str = "", meta: str = "", more: str = "", ident: str = "q1") -> str:
    fields = "".join(
        f"<qtimetadatafield><fieldlabel>{name}</fieldlabel><fieldentry>{value}</fieldentry></qtimetadatafield>"
        for name, _, value in (part.partition("=") for part in meta.split(";") if part)
    )
    return (
        f'<item ident="{ident}" title="T"><itemmetadata><qtimetadata>{fields}</qtimetadata></itemmetadata>'
        f"<presentation>{presentation}</presentation><resprocessing>{rules}</resprocessing>{more}</item>"
    )


def _feedback(ident: str, body: str) -> str:
    return f'<itemfeedback ident="{ident}"><flow_mat>{_text(body)}</flow_mat></itemfeedback>'


_ONE: Final = _item(_text("Q") + _choice("r", "a|b"), _rule(_is("0")))
_ROWS: Final = _choice("response_x", "a", prompt=_text("x")) + _choice("response_y", "b|c", prompt=_text("y"))
_GAP_RULES: Final = _rule(_is("0", "response_x"), "50") + _rule(_is("0", "response_y"), "50")
QTI12: Final = {
    name: f'<?xml version="1.0"?><questestinterop>{body}</questestinterop>'
    for name, body in {
        "single and multiple choice": _ONE
        + _item(_text("Q") + _choice("r", "a|b|c", "Multiple"), _rule(f"<and>{_is('0')}{_is('1')}</and>"), ident="q2"),
        "short answer, number": _item(_text("Q") + _FIELD.format(""), _rule(_is("a")))
        + _item(
            _text("Q") + _FIELD.format(' fibtype="Decimal"'),
            _rule('<vargte respident="r">4</vargte><varlte respident="r">5</varlte>'),
            ident="q2",
        ),
        "essay": _item(_text("Q"), meta="question_type=essay_question"),
        "files": _item(_text("Q"), meta="question_type=file_upload_question"),
        "match": _item(
            _text("Q") + _choice("x", "1|2", prompt=_text("a")) + _choice("y", "1|2|3", prompt=_text("b")),
            _rule(_is("0", "x"), "50") + _rule(_is("1", "y"), "50"),
        ),
        "gaps: free, with choices, numbers": _item(
            _text("[x] and [y]") + _ROWS, _GAP_RULES, "question_type=multiple_dropdowns_question"
        ),
        "shares of marks, penalties": _item(
            _text("Q") + _choice("r", "a|b|c", "Multiple"),
            _rule(_is("0"), "50") + _rule(_is("1"), "50") + _rule(_is("2"), "-25"),
        ),
        "feedback to an answer": _item(
            _text("Q") + _choice("r", "a|b"),
            _rule(_is("1"), "", "1_fb") + _rule(_is("0")),
            more=_feedback("1_fb", "no"),
        ),
        "explanation": _item(
            _text("Q") + _choice("r", "a|b"),
            _rule(_is("0")) + _rule("<other/>", "", "general_fb"),
            more=_feedback("general_fb", "because"),
        ),
        "passages": _item(_text("Read."), meta="question_type=text_only_question", ident="s1")
        + _item(_text("Q") + _choice("r", "a|b"), _rule(_is("0")), "parent_stimulus_item_ident=s1"),
        "pictures inside the file": _item(
            _text(f"&lt;p&gt;&lt;img src='{PICTURE}'&gt;&lt;/p&gt;") + _choice("r", "a|b"), _rule(_is("0"))
        ),
        "formulas": _item(_text(r"What is \(x^{2}\)?") + _choice("r", "a|b"), _rule(_is("0"))),
        "ids and tags": _ONE,
        "marks of a question": _item(_text("Q") + _choice("r", "a|b"), _rule(_is("0")), "points_possible=2.5"),
        "negative marks, language": _ONE.replace("<item ", '<item xml:lang="ta" '),
        "questions drawn at random": '<section title=""><selection_ordering><selection><selection_number>2'
        f"</selection_number></selection></selection_ordering>{_ONE * 3}</section>",
        "duration of the exam": '<assessment title="E"><duration>PT45M</duration><section title="">'
        f"{_ONE}</section></assessment>",
    }.items()
}


def _word_table(kind: str, *rows: list[str], text: str = "Q") -> str:
    return table([text, kind], ["Default mark:", "2"], ["#", "Answers", "Feedback", "Grade"], *rows)


_WORD_CHOICE: Final = [["A.", "a", "", "100"], ["B.", "b", "no", "0"], ["C.", "c", "", "-25"]]
_WORD_LINES: Final = lines("1. Q\nA. a\nB. b\nAnswer: A\nExplanation: because\nPoints: 2.5")
_WORD_SUM: Final = (
    "<m:oMath><m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath>"
)
WORD: Final = {
    "single and multiple choice": docx(_WORD_LINES, lines("2. Q\n*A. a\n*B. b\nC. c")),
    "short answer, number": docx(lines("1. Q\nAnswer: a\n2. Q\nAnswer: 4 to 5")),
    "essay": docx(lines("1. Q\nAnswer: essay")),
    "match": docx(_word_table("MAT", ["1.", "a", "1", ""], ["2.", "b", "2", ""], ["3.", "", "3", ""])),
    "gaps: free, with choices, numbers": docx(
        _word_table("MW", ["1.", "a", "", "1"], ["2.", "b", "", "1"], text="[[1]] and [[2]]")
    ),
    "shares of marks, penalties": docx(_word_table("MC", *_WORD_CHOICE)),
    "feedback to an answer": docx(_word_table("MC", *_WORD_CHOICE)),
    "explanation": docx(_WORD_LINES),
    "passages": docx(lines("Read."), _WORD_LINES),
    "pictures inside the file": docx(
        p("1. Q", picture()),
        lines("A. a\nB. b\nAnswer: A"),
        members={"word/media/image1.png": base64.b64decode(PICTURE.partition(",")[2])},
    ),
    "formulas": docx(p(r"1. What is \(x^{2}\) and ", _WORD_SUM), lines("A. a\nB. b\nAnswer: A")),
    "subjects": docx(p("Physics/Optics", style="Heading1"), _word_table("MC", *_WORD_CHOICE)),
    "ids and tags": docx(_word_table("MC", *_WORD_CHOICE, ["", "ID number:", "q1", ""], ["", "Tags:", "easy", ""])),
    "marks of a question": docx(_WORD_LINES),
    "sections with their own time": docx(
        p("Part A", style="Heading1"), _WORD_LINES, p("Part B", style="Heading1"), _WORD_LINES
    ),
}


def h5p(library: str, params: object, members: dict[str, bytes] | None = None, title: str = "E") -> bytes:
    """An H5P package of one type."""
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("h5p.json", json.dumps({"title": title, "mainLibrary": library}))
        package.writestr("content/content.json", json.dumps(params))
        for name, data in (members or {}).items():
            package.writestr(name, data)
    return stream.getvalue()


def h5p_set(*questions: tuple[str, object]) -> bytes:
    """An H5P question set of types with their parameters."""
    return h5p(
        "H5P.QuestionSet",
        {"questions": [{"library": f"{name} 1.1", "params": params} for name, params in questions]},
    )


_H5P_TWO: Final = [
    {"text": "<div>a</div>", "correct": True},
    {"text": "<div>b</div>", "correct": False, "tipsAndFeedback": {"chosenFeedback": "no"}},
]
_H5P_THREE: Final = [{"text": text, "correct": text != "c"} for text in "abc"]
_H5P_CHOICE: Final = ("H5P.MultiChoice", {"question": "Q", "answers": _H5P_TWO})
_H5P_SUM: Final = ("H5P.ArithmeticQuiz", {"arithmeticType": "addition", "maxQuestions": 1})
H5P: Final = {
    "single and multiple choice": h5p_set(
        _H5P_CHOICE, ("H5P.MultiChoice", {"question": "Q", "answers": _H5P_THREE})
    ),
    "short answer, number": h5p_set(("H5P.Blanks", {"text": "Q", "questions": ["<p>*a*</p>"]}), _H5P_SUM),
    "essay": h5p_set(("H5P.Essay", {"taskDescription": "Q"})),
    "gaps: free, with choices, numbers": h5p_set(("H5P.DragText", {"textField": "*a* and *b*"})),
    "feedback to an answer": h5p_set(_H5P_CHOICE),
    "passages": h5p("H5P.Column", {"content": [
        {"content": {"library": "H5P.AdvancedText 1.1", "params": {"text": "Read."}}},
        {"content": {"library": "H5P.MultiChoice 1.1", "params": _H5P_CHOICE[1]}},
    ]}),
    "pictures inside the file": h5p(
        "H5P.MultiChoice",
        {**_H5P_CHOICE[1], "media": {"library": "H5P.Image 1.1", "params": {"file": {"path": "a.png"}}}},
        {"content/a.png": base64.b64decode(PICTURE.partition(",")[2])},
    ),
    "formulas": h5p_set(("H5P.MultiChoice", {"question": r"What is \(x^{2}\)?", "answers": _H5P_TWO})),
    "questions drawn at random": h5p("H5P.QuestionSet", {"poolSize": 2, "questions": [
        {"library": "H5P.MultiChoice 1.1", "params": _H5P_CHOICE[1]},
    ] * 3}),
}  # fmt: skip


_VIEWED: Final = {
    "single and multiple choice": "<question type='tf'><text>Q</text><answer>F</answer></question>"
    "<question type='mc'><text>Q</text><choices><choice-a>a</choice-a><choice-b>b</choice-b><choice-c>c</choice-c>"
    "</choices><answer>AC</answer></question>",
    "short answer, number": "<question type='sa'><text>Q</text><answer>a</answer></question>"
    "<question type='nr'><text>Q</text><answer>4.5</answer></question>",
    "essay": "<question type='es'><text>Q</text></question>",
    "match": "<matching-group name='M'><text>Q</text><choices><choice-a>1</choice-a><choice-b>2</choice-b>"
    "<choice-c>3</choice-c></choices></matching-group>"
    "<question type='ma' group='M'><text>a</text><answer>B</answer></question>"
    "<question type='ma' group='M'><text>b</text><answer>A</answer></question>",
    "explanation": "<question type='tf'><text>Q</text><rationale>because</rationale><answer>T</answer></question>",
    "passages": "<narrative name='N'><text>Read.</text></narrative>"
    "<question type='tf' narrative='N'><text>Q</text><answer>T</answer></question>",
    "formulas": r"<question type='tf'><text>What is \(x^{2}\)?</text><answer>T</answer></question>",
    "subjects": "<question type='tf'><text>Q</text><answer>T</answer><info><topic>Optics</topic></info></question>",
    "ids and tags": "<question type='tf'><text>Q</text><answer>T</answer><info><difficulty>easy</difficulty></info>"
    "</question>",
}
EXAMVIEW: Final = {
    name: f"<examview type='test'><header><title>E</title></header>{body}</examview>" for name, body in _VIEWED.items()
}


BY_HAND: Final[dict[str, Mapping[str, str | bytes]]] = {
    "QTI 1.2": QTI12, "Aiken": AIKEN, "text2qti": TEXT2QTI, "Word": WORD, "H5P": H5P, "ExamView": EXAMVIEW,
}  # fmt: skip


def sample(row: str, column: str) -> tuple[bytes, str] | None:
    """The file of a construct in a format, and its name; None where there is none."""
    if column in WRITTEN:
        target = WRITTEN[column]
        return write(FULL[row][0], target).data, f"exam.{target.value}"
    by_hand = BY_HAND[column].get(row)
    if by_hand is None:
        return None
    return (by_hand if isinstance(by_hand, bytes) else by_hand.encode()), "exam.txt"
