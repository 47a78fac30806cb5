"""What a token check costs: a raw ASGI application that checks one and answers a constant, without a database.

`limited`: behind the service's limits on connections, sizes and times.
"""

import re
import socket
import sys
from typing import Any

import jwt
import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from lms_tui.service.core.settings import Limits
from lms_tui.service.server.connection import guard
from lms_tui.service.server.connections import Admission, Connections

CONSTANT = b'{"state":"Running","remaining_time":"0:29:30.000000"}'
PATH = re.compile(r"/api/v2\.2/attempts/([0-9]+)/(?:heartbeat|questions/([0-9]+))/?")


def floor(key: bytes) -> ASGIApp:
    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if PATH.fullmatch(scope["path"]) is None or scope["method"] != "PUT":
            raise LookupError(scope["path"])
        while (await receive()).get("more_body", False):
            pass
        token = dict(scope["headers"])[b"authorization"].partition(b" ")[2]
        jwt.decode(token, key, algorithms=["HS256"], options={"require": ["exp", "sub"]})
        headers = [(b"content-length", b"%d" % len(CONSTANT)), (b"content-type", b"application/json")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": CONSTANT})

    return answer


def main() -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    print(f"Listening on http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    options: dict[str, Any] = {"log_config": None, "access_log": False, "lifespan": "off"}
    app = floor(bytes.fromhex(sys.argv[1]))
    if "limited" in sys.argv:
        limits = Limits()
        connections = Connections(limits)
        config = uvicorn.Config(Admission(app, connections), http="httptools", **options)
        guard(config, connections, limits)
    else:
        config = uvicorn.Config(app, **options)
    uvicorn.Server(config).run([listener])


if __name__ == "__main__":
    main()
