"""Sign-in when everybody comes at once, while strangers guess, and while the clock jumps."""

import asyncio
from collections.abc import Callable
from datetime import timedelta

import httpx
import pytest

from lms_tui.service.auth.guesses import ACCOUNT, ADDRESS, FAMILIAR, UNUSED_AFTER
from lms_tui.service.auth.known_devices import HEADER
from lms_tui.service.auth.throttle import delete_unused
from lms_tui.service.core.database import tables
from lms_tui.service.core.passwords import Passwords
from tests.service.service_world import PASSWORD, World

SIGN_IN = "/api/v2.5/auth-token/"
SCHOOL = "192.0.2.1"


async def try_from(
    world: World, address: str, username: str = "asha", password: str = PASSWORD, device: str | bytes = ""
) -> httpx.Response:
    transport = httpx.ASGITransport(world.app, raise_app_exceptions=False, client=(address, 1))
    async with httpx.AsyncClient(transport=transport, base_url="http://lms.test") as http:
        headers = {HEADER.encode(): device.encode() if isinstance(device, str) else device} if device else {}
        return await http.post(SIGN_IN, json={"username": username, "password": password}, headers=headers)


async def block(world: World, username: str = "asha") -> None:
    """Guess from changing addresses until the account is blocked for others."""
    for number in range(ACCOUNT.free + 1):
        assert (await try_from(world, f"198.51.100.{number}", username, "wrong")).status_code == 400
    assert (await try_from(world, "198.51.100.99", username)).status_code == 429


async def block_more(world: World, username: str) -> None:
    """Guess until the account is blocked, however many guesses that takes."""
    while (await try_from(world, "198.51.100.7", username, "wrong")).status_code != 429:
        pass


@pytest.mark.slow
async def test_two_hundred_students_of_one_school_sign_in_at_once(world: World) -> None:
    names = [f"student{number}" for number in range(200)]
    stored = Passwords().hash_public(PASSWORD)
    with world.database.write() as session:
        now = world.clock.now
        session.add_all(
            tables.User(username=name, password_hash=stored, tokens_valid_from=now, created=now, modified=now)
            for name in names
        )
    answers = await asyncio.gather(*(try_from(world, SCHOOL, name) for name in names))
    assert [answer.status_code for answer in answers] == [200] * len(names)


async def test_right_passwords_of_one_account_at_once_are_no_failures(world: World) -> None:
    answers = await asyncio.gather(*(try_from(world, SCHOOL) for _ in range(20)))
    assert [answer.status_code for answer in answers] == [200] * 20


async def test_a_known_address_is_not_blocked_by_guesses_from_others(world: World) -> None:
    assert (await try_from(world, SCHOOL)).status_code == 200
    await block(world)
    for _ in range(10):
        assert (await try_from(world, "198.51.100.7", password="wrong")).status_code in {400, 429}  # a guess
        assert (await try_from(world, SCHOOL)).status_code == 200
    assert (await try_from(world, "203.0.113.5")).status_code == 429


async def test_a_known_address_is_not_blocked_by_failures_of_its_other_users(world: World) -> None:
    assert (await try_from(world, SCHOOL)).status_code == 200
    await try_from(world, SCHOOL, "nobody", "wrong")
    with world.database.write() as session:
        session.get_one(tables.SignInLevel, ADDRESS.key(SCHOOL)).level = float(ADDRESS.free)
    assert (await try_from(world, SCHOOL, "nobody", "wrong")).status_code == 400
    assert (await try_from(world, SCHOOL, "ravi")).status_code == 429
    assert (await try_from(world, SCHOOL)).status_code == 200


async def test_a_known_device_signs_in_from_a_new_address_while_a_stranger_guesses(world: World) -> None:
    device = (await try_from(world, SCHOOL)).headers[HEADER]
    await block(world)
    for number in range(10):
        answer = await try_from(world, f"203.0.113.{number}", device=device)
        assert answer.status_code == 200
        assert answer.headers[HEADER] == device


@pytest.mark.parametrize(
    "forge",
    [
        lambda device: device[:-1] + ("A" if device[-1] != "A" else "B"),
        lambda device: device[:20],
        lambda _: "x" * 4000,
        lambda _: b"\xe4",
    ],
    ids=["signature", "short", "long", "not ASCII"],
)
async def test_a_forged_device_is_a_stranger(world: World, forge: Callable[[str], str | bytes]) -> None:
    device = (await try_from(world, SCHOOL)).headers[HEADER]
    await block(world)
    assert (await try_from(world, "203.0.113.5", device=forge(device))).status_code == 429


async def test_a_device_is_known_for_its_own_account_only(world: World) -> None:
    device = (await try_from(world, SCHOOL, "ravi")).headers[HEADER]
    await block(world)
    assert (await try_from(world, "203.0.113.5", device=device)).status_code == 429


async def test_guesses_from_a_known_device_and_address_are_slow_too(world: World) -> None:
    device = (await try_from(world, SCHOOL)).headers[HEADER]
    for known in ("", device):
        for _ in range(FAMILIAR.free + 1):
            assert (await try_from(world, SCHOOL, password="wrong", device=known)).status_code == 400  # a guess
        refused = await try_from(world, SCHOOL, device=known)
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "1")


async def test_a_known_person_who_signs_in_does_not_make_guessing_faster(world: World) -> None:
    assert (await try_from(world, SCHOOL)).status_code == 200
    await block(world)
    waits = []
    for number in range(5):
        assert (await try_from(world, SCHOOL)).status_code == 200
        refused = await try_from(world, f"203.0.113.{number}")
        waits.append(int(refused.headers["retry-after"]))
        world.clock.move(seconds=waits[-1])
        assert (await try_from(world, f"203.0.113.{number}", password="wrong")).status_code == 400  # a guess
    assert waits == [1, 2, 4, 8, 16]


async def test_simultaneous_guesses_give_no_more_answers_than_guesses_one_by_one(world: World) -> None:
    answers = await asyncio.gather(*(try_from(world, f"203.0.113.{n}", password=f"wrong{n}") for n in range(20)))
    assert sorted(answer.status_code for answer in answers) == [400] * (ACCOUNT.free + 1) + [429] * (19 - ACCOUNT.free)


@pytest.mark.parametrize("jump", [timedelta(days=-400), timedelta(hours=-1), timedelta(days=400)])
async def test_no_jump_of_the_clock_blocks_for_longer_than_the_longest_delay(world: World, jump: timedelta) -> None:
    await block(world, "asha")
    for move in (jump, -jump):
        world.clock.now += move
        for username in ("asha", "ravi"):
            waited = timedelta()
            while (answer := await try_from(world, "203.0.113.5", username, "wrong")).status_code == 429:
                wait = timedelta(seconds=int(answer.headers["retry-after"]))
                waited += wait
                world.clock.now += wait
            assert waited <= ACCOUNT.longest
            with world.database.read() as session:
                row = session.get_one(tables.SignInLevel, ACCOUNT.key(username))
            assert row.blocked_until <= world.clock.now + ACCOUNT.longest
        await block_more(world, "ravi")


async def test_a_known_address_outlives_the_failures_but_not_for_ever(world: World) -> None:
    assert (await try_from(world, SCHOOL)).status_code == 200
    delete_unused(world.database, world.clock.now + 2 * UNUSED_AFTER)
    await block(world)
    assert (await try_from(world, SCHOOL)).status_code == 200
    delete_unused(world.database, world.clock.now + FAMILIAR.kept + timedelta(seconds=1))
    await block(world)
    assert (await try_from(world, SCHOOL)).status_code == 429
