"""Write an exam in the YAML format of this program, which has every field of the model."""

from collections.abc import Sequence
from datetime import timedelta
from decimal import Decimal
from itertools import groupby
from typing import Any, Final

import yaml

from lms_tui.banks.model import BankDraw, Exam, NumericKey, Option, Question, Section, TextKey
from lms_tui.banks.texts import digits, span
from lms_tui.banks.yaml_exam import KINDS
from lms_tui.banks.yaml_values import AFTER_CLOSING
from lms_tui.wire.question_types import QuestionType

_TYPES: Final = {kind: name for name, kind in KINDS.items()}
_SHARED: Final = 2


class _Dumper(yaml.SafeDumper):  # type: ignore[misc] # PyYAML ships no types
    """Writes multi-line texts as blocks and never uses aliases."""

    def ignore_aliases(self, data: object) -> bool:
        del data
        return True


def _text(dumper: _Dumper, text: str) -> yaml.Node:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_Dumper.add_representer(str, _text)


def _settings(exam: Exam) -> dict[str, object]:
    """Return the settings of an exam. Those that are empty stay unsaid."""
    return {
        "title": exam.title,
        "slug": exam.slug,
        "description": exam.description_html,
        "format": "html",
        "language": exam.language,
        "duration": _duration(exam.duration) or ("none" if exam.says("duration") else ""),
        "marks": digits(exam.mark_per_question) if exam.says("mark_per_question") else "",
        "negative marks": digits(exam.negative_marks) if exam.says("negative_marks") else "",
        "retakes": _retakes(exam),
        "calculator": exam.calculator.value if exam.says("calculator") else "",
        "reference sheet": exam.reference_html,
        "show answers": _shown_answers(exam),
        "ranks": ("yes" if exam.enable_ranks else "no") if exam.says("enable_ranks") else "",
        "immediate feedback": "yes" if exam.immediate_feedback else "",
        "end sections early": "" if exam.allow_preemptive_section_ending else "no",
    }


def write_yaml(exam: Exam) -> bytes:
    """Write the exam. A passage that several questions share is written once."""
    passages = _passages(exam)
    tree = _filled({**_settings(exam), "passages": {name: text for text, name in passages.items()}})
    sections = [section for section in exam.sections if section.questions or section.draws]
    if len(sections) == 1 and sections[0] == Section("", sections[0].questions, draws=sections[0].draws):
        tree["questions"] = _questions(sections[0], passages, exam.picks)
    elif sections:
        tree["sections"] = [_section(section, passages, exam.picks) for section in sections]
    else:
        tree["questions"] = []
    dumped = yaml.dump(tree, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=110, encoding=None)
    return str(dumped).encode("utf-8", "replace")


def _filled(tree: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in tree.items() if value not in ("", [], {})}


def _passages(exam: Exam) -> dict[str, str]:
    counts: dict[str, int] = {}
    for question in exam.questions:
        if question.direction_html:
            counts[question.direction_html] = counts.get(question.direction_html, 0) + 1
    shared = [text for text, count in counts.items() if count >= _SHARED]
    return {text: f"passage {at}" for at, text in enumerate(shared, 1)}


def _section(section: Section, passages: dict[str, str], picks: Sequence[int]) -> dict[str, Any]:
    tree = _filled(
        {
            "name": section.name,
            "duration": _duration(section.duration),
            "cut off": str(section.cut_off) if section.cut_off else "",
            "instructions": section.instructions_html,
        }
    )
    return {**tree, "questions": _questions(section, passages, picks)}


def _questions(section: Section, passages: dict[str, str], picks: Sequence[int]) -> list[dict[str, Any]]:
    trees: list[dict[str, Any]] = []
    for pool, questions in groupby(section.questions, key=lambda question: question.pool):
        written = [_question(question, passages) for question in questions]
        trees += [{"pick": str(picks[pool - 1]), "questions": written}] if pool else written
    return trees + [_draw(draw) for draw in section.draws]


def _draw(draw: BankDraw) -> dict[str, Any]:
    given = {"subject": _subject(draw.subject), "tags": list(draw.tags)}
    marks = "" if draw.marks is None else digits(draw.marks)
    return {"pick": str(draw.count), "bank": draw.bank, **_filled({**given, "marks": marks})}


def _question(question: Question, passages: dict[str, str]) -> dict[str, Any]:
    tree: dict[str, Any] = {"question": question.html}
    answers = _answers(question)
    if not _inferred(question):
        answers = {"type": _TYPES[question.kind], **answers}
    return (
        tree
        | answers
        | _filled(
            {
                "title": question.title,
                "passage": passages.get(question.direction_html, question.direction_html),
                "explanation": question.explanation_html,
                "subject": _subject(question.subject),
                "marks": "" if question.marks is None else digits(question.marks),
                "negative marks": "" if question.negative_marks is None else digits(question.negative_marks),
                "language": question.language,
                "id": question.identifier,
                "tags": list(question.tags),
                "rubric": {each.name: digits(each.points) for each in question.rubric},
            }
        )
    )


def _inferred(question: Question) -> bool:
    """Return whether the answers determine the type of the question."""
    right = sum(option.correct for option in question.options)
    match question.kind:
        case QuestionType.SINGLE:
            return bool(question.options) and right <= 1
        case QuestionType.MULTIPLE:
            return right > 1
        case QuestionType.SHORT | QuestionType.GAPS:
            return bool(question.texts or question.numbers)
        case QuestionType.NUMERIC:
            return bool(question.numbers)
        case QuestionType.MATCH:
            return bool(question.pairs)
        case _:
            return True


def _answers(question: Question) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    match question.kind:
        case QuestionType.SINGLE | QuestionType.MULTIPLE:
            tree = {"options": [_option(option) for option in question.options]}
        case QuestionType.SHORT:
            tree = {"answer": [_text_key(key) for key in question.texts]}
        case QuestionType.NUMERIC:
            tree = {"number": [_numeric_key(key) for key in question.numbers]}
        case QuestionType.GAPS:
            tree = {"gaps": _gaps(question)}
        case QuestionType.MATCH:
            tree = {"match": [_filled({"left": pair.left_html}) | {"right": pair.right} for pair in question.pairs]}
        case QuestionType.FILES:
            tree = {"files": _files(question)}
        case QuestionType.ESSAY:
            tree = {"essay": "yes", "topics": list(question.essay_topics)}
    return _filled(tree)


def _files(question: Question) -> str | dict[str, Any]:
    most = "" if question.most_files == 1 else str(question.most_files)
    given = _filled({"types": [each.removeprefix(".") for each in question.file_types], "most": most})
    return given or "yes"


def _option(option: Option) -> str | dict[str, str]:
    weight = "" if option.weight is None else digits(option.weight)
    more = _filled({"weight": weight, "feedback": option.feedback_html, "fixed": "yes" if option.fixed else ""})
    if not option.correct and not more:
        return option.html
    return {"right" if option.correct else "wrong": option.html} | more


def _text_key(key: TextKey) -> str | dict[str, str]:
    more = _filled(
        {
            "weight": "" if key.weight == 1 else digits(key.weight),
            "case": "sensitive" if key.case_sensitive else "",
            "feedback": key.feedback_html,
        }
    )
    return {"text": key.text} | more if more else key.text


def _numeric_key(key: NumericKey) -> str | dict[str, str]:
    number = span(key.low, key.high)
    more = _filled({"weight": "" if key.weight == 1 else digits(key.weight), "feedback": key.feedback_html})
    return {"number": number} | more if more else number


def _gaps(question: Question) -> list[Any]:
    keyed = [key.gap for key in question.texts] + [key.gap for key in question.numbers]
    count = max(len(question.gap_choices), *keyed, 0)
    gaps: list[Any] = []
    for gap in range(1, count + 1):
        numbers = [_numeric_key(key) for key in question.numbers_of(gap)]
        if numbers:
            gaps.append({"number": numbers})
            continue
        keys = [_text_key(key) for key in question.texts_of(gap)]
        choices = question.choices_of(gap)
        gaps.append({"choices": list(choices), "answer": keys} if choices else keys)
    return gaps


def _subject(subject: tuple[str, ...]) -> str | list[str]:
    return list(subject) if any("/" in part for part in subject) else " / ".join(subject)


def _retakes(exam: Exam) -> str:
    if not exam.allow_retake:
        return "no"
    if exam.max_retakes is not None and exam.max_retakes < 0:
        return "unlimited"
    return "" if exam.max_retakes is None else str(exam.max_retakes)


def _shown_answers(exam: Exam) -> str:
    if not exam.show_answers:
        return "no"
    if exam.answers_after_closing:
        return AFTER_CLOSING
    return "yes" if exam.says("show_answers", "answers_after_closing") else ""


def _duration(duration: timedelta | None) -> str:
    if duration is None:
        return ""
    minutes, seconds = divmod(duration, timedelta(minutes=1))
    rest = Decimal(seconds // timedelta(microseconds=1)) / 1_000_000
    hours, minutes = divmod(minutes, 60)
    shown = f"{rest:09.6f}" if rest % 1 else f"{int(rest):02d}"
    return f"{hours}:{minutes:02d}:{shown}"
