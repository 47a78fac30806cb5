"""The embedded service as a real process, and the ways in that lead to it."""

import asyncio
import contextlib
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from lms_tui.banks.exam_transfer import packed
from lms_tui.banks.model import Exam
from lms_tui.banks.reader import read_exam
from lms_tui.common.settings import Network, Paths, Profile, Settings
from lms_tui.runtime.profiles import ProfileList
from lms_tui.runtime.service_process import ServiceProcess
from lms_tui.runtime.session_provider import PRACTICE_ORIGIN, HttpSessionProvider
from lms_tui.service.core.database.engine import Database
from lms_tui.service.demo.data import institute_data
from lms_tui.wire.attempts import AnswerInput
from lms_tui.wire.errors import Invalid, Offline, ServerFault, Unreachable
from tests.waiting import PATIENCE, is_running, wait_until

NETWORK = Network(timeout=PATIENCE)
EXAM = """// a dry run
$CATEGORY: Physics
::One::Which is a force? {=Weight ~Mass ~Speed}
::Two::Which is a length? {~Second =Metre ~Kelvin}
"""


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths(tmp_path / "data", tmp_path / "config", tmp_path)


@pytest.fixture
def service(paths: Paths, tmp_path: Path) -> Iterator[ServiceProcess]:
    exam = tmp_path / "forces.gift"
    exam.write_text(EXAM)
    arguments = ("--data-dir", str(paths.data), "--exam", str(exam))
    service = ServiceProcess(arguments, paths.service_log)
    yield service
    service.stop()


@pytest.fixture
async def provider(paths: Paths, service: ServiceProcess) -> AsyncIterator[HttpSessionProvider]:
    provider = HttpSessionProvider(Settings(paths, network=NETWORK), ProfileList(paths.profiles), service)
    yield provider
    await provider.close()


async def test_practice_signs_in_to_a_service_that_ends_with_its_provider(
    provider: HttpSessionProvider, service: ServiceProcess
) -> None:
    session = await provider.practice()
    assert session.lms.origin == PRACTICE_ORIGIN
    assert session.user.username == "asha"
    assert session.profile is None
    assert (await provider.practice()).lms is not session.lms
    with pytest.raises(Invalid, match="does not let “nobody” in") as refused:
        await provider.practice("nobody")
    assert "asha, ravi" in refused.value.advice
    process = service._process
    assert process is not None
    await provider.close()
    assert process.poll() == 0
    with pytest.raises(Offline):
        await provider.sign_in(service._base_url, "asha", "practice", keep=False)


async def steps_of_a_start(paths: Paths) -> list[str]:
    """Return what a start of the demo tells."""
    service = ServiceProcess(("--data-dir", str(paths.data), "--demo"), paths.service_log)
    provider = HttpSessionProvider(Settings(paths), ProfileList(paths.profiles), service)
    told: list[str] = []
    await provider.practice(on_step=told.append)
    await provider.close()
    return told


async def test_only_the_first_start_of_the_demo_tells_that_it_makes_the_institute(paths: Paths) -> None:
    told = [await steps_of_a_start(paths) for _ in range(2)]
    first = ["Starting the service", "Making the practice institute", "Signing in"]
    assert told == [first, ["Starting the service", "Signing in"]]


async def test_an_institute_that_is_added_to_a_database_is_made_step_by_step(paths: Paths) -> None:
    database = Database.in_file(paths.service / "service.sqlite3")
    database.prepare(brief=True)
    database.close()
    making = "Making the practice institute"
    count = len(institute_data().exams)
    exams = [f"{making}: exams {number} of {count}" for number in range(1, count + 1)]
    steps = ["Starting the service", f"{making}: people", *exams, f"{making}: courses and posts", "Signing in"]
    assert await steps_of_a_start(paths) == steps


async def test_a_crashed_service_restarts_at_its_address_during_an_exam(
    provider: HttpSessionProvider, service: ServiceProcess
) -> None:
    lms = (await provider.practice()).lms
    assert service._process is not None
    dead = service._process
    dead.kill()
    dead.wait()
    back = None
    async with asyncio.timeout(PATIENCE):
        while back is None:
            with contextlib.suppress(Unreachable):
                back = await lms.me()
    assert back.username == "asha"
    assert service._process is not dead


async def test_a_saved_token_signs_in_without_a_password(
    provider: HttpSessionProvider, service: ServiceProcess, paths: Paths
) -> None:
    base_url = await service.start()
    await provider.sign_in(f"{base_url}/", "asha", "practice", keep=True)
    (profile,) = provider.profiles()
    expected = Profile(f"asha at {base_url.removeprefix('http://')}", base_url, "asha", device=profile.device)
    assert profile.without_user() == expected
    assert profile.user_id
    assert profile.device
    resumed = await provider.resume(profile)
    assert resumed is not None
    assert resumed.user.username == "asha"
    await provider.sign_in(base_url, "asha", "practice", keep=False)
    assert await provider.resume(profile) is None
    assert provider.profiles() == (expected,)  # the service has known this device again
    assert list(paths.secrets.iterdir()) == []


async def test_an_expired_token_is_deleted_and_the_password_is_asked_for(
    provider: HttpSessionProvider, service: ServiceProcess, paths: Paths
) -> None:
    base_url = await service.start()
    await provider.sign_in(base_url, "asha", "practice", keep=True)
    (secret,) = paths.secrets.iterdir()
    secret.write_text("e30.e30.e30")
    assert await provider.resume(provider.profiles()[0]) is None
    assert list(paths.secrets.iterdir()) == []
    assert provider.profiles()[0].user_id == 0


async def test_a_wrong_password_is_refused_and_nothing_is_saved(
    provider: HttpSessionProvider, service: ServiceProcess
) -> None:
    base_url = await service.start()
    with pytest.raises(Invalid) as refused:
        await provider.sign_in(base_url, "asha", "wrong", keep=True)
    assert refused.value.advice
    assert provider.profiles() == ()


async def test_a_dry_run_is_taken_from_its_instructions_to_its_review(provider: HttpSessionProvider) -> None:
    lms = (await provider.practice()).lms
    exam = await lms.exams.read("forces")
    assert exam.number_of_questions == 2
    attempt = await lms.attempts.create(exam.slug)
    await lms.attempts.start(attempt.id)
    questions = await lms.attempts.questions(attempt.id)
    for question in questions:
        chosen = AnswerInput(selected_answers=(question.question.answers[0].id,))
        echo = await lms.attempts.save(attempt.id, question.id, chosen)
        assert echo.selected_answers == chosen.selected_answers
    await lms.attempts.heartbeat(attempt.id)
    assert (await lms.attempts.end(attempt.id)).state == "Completed"
    reviewed = [question async for page in lms.attempts.review(attempt.id) for question in page.results]
    assert len(reviewed) == 2


async def test_a_service_that_cannot_start_gives_the_reason(paths: Paths, tmp_path: Path) -> None:
    (tmp_path / "wrong.gift").write_bytes(b"\x89PNG\r\n")
    arguments = ("--data-dir", str(paths.data), "--exam", str(tmp_path / "wrong.gift"))
    with pytest.raises(ServerFault, match="picture") as fault:
        await ServiceProcess(arguments, paths.service_log).start()
    assert str(paths.service_log) in fault.value.advice
    with pytest.raises(ServerFault, match="Unknown option --nonsense"):
        await ServiceProcess(("--nonsense",), paths.service_log).start()


async def test_cancelling_the_start_of_the_service_leaves_no_process(service: ServiceProcess) -> None:
    starting = asyncio.create_task(service.start())
    await asyncio.sleep(0)
    assert service._process is not None
    pid = service._process.pid
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting
    assert not is_running(pid)


PARENT = """
import asyncio, os, signal, sys
from pathlib import Path
from lms_tui.banks.model import Exam
from lms_tui.banks.reader import read_exam
from lms_tui.runtime.service_process import ServiceProcess
service = ServiceProcess(sys.argv[2:], Path(sys.argv[1]))
print(asyncio.run(service.start()), service._process.pid, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="asks /proc whether a process has ended")
def test_service_ends_when_the_program_is_killed(paths: Paths, tmp_path: Path) -> None:
    exam = tmp_path / "forces.gift"
    exam.write_text(EXAM)
    arguments = (str(paths.service_log), "--data-dir", str(paths.data), "--exam", str(exam))
    parent = subprocess.run([sys.executable, "-c", PARENT, *arguments], capture_output=True, text=True, check=False)
    assert parent.returncode == -signal.SIGKILL
    pid = int(parent.stdout.split()[1])
    wait_until(lambda: not is_running(pid))


def large_exam() -> Exam:
    text = "\n\n".join(f"::Q{number}:: How many are {number}? {{#{number}}}" for number in range(2_000))
    return read_exam(text.encode(), "large.gift").exam


async def test_a_large_exam_is_given_to_the_service_and_survives_its_restart(paths: Paths) -> None:
    service = ServiceProcess(("--data-dir", str(paths.data), "--exam-given"), paths.service_log)
    provider = HttpSessionProvider(Settings(paths, network=NETWORK), ProfileList(paths.profiles), service)
    service.launch()
    service.give(packed(large_exam()))
    try:
        lms = (await provider.practice()).lms
        assert (await lms.exams.read("large")).number_of_questions == 2_000
        assert service._process is not None
        service._process.kill()
        again = None
        while again is None:
            with contextlib.suppress(Unreachable):
                again = await lms.exams.read("large")
        assert again.number_of_questions == 2_000
    finally:
        await provider.close()


def test_a_service_that_waits_for_its_exam_ends_with_its_parent(paths: Paths) -> None:
    command = [sys.executable, "-m", "lms_tui", "serve", "--exam-given", "--end-with-stdin"]
    ended = subprocess.run(
        [*command, "--data-dir", str(paths.data)],
        cwd=Path(__file__).parents[2],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
