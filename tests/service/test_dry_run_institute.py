"""The institute of a dry run, which is made without SQLAlchemy, is the one that the importer makes."""

import sqlite3
import stat
from contextlib import ExitStack, closing
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from lms_tui.banks.model import Criterion, Exam, NotAnExam, NumericKey, Option, Pair, Question, Section, TextKey
from lms_tui.banks.reader import read_exam
from lms_tui.common.calculator import Scope
from lms_tui.service.admin.dry_run import PASSWORD, make_dry_run
from lms_tui.service.core.database import tables
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.head import TABLES
from lms_tui.service.core.database.opening import NoInstitute, UnusableDatabase
from lms_tui.service.core.database.plain_rows import insert
from lms_tui.service.core.passwords import Passwords
from lms_tui.service.core.settings import ServiceSettings
from lms_tui.service.demo import exams as demo_exams
from lms_tui.service.exams.importer import import_exam
from lms_tui.service.server.building import build_behind
from lms_tui.service.server.errors import ServiceError
from lms_tui.service.server.process import run
from lms_tui.wire.question_types import QuestionType
from tests.service.database_content import content_of
from tests.service.service_world import START, every_kind, exam_of, locked, sums

WRITE_AHEAD = b"\x02\x02"
"""The versions in the header of an SQLite file with a write-ahead log."""
SHARED = Path(__file__).parents[2] / "../shared/cases"


def imported(file: Path, exams: list[Exam], slug: str) -> None:
    """Make the institute of a dry run with the importer of all other exams."""
    database = Database.in_file(file)
    database.prepare(brief=True)
    with database.write() as session:
        session.add(
            tables.User(
                username="Meera",
                password_hash=Passwords().hash_public(PASSWORD),
                tokens_valid_from=START,
                created=START,
                modified=START,
            )
        )
        for number, exam in enumerate(exams):
            row = import_exam(
                session,
                exam,
                course="Dry run",
                now=START,
                start_date=START - timedelta(days=1),
                is_public=True,
            )
            made = session.get_one(tables.Exam, row)
            made.answers_after_closing = False
            if not number:
                made.slug = slug or made.slug
    database.close()


def compare(folder: Path, *exams: Exam, slug: str = "") -> None:
    expected, made = folder / "expected.sqlite3", folder / "made.sqlite3"
    imported(expected, list(exams), slug)
    make_dry_run(made, exams, "Meera", Passwords(), START, slug)
    assert content_of(made) == content_of(expected)
    with closing(sqlite3.connect(made)) as connection:
        (found,) = connection.execute("SELECT password_hash FROM users").fetchone()
    assert Passwords().verify(found, PASSWORD)
    assert stat.S_IMODE(made.stat().st_mode) == 0o600
    assert made.read_bytes()[18:20] == WRITE_AHEAD
    assert {file.name for file in folder.iterdir() if file.name.startswith(".")} == set()


OWN_FILES = sorted(Path(demo_exams.__path__[0]).glob("*.yaml"))


@pytest.mark.parametrize("file", OWN_FILES, ids=lambda file: file.stem)
def test_an_exam_of_the_demo_is_kept_as_the_importer_keeps_it(tmp_path: Path, file: Path) -> None:
    compare(tmp_path, read_exam(file.read_bytes(), file.name).exam, slug="dry-run")


@pytest.mark.skipif(not SHARED.is_dir(), reason="the exams of others are not part of this repository")
def test_the_exams_of_others_are_kept_as_the_importer_keeps_them(tmp_path: Path) -> None:
    exams = []
    for file in sorted(file for file in SHARED.rglob("*") if file.is_file()):
        try:
            exams.append(read_exam(file.read_bytes(), file.name).exam)
        except NotAnExam:
            continue
    with_questions = [exam for exam in exams if exam.questions]
    assert len(with_questions) > 10
    compare(tmp_path, *with_questions)


def test_every_column_of_an_exam_is_kept_as_the_importer_keeps_it(tmp_path: Path) -> None:
    rubric = (Criterion("Style", Decimal("1.5")), Criterion("Facts", Decimal("2.5")))
    questions = (
        Question(
            QuestionType.ESSAY, "write", essay_topics=("हिंदी", "Two"), rubric=rubric, tags=("a", "b"), marks=Decimal(4)
        ),
        Question(QuestionType.FILES, "send", file_types=(".pdf",), most_files=3, identifier="ID 7", language="ta"),
        Question(
            QuestionType.NUMERIC,
            "between",
            numbers=(NumericKey(Decimal("1E-30"), Decimal("3.1415926535"), weight=Decimal("0.3333")),),
            negative_marks=Decimal("0.25"),
        ),
        Question(
            QuestionType.GAPS,
            "fill [[1]]",
            texts=(TextKey("a\x00", gap=1),),
            gap_choices=(("a", "\ud800"),),
            title="Gap",
        ),
        Question(
            QuestionType.MULTIPLE,
            "choose",
            (Option("one", correct=True, weight=Decimal("0.5"), feedback_html="yes"), Option("two", correct=False)),
            direction_html="read this",
            subject=("Maths", "Sets", "Unions"),
            pool=1,
        ),
        Question(QuestionType.MATCH, "match", pairs=(Pair("x", "one"), Pair("", "two")), subject=("Maths", "Sums")),
    )
    sections = (
        Section("First", questions[:3], duration=timedelta(minutes=5), cut_off=2, instructions_html="<p>go</p>"),
        Section("Empty", ()),
        Section("Second", questions[3:], duration=timedelta(minutes=6)),
    )
    exam = Exam(
        "Whole",
        sections,
        description_html="<p>about</p>",
        language="hi",
        picks=(1,),
        max_retakes=2,
        enable_ranks=False,
        show_answers=False,
        answers_after_closing=True,
        immediate_feedback=True,
        calculator=Scope.BASIC,
        reference_html="<p>sheet</p>",
        allow_preemptive_section_ending=False,
    )
    compare(tmp_path, exam)


def test_several_exams_share_subjects_and_have_their_own_slugs(tmp_path: Path) -> None:
    compare(tmp_path, sums(), sums(2), exam_of(*every_kind().questions, title="Attempts"), locked(), sums(1))


def test_an_institute_that_cannot_be_made_leaves_no_file_and_is_explained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    damaged, exam = tmp_path / "damaged.sql", tmp_path / "sums.gift"
    damaged.write_text(TABLES.read_text("utf-8")[:9_000] + "?", "utf-8")
    exam.write_text("::One::How many are 1 and 1? {#2}")
    monkeypatch.setattr("lms_tui.service.core.database.new_file.TABLES", damaged)
    with pytest.raises(UnusableDatabase, match=r"service\.sqlite3 cannot be used"):
        run(ServiceSettings(tmp_path / "run", exam_files=(exam,)))
    assert [file.name for file in (tmp_path / "run").iterdir()] == ["service.log"]


def test_a_service_whose_folder_was_deleted_makes_no_new_database(tmp_path: Path) -> None:
    settings = ServiceSettings(tmp_path, exam_given=True)
    with ExitStack() as stack, pytest.raises(NoInstitute):
        build_behind(settings, settings.clock, stack)
    assert list(tmp_path.iterdir()) == []


def test_the_exam_of_a_dry_run_is_kept_in_no_other_database(tmp_path: Path) -> None:
    with pytest.raises(ServiceError, match="is kept in a file"):
        run(ServiceSettings(tmp_path, exam_given=True, database_url=f"sqlite:///{tmp_path / 'other.sqlite3'}"))


def test_a_value_that_no_column_takes_is_refused() -> None:
    with closing(sqlite3.connect(":memory:")) as connection, pytest.raises(TypeError, match=r"takes 1\.5"):
        insert(connection, "exams", {"mark_per_question": 1.5})
