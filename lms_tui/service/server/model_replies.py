"""A wire model as the response to a request, without FastAPI."""

from http import HTTPStatus

from pydantic import BaseModel
from starlette.responses import Response


def model_reply(made: BaseModel, status: int = HTTPStatus.OK) -> Response:
    return Response(made.model_dump_json(by_alias=True), status, media_type="application/json")
