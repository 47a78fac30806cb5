"""Which actions an attempt allows in each state, and how its time passes."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import select

from lms_tui.common.calculator import Scope
from lms_tui.service.core.database.tables import Exam
from lms_tui.service.exams.exporter import exam_of as stored_exam
from tests.service.service_world import START, Caller, World, choice, every_kind, exam_of, sums

ENDED = {"detail": "The exam has already ended"}


async def remaining(caller: Caller, attempt: int, move: str = "") -> str:
    if move:
        return str((await caller.put(f"/api/v2.2/attempts/{attempt}/{move}/"))["remaining_time"])
    return str((await caller.get(f"/api/v2.2/attempts/{attempt}"))["remaining_time"])


async def test_a_heartbeat_subtracts_the_time_since_the_last_contact(world: World, asha: Caller, attempt: int) -> None:
    for left in ("0:29:00", "0:28:00", "0:27:00"):
        world.clock.move(minutes=1)
        assert await remaining(asha, attempt, "heartbeat") == left
    world.clock.move(minutes=5)
    assert await remaining(asha, attempt) == "0:22:00"
    assert await remaining(asha, attempt, "heartbeat") == "0:22:00"


async def test_start_does_not_charge_a_pause(world: World, asha: Caller, attempt: int) -> None:
    world.clock.move(minutes=10)
    assert await remaining(asha, attempt, "heartbeat") == "0:20:00"
    world.clock.move(minutes=15)
    resumed = await asha.put(f"/api/v2.2/attempts/{attempt}/start/")
    assert resumed["remaining_time"] == "0:20:00"
    assert resumed["last_started_time"] == "2026-03-02T09:25:00.000000Z"
    world.clock.move(minutes=1)
    assert await remaining(asha, attempt, "heartbeat") == "0:19:00"


async def test_start_charges_the_work_before_a_pause(world: World, asha: Caller, attempt: int) -> None:
    world.clock.move(minutes=4)
    await asha.answer(attempt, (await asha.questions(attempt))[0]["id"])
    world.clock.move(minutes=10)
    assert await remaining(asha, attempt, "start") == "0:26:00"


async def test_calling_start_instead_of_heartbeat_does_not_stop_the_clock(
    world: World, asha: Caller, attempt: int
) -> None:
    for _ in range(10):
        world.clock.move(minutes=1)
        await asha.put(f"/api/v2.2/attempts/{attempt}/start/")
    assert await remaining(asha, attempt) == "0:20:00"


async def test_a_pause_longer_than_the_time_left_ends_the_attempt(world: World, asha: Caller, attempt: int) -> None:
    world.clock.move(minutes=31)
    assert await asha.put(f"/api/v2.2/attempts/{attempt}/start/", status=403) == ENDED
    over = await asha.get(f"/api/v2.2/attempts/{attempt}")
    assert (over["state"], over["remaining_time"], over["time_taken"]) == ("Completed", "0:00:00", "0:30:00")


async def test_in_the_grace_period_no_time_is_left_but_answers_are_accepted(
    world: World, asha: Caller, attempt: int
) -> None:
    question = (await asha.questions(attempt))[0]["id"]
    world.clock.move(minutes=30, seconds=5)
    assert await remaining(asha, attempt, "start") == "0:00:00"
    await asha.answer(attempt, question)
    assert await remaining(asha, attempt, "start") == "0:00:00"
    world.clock.move(seconds=6)
    assert await asha.put(f"/api/v2.2/attempts/{attempt}/start/", status=403) == ENDED


@pytest.mark.parametrize("path", ["heartbeat/", "start/", "end/", "questions/{question}"])
async def test_the_first_request_after_the_time_ends_the_attempt(
    world: World, asha: Caller, attempt: int, path: str
) -> None:
    question = (await asha.questions(attempt))[0]["id"]
    world.clock.move(minutes=30, seconds=11)
    path = f"/api/v2.2/attempts/{attempt}/{path.format(question=question)}"
    assert await asha.put(path, {}, status=403) == ENDED
    assert (await asha.get("/api/v2.2/attempts/"))["results"][0]["state"] == "Completed"


async def test_answers_and_end_in_transit_at_the_end_of_the_time_are_accepted(
    world: World, asha: Caller, attempt: int
) -> None:
    right = world.right_answers(attempt)
    question = min(right)
    world.clock.move(minutes=30, seconds=3)
    beat = await asha.put(f"/api/v2.2/attempts/{attempt}/heartbeat/")
    assert (beat["state"], beat["remaining_time"]) == ("Running", "0:00:00")
    world.clock.move(seconds=3)
    await asha.answer(attempt, question, *right[question])
    ended = await asha.put(f"/api/v2.2/attempts/{attempt}/end/")
    assert (ended["state"], ended["score"], ended["time_taken"]) == ("Completed", "4.00", "0:30:00")


async def test_contact_after_the_time_does_not_extend_it(world: World, asha: Caller, attempt: int) -> None:
    world.clock.move(minutes=30, seconds=9)
    await asha.put(f"/api/v2.2/attempts/{attempt}/heartbeat/")
    await asha.put(f"/api/v2.2/attempts/{attempt}/start/")
    world.clock.move(seconds=2)
    assert await asha.put(f"/api/v2.2/attempts/{attempt}/heartbeat/", status=403) == ENDED


async def test_an_attempt_without_a_time_limit_is_never_ended_automatically(world: World, asha: Caller) -> None:
    world.add_exam(sums(duration=None))
    attempt = await asha.create("sums")
    world.clock.move(days=400)
    asha = world.caller("asha")
    beat = await asha.put(f"/api/v2.2/attempts/{attempt}/heartbeat/")
    assert (beat["state"], beat["remaining_time"], beat["exam"]["duration"]) == ("Running", None, None)
    assert beat["time_taken"] == "400 days, 0:00:00"
    assert (await asha.put(f"/api/v2.2/attempts/{attempt}/end/"))["state"] == "Completed"


async def test_nothing_changes_a_completed_attempt(world: World, asha: Caller, attempt: int) -> None:
    question = (await asha.questions(attempt))[0]["id"]
    ended = await asha.put(f"/api/v2.2/attempts/{attempt}/end/")
    for path in ("start/", "heartbeat/", "end/", f"questions/{question}"):
        assert await asha.put(f"/api/v2.2/attempts/{attempt}/{path}", {}, status=403) == ENDED
    assert await asha.get(f"/api/v2.2/attempts/{attempt}/questions/", 403) == ENDED
    world.clock.move(days=1)
    assert await asha.get(f"/api/v2.2/attempts/{attempt}") == ended


@pytest.mark.parametrize("path", ["review/", "review/subjects/"])
async def test_results_are_refused_before_the_end(asha: Caller, attempt: int, path: str) -> None:
    assert await asha.get(f"/api/v2.2/attempts/{attempt}/{path}", 403) == {"detail": "The exam has not ended yet."}


async def test_the_aids_of_an_exam_are_told_while_the_attempt_runs(world: World, asha: Caller) -> None:
    world.add_exam(sums(calculator=Scope.BASIC, reference_html="<p>F = ma</p>"))
    told = await asha.get("/api/v2.2/exams/sums")
    assert (told["calculator"], told["has_reference_sheet"]) == ("basic", True)
    attempt = await asha.create("sums")
    path = f"/api/v2.2/attempts/{attempt}/aids/"
    assert await asha.get(path) == {"calculator": "basic", "reference_sheet": "<p>F = ma</p>"}
    with world.database.read() as session:
        exported = stored_exam(session, session.scalars(select(Exam).where(Exam.slug == "sums")).one())
    assert (exported.calculator, exported.reference_html) == (Scope.BASIC, "<p>F = ma</p>")
    await asha.put(f"/api/v2.2/attempts/{attempt}/end/")
    assert await asha.get(path, 403) == ENDED


async def test_review_is_refused_where_the_exam_shows_no_answers(world: World, asha: Caller) -> None:
    world.add_exam(sums(show_answers=False))
    attempt = await asha.create("sums")
    await asha.put(f"/api/v2.2/attempts/{attempt}/end/")
    await asha.get(f"/api/v2.2/attempts/{attempt}/review/", 403)
    await asha.get(f"/api/v2.2/attempts/{attempt}/review/subjects/")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", ""),
        ("PUT", "start/"),
        ("PUT", "heartbeat/"),
        ("PUT", "end/"),
        ("GET", "questions/"),
        ("PUT", "questions/{question}"),
        ("GET", "review/"),
        ("GET", "review/subjects/"),
        ("GET", "sections/{section}/questions/"),
        ("PUT", "sections/{section}/start/"),
        ("PUT", "sections/{section}/end/"),
    ],
)
async def test_an_attempt_of_another_user_is_refused_like_a_missing_one(
    ravi: Caller, asha: Caller, attempt: int, method: str, path: str
) -> None:
    path = path.format(question=(await asha.questions(attempt))[0]["id"], section=1)
    body: Any = {} if "questions/" in path and method == "PUT" else None
    foreign = await ravi.send(method, f"/api/v2.2/attempts/{attempt}/{path}", json=body)
    missing = await ravi.send(method, f"/api/v2.2/attempts/{attempt + 99}/{path}", json=body)
    assert foreign.status_code == missing.status_code == 403
    assert foreign.json() == missing.json() == {"detail": "This attempt is not yours."}


async def test_a_question_of_another_attempt_is_refused(asha: Caller, ravi: Caller, attempt: int) -> None:
    foreign = (await ravi.questions(await ravi.create("sums")))[0]["id"]
    await asha.answer(attempt, foreign, status=403)
    await asha.answer(attempt, 10**9, status=403)


@pytest.mark.parametrize(
    ("retakes", "limit", "allowed"), [(True, None, 9), (True, -1, 9), (True, 2, 3), (True, 0, 1), (False, 5, 1)]
)
async def test_the_first_attempt_is_no_retake(
    world: World, asha: Caller, retakes: bool, limit: int | None, allowed: int
) -> None:
    world.add_exam(sums(allow_retake=retakes, max_retakes=limit))
    for number in range(1, min(allowed, 4) + 1):
        attempt = await asha.create("sums")
        ended = await asha.put(f"/api/v2.2/attempts/{attempt}/end/")
        left = None if allowed == 9 else allowed - number
        assert (ended["remaining_attempts"], ended["allow_retake"]) == (left, left != 0)
    if allowed < 9:
        assert await asha.post("/api/v2.2/exams/sums/attempts/", status=403) == {
            "detail": "You have no attempts of this exam left."
        }


async def test_creating_again_returns_the_running_attempt(world: World, asha: Caller, ravi: Caller) -> None:
    world.add_exam(sums(max_retakes=0))
    first = await asha.create("sums")
    world.clock.move(minutes=2)
    again = await asha.post("/api/v2.2/exams/sums/attempts/", status=200)
    assert (again["id"], again["remaining_time"]) == (first, "0:28:00")
    assert await ravi.create("sums") != first


async def test_an_exam_that_is_not_available_cannot_be_started(world: World, asha: Caller) -> None:
    tomorrow, yesterday = START + timedelta(days=1), START - timedelta(days=1)
    cases: dict[str, dict[str, Any]] = {
        "future": {"start_date": tomorrow},
        "past": {"end_date": yesterday},
        "unpublished": {"is_published": False},
        "others": {"is_public": False, "batches": ["Morning"]},
    }
    for title, options in cases.items():
        world.add_exam(sums(title=title), **options)
        assert (await asha.post(f"/api/v2.2/exams/{title}/attempts/", status=403)).keys() == {"detail"}
    assert await asha.post("/api/v2.2/exams/nowhere/attempts/", status=404) == {"detail": "Not found"}


async def test_ranks_count_each_student_once_by_the_best_attempt(world: World, asha: Caller, ravi: Caller) -> None:
    world.add_exam(sums())

    async def sit(caller: Caller, rights: int) -> Any:
        attempt = await caller.create("sums")
        for question, right in list(world.right_answers(attempt).items())[:rights]:
            await caller.answer(attempt, question, *right)
        return await caller.put(f"/api/v2.2/attempts/{attempt}/end/")

    best = await sit(ravi, 2)
    assert (best["rank"], best["max_rank"]) == (1, 1)
    worse = await sit(ravi, 1)
    assert (worse["rank"], worse["max_rank"]) == (1, 1)
    first = await sit(asha, 1)
    assert (first["rank"], first["max_rank"], first["percentile"]) == (2, 2, 50.0)
    second = await sit(asha, 3)
    assert (second["rank"], second["max_rank"], second["percentile"]) == (1, 2, 100.0)


async def test_ranks_are_hidden_until_they_are_published(world: World, asha: Caller) -> None:
    world.add_exam(sums(), rank_publishing_date=START + timedelta(days=7))
    world.add_exam(sums(title="Without ranks", enable_ranks=False))
    for slug, enabled in (("sums", True), ("without-ranks", False)):
        attempt = await asha.create(slug)
        ended = await asha.put(f"/api/v2.2/attempts/{attempt}/end/")
        assert (ended["rank"], ended["max_rank"], ended["rank_enabled"]) == ("NA", "NA", enabled)
    world.clock.move(days=8)
    later = (await asha.get("/api/v2.2/exams/sums/attempts/"))["results"][0]
    assert (later["rank"], later["max_rank"]) == (1, 1)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"selected_answers": "1"}, "selected_answers"),
        ({"selected_answers": ["1"]}, "selected_answers"),
        ({"selected_answers": [True]}, "selected_answers"),
        ({"selected_answers": [0]}, "selected_answers"),
        ({"selected_answers": [1.5]}, "selected_answers"),
        ({"selected_answers": [10**30]}, "selected_answers"),
        ({"selected_answers": [10**6]}, "selected_answers"),
        ({"selected_answers": list(range(1, 999))}, "selected_answers"),
        ({"review": "true"}, "review"),
        ({"review": 1}, "review"),
        ({"short_text": "4"}, "short_text"),
        ({"short_text": 4}, "short_text"),
        ({"essay_text": "x"}, "essay_text"),
        ({"gap_fill_responses": [{"order": "0", "answer": "x"}]}, "gap_fill_responses"),
        ({"gap_fill_responses": [{"order": "1"}]}, "gap_fill_responses"),
        ([], "non_field_errors"),
    ],
)
async def test_a_wrong_answer_body_names_the_field_and_changes_nothing(
    asha: Caller, attempt: int, body: Any, field: str
) -> None:
    before = (await asha.questions(attempt))[0]
    problems = await asha.put(f"/api/v2.2/attempts/{attempt}/questions/{before['id']}", body, status=400)
    assert list(problems) == [field]
    assert all(isinstance(sentence, str) for sentence in problems[field])
    assert (await asha.questions(attempt))[0] == before


async def test_a_single_choice_takes_one_answer_and_none(asha: Caller, attempt: int) -> None:
    question = (await asha.questions(attempt))[0]
    options = [option["id"] for option in question["question"]["answers"]]
    refused = await asha.answer(attempt, question["id"], *options[:2], status=400)
    assert refused == {"selected_answers": ["This question accepts only one option."]}
    assert (await asha.answer(attempt, question["id"], options[0]))["selected_answers"] == [options[0]]
    assert (await asha.answer(attempt, question["id"]))["selected_answers"] == []


async def test_an_option_of_another_question_is_refused(asha: Caller, attempt: int) -> None:
    first, second, _ = await asha.questions(attempt)
    await asha.answer(attempt, first["id"], second["question"]["answers"][0]["id"], status=400)


async def test_an_answer_keeps_omitted_fields(asha: Caller, attempt: int) -> None:
    question = (await asha.questions(attempt))[0]
    path = f"/api/v2.2/attempts/{attempt}/questions/{question['id']}"
    option = question["question"]["answers"][2]["id"]
    await asha.put(path, {"selected_answers": [option], "review": True})
    assert (await asha.put(path, {"review": False}))["selected_answers"] == [option]
    saved = await asha.put(path, {"selected_answers": None, "review": None})
    assert (saved["selected_answers"], saved["review"]) == ([option], False)


async def test_a_late_older_answer_changes_nothing(asha: Caller, attempt: int) -> None:
    question = (await asha.questions(attempt))[0]
    options = [option["id"] for option in question["question"]["answers"]]
    path = f"/api/v2.2/attempts/{attempt}/questions/{question['id']}"

    async def send(option: int, sequence: str) -> list[int]:
        saved = await asha.put(path, {"selected_answers": [option]}, X_Answer_Seq=sequence)
        return list(saved["selected_answers"])

    assert await send(options[0], "7") == [options[0]]
    assert await send(options[1], "9") == [options[1]]
    assert await send(options[0], "7") == [options[1]]
    assert await send(options[1], "9") == [options[1]]
    await asha.put(path, {}, 400, X_Answer_Seq="soon")
    assert await asha.answer(attempt, question["id"], options[3])
    assert await send(options[2], "8") == [options[3]]


async def test_of_two_writers_the_last_answer_to_arrive_counts(asha: Caller, attempt: int) -> None:
    question = (await asha.questions(attempt))[0]
    options = [option["id"] for option in question["question"]["answers"]]
    path = f"/api/v2.2/attempts/{attempt}/questions/{question['id']}"

    async def send(option: int, stamp: str) -> list[int]:
        saved = await asha.put(path, {"selected_answers": [option]}, X_Answer_Seq=stamp)
        return list(saved["selected_answers"])

    assert await send(options[0], "desk:57") == [options[0]]
    assert await send(options[1], "phone:1") == [options[1]]
    assert await send(options[2], "desk:56") == [options[1]]
    assert await send(options[3], "desk:58") == [options[3]]
    assert await send(options[0], "phone:0") == [options[3]]


async def test_text_that_databases_refuse_is_stored_with_marks(world: World, asha: Caller) -> None:
    world.add_exam(every_kind())
    attempt = await asha.create("every-kind")
    short = (await asha.questions(attempt))[2]["id"]
    saved = await asha.put(f"/api/v2.2/attempts/{attempt}/questions/{short}", {"short_text": "a\x00b\x1b[0m"})
    assert saved["short_text"] == "a\ufffdb\x1b[0m"


async def test_marks_of_questions_may_differ(world: World, asha: Caller) -> None:
    world.add_exam(exam_of(choice("a", marks=Decimal("2.5")), choice("b", negative_marks=Decimal("-0.25"))))
    attempt = await asha.create("sums")
    first, second = world.right_answers(attempt)
    await asha.answer(attempt, first, *world.right_answers(attempt)[first])
    await asha.answer(attempt, second, world.wrong_answer(second))
    ended = await asha.put(f"/api/v2.2/attempts/{attempt}/end/")
    assert (ended["score"], ended["exam"]["variable_mark_per_question"]) == ("2.25", True)
