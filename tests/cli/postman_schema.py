"""A Postman collection v2.1.0 as a JSON schema, after the specification of its authors, for what we write.

The lock has no validator of collections, and the authors' schema is not ours to copy.
"""

from typing import Any, Final


def _object(required: str, **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "required": required.split(),
        "properties": properties,
        "additionalProperties": False,
    }


def _list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


_TEXT: Final = {"type": "string"}
_PAIR: Final = _object("key value", key=_TEXT, value=_TEXT, type=_TEXT, disabled={"type": "boolean"}, description=_TEXT)
_URL: Final = _object(
    "raw host path", raw=_TEXT, host=_list(_TEXT), path=_list(_TEXT), query=_list(_PAIR), variable=_list(_PAIR)
)
_AUTH: Final = _object("type", type={"enum": ["apikey", "noauth"]}, apikey=_list(_PAIR))
_REQUEST: Final = _object(
    "method url",
    method={"enum": ["GET", "PUT", "POST", "PATCH", "DELETE"]},
    header=_list(_PAIR),
    url=_URL,
    description=_TEXT,
    auth=_AUTH,
    body=_object("mode raw", mode={"const": "raw"}, raw=_TEXT),
)
_EVENT: Final = _object(
    "listen script",
    listen={"enum": ["test", "prerequest"]},
    script=_object("exec", type={"const": "text/javascript"}, exec=_list(_TEXT)),
)
_ITEM: Final = _object("name request", name=_TEXT, request=_REQUEST, response={"type": "array"}, event=_list(_EVENT))
COLLECTION: Final = _object(
    "info item",
    info=_object(
        "name schema",
        name=_TEXT,
        description=_TEXT,
        schema={"const": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
    ),
    auth=_AUTH,
    variable=_list(_PAIR),
    item=_list(_object("name item", name=_TEXT, item=_list(_ITEM))),
)
