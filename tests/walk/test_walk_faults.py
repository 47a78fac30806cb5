"""The fault switch: how faults are written, what they do, who may change them, and the score in the end."""

import http.client
import json
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import AsyncIterator
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from lms_tui.cli import main
from lms_tui.service.core.settings import FaultSettings, ServiceSettings
from lms_tui.service.faults.fault_injector import FaultInjector
from lms_tui.service.faults.faults import Fault, FaultError, Lost, decide, parse_fault
from lms_tui.service.faults.routes import install
from lms_tui.service.server.app import create_app
from lms_tui.service.server.errors import ServiceError
from lms_tui.service.server.process import run
from tests.fakes.json_output import told
from tests.service.service_world import Caller, FakeClock, World, sums
from tests.waiting import PATIENCE

GIFT = "::Sum:: 1 + 1 = {=2 ~3 ~4}\n\n::Difference:: 2 - 1 = {~2 =1 ~4}\n"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("PUT */heartbeat/ 503 30%", Fault("PUT */heartbeat/ 503 30%", "PUT", "*/heartbeat/", 503, chance=0.3)),
        ("latency 400ms ±200", Fault("latency 400ms ±200", wait=0.4, spread=0.2)),
        ("latency 400 ms +- 200 ms 50%", Fault("latency 400 ms +- 200 ms 50%", wait=0.4, spread=0.2, chance=0.5)),
        ("drop 5%", Fault("drop 5%", drop=True, chance=0.05)),
        ("* /api/v2.2/me/ 401", Fault("* /api/v2.2/me/ 401", "*", "/api/v2.2/me/", 401)),
        ("  GET   *  drop ", Fault("GET * drop", "GET", "*", drop=True)),
        ("GET */me/ wrong-body", Fault("GET */me/ wrong-body", "GET", "*/me/", wrong=True)),
        ("slow-body 3 s 10%", Fault("slow-body 3 s 10%", slow=3.0, chance=0.1)),
        ("clock-skew -2 min", Fault("clock-skew -2 min", skew=-120.0)),
        ("503 for 20% of students", Fault("503 for 20% of students", status=503, share=0.2)),
        (
            "drop 5% from minute 3 for 20 s",
            Fault("drop 5% from minute 3 for 20 s", drop=True, chance=0.05, begins=180.0, lasts=20.0),
        ),
        (
            "500 for 1% of students from 90 s for 400ms",
            Fault("500 for 1% of students from 90 s for 400ms", status=500, share=0.01, begins=90.0, lasts=0.4),
        ),
    ],
)
def test_faults_are_read_as_people_write_them(text: str, fault: Fault) -> None:
    assert parse_fault(text) == fault


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        *((text, "drop 5%") for text in ("", "PUT 503", "latency 9999999ms", "503 often", "PUT */x/ 200", "rm -rf /")),
        ("drop 500%", "at most 100%"),
        ("latency 60000ms ±1", "at most 60 seconds"),
        ("slow-body 2 min", "at most 60 seconds"),
        ("503 for 120% of students", "at most 100%"),
        ("clock-skew 2000 min", "a day"),
    ],
)
def test_an_invalid_fault_is_refused_with_advice(text: str, advice: str) -> None:
    with pytest.raises(FaultError) as refused:
        parse_fault(text)
    assert advice in refused.value.advice


def test_the_same_seed_gives_the_same_faults() -> None:
    faults = [parse_fault("drop 30%"), parse_fault("latency 400ms ±200 50%"), parse_fault("PUT * 503 20%")]

    def fates(seed: int) -> list[object]:
        random = Random(seed)
        return [decide(faults, "PUT", "/x/", random) for _ in range(200)]

    assert fates(7) == fates(7)
    assert fates(7) != fates(8)


def test_chance_and_latency_have_the_given_values() -> None:
    random = Random(1)
    faults = [parse_fault("latency 400ms ±200"), parse_fault("drop 25%")]
    fates = [decide(faults, "GET", "/", random) for _ in range(4000)]
    assert 0.22 < sum(fate.lost is not None for fate in fates) / len(fates) < 0.28
    assert {fate.lost for fate in fates} == {None, Lost.REQUEST, Lost.ANSWER}
    assert all(0.2 <= fate.wait <= 0.6 for fate in fates)


@pytest.mark.parametrize("more", [{"host": "0.0.0.0"}, {"workers": 2}])  # noqa: S104 - refused is what is tested
def test_the_bench_needs_a_single_local_process(tmp_path: Path, more: dict[str, Any]) -> None:
    with pytest.raises(ServiceError, match="only on this computer"):
        run(ServiceSettings(tmp_path / "data", fault_injection=FaultSettings(), **more))
    assert not (tmp_path / "data").exists()


@pytest.fixture
async def bench_world(own_institute: World) -> AsyncIterator[tuple[World, FaultInjector, httpx.AsyncClient]]:
    own_institute.add_user("head", role="admin")
    bench = FaultInjector([], 7, own_institute.clock)
    transport = httpx.ASGITransport(
        install(own_institute.app, own_institute.app.routes, bench), raise_app_exceptions=False
    )
    async with httpx.AsyncClient(transport=transport, base_url="http://lms.test") as http:
        yield own_institute, bench, http


async def test_faults_change_while_it_runs_for_administrators_only(
    bench_world: tuple[World, FaultInjector, httpx.AsyncClient],
) -> None:
    world, _, http = bench_world
    asha, head = (Caller(http, world.caller(name).headers) for name in ("asha", "head"))
    await Caller(http).get("/bench/faults/", 401)
    await asha.get("/bench/faults/", 403)
    await asha.post("/bench/faults/", {"fault": "503"}, 403)
    assert (await head.get("/bench/faults/"))["faults"] == []
    await head.post("/bench/faults/", {"fault": "nonsense"}, 400)
    await head.post("/bench/faults/", {"fault": "GET */me/ 503"})
    refused = await asha.send("GET", "/api/v2.2/me/")
    assert (refused.status_code, refused.headers["retry-after"]) == (503, "1")
    await head.send("DELETE", "/bench/faults/")
    await asha.get("/api/v2.2/me/")


def test_a_fault_hits_the_same_share_of_students_every_time() -> None:
    bench = FaultInjector(["503 for 30% of students"], 7, FakeClock())
    hit = [{name for name in map(str, range(1000)) if bench.decide_effect("GET", "/", name).fails} for _ in range(2)]
    assert hit[0] == hit[1]
    assert 250 < len(hit[0]) < 350
    assert not bench.decide_effect("GET", "/").fails  # a request of nobody


def test_a_fault_lasts_as_long_as_it_says_after_it_was_added() -> None:
    clock = FakeClock()
    bench = FaultInjector([], 7, clock)
    clock.move(minutes=10)
    bench.add("503 from minute 3 for 20 s")
    failed = []
    for second in range(0, 300, 10):
        failed += [second] if bench.decide_effect("GET", "/").fails else []
        clock.move(seconds=10)
    assert failed == [180, 190]


async def test_a_student_is_known_by_the_token(
    bench_world: tuple[World, FaultInjector, httpx.AsyncClient],
) -> None:
    world, bench, http = bench_world
    names = [f"student{number}" for number in range(12)]
    for name in names:
        world.add_user(name)
    bench.add("GET */me/ 503 for 50% of students")
    callers = {name: Caller(http, world.caller(name).headers) for name in names}
    turns: list[dict[str, int]] = []
    for _ in range(2):
        replies = {name: await caller.send("GET", "/api/v2.2/me/") for name, caller in callers.items()}
        turns.append({name: reply.status_code for name, reply in replies.items()})
    assert set(turns[0].values()) == {200, 503}
    assert turns[0] == turns[1]


async def test_a_wrong_body_is_a_page_that_asks_to_sign_in(
    bench_world: tuple[World, FaultInjector, httpx.AsyncClient],
) -> None:
    world, bench, http = bench_world
    bench.add("GET */me/ wrong-body")
    reply = await Caller(http, world.caller("asha").headers).send("GET", "/api/v2.2/me/")
    assert (reply.status_code, reply.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert b"<form" in reply.content


async def test_a_slow_body_arrives_whole(bench_world: tuple[World, FaultInjector, httpx.AsyncClient]) -> None:
    world, bench, http = bench_world
    caller = Caller(http, world.caller("asha").headers)
    right = await caller.get("/api/v2.2/me/")
    bench.add("slow-body 20ms")
    assert await caller.get("/api/v2.2/me/") == right
    (_, hits), *_ = bench.report().faults
    assert hits == 1


async def test_a_skewed_clock_is_wrong_for_the_requests_of_its_fault_only(own_institute: World) -> None:
    bench = FaultInjector([], 7, own_institute.clock)
    app = create_app(own_institute.settings, own_institute.database, bench.clock)
    transport = httpx.ASGITransport(install(app, app.routes, bench), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://lms.test") as http:
        asha = Caller(http, own_institute.caller("asha").headers)
        slug = (await asha.get("/api/v2.2/exams/?state=available"))["results"][0]["slug"]
        bench.add("POST * clock-skew +1 min")
        attempt = await asha.post(f"/api/v2.2/exams/{slug}/attempts/", None)
        began = datetime.fromisoformat(attempt["date"])
    assert (began - own_institute.clock.now).total_seconds() == 60
    assert bench.clock() == own_institute.clock.now


def test_the_report_says_what_the_clients_did_after_a_fault() -> None:
    now = iter([10.0, 20.0, 20.5, 20.5, 24.5, 30.0])
    bench = FaultInjector(["PUT */questions/* 503"], 7, FakeClock(), lambda: next(now))
    bench.decide_effect("PUT", "/questions/1", "7")  # fails at 10 s, and never comes again
    bench.decide_effect("PUT", "/questions/2", "7")  # fails at 20 s
    bench.decide_effect("GET", "/questions/2", "7")
    bench.decide_effect("PUT", "/questions/2", "8")  # another student's, which fails at 20.5 s
    bench.clear()
    bench.decide_effect("PUT", "/questions/2", "7")  # after 0.5 s
    bench.decide_effect("PUT", "/questions/2", "8")  # after 4 s
    report = bench.report()
    assert (report.delays, report.failed) == ((0.5, 4.0), 1)
    assert "2 failed requests sent again after 0.5 to 4.0 s, usually 2.2 s, 1 never sent again" in report.sentences()


def test_the_command_lists_faults_with_their_hits_also_as_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fault = "GET */me/ 503 from minute 3 for 20 s"
    arguments = ["--data-dir", str(tmp_path), "--demo", "--fault", fault]
    process = subprocess.Popen(
        [sys.executable, "-m", "lms_tui", "serve", *arguments], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        server = ["--base-url", process.stdout.readline().split()[-1], "--password", "practice"]
        assert main(["fault", "list", *server]) == 0
        assert capsys.readouterr().out == f"{fault} (hit 0, not active now)\n"
        assert main(["fault", "list", "--json", *server]) == 0
        assert told(capsys.readouterr().out, "fault", "list") == {
            "faults": [fault],
            "rows": [{"fault": fault, "active": False, "hits": 0}],
        }
        assert main(["fault", "add", "nonsense", *server]) == 1
        assert main(["fault", "report", "--json", *server]) == 0
        assert told(capsys.readouterr().out, "fault", "report")["never_sent_again"] == 0
        assert main(["fault", "clear", *server]) == 0
        assert capsys.readouterr().out == "no faults\n"
    finally:
        process.kill()
        process.communicate()


async def test_service_without_a_bench_has_none(own_institute: World) -> None:
    own_institute.add_user("head", role="admin")
    await own_institute.caller("head").get("/bench/faults/", 404)


async def test_clock_goes_forward_only(bench_world: tuple[World, FaultInjector, httpx.AsyncClient]) -> None:
    world, bench, http = bench_world
    head = Caller(http, world.caller("head").headers)
    before = bench.clock()
    await head.post("/bench/clock/", {"advance": 600}, 200)
    assert (bench.clock() - before).total_seconds() == 600
    await head.post("/bench/clock/", {"advance": -1}, 400)
    for far in (1e12, 1e99):
        await head.post("/bench/clock/", {"advance": far}, 400)


async def test_the_report_counts_answers_and_saved_last_answers(
    bench_world: tuple[World, FaultInjector, httpx.AsyncClient],
) -> None:
    world, bench, http = bench_world
    world.add_exam(sums(title="Few"))
    asha = Caller(http, world.caller("asha").headers)
    attempt = await asha.create("few")
    questions = await asha.questions(attempt)
    for row in questions[:2]:
        await asha.answer(attempt, row["id"], row["question"]["answers"][0]["id"])
    bench.add("PUT */questions/* 503")
    row = questions[1]
    await asha.answer(attempt, row["id"], row["question"]["answers"][1]["id"], status=503)
    await asha.answer(attempt, row["id"], row["question"]["answers"][1]["id"], status=503)
    score = bench.report()
    assert (score.offered, score.questions, score.kept) == (3, 2, 1)
    bench.clear()
    await asha.answer(attempt, row["id"], row["question"]["answers"][1]["id"])
    assert bench.report().kept == 2


def test_a_cut_connection_is_counted_in_the_final_report(tmp_path: Path) -> None:
    file = tmp_path / "sums.gift"
    file.write_text(GIFT, "utf-8")
    arguments = ["--exam", str(file), "--data-dir", str(tmp_path), "--fault", "GET */me/ drop", "--seed", "7"]
    process = subprocess.Popen(
        [sys.executable, "-m", "lms_tui", "serve", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        base = process.stdout.readline().split()[-1]
        body = json.dumps({"username": "asha", "password": "practice"}).encode()
        request = urllib.request.Request(  # noqa: S310 - our own service
            f"{base}/api/v2.5/auth-token/", body, {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=PATIENCE) as response:  # noqa: S310 - our own service
            token = json.load(response)["token"]
        for _ in range(4):
            asked = urllib.request.Request(  # noqa: S310 - our own service
                f"{base}/api/v2.2/me/", headers={"Authorization": f"JWT {token}"}
            )
            with pytest.raises((urllib.error.URLError, http.client.RemoteDisconnected, ConnectionError)) as cut:
                urllib.request.urlopen(asked, timeout=PATIENCE)  # noqa: S310 - our own service
            assert not isinstance(cut.value, urllib.error.HTTPError)
        process.send_signal(signal.SIGTERM)
        told, complaints = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
        process.wait()
    assert complaints == ""
    assert "5 requests, 4 faults (GET */me/ drop: 4)" in told
    assert "0 answers to 0 questions" in told
    assert "ASGI" not in next(tmp_path.rglob("service.log")).read_text("utf-8")
