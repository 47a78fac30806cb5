"""Text files that are not UTF-8: told apart by their bytes, or asked for."""

import pytest

from lms_tui.banks.decoding import recoded
from lms_tui.banks.model import NotAnExam
from lms_tui.banks.reader import read_exam

JAPANESE = "日本の首都はどこですか。\nA. 東京とうきょう\nB. 大阪おおさか\nANSWER: A\n"
RUSSIAN = "Как называется столица страны?\nA. Москва\nB. Казань\nANSWER: A\n"
CHINESE = "中国的首都是哪里？这是一个很长的问题，请选择正确的答案。\nA. 北京\nB. 上海\nANSWER: A\n"
TAIWANESE = CHINESE.replace("国", "國").replace("这", "這").replace("个", "個").replace("长", "長")
TAIWANESE = TAIWANESE.replace("问题", "問題").replace("请选择", "請選擇")
KOREAN = "대한민국의 수도는 어디입니까?\nA. 서울\nB. 부산\nANSWER: A\n"
FRENCH = "Où est né Molière ?\nA. À Paris\nB. À Liège\nANSWER: A\n"


@pytest.mark.parametrize(
    ("text", "encoding", "named"),
    [
        (JAPANESE, "shift_jis", "Shift-JIS"),
        (JAPANESE, "euc_jp", "EUC-JP"),
        (RUSSIAN, "cp1251", "Windows-1251"),
        (CHINESE, "gb18030", "GB 18030"),
        (TAIWANESE, "big5", "Big5"),
        (KOREAN, "euc_kr", "EUC-KR"),
        (FRENCH, "cp1252", "Windows-1252"),
    ],
)
def test_the_encoding_of_a_text_is_told_by_its_bytes(text: str, encoding: str, named: str) -> None:
    reading = read_exam(text.encode(encoding), "quiz.txt")
    assert [f"{question.html}\n" for question in reading.exam.questions] == [text.partition("A. ")[0]]
    assert named in reading.findings[0].message


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.txt", "Which?\u200b\nA.\u200b one\nB.\xa0two\nANSWER:\xa0B\u200b\n"),
        ("a.csv", "Question,Option A,Option B,Correct answer\u200b\nWhich?,one,two\u200b,B\u200b\n"),
        ("a.gift", "Which? {\u200b~one\u200b =two}"),
        ("a.md", "1.\xa0Which?\n   - [ ] one\u200b\n   -\xa0[x]\xa0two\n"),
        ("t.txt", "1.\xa0Which?\na) one\n*b)\xa0two\u200b\n"),
        ("a.yaml", "questions:\n  - question: Which?\u200b\n    options: [one, {right: \u200btwo}]\n"),
    ],
)
def test_invisible_characters_of_pasted_text_hide_no_key(name: str, text: str) -> None:
    reading = read_exam(text.encode(), name)
    (question,) = reading.exam.questions
    assert (question.html, reading.findings) == ("Which?", ())
    assert [(option.html, option.correct) for option in question.options] == [("one", False), ("two", True)]


def test_an_unknown_encoding_is_an_error_and_can_be_named() -> None:
    data = "Ποια είναι η πρωτεύουσα;\nA. Αθήνα\nB. Πάτρα\nANSWER: A\n".encode("cp1253")
    assert [error.message.partition(".")[0] for error in read_exam(data, "quiz.txt").errors] == [
        "The encoding of the file is not known"
    ]
    reading = read_exam(recoded(data, "cp1253"), "quiz.txt")
    assert reading.findings == ()
    assert reading.exam.questions[0].html == "Ποια είναι η πρωτεύουσα;"
    with pytest.raises(NotAnExam):
        recoded(data, "utf-8")
