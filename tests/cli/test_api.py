"""`lms-tui api`: the files that describe the API, and single requests."""

import contextlib
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import jsonschema_rs  # comes with schemathesis
import pytest
from schemathesis.specs.openapi.definitions import OPENAPI_31_VALIDATOR

from lms_tui.cli import main
from lms_tui.common.settings import Profile, find_paths
from lms_tui.qa.api_files import to_openapi, to_postman
from lms_tui.runtime.profiles import ProfileList
from lms_tui.runtime.secrets import FileTokens
from tests.cli.postman_schema import COLLECTION
from tests.service.document_rows import ROWS
from tests.walk.other_server import serve

BASE = "http://127.0.0.1:8000"
SIGN_IN = "POST /api/v2.5/auth-token"


def bare(method: str, path: str) -> str:
    """The name of an endpoint without the names of its parameters and its last slash."""
    return f"{method.upper()} {re.sub(r'[{:][a-z_]+}?', '{}', path).rstrip('/')}"


def printed(*arguments: str) -> Any:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert main(["api", *arguments]) == 0
    return json.loads(out.getvalue())


@pytest.fixture(scope="module")
def schema() -> Any:
    """Everything that the service of this program has. It takes seconds to make."""
    return printed("openapi", "--extensions")


def endpoints(document: Any) -> list[str]:
    return [bare(method, path) for path, methods in document["paths"].items() for method in methods]


def requests(folder: Any) -> Iterator[Any]:
    for inner in folder["item"]:
        if "item" in inner:
            yield from requests(inner)
        else:
            yield inner["request"]


def path_of(request: Any) -> str:
    return f"/{'/'.join(request['url']['path'])}"


def test_openapi_is_valid_and_has_the_endpoints_of_the_api_document_only(schema: Any) -> None:
    document = to_openapi(schema, "https://lms.test")
    for whole in (schema, document):
        OPENAPI_31_VALIDATOR.validate(whole)
    assert sorted(endpoints(document)) == sorted({SIGN_IN, *(bare(row.method, row.path) for row in ROWS)})
    assert document["servers"] == [{"url": "https://lms.test"}]
    assert set(endpoints(document)) < set(endpoints(schema))


@pytest.mark.parametrize("extensions", [False, True])
def test_openapi_has_each_schema_that_it_refers_to_and_no_other(schema: Any, extensions: bool) -> None:
    document = to_openapi(schema, BASE, extensions=extensions)
    named = set(re.findall(r"#/components/schemas/(\w+)", json.dumps(document)))
    assert named == document["components"]["schemas"].keys()


@pytest.mark.parametrize("extensions", [False, True])
def test_the_collection_is_valid_and_has_a_request_for_each_endpoint(schema: Any, extensions: bool) -> None:
    collection = to_postman(schema, BASE, extensions=extensions)
    jsonschema_rs.validate(COLLECTION, collection)
    found = [bare(request["method"], path_of(request)) for request in requests(collection)]
    assert sorted(found) == sorted(endpoints(to_openapi(schema, BASE, extensions=extensions)))
    for request in requests(collection):
        names = re.findall(r":(\w+)", path_of(request))
        assert [variable["key"] for variable in request["url"]["variable"]] == names
        assert request["url"]["raw"] == f"{{{{baseUrl}}}}{path_of(request)}"
        json.loads(request.get("body", {}).get("raw", "{}"))


def test_the_collection_of_the_command_signs_in_and_asks_for_the_user(other: str) -> None:
    collection = printed("postman", "--base-url", other)
    jsonschema_rs.validate(COLLECTION, collection)
    variables = {one["key"]: one["value"] for one in collection["variable"]}
    assert variables == {"baseUrl": other, "username": "", "password": "", "token": ""}
    variables |= {"username": "meena", "password": "open sesame"}
    asked = list(requests(collection))
    me = next(request for request in asked if path_of(request) == "/api/v2.2/me/")
    script = collection["item"][0]["item"][0]["event"][0]["script"]["exec"]
    assert script == ['pm.collectionVariables.set("token", pm.response.json().token);']
    variables["token"] = as_postman(asked[0], variables, {})["token"]
    authorisation = {one["key"]: one["value"] for one in collection["auth"]["apikey"]}
    assert as_postman(me, variables, {authorisation["key"]: authorisation["value"]})["username"] == "meena"


def as_postman(request: Any, variables: dict[str, str], headers: dict[str, str]) -> Any:
    """Send a request of a collection, with its variables replaced."""

    def filled(text: str) -> str:
        return re.sub(r"\{\{(\w+)\}\}", lambda found: variables[found[1]], text)

    headers = {name: filled(value) for name, value in headers.items()}
    headers |= {one["key"]: one["value"] for one in request["header"]}
    body = filled(request["body"]["raw"]) if "body" in request else None
    address = filled("".join(request["url"]["host"])) + path_of(request)
    return httpx.request(request["method"], address, headers=headers, content=body).json()


@pytest.fixture
def other() -> Iterator[str]:
    """The address of a server on another stack."""
    with serve() as (address, _):
        yield address


USER = ("--user", "meena", "--password", "open sesame")


def test_a_request_prints_its_reply_without_secrets(other: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["api", "try", "get", "/api/v2.2/me/", "--base-url", other, *USER]) == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out)["username"] == "meena"
    assert shown.err.startswith("GET /api/v2.2/me/ → 200 OK\n")
    credentials = '{"username": "meena", "password": "open sesame"}'
    given = ["POST", "/api/v2.5/auth-token/", "--data", credentials]
    assert main(["api", "try", *given, "--base-url", other, *USER]) == 0
    assert json.loads(capsys.readouterr().out) == {"token": "…"}


def test_a_refused_request_exits_with_1_and_prints_the_refusal(other: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["api", "try", "GET", "/api/v2.2/attempts/999/", "--base-url", other, *USER]) == 1
    shown = capsys.readouterr()
    assert "→ 404 Not Found" in shown.err
    assert json.loads(shown.out).keys() == {"detail"}


def test_a_saved_sign_in_is_used_without_a_password(
    other: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    token = httpx.post(f"{other}/api/v2.5/auth-token/", json={"username": "meena", "password": "open sesame"}).json()
    paths, profile = find_paths(tmp_path), Profile("meena there", other, "meena")
    ProfileList(paths.profiles).remember(profile)
    line = ["api", "try", "GET", "/api/v2.2/me/", "--profile", "meena", "--data-dir", str(tmp_path)]
    assert main(line) == 2
    assert "meena there is not signed in." in capsys.readouterr().err
    FileTokens(paths.secrets).keep(profile, token["token"])
    assert main(line) == 0
    assert json.loads(capsys.readouterr().out)["username"] == "meena"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["GE T", "/api/v2.2/me/"], "“GE T” is not a method."),
        (["GET", "https://evil.test/api/"], "is not a path of the API."),
        (["PUT", "/api/v2.2/me/", "--data", "[5]"], "--data is not a JSON object."),
        (["PUT", "/api/v2.2/me/", "--data", "{"], "--data is not a JSON object."),
        (["GET", "/api/v2.2/me/", "--user", "asha"], "--user is given without a server."),
        (["GET", "/api/v2.2/me/", "--base-url", BASE, "--profile", "1"], "A profile and a server are given."),
        (["GET", "/api/v2.2/me/", "--base-url", "http://127.0.0.1:1", *USER], "cannot be reached"),
    ],
)
def test_a_request_that_cannot_be_sent_exits_with_2(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["api", "try", *arguments]) == 2
    assert words in capsys.readouterr().err
