from datetime import datetime
from typing import Any

from lms_tui.service.core.database.tables import Exam
from lms_tui.service.core.urls import Urls
from lms_tui.wire import exams as wire


def exam_fields(exam: Exam, urls: Urls, now: datetime) -> dict[str, Any]:
    """Return the fields of an exam, whose course and sections must be loaded."""
    return {
        "url": urls.exam(exam.slug),
        "id": exam.id,
        "title": exam.title,
        "description": exam.description,
        "course": exam.course.name,
        "start_date": exam.start_date,
        "end_date": exam.end_date,
        "duration": exam.duration,
        "number_of_questions": exam.number_of_questions,
        "negative_marks": exam.negative_marks,
        "mark_per_question": exam.mark_per_question,
        "template_type": exam.template_type,
        "allow_retake": exam.allow_retake,
        "max_retakes": exam.max_retakes,
        "enable_ranks": exam.enable_ranks,
        "rank_publishing_date": exam.rank_publishing_date,
        "allow_pdf": exam.allow_pdf,
        "allow_question_pdf": exam.allow_question_pdf,
        "created": exam.created,
        "slug": exam.slug,
        "variable_mark_per_question": exam.variable_mark_per_question,
        "show_answers": exam.shows_answers(now),
        "allow_preemptive_section_ending": exam.allow_preemptive_section_ending,
        "sections": [
            wire.ExamSection(order=section.order, name=section.name, duration=section.duration, cut_off=section.cut_off)
            for section in exam.named_sections
        ],
        "immediate_feedback": exam.immediate_feedback,
        "categories": [],
    }


def exam_view(exam: Exam, urls: Urls, now: datetime) -> wire.Exam:
    return wire.Exam(**exam_fields(exam, urls, now))
