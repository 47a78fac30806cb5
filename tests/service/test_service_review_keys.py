"""A review says what is right for what is written, where the document has a place for it: among the answers."""

from pathlib import Path

from tests.service.service_world import World, every_kind


async def test_review_tells_what_is_right_for_every_kind_that_is_not_marked_by_a_person(tmp_path: Path) -> None:
    world = World.at(tmp_path / "service")
    try:
        world.add_user("asha")
        world.add_exam(every_kind())
        asha = world.caller("asha")
        attempt = await asha.create("every-kind")
        await asha.put(f"/api/v2.2/attempts/{attempt}/end/")
        review = (await asha.get(f"/api/v2.2/attempts/{attempt}/review/"))["results"]
        told = {one["question"]["type"]: one["question"]["answers"] for one in review}
        right = {kind: [a["text_html"] for a in answers if a["is_correct"]] for kind, answers in told.items()}
        assert right["S"] == ["Chennai"]
        assert right["N"] == ["3.14 to 3.15"]
        assert right["G"] == ["1. a", "2. b"]
        assert right["M"] == ["1. 1", "2. 2"]
        assert right["E"] == right["F"] == []
        assert len(told["R"]) > len(right["R"]) == 1
    finally:
        await world.close()


async def test_no_key_leaves_the_service_while_the_attempt_runs(tmp_path: Path) -> None:
    world = World.at(tmp_path / "service")
    try:
        world.add_user("asha")
        world.add_exam(every_kind())
        asha = world.caller("asha")
        attempt = await asha.create("every-kind")
        response = await asha.send("GET", f"/api/v2.2/attempts/{attempt}/questions/")
        assert "Chennai" not in response.text
        assert "3.14" not in response.text
        assert "is_correct" not in response.text
    finally:
        await world.close()
