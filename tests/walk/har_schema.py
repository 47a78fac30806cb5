"""HAR 1.2 as a JSON schema, after the specification of its authors: what has to be there, and of which type."""

from typing import Any, Final


def _object(required: str, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "required": required.split(), "properties": properties}


_TEXT: Final = {"type": "string"}
_NUMBER: Final = {"type": "number", "minimum": -1}
_INTEGER: Final = {"type": "integer", "minimum": -1}
_MOMENT: Final = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$"}
_PAIR: Final = _object("name value", name=_TEXT, value=_TEXT)
_PAIRS: Final = {"type": "array", "items": _PAIR}
_REQUEST: Final = _object(
    "method url httpVersion cookies headers queryString headersSize bodySize",
    method=_TEXT,
    url={"type": "string", "pattern": r"^https?://"},
    httpVersion=_TEXT,
    cookies=_PAIRS,
    headers=_PAIRS,
    queryString=_PAIRS,
    postData=_object("mimeType text", mimeType=_TEXT, text=_TEXT),
    headersSize=_INTEGER,
    bodySize=_INTEGER,
)
_RESPONSE: Final = _object(
    "status statusText httpVersion cookies headers content redirectURL headersSize bodySize",
    status={"type": "integer", "minimum": 0},
    statusText=_TEXT,
    httpVersion=_TEXT,
    cookies=_PAIRS,
    headers=_PAIRS,
    content=_object("size mimeType", size={"type": "integer", "minimum": 0}, mimeType=_TEXT, text=_TEXT),
    redirectURL=_TEXT,
    headersSize=_INTEGER,
    bodySize=_INTEGER,
)
_ENTRY: Final = _object(
    "startedDateTime time request response cache timings",
    startedDateTime=_MOMENT,
    time={"type": "number", "minimum": 0},
    request=_REQUEST,
    response=_RESPONSE,
    cache={"type": "object"},
    timings=_object("send wait receive", send=_NUMBER, wait=_NUMBER, receive=_NUMBER),
    comment=_TEXT,
)
HAR: Final = _object(
    "log",
    log=_object(
        "version creator entries",
        version={"const": "1.2"},
        creator=_object("name version", name=_TEXT, version=_TEXT),
        entries={"type": "array", "items": _ENTRY},
    ),
)
