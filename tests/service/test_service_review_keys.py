"""A review says what is right for what is written, where the document has a place for it: among the answers."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.service.service_world import Caller, World, every_kind


@pytest.fixture
async def begun(tmp_path: Path) -> AsyncIterator[tuple[Caller, str]]:
    """A student and the address of an attempt at an exam with every kind of question."""
    world = World.at(tmp_path / "service")
    world.add_user("asha")
    world.add_exam(every_kind())
    asha = world.caller("asha")
    yield asha, f"/api/v2.2/attempts/{await asha.create('every-kind')}/"
    await world.close()


async def test_the_review_has_the_key_of_every_automatically_marked_type(
    begun: tuple[Caller, str],
) -> None:
    asha, attempt = begun
    await asha.put(f"{attempt}end/")
    review = (await asha.get(f"{attempt}review/"))["results"]
    told = {one["question"]["type"]: one["question"]["answers"] for one in review}
    right = {kind: [a["text_html"] for a in answers if a["is_correct"]] for kind, answers in told.items()}
    assert right["S"] == ["Chennai"]
    assert right["N"] == ["3.14 to 3.15"]
    assert right["G"] == ["1. a", "2. b"]
    assert right["M"] == ["1. 1", "2. 2"]
    assert right["E"] == right["F"] == []
    assert len(told["R"]) > len(right["R"]) == 1


async def test_no_key_leaves_the_service_while_the_attempt_runs(begun: tuple[Caller, str]) -> None:
    asha, attempt = begun
    response = await asha.send("GET", f"{attempt}questions/")
    assert "Chennai" not in response.text
    assert "3.14" not in response.text
    assert "is_correct" not in response.text
