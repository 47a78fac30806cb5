"""The demo institute: its questions are sound, and its numbers agree."""

import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from sqlalchemy import Engine, event, func, select
from sqlalchemy.orm import Session

import lms_tui.service.demo
from lms_tui.banks.model import Exam, Question
from lms_tui.banks.reader import read_exam
from lms_tui.banks.scoring import Answer, Outcome, mark
from lms_tui.service.attempts.ending import key_of
from lms_tui.service.attempts.rankings import rankings
from lms_tui.service.core.database import tables
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.passwords import Passwords
from lms_tui.service.demo.data import institute_data
from lms_tui.service.demo.institute import ensure_demo
from lms_tui.service.demo.people import PASSWORD
from lms_tui.service.exams.availability import exam_attempted, exam_available, exam_upcoming
from lms_tui.service.stats.handlers import student_stats
from lms_tui.wire.question_types import QuestionType
from tests.service.class_oracle import ranking, rankings_by_hand

NOW = datetime(2026, 11, 21, 6, 30, tzinfo=UTC)
OFFERS = institute_data().exams
QUESTIONS = [question for offer in OFFERS for question in offer.exam.questions]
FILES = Path(lms_tui.service.demo.__file__).with_name("exams")


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    opened = Database.in_file(tmp_path_factory.mktemp("demo") / "service.sqlite3")
    opened.prepare()
    with opened.write() as session:
        assert ensure_demo(session, lambda: NOW)
    yield opened
    opened.close()


@pytest.fixture
def session(database: Database) -> Iterator[Session]:
    with database.read() as opened:
        yield opened


def user(session: Session, username: str) -> tables.User:
    return session.scalars(select(tables.User).where(tables.User.username == username)).one()


def exam(slug: str) -> Exam:
    return next(offer.exam for offer in OFFERS if offer.slug == slug)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.identifier)
def test_every_question_has_its_key_and_an_explanation(question: Question) -> None:
    right = [option for option in question.options if option.correct]
    match question.kind:
        case QuestionType.SINGLE:
            assert len(right) == 1
        case QuestionType.MULTIPLE:
            assert 2 <= len(right) < len(question.options)
            assert re.search("Choose all|सभी|அனைத்தையும்", question.html), "the student must be told"
        case QuestionType.SHORT:
            assert question.texts
        case QuestionType.NUMERIC:
            assert question.numbers
        case QuestionType.GAPS:
            gaps = {int(number) for number in re.findall(r"\[\[(\d)\]\]", question.html)}
            assert gaps == {key.gap for key in question.texts} == set(range(1, len(gaps) + 1))
        case QuestionType.MATCH:
            assert len({pair.right for pair in question.pairs}) == len(question.pairs) >= 3
        case QuestionType.FILES:
            assert question.file_types
        case _:
            assert question.essay_topics
    assert len({option.html for option in question.options}) == len(question.options)
    assert question.explanation_html
    assert question.subject


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.identifier)
def test_every_text_is_well_formed(question: Question) -> None:
    texts = (question.html, question.explanation_html, question.direction_html, *(o.html for o in question.options))
    for text in texts:
        assert text.count(r"\(") == text.count(r"\)")
        assert text.count(r"\[") == text.count(r"\]")
        for formula in re.findall(r"\\\((.*?)\\\)|\\\[(.*?)\\\]", text, re.DOTALL):
            assert "".join(formula).count("{") == "".join(formula).count("}")
        opened = Counter(re.findall(r"<([a-z0-9]+)[ >]", text))
        closed = Counter(re.findall(r"</([a-z0-9]+)>", text))
        del opened["img"]
        assert opened == closed
        assert re.search(r"&(?!amp;|lt;|gt;)", text) is None
    assert all('alt="' in image for image in re.findall("<img[^>]*>", question.html))


def test_correct_answers_occur_at_every_letter() -> None:
    places = Counter(
        next(place for place, option in enumerate(question.options) if option.correct)
        for question in QUESTIONS
        if question.kind is QuestionType.SINGLE
    )
    assert set(places) == {0, 1, 2, 3}
    assert min(places.values()) * 2 > max(places.values())


def test_identifiers_are_unique() -> None:
    assert len({question.identifier for question in QUESTIONS}) == len(QUESTIONS)


def test_the_demo_institute_has_every_feature() -> None:
    long_one = exam("foundation-test-1")
    assert len(long_one.questions) == 50
    assert {question.kind for question in long_one.questions} == {QuestionType.SINGLE, QuestionType.MULTIPLE}
    assert Counter(q.direction_html for q in long_one.questions if q.direction_html).most_common(1)[0][1] == 4
    assert len(exam("number-sense").questions) == 8
    assert exam("four-minute-sprint").duration == timedelta(minutes=4)
    assert [section.duration for section in exam("reading-and-reasoning").sections] == [None, None]
    assert all(section.duration for section in exam("scholarship-mock").sections)
    assert {question.language for question in exam("hindi-and-tamil").questions} == {"hi", "ta"}
    assert {q.kind for q in exam("every-type-of-question").questions} == set(QuestionType)
    assert any("data:image/png;base64," in question.html for question in QUESTIONS)
    assert any("<table>" in question.html for question in QUESTIONS)
    assert any("<ol>" in question.html for question in QUESTIONS)
    assert len({one.course for one in OFFERS}) >= 2


def test_every_exam_file_is_read_without_errors_and_belongs_to_the_institute() -> None:
    assert {path.stem for path in FILES.iterdir()} == {offer.slug for offer in OFFERS}
    for offer in OFFERS:
        reading = read_exam((FILES / f"{offer.slug}.yaml").read_bytes(), f"{offer.slug}.yaml")
        assert (reading.exam.slug, list(reading.errors)) == (offer.slug, [])


def test_all_users_sign_in_with_the_public_password(session: Session) -> None:
    for username, role in (("admin", "admin"), ("staff", "moderator"), ("mentor", "mentor"), ("asha", "student")):
        row = user(session, username)
        assert row.role == role
        assert Passwords().verify(row.password_hash, PASSWORD)
    assert len(institute_data().students) >= 14


def test_the_attempts_of_an_exam_are_written_without_reading_them_again(tmp_path: Path) -> None:
    """The first start of the demo waits for them."""
    database = Database.in_file(tmp_path / "service.sqlite3")
    database.prepare(brief=True)
    seen: list[str] = []

    def on_execute(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        seen.append(statement)

    event.listen(Engine, "before_cursor_execute", on_execute)
    try:
        with database.write() as session:
            assert ensure_demo(session, lambda: NOW)
    finally:
        event.remove(Engine, "before_cursor_execute", on_execute)
        database.close()
    of_attempts = [statement for statement in seen if " attempt" in statement]
    assert [statement for statement in of_attempts if not statement.startswith("INSERT")] == []
    answers = [statement for statement in of_attempts if "INTO attempt_questions" in statement]
    assert len(answers) == sum(offer.is_taken for offer in OFFERS)


def test_a_second_build_changes_nothing(tmp_path: Path) -> None:
    database = Database.in_file(tmp_path / "service.sqlite3")
    database.prepare()
    counted = (tables.User, tables.Exam, tables.Attempt, tables.Content, tables.ReportCard, tables.Course)
    counts = []
    for expected in (True, False):
        with database.write() as session:
            assert ensure_demo(session, lambda: NOW) is expected
        with database.read() as session:
            counts.append([session.scalar(select(func.count()).select_from(table)) for table in counted])
    database.close()
    assert counts[0] == counts[1]


def test_existing_users_stay_unchanged(tmp_path: Path) -> None:
    database = Database.in_file(tmp_path / "service.sqlite3")
    database.prepare()
    with database.write() as session:
        session.add(
            tables.User(username="admin", role="admin", tokens_valid_from=NOW, created=NOW, modified=NOW, city="Delhi")
        )
    with database.write() as session:
        assert ensure_demo(session, lambda: NOW)
    with database.read() as session:
        kept = user(session, "admin")
        assert (kept.city, kept.password_hash) == ("Delhi", None)
    database.close()


def test_asha_has_exams_to_take_and_ended_exams(session: Session) -> None:
    asha = user(session, "asha").id
    available = exam_available(asha, NOW) & ~exam_attempted(asha)
    assert {
        "foundation-test-1",
        "number-sense",
        "four-minute-sprint",
        "reading-and-reasoning",
        "scholarship-mock",
    } <= set(session.scalars(select(tables.Exam.slug).where(available)))
    assert set(session.scalars(select(tables.Exam.slug).where(exam_upcoming(asha, NOW)))) == {"foundation-test-2"}
    trend = session.scalars(
        select(tables.Attempt.score)
        .join(tables.Exam)
        .where(tables.Attempt.user_id == asha, tables.Exam.slug == "weekly-physics-quiz")
        .order_by(tables.Attempt.date)
    ).all()
    assert len(trend) == 3
    assert list(trend) == sorted(trend)


def test_asha_has_statistics_and_report_cards(session: Session) -> None:
    stats = student_stats(session, user(session, "asha").id, NOW)
    assert (stats.exams_attempted, stats.total_exams) == (2, 9)
    assert 0 < stats.videos_watched < stats.total_videos
    assert 0 < stats.video_conferences_attended < stats.total_video_conferences
    assert 0 < stats.live_streams_attended < stats.total_live_streams
    assert [report.report_title for report in stats.student_report.reports] == ["First term 2026", "Entrance test"]
    for report in stats.student_report.reports:
        assert report.total_min_range <= report.total_score <= report.total_max_range  # type: ignore[operator]  # numbers here
        assert sum(group.score for group in report.groups) == report.total_score  # type: ignore[misc]  # numbers here
        for group in report.groups:
            assert group.min_score <= group.score <= group.max_score  # type: ignore[operator]  # numbers here
            assert group.min_score < group.average_score < group.max_score  # type: ignore[operator]  # numbers here


def to_mark(session: Session, attempt: tables.Attempt) -> int:
    columns = tables.AttemptQuestion
    waiting = select(columns).where(columns.attempt_id == attempt.id, columns.outcome == "unscored")
    return len(session.scalars(waiting).all())


def test_an_instructor_finds_essays_to_mark(session: Session) -> None:
    essays = session.scalars(select(tables.AttemptQuestion).where(tables.AttemptQuestion.essay_text.is_not(None))).all()
    assert [essay.outcome for essay in essays] == ["unscored"] * 3
    assert all(essay.essay_topic and len(essay.essay_text or "") > 150 for essay in essays)
    assert all(essay.question.kind == "E" for essay in essays)


def test_the_numbers_of_attempts_add_up(session: Session) -> None:
    attempts = session.scalars(select(tables.Attempt)).all()
    assert len(attempts) > 60
    for attempt in attempts:
        assert attempt.state == "Completed"
        counts = attempt.correct_count, attempt.incorrect_count, attempt.unanswered_count, to_mark(session, attempt)
        assert sum(counts) == attempt.total_questions
        assert attempt.score <= attempt.max_score
        assert timedelta() < attempt.time_taken
        assert attempt.allowed is None or attempt.time_taken < attempt.allowed
        assert attempt.ended is not None
        assert attempt.date < attempt.ended < NOW
        rows = session.scalars(
            select(tables.AttemptQuestion).where(tables.AttemptQuestion.attempt_id == attempt.id)
        ).all()
        assert sum((row.marks or Decimal(0) for row in rows), Decimal(0)) == attempt.score


def test_ranks_follow_from_scores(session: Session) -> None:
    exam = session.scalars(select(tables.Exam).where(tables.Exam.slug == "foundation-test-1")).one()
    field = {
        attempt.id: attempt.score
        for attempt in session.scalars(select(tables.Attempt).where(tables.Attempt.exam_id == exam.id))
    }
    placed = {key: ranking(score, field.values()) for key, score in field.items()}
    assert rankings(session, list(placed)) == {key: rankings_by_hand(session)[key] for key in placed}
    best, worst = max(field, key=lambda one: field[one]), min(field, key=lambda one: field[one])
    assert len(set(field.values())) > 8
    assert (placed[best].rank, placed[best].percentile) == (1, 100.0)
    assert placed[worst].rank == len(field) - list(field.values()).count(field[worst]) + 1
    published = {exam.slug: exam.rank_publishing_date for exam in session.scalars(select(tables.Exam))}
    assert published["acids-and-bases"] is not None
    assert published["acids-and-bases"] > NOW


def test_choosing_the_keys_earns_all_marks(session: Session) -> None:
    """Choosing what the file calls right earns all marks, for every question that is scored by choosing."""
    for one in OFFERS:
        rows = session.scalars(
            select(tables.Question)
            .join(tables.Exam)
            .where(tables.Exam.slug == one.slug)
            .order_by(tables.Question.order)
        ).all()
        assert [row.identifier for row in rows] == [question.identifier for question in one.exam.questions]
        for row in rows:
            key = frozenset(option.id for option in row.options if option.is_correct)
            if key:
                marked = mark(key_of(row), Answer(selected=key))
                assert (marked.outcome, marked.score) == (Outcome.CORRECT, row.marks)
