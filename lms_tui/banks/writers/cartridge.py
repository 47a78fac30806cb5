"""Write an exam as a Common Cartridge 1.1, whose questions are a small part of QTI 1.2."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from lms_tui.banks.model import Exam, Option, Question, TextKey
from lms_tui.banks.texts import digits, plain, unescaped
from lms_tui.banks.writers.package import packed
from lms_tui.banks.writers.xhtml import Files, escape, xhtml
from lms_tui.wire.question_types import QuestionType

_HEAD: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'
_SPACE: Final = "http://www.imsglobal.org/xsd"
_HELD: Final = frozenset({QuestionType.SINGLE, QuestionType.MULTIPLE, QuestionType.SHORT, QuestionType.ESSAY})
_OUTCOMES: Final = '<outcomes><decvar maxvalue="100" minvalue="0" varname="SCORE" vartype="Decimal"/></outcomes>'
_FULL: Final = '<setvar action="Set" varname="SCORE">100</setvar>'


def write_cartridge(exam: Exam) -> tuple[bytes, tuple[int, ...]]:
    """Return the package, and the numbers of the questions that it cannot hold."""
    quiz = _Quiz(exam)
    items = "".join(quiz.items())
    members = {
        "exam/assessment.xml": _assessment(exam, items).encode("utf-8", "replace"),
        "imsmanifest.xml": _manifest(exam, list(quiz.files.names.values())).encode("utf-8", "replace"),
        **{f"web_resources/{name}": data for data, name in quiz.files.names.items()},
    }
    return packed(members), tuple(quiz.left_out)


@dataclass(slots=True)
class _Quiz:
    exam: Exam
    files: Files = field(default_factory=Files)
    left_out: list[int] = field(default_factory=list)

    def items(self) -> Iterator[str]:
        for number, question in enumerate(self.exam.questions, 1):
            if question.kind not in _HELD or not all(_holds(key) for key in question.texts):
                self.left_out.append(number)
                continue
            yield self._item(question, number)

    def _item(self, question: Question, number: int) -> str:
        passage = f"<div>{question.direction_html}</div>" if question.direction_html else ""
        told = [
            (str(at), option.feedback_html) for at, option in enumerate(question.options, 1) if option.feedback_html
        ]
        rules = [_shown(_equal(name), f"{name}_fb") for name, _ in told]
        if question.explanation_html:
            rules.insert(0, _shown("<other/>", "general_fb"))
            told.insert(0, ("general", question.explanation_html))
        rules += [f'<respcondition continue="No"><conditionvar>{_key(question)}</conditionvar>{_FULL}</respcondition>']
        processing = f"<resprocessing>{_OUTCOMES}{''.join(rules)}</resprocessing>"
        worth = self.exam.marks_of(question)
        marks = {} if question.marks is None and worth == 1 else {"cc_weighting": digits(worth)}
        return (
            f'<item ident="{escape(question.identifier or f"q{number}")}" title="{escape(question.title)}">'
            f"<itemmetadata>{_fields({'cc_profile': f'cc.{_profile(question)}.v0p1', **marks})}</itemmetadata>"
            f"<presentation>{self._text(passage + question.html)}{self._response(question)}</presentation>"
            f"{'' if question.kind is QuestionType.ESSAY and not told else processing}"
            f"{''.join(self._feedback(name, html) for name, html in told)}</item>\n"
        )

    def _response(self, question: Question) -> str:
        if not question.options:
            return '<response_str ident="response" rcardinality="Single"><render_fib prompt="Dashline"/></response_str>'
        labels = "".join(
            f'<response_label ident="{at}">{self._text(option.html)}</response_label>'
            for at, option in enumerate(question.options, 1)
        )
        cardinality = "Multiple" if question.kind is QuestionType.MULTIPLE else "Single"
        choice = f"<render_choice>{labels}</render_choice>"
        return f'<response_lid ident="response" rcardinality="{cardinality}">{choice}</response_lid>'

    def _feedback(self, name: str, html: str) -> str:
        return f'<itemfeedback ident="{name}_fb"><flow_mat>{self._text(html)}</flow_mat></itemfeedback>'

    def _text(self, html: str) -> str:
        written = xhtml(self.files.take_out(html, lambda name: f"$IMS-CC-FILEBASE$/{name}"))
        return f'<material><mattext texttype="text/html">{escape(written)}</mattext></material>'


def _holds(key: TextKey) -> bool:
    """Return whether a key is a text, or a text that the answer only has to contain."""
    return "*" not in _inside(key).replace(r"\*", "") and key.weight == 1


def _is_part(key: TextKey) -> bool:
    text = key.text
    return len(text) > 2 and text.startswith("*") and text.endswith("*") and not text.endswith(r"\*")


def _inside(key: TextKey) -> str:
    return key.text[1:-1] if _is_part(key) else key.text


def _profile(question: Question) -> str:
    match question.kind:
        case QuestionType.SINGLE if [plain(option.html) for option in question.options] == ["True", "False"]:
            return "true_false"
        case QuestionType.SINGLE:
            return "multiple_choice"
        case QuestionType.MULTIPLE:
            return "multiple_response"
        case QuestionType.ESSAY:
            return "essay"
        case _:
            return "pattern_match" if any(map(_is_part, question.texts)) else "fib"


def _key(question: Question) -> str:
    if question.texts:
        return "".join(
            _equal(
                escape(unescaped(_inside(key))),
                "varsubstring" if _is_part(key) else "varequal",
                f' case="{"Yes" if key.case_sensitive else "No"}"',
            )
            for key in question.texts
        )
    if question.kind is QuestionType.MULTIPLE:
        return f"<and>{''.join(_part(at, option) for at, option in enumerate(question.options, 1))}</and>"
    return "".join(_equal(str(at)) for at, option in enumerate(question.options, 1) if option.correct) or "<other/>"


def _part(at: int, option: Option) -> str:
    return _equal(str(at)) if option.correct else f"<not>{_equal(str(at))}</not>"


def _equal(value: str, way: str = "varequal", case: str = "") -> str:
    return f'<{way} respident="response"{case}>{value}</{way}>'


def _shown(condition: str, name: str) -> str:
    told = f'<displayfeedback feedbacktype="Response" linkrefid="{name}"/>'
    return f'<respcondition continue="Yes"><conditionvar>{condition}</conditionvar>{told}</respcondition>'


def _fields(entries: dict[str, str]) -> str:
    written = "".join(
        f"<qtimetadatafield><fieldlabel>{name}</fieldlabel><fieldentry>{value}</fieldentry></qtimetadatafield>"
        for name, value in entries.items()
    )
    return f"<qtimetadata>{written}</qtimetadata>"


def _assessment(exam: Exam, items: str) -> str:
    entries = {"cc_profile": "cc.exam.v0p1", "qmd_assessmenttype": "Examination", "qmd_scoretype": "Percentage"}
    if exam.duration:
        entries["qmd_timelimit"] = f"{exam.duration.total_seconds() / 60:g}"
    return (
        f'{_HEAD}<questestinterop xmlns="{_SPACE}/ims_qtiasiv1p2"><assessment ident="exam" '
        f'title="{escape(exam.title)}">{_fields(entries)}\n<section ident="root_section">\n{items}</section>'
        "</assessment></questestinterop>\n"
    )


def _manifest(exam: Exam, pictures: list[str]) -> str:
    title = escape(exam.title)
    files = "".join(
        f'<resource identifier="picture{at}" type="webcontent" href="web_resources/{escape(name)}">'
        f'<file href="web_resources/{escape(name)}"/></resource>\n'
        for at, name in enumerate(pictures, 1)
    )
    needed = "".join(f'<dependency identifierref="picture{at}"/>' for at in range(1, len(pictures) + 1))
    named = f"<lomimscc:general><lomimscc:title><lomimscc:string>{title}</lomimscc:string></lomimscc:title>"
    return (
        f'{_HEAD}<manifest identifier="cartridge" xmlns="{_SPACE}/imsccv1p1/imscp_v1p1" '
        'xmlns:lomimscc="http://ltsc.ieee.org/xsd/imsccv1p1/LOM/manifest">\n'
        "<metadata><schema>IMS Common Cartridge</schema><schemaversion>1.1.0</schemaversion>"
        f"<lomimscc:lom>{named}</lomimscc:general></lomimscc:lom></metadata>\n"
        '<organizations><organization identifier="organization" structure="rooted-hierarchy"><item identifier="root">'
        f'<item identifier="entry" identifierref="exam"><title>{title}</title></item></item></organization>'
        '</organizations>\n<resources><resource identifier="exam" type="imsqti_xmlv1p2/imscc_xmlv1p1/assessment">'
        f'<file href="exam/assessment.xml"/>{needed}</resource>\n{files}</resources></manifest>\n'
    )
