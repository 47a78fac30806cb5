"""Best scores and totals of questions, which the end of an attempt keeps, and indexes for lists of attempts.

Revision ID: 0008
Revises: 0007
"""

import sqlalchemy as sa
from alembic import op

from lms_tui.service.core.database import types

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _make_tables()
    _fill_tables()
    op.create_index(
        op.f("ix_attempts_user_id_attempts_date_attempts_id"), "attempts", ["user_id", "date", "id"], unique=False
    )
    op.create_index(
        op.f("ix_attempts_user_id_attempts_exam_id_attempts_date_attempts_id"),
        "attempts",
        ["user_id", "exam_id", "date", "id"],
        unique=False,
    )
    op.create_index(op.f("ix_attempts_exam_id_attempts_state"), "attempts", ["exam_id", "state"], unique=False)
    op.drop_index(op.f("ix_attempts_user_id_attempts_exam_id"), table_name="attempts")
    op.drop_index(op.f("ix_attempts_exam_id_attempts_state_attempts_score"), table_name="attempts")


def _make_tables() -> None:
    op.create_table(
        "best_scores",
        sa.Column("user_id", types.Identity, autoincrement=False, nullable=False),
        sa.Column("exam_id", types.Identity, autoincrement=False, nullable=False),
        sa.Column("attempt_id", types.Identity, nullable=False),
        sa.Column("score", types.Marks(), nullable=False),
        sa.ForeignKeyConstraint(
            ["attempt_id"], ["attempts.id"], name=op.f("fk_best_scores_attempt_id_attempts"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", "exam_id", name=op.f("pk_best_scores")),
    )
    op.create_index(op.f("ix_best_scores_attempt_id"), "best_scores", ["attempt_id"], unique=False)
    op.create_table(
        "score_counts",
        sa.Column("exam_id", types.Identity, nullable=False),
        sa.Column("score", types.Marks(), nullable=False),
        sa.Column("students", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["exam_id"], ["exams.id"], name=op.f("fk_score_counts_exam_id_exams"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("exam_id", "score", name=op.f("pk_score_counts")),
    )
    op.create_table(
        "question_totals",
        sa.Column("question_id", types.Identity, nullable=False),
        sa.Column("ended", sa.Integer(), nullable=False),
        sa.Column("correct", sa.Integer(), nullable=False),
        sa.Column("timed", sa.Integer(), nullable=False),
        sa.Column("duration", types.Span(), nullable=False),
        sa.Column("best_duration", types.Span(), nullable=True),
        sa.ForeignKeyConstraint(
            ["question_id"], ["questions.id"], name=op.f("fk_question_totals_question_id_questions"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("question_id", name=op.f("pk_question_totals")),
    )


def _fill_tables() -> None:
    op.execute(
        "INSERT INTO best_scores (user_id, exam_id, attempt_id, score)"
        " SELECT user_id, exam_id, id, score FROM ("
        "SELECT user_id, exam_id, id, score,"
        " row_number() OVER (PARTITION BY user_id, exam_id ORDER BY score DESC, id) AS place"
        " FROM attempts WHERE state = 'Completed') AS ended WHERE place = 1"
    )
    op.execute(
        "INSERT INTO score_counts (exam_id, score, students)"
        " SELECT exam_id, score, count(*) FROM best_scores GROUP BY exam_id, score"
    )
    op.execute(
        "INSERT INTO question_totals (question_id, ended, correct, timed, duration, best_duration)"
        " SELECT q.question_id, count(*), count(CASE WHEN q.outcome = 'correct' THEN 1 END), count(q.duration),"
        " coalesce(sum(q.duration), 0), min(CASE WHEN q.outcome = 'correct' THEN q.duration END)"
        " FROM attempt_questions AS q JOIN attempts AS a ON a.id = q.attempt_id"
        " WHERE a.state = 'Completed' GROUP BY q.question_id"
    )


def downgrade() -> None:
    op.create_index(op.f("ix_attempts_user_id_attempts_exam_id"), "attempts", ["user_id", "exam_id"], unique=False)
    op.create_index(
        op.f("ix_attempts_exam_id_attempts_state_attempts_score"),
        "attempts",
        ["exam_id", "state", "score"],
        unique=False,
    )
    for name in ("exam_id_attempts_state", "user_id_attempts_exam_id_attempts_date_attempts_id"):
        op.drop_index(op.f(f"ix_attempts_{name}"), table_name="attempts")
    op.drop_index(op.f("ix_attempts_user_id_attempts_date_attempts_id"), table_name="attempts")
    for name in ("question_totals", "score_counts", "best_scores"):
        op.drop_table(name)
