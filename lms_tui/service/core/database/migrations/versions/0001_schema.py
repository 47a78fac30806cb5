"""The whole schema of an institute."""
# ruff: noqa: PLR0915  # one statement a table: a migration is a list

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from lms_tui.service.core.database import types

revision: str = "0001"
down_revision: str | None = None
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    op.create_table(
        "batches",
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("created", types.Moment(timezone=True), nullable=False),
        sa.Column("modified", types.Moment(timezone=True), nullable=False),
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_batches")),
        sa.UniqueConstraint("name", name=op.f("uq_batches_name")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "courses",
        sa.Column("name", sa.String(length=300), nullable=False),
        sa.Column("is_public", sa.Boolean(), nullable=False),
        sa.Column("created", types.Moment(timezone=True), nullable=False),
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_courses")),
        sa.UniqueConstraint("name", name=op.f("uq_courses_name")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "leases",
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("holder", sa.String(length=64), nullable=False),
        sa.Column("expires", types.Moment(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_leases")),
    )
    op.create_table(
        "subjects",
        sa.Column("name", sa.String(length=300), nullable=False),
        sa.Column("parent_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.ForeignKeyConstraint(["parent_id"], ["subjects.id"], name=op.f("fk_subjects_parent_id_subjects")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_subjects")),
        sa.UniqueConstraint("parent_id", "name", name=op.f("uq_subjects_parent_id_name")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "users",
        sa.Column("username", sa.String(length=150), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("is_active", sa.Boolean(), nullable=False),
        sa.Column("password_hash", sa.String(length=200), nullable=True),
        sa.Column("tokens_valid_from", types.Moment(timezone=True), nullable=False),
        sa.Column("first_name", sa.String(length=150), nullable=False),
        sa.Column("last_name", sa.String(length=150), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("photo", sa.String(length=500), nullable=False),
        sa.Column("birth_date", sa.Date(), nullable=True),
        sa.Column("gender_code", sa.String(length=8), nullable=True),
        sa.Column("address1", sa.String(length=255), nullable=False),
        sa.Column("address2", sa.String(length=255), nullable=False),
        sa.Column("city", sa.String(length=100), nullable=False),
        sa.Column("zip", sa.String(length=20), nullable=False),
        sa.Column("state_code", sa.String(length=8), nullable=True),
        sa.Column("phone", sa.String(length=30), nullable=False),
        sa.Column("created", types.Moment(timezone=True), nullable=False),
        sa.Column("modified", types.Moment(timezone=True), nullable=False),
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.CheckConstraint("role IN ('student', 'mentor', 'moderator', 'admin')", name=op.f("ck_users_role")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
        sa.UniqueConstraint("username", name=op.f("uq_users_username")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("users", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_users_email"), ["email"], unique=False)

    op.create_table(
        "batch_members",
        sa.Column("batch_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("user_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.ForeignKeyConstraint(
            ["batch_id"], ["batches.id"], name=op.f("fk_batch_members_batch_id_batches"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_batch_members_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("batch_id", "user_id", name=op.f("pk_batch_members")),
    )
    with op.batch_alter_table("batch_members", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_batch_members_user_id"), ["user_id"], unique=False)

    op.create_table(
        "course_batches",
        sa.Column("course_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("batch_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.ForeignKeyConstraint(
            ["batch_id"], ["batches.id"], name=op.f("fk_course_batches_batch_id_batches"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["course_id"], ["courses.id"], name=op.f("fk_course_batches_course_id_courses"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("course_id", "batch_id", name=op.f("pk_course_batches")),
    )
    with op.batch_alter_table("course_batches", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_course_batches_batch_id"), ["batch_id"], unique=False)

    op.create_table(
        "exams",
        sa.Column("slug", sa.String(length=200), nullable=False),
        sa.Column("title", sa.String(length=300), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("course_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("language", sa.String(length=35), nullable=False),
        sa.Column("start_date", types.Moment(timezone=True), nullable=False),
        sa.Column("end_date", types.Moment(timezone=True), nullable=True),
        sa.Column("is_published", sa.Boolean(), nullable=False),
        sa.Column("is_public", sa.Boolean(), nullable=False),
        sa.Column("duration", types.Span(), nullable=True),
        sa.Column("mark_per_question", types.Marks(), nullable=False),
        sa.Column("negative_marks", types.Marks(), nullable=False),
        sa.Column("variable_mark_per_question", sa.Boolean(), nullable=False),
        sa.Column("number_of_questions", sa.Integer(), nullable=False),
        sa.Column("template_type", sa.Integer(), nullable=False),
        sa.Column("allow_retake", sa.Boolean(), nullable=False),
        sa.Column("max_retakes", sa.Integer(), nullable=True),
        sa.Column("enable_ranks", sa.Boolean(), nullable=False),
        sa.Column("rank_publishing_date", types.Moment(timezone=True), nullable=True),
        sa.Column("show_answers", sa.Boolean(), nullable=False),
        sa.Column("immediate_feedback", sa.Boolean(), nullable=False),
        sa.Column("allow_preemptive_section_ending", sa.Boolean(), nullable=False),
        sa.Column("allow_pdf", sa.Boolean(), nullable=False),
        sa.Column("allow_question_pdf", sa.Boolean(), nullable=False),
        sa.Column("created", types.Moment(timezone=True), nullable=False),
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.ForeignKeyConstraint(["course_id"], ["courses.id"], name=op.f("fk_exams_course_id_courses")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_exams")),
        sa.UniqueConstraint("slug", name=op.f("uq_exams_slug")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("exams", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_exams_course_id"), ["course_id"], unique=False)

    op.create_table(
        "report_cards",
        sa.Column("user_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("title", sa.String(length=300), nullable=False),
        sa.Column("total_score", types.Marks(), nullable=False),
        sa.Column("total_min_range", types.Marks(), nullable=False),
        sa.Column("total_max_range", types.Marks(), nullable=False),
        sa.Column("is_published", sa.Boolean(), nullable=False),
        sa.Column("created", types.Moment(timezone=True), nullable=False),
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_report_cards_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_report_cards")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("report_cards", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_report_cards_user_id"), ["user_id"], unique=False)

    op.create_table(
        "attempts",
        sa.Column("exam_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("user_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("date", types.Moment(timezone=True), nullable=False),
        sa.Column("last_started_time", types.Moment(timezone=True), nullable=False),
        sa.Column("last_contact", types.Moment(timezone=True), nullable=False),
        sa.Column("ended", types.Moment(timezone=True), nullable=True),
        sa.Column("time_over", sa.Boolean(), nullable=False),
        sa.Column("allowed", types.Span(), nullable=True),
        sa.Column("time_taken", types.Span(), nullable=False),
        sa.Column("deadline", types.Moment(timezone=True), nullable=True),
        sa.Column("total_questions", sa.Integer(), nullable=False),
        sa.Column("score", types.Marks(), nullable=False),
        sa.Column("max_score", types.Marks(), nullable=False),
        sa.Column("correct_count", sa.Integer(), nullable=False),
        sa.Column("incorrect_count", sa.Integer(), nullable=False),
        sa.Column("unanswered_count", sa.Integer(), nullable=False),
        sa.Column("total_bonus", types.Marks(), nullable=False),
        sa.Column("speed", sa.Double(), nullable=False),
        sa.Column("accuracy", sa.Double(), nullable=False),
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.CheckConstraint("state IN ('Running', 'Completed')", name=op.f("ck_attempts_state")),
        sa.ForeignKeyConstraint(["exam_id"], ["exams.id"], name=op.f("fk_attempts_exam_id_exams"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_attempts_user_id_users"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_attempts")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("attempts", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_attempts_exam_id_attempts_state_attempts_score"), ["exam_id", "state", "score"], unique=False
        )
        batch_op.create_index(batch_op.f("ix_attempts_state_attempts_deadline"), ["state", "deadline"], unique=False)
        batch_op.create_index(batch_op.f("ix_attempts_user_id_attempts_exam_id"), ["user_id", "exam_id"], unique=False)
        batch_op.create_index(
            "uq_attempts_running",
            ["exam_id", "user_id"],
            unique=True,
            sqlite_where=sa.text("state = 'Running'"),
            postgresql_where=sa.text("state = 'Running'"),
        )

    op.create_table(
        "contents",
        sa.Column("uuid", sa.Uuid(), nullable=False),
        sa.Column("course_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("exam_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("chapter", sa.String(length=300), nullable=False),
        sa.Column("order", sa.Integer(), nullable=False),
        sa.Column("title", sa.String(length=300), nullable=False),
        sa.Column("content_type", sa.String(length=32), nullable=False),
        sa.Column("start_date", types.Moment(timezone=True), nullable=True),
        sa.Column("is_published", sa.Boolean(), nullable=False),
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.ForeignKeyConstraint(
            ["course_id"], ["courses.id"], name=op.f("fk_contents_course_id_courses"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["exam_id"], ["exams.id"], name=op.f("fk_contents_exam_id_exams"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_contents")),
        sa.UniqueConstraint("uuid", name=op.f("uq_contents_uuid")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("contents", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_contents_content_type"), ["content_type"], unique=False)
        batch_op.create_index(batch_op.f("ix_contents_course_id_contents_order"), ["course_id", "order"], unique=False)
        batch_op.create_index(batch_op.f("ix_contents_exam_id"), ["exam_id"], unique=False)

    op.create_table(
        "exam_batches",
        sa.Column("exam_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("batch_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.ForeignKeyConstraint(
            ["batch_id"], ["batches.id"], name=op.f("fk_exam_batches_batch_id_batches"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["exam_id"], ["exams.id"], name=op.f("fk_exam_batches_exam_id_exams"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("exam_id", "batch_id", name=op.f("pk_exam_batches")),
    )
    with op.batch_alter_table("exam_batches", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_exam_batches_batch_id"), ["batch_id"], unique=False)

    op.create_table(
        "exam_sections",
        sa.Column("exam_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("order", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=300), nullable=False),
        sa.Column("duration", types.Span(), nullable=True),
        sa.Column("cut_off", sa.Integer(), nullable=False),
        sa.Column("instructions", sa.Text(), nullable=False),
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.ForeignKeyConstraint(
            ["exam_id"], ["exams.id"], name=op.f("fk_exam_sections_exam_id_exams"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_exam_sections")),
        sa.UniqueConstraint("exam_id", "order", name=op.f("uq_exam_sections_exam_id_order")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "passages",
        sa.Column("exam_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("html", sa.Text(), nullable=False),
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.ForeignKeyConstraint(["exam_id"], ["exams.id"], name=op.f("fk_passages_exam_id_exams"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_passages")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("passages", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_passages_exam_id"), ["exam_id"], unique=False)

    op.create_table(
        "report_groups",
        sa.Column("report_card_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("order", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=300), nullable=False),
        sa.Column("min_score", types.Marks(), nullable=False),
        sa.Column("max_score", types.Marks(), nullable=False),
        sa.Column("average_score", types.Marks(), nullable=False),
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.ForeignKeyConstraint(
            ["report_card_id"],
            ["report_cards.id"],
            name=op.f("fk_report_groups_report_card_id_report_cards"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_report_groups")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("report_groups", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_report_groups_report_card_id_report_groups_order"), ["report_card_id", "order"], unique=False
        )

    op.create_table(
        "attempt_sections",
        sa.Column("attempt_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("exam_section_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("order", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("allowed", types.Span(), nullable=True),
        sa.Column("time_taken", types.Span(), nullable=False),
        sa.Column("over", types.Moment(timezone=True), nullable=True),
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.CheckConstraint("state IN ('Not Started', 'Running', 'Completed')", name=op.f("ck_attempt_sections_state")),
        sa.ForeignKeyConstraint(
            ["attempt_id"], ["attempts.id"], name=op.f("fk_attempt_sections_attempt_id_attempts"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["exam_section_id"],
            ["exam_sections.id"],
            name=op.f("fk_attempt_sections_exam_section_id_exam_sections"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_attempt_sections")),
        sa.UniqueConstraint("attempt_id", "order", name=op.f("uq_attempt_sections_attempt_id_order")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("attempt_sections", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_attempt_sections_exam_section_id"), ["exam_section_id"], unique=False)

    op.create_table(
        "content_assignments",
        sa.Column("content_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("user_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.ForeignKeyConstraint(
            ["content_id"], ["contents.id"], name=op.f("fk_content_assignments_content_id_contents"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_content_assignments_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("content_id", "user_id", name=op.f("pk_content_assignments")),
    )
    with op.batch_alter_table("content_assignments", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_content_assignments_user_id"), ["user_id"], unique=False)

    op.create_table(
        "content_attempts",
        sa.Column("content_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("user_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("date", types.Moment(timezone=True), nullable=False),
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.ForeignKeyConstraint(
            ["content_id"], ["contents.id"], name=op.f("fk_content_attempts_content_id_contents"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_content_attempts_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_content_attempts")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("content_attempts", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_content_attempts_content_id"), ["content_id"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_content_attempts_user_id_content_attempts_content_id"),
            ["user_id", "content_id"],
            unique=False,
        )

    op.create_table(
        "questions",
        sa.Column("exam_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("section_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("passage_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("subject_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("order", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=1), nullable=False),
        sa.Column("title", sa.String(length=300), nullable=False),
        sa.Column("html", sa.Text(), nullable=False),
        sa.Column("explanation_html", sa.Text(), nullable=False),
        sa.Column("marks", types.Marks(), nullable=False),
        sa.Column("negative_marks", types.Marks(), nullable=False),
        sa.Column("is_bonus", sa.Boolean(), nullable=False),
        sa.Column("language", sa.String(length=35), nullable=False),
        sa.Column("identifier", sa.String(length=300), nullable=False),
        sa.Column("essay_topics", sa.JSON(), nullable=False),
        sa.Column("tags", sa.JSON(), nullable=False),
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.CheckConstraint("kind IN ('R', 'C', 'S', 'N', 'E', 'F', 'G', 'M')", name=op.f("ck_questions_kind")),
        sa.ForeignKeyConstraint(["exam_id"], ["exams.id"], name=op.f("fk_questions_exam_id_exams"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["passage_id"], ["passages.id"], name=op.f("fk_questions_passage_id_passages")),
        sa.ForeignKeyConstraint(
            ["section_id"], ["exam_sections.id"], name=op.f("fk_questions_section_id_exam_sections"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["subject_id"], ["subjects.id"], name=op.f("fk_questions_subject_id_subjects")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_questions")),
        sa.UniqueConstraint("exam_id", "order", name=op.f("uq_questions_exam_id_order")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("questions", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_questions_section_id"), ["section_id"], unique=False)

    op.create_table(
        "attempt_questions",
        sa.Column("attempt_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("question_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("section_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("order", sa.Integer(), nullable=False),
        sa.Column("selected_answers", sa.JSON(), nullable=False),
        sa.Column("short_text", sa.Text(), nullable=True),
        sa.Column("essay_text", sa.Text(), nullable=True),
        sa.Column("essay_topic", sa.Text(), nullable=True),
        sa.Column("gap_fill_responses", sa.JSON(), nullable=False),
        sa.Column("review", sa.Boolean(), nullable=True),
        sa.Column("answer_stamps", sa.JSON(), nullable=False),
        sa.Column("duration", types.Span(), nullable=True),
        sa.Column("first_seen", types.Moment(timezone=True), nullable=True),
        sa.Column("last_seen", types.Moment(timezone=True), nullable=True),
        sa.Column("outcome", sa.String(length=16), nullable=True),
        sa.Column("marks", types.Marks(), nullable=True),
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.CheckConstraint(
            "outcome IN ('correct', 'partial', 'incorrect', 'unanswered', 'unscored')",
            name=op.f("ck_attempt_questions_outcome"),
        ),
        sa.ForeignKeyConstraint(
            ["attempt_id"], ["attempts.id"], name=op.f("fk_attempt_questions_attempt_id_attempts"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["question_id"],
            ["questions.id"],
            name=op.f("fk_attempt_questions_question_id_questions"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["section_id"],
            ["attempt_sections.id"],
            name=op.f("fk_attempt_questions_section_id_attempt_sections"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_attempt_questions")),
        sa.UniqueConstraint("attempt_id", "question_id", name=op.f("uq_attempt_questions_attempt_id_question_id")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("attempt_questions", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_attempt_questions_attempt_id_attempt_questions_order"), ["attempt_id", "order"], unique=False
        )
        batch_op.create_index(
            batch_op.f("ix_attempt_questions_question_id_attempt_questions_outcome"),
            ["question_id", "outcome"],
            unique=False,
        )
        batch_op.create_index(batch_op.f("ix_attempt_questions_section_id"), ["section_id"], unique=False)

    op.create_table(
        "numeric_keys",
        sa.Column("question_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("low", types.ExactDecimal(length=80), nullable=False),
        sa.Column("high", types.ExactDecimal(length=80), nullable=False),
        sa.Column("weight", types.Marks(), nullable=False),
        sa.Column("feedback_html", sa.Text(), nullable=False),
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.ForeignKeyConstraint(
            ["question_id"], ["questions.id"], name=op.f("fk_numeric_keys_question_id_questions"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_numeric_keys")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("numeric_keys", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_numeric_keys_question_id"), ["question_id"], unique=False)

    op.create_table(
        "options",
        sa.Column("question_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("order", sa.Integer(), nullable=False),
        sa.Column("html", sa.Text(), nullable=False),
        sa.Column("is_correct", sa.Boolean(), nullable=False),
        sa.Column("weight", types.Marks(), nullable=True),
        sa.Column("feedback_html", sa.Text(), nullable=False),
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.ForeignKeyConstraint(
            ["question_id"], ["questions.id"], name=op.f("fk_options_question_id_questions"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_options")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("options", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_options_question_id_options_order"), ["question_id", "order"], unique=False
        )

    op.create_table(
        "pairs",
        sa.Column("question_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("order", sa.Integer(), nullable=False),
        sa.Column("left_html", sa.Text(), nullable=False),
        sa.Column("right", sa.Text(), nullable=False),
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.ForeignKeyConstraint(
            ["question_id"], ["questions.id"], name=op.f("fk_pairs_question_id_questions"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pairs")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("pairs", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_pairs_question_id_pairs_order"), ["question_id", "order"], unique=False)

    op.create_table(
        "text_keys",
        sa.Column("question_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("gap", sa.Integer(), nullable=False),
        sa.Column("case_sensitive", sa.Boolean(), nullable=False),
        sa.Column("weight", types.Marks(), nullable=False),
        sa.Column("feedback_html", sa.Text(), nullable=False),
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.ForeignKeyConstraint(
            ["question_id"], ["questions.id"], name=op.f("fk_text_keys_question_id_questions"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_text_keys")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("text_keys", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_text_keys_question_id"), ["question_id"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("text_keys", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_text_keys_question_id"))

    op.drop_table("text_keys")
    with op.batch_alter_table("pairs", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_pairs_question_id_pairs_order"))

    op.drop_table("pairs")
    with op.batch_alter_table("options", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_options_question_id_options_order"))

    op.drop_table("options")
    with op.batch_alter_table("numeric_keys", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_numeric_keys_question_id"))

    op.drop_table("numeric_keys")
    with op.batch_alter_table("attempt_questions", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_attempt_questions_section_id"))
        batch_op.drop_index(batch_op.f("ix_attempt_questions_question_id_attempt_questions_outcome"))
        batch_op.drop_index(batch_op.f("ix_attempt_questions_attempt_id_attempt_questions_order"))

    op.drop_table("attempt_questions")
    with op.batch_alter_table("questions", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_questions_section_id"))

    op.drop_table("questions")
    with op.batch_alter_table("content_attempts", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_content_attempts_user_id_content_attempts_content_id"))
        batch_op.drop_index(batch_op.f("ix_content_attempts_content_id"))

    op.drop_table("content_attempts")
    with op.batch_alter_table("content_assignments", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_content_assignments_user_id"))

    op.drop_table("content_assignments")
    with op.batch_alter_table("attempt_sections", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_attempt_sections_exam_section_id"))

    op.drop_table("attempt_sections")
    with op.batch_alter_table("report_groups", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_report_groups_report_card_id_report_groups_order"))

    op.drop_table("report_groups")
    with op.batch_alter_table("passages", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_passages_exam_id"))

    op.drop_table("passages")
    op.drop_table("exam_sections")
    with op.batch_alter_table("exam_batches", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_exam_batches_batch_id"))

    op.drop_table("exam_batches")
    with op.batch_alter_table("contents", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_contents_exam_id"))
        batch_op.drop_index(batch_op.f("ix_contents_course_id_contents_order"))
        batch_op.drop_index(batch_op.f("ix_contents_content_type"))

    op.drop_table("contents")
    with op.batch_alter_table("attempts", schema=None) as batch_op:
        batch_op.drop_index(
            "uq_attempts_running",
            sqlite_where=sa.text("state = 'Running'"),
            postgresql_where=sa.text("state = 'Running'"),
        )
        batch_op.drop_index(batch_op.f("ix_attempts_user_id_attempts_exam_id"))
        batch_op.drop_index(batch_op.f("ix_attempts_state_attempts_deadline"))
        batch_op.drop_index(batch_op.f("ix_attempts_exam_id_attempts_state_attempts_score"))

    op.drop_table("attempts")
    with op.batch_alter_table("report_cards", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_report_cards_user_id"))

    op.drop_table("report_cards")
    with op.batch_alter_table("exams", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_exams_course_id"))

    op.drop_table("exams")
    with op.batch_alter_table("course_batches", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_course_batches_batch_id"))

    op.drop_table("course_batches")
    with op.batch_alter_table("batch_members", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_batch_members_user_id"))

    op.drop_table("batch_members")
    with op.batch_alter_table("users", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_users_email"))

    op.drop_table("users")
    op.drop_table("subjects")
    op.drop_table("leases")
    op.drop_table("courses")
    op.drop_table("batches")
