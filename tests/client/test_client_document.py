"""docs/client.md: its examples run against a real service, and its table has every endpoint of the API document."""

import re
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest

from lms_tui.client.api import HttpLms
from lms_tui.client.auth import sign_in
from lms_tui.wire.accounts import NewUser, ProfileChanges, UserChanges
from lms_tui.wire.attempts import AnswerInput
from lms_tui.wire.errors import ApiError
from lms_tui.wire.mentors import NewMentor
from lms_tui.wire.posts import PostInput
from lms_tui.wire.videos import PlaybackTokenInput
from tests.client.stranger import BASE, signed_in_stranger
from tests.service.document_rows import ROWS

TEXT: Final = (Path(__file__).parents[2] / "docs/client.md").read_text("utf-8")
EXAMPLES: Final = re.findall(r"^```python\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
TABLE: Final = dict(re.findall(r"^\| `([A-Z]+ /\S+)` \| `([\w.]+)` \|$", TEXT, re.MULTILINE))


async def first_page(lms: HttpLms) -> None:
    async for _ in lms.attempts.review(5):
        return


CALLS: Final[dict[str, Callable[[HttpLms], Awaitable[object]]]] = {
    "lms.posts.page": lambda lms: lms.posts.page(),
    "lms.posts.read": lambda lms: lms.posts.read("x"),
    "lms.posts.create": lambda lms: lms.posts.create(PostInput(title="x")),
    "lms.posts.update": lambda lms: lms.posts.update("x", PostInput(title="x")),
    "lms.posts.delete": lambda lms: lms.posts.delete("x"),
    "lms.videos.contents": lambda lms: lms.videos.contents(5),
    "lms.videos.details": lambda lms: lms.videos.details(5),
    "lms.videos.create_token": lambda lms: lms.videos.create_token("x", PlaybackTokenInput()),
    "lms.users.create": lambda lms: lms.users.create(NewUser(username="x", password="a long secret")),
    "lms.users.read": lambda lms: lms.users.read(5),
    "lms.users.update": lambda lms: lms.users.update(5, UserChanges(city="x")),
    "lms.users.delete": lambda lms: lms.users.delete(5),
    "lms.users.find": lambda lms: lms.users.find("x@lms.test"),
    "lms.me": lambda lms: lms.me(),
    "lms.users.public": lambda lms: lms.users.public(5),
    "lms.users.update_profile": lambda lms: lms.users.update_profile(5, ProfileChanges(city="x")),
    "lms.mentors.create": lambda lms: lms.mentors.create(NewMentor(username="x", password="a long secret")),
    "lms.mentors.create_with_students": lambda lms: lms.mentors.create_with_students(
        NewMentor(username="x", password="a long secret")
    ),
    "lms.mentors.all": lambda lms: lms.mentors.all(),
    "lms.mentors.all_older": lambda lms: lms.mentors.all_older(),
    "lms.mentors.students": lambda lms: lms.mentors.students(5),
    "lms.mentors.assign": lambda lms: lms.mentors.assign(5, ["x"]),
    "lms.mentors.remove": lambda lms: lms.mentors.remove(5, ["x"]),
    "lms.batches.page": lambda lms: lms.batches.page(),
    "lms.batches.read": lambda lms: lms.batches.read(5),
    "lms.batches.create": lambda lms: lms.batches.create("x"),
    "lms.stats": lambda lms: lms.stats(),
    "lms.attempts.page": lambda lms: lms.attempts.page(),
    "lms.attempts.of_exam": lambda lms: lms.attempts.of_exam("x"),
    "lms.attempts.read": lambda lms: lms.attempts.read(5),
    "lms.attempts.create": lambda lms: lms.attempts.create("x"),
    "lms.attempts.start": lambda lms: lms.attempts.start(5),
    "lms.attempts.heartbeat": lambda lms: lms.attempts.heartbeat(5),
    "lms.attempts.end": lambda lms: lms.attempts.end(5),
    "lms.attempts.questions": lambda lms: lms.attempts.questions(5),
    "lms.attempts.save": lambda lms: lms.attempts.save(5, 5, AnswerInput()),
    "lms.attempts.review": first_page,
    "lms.attempts.subjects": lambda lms: lms.attempts.subjects(5),
}


def test_the_table_has_every_row_of_the_api_document_and_a_method_of_its_own_for_each() -> None:
    document = {re.sub(r"\{\w+\}", "<>", row.name) for row in ROWS}
    assert {re.sub(r"<\w+>", "<>", endpoint) for endpoint in TABLE} == document
    assert sorted(TABLE.values()) == sorted(CALLS)


async def test_every_method_asks_for_its_endpoint() -> None:
    stranger = signed_in_stranger()
    lms = (await sign_in(BASE, "asha", "practice", access=stranger.access())).lms
    for endpoint, method in TABLE.items():
        stranger.requests.clear()
        with suppress(ApiError):  # the stranger knows nothing of it: what was asked for is what counts
            await CALLS[method](lms)
        asked = f"{stranger.requests[0].method} {stranger.requests[0].url.path}"
        assert re.fullmatch(re.sub(r"<\w+>", "[x5]", endpoint), asked), method
    await lms.close()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a demo institute is served, by the command that the document gives."""
    folder = tmp_path_factory.mktemp("institute")
    command = [sys.executable, "-m", "lms_tui", "serve", "--demo", "--data-dir", str(folder)]
    service = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        yield (service.stdout.readline() if service.stdout else "").split()[-1]
    finally:
        service.kill()
        service.communicate()


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_each_example_runs_unchanged(address: str, tmp_path: Path, number: int) -> None:
    script = tmp_path / "example.py"
    script.write_text(EXAMPLES[number].replace("http://127.0.0.1:8000", address), "utf-8")
    ran = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.strip()
