from lms_tui.service.attempts.dependencies import Sits
from lms_tui.service.core.routing import Router
from lms_tui.service.stats.handlers import student_stats
from lms_tui.wire.stats import StudentStats

router = Router(prefix="/api/v2.5")


@router.get("/me/stats/")
def read_stats(sitting: Sits) -> StudentStats:
    sitting.settle()
    with sitting.database.read() as session:
        return student_stats(session, sitting.user_id, sitting.now)
