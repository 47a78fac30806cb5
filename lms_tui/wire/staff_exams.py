"""The exams of an institute for staff. Only the embedded service has them."""

from lms_tui.wire.base import Count, Flag, Instant, Text, Wire


class StaffExam(Wire):
    """An exam with its attempts. `to_mark`: ended attempts in which answers wait for a person to mark them.

    A mentor gets the numbers of the own students. `may_change`: the caller may change times and marks.
    """

    id: Count = 0
    slug: Text = ""
    title: Text = ""
    course: Text = ""
    start_date: Instant = None
    end_date: Instant = None
    is_published: Flag = False
    number_of_questions: Count = 0
    running: Count = 0
    ended: Count = 0
    to_mark: Count = 0
    may_change: Flag = False
