"""The fault switch: how faults are written, what they do, who may change them, and the score in the end."""

import http.client
import json
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from lms_tui.service.core.settings import FaultSettings, ServiceSettings
from lms_tui.service.faults.fault_injector import FaultInjector
from lms_tui.service.faults.faults import Fault, FaultError, Lost, decide, parse_fault
from lms_tui.service.faults.routes import install
from lms_tui.service.server.process import ServiceError, run
from tests.service.service_world import Caller, World, sums

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
    transport = httpx.ASGITransport(install(own_institute.app, bench), raise_app_exceptions=False)
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
    await head.post("/bench/clock/", {"advance": 1e12}, 400)


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
        with urllib.request.urlopen(request, timeout=30) as response:  # noqa: S310 - our own service
            token = json.load(response)["token"]
        for _ in range(4):
            asked = urllib.request.Request(  # noqa: S310 - our own service
                f"{base}/api/v2.2/me/", headers={"Authorization": f"JWT {token}"}
            )
            with pytest.raises((urllib.error.URLError, http.client.RemoteDisconnected, ConnectionError)) as cut:
                urllib.request.urlopen(asked, timeout=30)  # noqa: S310 - our own service
            assert not isinstance(cut.value, urllib.error.HTTPError)
        process.send_signal(signal.SIGTERM)
        told, complaints = process.communicate(timeout=30)
    finally:
        process.kill()
        process.wait()
    assert complaints == ""
    assert "5 requests, 4 faults (GET */me/ drop: 4)" in told
    assert "0 answers to 0 questions" in told
    assert "ASGI" not in next(tmp_path.rglob("service.log")).read_text("utf-8")
