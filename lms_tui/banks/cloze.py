"""Read Moodle's embedded answers: `{1:SHORTANSWER:=Berlin~%50%Bonn#nearly}` inside a text."""

import html
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from lms_tui.banks.model import NumericKey, Option, TextKey
from lms_tui.banks.texts import BLANK, literal, number, plain
from lms_tui.banks.unreadable import Unreadable
from lms_tui.common.frozen import frozen
from lms_tui.wire.question_types import QuestionType

_OPENER: Final = re.compile(
    r"\{\s*(\d{0,4})\s*:\s*(MULTICHOICE|MC|MCV|MCH|MCS|MCVS|MCHS|MULTICHOICE_[VHS]{1,2}|MULTIRESPONSE|MULTIRESPONSE_[HS]{1,2}"
    r"|MR|MRH|MRS|MRHS|NUMERICAL|NM|SHORTANSWER|SA|MW|SHORTANSWER_C|SAC|MWC)\s*:"
)
_PERCENT: Final = re.compile(r"\s*%\s*(-?\d+(?:[.,]\d*)?)\s*%")
_ESCAPE: Final = re.compile(r"\\([}~#=/\\\"{%])")
_LONGEST: Final = 20_000


@frozen
class Answer:
    text: str
    weight: Decimal
    feedback: str = ""


@frozen
class Part:
    """An embedded question. `sort` is `choice`, `several`, `number` or `text`."""

    sort: str
    marks: Decimal
    answers: tuple[Answer, ...]
    case_sensitive: bool = False

    @property
    def right(self) -> tuple[Answer, ...]:
        return tuple(answer for answer in self.answers if answer.weight > 0)


@frozen
class Cloze:
    """A text with embedded answers. `html` has a gap `[[n]]` for each part, or a blank for a single part."""

    kind: QuestionType
    html: str
    marks: Decimal
    options: tuple[Option, ...] = ()
    numbers: tuple[NumericKey, ...] = ()
    texts: tuple[TextKey, ...] = ()
    gap_choices: tuple[tuple[str, ...], ...] = ()
    warnings: tuple[str, ...] = ()


def read_cloze(text: str) -> Cloze:
    """Read a text with embedded answers. Raises Unreadable if it has none or one is broken."""
    stem: list[str] = []
    parts: list[Part] = []
    at = 0
    while found := _OPENER.search(text, at):
        end = _end(text, found.end())
        parts.append(_part(found, text[found.end() : end]))
        stem += (text[at : found.start()], f"[[{len(parts)}]]")
        at = end + 1
    if not parts:
        raise Unreadable("Its text has no embedded answer.")
    stem.append(text[at:])
    return _single("".join(stem), parts[0]) if len(parts) == 1 else _several("".join(stem), parts)


def _end(text: str, start: int) -> int:
    for found in re.compile(r"\\.|\}", re.DOTALL).finditer(text, start, start + _LONGEST):
        if found[0] == "}":
            return found.start()
    raise Unreadable("An embedded answer is not closed with }.")


def _part(found: "re.Match[str]", body: str) -> Part:
    name = found[2]
    match name:
        case "NUMERICAL" | "NM":
            sort = "number"
        case "SHORTANSWER" | "SA" | "MW" | "SHORTANSWER_C" | "SAC" | "MWC":
            sort = "text"
        case _:
            sort = "several" if name.startswith(("MR", "MULTIR")) else "choice"
    answers = tuple(_answers(body))
    if not any(answer.weight > 0 for answer in answers):
        raise Unreadable("An embedded answer has no correct answer.")
    return Part(sort, Decimal(found[1] or 1), answers, name in {"SHORTANSWER_C", "SAC", "MWC"})


def _answers(body: str) -> Iterator[Answer]:
    for written in _cut(body, "~"):
        text, _, feedback = _halved(written, "#")
        weight = Decimal(0)
        text = text.strip()
        if text.startswith("="):
            weight, text = Decimal(1), text[1:]
        elif percent := _PERCENT.match(text):
            weight, text = Decimal(percent[1].replace(",", ".")) / 100, text[percent.end() :]
        yield Answer(_shown(text), weight, _shown(feedback))


def _cut(body: str, mark: str) -> list[str]:
    """Split at a separator that is neither escaped nor part of an entity."""
    pieces, start = [], 0
    for found in re.finditer(rf"\\.|&#?\w{{1,10}};|{mark}", body, re.DOTALL):
        if found[0] == mark:
            pieces.append(body[start : found.start()])
            start = found.end()
    return [piece for piece in [*pieces, body[start:]] if piece.strip()]


def _halved(text: str, mark: str) -> tuple[str, str, str]:
    for found in re.finditer(rf"\\.|&#?\w{{1,10}};|{mark}", text, re.DOTALL):
        if found[0] == mark:
            return text[: found.start()], mark, text[found.end() :]
    return text, "", ""


def _shown(text: str) -> str:
    return _ESCAPE.sub(r"\1", text).strip()


def _single(stem: str, part: Part) -> Cloze:
    """Read a single embedded answer as an ordinary question with a blank."""
    kept = stem.replace("[[1]]", BLANK).strip()
    match part.sort:
        case "choice" | "several":
            several = part.sort == "several"
            options = tuple(
                Option(
                    answer.text,
                    answer.weight > 0 if several else answer.weight >= 1,
                    answer.weight if answer.weight and (several or answer.weight < 1) else None,
                    answer.feedback,
                )
                for answer in part.answers
            )
            return Cloze(QuestionType.MULTIPLE if several else QuestionType.SINGLE, kept, part.marks, options=options)
        case "number":
            return Cloze(QuestionType.NUMERIC, kept, part.marks, numbers=tuple(_numbers(part, 0)))
        case _:
            return Cloze(QuestionType.SHORT, kept, part.marks, texts=tuple(_texts(part, 0)))


def _numbers(part: Part, gap: int) -> Iterator[NumericKey]:
    for answer in part.right:
        value, reach = _toleranced(answer.text)
        yield NumericKey(value - reach, value + reach, answer.weight, answer.feedback, gap)


def _toleranced(text: str) -> tuple[Decimal, Decimal]:
    written, _, within = html.unescape(text).partition(":")
    value, reach = number(written), number(within or "0")
    if value is None or reach is None:
        raise Unreadable(f"“{plain(text)[:40]}” in an embedded answer is not a number.")
    return value, abs(reach)


def _texts(part: Part, gap: int) -> Iterator[TextKey]:
    for answer in part.right:
        text = plain(answer.text)
        weight = Decimal(1) if part.sort == "several" else answer.weight
        yield TextKey(text if part.sort == "text" else literal(text), gap, part.case_sensitive, weight, answer.feedback)


def _several(stem: str, parts: list[Part]) -> Cloze:
    keys: list[TextKey] = []
    numbers: list[NumericKey] = []
    choices: list[tuple[str, ...]] = []
    warnings: list[str] = []
    for gap, part in enumerate(parts, 1):
        choices.append(
            tuple(plain(answer.text) for answer in part.answers) if part.sort in {"choice", "several"} else ()
        )
        if part.sort == "several":
            warnings.append(f"Gap {gap} asks for several answers. Here one of them is enough.")
        if part.sort == "number":
            numbers += _numbers(part, gap)
            continue
        keys += _texts(part, gap)
    if len({part.marks for part in parts}) > 1:
        warnings.append("The gaps have different marks. Here they all count the same.")
    if any(answer.feedback for part in parts for answer in part.answers if answer.weight <= 0):
        warnings.append("Feedback to incorrect answers in gaps was left out.")
    return Cloze(
        QuestionType.GAPS,
        stem.strip(),
        sum((part.marks for part in parts), Decimal(0)),
        numbers=tuple(numbers),
        texts=tuple(keys),
        gap_choices=tuple(choices) if any(choices) else (),
        warnings=tuple(warnings),
    )
