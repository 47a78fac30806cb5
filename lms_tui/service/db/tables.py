"""Every table, in one place to import from."""

from lms_tui.service.db.base import Base
from lms_tui.service.db.library import (
    Content,
    ContentAttempt,
    ContentType,
    Course,
    Exam,
    ExamSection,
    NumericKey,
    Option,
    Pair,
    Passage,
    Question,
    Subject,
    TextKey,
    content_assignments,
    course_batches,
    exam_batches,
)
from lms_tui.service.db.people import Batch, ReportCard, ReportGroup, Role, User, batch_members
from lms_tui.service.db.sittings import Attempt, AttemptQuestion, AttemptSection, Lease, State

__all__ = [
    "Attempt",
    "AttemptQuestion",
    "AttemptSection",
    "Base",
    "Batch",
    "Content",
    "ContentAttempt",
    "ContentType",
    "Course",
    "Exam",
    "ExamSection",
    "Lease",
    "NumericKey",
    "Option",
    "Pair",
    "Passage",
    "Question",
    "ReportCard",
    "ReportGroup",
    "Role",
    "State",
    "Subject",
    "TextKey",
    "User",
    "batch_members",
    "content_assignments",
    "course_batches",
    "exam_batches",
]
