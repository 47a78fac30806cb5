"""What a token check costs: an ASGI application that checks one and answers a constant, without a database."""

import socket
import sys
from typing import Any

import jwt
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

CONSTANT = b'{"state":"Running","remaining_time":"0:29:30.000000"}'


def floor(key: bytes) -> Starlette:
    async def answer(request: Request) -> Response:
        token = request.headers["authorization"].partition(" ")[2]
        jwt.decode(token, key, algorithms=["HS256"], options={"require": ["exp", "sub"]})
        return Response(CONSTANT, media_type="application/json")

    path = "/api/v2.2/attempts/{attempt:int}/"
    methods = ["PUT"]
    return Starlette(
        routes=[
            Route(f"{path}heartbeat/", answer, methods=methods),
            Route(f"{path}questions/{{question:int}}", answer, methods=methods),
        ]
    )


def main() -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    print(f"Listening on http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    options: dict[str, Any] = {"log_config": None, "access_log": False}
    uvicorn.Server(uvicorn.Config(floor(bytes.fromhex(sys.argv[1])), **options)).run([listener])


if __name__ == "__main__":
    main()
