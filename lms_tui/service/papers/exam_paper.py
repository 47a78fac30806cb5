"""An exam on paper: the questions in several versions, each with its answer sheet and its key."""

import html
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from hashlib import sha256
from typing import Final

from lms_tui.banks.asked import match_choices, match_html
from lms_tui.banks.choices import html_with_choices, keeps_place
from lms_tui.banks.model import Exam, Question, Section
from lms_tui.banks.texts import digits, letter, plain, span, unescaped
from lms_tui.common.frozen import frozen
from lms_tui.content.html import parse
from lms_tui.content.maths.strings import quoted
from lms_tui.service.attempts.drawing import Placed, drawn, option_order, shuffled
from lms_tui.service.papers.markup import Writer
from lms_tui.wire.question_types import QuestionType

_SIGNS: Final = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Signs of a version, without those that look alike."""
_LINES: Final = {QuestionType.ESSAY: 12, QuestionType.FILES: 1}
_HINTS: Final = {
    QuestionType.MULTIPLE: "Several answers can be right.",
    QuestionType.MATCH: "Write the letter that belongs to each row.",
    QuestionType.FILES: "Hand in a separate sheet with the number of the version.",
}


@frozen
class Version:
    """The exam in the order of one version. `name` is printed on each page of its paper, answer sheet and key."""

    name: str
    exam: Exam


def versions(exam: Exam, count: int) -> list[Version]:
    """Return versions of an exam. The first has the order of the file. The same file always gives the same versions.

    A version has other questions than the others if the exam draws them. Fixed options keep their places, and the
    questions of a passage stay together.
    """
    digest = sha256(repr(exam).encode("utf-8", "replace")).digest()
    return [
        Version(_name(digest, number), _version(exam, f"{digest.hex()} {number}", number)) for number in range(count)
    ]


def _name(digest: bytes, number: int) -> str:
    own = sha256(digest + bytes([number])).digest()
    return f"{letter(number)}-{''.join(_SIGNS[byte % len(_SIGNS)] for byte in own[:4])}"


def _version(exam: Exam, seed: str, number: int) -> Exam:
    questions = exam.questions
    passages = {text: at for at, text in enumerate(dict.fromkeys(each.direction_html for each in questions)) if text}
    home = [at for at, section in enumerate(exam.sections) for _ in section.questions]
    placed = [
        Placed(at, home[at], passages.get(question.direction_html), question.pool)
        for at, question in enumerate(questions)
    ]
    order = drawn(placed, exam.picks, {}, seed)
    if number:
        order = shuffled(order, seed)
    kept = [
        replace(section, questions=tuple(_mixed(questions[each.id], seed, each.id, number) for each in of_section))
        for at, section in enumerate(exam.sections)
        if (of_section := [each for each in order if each.section_id == at])
    ]
    return replace(exam, sections=tuple(kept))


def _mixed(question: Question, seed: str, at: int, number: int) -> Question:
    if not number:
        return question
    places = option_order(
        [(place, keeps_place(option)) for place, option in enumerate(question.options)], f"{seed} {at}"
    )
    return replace(question, options=tuple(question.options[place] for place in places))


# --- pages


@frozen
class Sheets:
    """The three documents of a version as Typst markup. `large`: for people who see little."""

    version: Version
    large: bool = False

    def paper(self, writer: Writer) -> str:
        exam = self.version.exam
        parts = [self._head("")]
        facts = [f"Time: {exam.duration}"] if exam.duration else []
        total = sum(map(exam.marks_of, exam.questions), Decimal(0))
        facts.append(f"Marks: {digits(total)}")
        if exam.negative_marks:
            facts.append(f"A wrong answer costs {digits(exam.negative_marks)}")
        parts.append(_line(" · ".join(facts)))
        parts += [_shaded(writer, text) for text in (exam.description_html, exam.reference_html) if text]
        number, passage = 0, ""
        for section in exam.sections:
            parts += _heading(section, writer)
            for question in section.questions:
                number += 1
                if question.direction_html not in {"", passage}:
                    parts.append(_shaded(writer, question.direction_html))
                passage = question.direction_html
                parts += _question(question, number, exam.marks_of(question), writer)
        return "\n".join(parts)

    def answers(self, _writer: Writer) -> str:
        """Return the sheet on which a student marks the answers."""
        parts = [self._head("Answer sheet"), "#block[Name: #box(width: 1fr, repeat[.])]"]
        for number, question in enumerate(self.version.exam.questions, 1):
            fields = "".join(_fields(question))
            parts.append(f"#block(breakable: false)[#box(width: 2.4em)[#strong[{number}]]{fields}]")
        return "\n".join(parts)

    def key(self, _writer: Writer) -> str:
        """Return the key with the marks of each question."""
        exam = self.version.exam
        rows = [
            f"[{number}], [#{quoted('; '.join(_key(question)))};], [#{quoted(digits(exam.marks_of(question)))};]"
            for number, question in enumerate(exam.questions, 1)
        ]
        head = "[*Question*], [*Key*], [*Marks*]"
        table = (
            f"#table(columns: (auto, 1fr, auto), stroke: 0.5pt + luma(150), table.header({head}), {', '.join(rows)});"
        )
        return "\n".join([self._head("Key"), table])

    def _head(self, what: str) -> str:
        size, leading = ("18pt", "0.95em") if self.large else ("11pt", "0.6em")
        name, title = quoted(f"Version {self.version.name}"), quoted(self.version.exam.title)
        told = quoted(f"{what} · Version {self.version.name}" if what else f"Version {self.version.name}")
        return f"""
#set page(paper: "a4", margin: 2cm, footer: context [#{name}; #h(1fr); #counter(page).display("1 / 1", both: true)])
#set text(size: {size}, hyphenate: false, font: ("Libertinus Serif", "Noto Sans Devanagari", "Noto Sans Tamil"))
#set block(spacing: 1em)
#set par(leading: {leading})
#set document(title: {title});
#block[#text(size: 1.4em)[#strong[#{title};]]]
#block[#strong[#{told};]]
"""


def _line(text: str) -> str:
    return f"#block[#{quoted(text)};]"


def _shaded(writer: Writer, text: str) -> str:
    return f"#block(width: 100%, inset: 0.6em, fill: luma(245))[{writer.document(parse(text))}]"


def _heading(section: Section, writer: Writer) -> Iterator[str]:
    if section.name:
        limit = f" ({section.duration})" if section.duration else ""
        yield f"#block(sticky: true, above: 1.6em)[#text(size: 1.2em)[#strong[#{quoted(section.name + limit)};]]]"
    if section.instructions_html:
        yield writer.document(parse(section.instructions_html))


def _question(question: Question, number: int, marks: Decimal, writer: Writer) -> Iterator[str]:
    unit = "mark" if marks == 1 else "marks"
    yield f"#block(sticky: true, above: 1.6em)[#strong[{number}] #h(1fr); #emph[#{quoted(f'{digits(marks)} {unit}')};]]"
    match question.kind:
        case QuestionType.MATCH:
            lefts = [pair.left_html for pair in question.pairs if pair.left_html]
            yield writer.document(parse(match_html(question.html, lefts)))
            yield _listed(match_choices(pair.right for pair in question.pairs), writer)
        case QuestionType.GAPS:
            yield writer.document(parse(html_with_choices(question)))
        case _:
            yield writer.document(parse(question.html))
    if question.options:
        yield _listed([option.html for option in question.options], writer)
    if question.essay_topics:
        yield _listed([html.escape(topic) for topic in question.essay_topics], writer)
    if question.kind in _HINTS:
        yield f"#block[#emph[#{quoted(_HINTS[question.kind])};]]"


def _listed(texts: list[str], writer: Writer) -> str:
    cells = ", ".join(
        f"[#{quoted(f'{letter(at)}.')};], [{writer.document(parse(text))}]" for at, text in enumerate(texts)
    )
    return f"#grid(columns: (auto, 1fr), column-gutter: 0.8em, row-gutter: 0.8em, {cells});"


def _fields(question: Question) -> Iterator[str]:
    """Yield the fields for the answer to a question on the answer sheet."""
    match question.kind:
        case QuestionType.SINGLE | QuestionType.MULTIPLE:
            for at in range(len(question.options)):
                inside = f"#set align(center + horizon); {letter(at)}"
                yield f"#box(baseline: 25%, circle(radius: 0.75em, stroke: 0.6pt)[{inside}])#h(0.6em);"
        case QuestionType.GAPS | QuestionType.MATCH:
            rows = sum(bool(pair.left_html) for pair in question.pairs) or len(_gaps(question))
            for at in range(1, rows + 1):
                yield f"{at}: #box(width: 6em, stroke: (bottom: 0.5pt))[#hide[x]]#h(1em);"
        case _:
            for _ in range(_LINES.get(question.kind, 1)):
                yield "#box(width: 1fr, stroke: (bottom: 0.5pt), inset: (top: 0.8em))[#hide[x]]#linebreak();"


def _gaps(question: Question) -> list[int]:
    return sorted({key.gap for key in question.texts} | {key.gap for key in question.numbers})


# --- keys


def _of_options(question: Question) -> Iterator[str]:
    for at, option in enumerate(question.options):
        if option.correct:
            yield letter(at)
        elif question.kind is QuestionType.SINGLE and (option.weight or 0) > 0:
            yield letter(at) + _share(option.weight)


def _key(question: Question) -> Iterator[str]:
    """Yield the answers that earn marks, with their share if it is not the whole."""
    match question.kind:
        case QuestionType.SINGLE | QuestionType.MULTIPLE:
            yield from _of_options(question)
        case QuestionType.MATCH:
            places = {plain(text): letter(at) for at, text in enumerate(match_choices(p.right for p in question.pairs))}
            for at, pair in enumerate((pair for pair in question.pairs if pair.left_html), 1):
                yield f"{at} {places.get(pair.right, pair.right)}"
        case QuestionType.ESSAY | QuestionType.FILES:
            yield "marked by hand"
        case _:
            for gap in _gaps(question):
                yield (f"{gap}: " if gap else "") + " | ".join(_of_gap(question, gap))


def _of_gap(question: Question, gap: int) -> Iterator[str]:
    for number in question.numbers_of(gap):
        if number.weight > 0:
            yield span(number.low, number.high) + _share(number.weight)
    for text in question.texts_of(gap):
        if text.weight > 0:
            yield unescaped(text.text) + _share(text.weight)


def _share(weight: Decimal | None) -> str:
    return "" if weight is None or weight == 1 else f" ({digits(round(weight * 100, 1))} %)"
