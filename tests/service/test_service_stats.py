"""The student's own numbers."""

from datetime import date, timedelta
from decimal import Decimal
from uuid import uuid4

from sqlalchemy import select

from lms_tui.service.core.database import tables
from lms_tui.service.core.database.tables import ContentType
from tests.service.service_world import START, Caller, World, sums

NOTHING = {
    "total_exams": 0,
    "total_videos": 0,
    "total_video_conferences": 0,
    "total_live_streams": 0,
    "exams_attempted": 0,
    "videos_watched": 0,
    "video_conferences_attended": 0,
    "live_streams_attended": 0,
    "student_report": {"reports": []},
}


def add_content(world: World, kind: ContentType, *, days: int = -1, public: bool = True, attended: int = 0) -> int:
    with world.database.write() as session:
        name = f"Course {public}"
        course = session.scalar(select(tables.Course).where(tables.Course.name == name))
        if course is None:
            course = tables.Course(name=name, is_public=public, created=START)
            session.add(course)
            session.flush()
        content = tables.Content(
            uuid=uuid4(),
            course_id=course.id,
            order=1,
            title="Something to see",
            content_type=kind.value,
            start_date=START + timedelta(days=days),
        )
        session.add(content)
        session.flush()
        session.add_all(tables.ContentAttempt(content_id=content.id, user_id=1, date=START) for _ in range(attended))
        return content.id


async def test_a_new_student_has_empty_statistics(asha: Caller) -> None:
    assert await asha.get("/api/v2.5/me/stats/") == NOTHING


async def test_exams_count_once_and_only_when_ended(world: World, asha: Caller) -> None:
    world.add_exam(sums())
    world.add_exam(sums(title="Later"), start_date=START + timedelta(days=1))
    world.add_exam(sums(title="Draft"), is_published=False)
    world.add_exam(sums(title="Ends"), end_date=START + timedelta(hours=1))
    first = await asha.create("sums")
    stats = await asha.get("/api/v2.5/me/stats")
    assert (stats["total_exams"], stats["exams_attempted"]) == (2, 0)
    await asha.put(f"/api/v2.2/attempts/{first}/end/")
    await asha.put(f"/api/v2.2/attempts/{await asha.create('sums')}/end/")
    await asha.put(f"/api/v2.2/attempts/{await asha.create('ends')}/end/")
    world.clock.move(hours=2)
    stats = await asha.get("/api/v2.5/me/stats/")
    assert (stats["total_exams"], stats["exams_attempted"]) == (2, 2)


async def test_contents_count_once_if_available_or_attended(world: World, asha: Caller, ravi: Caller) -> None:
    add_content(world, ContentType.VIDEO)
    add_content(world, ContentType.VIDEO, attended=3)
    add_content(world, ContentType.VIDEO, days=1)
    add_content(world, ContentType.VIDEO, public=False)
    add_content(world, ContentType.VIDEO_CONFERENCE, public=False, attended=2)
    assigned = add_content(world, ContentType.LIVE_STREAM, public=False)
    with world.database.write() as session:
        session.execute(tables.content_assignments.insert().values(content_id=assigned, user_id=1))
    stats = await asha.get("/api/v2.5/me/stats/")
    assert stats == NOTHING | {
        "total_videos": 2,
        "videos_watched": 1,
        "total_video_conferences": 1,
        "video_conferences_attended": 1,
        "total_live_streams": 1,
    }
    assert await ravi.get("/api/v2.5/me/stats/") == NOTHING | {"total_videos": 2}


async def test_only_published_report_cards_are_returned(world: World, asha: Caller, ravi: Caller) -> None:
    with world.database.write() as session:
        for title, published in (("First term", True), ("Second term", False)):
            session.add(
                tables.ReportCard(
                    user_id=1,
                    title=title,
                    total_score=Decimal("71.5"),
                    total_min_range=Decimal(0),
                    total_max_range=Decimal(100),
                    is_published=published,
                    created=START,
                    groups=[
                        tables.ReportGroup(
                            order=1,
                            name="Maths",
                            min_score=Decimal(0),
                            max_score=Decimal(50),
                            average_score=Decimal("31.25"),
                        ),
                        tables.ReportGroup(
                            order=2,
                            name="Science",
                            score=Decimal("40.5"),
                            min_score=Decimal(0),
                            max_score=Decimal(50),
                            average_score=Decimal(30),
                        ),
                    ],
                )
            )
    assert (await asha.get("/api/v2.5/me/stats/"))["student_report"] == {
        "reports": [
            {
                "report_title": "First term",
                "total_score": 71.5,
                "total_min_range": 0.0,
                "total_max_range": 100.0,
                "groups": [
                    {"name": "Maths", "min_score": 0.0, "max_score": 50.0, "average_score": 31.25},
                    {"name": "Science", "score": 40.5, "min_score": 0.0, "max_score": 50.0, "average_score": 30.0},
                ],
            }
        ]
    }
    assert await ravi.get("/api/v2.5/me/stats/") == NOTHING


async def test_me_returns_the_whole_profile(world: World) -> None:
    world.add_user(
        "meera",
        first_name="Meera",
        birth_date=date(2006, 4, 9),
        gender_code="female",
        state_code="IN-KL",
        city="Kochi",
        batches=("Evening", "A"),
    )
    assert await world.caller("meera").get("/api/v2.2/me/") == {
        "id": 3,
        "batches": ["A", "Evening"],
        "url": "http://lms.test/api/v2.2/users/3",
        "username": "meera",
        "first_name": "Meera",
        "last_name": "",
        "display_name": "Meera",
        "email": "",
        "photo": "",
        "large_image": "",
        "medium_image": "",
        "medium_small_image": "",
        "small_image": "",
        "x_small_image": "",
        "mini_image": "",
        "birth_date": "2006-04-09",
        "gender": "Female",
        "address1": "",
        "address2": "",
        "city": "Kochi",
        "zip": "",
        "state": "Kerala",
        "phone": "",
    }
