"""The files of answers arrive in parts, once each, and only their owner and staff read them. On both databases."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select

from lms_tui.banks.model import Question, Section
from lms_tui.service.core.database import tables
from lms_tui.service.exams.exporter import exam_of as stored_exam
from lms_tui.service.server.app import create_app
from lms_tui.wire.files import FileReference
from lms_tui.wire.question_types import QuestionType
from tests.service.service_world import Caller, World, choice, exam_of
from tests.service.shapes import person

PART = 256 * 1024
FILES = Question(QuestionType.FILES, "<p>Hand in your essay.</p>")
ENDED = {"detail": "The exam has already ended"}


def digest_of(content: bytes) -> str:
    return sha256(content).hexdigest()


def named(content: bytes, name: str = "essay.pdf") -> FileReference:
    return FileReference(digest_of(content), len(content), name)


def path_of(attempt: int, content: bytes = b"", *, digest: str = "") -> str:
    return f"/api/v2.2/attempts/{attempt}/files/{digest or digest_of(content)}"


async def send(
    caller: Caller, attempt: int, content: bytes, start: int = 0, end: int | None = None, status: int = 200
) -> Any:
    """Send a part of a file, by default the whole."""
    part = content[start : len(content) if end is None else end]
    address = f"{path_of(attempt, content)}?offset={start}&size={len(content)}"
    response = await caller.send("PUT", address, content=part)
    assert response.status_code == status, response.text
    return response.json()


async def name_files(caller: Caller, attempt: int, *files: FileReference, status: int = 200) -> Any:
    """Answer the question that asks for files."""
    question = (await caller.questions(attempt))[-1]["id"]
    gaps = [{"order": str(order), "answer": file.text} for order, file in enumerate(files, 1)]
    return await caller.put(f"/api/v2.2/attempts/{attempt}/questions/{question}", {"gap_fill_responses": gaps}, status)


async def there(caller: Caller, attempt: int) -> list[str]:
    """Return the digests of the complete files of an attempt."""
    files = (await caller.get(f"/api/v2.2/attempts/{attempt}/files/"))["files"]
    return [file["digest"] for file in files if file["received"] == file["size"]]


def rows(world: World) -> tuple[int, int]:
    """Return how many files and parts the database has."""
    with world.database.read() as session:
        counts = [
            session.scalar(select(func.count()).select_from(table)) or 0
            for table in (tables.AttemptFile, tables.AttemptFilePart)
        ]
    return counts[0], counts[1]


def accept(world: World, *types: str, most: int = 1) -> None:
    """Let the question accept files of these types."""
    with world.database.write() as session:
        question = session.scalars(select(tables.Question).where(tables.Question.kind == "F")).one()
        question.file_types, question.most_files = list(types), most


@pytest.fixture
async def attempt(world: World, asha: Caller) -> int:
    """A running attempt of Asha that asks for files in its last question, for 30 minutes."""
    world.add_exam(exam_of(choice("Sum"), FILES))
    return await asha.create("sums")


async def test_a_file_arrives_in_parts_and_is_read_back(asha: Caller, attempt: int) -> None:
    content = random.Random(1).randbytes(2 * PART + 7)
    told = [await send(asha, attempt, content, start, start + PART) for start in (0, PART, 2 * PART)]
    assert [part["received"] for part in told] == [PART, 2 * PART, len(content)]
    assert told[-1] == {"digest": digest_of(content), "size": len(content), "received": len(content)}
    response = await asha.send("GET", path_of(attempt, content))
    assert response.content == content
    assert {name: response.headers[name] for name in ("content-type", "content-disposition", "cache-control")} == {
        "content-type": "application/octet-stream",
        "content-disposition": "attachment",
        "cache-control": "private, no-store",
    }
    assert response.headers["x-content-type-options"] == "nosniff"


async def test_an_empty_file_is_complete_after_one_request(asha: Caller, attempt: int) -> None:
    assert (await send(asha, attempt, b""))["received"] == 0
    assert await there(asha, attempt) == [digest_of(b"")]
    assert (await asha.send("GET", path_of(attempt, b""))).content == b""
    wrong = path_of(attempt, b"other") + "?offset=0&size=0"
    assert (await asha.send("PUT", wrong, content=b"")).status_code == 400
    assert await there(asha, attempt) == [digest_of(b"")]


async def test_an_incomplete_file_is_listed_and_not_found(asha: Caller, attempt: int) -> None:
    content = b"half of it"
    await send(asha, attempt, content, 0, 5)
    listed = await asha.get(f"/api/v2.2/attempts/{attempt}/files/")
    assert listed["files"] == [{"digest": digest_of(content), "size": 10, "received": 5}]
    assert (await asha.send("GET", path_of(attempt, content))).status_code == 404


async def test_the_list_tells_nothing_of_sections_that_have_not_started(world: World, asha: Caller) -> None:
    parts = ((choice("Sum"), FILES), (FILES, FILES))
    sections = tuple(Section(f"Part {n}", part, duration=timedelta(minutes=10)) for n, part in enumerate(parts, 1))
    world.add_exam(replace(exam_of(), title="Parts", sections=sections))
    attempt = await asha.create("parts")

    async def told() -> list[int]:
        return [rules["question_id"] for rules in (await asha.get(f"/api/v2.2/attempts/{attempt}/files/"))["questions"]]

    async def shown() -> list[int]:
        return [row["id"] for row in await asha.questions(attempt) if row["question"]["type"] == "F"]

    assert await told() == await shown()
    assert len(await told()) == 1
    world.clock.move(minutes=11)
    await asha.put(f"/api/v2.2/attempts/{attempt}/heartbeat/")
    assert await told() == await shown()
    assert len(await told()) == 3


async def test_the_list_tells_limits_and_what_each_question_accepts(world: World, asha: Caller, attempt: int) -> None:
    accept(world, ".pdf", ".jpg", most=3)
    listed = await asha.get(f"/api/v2.2/attempts/{attempt}/files/")
    last = (await asha.questions(attempt))[-1]["id"]
    assert listed == {
        "largest": 10_000_000,
        "part": PART,
        "total": 50_000_000,
        "questions": [{"question_id": last, "most": 3, "types": [".pdf", ".jpg"]}],
        "files": [],
    }


def test_an_imported_question_keeps_what_it_accepts(world: World) -> None:
    question = replace(FILES, file_types=(".pdf", ".jpg"), most_files=2)
    exam = world.add_exam(exam_of(question))
    with world.database.read() as session:
        (stored,) = stored_exam(session, session.get_one(tables.Exam, exam)).questions
    assert (stored.file_types, stored.most_files) == (question.file_types, question.most_files)


@pytest.mark.parametrize("seed", range(5))
async def test_parts_in_any_order_with_repeats_and_losses_give_the_same_content(
    asha: Caller, attempt: int, seed: int
) -> None:
    chance = random.Random(seed)
    content = chance.randbytes(chance.randrange(1, 60))
    received = 0
    while received < len(content):
        start = chance.choice([received, received, chance.randrange(len(content))])
        end = min(len(content), start + chance.randrange(20))
        told = await send(asha, attempt, content, start, end)
        assert told["received"] == (end if start == received else received)
        # The reply can be lost, and then the client knows less than the service.
        received = told["received"]
    assert (await send(asha, attempt, content))["received"] == len(content), "a repeat of all changes nothing"
    assert (await asha.send("GET", path_of(attempt, content))).content == content


async def test_two_processes_at_the_same_time_store_each_part_once(world: World, asha: Caller, attempt: int) -> None:
    content = random.Random(2).randbytes(40)
    async with restarted(world, asha, concurrent_uploads=4) as several:
        for start in range(0, 40, 10):
            told = await asyncio.gather(*(send(several, attempt, content, start, start + 10) for _ in range(4)))
            assert max(part["received"] for part in told) == start + 10
    assert rows(world) == (1, 4)
    assert (await asha.send("GET", path_of(attempt, content))).content == content


async def test_an_upload_continues_after_a_restart(world: World, asha: Caller, attempt: int) -> None:
    content = b"before and after"
    await send(asha, attempt, content, 0, 6)
    async with restarted(world, asha) as again:
        assert (await send(again, attempt, content, 6))["received"] == len(content)
        assert (await again.send("GET", path_of(attempt, content))).content == content


@asynccontextmanager
async def restarted(world: World, caller: Caller, **limits: int) -> AsyncIterator[Caller]:
    """Yield the caller of another process on the same database, with other limits."""
    settings = replace(world.settings, limits=replace(world.settings.limits, **limits))
    app = create_app(settings, world.database, world.clock)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://lms.test") as http:
        yield Caller(http, caller.headers)


async def test_a_damaged_file_is_removed_and_can_be_sent_again(world: World, asha: Caller, attempt: int) -> None:
    content = b"twelve bytes"
    await send(asha, attempt, b"twelve"[::-1] + content[6:], 0, 6)
    address = path_of(attempt, content)
    await asha.send("PUT", f"{address}?offset=0&size=12", content=b"tvelve")
    refused = await asha.send("PUT", f"{address}?offset=6&size=12", content=content[6:])
    assert (refused.status_code, refused.json()) == (400, {"digest": ["The file arrived damaged. Send it again."]})
    assert digest_of(content) not in str(await asha.get(f"/api/v2.2/attempts/{attempt}/files/"))
    assert (await send(asha, attempt, content))["received"] == 12


async def test_a_file_that_another_request_began_with_another_size_is_refused(asha: Caller, attempt: int) -> None:
    content = b"twelve bytes"
    await send(asha, attempt, content, 0, 6)
    refused = await asha.send("PUT", f"{path_of(attempt, content)}?offset=6&size=13", content=b"1")
    assert (refused.status_code, set(refused.json())) == (400, {"size"})


async def test_a_part_behind_the_end_or_above_the_limit_is_refused(asha: Caller, attempt: int) -> None:
    address = path_of(attempt, b"x")
    long = await asha.send("PUT", f"{address}?offset=0&size=1", content=b"xx")
    assert (long.status_code, set(long.json())) == (400, {"offset"})
    large = await asha.send("PUT", f"{address}?offset=0&size={PART + 1}", content=b"x" * (PART + 1))
    assert large.status_code == 413
    missing = await asha.send("PUT", address, content=b"x")
    assert (missing.status_code, set(missing.json())) == (400, {"size"})
    for digest in ("A" * 64, "0" * 63, "..%2f"):
        assert (await asha.send("PUT", path_of(attempt, digest=digest) + "?size=1", content=b"x")).status_code == 404


async def test_files_above_the_limits_are_refused(world: World, asha: Caller, attempt: int) -> None:
    async with restarted(world, asha, file=10, files=3, files_total=25) as limited:
        refused = await send(limited, attempt, b"12345678901", 0, 1, status=400)
        assert refused == {"size": ["A file has at most 10 bytes."]}
        contents = [b"first 10 b", b"second 10b"]
        accept(world, most=3)
        for content in contents:
            await send(limited, attempt, content)
        await name_files(limited, attempt, *map(named, contents[:1]))
        await send(limited, attempt, b"third 10 b")
        assert await there(limited, attempt) == [digest_of(contents[0]), digest_of(b"third 10 b")], "an unused one went"
        await name_files(limited, attempt, named(contents[0]), named(b"third 10 b", "b.pdf"))
        refused = await send(limited, attempt, b"fourth", status=400)
        assert refused == {"size": ["All files of an attempt have at most 25 bytes together."]}
        await send(limited, attempt, b"5")
        await name_files(limited, attempt, named(contents[0]), named(b"third 10 b", "b"), named(b"5", "c"))
        assert await send(limited, attempt, b"6", status=400) == {"size": ["An attempt has at most 3 files."]}


async def test_an_exam_that_asks_for_no_files_takes_none(world: World, asha: Caller) -> None:
    world.add_exam(exam_of(choice("Sum")))
    attempt = await asha.create("sums")
    refused = await send(asha, attempt, b"x", status=403)
    assert refused == {"detail": "This exam does not ask for files."}
    assert rows(world) == (0, 0)


@pytest.mark.parametrize(
    ("gaps", "sentence"),
    [
        ([("1", "an essay")], "An answer to this question is a list of files."),
        ([("1", "")], "An answer to this question is a list of files."),
        ([("1", named(b"a", "../a.pdf").text)], "An answer to this question is a list of files."),
        ([("2", named(b"a").text)], "The numbers of the files are not 1, 2 and so on."),
        ([("1", named(b"a").text), ("1", named(b"b").text)], "A gap has two answers."),
        ([(str(n), named(b"a").text) for n in (1, 2, 3)], "This question accepts at most 2 files."),
        ([("1", named(b"a", "a.exe").text)], "This question accepts only files of these types: .pdf, .jpg."),
        ([("1", named(b"a", "pdf").text)], "This question accepts only files of these types: .pdf, .jpg."),
    ],
)
async def test_an_answer_is_a_list_of_files_that_the_question_accepts(
    world: World, asha: Caller, attempt: int, gaps: list[tuple[str, str]], sentence: str
) -> None:
    accept(world, ".pdf", ".jpg", most=2)
    question = (await asha.questions(attempt))[-1]["id"]
    path = f"/api/v2.2/attempts/{attempt}/questions/{question}"
    body = {"gap_fill_responses": [{"order": order, "answer": text} for order, text in gaps]}
    assert await asha.put(path, body, 400) == {"gap_fill_responses": [sentence]}
    good = await name_files(asha, attempt, named(b"a", "A.PDF"), named(b"b", "b.jpg"))
    assert [gap["answer"] for gap in good["gap_fill_responses"]] == [
        named(b"a", "A.PDF").text,
        named(b"b", "b.jpg").text,
    ]
    assert (await asha.put(path, {"gap_fill_responses": []}))["gap_fill_responses"] == []


async def test_the_end_removes_the_files_that_no_answer_names(world: World, asha: Caller, attempt: int) -> None:
    kept, replaced = b"the last version", b"an earlier version"
    for content in (replaced, kept):
        await send(asha, attempt, content)
        await name_files(asha, attempt, named(content))
    await asha.put(f"/api/v2.2/attempts/{attempt}/end/")
    assert await there(asha, attempt) == [digest_of(kept)]
    assert rows(world) == (1, 1)
    assert (await asha.get(f"/api/v2.2/attempts/{attempt}/files/"))["questions"] == []
    assert (await asha.send("GET", path_of(attempt, kept))).content == kept
    assert await send(asha, attempt, b"too late", status=403) == ENDED


async def test_an_upload_during_the_end_leaves_no_file_that_no_answer_names(
    world: World, asha: Caller, attempt: int
) -> None:
    contents = [bytes([number]) for number in range(8)]
    addresses = [f"{path_of(attempt, content)}?size=1" for content in contents]
    uploads = [asha.send("PUT", address, content=body) for address, body in zip(addresses, contents, strict=True)]
    end = asha.send("PUT", f"/api/v2.2/attempts/{attempt}/end/")
    ended, *told = await asyncio.gather(end, *uploads)
    assert ended.status_code == 200
    assert {response.status_code for response in told} <= {200, 403}
    assert rows(world) == (0, 0)


async def test_files_on_their_way_are_taken_as_long_as_answers(world: World, asha: Caller, attempt: int) -> None:
    content = b"in the last second"
    world.clock.move(minutes=30, seconds=9)
    await send(asha, attempt, content, 0, 5)
    await name_files(asha, attempt, named(content))
    world.clock.move(seconds=2)
    assert await send(asha, attempt, content, 5, status=403) == ENDED


async def test_other_students_reach_no_file_and_staff_read_it(
    world: World, asha: Caller, ravi: Caller, attempt: int
) -> None:
    content = b"an essay"
    await send(asha, attempt, content)
    assert await send(ravi, attempt, content, status=403) == {"detail": "This attempt is not yours."}
    assert (await ravi.send("GET", path_of(attempt, content))).status_code == 403
    address = f"/api/v2.5/admin/attempts/{attempt}/files/"
    assert (await ravi.send("GET", address + digest_of(content))).status_code == 403
    staff = person(world, "prakash", "moderator")
    assert (await staff.send("GET", address + digest_of(content))).content == content
    assert (await staff.send("GET", address + digest_of(b"none"))).status_code == 404


async def test_the_files_of_a_deleted_user_are_deleted(world: World, asha: Caller, attempt: int) -> None:
    await send(asha, attempt, b"an essay")
    assert rows(world) == (1, 1)
    with world.database.read() as session:
        user = session.scalars(select(tables.User.id).where(tables.User.username == "asha")).one()
    response = await person(world, "head", "admin").send("DELETE", f"/api/v2.2/admin/users/{user}")
    assert response.status_code == 204
    assert rows(world) == (0, 0)
