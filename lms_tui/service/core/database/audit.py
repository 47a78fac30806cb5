"""The table of the audit."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, String
from sqlalchemy.orm import Mapped, mapped_column

from lms_tui.service.core.database.base import Base, Numbered


class AuditLine(Numbered, Base):
    """A change of marks, keys, times or people. It refers to nothing, so it outlives what was changed.

    `who`: a login, or `shell: NAME`. `what`: the change, such as `user.role`. `about`: what was changed, such as
    `user asha`. `before`, `after`: the changed values, None where there were none.
    """

    __tablename__ = "audit"

    at: Mapped[datetime] = mapped_column(index=True)
    who: Mapped[str] = mapped_column(String(200))
    what: Mapped[str] = mapped_column(String(100))
    about: Mapped[str] = mapped_column(String(500))
    before: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    after: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
