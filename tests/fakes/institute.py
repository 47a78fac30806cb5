"""A small institute of wire models: exams, attempts over some weeks, questions with formulas, a report card."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from lms_tui.wire.attempt_states import AttemptState
from lms_tui.wire.attempts import (
    AnswerOption,
    Attempt,
    AttemptQuestion,
    AttemptQuestionBody,
    ReviewOption,
    ReviewQuestion,
    ReviewQuestionBody,
    SubjectAnalytics,
)
from lms_tui.wire.exams import Exam, ListedExam
from lms_tui.wire.stats import Report, ReportGroup, StudentReport, StudentStats
from lms_tui.wire.users import CurrentUser

NOW = datetime(2026, 3, 14, 9, 30, tzinfo=UTC)
PASSWORD = "practice"
ASHA = CurrentUser(id=7, username="asha", display_name="Asha Rao", first_name="Asha", last_name="Rao")


def exam(slug: str, title: str, **fields: Any) -> ListedExam:
    known: dict[str, Any] = {
        "slug": slug,
        "title": title,
        "id": sum(slug.encode()),
        "course": "Physics and Mathematics",
        "duration": timedelta(minutes=180),
        "number_of_questions": 75,
        "mark_per_question": Decimal(4),
        "negative_marks": Decimal(1),
        "allow_retake": True,
        "max_retakes": 3,
        "enable_ranks": True,
        "show_answers": True,
        "start_date": NOW - timedelta(days=30),
    }
    return ListedExam(**(known | fields))


JEE = exam(
    "jee-main-shift-1",
    "JEE Main · Shift 1",
    description="<p>A full paper as it was set: <b>Physics</b>, Chemistry and Mathematics, 25 questions each.</p>",
    sections=[
        {"order": 1, "name": "Physics"},
        {"order": 2, "name": "Chemistry"},
        {"order": 3, "name": "Mathematics"},
    ],
)
LITERACY = exam(
    "numerical-literacy",
    "Numerical literacy",
    course="Foundation",
    duration=timedelta(minutes=20),
    number_of_questions=12,
    mark_per_question=Decimal(1),
    negative_marks=Decimal(0),
)
QUICK = exam(
    "five-minutes",
    "Five quick ones",
    course="Foundation",
    duration=timedelta(minutes=5),
    number_of_questions=5,
    negative_marks=Decimal("0.25"),
    mark_per_question=Decimal(1),
    max_retakes=-1,
)
HINDI = exam(
    "bhautik-vigyan",
    "भौतिक विज्ञान: अध्याय 3",
    course="Physics and Mathematics",
    duration=None,
    number_of_questions=20,
    allow_retake=False,
    max_retakes=None,
)
LATER = exam(
    "mock-test-7", "Mock test 7", start_date=NOW + timedelta(days=3), end_date=NOW + timedelta(days=3, hours=6)
)


def attempt(number: int, of: Exam, state: str = AttemptState.COMPLETED, **fields: Any) -> Attempt:
    total = of.number_of_questions
    known: dict[str, Any] = {
        "id": number,
        "url": f"https://lms.example.org/api/v2.2/attempts/{number}",
        "exam": Exam(**of.model_dump(include=set(Exam.model_fields))),
        "user": "asha",
        "date": NOW - timedelta(days=200 - number),
        "total_questions": total,
        "state": state,
        "remaining_time": timedelta(hours=1, minutes=12, seconds=7) if state == AttemptState.RUNNING else None,
        "allow_retake": of.allow_retake,
        "remaining_attempts": 2,
        "rank_enabled": True,
    }
    return Attempt(**(known | fields))


def finished(number: int, of: Exam, correct: int, incorrect: int, **fields: Any) -> Attempt:
    mark, minus = of.mark_per_question or Decimal(1), of.negative_marks or Decimal(0)
    score = correct * mark - incorrect * minus
    most = of.number_of_questions * mark
    known: dict[str, Any] = {
        "score": score,
        "percentage": f"{100 * score / most:.2f}",
        "percentile": 91.4,
        "rank": 12,
        "max_rank": 139,
        "correct_count": correct,
        "incorrect_count": incorrect,
        "unanswered_count": of.number_of_questions - correct - incorrect,
        "time_taken": timedelta(hours=2, minutes=41, seconds=20)
        if of.number_of_questions > 20
        else timedelta(minutes=14),
        "accuracy": round(100 * correct / max(1, correct + incorrect), 1),
        "speed": 31.0,
    }
    return attempt(number, of, **(known | fields))


RESUMABLE = attempt(190, LITERACY, AttemptState.RUNNING)
JEE_ATTEMPTS = [
    finished(150, JEE, 38, 20),
    finished(165, JEE, 44, 17),
    finished(180, JEE, 52, 13, percentile=96.2, rank=4),
]
ATTEMPTS = [
    RESUMABLE,
    *reversed(JEE_ATTEMPTS),
    finished(140, LITERACY, 8, 3, rank=None, percentile=None, rank_enabled=False),
]

_STEMS = [
    (
        "R",
        "Physics",
        "A body moves along a line with \\(x = 3t^2 - 2t\\). Its acceleration is",
        "The second derivative of \\(x\\) is 6.",
    ),
    ("C", "Physics", "Which of these are vectors?", "Force and velocity have a direction."),
    ("R", "Chemistry", "The pH of 10<sup>-3</sup> M HCl is", "pH = -log[H<sup>+</sup>] = 3."),
    ("R", "Chemistry", "H<sub>2</sub>SO<sub>4</sub> is a", "It gives up two protons, the first completely."),
    (
        "R",
        "Mathematics",
        "\\(\\int_0^1 x^2\\,dx\\) equals",
        "\\[\\int_0^1 x^2 dx = \\frac{1}{3}\\]",
    ),
    ("C", "Mathematics", "Which of these are prime?", "2 and 31 have no divisors but 1 and themselves."),
]
_OPTIONS = [
    ("3", "6", "6t - 2", "0"),
    ("Force", "Mass", "Velocity", "Energy"),
    ("1", "2", "3", "11"),
    ("strong acid", "weak acid", "salt", "base"),
    ("\\(\\frac12\\)", "\\(\\frac13\\)", "1", "\\(\\frac14\\)"),
    ("2", "9", "31", "51"),
]
_KEYS = [(1,), (0, 2), (2,), (0,), (1,), (0, 2)]


def question(number: int) -> AttemptQuestion:
    kind, subject, stem, _ = _STEMS[(number - 1) % len(_STEMS)]
    options = [
        AnswerOption(id=number * 10 + place, text_html=f"<p>{text}</p>")
        for place, text in enumerate(_OPTIONS[(number - 1) % len(_STEMS)])
    ]
    body = AttemptQuestionBody(question_html=f"<p>{stem}</p>", answers=tuple(options), subject=subject, type=kind)
    return AttemptQuestion(id=number, url=f"https://lms.example.org/q/{number}", question=body)


def reviewed(number: int) -> ReviewQuestion:
    """Question `number` after the end: every third incorrect, every fifth unanswered, every fourth marked."""
    place = (number - 1) % len(_STEMS)
    kind, subject, stem, explanation = _STEMS[place]
    key = _KEYS[place]
    options = tuple(
        ReviewOption(id=number * 10 + n, text_html=f"<p>{text}</p>", is_correct=n in key)
        for n, text in enumerate(_OPTIONS[place])
    )
    chosen = tuple(number * 10 + n for n in key)
    if number % 5 == 0:
        chosen = ()
    elif number % 3 == 0:
        chosen = (number * 10 + 3,)
    return ReviewQuestion(
        id=number,
        order=number,
        question=ReviewQuestionBody(
            id=1000 + number,
            question_html=f"<p>{stem}</p>",
            answers=options,
            subject=subject,
            explanation_html=f"<p>{explanation}</p>",
            type=kind,
            marks=Decimal(4),
            negative_marks=Decimal(1),
        ),
        duration=str(timedelta(seconds=20 + (number * 37) % 160)),
        best_duration=12.0 + number % 7,
        average_duration=60.0 + (number * 13) % 45,
        selected_answers=chosen,
        review=number % 4 == 0,
        correct_percentage=float(30 + (number * 17) % 65),
    )


def subjects() -> list[SubjectAnalytics]:
    rows = [
        (1, "Physics", 25, 19, 2, 4, None, "72.00"),
        (2, "Mechanics", 15, 12, 1, 2, 1, "46.00"),
        (3, "Optics", 10, 7, 1, 2, 1, "26.00"),
        (4, "Chemistry", 25, 14, 5, 6, None, "50.00"),
        (5, "Mathematics", 25, 19, 3, 3, None, "73.00"),
    ]
    return [
        SubjectAnalytics(
            id=identity,
            name=name,
            total=total,
            correct=correct,
            unanswered=unanswered,
            incorrect=incorrect,
            parent=parent,
            leaf=identity != 1,
            score=Decimal(score),
        )
        for identity, name, total, correct, unanswered, incorrect, parent, score in rows
    ]


STATS = StudentStats(
    total_exams=9,
    total_videos=24,
    total_video_conferences=6,
    total_live_streams=4,
    exams_attempted=5,
    videos_watched=11,
    video_conferences_attended=5,
    live_streams_attended=1,
    student_report=StudentReport(
        reports=(
            Report(
                report_title="Term 1",
                total_score=212.5,
                total_min_range=40,
                total_max_range=300,
                groups=(
                    ReportGroup(name="Physics", score=78.5, min_score=8, max_score=96, average_score=61.5),
                    ReportGroup(name="Chemistry", score=44, min_score=12, max_score=88, average_score=55.0),
                    ReportGroup(name="Mathematics", min_score=4, max_score=100, average_score=48.25),
                ),
            ),
        )
    ),
)
