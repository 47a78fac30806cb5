from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from lms_tui.service.core.urls import Urls
from lms_tui.service.exams.retakes import AttemptCounts
from lms_tui.service.exams.rows import AccommodationRow, ExamRow
from lms_tui.service.exams.time_limits import own_time
from lms_tui.wire import exams as wire

if TYPE_CHECKING:
    from lms_tui.service.core.database.tables import Accommodation, Exam


def exam_fields(exam: "Exam | ExamRow", urls: Urls, now: datetime) -> dict[str, Any]:
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


def exam_view(exam: "Exam | ExamRow", urls: Urls, now: datetime) -> wire.Exam:
    return wire.Exam(**exam_fields(exam, urls, now))


def listed_fields(
    exam: "Exam | ExamRow",
    urls: Urls,
    now: datetime,
    counts: AttemptCounts,
    given: "Accommodation | AccommodationRow | None",
) -> dict[str, Any]:
    """Return the fields of an exam in a list. `given`: the accommodation of the student."""
    later = timedelta() if given is None else given.closes_later
    return exam_fields(exam, urls, now) | {
        "end_date": exam.end_date and exam.end_date + later,
        "own_time": own_time(exam, given),
        "attempts_url": urls.exam_attempts(exam.slug),
        "attempts_count": counts.made,
        "paused_attempts_count": counts.running,
    }
