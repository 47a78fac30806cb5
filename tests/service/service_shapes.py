"""The objects of the API document: names and types of their fields in JSON."""

import re
from typing import Any

EXAM = {
    "url": str,
    "id": int,
    "title": str,
    "description": str,
    "course": str,
    "start_date": str,
    "end_date": (str, type(None)),
    "duration": (str, type(None)),
    "number_of_questions": int,
    "negative_marks": str,
    "mark_per_question": str,
    "template_type": int,
    "allow_retake": bool,
    "max_retakes": (int, type(None)),
    "enable_ranks": bool,
    "rank_publishing_date": (str, type(None)),
    "allow_pdf": bool,
    "allow_question_pdf": bool,
    "created": str,
    "slug": str,
    "variable_mark_per_question": bool,
    "show_answers": bool,
    "allow_preemptive_section_ending": bool,
    "sections": list,
    "immediate_feedback": bool,
    "categories": list,
}
ATTEMPT = {
    "url": str,
    "id": int,
    "exam": dict,
    "user": str,
    "date": str,
    "total_questions": int,
    "score": str,
    "review_pdf_url": str,
    "review_url": str,
    "questions_url": str,
    "percentile": float,
    "correct_count": int,
    "incorrect_count": int,
    "unanswered_count": int,
    "last_started_time": str,
    "remaining_time": str,
    "time_taken": str,
    "state": str,
    "rank": (int, str),
    "max_rank": (int, str),
    "percentage": str,
    "commented_questions_count": int,
    "comments_count": int,
    "allow_retake": bool,
    "remaining_attempts": (int, type(None)),
    "total_bonus": int,
    "rank_enabled": bool,
    "sections": list,
    "speed": float,
    "accuracy": float,
    "institute_attempt_id": (int, type(None)),
}
WITH_USER = ATTEMPT | {"user": dict}
LIVE = WITH_USER | {"exam_url": str}
CREATED = LIVE | {"score": float}
SUMMARY = {
    "id": int,
    "url": str,
    "username": str,
    "display_name": str,
    "first_name": str,
    "last_name": str,
    "photo": str,
    "large_image": str,
    "medium_image": str,
    "medium_small_image": str,
    "small_image": str,
    "x_small_image": str,
    "mini_image": str,
}
QUESTION = {
    "id": int,
    "url": str,
    "question": dict,
    "duration": (str, type(None)),
    "selected_answers": list,
    "short_text": (str, type(None)),
    "essay_text": (str, type(None)),
    "essay_topic": (str, type(None)),
    "gap_fill_responses": list,
    "review": (bool, type(None)),
}
QUESTION_BODY = {
    "question_html": str,
    "direction": (str, type(None)),
    "answers": list,
    "essay_topics": list,
    "subject": str,
    "type": str,
}
REVIEW = QUESTION | {
    "order": int,
    "best_duration": float,
    "average_duration": float,
    "comments_count": int,
    "correct_percentage": float,
    "score": (str, type(None)),
    "outcome": str,
    "comment": str,
    "correction": str,
}
REVIEW_BODY = QUESTION_BODY | {
    "id": int,
    "url": str,
    "explanation_html": str,
    "comments_url": str,
    "marks": str,
    "negative_marks": str,
}
SUBJECT = {
    "id": int,
    "name": str,
    "total": int,
    "correct": int,
    "unanswered": int,
    "incorrect": int,
    "parent": (int, type(None)),
    "leaf": bool,
    "score": str,
}
INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")
CLOCK = re.compile(r"(\d+ days?, )?\d+:\d\d:\d\d(\.\d{6})?")
DECIMAL = re.compile(r"-?\d+\.\d\d")


def assert_shape(value: Any, shape: dict[str, Any]) -> None:
    assert set(value) == set(shape)
    for name, kinds in shape.items():
        assert type(value[name]) in (kinds if isinstance(kinds, tuple) else (kinds,)), name


def assert_attempt(value: Any, shape: dict[str, Any]) -> None:
    assert_shape(value, shape)
    assert_shape(value["exam"], EXAM)
    assert INSTANT.fullmatch(value["date"])
    assert INSTANT.fullmatch(value["last_started_time"])
    assert CLOCK.fullmatch(value["remaining_time"])
    assert CLOCK.fullmatch(value["time_taken"])
    assert DECIMAL.fullmatch(value["percentage"])
    if isinstance(value["user"], dict):
        assert_shape(value["user"], SUMMARY)


def assert_page(value: Any, shape: dict[str, Any], per_page: int = 20) -> list[Any]:
    assert set(value) == {"count", "next", "previous", "per_page", "results"}
    assert value["per_page"] == per_page
    for row in value["results"]:
        assert_shape(row, shape)
    return list(value["results"])
