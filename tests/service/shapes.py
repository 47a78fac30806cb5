"""Shapes of raw JSON: the names of an object, all of them and no others, each with its type."""

import base64
import io
import re
from typing import Any

from PIL import Image

from tests.service.service_world import Caller, World

MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}(Z|[+-]\d\d:\d\d)")
NULL = type(None)
PICTURES = {
    "photo": str,
    "large_image": str,
    "medium_image": str,
    "medium_small_image": str,
    "small_image": str,
    "x_small_image": str,
    "mini_image": str,
}
BATCH_NAME = {"id": int, "name": str, "url": str}


def assert_shape(value: Any, shape: dict[str, Any]) -> None:
    assert isinstance(value, dict), value
    assert set(value) == set(shape), set(value) ^ set(shape)
    for name, kind in shape.items():
        kinds = kind if isinstance(kind, tuple) else (kind,)
        assert type(value[name]) in kinds, (name, value[name])


def assert_page(value: Any, shape: dict[str, Any], per_page: int = 20) -> list[Any]:
    assert_shape(value, {"count": int, "next": (str, NULL), "previous": (str, NULL), "per_page": int, "results": list})
    assert value["per_page"] == per_page
    for item in value["results"]:
        assert_shape(item, shape)
    return list(value["results"])


def person(world: World, username: str, role: str, **fields: Any) -> Caller:
    """Add somebody with a role and sign them in."""
    world.add_user(username, role=role, **fields)
    return world.caller(username)


def picture(width: int, height: int, form: str = "PNG", mode: str = "RGB") -> bytes:
    """A picture whose left half is red and whose right half is blue."""
    image = Image.new(mode, (width, height), (255, 0, 0) if mode == "RGB" else (255, 0, 0, 128))
    image.paste((0, 0, 255) if mode == "RGB" else (0, 0, 255, 128), (width // 2, 0, width, height))
    out = io.BytesIO()
    image.save(out, form)
    return out.getvalue()


def data_address(content: bytes, kind: str = "png") -> str:
    return f"data:image/{kind};base64,{base64.b64encode(content).decode()}"
