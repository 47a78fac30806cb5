"""Sheets of questions: columns by heading, keys in all their forms, templates of other programs, hostile workbooks."""

import zipfile
from decimal import Decimal
from io import BytesIO

import pytest
from xlsxwriter import Workbook

from lms_tui.banks.file_options import FileOptions
from lms_tui.banks.model import Exam, NotAnExam, NumericKey, Option, Question, Reading, Section, TextKey
from lms_tui.banks.reader import read_exam
from lms_tui.banks.writers import Target, write
from lms_tui.banks.writers.sheet import template
from lms_tui.wire.question_types import QuestionType

D = Decimal
HEAD = "Question,Option A,Option B,Option C,Correct answer\n"


def read(text: str, columns: str = "") -> Reading:
    return read_exam(text.encode(), "quiz.csv", FileOptions(columns=columns))


def one(text: str) -> Question:
    reading = read(text)
    assert reading.findings == ()
    (question,) = reading.exam.questions
    return question


def right(question: Question) -> list[str]:
    return [option.html for option in question.options if option.correct]


def workbook(rows: list[list[str | float | bool]], *more: list[list[str | float | bool]]) -> bytes:
    stream = BytesIO()
    with Workbook(stream, {"in_memory": True}) as book:
        for sheet_rows in (rows, *more):
            sheet = book.add_worksheet()
            for at, row in enumerate(sheet_rows):
                sheet.write_row(at, 0, row)
    return stream.getvalue()


# --- keys


@pytest.mark.parametrize(
    ("key", "wanted"),
    [
        ("B", ["Rome"]), ("b)", ["Rome"]), ("2", ["Rome"]), ("Rome", ["Rome"]), ("rome ", ["Rome"]),
        ("Option 2", ["Rome"]), ('"A, C"', ["Paris", "Oslo"]), ("AC", ["Paris", "Oslo"]),
        ("A and C", ["Paris", "Oslo"]),
        ("1;3", ["Paris", "Oslo"]), ("Paris | Oslo", ["Paris", "Oslo"]), ('"Paris, Oslo"', ["Paris", "Oslo"]),
    ],
)  # fmt: skip
def test_a_key_is_a_letter_a_number_or_a_text(key: str, wanted: list[str]) -> None:
    question = one(f"{HEAD}Which?,Paris,Rome,Oslo,{key}\n")
    assert right(question) == wanted
    assert question.kind is (QuestionType.MULTIPLE if len(wanted) > 1 else QuestionType.SINGLE)
    assert question.line == 2


def test_a_number_that_is_a_text_and_a_place_is_read_as_the_other_rows_are() -> None:
    places = read(f"{HEAD}Which?,Paris,Rome,Oslo,1\nHow many?,3,1,2,2\n")
    assert right(places.exam.questions[1]) == ["1"]
    texts = read(f"{HEAD}Which?,Paris,Rome,Oslo,Oslo\nHow many?,3,1,2,2\n")
    assert right(texts.exam.questions[1]) == ["2"]
    unsure = read(f"{HEAD}How many?,3,1,2,2\n")
    assert unsure.exam.questions == ()
    assert "may be an answer or the place of one" in unsure.errors[0].message


def test_a_row_without_a_usable_key_is_an_error_with_its_line() -> None:
    reading = read(f'{HEAD}"Two\nlines",a,b,c,z\nNone,a,b,c,\n,a,b,c,A\nGood,a,b,c,A\n')
    assert [error.line for error in reading.errors] == [2, 4, 5]
    assert [question.line for question in reading.exam.questions] == [6]


def test_a_star_marks_the_right_options_where_there_is_no_key() -> None:
    question = one("Question,A,B,C\nWhich?,*Paris,Rome,Oslo (correct)\n")
    assert [(option.html, option.correct) for option in question.options] == [
        ("Paris", True), ("Rome", False), ("Oslo", True),
    ]  # fmt: skip


def test_wrong_answers_may_have_their_own_columns() -> None:
    question = one("Question,Correct answer,Wrong answer 1,Wrong answer 2\nWhich?,Paris,Rome,Oslo\n")
    assert sorted(option.html for option in question.options) == ["Oslo", "Paris", "Rome"]
    assert right(question) == ["Paris"]


def test_without_options_the_answer_tells_the_type() -> None:
    reading = read(
        "Question,Type,Answer\nSum?,,4\nGas?,,CO2|carbon dioxide\nTrue?,,false\nTell,essay,\nRange?,,1 to 3\n"
        "N?,short,5\n"
    )
    assert [question.kind.value for question in reading.exam.questions] == ["N", "S", "R", "E", "N", "S"]
    assert reading.exam.questions[0].numbers == (NumericKey(D(4), D(4)),)
    assert reading.exam.questions[1].texts == (TextKey("CO2"), TextKey("carbon dioxide"))
    assert right(reading.exam.questions[2]) == ["False"]


# --- columns


@pytest.mark.parametrize(
    "text",
    [
        "Frage;Antwort A;Antwort B;Richtige Antwort\nHauptstadt?;Paris;Rom;A\n",
        "Correct Answer\tOption 2\tOption 1\tQUESTION TEXT:\nParis\tRome\tParis\tWhich?\n",
        "Question;Réponse 1;Réponse 2;Bonne réponse\nCapitale ?;Paris;Rome;1\n",
        "Pregunta,Opción A,Opción B,Respuesta correcta\n¿Capital?,Paris,Roma,A\n",
        "問題,選択肢1,選択肢2,正解\n首都は？,Paris,ローマ,1\n",
        "प्रश्न,विकल्प 1,विकल्प 2,सही उत्तर\nराजधानी?,Paris,रोम,1\n",
        "Вопрос;Вариант 1;Вариант 2;Правильный ответ\nСтолица?;Paris;Рим;1\n",
        "السؤال,الخيار 1,الخيار 2,الإجابة الصحيحة\nالعاصمة؟,Paris,روما,1\n",
        "Question,Options,Answer\nWhich?,Paris|Rome,A\n",
    ],
)
def test_columns_are_found_by_heading_in_any_order_and_language(text: str) -> None:
    assert right(one(text)) == ["Paris"]


def test_other_columns_are_kept_or_named() -> None:
    reading = read(
        "Id,Question,A,B,Answer,Points,Negative marks,Topic,Tags,Explanation,Seconds\n"
        'q1,Which?,a,b,A,2.5,1,Physics / Optics,"easy, short",Because.,30\n'
    )
    (question,) = reading.exam.questions
    assert (question.identifier, question.marks, question.negative_marks) == ("q1", D("2.5"), D(1))
    assert (question.subject, question.tags, question.explanation_html) == (
        ("Physics", "Optics"), ("easy", "short"), "Because.",
    )  # fmt: skip
    assert [(finding.line, finding.message) for finding in reading.findings] == [
        (1, "The column “Seconds” was left out.")
    ]


def test_columns_can_be_named_where_headings_do_not_tell() -> None:
    source = "Nr,Text,X,Y,Z\n1,Which?,Paris,Rome,A\n"
    with pytest.raises(NotAnExam):
        read(source)
    reading = read(source, "question=B,options=C-D,answer=E")
    assert right(reading.exam.questions[-1]) == ["Paris"]
    with pytest.raises(NotAnExam, match="names no column"):
        read(source, "question=12")
    with pytest.raises(NotAnExam, match="mean the same"):
        read("Question,Answer,Answer,Correct answer\nWhich?,a,b,a\n")


def test_text_is_never_markup_unless_it_is_known_and_formulas_stay() -> None:
    question = one(f"{HEAD}Is a<b & $x<y$?,a<1,<b>c</b>,d,A\n")
    assert question.html == "Is a&lt;b &amp; $x&lt;y$?"
    assert [option.html for option in question.options] == ["a&lt;1", "<b>c</b>", "d"]


# --- workbooks and templates


def test_a_kahoot_template_is_read() -> None:
    head: list[str | float | bool] = [
        "", "Question - max 120 characters", "Answer 1 - max 75 characters", "Answer 2 - max 75 characters",
        "Answer 3 - max 75 characters", "Answer 4 - max 75 characters", "Time limit (sec) – 5, 10, 20",
        "Correct answer(s) - choose at least one",
    ]  # fmt: skip
    rows: list[list[str | float | bool]] = [
        ["Quiz template"], ["Add questions"], [], head, [1, "2+2?", "3", "4", "5", "", 20, 2],
        [2, "Prime?", 2, 3, 4, 6, 20, "1,2"], [3],
    ]  # fmt: skip
    reading = read_exam(workbook(rows), "kahoot.xlsx")
    assert [right(question) for question in reading.exam.questions] == [["4"], ["2", "3"]]
    assert reading.errors == ()


def test_a_blooket_template_is_read() -> None:
    source = (
        'Blooket\nImport Template,,\nQuestion #,Question Text,Answer 1,Answer 2,"Answer 3\n(Optional)",'
        '"Time Limit (sec)\n(Max: 300 seconds)","Correct Answer(s)\n(Only include Answer #)"\n'
        "1,Q?,x,y,z,20,3\n2,,,,,,\n"
    )
    assert [right(question) for question in read(source).exam.questions] == [["z"]]


def test_each_sheet_of_a_workbook_is_a_section_and_notes_are_named() -> None:
    head: list[str | float | bool] = ["Question", "Answer"]
    reading = read_exam(workbook([head, ["True?", True]], [["Notes"]], [head, ["Sum?", 4.5]]), "two.xlsx")
    assert [(section.name, len(section.questions)) for section in reading.exam.sections] == [
        ("Sheet1", 1), ("Sheet3", 1),
    ]  # fmt: skip
    assert ["“Sheet2”" in error.message for error in reading.errors] == [True]


def ods(cells: str) -> bytes:
    stream = BytesIO()
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    spaces = (
        'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
        'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
        'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"'
    )
    content = (
        f'<office:document-content {spaces}><office:body><office:spreadsheet><table:table table:name="S">{cells}'
        "</table:table></office:spreadsheet></office:body></office:document-content>"
    )
    listed = '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'
    with zipfile.ZipFile(stream, "w") as file:
        file.writestr("mimetype", kind)
        file.writestr("content.xml", content)
        file.writestr("META-INF/manifest.xml", listed)
    return stream.getvalue()


def test_an_ods_sheet_is_read() -> None:
    def row(*texts: str) -> str:
        cells = "".join(
            f'<table:table-cell office:value-type="string"><text:p>{text}</text:p></table:table-cell>' for text in texts
        )
        return f"<table:table-row>{cells}</table:table-row>"

    reading = read_exam(ods(row("Question", "A", "B", "Answer") + row("Which?", "a", "b", "B")), "quiz.ods")
    assert [right(question) for question in reading.exam.questions] == [["b"]]


def test_a_workbook_that_asks_for_all_memory_is_refused() -> None:
    bomb = BytesIO()
    with zipfile.ZipFile(BytesIO(workbook([["Question", "Answer"]]))) as good, zipfile.ZipFile(bomb, "w") as file:
        for name in good.namelist():
            data = good.read(name)
            if name.endswith("sheet1.xml"):
                far = b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'
                data = data.replace(b"</sheetData>", far)
            file.writestr(name, data)
    with pytest.raises(NotAnExam, match="cannot be read as a workbook"):
        read_exam(bomb.getvalue(), "bomb.xlsx")


@pytest.mark.parametrize("cut", [40, 400, 3000])
def test_a_damaged_workbook_is_refused_in_one_sentence(cut: int) -> None:
    with pytest.raises(NotAnExam):
        read_exam(workbook([["Question", "Answer"], ["Sum?", 4]])[:-cut], "cut.xlsx")


def test_a_text_with_commas_is_no_sheet() -> None:
    assert len(read_exam(b"Question, answer and all?{T}", "x.gift").exam.questions) == 1


# --- writing


@pytest.mark.parametrize("target", [Target.CSV, Target.XLSX])
def test_what_a_sheet_can_hold_is_read_back_equal(target: Target) -> None:
    exam = template()
    written = write(exam, target)
    assert [finding.message for finding in written.findings] == []
    back = read_exam(written.data, f"template.{target}").exam
    assert write(back, target).findings == ()
    assert [right(question) for question in back.questions] == [right(question) for question in exam.questions]


def test_a_sheet_never_holds_a_formula_and_names_what_it_cannot_hold() -> None:
    risky = Question(QuestionType.SINGLE, "=1+1", (Option("+a", correct=True), Option("-b"), Option("@c")))
    gaps = Question(QuestionType.GAPS, "[[1]]", texts=(TextKey("a", 1),))
    long = Question(QuestionType.ESSAY, "x" * 40_000)
    written = write(Exam("T", (Section("", (risky, gaps, long)),)), Target.CSV)
    assert "'=1+1,multiple choice,'+a,'-b,'@c" in written.data.decode("utf-8-sig")
    assert [finding.message for finding in written.findings] == [
        "A CSV sheet cannot hold a question of this type or size. It was left out."
    ] * 2
    assert read_exam(written.data, "t.csv").exam.questions[0].html == "=1+1"


def test_headings_without_spaces_are_read() -> None:
    for head in ("questionText,optionA,optionB,correct", "question_text,option_a,option_b,correct_letter",
                 "TEXT, ANSWER_1,ANSWER_2,CORRECT_ANSWERS,TYPE"):  # fmt: skip
        exam = read_exam(f"{head}\nQ?,x,y,b,\n".encode(), "sheet.csv").exam
        assert [option.correct for option in exam.questions[0].options] == [False, True]


def test_columns_of_truth_and_of_numbers_hold_the_key() -> None:
    truth = one("questionText,trueFalseAnswer\nIs ice cold?,true\n")
    assert right(truth) == ["True"]
    number = one("questionText,numericValue,numericTolerance\nHalf-life?,10.0,0.2\n")
    assert number.numbers == (NumericKey(D("9.8"), D("10.2")),)
    exact = one("Question,Answer,Tolerance\nHow many?,7,\n")
    assert exact.numbers == (NumericKey(D(7), D(7)),)


def test_a_tolerance_that_is_no_number_is_named() -> None:
    (warning,) = read("Question,Answer,Tolerance\nHow many?,7,some\n").findings
    assert "“some” is not a tolerance." in warning.message


def test_a_row_of_pairs_is_an_error_that_names_the_column() -> None:
    sheet = "type,questionText,answer,matchingPairs\nMATCHING,Match.,,L=R;M=S\nSHORT,Who?,Ada,\n"
    reading = read_exam(sheet.encode(), "pairs.csv")
    assert [question.html for question in reading.exam.questions] == ["Who?"]
    why = "The pairs in its column “matchingPairs” cannot be read. Write matches in YAML or GIFT."
    assert [(error.line, error.message) for error in reading.errors] == [(2, f"The question was left out. {why}")]
