"""Tables of the files of answers. The content lies in the database in parts, so backups and standbys have it."""

from sqlalchemy import CheckConstraint, ForeignKey, LargeBinary, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from lms_tui.service.core.database.base import NEVER_REUSED, Base, Numbered


class AttemptFile(Numbered, Base):
    """A file of an attempt, known by the SHA-256 of its content in hexadecimal digits.

    `size`: its bytes. `received`: the bytes that are stored. The file is complete when they are equal, because the last
    part is stored only if the whole content has this digest.
    """

    __tablename__ = "attempt_files"
    __table_args__ = (
        UniqueConstraint("attempt_id", "digest"),
        CheckConstraint("received >= 0 AND received <= size", name="received"),
        NEVER_REUSED,
    )

    attempt_id: Mapped[int] = mapped_column(ForeignKey("attempts.id", ondelete="CASCADE"))
    digest: Mapped[str] = mapped_column(String(64))
    size: Mapped[int]
    received: Mapped[int] = mapped_column(default=0)


class AttemptFilePart(Base):
    """A part of a file. `offset`: the bytes of the file before it."""

    __tablename__ = "attempt_file_parts"
    __table_args__ = ()

    file_id: Mapped[int] = mapped_column(ForeignKey("attempt_files.id", ondelete="CASCADE"), primary_key=True)
    offset: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    content: Mapped[bytes] = mapped_column(LargeBinary)
