"""Print the questions of an exam, or an HTML page, with the layout of the app."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from string import ascii_uppercase
from typing import Final

from lms_tui.banks.choices import html_with_choices
from lms_tui.banks.file_options import AS_FOUND, FileOptions
from lms_tui.banks.model import Exam, Question, Section
from lms_tui.banks.report import keys
from lms_tui.banks.texts import digits
from lms_tui.common.cleaning import clean_line
from lms_tui.common.frozen import frozen
from lms_tui.common.reading import read_file
from lms_tui.common.user_errors import AdvisedError
from lms_tui.content.bidi import leave_words_to_terminal, turns_words
from lms_tui.content.cells import width as width_of
from lms_tui.content.html import parts_of
from lms_tui.content.images import EMBEDDED, Pictures, showing
from lms_tui.content.layout import layout
from lms_tui.content.lines import Line, Mark, Part, Run
from lms_tui.content.model import MathsStyle
from lms_tui.wire.question_types import QuestionType

_PREFIX: Final = 6
_NARROWEST: Final = 8
_CODES: Final = {Mark.BOLD: "1", Mark.DIM: "2", Mark.ITALIC: "3", Mark.UNDERLINE: "4", Mark.STRIKE: "9", Mark.LINK: "4"}


class CannotShowError(AdvisedError):
    """The exam cannot be shown."""


@frozen
class Look:
    """How questions are printed. With `keys`, also their correct answers, marks and explanations.

    With `colours`, bold text, underlines and pictures are printed. `draw` returns the sequence that draws a whole
    picture at the cursor. Its argument is the last row of the picture.
    """

    width: int = 80
    maths: MathsStyle = MathsStyle.TWO_DIMENSIONAL
    colours: bool = False
    pictures: Pictures = EMBEDDED
    draw: Callable[[Part], str] | None = None
    keys: bool = False


def shown(exam: Exam, look: Look, only: int = 0) -> Iterator[str]:
    """Yield the lines of every question, or of question `only`, counted from 1."""
    number = 0
    for section in exam.sections:
        if section.name and not only:
            yield _text(Run(f"── {clean_line(section.name)} ──", Mark.BOLD), look)
            yield ""
        for question in section.questions:
            number += 1
            if only in {0, number}:
                yield from _question(question, number, look)
                if look.keys:
                    yield from _key(question, exam, look)


def _options(question: Question, look: Look) -> Iterator[str]:
    for place, option in enumerate(question.options):
        letter = ascii_uppercase[place] if place < len(ascii_uppercase) else "+"
        filled = "x" if look.keys and option.correct else " "
        sign = f"[{filled}]" if question.kind is QuestionType.MULTIPLE else f"({filled})"
        yield from _indented(option.html, look, " " * _PREFIX, f"{letter} {sign} ")


def _question(question: Question, number: int, look: Look) -> Iterator[str]:
    label = "" if question.kind is QuestionType.SINGLE else question.kind.label
    yield _text(Run(f"Question {number}{f' · {label}' if label else ''}", Mark.BOLD), look)
    if question.direction_html.strip():
        yield from _indented(question.direction_html, look, "│ ")
    yield from _indented(html_with_choices(question), look)
    yield ""
    if question.rubric:
        yield f"  rubric: {', '.join(f'{clean_line(each.name)} {digits(each.points)}' for each in question.rubric)}"
    if question.kind is QuestionType.FILES:
        most = "1" if question.most_files == 1 else f"at most {question.most_files}"
        types = f"of these types: {', '.join(question.file_types)}" if question.file_types else "of any type"
        yield f"  files: {most}, {types}"
    yield from _options(question, look)
    for pair in question.pairs:
        if pair.left_html.strip():
            yield from _indented(pair.left_html, look, "  ", "? ")
    rights = sorted({clean_line(pair.right) for pair in question.pairs})
    if rights:
        yield _text(Run(f"  with: {' / '.join(rights)}"), look)
    yield ""


def _key(question: Question, exam: Exam, look: Look) -> Iterator[str]:
    """Yield the correct answers that are no options, the marks, feedback and the explanation."""
    if not question.options:
        told = "; ".join(keys(question, exact=True)) or "a person marks this"
        yield _text(Run(f"  key: {told}", Mark.BOLD), look)
    marks = exam.marks_of(question)
    cost = exam.cost_of(question)
    yield f"  marks: {digits(marks)}{f', a wrong answer costs {digits(cost)}' if cost else ''}"
    for place, option in enumerate(question.options):
        letter = ascii_uppercase[place] if place < len(ascii_uppercase) else "+"
        if option.weight is not None:
            yield f"  {letter}: {digits(option.weight * 100)} % of the marks"
        if option.feedback_html.strip():
            yield from _indented(option.feedback_html, look, "    ", f"  {letter}: ")
    if question.explanation_html.strip():
        yield from _indented(question.explanation_html, look, "    ", "  why: ")
    yield ""


def _indented(html: str, look: Look, lead: str = "", label: str = "") -> Iterator[str]:
    """Yield a text with a lead before each row. The label replaces the lead of the first row with text."""
    room = max(_NARROWEST, look.width - len(lead))
    waiting = bool(label)
    for line in _lines(html, room, look):
        labelled = waiting and line.base
        waiting = waiting and not labelled
        row = (label if labelled else lead) + "".join(_text(run, look) for run in line.runs)
        yield row + _pictures(line, len(lead), look)


def _pictures(line: Line, column: int, look: Look) -> str:
    """Return the sequence that draws the pictures ending in this row and restores the cursor.

    It makes a row below first, because a picture on the last row of a terminal scrolls the screen.
    """
    drawn = ""
    for run in line.runs:
        part = run.part
        if part is not None and part.row == part.rows - 1 and look.draw is not None:
            up = f"\x1b[{part.row}A" if part.row else ""
            right = f"\x1b[{column}C" if column else ""
            drawn += f"\x1b7{up}\r{right}{look.draw(part)}\x1b8"
        column += width_of(run.text)
    return f"\n\x1b[A{drawn}" if drawn else ""


def _lines(html: str, room: int, look: Look) -> Iterator[Line]:
    """Yield every line of a text, at least one for the label."""
    empty = True
    for document in parts_of(html):
        with showing(look.pictures if look.colours else None):
            lines = layout(document, room, look.maths)
        empty = empty and not lines
        yield from lines
    if empty:
        yield Line((), 0)


def _text(run: Run, look: Look) -> str:
    if not look.colours:
        return run.text
    codes = [code for mark, code in _CODES.items() if mark in run.marks]
    if run.colours is not None:
        codes += [
            f"{kind};2;{rgb >> 16};{rgb >> 8 & 255};{rgb & 255}"
            for kind, rgb in zip((38, 48), run.colours, strict=True)
        ]
    return f"\x1b[{';'.join(codes)}m{run.text}\x1b[0m" if codes else run.text


def opened(file: Path, options: FileOptions = AS_FOUND) -> Exam:
    """Read an exam file, or an HTML page as one question. Raises AdvisedError."""
    from lms_tui.banks.decoding import recoded
    from lms_tui.banks.reader import LARGEST, read_exam

    data = read_file(file, LARGEST)
    if file.suffix.lower() in {".html", ".htm", ".xhtml"}:
        text = recoded(data, options.encoding).decode("utf-8", "replace")
        return Exam(file.stem, (Section("", (Question(QuestionType.ESSAY, text),)),))
    return read_exam(data, file.name, options).exam


def show(
    exam: Exam,
    name: str = "The exam",
    *,
    question: int = 0,
    width: int = 0,
    maths: str = "",
    plain: bool = False,
    key: bool = False,
    write: Callable[[str], object] = print,
) -> int:
    """Print the questions, or the one of this number. `width`: columns, 0 for those of the terminal."""
    terminal = not plain and sys.stdout.isatty() and "NO_COLOR" not in os.environ
    style = MathsStyle(maths) if maths else MathsStyle.WORDS if plain else MathsStyle.TWO_DIMENSIONAL
    look = Look(width or min(shutil.get_terminal_size((80, 24)).columns, 100), style, terminal, keys=key)
    leave_words_to_terminal(turning=terminal and turns_words(os.environ))
    count = len(exam.questions)
    if not count:
        raise CannotShowError(f"{clean_line(name)} has no questions.", "Run `lms-tui exam check` to see why.")
    if question > count:
        total = "1 question" if count == 1 else f"{count} questions"
        raise CannotShowError(f"There is no question {question}.", f"The exam has {total}.")
    if not terminal:
        for line in shown(exam, look, question):
            write(line)
        return 0
    from lms_tui.commands.show_pictures import ShownPictures

    with ShownPictures(os.environ, formulas=style is MathsStyle.PICTURE) as pictures:
        for line in shown(exam, replace(look, pictures=pictures, draw=pictures.draw), question):
            write(line)
    return 0
