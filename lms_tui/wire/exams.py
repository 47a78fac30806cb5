from lms_tui.wire.base import Count, DecimalString, Duration, Flag, Instant, Integer, Many, Text, Wire


class ExamSection(Wire):
    order: Count = 0
    name: Text = ""
    duration: Duration = None
    cut_off: Integer = None


class Exam(Wire):
    """An exam inside an attempt. A `duration` of None or zero means no time limit (wire notes)."""

    url: Text = ""
    id: Count = 0
    title: Text = ""
    description: Text = ""
    course: Text = ""
    start_date: Instant = None
    end_date: Instant = None
    duration: Duration = None
    number_of_questions: Count = 0
    negative_marks: DecimalString = None
    mark_per_question: DecimalString = None
    template_type: Count = 1
    allow_retake: Flag = False
    max_retakes: Integer = None
    enable_ranks: Flag = False
    rank_publishing_date: Instant = None
    allow_pdf: Flag = False
    allow_question_pdf: Flag = False
    created: Instant = None
    slug: Text = ""
    variable_mark_per_question: Flag = False
    show_answers: Flag = False
    allow_preemptive_section_ending: Flag = False
    sections: Many[ExamSection] = ()
    immediate_feedback: Flag = False
    categories: Many[object] = ()


class ListedExam(Exam):
    """An item of the exam lists (wire notes, Exams the student can see).

    `own_time`: the time limit of a student who has another one than the exam, `none` without a limit, else "". Only the
    embedded service tells it.
    """

    attempts_url: Text = ""
    attempts_count: Count = 0
    paused_attempts_count: Count = 0
    comments_count: Count = 0
    own_time: Text = ""


class SingleExam(ListedExam):
    """One exam, with the aids that it allows and whether its start needs a code. Only the embedded service tells them.

    `calculator` is `no`, `basic` or `scientific`, "" if the server does not tell.
    """

    calculator: Text = ""
    has_reference_sheet: Flag = False
    needs_access_code: Flag = False
