"""Tables of users, batches and report cards."""

from datetime import date, datetime, timedelta
from decimal import Decimal

from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, String, Table
from sqlalchemy.orm import Mapped, mapped_column, relationship, validates

from lms_tui.service.core.database.base import NEVER_REUSED, Base, Numbered
from lms_tui.service.core.database.types import Identity
from lms_tui.service.core.principal import Role

batch_members = Table(
    "batch_members",
    Base.metadata,
    Column("batch_id", ForeignKey("batches.id", ondelete="CASCADE"), primary_key=True),
    Column("user_id", ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True),
)

mentor_students = Table(
    "mentor_students",
    Base.metadata,
    Column("mentor_id", ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
    Column("student_id", ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True),
)


class Batch(Numbered, Base):
    __tablename__ = "batches"

    name: Mapped[str] = mapped_column(String(200), unique=True)
    created: Mapped[datetime]
    modified: Mapped[datetime]


class User(Numbered, Base):
    """A user without a `password_hash` cannot sign in. Tokens issued before `tokens_valid_from` are refused.

    `name_key`: the user name in one case. None only if an older version allowed two names that differ only in case.
    `photo`: the name of the photo in the media folder, "" without a photo.
    """

    __tablename__ = "users"
    __table_args__ = (
        CheckConstraint("role IN ('student', 'mentor', 'moderator', 'admin')", name="role"),
        NEVER_REUSED,
    )

    username: Mapped[str] = mapped_column(String(150), unique=True)
    name_key: Mapped[str | None] = mapped_column(String(450), index=True, unique=True)
    role: Mapped[str] = mapped_column(String(16), default=Role.STUDENT.value)
    is_active: Mapped[bool] = mapped_column(default=True)
    password_hash: Mapped[str | None] = mapped_column(String(200))
    tokens_valid_from: Mapped[datetime]
    first_name: Mapped[str] = mapped_column(String(150), default="")
    last_name: Mapped[str] = mapped_column(String(150), default="")
    email: Mapped[str] = mapped_column(String(254), default="", index=True)
    photo: Mapped[str] = mapped_column(String(500), default="")
    birth_date: Mapped[date | None]
    gender_code: Mapped[str | None] = mapped_column(String(8))
    address1: Mapped[str] = mapped_column(String(255), default="")
    address2: Mapped[str] = mapped_column(String(255), default="")
    city: Mapped[str] = mapped_column(String(100), default="")
    zip: Mapped[str] = mapped_column(String(20), default="")
    state_code: Mapped[str | None] = mapped_column(String(8))
    phone: Mapped[str] = mapped_column(String(30), default="")
    created: Mapped[datetime]
    modified: Mapped[datetime]

    batches: Mapped[list[Batch]] = relationship(secondary=batch_members, order_by=Batch.name, passive_deletes=True)
    email_addresses: Mapped[list["EmailAddress"]] = relationship(cascade="all, delete-orphan", passive_deletes=True)
    accommodation: Mapped["Accommodation | None"] = relationship(cascade="all, delete-orphan", passive_deletes=True)

    @validates("username")
    def _write_name_key(self, _name: str, username: str) -> str:
        self.name_key = username.casefold()
        return username

    @property
    def display_name(self) -> str:
        """First and last name, or the user name where both are empty."""
        return f"{self.first_name} {self.last_name}".strip() or self.username


class Accommodation(Base):
    """How the exams of a student differ from those of others.

    The time limit is that of the exam times `factor` plus `extra`, or there is none with `no_limit`.
    `closes_later`: how long after its closing an exam can still be started.
    """

    __tablename__ = "accommodations"
    __table_args__ = ()

    user_id: Mapped[int] = mapped_column(
        Identity, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    factor: Mapped[Decimal]
    extra: Mapped[timedelta]
    closes_later: Mapped[timedelta]
    no_limit: Mapped[bool]


class EmailAddress(Base):
    """An e-mail address in one case. No two users have the same.

    `given`: an administrator gave it to the user, and administrators find the user by it. The user can change the
    address that the profile shows, and nobody checks that one.
    """

    __tablename__ = "email_addresses"
    __table_args__ = ()

    address: Mapped[str] = mapped_column(String(762), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    given: Mapped[bool]


class SshKey(Base):
    """A public key with which a user signs in over ssh. `fingerprint`: as OpenSSH writes it."""

    __tablename__ = "ssh_keys"
    __table_args__ = ()

    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    fingerprint: Mapped[str] = mapped_column(String(64), primary_key=True)
    name: Mapped[str] = mapped_column(String(100))
    created: Mapped[datetime]


class ReportCard(Numbered, Base):
    """The results of a student over several exams, which the student sees once published."""

    __tablename__ = "report_cards"

    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    title: Mapped[str] = mapped_column(String(300))
    total_score: Mapped[Decimal]
    total_min_range: Mapped[Decimal]
    total_max_range: Mapped[Decimal]
    is_published: Mapped[bool] = mapped_column(default=False)
    created: Mapped[datetime]

    groups: Mapped[list["ReportGroup"]] = relationship(
        order_by="ReportGroup.order", cascade="all, delete-orphan", passive_deletes=True
    )


class ReportGroup(Numbered, Base):
    __tablename__ = "report_groups"

    report_card_id: Mapped[int] = mapped_column(ForeignKey("report_cards.id", ondelete="CASCADE"))
    order: Mapped[int]
    name: Mapped[str] = mapped_column(String(300))
    score: Mapped[Decimal | None]
    min_score: Mapped[Decimal]
    max_score: Mapped[Decimal]
    average_score: Mapped[Decimal]

    __table_args__ = (Index(None, "report_card_id", "order"), NEVER_REUSED)
