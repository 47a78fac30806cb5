"""The rows of an exam from the model of `banks`, for every store that keeps them."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final, Protocol

from lms_tui.banks import model
from lms_tui.banks.choices import html_with_choices, keeps_place
from lms_tui.service.core.slugs import slug_of
from lms_tui.service.core.text import storable

_NOT_A_SLUG: Final = frozenset({"available", "upcoming", "history", "attempts", ""})
_MAX_LINE: Final = 300

Row = dict[str, Any]
"""The values of a row by the names of their columns, as the classes of the tables take them."""


class RowStore(Protocol):
    """Keeps rows in the tables of the database."""

    def add(self, table: str, row: Row) -> int:
        """Keep a row, and return its ID."""

    def add_all(self, table: str, rows: Sequence[Row]) -> None:
        """Keep rows that have the same columns."""

    def find_subject(self, name: str, parent: int | None) -> int | None:
        """Return the ID of a subject, None if there is none."""

    def question_ids(self, exam_id: int) -> Sequence[int]:
        """Return the IDs of the questions of an exam, in their order."""


def exam_row(exam: model.Exam) -> Row:
    """Return what a file says about an exam. Raises ValueError for one without questions."""
    if not exam.questions:
        raise ValueError("an exam needs at least one question")
    return {
        "title": _line(exam.title),
        "description": storable(exam.description_html),
        "language": exam.language[:35],
        "duration": duration_of(exam),
        **_marks(exam),
        "number_of_questions": exam.asked,
        "picks": list(exam.picks),
        "allow_retake": exam.allow_retake,
        "max_retakes": exam.max_retakes,
        "enable_ranks": exam.enable_ranks,
        "show_answers": exam.show_answers,
        "answers_after_closing": exam.answers_after_closing,
        "immediate_feedback": exam.immediate_feedback,
        "calculator": exam.calculator,
        "reference_sheet": storable(exam.reference_html),
        "allow_preemptive_section_ending": exam.allow_preemptive_section_ending,
    }


def exam_slug(text: str) -> str:
    """Return a slug for a text. It is never a word that the API uses in paths."""
    base = slug_of(text)
    return f"exam-{base}".strip("-") if base in _NOT_A_SLUG else base


def duration_of(exam: model.Exam) -> timedelta | None:
    """Return the duration of the exam, or the sum of its sections if all have one."""
    if exam.duration:
        return exam.duration
    sections = [section.duration for section in exam.sections if section.questions]
    return sum((given for given in sections if given), timedelta()) if all(sections) else None


def content_digest(question: model.Question) -> str:
    """Return a digest of what a student reads, by which a question is known again in another exam."""
    shown = (question.kind, question.direction_html, question.html, [option.html for option in question.options])
    return hashlib.sha256(repr((*shown, question.pairs, question.gap_choices)).encode()).hexdigest()


def add_questions(store: RowStore, exam: model.Exam, exam_id: int) -> None:
    """Keep the sections and all questions of an exam, in a few statements."""
    shared = _Shared(store, exam_id)
    questions, rows = [], []
    for order, section in enumerate((part for part in exam.sections if part.questions), start=1):
        section_id = store.add("exam_sections", _section(section) | {"exam_id": exam_id, "order": order})
        for question in section.questions:
            questions.append(question)
            rows.append(_question(question, exam, shared, section_id=section_id, order=len(questions)))
    store.add_all("questions", rows)
    ids = store.question_ids(exam_id)
    for table, keys in (("options", _options), ("numeric_keys", _numbers), ("text_keys", _texts), ("pairs", _pairs)):
        found = [
            {"question_id": id_, **key} for id_, question in zip(ids, questions, strict=True) for key in keys(question)
        ]
        if found:
            store.add_all(table, found)


@dataclass(slots=True)
class _Shared:
    """The passages and subjects that questions of one exam share."""

    store: RowStore
    exam_id: int
    passages: dict[str, int] = field(default_factory=dict)
    subjects: dict[tuple[str, ...], int] = field(default_factory=dict)

    def passage(self, html: str) -> int | None:
        if not html:
            return None
        if html not in self.passages:
            self.passages[html] = self.store.add("passages", {"exam_id": self.exam_id, "html": storable(html)})
        return self.passages[html]

    def subject(self, path: tuple[str, ...]) -> int | None:
        if not path:
            return None
        if path not in self.subjects:
            name, parent = _line(path[-1]), self.subject(path[:-1])
            found = self.store.find_subject(name, parent)
            row = {"name": name, "parent_id": parent}
            self.subjects[path] = self.store.add("subjects", row) if found is None else found
        return self.subjects[path]


def _section(section: model.Section) -> Row:
    return {
        "name": _line(section.name),
        "duration": section.duration or None,
        "cut_off": section.cut_off,
        "instructions": storable(section.instructions_html),
    }


def _question(question: model.Question, exam: model.Exam, shared: _Shared, *, section_id: int, order: int) -> Row:
    return {
        "exam_id": shared.exam_id,
        "section_id": section_id,
        "passage_id": shared.passage(question.direction_html),
        "subject_id": shared.subject(question.subject),
        "order": order,
        "kind": question.kind.value,
        "title": _line(question.title),
        "html": storable(html_with_choices(question)),
        "explanation_html": storable(question.explanation_html),
        "marks": exam.marks_of(question),
        "negative_marks": exam.cost_of(question),
        "is_bonus": False,
        "language": question.language[:35],
        "identifier": _line(question.identifier),
        "essay_topics": [storable(topic) for topic in question.essay_topics],
        "tags": [storable(tag) for tag in question.tags],
        "rubric": _rubric(question, exam),
        "file_types": list(question.file_types),
        "most_files": question.most_files,
        "pool": question.pool,
        "content_digest": content_digest(question) if question.pool else "",
        "gap_choices": [[storable(text) for text in offered] for offered in question.gap_choices],
    }


def _rubric(question: model.Question, exam: model.Exam) -> list[Row]:
    """Return the criteria, or none where a draw gives the question other marks than its points add up to."""
    if sum(each.points for each in question.rubric) != exam.marks_of(question):
        return []
    return [{"criterion": _line(each.name), "points": f"{each.points.normalize():f}"} for each in question.rubric]


def _options(question: model.Question) -> Iterator[Row]:
    for order, option in enumerate(question.options, start=1):
        yield {
            "order": order,
            "html": storable(option.html),
            "is_correct": option.correct,
            "weight": option.weight,
            "feedback_html": storable(option.feedback_html),
            "is_fixed": keeps_place(option),
        }


def _numbers(question: model.Question) -> Iterator[Row]:
    for key in question.numbers:
        feedback = storable(key.feedback_html)
        yield {"low": key.low, "high": key.high, "gap": key.gap, "weight": key.weight, "feedback_html": feedback}


def _texts(question: model.Question) -> Iterator[Row]:
    for key in question.texts:
        yield {
            "text": storable(key.text),
            "gap": key.gap,
            "case_sensitive": key.case_sensitive,
            "weight": key.weight,
            "feedback_html": storable(key.feedback_html),
        }


def _pairs(question: model.Question) -> Iterator[Row]:
    for order, pair in enumerate(question.pairs, start=1):
        yield {"order": order, "left_html": storable(pair.left_html), "right": storable(pair.right)}


def _marks(exam: model.Exam) -> Row:
    """Return the marks of the exam. Where all questions have the same marks, these are the exam's."""
    found = {(exam.marks_of(question), exam.cost_of(question)) for question in exam.questions}
    same = len(found) == 1
    marks, cost = found.pop() if same else (exam.mark_per_question, abs(exam.negative_marks))
    return {"mark_per_question": marks, "negative_marks": cost, "variable_mark_per_question": not same}


def _line(text: str) -> str:
    return " ".join(storable(text).split())[:_MAX_LINE]
