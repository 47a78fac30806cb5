"""Public keys of users, and the sign-in of the SSH host with them."""

import time

import pytest
from sqlalchemy import update

from lms_tui.service.core.database import tables
from lms_tui.service.core.ssh_proof import SSH_SIGN_IN, proof_of
from tests.service.authorisation import SSH_KEY
from tests.service.service_world import Caller, World

PATH = "/api/v2.5/me/ssh-keys/"


def _asked(world: World, username: str, fingerprint: str, at: int = 0) -> dict[str, object]:
    at = at or int(time.time())
    proof = proof_of(world.app.service.signer, username, fingerprint, at)
    return {"username": username, "fingerprint": fingerprint, "at": at, "proof": proof}


async def test_a_key_is_added_once_listed_and_removed(asha: Caller, ravi: Caller) -> None:
    added = await asha.post(PATH, {"key": SSH_KEY})
    assert added["fingerprint"] == "SHA256:+DiY3wvvV6TuJJhbpZisF/zLDA0zPMSvHdkr4UvCOqU"
    assert added["name"] == "laptop"
    assert await asha.post(PATH, {"key": SSH_KEY}) == added
    assert await asha.get(PATH) == {"keys": [added]}
    assert await ravi.get(PATH) == {"keys": []}
    query = {"fingerprint": added["fingerprint"]}
    assert (await ravi.send("DELETE", PATH, params=query)).status_code == 404
    assert (await asha.send("DELETE", PATH, params=query)).status_code == 204
    assert await asha.get(PATH) == {"keys": []}


@pytest.mark.parametrize(
    "line",
    [
        "",
        "x",
        "ssh-ed25519",
        "ssh-ed25519 AAAA",
        "ssh-ed25519 é",
        SSH_KEY.replace("ed25519", "rsa", 1),
        "a b\0",
        1,
        None,
    ],
)
async def test_what_is_no_key_is_refused(asha: Caller, line: object) -> None:
    assert "key" in await asha.post(PATH, {"key": line}, 400)


async def test_the_ssh_host_gets_a_token_for_the_owner_alone(world: World, asha: Caller) -> None:
    added = await asha.post(PATH, {"key": SSH_KEY})
    token = (await asha.post(SSH_SIGN_IN, _asked(world, "Asha", added["fingerprint"]), 200))["token"]
    me = await Caller(world.http, {"Authorization": f"JWT {token}"}).get("/api/v2.2/me/")
    assert me["username"] == "asha"
    for username, fingerprint in (("ravi", added["fingerprint"]), ("asha", "SHA256:other"), ("nobody", "SHA256:other")):
        await asha.post(SSH_SIGN_IN, _asked(world, username, fingerprint), 400)


async def test_without_a_fresh_proof_a_key_signs_nobody_in(world: World, asha: Caller) -> None:
    fingerprint = (await asha.post(PATH, {"key": SSH_KEY}))["fingerprint"]
    good = _asked(world, "asha", fingerprint)
    for changed in ({"proof": "x"}, {"proof": "\u00e9"}, {"username": "asha "}, {"at": int(time.time()) - 30}):
        await asha.post(SSH_SIGN_IN, good | changed, 400)
    await asha.post(SSH_SIGN_IN, _asked(world, "asha", fingerprint, int(time.time()) - 3600), 400)


async def test_a_blocked_user_does_not_sign_in_with_a_key(world: World, asha: Caller) -> None:
    fingerprint = (await asha.post(PATH, {"key": SSH_KEY}))["fingerprint"]
    with world.database.write() as session:
        session.execute(update(tables.User).where(tables.User.username == "asha").values(is_active=False))
    await asha.post(SSH_SIGN_IN, _asked(world, "asha", fingerprint), 400)


async def test_a_user_has_at_most_twenty_keys(world: World, asha: Caller) -> None:
    asha_id = (await asha.get("/api/v2.2/me/"))["id"]
    with world.database.write() as session:
        session.add_all(
            tables.SshKey(user_id=asha_id, fingerprint=f"SHA256:{n}", name="", created=world.clock.now)
            for n in range(20)
        )
    assert "20 keys" in str(await asha.post(PATH, {"key": SSH_KEY}, 400))
