"""The exams that a student sees, and the import of exam files."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import func, select

from lms_tui.banks.model import Exam, Section
from lms_tui.service.core.database import tables
from lms_tui.service.exams.importer import import_exam
from tests.service.service_shapes import EXAM, WITH_USER, assert_shape
from tests.service.service_world import START, Caller, World, choice, every_kind, exam_of, locked, sums

LISTED = EXAM | {
    "attempts_url": str,
    "attempts_count": int,
    "paused_attempts_count": int,
    "comments_count": int,
    "own_time": str,
}


async def titles(caller: Caller, path: str) -> list[str]:
    return [row["title"] for row in (await caller.get(path))["results"]]


async def test_exams_are_listed_by_state(world: World, asha: Caller) -> None:
    world.add_exam(sums(title="Open"))
    world.add_exam(sums(title="Later"), start_date=START + timedelta(days=2))
    world.add_exam(sums(title="Sooner"), start_date=START + timedelta(days=1))
    world.add_exam(sums(title="Gone"), end_date=START)
    world.add_exam(sums(title="Done"))
    world.add_exam(sums(title="Draft"), is_published=False)
    attempt = await asha.create("done")
    for prefix in ("/api/v2.2/exams/?state=", "/api/v2.2/exams/"):
        assert await titles(asha, f"{prefix}available") == ["Open"]
        assert await titles(asha, f"{prefix}upcoming") == ["Sooner", "Later"]
        assert await titles(asha, f"{prefix}history") == ["Done"]
    assert set(await titles(asha, "/api/v2.2/exams/")) == {"Open", "Later", "Sooner", "Done"}
    (row,) = (await asha.get("/api/v2.2/exams/history/"))["results"]
    assert_shape(row, LISTED)
    assert (row["attempts_count"], row["paused_attempts_count"]) == (1, 1)
    assert row["attempts_url"] == "http://lms.test/api/v2.2/exams/done/attempts/"
    await asha.put(f"/api/v2.2/attempts/{attempt}/end/")
    (row,) = (await asha.get("/api/v2.2/exams/history"))["results"]
    assert (row["attempts_count"], row["paused_attempts_count"]) == (1, 0)


async def test_an_exam_counts_its_attempts(world: World, asha: Caller) -> None:
    world.add_exam(sums())
    await asha.create("sums")
    exam = await asha.get("/api/v2.2/exams/sums/")
    assert_shape(
        exam, LISTED | {"attempts": list, "calculator": str, "has_reference_sheet": bool, "needs_access_code": bool}
    )
    assert_shape(exam["attempts"][0], WITH_USER)
    assert await asha.get("/api/v2.2/exams/nowhere", 404) == {"detail": "Not found"}


async def test_an_exam_for_others_is_refused(world: World, asha: Caller, ravi: Caller) -> None:
    world.add_exam(sums(), is_public=False, batches=["Evening"])
    await asha.get("/api/v2.2/exams/sums")
    assert set(await ravi.get("/api/v2.2/exams/sums", 403)) == {"detail"}
    await ravi.get("/api/v2.2/exams/sums/attempts/", 403)
    assert await titles(ravi, "/api/v2.2/exams/") == []


async def test_an_exam_once_taken_stays_visible(world: World, asha: Caller) -> None:
    world.add_exam(sums(), end_date=START + timedelta(days=1))
    attempt = await asha.create("sums")
    await asha.put(f"/api/v2.2/attempts/{attempt}/end/")
    world.clock.move(days=2)
    await asha.get("/api/v2.2/exams/sums")
    assert await titles(asha, "/api/v2.2/exams/history/") == ["Sums"]
    await asha.post("/api/v2.2/exams/sums/attempts/", status=403)


async def test_exams_are_available_through_courses_and_assigned_contents(world: World, asha: Caller) -> None:
    ids = {name: world.add_exam(sums(title=name), course=name, is_public=False) for name in ("A", "B", "C", "D")}
    with world.database.write() as session:
        courses = {course.name: course for course in session.scalars(select(tables.Course))}
        courses["A"].is_public = True
        batch = session.scalars(select(tables.Batch)).one()
        session.execute(tables.course_batches.insert().values(course_id=courses["B"].id, batch_id=batch.id))
        for name, start in (("C", None), ("D", START + timedelta(days=1))):
            content = tables.Content(
                uuid=uuid4(),
                course_id=courses[name].id,
                exam_id=ids[name],
                order=1,
                title=name,
                content_type=tables.ContentType.EXAM.value,
                start_date=start,
            )
            session.add(content)
            session.flush()
            session.execute(tables.content_assignments.insert().values(content_id=content.id, user_id=1))
    assert set(await titles(asha, "/api/v2.2/exams/available/")) == {"A", "B", "C"}
    world.clock.move(days=1)
    assert set(await titles(asha, "/api/v2.2/exams/available/")) == {"A", "B", "C", "D"}


async def test_exams_are_filtered_by_course_and_title(world: World, asha: Caller) -> None:
    world.add_exam(sums(title="Light and shade"), course="Physics")
    world.add_exam(sums(title="Lines"), course="Maths")
    assert await titles(asha, "/api/v2.2/exams/?q=LI") == ["Light and shade", "Lines"]
    assert await titles(asha, "/api/v2.2/exams/?q=li&course=physics") == ["Light and shade"]
    assert await titles(asha, "/api/v2.2/exams/available/?course=Phys") == []


def stored(world: World, exam: Exam, **options: Any) -> dict[str, int]:
    world.add_exam(exam, **options)
    with world.database.read() as session:
        names = ("Exam", "ExamSection", "Question", "Option", "NumericKey", "TextKey", "Pair", "Passage", "Subject")
        return {name: session.scalar(select(func.count()).select_from(getattr(tables, name))) or 0 for name in names}


def test_an_exam_is_imported_with_all_its_keys(world: World) -> None:
    assert stored(world, every_kind()) == {
        "Exam": 1,
        "ExamSection": 1,
        "Question": 8,
        "Option": 8,
        "NumericKey": 1,
        "TextKey": 3,
        "Pair": 3,
        "Passage": 0,
        "Subject": 0,
    }


def test_passages_and_subjects_are_stored_once(world: World) -> None:
    questions = [choice(str(n), direction_html="<p>read</p>", subject=("Science", f"Topic {n % 2}")) for n in range(6)]
    counts = stored(world, exam_of(*questions))
    assert (counts["Passage"], counts["Subject"]) == (1, 3)
    again = stored(world, exam_of(*questions))
    assert (again["Passage"], again["Subject"]) == (2, 3)


def test_slugs_never_collide_with_paths_of_the_api(world: World) -> None:
    for title in ("Sums", "Sums!", "History", "गणित", "Available"):
        world.add_exam(sums(title=title))
    with world.database.read() as session:
        slugs = list(session.scalars(select(tables.Exam.slug).order_by(tables.Exam.id)))
    assert slugs == ["sums", "sums-2", "exam-history", "exam", "exam-available"]


def test_an_exam_of_timed_sections_lasts_as_long_as_its_sections(world: World) -> None:
    world.add_exam(locked())
    with world.database.read() as session:
        exam = session.get_one(tables.Exam, 1)
        assert (exam.duration, exam.locks_sections) == (timedelta(minutes=30), True)


def test_empty_sections_are_left_out_and_an_exam_without_questions_is_refused(world: World) -> None:
    counts = stored(world, Exam("One", (Section("Empty", ()), Section("", (choice("a"),)))))
    assert counts["ExamSection"] == 1
    with world.database.write() as session, pytest.raises(ValueError, match="at least one question"):
        import_exam(session, Exam("None", ()), course="Maths", now=START, start_date=START)


@pytest.mark.parametrize(
    ("marks", "told"),
    [((5, 5), ("5", "2", False)), ((5, 4), ("1", "0.25", True)), ((None, None), ("1", "0.25", False))],
)
def test_marks_that_all_questions_share_are_those_of_the_exam(
    world: World, marks: tuple[int | None, int | None], told: tuple[str, str, bool]
) -> None:
    questions = tuple(
        replace(choice("q"), marks=Decimal(given), negative_marks=Decimal(-2)) if given else choice("q")
        for given in marks
    )
    world.add_exam(Exam("Marks", (Section("", questions),), negative_marks=Decimal("0.25")))
    with world.database.read() as session:
        exam = session.get_one(tables.Exam, 1)
        found = (exam.mark_per_question, exam.negative_marks, exam.variable_mark_per_question)
        assert found == (Decimal(told[0]), Decimal(told[1]), told[2])


def test_numeric_keys_keep_every_digit(world: World) -> None:
    world.add_exam(every_kind())
    with world.database.write() as session:
        key = session.scalars(select(tables.NumericKey)).one()
        key.low = Decimal("-1E-30")
    with world.database.read() as session:
        assert session.scalars(select(tables.NumericKey)).one().low == Decimal("-1E-30")
