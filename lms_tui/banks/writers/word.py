"""Write an exam as a Word document: the paper, and its key on a separate page."""

import re
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import Final

from lms_tui.banks.collect import sections_by_subject
from lms_tui.banks.model import Exam, Question
from lms_tui.banks.sheets.rows import answered
from lms_tui.banks.texts import digits, plain
from lms_tui.banks.writers.markdown import key_line
from lms_tui.banks.writers.word_text import Texts, line_of_text
from lms_tui.common.cleaning import clean_line
from lms_tui.wire.question_types import QuestionType

_LETTERS: Final = "ABCDEFGHIJ"
_HELD: Final = frozenset(
    {QuestionType.SINGLE, QuestionType.MULTIPLE, QuestionType.SHORT, QuestionType.NUMERIC, QuestionType.ESSAY}
)
_DOUBTFUL: Final = re.compile(r"[\W\d]|\w\b|essay\Z", re.IGNORECASE)
"""The beginning of a text that could be read as letters, as a number or as the type of the question."""
_SPACES: Final = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"'
)
_OFFICE: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE: Final = "http://schemas.openxmlformats.org/package/2006"
_HEAD: Final = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_STYLES: Final = (
    ("Title", "Title", '<w:spacing w:after="240"/>', '<w:b/><w:sz w:val="40"/>'),
    ("Subtitle", "Subtitle", '<w:spacing w:after="240"/>', ""),
    ("SectionHeading", "Section heading",
     '<w:keepNext/><w:spacing w:before="360" w:after="120"/><w:outlineLvl w:val="0"/>', '<w:b/><w:sz w:val="28"/>'),
    ("Quote", "Quote", '<w:spacing w:before="120" w:after="120"/><w:ind w:left="360" w:right="360"/>', ""),
    ("Question", "Question", '<w:keepNext/><w:spacing w:before="240" w:after="60"/>', ""),
    ("QuestionText", "Question text", '<w:keepNext/><w:spacing w:after="60"/>', ""),
    ("Option", "Option", '<w:spacing w:after="40"/><w:ind w:left="720" w:hanging="360"/>', ""),
    ("Points", "Points", '<w:spacing w:after="40"/><w:ind w:left="720"/>', ""),
    ("AnswerKeys", "Answer keys", '<w:keepNext/><w:spacing w:after="240"/>', '<w:b/><w:sz w:val="28"/>'),
    ("AnswerKey", "Answer key", '<w:spacing w:before="120"/>', ""),
    ("Explanation", "Explanation", '<w:ind w:left="360"/>', ""),
)  # fmt: skip
"""Id, name, and the properties of paragraphs and letters."""


def write_word(exam: Exam) -> tuple[bytes, tuple[int, ...]]:
    """Return the document and the numbers of the questions that it cannot hold."""
    paper = _Paper(Texts())
    paper.write(exam)
    body = "".join(paper.body)
    members = {
        "[Content_Types].xml": _types(paper.texts.members),
        "_rels/.rels": _relations([("rId1", f"{_OFFICE}/officeDocument", "word/document.xml")]),
        "word/document.xml": f"{_HEAD}<w:document {_SPACES}><w:body>{body}<w:sectPr/></w:body></w:document>",
        "word/styles.xml": _styles(),
        "word/_rels/document.xml.rels": _relations(
            [
                ("rId1", f"{_OFFICE}/styles", "styles.xml"),
                *((name, f"{_OFFICE}/image", f"media/{file}") for name, file in paper.texts.relations),
            ]
        ),
    }
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w") as package:
        for name, text in members.items():
            package.writestr(zipfile.ZipInfo(name), text.encode("utf-8", "replace"), zipfile.ZIP_DEFLATED)
        for file, data in paper.texts.members.items():
            package.writestr(zipfile.ZipInfo(f"word/media/{file}"), data)
    return stream.getvalue(), tuple(paper.left_out)


@dataclass(slots=True)
class _Paper:
    texts: Texts
    body: list[str] = field(default_factory=list)
    left_out: list[int] = field(default_factory=list)

    def write(self, exam: Exam) -> None:
        named = exam.sections != sections_by_subject(exam.questions)
        self._line("Title", exam.title)
        if exam.description_html:
            self._lines("Subtitle", exam.description_html)
        keys: list[tuple[int, Question]] = []
        number, passage = 0, ""
        for section in exam.sections:
            if named and section.name:
                self._line("SectionHeading", section.name)
                passage = ""
            for question in section.questions:
                number += 1
                if question.kind not in _HELD or len(question.options) > len(_LETTERS) or not _is_whole(question):
                    self.left_out.append(number)
                    continue
                if question.direction_html not in {"", passage}:
                    passage = question.direction_html
                    self._lines("Quote", passage)
                self._question(question, len(keys) + 1)
                keys.append((len(keys) + 1, question))
        self._key(keys)

    def _question(self, question: Question, number: int) -> None:
        self._lines("Question", question.html, f"{number}. ")
        for letter, option in zip(_LETTERS, question.options, strict=False):
            self._lines("Option", option.html, f"{letter}. ", one=True)
        if question.marks is not None:
            self._line("Points", f"Points: {digits(question.marks)}")

    def _key(self, keys: Sequence[tuple[int, Question]]) -> None:
        self.body.append('<w:p><w:r><w:br w:type="page"/></w:r></w:p>')
        self._line("AnswerKeys", "Answer key")
        for number, question in keys:
            self._line("AnswerKey", f"{number}. {clean_line(_key(question))}")
            if question.explanation_html:
                self._lines("Explanation", question.explanation_html, "Explanation: ", one=True)

    def _line(self, style: str, text: str) -> None:
        self.body.append(line_of_text(text, style))

    def _lines(self, style: str, html: str, before: str = "", *, one: bool = False) -> None:
        self.body += self.texts.paragraphs(html, style, before, one=one)


def _is_whole(question: Question) -> bool:
    """Return whether a question has a text and an answer, without which it could not be read again."""
    return bool(_key(question)) and bool(plain(question.html) or "<img" in question.html)


def _key(question: Question) -> str:
    """Return the letters of the right options, or the answer."""
    if question.options:
        return ", ".join(letter for letter, option in zip(_LETTERS, question.options, strict=False) if option.correct)
    key = key_line(question)
    if question.kind is not QuestionType.SHORT:
        return key
    doubtful = _DOUBTFUL.match(key) or answered(key, None)["kind"] is not question.kind
    return f"Answer (text): {key}" if doubtful else key


def _types(files: dict[str, bytes]) -> str:
    endings = sorted({file.rpartition(".")[2] for file in files})
    pictures = "".join(f'<Default Extension="{ending}" ContentType="image/{ending}"/>' for ending in endings)
    word = "application/vnd.openxmlformats-officedocument.wordprocessingml"
    return (
        f'{_HEAD}<Types xmlns="{_PACKAGE}/content-types">{pictures}'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/word/document.xml" ContentType="{word}.document.main+xml"/>'
        f'<Override PartName="/word/styles.xml" ContentType="{word}.styles+xml"/></Types>'
    )


def _relations(targets: Sequence[tuple[str, str, str]]) -> str:
    listed = "".join(f'<Relationship Id="{name}" Type="{kind}" Target="{target}"/>' for name, kind, target in targets)
    return f'{_HEAD}<Relationships xmlns="{_PACKAGE}/relationships">{listed}</Relationships>'


def _styles() -> str:
    return f"{_HEAD}<w:styles {_SPACES}>{''.join(_style_elements())}</w:styles>"


def _style_elements() -> Iterator[str]:
    yield '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>'
    for name, shown, lines, letters in _STYLES:
        yield (
            f'<w:style w:type="paragraph" w:styleId="{name}"><w:name w:val="{shown}"/><w:basedOn w:val="Normal"/>'
            f"<w:pPr>{lines}</w:pPr><w:rPr>{letters}</w:rPr></w:style>"
        )
