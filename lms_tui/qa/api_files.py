"""The API as an OpenAPI file, and as a Postman collection, which Bruno and Insomnia import too (pure)."""

import json
import re
from collections.abc import Iterator
from itertools import groupby
from typing import Any, Final

Tree = dict[str, Any]
Operation = tuple[str, str, Tree]
"""A path, a method and its operation."""

_PARAMETER: Final = re.compile(r"\{(\w+)\}")
_REFERENCE: Final = re.compile(r'"#/components/schemas/(\w+)"')
_SIGN_IN: Final = "/api/v2.5/auth-token"
_DOCUMENT: Final = {
    "/api/v2.2/admin/mentors": "GET POST",
    "/api/v2.2/admin/posts": "GET POST",
    "/api/v2.2/admin/posts/{}": "PUT DELETE",
    "/api/v2.2/admin/users": "GET",
    "/api/v2.2/admin/users/{}": "DELETE",
    "/api/v2.2/attempts": "GET",
    "/api/v2.2/attempts/{}": "GET",
    "/api/v2.2/attempts/{}/end": "PUT",
    "/api/v2.2/attempts/{}/heartbeat": "PUT",
    "/api/v2.2/attempts/{}/questions": "GET",
    "/api/v2.2/attempts/{}/questions/{}": "PUT",
    "/api/v2.2/attempts/{}/review": "GET",
    "/api/v2.2/attempts/{}/review/subjects": "GET",
    "/api/v2.2/attempts/{}/start": "PUT",
    "/api/v2.2/exams/{}/attempts": "GET POST",
    "/api/v2.2/me": "GET",
    "/api/v2.2/posts/{}": "GET",
    "/api/v2.2/users/{}": "GET PUT",
    "/api/v2.3/admin/mentors": "GET",
    "/api/v2.3/admin/mentors/{}/students": "GET POST DELETE",
    "/api/v2.4/contents/{}": "GET",
    "/api/v2.5/admin/batches": "GET POST",
    "/api/v2.5/admin/batches/{}": "GET",
    "/api/v2.5/admin/mentors": "POST",
    "/api/v2.5/admin/users": "POST",
    "/api/v2.5/admin/users/{}": "GET PUT",
    "/api/v2.5/admin/videos/{}/access-tokens": "POST",
    "/api/v2.5/me/stats": "GET",
    "/api/v3/courses/{}/contents": "GET",
    _SIGN_IN: "POST",
}
"""The endpoints of the API document with their methods, and the one that issues tokens."""


def to_openapi(schema: Tree, base_url: str, *, extensions: bool = False) -> Tree:
    """Return the OpenAPI document of a server: the API document's part of a schema, or with `extensions` all of it."""
    paths: dict[str, Tree] = {}
    for path, method, operation in _operations(schema, extensions=extensions):
        paths.setdefault(path, {})[method] = operation
    schemas = schema["components"]["schemas"]
    used = _used(paths, schemas)
    components = schema["components"] | {"schemas": {name: schemas[name] for name in schemas if name in used}}
    return schema | {"servers": [{"url": base_url}], "paths": paths, "components": components}


def to_postman(schema: Tree, base_url: str, *, extensions: bool = False) -> Tree:
    """Return a collection (v2.1.0) with a folder for each area. Its first request signs in and keeps the token."""
    operations = sorted(_operations(schema, extensions=extensions), key=lambda one: _area(one[0]))
    folders = [
        {"name": area, "item": [_request(*operation, schema) for operation in grouped]}
        for area, grouped in groupby(operations, key=lambda one: _area(one[0]))
    ]
    folders.sort(key=lambda folder: folder["name"] != _area(_SIGN_IN))
    variables = {"baseUrl": base_url, "username": "", "password": "", "token": ""}
    return {
        "info": {
            "name": schema["info"]["title"],
            "description": "Set username and password, and send the request that signs in first.",
            "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
        },
        "auth": {
            "type": "apikey",
            "apikey": [
                {"key": "key", "value": "Authorization", "type": "string"},
                {"key": "value", "value": "JWT {{token}}", "type": "string"},
                {"key": "in", "value": "header", "type": "string"},
            ],
        },
        "variable": [{"key": key, "value": value, "type": "string"} for key, value in variables.items()],
        "item": folders,
    }


def _operations(schema: Tree, *, extensions: bool) -> Iterator[Operation]:
    """Yield each operation once. A path with and without its last slash is one path."""
    seen: set[tuple[str, str]] = set()
    for path, methods in schema["paths"].items():
        bare = _PARAMETER.sub("{}", path.rstrip("/"))
        for method, operation in methods.items():
            wanted = extensions or method.upper() in _DOCUMENT.get(bare, "").split()
            if wanted and (bare, method) not in seen:
                seen.add((bare, method))
                yield path, method, operation


def _used(paths: Tree, schemas: Tree) -> set[str]:
    """Return the names of the schemas that the paths refer to, directly or through another schema."""
    used: set[str] = set()
    found = set(_REFERENCE.findall(json.dumps(paths)))
    while found:
        used |= found
        found = {inner for name in found for inner in _REFERENCE.findall(json.dumps(schemas[name]))} - used
    return used


def _area(path: str) -> str:
    """Return the word of a path that names its area, such as `attempts`, or `admin posts`."""
    words = [word for word in path.split("/")[3:] if word and not word.startswith("{")]
    return " ".join(words[: 2 if words[:1] == ["admin"] else 1]) or path.split("/")[1]


def _request(path: str, method: str, operation: Tree, schema: Tree) -> Tree:
    signs_in = path.rstrip("/") == _SIGN_IN
    request: Tree = {
        "method": method.upper(),
        "header": [],
        "url": _url(path, operation),
        "description": operation.get("description", ""),
    }
    if not operation["security"]:
        request["auth"] = {"type": "noauth"}
    content = operation.get("requestBody", {}).get("content", {})
    if "application/json" in content:
        sample: Any = {"username": "{{username}}", "password": "{{password}}"}
        if not signs_in:
            sample = _sample(content["application/json"]["schema"], schema)
        request["header"] = [{"key": "Content-Type", "value": "application/json"}]
        request["body"] = {"mode": "raw", "raw": json.dumps(sample, indent=2)}
    item: Tree = {"name": operation["summary"], "request": request, "response": []}
    if signs_in:
        lines = ['pm.collectionVariables.set("token", pm.response.json().token);']
        item["event"] = [{"listen": "test", "script": {"type": "text/javascript", "exec": lines}}]
    return item


def _url(path: str, operation: Tree) -> Tree:
    written = _PARAMETER.sub(r":\1", path)
    parameters = operation.get("parameters", ())
    return {
        "raw": f"{{{{baseUrl}}}}{written}",
        "host": ["{{baseUrl}}"],
        "path": written.removeprefix("/").split("/"),
        "variable": [{"key": name, "value": ""} for name in _PARAMETER.findall(path)],
        "query": [
            {"key": one["name"], "value": "", "disabled": True, "description": one.get("description", "")}
            for one in parameters
            if one["in"] == "query"
        ],
    }


def _sample(shape: Tree, schema: Tree) -> Any:
    """Return a value of a shape. A part that may be null is null."""
    match shape:
        case {"$ref": str(name)}:
            return _sample(schema["components"]["schemas"][name.rpartition("/")[2]], schema)
        case {"anyOf": [*shapes]}:
            return None if {"type": "null"} in shapes else _sample(shapes[0], schema)
        case {"default": value} | {"const": value} | {"enum": [value, *_]}:
            return value
        case {"properties": dict(properties)}:
            return {name: _sample(inner, schema) for name, inner in properties.items()}
        case {"type": str(kind)}:
            return {"string": "", "array": [], "object": {}, "boolean": False, "null": None}.get(kind, 0)
        case _:
            return None
