"""The files of answers outlive a backup and a kill of the service."""

import random
from dataclasses import replace
from pathlib import Path

import httpx

from lms_tui.service.admin.backups import back_up, restore
from lms_tui.service.core.settings import system_clock
from tests.service.service_world import Caller, World, choice, exam_of
from tests.service.test_service_files import FILES, PART, attempt, path_of, send
from tests.service.test_service_process import Starter, first_line, start

__all__ = ["attempt", "start"]


async def test_a_backup_has_the_files_of_answers(
    sqlite_only: World, asha: Caller, attempt: int, tmp_path: Path
) -> None:
    content = random.Random(3).randbytes(PART + 1)
    for begin in (0, PART):
        await send(asha, attempt, content, begin, begin + PART)
    settings = sqlite_only.settings
    backup = back_up(settings, tmp_path / "backups", sqlite_only.clock.now)["backup"]
    restored = replace(settings, data_dir=tmp_path / "new")
    restore(restored, Path(backup))
    world = World.at(restored.data_dir)
    response = await Caller(world.http, asha.headers).send("GET", path_of(attempt, content))
    await world.close()
    assert response.content == content


async def test_an_upload_continues_after_a_kill(tmp_path: Path, start: Starter) -> None:
    world = World.at(tmp_path)
    world.clock.now = system_clock()
    world.add_user("asha")
    world.add_exam(exam_of(choice("Sum"), FILES))
    caller = world.caller("asha")
    attempt = await caller.create("sums")
    await world.close()
    content = random.Random(4).randbytes(PART + 1)
    read = []
    async with httpx.AsyncClient(headers=caller.headers) as http:
        for begin, end in ((0, PART), (PART, PART + 1)):
            service = start(f"Path({str(tmp_path)!r})")
            address = first_line(service).removeprefix("Listening on ").strip() + path_of(attempt, content)
            told = await http.put(f"{address}?offset={begin}&size={len(content)}", content=content[begin:end])
            assert told.json()["received"] == end
            response = await http.get(address)
            read.append(response.content if response.is_success else None)
            service.kill()
            service.wait()
    assert read == [None, content]
