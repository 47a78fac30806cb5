"""The objects of the API document, with the types that it states."""

from typing import Final

from lms_tui.qa.walk.values import (
    ANYTHING,
    ARRAY,
    BOOLEAN,
    DECIMAL,
    INTEGER,
    MOMENT,
    NOT_AVAILABLE,
    NULL,
    NUMBER,
    OBJECT,
    SPAN,
    STRING,
    Shape,
    either,
)

_TEXT_OR_NULL: Final = either(STRING, NULL)
_IMAGE: Final = _TEXT_OR_NULL

ENVELOPE: Final[Shape] = {
    "count": INTEGER,
    "next": _TEXT_OR_NULL,
    "previous": _TEXT_OR_NULL,
    "per_page": INTEGER,
    "results": ARRAY,
}
ME: Final[Shape] = {
    "id": INTEGER,
    "batches": ARRAY,
    "url": STRING,
    "username": STRING,
    "first_name": STRING,
    "last_name": STRING,
    "display_name": STRING,
    "email": ANYTHING,
    "photo": ANYTHING,
    "birth_date": ANYTHING,
    "gender": ANYTHING,
    "address1": ANYTHING,
    "address2": ANYTHING,
    "city": ANYTHING,
    "zip": ANYTHING,
    "state": ANYTHING,
    "phone": ANYTHING,
}
USER: Final[Shape] = {
    "id": INTEGER,
    "url": STRING,
    "username": STRING,
    "display_name": STRING,
    "first_name": STRING,
    "last_name": STRING,
    "photo": _IMAGE,
}
EXAM: Final[Shape] = {
    "url": STRING,
    "id": INTEGER,
    "title": STRING,
    "description": ANYTHING,
    "course": STRING,
    "start_date": ANYTHING,
    "end_date": ANYTHING,
    "duration": ANYTHING,
    "number_of_questions": ANYTHING,
    "negative_marks": DECIMAL,
    "mark_per_question": DECIMAL,
    "template_type": INTEGER,
    "allow_retake": ANYTHING,
    "max_retakes": either(INTEGER, NULL),
    "enable_ranks": ANYTHING,
    "rank_publishing_date": ANYTHING,
    "allow_pdf": ANYTHING,
    "allow_question_pdf": ANYTHING,
    "created": ANYTHING,
    "slug": STRING,
    "variable_mark_per_question": ANYTHING,
    "show_answers": ANYTHING,
    "allow_preemptive_section_ending": ANYTHING,
    "sections": ARRAY,
    "immediate_feedback": ANYTHING,
    "categories": ARRAY,
}
EXAM_SECTION: Final[Shape] = {"order": INTEGER, "name": ANYTHING, "duration": ANYTHING, "cut_off": ANYTHING}
ATTEMPT: Final[Shape] = {
    "url": STRING,
    "id": INTEGER,
    "exam": OBJECT,
    "user": ANYTHING,
    "date": ANYTHING,
    "total_questions": INTEGER,
    "score": ANYTHING,
    "review_pdf_url": STRING,
    "review_url": STRING,
    "questions_url": STRING,
    "percentile": either(NUMBER, NOT_AVAILABLE),
    "correct_count": INTEGER,
    "incorrect_count": INTEGER,
    "unanswered_count": INTEGER,
    "last_started_time": ANYTHING,
    "remaining_time": ANYTHING,
    "time_taken": ANYTHING,
    "state": STRING,
    "rank": either(INTEGER, NOT_AVAILABLE),
    "max_rank": either(INTEGER, NOT_AVAILABLE),
    "percentage": STRING,
    "commented_questions_count": INTEGER,
    "comments_count": INTEGER,
    "allow_retake": BOOLEAN,
    "remaining_attempts": either(INTEGER, NULL),
    "total_bonus": INTEGER,
    "rank_enabled": BOOLEAN,
    "sections": ARRAY,
    "speed": NUMBER,
    "accuracy": NUMBER,
    "institute_attempt_id": either(INTEGER, NULL),
}
ATTEMPT_MOMENTS: Final[Shape] = {"date": MOMENT, "last_started_time": MOMENT}
ATTEMPT_SPANS: Final[Shape] = {"remaining_time": either(SPAN, NULL), "time_taken": either(SPAN, NULL)}
SECTION: Final[Shape] = {
    "id": INTEGER,
    "attempt_section_id": INTEGER,
    "name": STRING,
    "order": INTEGER,
    "state": STRING,
    "duration": ANYTHING,
    "remaining_time": ANYTHING,
    "instructions": ANYTHING,
    "questions_url": STRING,
    "start_url": STRING,
    "end_url": STRING,
}
_ANSWERED: Final[Shape] = {
    "id": INTEGER,
    "url": STRING,
    "duration": either(STRING, NULL),
    "selected_answers": ARRAY,
    "essay_text": ANYTHING,
    "essay_topic": ANYTHING,
    "review": either(BOOLEAN, NULL),
}
QUESTION: Final[Shape] = {
    **_ANSWERED,
    "question": {
        "question_html": STRING,
        "direction": _TEXT_OR_NULL,
        "answers": ARRAY,
        "essay_topics": ARRAY,
        "subject": ANYTHING,
        "type": STRING,
    },
}
OPTION: Final[Shape] = {"id": INTEGER, "text_html": STRING}
REVIEWED: Final[Shape] = {
    **_ANSWERED,
    "duration": ANYTHING,
    "order": INTEGER,
    "question": {
        "id": INTEGER,
        "url": STRING,
        "question_html": STRING,
        "direction": ANYTHING,
        "answers": ARRAY,
        "essay_topics": ANYTHING,
        "subject": ANYTHING,
        "explanation_html": ANYTHING,
        "type": STRING,
        "comments_url": ANYTHING,
        "marks": DECIMAL,
        "negative_marks": DECIMAL,
    },
    "best_duration": NUMBER,
    "average_duration": NUMBER,
    "comments_count": ANYTHING,
    "correct_percentage": NUMBER,
}
REVIEWED_OPTION: Final[Shape] = {**OPTION, "is_correct": BOOLEAN}
SUBJECT: Final[Shape] = {
    "id": INTEGER,
    "name": STRING,
    "total": INTEGER,
    "correct": INTEGER,
    "unanswered": INTEGER,
    "incorrect": INTEGER,
    "parent": ANYTHING,
    "leaf": BOOLEAN,
    "score": DECIMAL,
}
STATS: Final[Shape] = {
    "total_exams": INTEGER,
    "total_videos": INTEGER,
    "total_video_conferences": INTEGER,
    "total_live_streams": INTEGER,
    "exams_attempted": INTEGER,
    "videos_watched": INTEGER,
    "video_conferences_attended": INTEGER,
    "live_streams_attended": INTEGER,
    "student_report": OBJECT,
}
REPORT: Final[Shape] = {
    "report_title": ANYTHING,
    "total_score": ANYTHING,
    "total_min_range": ANYTHING,
    "total_max_range": ANYTHING,
    "groups": ARRAY,
}
REPORT_GROUP: Final[Shape] = {"name": ANYTHING, "min_score": ANYTHING, "max_score": ANYTHING, "average_score": ANYTHING}
LISTED_EXAM: Final[Shape] = {
    "slug": STRING,
    "title": STRING,
    "attempts_url": STRING,
    "attempts_count": INTEGER,
    "paused_attempts_count": INTEGER,
}
KEY_FIELDS: Final = frozenset({"is_correct", "explanation_html", "marks", "correct_percentage"})
"""Fields that show the right answer. They must not be in a question of a running attempt."""
