"""Signing in, and every kind of invalid token."""

import base64
import json
from typing import Any

import jwt
import pytest
from sqlalchemy import delete, update

from lms_tui.service.core.database import tables
from tests.service.service_world import PASSWORD, Caller, World

WRONG = {"non_field_errors": ["Wrong user name or password."]}


@pytest.mark.parametrize("version", ["v2.2", "v2.3", "v2.5"])
@pytest.mark.parametrize("slash", ["", "/"])
async def test_signing_in_gives_a_token_that_works(world: World, version: str, slash: str) -> None:
    body: Any = {"username": "asha", "password": PASSWORD}
    signed = await world.stranger.post(f"/api/{version}/auth-token{slash}", body, status=200)
    assert set(signed) == {"token"}
    me = await Caller(world.http, {"Authorization": f"JWT {signed['token']}"}).get("/api/v2.2/me/")
    assert me["username"] == "asha"
    claims = jwt.decode(signed["token"], options={"verify_signature": False})
    assert set(claims) == {"sub", "user_id", "username", "email", "iat", "exp"}
    assert (claims["sub"], claims["user_id"], claims["username"]) == (str(me["id"]), me["id"], "asha")


@pytest.mark.parametrize(
    ("username", "password"),
    [
        ("asha", "wrong"),
        ("nobody", PASSWORD),
        ("asha", "x" * 5000),
        ("asha", "é" * 3000),
        ("as\0ha", PASSWORD),
        ("asha", f"{PASSWORD}\0"),
    ],
)
async def test_all_wrong_credentials_get_the_same_error(world: World, username: str, password: str) -> None:
    body: Any = {"username": username, "password": password}
    assert await world.stranger.post("/api/v2.5/auth-token/", body, status=400) == WRONG


async def test_blocked_users_get_the_same_error(world: World) -> None:
    world.add_user("closed", is_active=False)
    with world.database.write() as session:
        session.execute(update(tables.User).where(tables.User.username == "ravi").values(password_hash=None))
    for username in ("closed", "ravi"):
        body = {"username": username, "password": PASSWORD}
        assert await world.stranger.post("/api/v2.5/auth-token/", body, status=400) == WRONG


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({}, {"username", "password"}),
        ({"username": "asha"}, {"password"}),
        ({"username": "asha", "password": ["s3cret-canary"]}, {"password"}),
        ({"username": {"a": "s3cret-canary"}, "password": "x"}, {"username"}),
        ({"username": "", "password": ""}, {"username", "password"}),
        (["s3cret-canary"], {"non_field_errors"}),
    ],
)
async def test_an_invalid_sign_in_names_its_fields_and_repeats_no_value(
    world: World, body: Any, fields: set[str]
) -> None:
    response = await world.stranger.send("POST", "/api/v2.5/auth-token/", json=body)
    assert response.status_code == 400
    assert set(response.json()) == fields
    assert "canary" not in response.text


def claims_of(world: World) -> dict[str, Any]:
    return dict(jwt.decode(world.token("asha"), options={"verify_signature": False}))


def part(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).rstrip(b"=").decode()


def by_hand(world: World, header: Any, payload: Any, algorithm: str = "HS256") -> str:
    """Sign any bytes with the real key, as no library would."""
    content = f"{part(header)}.{part(payload)}"
    signature = jwt.get_algorithm_by_name(algorithm).sign(content.encode(), world.settings.key_file.read_bytes())
    return f"{content}.{base64.urlsafe_b64encode(signature).rstrip(b'=').decode()}"


def negative_tokens(world: World) -> dict[str, str]:
    good = world.token("asha")
    head, body, signature = good.split(".")
    claims = claims_of(world)
    now = claims["iat"]
    hs256 = {"alg": "HS256", "typ": "JWT"}
    twice = json.dumps(claims)[:-1] + f', "user_id": {claims["user_id"]}' + "}"
    tokens = {f"alg {name}": f"{part({'alg': name, 'typ': 'JWT'})}.{body}." for name in ("none", "None", "nOnE")}
    tokens |= {
        "HS384": by_hand(world, {"alg": "HS384", "typ": "JWT"}, claims, "HS384"),
        "HS512": by_hand(world, {"alg": "HS512", "typ": "JWT"}, claims, "HS512"),
        "RS256 named over an HMAC": by_hand(world, {"alg": "RS256", "typ": "JWT"}, claims),
        "signature empty": f"{head}.{body}.",
        "signature cut": f"{head}.{body}.{signature[:-4]}",
        "signature changed": f"{head}.{body}.{signature[:-2]}{'AA' if signature[-2:] != 'AA' else 'BB'}",
        "one dot more": f"{good}.",
        "two parts": f"{head}.{body}",
        "exp a string": signed_raw(world, claims | {"exp": str(claims["exp"])}),
        "exp a fraction": signed_raw(world, claims | {"exp": claims["exp"] + 0.5}),
        "exp true": signed_raw(world, claims | {"exp": True}),
        "exp negative": signed_raw(world, claims | {"exp": -1}),
        "exp far away": signed_raw(world, claims | {"exp": 10**30}),
        "exp missing": signed_raw(world, without(claims, "exp")),
        "nbf in the future": signed_raw(world, claims | {"nbf": now + 9999}),
        "iat in the future": signed_raw(world, claims | {"iat": now + 9999, "exp": now + 99999}),
        "iat missing": signed_raw(world, without(claims, "iat")),
        "iat negative": signed_raw(world, claims | {"iat": -(10**30)}),
        "sub missing": signed_raw(world, without(claims, "sub")),
        "sub of another": signed_raw(world, claims | {"sub": "2"}),
        "user that never was": signed_raw(world, claims | {"sub": "999", "user_id": 999}),
        "user_id beyond a column": signed_raw(world, claims | {"sub": str(10**30), "user_id": 10**30}),
        "kid": by_hand(world, hs256 | {"kid": "../../dev/null"}, claims),
        "jku": by_hand(world, hs256 | {"jku": "http://evil.test/keys"}, claims),
        "crit": by_hand(world, hs256 | {"crit": ["exp"]}, claims),
        "claims twice": by_hand(world, hs256, twice),
        "white space in the claims": by_hand(world, hs256, json.dumps(claims)),
        "header nested beyond recursion": f"{part('[' * 2000)}.{body}.{signature}",
        "payload nested beyond recursion": by_hand(world, hs256, "[" * 2000),
        "signature with loose bits": f"{good[:-1]}{_same_bits(good[-1])}",
        "signature padded": f"{good}=",
        "payload a list": by_hand(world, hs256, [claims]),
        "payload no JSON": by_hand(world, hs256, "{"),
        "a megabyte": by_hand(world, hs256, claims | {"email": "x" * 1_000_000}),
        "white space inside": f"{head}. {body}.{signature}",
        "another key": jwt.encode(claims, b"k" * 32, algorithm="HS256"),
        "another audience": signed_raw(world, claims | {"aud": "elsewhere"}),
        "another issuer": signed_raw(world, claims | {"iss": "elsewhere"}),
        "empty": "",
        "words": "let me in",
    }
    return tokens


def _same_bits(last: str) -> str:
    """Return another last character that decodes to the same 32 bytes: its two lowest bits are dropped."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    return alphabet[alphabet.index(last) ^ 1]


def signed_raw(world: World, claims: Any) -> str:
    return by_hand(world, {"alg": "HS256", "typ": "JWT"}, claims)


def without(claims: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in claims.items() if key != name}


async def test_a_token_signed_by_hand_as_the_service_does_is_accepted(world: World) -> None:
    token = signed_raw(world, claims_of(world))
    await Caller(world.http, {"Authorization": f"JWT {token}"}).get("/api/v2.2/me/")


async def test_every_token_of_another_issuer_is_refused(world: World) -> None:
    for name, token in negative_tokens(world).items():
        response = await world.stranger.send("GET", "/api/v2.2/me/", headers={"Authorization": f"JWT {token}"})
        assert response.status_code == 401, name
        assert set(response.json()) == {"detail"}, name
        assert response.headers["www-authenticate"] == "JWT", name


async def test_only_a_single_header_with_the_correct_scheme_is_accepted(world: World) -> None:
    token = world.token("asha")

    async def status(*headers: tuple[str, str]) -> int:
        return (await world.http.get("/api/v2.2/me/", headers=list(headers))).status_code

    assert await status(("authorization", f"JWT {token}")) == 200
    assert await status(("AUTHORIZATION", f"jwt {token}")) == 200
    assert await status() == 401
    assert await status(("Authorization", f"Bearer {token}")) == 401
    assert await status(("Authorization", token)) == 401
    assert await status(("Authorization", f"JWT  {token}")) == 401
    assert await status(("Authorization", f"JWT {token}"), ("Authorization", f"JWT {token}")) == 401
    assert (await world.http.get("/api/v2.2/me/", params={"token": token})).status_code == 401
    dots = token.replace(".", "\u2024").encode()
    assert (await world.http.get("/api/v2.2/me/", headers={b"Authorization": b"JWT " + dots})).status_code == 401


async def test_a_token_expires(world: World, asha: Caller) -> None:
    world.clock.move(days=30, seconds=-1)
    await asha.get("/api/v2.2/me/")
    world.clock.move(seconds=1)
    await asha.get("/api/v2.2/me/", 401)


async def test_tokens_from_before_a_revocation_are_refused(world: World, asha: Caller) -> None:
    world.clock.move(seconds=0.5)
    with world.database.write() as session:
        session.execute(update(tables.User).values(tokens_valid_from=world.clock.now))
    await asha.get("/api/v2.2/me/", 401)
    await world.caller("asha").get("/api/v2.2/me/")


@pytest.mark.parametrize("early", [0.0, 0.3, 0.999])
@pytest.mark.parametrize("late", [0.0, 0.0001, 0.3])
async def test_a_new_password_revokes_the_tokens_of_the_same_second_too(
    world: World, early: float, late: float
) -> None:
    """A new account's token is issued in the second after, and nothing that was issued may reach beyond the change."""
    world.add_user("head", role="admin")
    world.clock.move(seconds=early)
    admin = world.caller("head")
    new = await admin.post("/api/v2.5/admin/users/", {"username": "mira", "password": PASSWORD, "email": "m@x.test"})
    mira = world.caller("mira")
    await mira.get("/api/v2.2/me/")
    world.clock.move(seconds=late)
    await admin.put(f"/api/v2.5/admin/users/{new['id']}", {"password": "another-password"})
    await mira.get("/api/v2.2/me/", 401)
    world.clock.move(seconds=5)
    await mira.get("/api/v2.2/me/", 401)
    await world.caller("mira").get("/api/v2.2/me/")


async def test_tokens_of_deleted_and_blocked_users_are_refused(world: World, asha: Caller, ravi: Caller) -> None:
    with world.database.write() as session:
        session.execute(delete(tables.User).where(tables.User.username == "asha"))
        session.execute(update(tables.User).where(tables.User.username == "ravi").values(is_active=False))
    await asha.get("/api/v2.2/me/", 401)
    await ravi.get("/api/v2.2/me/", 401)
    world.clock.move(seconds=5)
    assert world.add_user("asha") == 3
    await asha.get("/api/v2.2/me/", 401)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api/v2.2/me/"),
        ("GET", "/api/v2.5/me/stats/"),
        ("GET", "/api/v2.2/exams/"),
        ("GET", "/api/v2.2/exams/history/"),
        ("GET", "/api/v2.2/exams/sums"),
        ("POST", "/api/v2.2/exams/sums/attempts/"),
        ("GET", "/api/v2.2/attempts/"),
        ("GET", "/api/v2.2/attempts/1"),
        ("PUT", "/api/v2.2/attempts/1/end/"),
        ("PUT", "/api/v2.2/attempts/1/questions/1"),
        ("GET", "/api/v2.2/attempts/1/review/"),
    ],
)
async def test_requests_without_a_token_are_refused(world: World, method: str, path: str) -> None:
    body: Any = {"selected_answers": []} if "questions" in path else None
    assert (await world.stranger.send(method, path, json=body)).status_code == 401


async def test_passwords_are_hashed_with_the_agreed_parameters(world: World) -> None:
    assert world_hash(world).startswith("$argon2id$v=19$m=19456,t=2,p=1$")


async def test_an_unknown_user_takes_a_hash_comparison_too(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[str | None] = []
    passwords = world.app.service.passwords
    verify = passwords.verify

    def watched(stored: str | None, password: str) -> bool:
        compared.append(stored)
        return bool(verify(stored, password))

    monkeypatch.setattr(passwords, "verify", watched)
    await world.stranger.post("/api/v2.5/auth-token/", {"username": "nobody", "password": "x"}, status=400)
    assert compared == [None]
    assert not passwords.verify(None, "")
    assert passwords._hasher.check_needs_rehash(world_hash(world)) is False


def world_hash(world: World) -> str:
    return str(world.app.service.passwords.hash("x" * 4096))


def test_a_password_beyond_the_limit_is_never_hashed(world: World) -> None:
    with pytest.raises(ValueError, match="too long"):
        world.app.service.passwords.hash("x" * 4097)
