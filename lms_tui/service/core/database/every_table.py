"""All tables, for what creates, copies or compares a whole database."""

from lms_tui.service.core.database import broadcasts, playbacks  # noqa: F401 - their import adds their tables
from lms_tui.service.core.database.tables import Base

METADATA = Base.metadata
