"""The whole schema of an institute."""

import sqlalchemy as sa
from alembic import op

from lms_tui.service.core.database import types

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "batches",
        sa.Column("name", sa.String(200), nullable=False, unique=True),
        sa.Column("created", types.Moment(), nullable=False),
        sa.Column("modified", types.Moment(), nullable=False),
        sa.Column("id", types.Identity, primary_key=True),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "courses",
        sa.Column("name", sa.String(300), nullable=False, unique=True),
        sa.Column("is_public", sa.Boolean(), nullable=False),
        sa.Column("created", types.Moment(), nullable=False),
        sa.Column("id", types.Identity, primary_key=True),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "leases",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("holder", sa.String(64), nullable=False),
        sa.Column("expires", types.Moment(), nullable=False),
    )
    op.create_table(
        "subjects",
        sa.Column("name", sa.String(300), nullable=False),
        sa.Column("parent_id", types.Identity, sa.ForeignKey("subjects.id"), nullable=True),
        sa.Column("id", types.Identity, primary_key=True),
        sa.UniqueConstraint("parent_id", "name"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "users",
        sa.Column("username", sa.String(150), nullable=False, unique=True),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("is_active", sa.Boolean(), nullable=False),
        sa.Column("password_hash", sa.String(200), nullable=True),
        sa.Column("tokens_valid_from", types.Moment(), nullable=False),
        sa.Column("first_name", sa.String(150), nullable=False),
        sa.Column("last_name", sa.String(150), nullable=False),
        sa.Column("email", sa.String(254), nullable=False, index=True),
        sa.Column("photo", sa.String(500), nullable=False),
        sa.Column("birth_date", sa.Date(), nullable=True),
        sa.Column("gender_code", sa.String(8), nullable=True),
        sa.Column("address1", sa.String(255), nullable=False),
        sa.Column("address2", sa.String(255), nullable=False),
        sa.Column("city", sa.String(100), nullable=False),
        sa.Column("zip", sa.String(20), nullable=False),
        sa.Column("state_code", sa.String(8), nullable=True),
        sa.Column("phone", sa.String(30), nullable=False),
        sa.Column("created", types.Moment(), nullable=False),
        sa.Column("modified", types.Moment(), nullable=False),
        sa.Column("id", types.Identity, primary_key=True),
        sa.CheckConstraint("role IN ('student', 'mentor', 'moderator', 'admin')", name="role"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "batch_members",
        sa.Column("batch_id", types.Identity, sa.ForeignKey("batches.id", ondelete="CASCADE"), primary_key=True),
        sa.Column(
            "user_id", types.Identity, sa.ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True
        ),
    )
    op.create_table(
        "course_batches",
        sa.Column("course_id", types.Identity, sa.ForeignKey("courses.id", ondelete="CASCADE"), primary_key=True),
        sa.Column(
            "batch_id", types.Identity, sa.ForeignKey("batches.id", ondelete="CASCADE"), primary_key=True, index=True
        ),
    )
    op.create_table(
        "exams",
        sa.Column("slug", sa.String(200), nullable=False, unique=True),
        sa.Column("title", sa.String(300), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("course_id", types.Identity, sa.ForeignKey("courses.id"), nullable=False, index=True),
        sa.Column("language", sa.String(35), nullable=False),
        sa.Column("start_date", types.Moment(), nullable=False),
        sa.Column("end_date", types.Moment(), nullable=True),
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
        sa.Column("rank_publishing_date", types.Moment(), nullable=True),
        sa.Column("show_answers", sa.Boolean(), nullable=False),
        sa.Column("immediate_feedback", sa.Boolean(), nullable=False),
        sa.Column("allow_preemptive_section_ending", sa.Boolean(), nullable=False),
        sa.Column("allow_pdf", sa.Boolean(), nullable=False),
        sa.Column("allow_question_pdf", sa.Boolean(), nullable=False),
        sa.Column("created", types.Moment(), nullable=False),
        sa.Column("id", types.Identity, primary_key=True),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "report_cards",
        sa.Column("user_id", types.Identity, sa.ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
        sa.Column("title", sa.String(300), nullable=False),
        sa.Column("total_score", types.Marks(), nullable=False),
        sa.Column("total_min_range", types.Marks(), nullable=False),
        sa.Column("total_max_range", types.Marks(), nullable=False),
        sa.Column("is_published", sa.Boolean(), nullable=False),
        sa.Column("created", types.Moment(), nullable=False),
        sa.Column("id", types.Identity, primary_key=True),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "attempts",
        sa.Column("exam_id", types.Identity, sa.ForeignKey("exams.id", ondelete="CASCADE"), nullable=False),
        sa.Column("user_id", types.Identity, sa.ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("date", types.Moment(), nullable=False),
        sa.Column("last_started_time", types.Moment(), nullable=False),
        sa.Column("last_contact", types.Moment(), nullable=False),
        sa.Column("ended", types.Moment(), nullable=True),
        sa.Column("time_over", sa.Boolean(), nullable=False),
        sa.Column("allowed", types.Span(), nullable=True),
        sa.Column("time_taken", types.Span(), nullable=False),
        sa.Column("deadline", types.Moment(), nullable=True),
        sa.Column("total_questions", sa.Integer(), nullable=False),
        sa.Column("score", types.Marks(), nullable=False),
        sa.Column("max_score", types.Marks(), nullable=False),
        sa.Column("correct_count", sa.Integer(), nullable=False),
        sa.Column("incorrect_count", sa.Integer(), nullable=False),
        sa.Column("unanswered_count", sa.Integer(), nullable=False),
        sa.Column("total_bonus", types.Marks(), nullable=False),
        sa.Column("speed", sa.Double(), nullable=False),
        sa.Column("accuracy", sa.Double(), nullable=False),
        sa.Column("id", types.Identity, primary_key=True),
        sa.CheckConstraint("state IN ('Running', 'Completed')", name="state"),
        sa.Index(None, "exam_id", "state", "score"),
        sa.Index(None, "state", "deadline"),
        sa.Index(None, "user_id", "exam_id"),
        sa.Index(
            "uq_attempts_running",
            "exam_id",
            "user_id",
            unique=True,
            sqlite_where=sa.text("state = 'Running'"),
            postgresql_where=sa.text("state = 'Running'"),
        ),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "contents",
        sa.Column("uuid", sa.Uuid(), nullable=False, unique=True),
        sa.Column("course_id", types.Identity, sa.ForeignKey("courses.id", ondelete="CASCADE"), nullable=False),
        sa.Column("exam_id", types.Identity, sa.ForeignKey("exams.id", ondelete="CASCADE"), nullable=True, index=True),
        sa.Column("chapter", sa.String(300), nullable=False),
        sa.Column("order", sa.Integer(), nullable=False),
        sa.Column("title", sa.String(300), nullable=False),
        sa.Column("content_type", sa.String(32), nullable=False, index=True),
        sa.Column("start_date", types.Moment(), nullable=True),
        sa.Column("is_published", sa.Boolean(), nullable=False),
        sa.Column("id", types.Identity, primary_key=True),
        sa.Index(None, "course_id", "order"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "exam_batches",
        sa.Column("exam_id", types.Identity, sa.ForeignKey("exams.id", ondelete="CASCADE"), primary_key=True),
        sa.Column(
            "batch_id", types.Identity, sa.ForeignKey("batches.id", ondelete="CASCADE"), primary_key=True, index=True
        ),
    )
    op.create_table(
        "exam_sections",
        sa.Column("exam_id", types.Identity, sa.ForeignKey("exams.id", ondelete="CASCADE"), nullable=False),
        sa.Column("order", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(300), nullable=False),
        sa.Column("duration", types.Span(), nullable=True),
        sa.Column("cut_off", sa.Integer(), nullable=False),
        sa.Column("instructions", sa.Text(), nullable=False),
        sa.Column("id", types.Identity, primary_key=True),
        sa.UniqueConstraint("exam_id", "order"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "passages",
        sa.Column("exam_id", types.Identity, sa.ForeignKey("exams.id", ondelete="CASCADE"), nullable=False, index=True),
        sa.Column("html", sa.Text(), nullable=False),
        sa.Column("id", types.Identity, primary_key=True),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "report_groups",
        sa.Column(
            "report_card_id", types.Identity, sa.ForeignKey("report_cards.id", ondelete="CASCADE"), nullable=False
        ),
        sa.Column("order", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(300), nullable=False),
        sa.Column("min_score", types.Marks(), nullable=False),
        sa.Column("max_score", types.Marks(), nullable=False),
        sa.Column("average_score", types.Marks(), nullable=False),
        sa.Column("id", types.Identity, primary_key=True),
        sa.Index(None, "report_card_id", "order"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "attempt_sections",
        sa.Column("attempt_id", types.Identity, sa.ForeignKey("attempts.id", ondelete="CASCADE"), nullable=False),
        sa.Column(
            "exam_section_id",
            types.Identity,
            sa.ForeignKey("exam_sections.id", ondelete="CASCADE"),
            nullable=False,
            index=True,
        ),
        sa.Column("order", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("allowed", types.Span(), nullable=True),
        sa.Column("time_taken", types.Span(), nullable=False),
        sa.Column("over", types.Moment(), nullable=True),
        sa.Column("id", types.Identity, primary_key=True),
        sa.UniqueConstraint("attempt_id", "order"),
        sa.CheckConstraint("state IN ('Not Started', 'Running', 'Completed')", name="state"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "content_assignments",
        sa.Column("content_id", types.Identity, sa.ForeignKey("contents.id", ondelete="CASCADE"), primary_key=True),
        sa.Column(
            "user_id", types.Identity, sa.ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True
        ),
    )
    op.create_table(
        "content_attempts",
        sa.Column(
            "content_id", types.Identity, sa.ForeignKey("contents.id", ondelete="CASCADE"), nullable=False, index=True
        ),
        sa.Column("user_id", types.Identity, sa.ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
        sa.Column("date", types.Moment(), nullable=False),
        sa.Column("id", types.Identity, primary_key=True),
        sa.Index(None, "user_id", "content_id"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "questions",
        sa.Column("exam_id", types.Identity, sa.ForeignKey("exams.id", ondelete="CASCADE"), nullable=False),
        sa.Column(
            "section_id",
            types.Identity,
            sa.ForeignKey("exam_sections.id", ondelete="CASCADE"),
            nullable=False,
            index=True,
        ),
        sa.Column("passage_id", types.Identity, sa.ForeignKey("passages.id"), nullable=True),
        sa.Column("subject_id", types.Identity, sa.ForeignKey("subjects.id"), nullable=True),
        sa.Column("order", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(1), nullable=False),
        sa.Column("title", sa.String(300), nullable=False),
        sa.Column("html", sa.Text(), nullable=False),
        sa.Column("explanation_html", sa.Text(), nullable=False),
        sa.Column("marks", types.Marks(), nullable=False),
        sa.Column("negative_marks", types.Marks(), nullable=False),
        sa.Column("is_bonus", sa.Boolean(), nullable=False),
        sa.Column("language", sa.String(35), nullable=False),
        sa.Column("identifier", sa.String(300), nullable=False),
        sa.Column("essay_topics", sa.JSON(), nullable=False),
        sa.Column("tags", sa.JSON(), nullable=False),
        sa.Column("id", types.Identity, primary_key=True),
        sa.UniqueConstraint("exam_id", "order"),
        sa.CheckConstraint("kind IN ('R', 'C', 'S', 'N', 'E', 'F', 'G', 'M')", name="kind"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "attempt_questions",
        sa.Column("attempt_id", types.Identity, sa.ForeignKey("attempts.id", ondelete="CASCADE"), nullable=False),
        sa.Column("question_id", types.Identity, sa.ForeignKey("questions.id", ondelete="CASCADE"), nullable=False),
        sa.Column(
            "section_id",
            types.Identity,
            sa.ForeignKey("attempt_sections.id", ondelete="CASCADE"),
            nullable=False,
            index=True,
        ),
        sa.Column("order", sa.Integer(), nullable=False),
        sa.Column("selected_answers", sa.JSON(), nullable=False),
        sa.Column("short_text", sa.Text(), nullable=True),
        sa.Column("essay_text", sa.Text(), nullable=True),
        sa.Column("essay_topic", sa.Text(), nullable=True),
        sa.Column("gap_fill_responses", sa.JSON(), nullable=False),
        sa.Column("review", sa.Boolean(), nullable=True),
        sa.Column("answer_stamps", sa.JSON(), nullable=False),
        sa.Column("duration", types.Span(), nullable=True),
        sa.Column("first_seen", types.Moment(), nullable=True),
        sa.Column("last_seen", types.Moment(), nullable=True),
        sa.Column("outcome", sa.String(16), nullable=True),
        sa.Column("marks", types.Marks(), nullable=True),
        sa.Column("id", types.Identity, primary_key=True),
        sa.UniqueConstraint("attempt_id", "question_id"),
        sa.CheckConstraint("outcome IN ('correct', 'partial', 'incorrect', 'unanswered', 'unscored')", name="outcome"),
        sa.Index(None, "attempt_id", "order"),
        sa.Index(None, "question_id", "outcome"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "numeric_keys",
        sa.Column(
            "question_id", types.Identity, sa.ForeignKey("questions.id", ondelete="CASCADE"), nullable=False, index=True
        ),
        sa.Column("low", types.ExactDecimal(80), nullable=False),
        sa.Column("high", types.ExactDecimal(80), nullable=False),
        sa.Column("weight", types.Marks(), nullable=False),
        sa.Column("feedback_html", sa.Text(), nullable=False),
        sa.Column("id", types.Identity, primary_key=True),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "options",
        sa.Column("question_id", types.Identity, sa.ForeignKey("questions.id", ondelete="CASCADE"), nullable=False),
        sa.Column("order", sa.Integer(), nullable=False),
        sa.Column("html", sa.Text(), nullable=False),
        sa.Column("is_correct", sa.Boolean(), nullable=False),
        sa.Column("weight", types.Marks(), nullable=True),
        sa.Column("feedback_html", sa.Text(), nullable=False),
        sa.Column("id", types.Identity, primary_key=True),
        sa.Index(None, "question_id", "order"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "pairs",
        sa.Column("question_id", types.Identity, sa.ForeignKey("questions.id", ondelete="CASCADE"), nullable=False),
        sa.Column("order", sa.Integer(), nullable=False),
        sa.Column("left_html", sa.Text(), nullable=False),
        sa.Column("right", sa.Text(), nullable=False),
        sa.Column("id", types.Identity, primary_key=True),
        sa.Index(None, "question_id", "order"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "text_keys",
        sa.Column(
            "question_id", types.Identity, sa.ForeignKey("questions.id", ondelete="CASCADE"), nullable=False, index=True
        ),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("gap", sa.Integer(), nullable=False),
        sa.Column("case_sensitive", sa.Boolean(), nullable=False),
        sa.Column("weight", types.Marks(), nullable=False),
        sa.Column("feedback_html", sa.Text(), nullable=False),
        sa.Column("id", types.Identity, primary_key=True),
        sqlite_autoincrement=True,
    )


def downgrade() -> None:
    for table in (
        "text_keys",
        "pairs",
        "options",
        "numeric_keys",
        "attempt_questions",
        "questions",
        "content_attempts",
        "content_assignments",
        "attempt_sections",
        "report_groups",
        "passages",
        "exam_sections",
        "exam_batches",
        "contents",
        "attempts",
        "report_cards",
        "exams",
        "course_batches",
        "batch_members",
        "users",
        "subjects",
        "leases",
        "courses",
        "batches",
    ):
        op.drop_table(table)
