"""Each attempt endpoint on raw JSON: field for field and type for type as the document gives them."""

from typing import Any

import pytest

from tests.service.service_shapes import (
    ATTEMPT,
    CLOCK,
    CREATED,
    LIVE,
    QUESTION,
    QUESTION_BODY,
    REVIEW,
    REVIEW_BODY,
    SUBJECT,
    WITH_USER,
    assert_attempt,
    assert_page,
    assert_shape,
)
from tests.service.service_world import Caller, World, choice, every_kind, exam_of, sums


async def test_create_returns_a_running_attempt_with_a_numeric_score(world: World, asha: Caller) -> None:
    world.add_exam(sums())
    created = await asha.post("/api/v2.2/exams/sums/attempts/")
    assert_attempt(created, CREATED)
    assert created["state"] == "Running"
    assert created["score"] == 0
    assert (created["rank"], created["max_rank"]) == ("NA", "NA")
    assert created["remaining_time"] == "0:30:00"
    assert created["time_taken"] == "0:00:00"
    assert created["exam_url"] == created["exam"]["url"] == "http://lms.test/api/v2.2/exams/sums"
    assert created["exam"]["mark_per_question"] == "4.00"
    assert created["exam"]["duration"] == "0:30:00"
    assert created["user"]["display_name"] == "Asha Nair"
    assert created["sections"] == []


async def test_the_user_is_a_name_in_own_lists_and_an_object_in_lists_of_an_exam(asha: Caller, attempt: int) -> None:
    (own,) = (await asha.get("/api/v2.2/attempts/"))["results"]
    assert_attempt(own, ATTEMPT)
    assert own["user"] == "asha"
    (of_exam,) = (await asha.get("/api/v2.2/exams/sums/attempts/"))["results"]
    assert_attempt(of_exam, WITH_USER)
    one = await asha.get(f"/api/v2.2/attempts/{attempt}")
    assert_attempt(one, ATTEMPT)
    assert one == own


@pytest.mark.parametrize(("move", "shape"), [("start", ATTEMPT), ("heartbeat", LIVE), ("end", ATTEMPT)])
async def test_start_heartbeat_and_end_return_the_attempt(
    asha: Caller, attempt: int, move: str, shape: dict[str, Any]
) -> None:
    assert_attempt(await asha.put(f"/api/v2.2/attempts/{attempt}/{move}/"), shape)


async def test_questions_of_a_running_attempt_have_no_key(world: World, asha: Caller) -> None:
    world.add_exam(every_kind())
    attempt = await asha.create("every-kind")
    response = await asha.send("GET", f"/api/v2.2/attempts/{attempt}/questions/")
    rows = assert_page(response.json(), QUESTION)
    for row in rows:
        assert_shape(row["question"], QUESTION_BODY)
        assert row["review"] is None
        for option in row["question"]["answers"]:
            assert_shape(option, {"id": int, "text_html": str})
    assert [row["question"]["type"] for row in rows] == ["R", "C", "S", "N", "E", "F", "G", "M"]
    for secret in ("is_correct", "explanation", "because", "correct_percentage", "Chennai", "3.14", "marks"):
        assert secret not in response.text


async def test_no_response_of_a_running_attempt_has_a_key(world: World, asha: Caller, attempt: int) -> None:
    for question, right in world.right_answers(attempt).items():
        texts = [(await asha.send("GET", f"/api/v2.2/attempts/{attempt}/questions/")).text]
        saved = await asha.send(
            "PUT", f"/api/v2.2/attempts/{attempt}/questions/{question}", json={"selected_answers": right}
        )
        beat = await asha.send("PUT", f"/api/v2.2/attempts/{attempt}/heartbeat/")
        started = await asha.send("PUT", f"/api/v2.2/attempts/{attempt}/start/")
        listed = await asha.send("GET", "/api/v2.2/attempts/")
        exam = await asha.send("GET", "/api/v2.2/exams/sums")
        for text in [*texts, *(response.text for response in (saved, beat, started, listed, exam))]:
            assert "is_correct" not in text
            assert "explanation" not in text
        assert beat.json()["correct_count"] == 0
        assert beat.json()["score"] == "0.00"


async def test_the_reply_repeats_the_answer_that_was_sent(asha: Caller, attempt: int) -> None:
    question = (await asha.questions(attempt))[0]
    options = [option["id"] for option in question["question"]["answers"]]
    saved = await asha.put(
        f"/api/v2.2/attempts/{attempt}/questions/{question['id']}",
        {"selected_answers": [options[1]], "review": True, "unknown": "ignored"},
    )
    assert_shape(saved, QUESTION)
    assert saved["selected_answers"] == [options[1]]
    assert saved["review"] is True
    assert CLOCK.fullmatch(saved["duration"])
    assert (await asha.questions(attempt))[0] == saved


async def test_every_question_type_stores_its_own_answer(world: World, asha: Caller) -> None:
    world.add_exam(every_kind())
    attempt = await asha.create("every-kind")
    by_kind = {row["question"]["type"]: row["id"] for row in await asha.questions(attempt)}
    gaps = [{"order": "1", "answer": "a"}, {"order": "2", "answer": "x"}]
    bodies: dict[str, dict[str, Any]] = {
        "S": {"short_text": "chennai"},
        "N": {"short_text": "3.141"},
        "E": {"essay_text": "Long ago", "essay_topic": "One"},
        "G": {"gap_fill_responses": gaps},
        "M": {"gap_fill_responses": [{"order": "1", "answer": "1"}, {"order": "2", "answer": "2"}]},
    }
    for kind, body in bodies.items():
        saved = await asha.put(f"/api/v2.2/attempts/{attempt}/questions/{by_kind[kind]}", body)
        assert {name: saved[name] for name in body} == body
        assert saved["review"] is False
    ended = await asha.put(f"/api/v2.2/attempts/{attempt}/end/")
    assert (ended["correct_count"], ended["incorrect_count"]) == (3, 1)
    assert ended["score"] == "14.00"


async def test_review_shows_the_key_after_the_end(world: World, asha: Caller, attempt: int) -> None:
    right = world.right_answers(attempt)
    first, second, _ = right
    world.clock.move(seconds=20)
    await asha.answer(attempt, first, *right[first])
    world.clock.move(seconds=40)
    await asha.answer(attempt, second, world.wrong_answer(second))
    ended = await asha.put(f"/api/v2.2/attempts/{attempt}/end/")
    assert ended["state"] == "Completed"
    assert (ended["score"], ended["percentage"]) == ("3.00", "25.00")
    assert (ended["correct_count"], ended["incorrect_count"], ended["unanswered_count"]) == (1, 1, 1)
    assert (ended["rank"], ended["max_rank"], ended["percentile"]) == (1, 1, 100.0)
    assert (ended["accuracy"], ended["speed"]) == (50.0, 120.0)
    assert ended["time_taken"] == "0:01:00"
    rows = assert_page(await asha.get(f"/api/v2.2/attempts/{attempt}/review/"), REVIEW)
    for row in rows:
        assert_shape(row["question"], REVIEW_BODY)
        assert row["question"]["explanation_html"] == "<p>because</p>"
        for option in row["question"]["answers"]:
            assert_shape(option, {"id": int, "text_html": str, "is_correct": bool})
    assert [row["order"] for row in rows] == [1, 2, 3]
    assert rows[0]["duration"] == "0:00:20"
    assert (rows[0]["best_duration"], rows[0]["average_duration"], rows[0]["correct_percentage"]) == (20, 20, 100)
    assert (rows[1]["best_duration"], rows[1]["average_duration"], rows[1]["correct_percentage"]) == (0, 40, 0)
    assert (rows[0]["question"]["marks"], rows[0]["question"]["negative_marks"]) == ("4.00", "1.00")


async def test_subjects_are_a_tree_with_totals_of_the_children(world: World, asha: Caller) -> None:
    world.add_exam(
        exam_of(choice("a", subject=("Physics", "Optics")), choice("b", subject=("Physics", "Heat")), choice("c"))
    )
    attempt = await asha.create("sums")
    right = world.right_answers(attempt)
    await asha.answer(attempt, min(right), *right[min(right)])
    await asha.put(f"/api/v2.2/attempts/{attempt}/end/")
    page = await asha.get(f"/api/v2.2/attempts/{attempt}/review/subjects/")
    rows = {row["name"]: row for row in assert_page(page, SUBJECT, per_page=200)}
    assert set(rows) == {"Physics", "Optics", "Heat"}
    assert (rows["Physics"]["total"], rows["Physics"]["leaf"], rows["Physics"]["parent"]) == (2, False, None)
    assert (rows["Optics"]["parent"], rows["Optics"]["score"]) == (rows["Physics"]["id"], "4.00")
    assert rows["Heat"]["unanswered"] == 1


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api/v2.2/attempts"),
        ("GET", "/api/v2.2/exams/sums/attempts"),
        ("GET", "/api/v2.2/attempts/{id}"),
        ("POST", "/api/v2.2/exams/sums/attempts"),
        ("PUT", "/api/v2.2/attempts/{id}/start"),
        ("PUT", "/api/v2.2/attempts/{id}/heartbeat"),
        ("GET", "/api/v2.2/attempts/{id}/questions"),
        ("PUT", "/api/v2.2/attempts/{id}/questions/{question}"),
        ("PUT", "/api/v2.2/attempts/{id}/end"),
        ("GET", "/api/v2.2/attempts/{id}/review"),
        ("GET", "/api/v2.2/attempts/{id}/review/subjects"),
    ],
)
async def test_every_path_answers_with_and_without_its_last_slash(
    asha: Caller, attempt: int, method: str, path: str
) -> None:
    question = (await asha.questions(attempt))[0]["id"]
    if "review" in path:
        await asha.put(f"/api/v2.2/attempts/{attempt}/end/")
    path = path.format(id=attempt, question=question)
    body: Any = {} if "/questions/" in path else None
    assert (await asha.send(method, path, json=body)).status_code == 200
    again = await asha.send(method, f"{path}/", json=body)
    assert again.status_code == (403 if path.endswith("/end") else 200)


async def test_pages_have_twenty_rows_and_links_to_their_neighbours(world: World, asha: Caller) -> None:
    world.add_exam(sums(45))
    attempt = await asha.create("sums")
    base = f"http://lms.test/api/v2.2/attempts/{attempt}/questions/"
    first = await asha.get(f"/api/v2.2/attempts/{attempt}/questions/")
    assert (first["count"], len(first["results"]), first["previous"]) == (45, 20, None)
    assert first["next"] == f"{base}?page=2"
    second = await asha.get(first["next"])
    assert (second["previous"], second["next"]) == (f"{base}?page=1", f"{base}?page=3")
    third = await asha.get(second["next"])
    assert (len(third["results"]), third["next"]) == (5, None)
    ids = [row["id"] for page in (first, second, third) for row in page["results"]]
    assert len(set(ids)) == 45


@pytest.mark.parametrize("page", ["0", "-1", "4", "x", "1e3", "", "9999999999999999999", "１"])
async def test_a_missing_page_is_not_found(world: World, asha: Caller, page: str) -> None:
    world.add_exam(sums(45))
    attempt = await asha.create("sums")
    response = await asha.send("GET", f"/api/v2.2/attempts/{attempt}/questions/", params={"page": page})
    assert (response.status_code, response.json()) == (404, {"detail": "Not found"})


async def test_own_attempts_are_filtered_by_course_and_title(world: World, asha: Caller) -> None:
    for title, course in (("Sums", "Maths"), ("More sums 100%", "Maths II"), ("Light", "Physics")):
        world.add_exam(sums(title=title), course=course)
    for slug in ("sums", "more-sums-100", "light"):
        await asha.create(slug)

    async def found(**query: str) -> list[str]:
        page = (await asha.send("GET", "/api/v2.2/attempts/", params=query)).json()
        return [row["exam"]["title"] for row in page["results"]]

    assert await found() == ["Light", "More sums 100%", "Sums"]
    assert await found(course="maths") == ["Sums"]
    assert await found(q="SUM") == ["More sums 100%", "Sums"]
    assert await found(q="0%") == ["More sums 100%"]
    assert await found(q="_") == []
    assert await found(course="Physics", q="sum") == []
