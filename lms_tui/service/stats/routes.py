from lms_tui.service.attempts.dependencies import StudentDep
from lms_tui.service.core.routing import Router
from lms_tui.service.stats.handlers import student_stats
from lms_tui.wire.stats import StudentStats

router = Router(prefix="/api/v2.5")


@router.get("/me/stats/")
def read_stats(student: StudentDep) -> StudentStats:
    student.close_overdue()
    with student.database.read() as session:
        return student_stats(session, student.user_id, student.now)
