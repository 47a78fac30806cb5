"""An institute on the machines: an exam in progress, two processes of the service, and HAProxy before them."""

import asyncio
import os
import shutil
import sys
from pathlib import Path
from typing import Final

import httpx

from lms_tui.banks.model import Question, TextKey
from lms_tui.common.settings import find_paths
from lms_tui.service.core.settings import system_clock
from lms_tui.wire.question_types import QuestionType
from tests.failover.machines import Machines, Unit
from tests.failover.recipe import file_of
from tests.failover.students import Student
from tests.ports import reserved_port
from tests.service.service_world import World, exam_of

PASSWORD: Final = "institute"
QUESTIONS: Final = 250
_HELD: Final = "SELECT id, short_text FROM attempt_questions WHERE short_text IS NOT NULL"


class Institute:
    def __init__(self, machines: Machines, folder: Path) -> None:
        self.machines = machines
        self._folder = folder
        self._reserved = [reserved_port() for _ in range(3)]
        ports = [reserved.getsockname()[1] for reserved in self._reserved]
        self.base_url = f"http://127.0.0.1:{ports[0]}"
        self.services = [self._service(number, port) for number, port in enumerate(ports[1:], 1)]
        file = folder / "haproxy.cfg"
        addresses = ("10.0.0.20:8000", "10.0.0.21:8000", "10.0.0.22:8000")
        changes = {old: f"127.0.0.1:{port}" for old, port in zip(addresses, ports, strict=True)}
        changes["maxconn 20000"] = "maxconn 2000"  # a shell allows fewer open files than systemd
        file.write_text(file_of("/etc/haproxy/haproxy.cfg", changes), "utf-8")
        self._proxy = Unit(["/usr/sbin/haproxy", "-db", "-f", str(file)], os.environ, folder / "haproxy.log")

    def _service(self, number: int, port: int) -> Unit:
        data = self._folder / f"lms{number}"
        command = [sys.executable, "-m", "lms_tui", "serve", "--data-dir", str(data), "--port", str(port)]
        command += ["--database-url", self.machines.url]
        return Unit(command, os.environ | {"PGPASSWORD": PASSWORD}, self._folder / f"lms{number}.log")

    async def open(self, students: int) -> list[Student]:
        """Create the institute and start to serve it. Return the students, each with a started attempt."""
        self.machines.ask(f"CREATE ROLE lms LOGIN PASSWORD '{PASSWORD}'")
        self.machines.ask("CREATE DATABASE lms OWNER lms")
        os.environ["PGPASSWORD"] = PASSWORD
        first, second = (find_paths(self._folder / f"lms{number}").service for number in (1, 2))
        world = World.at(first, self.machines.url)
        world.clock.now = system_clock()
        world.add_exam(exam_of(*(_question(number) for number in range(QUESTIONS)), title="Exam", duration=None))
        sitting = []
        for number in range(students):
            world.add_user(f"s{number}")
            attempt = await world.caller(f"s{number}").create("exam")
            sitting.append(Student(f"s{number}", world.token(f"s{number}"), attempt))
        await world.close()
        second.mkdir(parents=True)
        shutil.copy2(first / "secret.key", second)
        for unit in (*self.services, self._proxy):
            unit.start()
        await self._answers()
        return sitting

    async def _answers(self) -> None:
        async with httpx.AsyncClient() as http:
            for _ in range(120):
                try:
                    if (await http.get(f"{self.base_url}/api/v2.2/me/")).status_code == 401:
                        return
                except httpx.HTTPError:
                    pass
                await asyncio.sleep(0.5)
        raise TimeoutError("the service does not answer")

    def held(self) -> dict[int, str]:
        """Return the answers that the primary has, by question."""
        return dict(self.machines.rows(_HELD, "lms"))

    async def close(self) -> None:
        for unit in (self._proxy, *self.services):
            await unit.stop()
        for reserved in self._reserved:
            reserved.close()


def _question(number: int) -> Question:
    return Question(QuestionType.SHORT, f"<p>{number}</p>", texts=(TextKey("x"),))
