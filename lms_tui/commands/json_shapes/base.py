"""The values that the objects of `--json` are made of."""

from datetime import datetime
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, StringConstraints, WithJsonSchema


class Shape(BaseModel):
    """An object that a command prints with `--json`. Every field is there, unless it has a default."""

    model_config = ConfigDict(extra="forbid", strict=True)


def _moment(text: str) -> str:
    if datetime.fromisoformat(text).tzinfo is None:
        raise ValueError("a time needs an offset")
    return text


Moment = Annotated[str, AfterValidator(_moment), WithJsonSchema({"type": "string", "format": "date-time"})]
"""A time with its offset."""
Span = Annotated[
    str,
    StringConstraints(pattern=r"^(\d+ days?, )?\d+:\d\d:\d\d$"),
    WithJsonSchema({"type": "string", "format": "duration"}),
]
"""A duration such as 0:40:00."""
