"""Make `docs/api.md` from the OpenAPI document of the service."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from lms_tui.reference.tables import MADE, cell, table

Tree = Mapping[str, Any]
_HEAD: Final = f"""# The API in JSON

{MADE}

These are the requests that the service of this program answers, and the objects in their bodies. `lms-tui api openapi`
writes the same for generators and editors, `lms-tui api postman` for Postman, Bruno and Insomnia, and
`lms-tui api try GET /api/v2.2/me/` sends one. A ✚ marks what the service has beyond the API document.
Other servers may not have it.

A list has the fields `count`, `next`, `previous`, `per_page` and `results`. A time is `2026-01-31T09:30:00Z`, and a
duration `0:40:00`. Marks are texts such as `"4.00"`. An error has a sentence in `detail`,
or a list of sentences for each field.

## Requests
"""
_FORMS: Final = {"date-time": "time", "date": "date", "duration": "duration", "binary": "file"}
_PARTS: Final = {
    "string": "text",
    "boolean": "`true`, `false`",
    "number": "number",
    "integer": "whole number",
    "object": "object",
    "null": "`null`",
}


def page(document: Tree, extended: Tree) -> str:
    """`document`: what the API document has. `extended`: that and what the service has beyond it."""
    schemas = extended["components"]["schemas"]
    rows = [_request(method, path, operation, document) for path, method, operation in _operations(extended)]
    heads = ("request", "body", "reply")
    return "\n".join([_HEAD, table(heads, rows), "## Objects\n", *objects_of(schemas)]).rstrip("\n") + "\n"


def _operations(document: Tree) -> list[tuple[str, str, Tree]]:
    return sorted(
        (path, method, each) for path, methods in document["paths"].items() for method, each in methods.items()
    )


def _request(method: str, path: str, operation: Tree, document: Tree) -> tuple[str, str, str]:
    beyond = "" if method in document["paths"].get(path, {}) else " ✚"
    replies = [reply for status, reply in operation["responses"].items() if status.startswith("2")]
    reply = ", ".join(dict.fromkeys(filter(None, (_content(each) for each in replies))))
    return f"`{method.upper()} {cell(path)}`{beyond}", _content(operation.get("requestBody") or {}), reply


def _content(body: Tree) -> str:
    kinds: Tree = body.get("content", {})
    found = [kind_of(each.get("schema", {})) if name.endswith("json") else f"`{name}`" for name, each in kinds.items()]
    return ", ".join(dict.fromkeys(found))


def objects_of(schemas: Tree, *, may_lack: str = "") -> Iterator[str]:
    """Yield the heading, the sentence and the fields of each object. `may_lack`: words after a field with a default."""
    for name in sorted(schemas):
        fields: Tree = schemas[name].get("properties", {})
        about = " ".join(str(schemas[name].get("description", "")).partition("\n\n")[0].split())
        yield f"### {_title(name)}\n" + (f"\n{about}\n" if about else "")
        if fields:
            needed = schemas[name].get("required", []) if may_lack else fields
            rows = [
                (f"`{cell(field)}`", kind_of(each) + ("" if field in needed else may_lack))
                for field, each in fields.items()
            ]
            yield table(("field", "value"), rows)


def _title(name: str) -> str:
    """Return the name of a schema: FastAPI writes `Page_Attempt_` for a page of attempts."""
    return f"Page of {name[5:].strip('_')}" if name.startswith("Page_") else name


def kind_of(schema: Tree) -> str:
    """Return the kind of a value in words, with a link to an object."""
    if "$ref" in schema:
        title = _title(schema["$ref"].rpartition("/")[2])
        return f"[{title}](#{title.lower().replace(' ', '-')})"
    for choice in ("anyOf", "oneOf", "allOf"):
        if choice in schema:
            return " or ".join(dict.fromkeys(kind_of(each) for each in schema[choice]))
    if "enum" in schema or "const" in schema:
        return ", ".join(f'`"{cell(str(each))}"`' for each in schema.get("enum", [schema.get("const")]))
    if schema.get("type") == "array":
        return f"list of {kind_of(schema.get('items', {}))}"
    form = {"date-time": "time", "date": "date", "duration": "duration", "binary": "file"}.get(
        schema.get("format", ""), ""
    )
    return form or _PARTS.get(schema.get("type", ""), "object" if schema.get("type") == "object" else "any value")
