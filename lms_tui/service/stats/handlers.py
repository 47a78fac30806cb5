"""The numbers and report cards of a student."""

from datetime import datetime
from typing import Final

from sqlalchemy import exists, func, or_, select
from sqlalchemy.orm import Session, selectinload

from lms_tui.service.core.database.tables import BestScore, Content, ContentAttempt, ContentType, Exam, ReportCard
from lms_tui.service.exams.accommodations import closes_later
from lms_tui.service.exams.availability import content_available, exam_attempted, exam_available
from lms_tui.wire.stats import Report, ReportGroup, StudentReport, StudentStats

_FIELDS: Final = {
    ContentType.VIDEO: ("total_videos", "videos_watched"),
    ContentType.VIDEO_CONFERENCE: ("total_video_conferences", "video_conferences_attended"),
    ContentType.LIVE_STREAM: ("total_live_streams", "live_streams_attended"),
}


def student_stats(session: Session, user_id: int, now: datetime) -> StudentStats:
    """Count the exams and contents that are available or attempted, and those that are attempted."""
    counts: dict[str, int] = {
        "total_exams": session.scalar(
            select(func.count(Exam.id)).where(
                or_(exam_available(user_id, now, closes_later(session, user_id)), exam_attempted(user_id))
            )
        )
        or 0,
        "exams_attempted": session.scalar(select(func.count()).where(BestScore.user_id == user_id)) or 0,
    }
    attended = exists().where(ContentAttempt.content_id == Content.id, ContentAttempt.user_id == user_id)
    for kind, (total, done) in _FIELDS.items():
        of_kind = select(func.count(Content.id)).where(Content.content_type == kind.value)
        counts[total] = session.scalar(of_kind.where(or_(content_available(user_id, now), attended))) or 0
        counts[done] = session.scalar(of_kind.where(attended)) or 0
    return StudentStats(**counts, student_report=StudentReport(reports=_reports(session, user_id)))


def _reports(session: Session, user_id: int) -> list[Report]:
    rows = session.scalars(
        select(ReportCard)
        .where(ReportCard.user_id == user_id, ReportCard.is_published)
        .order_by(ReportCard.created.desc(), ReportCard.id.desc())
        .options(selectinload(ReportCard.groups))
    )
    return [
        Report(
            report_title=row.title,
            total_score=row.total_score,
            total_min_range=row.total_min_range,
            total_max_range=row.total_max_range,
            groups=[
                ReportGroup(
                    name=group.name,
                    score=group.score,
                    min_score=group.min_score,
                    max_score=group.max_score,
                    average_score=group.average_score,
                )
                for group in row.groups
            ],
        )
        for row in rows
    ]
