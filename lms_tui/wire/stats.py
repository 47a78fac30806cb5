from typing import Annotated

from pydantic import Field

from lms_tui.wire.base import Count, Many, Number, Text, Wire


class ReportGroup(Wire):
    """`score`: the student's own score. The API document does not have it, and a server without it leaves it out."""

    name: Text = ""
    score: Annotated[Number, Field(exclude_if=lambda score: score is None)] = None
    min_score: Number = None
    max_score: Number = None
    average_score: Number = None


class Report(Wire):
    report_title: Text = ""
    total_score: Number = None
    total_min_range: Number = None
    total_max_range: Number = None
    groups: Many[ReportGroup] = ()


class StudentReport(Wire):
    reports: Many[Report] = ()


class StudentStats(Wire):
    """Numbers of available and attempted exams and videos, and report cards (API document, Student stats)."""

    total_exams: Count = 0
    total_videos: Count = 0
    total_video_conferences: Count = 0
    total_live_streams: Count = 0
    exams_attempted: Count = 0
    videos_watched: Count = 0
    video_conferences_attended: Count = 0
    live_streams_attended: Count = 0
    student_report: StudentReport = StudentReport()
