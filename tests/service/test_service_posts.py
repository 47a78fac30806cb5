"""Posts on raw JSON: authors, audiences and responses."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import insert

from lms_tui.service.core.database import broadcasts, tables
from tests.service.service_world import Caller, World
from tests.service.shapes import BATCH_NAME, MOMENT, NULL, PICTURES, assert_page, assert_shape, person

POSTS = "/api/v2.2/admin/posts/"
READERS = "/api/v2.2/posts/"
SUMMARY = PICTURES | {
    "id": int,
    "url": str,
    "username": str,
    "display_name": str,
    "first_name": str,
    "last_name": str,
}
AUTHOR = SUMMARY | {"state": str, "state_code": str, "gender": str, "gender_code": str}
CATEGORY = {"id": int, "name": str, "color": str, "slug": str}
STARRED = CATEGORY | {"is_starred": bool}
PRODUCT = {
    "id": int,
    "url": str,
    "title": str,
    "slug": str,
    "image": str,
    "images": list,
    "start_date": (str, NULL),
    "end_date": (str, NULL),
    "categories": list,
    "types": list,
    "exams_count": int,
    "notes_count": int,
    "price": str,
}
LISTED = {
    "url": str,
    "id": int,
    "created_by": dict,
    "category": (dict, NULL),
    "created": str,
    "modified": str,
    "published_date": str,
    "is_active": bool,
    "title": str,
    "summary": str,
    "batches": list,
    "products": list,
    "is_public": bool,
}
WHOLE = LISTED | {"content_html": str}
SUMMARISED = {name: kind for name, kind in LISTED.items() if name != "is_active"} | {"active": bool}
READ = {name: kind for name, kind in WHOLE.items() if name != "is_active"} | {"active": bool, "institute": int}
HTML = "<p onclick='steal()'>Hi</p><script>alert(1)</script><iframe srcdoc='<b>'></iframe>&#27;[31m"
BODY = {
    "title": "Mock test on Sunday",
    "summary": "Bring a pen",
    "content_html": HTML,
    "batches": ["Evening"],
    "products": ["Physics pack"],
    "is_public": False,
    "category": "News",
}


@pytest.fixture
def admin(world: World) -> Caller:
    with world.database.write() as session:
        session.add(
            broadcasts.Product(
                title="Physics pack",
                slug="physics-pack",
                image="https://lms.test/p.png",
                images=[{"original": "o", "medium": "m", "small": "s"}],
                start_date=world.clock.now,
                categories=["Physics"],
                types=["exam"],
                exams_count=3,
                notes_count=2,
                price=Decimal("499.5"),
            )
        )
    return person(world, "head", "admin", state_code="IN-TN", gender_code="female")


def slug_of(post: dict[str, Any]) -> str:
    return str(post["url"]).rsplit("/", 1)[1]


def give_product(world: World, username: str) -> None:
    with world.database.write() as session:
        user = session.query(tables.User).filter_by(username=username).one()
        product = session.query(broadcasts.Product).one()
        session.execute(insert(broadcasts.product_members), {"product_id": product.id, "user_id": user.id})


async def test_a_post_is_created_with_names_and_returned_with_objects(admin: Caller) -> None:
    made = await admin.post(POSTS, BODY)
    assert_shape(made, WHOLE)
    assert_shape(made["created_by"], SUMMARY)
    assert_shape(made["category"], STARRED)
    assert_shape(made["batches"][0], BATCH_NAME)
    assert_shape(made["products"][0], PRODUCT)
    assert_shape(made["products"][0]["images"][0], {"original": str, "medium": str, "small": str})
    assert made["products"][0]["price"] == "499.50"
    assert made["products"][0]["start_date"].endswith("+00:00")
    assert not made["category"]["color"].startswith("#")
    assert (made["is_active"], made["is_public"]) == (True, False)
    assert slug_of(made) == "mock-test-on-sunday"
    assert MOMENT.fullmatch(made["published_date"])


async def test_the_list_has_the_author_and_not_the_content(world: World, admin: Caller) -> None:
    first = await admin.post(POSTS, BODY)
    world.clock.move(minutes=1)
    await admin.post(POSTS, {"title": "Second"})
    rows = assert_page(await admin.get(POSTS), LISTED)
    assert [row["title"] for row in rows] == ["Second", "Mock test on Sunday"]
    assert_shape(rows[1]["created_by"], AUTHOR)
    assert (rows[1]["created_by"]["state"], rows[1]["created_by"]["gender"]) == ("Tamil Nadu", "Female")
    assert rows[1]["id"] == first["id"]
    assert rows[0]["category"] is None


async def test_pages_of_posts_hold_twenty(admin: Caller) -> None:
    for number in range(23):
        await admin.post(POSTS, {"title": f"Post {number}"})
    page = await admin.get(POSTS)
    assert (page["count"], len(page["results"])) == (23, 20)
    assert len((await admin.get(page["next"]))["results"]) == 3


async def test_a_post_is_read_as_it_was_written(admin: Caller, asha: Caller) -> None:
    slug = slug_of(await admin.post(POSTS, BODY))
    read = await asha.get(f"/api/v2.2/posts/{slug}")
    assert_shape(read, READ)
    assert_shape(read["category"], CATEGORY)
    assert_shape(read["created_by"], SUMMARY)
    assert (read["content_html"], read["active"]) == (HTML, True)
    assert read["url"] == f"http://lms.test/api/v2.2/posts/{slug}"
    assert await asha.get(f"/api/v2.2/posts/{slug}/") == read


@pytest.mark.parametrize(
    ("body", "asha_reads", "ravi_reads", "kavi_reads"),
    [
        ({"batches": ["Evening"]}, True, False, False),
        ({"products": ["Physics pack"]}, False, True, False),
        ({"batches": ["Evening"], "products": ["Physics pack"]}, True, True, False),
        ({"is_public": True}, True, True, True),
        ({}, False, False, False),
    ],
)
async def test_only_its_audience_can_read_a_post(
    world: World,
    admin: Caller,
    asha: Caller,
    ravi: Caller,
    body: dict[str, Any],
    asha_reads: bool,
    ravi_reads: bool,
    kavi_reads: bool,
) -> None:
    give_product(world, "ravi")
    kavi = person(world, "kavi", "student")
    path = f"/api/v2.2/posts/{slug_of(await admin.post(POSTS, {'title': 'News', **body}))}"
    for caller, reads in ((asha, asha_reads), (ravi, ravi_reads), (kavi, kavi_reads), (admin, True)):
        assert (await caller.send("GET", path)).status_code == (200 if reads else 403)


async def test_readers_list_their_posts_without_contents(world: World, admin: Caller, asha: Caller) -> None:
    await admin.post(POSTS, BODY)
    world.clock.move(minutes=1)
    second = await admin.post(POSTS, {"title": "Second", "is_public": True})
    rows = assert_page(await asha.get(READERS), SUMMARISED)
    assert [row["title"] for row in rows] == ["Second", "Mock test on Sunday"]
    assert_shape(rows[1]["created_by"], SUMMARY)
    assert_shape(rows[1]["category"], CATEGORY)
    assert_shape(rows[1]["batches"][0], BATCH_NAME)
    assert rows[0]["url"] == f"http://lms.test{READERS}{slug_of(second)}"
    assert (rows[0]["category"], rows[0]["active"]) == (None, True)
    assert await asha.get(READERS.rstrip("/")) == await asha.get(READERS)


async def test_the_list_of_readers_comes_in_pages_of_twenty(world: World, admin: Caller, asha: Caller) -> None:
    for number in range(23):
        world.clock.move(minutes=1)
        await admin.post(POSTS, {"title": f"Post {number}", "is_public": number % 2 == 0, "batches": ["Evening"]})
    first = await asha.get(READERS)
    assert (first["count"], first["per_page"], len(first["results"])) == (23, 20, 20)
    second = await asha.get(first["next"])
    assert [row["title"] for row in first["results"] + second["results"]] == [f"Post {n}" for n in range(22, -1, -1)]
    assert second["next"] is None
    assert (await asha.get(second["previous"]))["results"] == first["results"]
    for page in ("0", "3", "x"):
        await asha.get(f"{READERS}?page={page}", 404)


async def test_the_list_has_exactly_the_posts_that_its_caller_can_read(
    world: World, admin: Caller, asha: Caller, ravi: Caller
) -> None:
    give_product(world, "ravi")
    kavi, mentor, moderator = (person(world, role, role) for role in ("student", "mentor", "moderator"))
    later = (world.clock.now + timedelta(hours=1)).isoformat()
    bodies: dict[str, dict[str, Any]] = {
        "public": {"is_public": True},
        "batch": {"batches": ["Evening"]},
        "product": {"products": ["Physics pack"]},
        "both": {"batches": ["Evening"], "products": ["Physics pack"]},
        "draft": {},
        "future": {"is_public": True, "published_date": later},
        "future-batch": {"batches": ["Evening"], "published_date": later},
        "hidden": {"is_public": True, "batches": ["Evening"]},
    }
    for title, body in bodies.items():
        await admin.post(POSTS, {"title": title, **body})
    with world.database.write() as session:
        session.query(broadcasts.Post).filter_by(slug="hidden").one().is_active = False
    seen = []
    for caller in (asha, ravi, kavi, mentor, moderator, admin):
        listed = [slug_of(row) for row in (await caller.get(READERS))["results"]]
        allowed = {slug for slug in bodies if (await caller.send("GET", f"{READERS}{slug}")).status_code == 200}
        assert (set(listed), len(listed)) == (allowed, len(allowed))
        seen.append(allowed)
    batch, product, public = {"public", "batch", "both"}, {"public", "product", "both"}, {"public"}
    assert seen == [batch, product, public, public, set(bodies), set(bodies)]
    world.clock.move(hours=1)
    assert (await asha.get(READERS))["count"] == 5


async def test_a_missing_post_is_refused_like_one_of_another_audience(admin: Caller, ravi: Caller) -> None:
    slug = slug_of(await admin.post(POSTS, BODY))
    assert await ravi.get(f"/api/v2.2/posts/{slug}", 403) == await ravi.get("/api/v2.2/posts/nothing", 403)
    await admin.get("/api/v2.2/posts/nothing", 404)


async def test_a_post_is_read_from_its_published_date_on(world: World, admin: Caller, asha: Caller) -> None:
    soon = (world.clock.now + timedelta(hours=1)).isoformat()
    made = await admin.post(POSTS, {"title": "Soon", "is_public": True, "published_date": soon})
    assert made["published_date"] == "2026-03-02T10:00:00.000000Z"
    await asha.get("/api/v2.2/posts/soon", 403)
    world.clock.move(hours=1)
    await asha.get("/api/v2.2/posts/soon")


async def test_only_staff_can_read_a_hidden_post(world: World, admin: Caller, asha: Caller) -> None:
    slug = slug_of(await admin.post(POSTS, BODY))
    with world.database.write() as session:
        session.query(broadcasts.Post).one().is_active = False
    await asha.get(f"/api/v2.2/posts/{slug}", 403)
    assert (await admin.get(f"/api/v2.2/posts/{slug}"))["active"] is False


async def test_an_update_keeps_omitted_fields(world: World, admin: Caller) -> None:
    made = await admin.post(POSTS, BODY)
    world.clock.move(hours=1)
    changed = await admin.put(f"{POSTS}{slug_of(made)}/", {"title": "On Monday"})
    assert_shape(changed, WHOLE)
    assert (changed["title"], changed["content_html"], changed["url"]) == ("On Monday", HTML, made["url"])
    assert (changed["batches"], changed["products"]) == (made["batches"], made["products"])
    assert (changed["published_date"], changed["created"]) == (made["published_date"], made["created"])
    assert changed["modified"] > changed["created"]
    emptied = await admin.put(f"{POSTS}{slug_of(made)}", {"batches": [], "products": [], "category": ""})
    assert (emptied["batches"], emptied["products"], emptied["category"]) == ([], [], None)
    moved = await admin.put(f"{POSTS}{slug_of(made)}/", {"published_date": "2001-01-01T05:30:00+05:30"})
    assert moved["published_date"] == "2001-01-01T00:00:00.000000Z"


async def test_the_address_of_a_post_ends_with_its_slug(admin: Caller) -> None:
    made = await admin.post(POSTS, {**BODY, "url": "http://169.254.169.254/x/api/v2.2/posts/of-my-own/"})
    assert slug_of(made) == "of-my-own"
    same = await admin.put(f"{POSTS}of-my-own/", {"url": made["url"]})
    assert same["url"] == made["url"]
    moved = await admin.put(f"{POSTS}of-my-own/", {"url": "elsewhere"})
    assert slug_of(moved) == "elsewhere"
    await admin.put(f"{POSTS}of-my-own/", {"title": "x"}, 404)


async def test_titles_may_repeat_and_may_have_no_latin_letter(admin: Caller) -> None:
    slugs = [slug_of(await admin.post(POSTS, {"title": title})) for title in ("News", "News!", "समाचार", "செய்தி")]
    assert slugs == ["news", "news-2", "post", "post-2"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"title": None}, "title"),
        ({"title": ""}, "title"),
        ({"title": "  "}, "title"),
        ({"title": "x" * 301}, "title"),
        ({"title": 5}, "title"),
        ({"url": "http://x/../.."}, "url"),
        ({"url": "a b"}, "url"),
        ({"url": "http://[::1/x"}, "url"),
        ({"url": "taken"}, "url"),
        ({"batches": ["Nobody knows"]}, "batches"),
        ({"batches": [5]}, "batches"),
        ({"batches": "Evening"}, "batches"),
        ({"products": ["Nobody knows"]}, "products"),
        ({"is_public": "yes"}, "is_public"),
        ({"category": 5}, "category"),
        ({"published_date": "tomorrow"}, "published_date"),
        ({"published_date": "0001-01-01T00:00:00+05:30"}, "published_date"),
        ({"published_date": 1234567890}, "published_date"),
        ({"content_html": None, "summary": 7}, "summary"),
    ],
)
async def test_invalid_input_names_its_field_and_creates_nothing(
    admin: Caller, body: dict[str, Any], field: str
) -> None:
    await admin.post(POSTS, {"title": "Taken"})
    sent = {name: value for name, value in {**BODY, **body}.items() if value is not None}
    assert set(await admin.post(POSTS, sent, 400)) == {field}
    assert (await admin.get(POSTS))["count"] == 1


async def test_unlisted_fields_are_never_written(admin: Caller) -> None:
    made = await admin.post(
        POSTS, {**BODY, "id": 77, "is_active": False, "active": False, "created_by": 1, "created": "2001-01-01T00:00Z"}
    )
    assert (made["id"] != 77, made["is_active"], made["created_by"]["username"]) == (True, True, "head")
    assert made["created"].startswith("2026-03-02")


async def test_a_deleted_post_is_gone(admin: Caller, asha: Caller) -> None:
    slug = slug_of(await admin.post(POSTS, BODY))
    response = await admin.send("DELETE", f"{POSTS}{slug}/")
    assert (response.status_code, response.content) == (204, b"")
    assert (await admin.send("DELETE", f"{POSTS}{slug}")).status_code == 404
    await asha.get(f"/api/v2.2/posts/{slug}", 403)


async def test_posts_of_a_deleted_author_stay(world: World, admin: Caller, asha: Caller) -> None:
    slug = slug_of(await admin.post(POSTS, BODY))
    number = (await admin.get("/api/v2.2/me/"))["id"]
    other = person(world, "other", "admin")
    await other.send("DELETE", f"/api/v2.2/admin/users/{number}")
    read = await asha.get(f"/api/v2.2/posts/{slug}")
    assert_shape(read["created_by"], SUMMARY)
    assert (read["created_by"]["id"], read["created_by"]["username"]) == (0, "")
    assert_page(await other.get(POSTS), LISTED)


async def test_a_post_may_be_larger_than_other_bodies_up_to_its_own_limit(admin: Caller) -> None:
    await admin.post(POSTS, {"title": "Long", "content_html": "x" * 400_000})
    await admin.post(POSTS, {"title": "Longer", "content_html": "x" * 1_100_000}, 413)
