"""A user's own profile and photo, on raw JSON and real pictures."""

import base64
import io
import struct
import zlib
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from lms_tui.service.users.sizes import SIZES
from tests.service.service_world import Caller, World
from tests.service.shapes import NULL, PICTURES, assert_shape, data_address, person, picture

PROFILE = PICTURES | {
    "email": str,
    "x_offset": int,
    "y_offset": int,
    "crop_height": int,
    "crop_width": int,
    "birth_date": (str, NULL),
    "gender": int,
    "address1": str,
    "address2": str,
    "city": str,
    "zip": str,
    "state_choices": int,
    "phone": str,
}


@pytest.fixture
async def own(asha: Caller) -> str:
    return f"/api/v2.2/users/{(await asha.get('/api/v2.2/me/'))['id']}"


async def fetched(world: World, address: str) -> Image.Image:
    response = await world.http.get(address)
    assert response.status_code == 200
    assert response.headers["x-content-type-options"] == "nosniff"
    return Image.open(io.BytesIO(response.content))


def only_colour(image: Image.Image) -> str:
    """JPEG is a shade off, so the darkest and the brightest pixel of each channel tell."""
    (red, _), (_, green), (blue, _) = (channel.getextrema() for channel in image.convert("RGB").split())
    assert isinstance(red, int | float)
    assert isinstance(blue, int | float)
    assert green in range(10)
    return {(True, False): "red", (False, True): "blue"}[red > 240, blue > 240]


def photos(world: World) -> list[Path]:
    folder = world.settings.media / "photos"
    return sorted(folder.iterdir()) if folder.exists() else []


async def test_a_profile_echoes_what_was_changed(asha: Caller, own: str) -> None:
    body = {
        "email": "new@lms.test",
        "birth_date": "2009-05-09",
        "gender": 2,
        "address1": "1",
        "address2": "2",
        "city": "Kochi",
        "zip": "682001",
        "state_choices": 17,
        "phone": "12",
        "first_name": "Asha",
        "last_name": "Menon",
    }
    echo = await asha.put(own, body)
    assert_shape(echo, PROFILE)
    assert {name: echo[name] for name in body if name in echo} == {
        name: value for name, value in body.items() if name in echo
    }
    me = await asha.get("/api/v2.2/me/")
    assert (me["display_name"], me["gender"], me["state"]) == ("Asha Menon", "Female", "Kerala")
    assert await asha.put(own, echo) == echo
    emptied = await asha.put(own, {"gender": 0, "state_choices": 0, "birth_date": None, "phone": None})
    assert (emptied["gender"], emptied["state_choices"], emptied["birth_date"], emptied["phone"]) == (0, 0, None, "")


async def test_a_profile_can_be_updated_with_the_fields_that_were_read(asha: Caller, own: str) -> None:
    await asha.put(own, {"gender": 2, "state_code": "IN-KL", "birth_date": "2001-02-03"})
    read = await asha.get("/api/v2.2/me/")
    assert (read["gender"], read["state"]) == ("Female", "Kerala")
    await asha.put(own, {**read, "gender": "Transgender", "state": "Bihar"})
    assert await asha.get("/api/v2.2/me/") == {**read, "gender": "Transgender", "state": "Bihar"}
    await asha.put(own, {"gender": "", "state": ""})
    assert (await asha.get("/api/v2.2/me/"))["state"] == ""
    assert set(await asha.put(own, {"gender": "Robot"}, 400)) == {"gender"}


async def test_a_user_cannot_change_the_profile_of_another(world: World, asha: Caller, own: str) -> None:
    ravi = world.caller("ravi")
    await ravi.put(own, {"city": "x"}, 403)
    await person(world, "head", "admin").put(own, {"city": "x"}, 403)
    await ravi.put("/api/v2.2/users/4711", {"city": "x"}, 403)
    assert (await asha.get("/api/v2.2/me/"))["city"] == ""


async def test_other_fields_are_never_written(world: World, asha: Caller, own: str) -> None:
    body = {"username": "root", "role": "admin", "password": "x", "is_staff": True, "id": 1, "batches": ["Morning"]}
    await asha.put(own, {**body, "large_image": "http://evil.test/x", "display_name": "Boss"})
    me = await asha.get("/api/v2.2/me/")
    assert (me["username"], me["batches"], me["display_name"]) == ("asha", ["Evening"], "Asha Nair")
    assert me["large_image"] == ""
    await world.caller("asha").get("/api/v2.5/admin/batches/", 403)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"gender": 4}, "gender"),
        ({"gender": "1"}, "gender"),
        ({"gender": True}, "gender"),
        ({"state_choices": 37}, "state_choices"),
        ({"birth_date": "09/05/2009"}, "birth_date"),
        ({"birth_date": "2126-05-09"}, "birth_date"),
        ({"x_offset": -1}, "x_offset"),
        ({"crop_width": 1.5}, "crop_width"),
        ({"email": "@"}, "email"),
        ({"photo": "not base64!"}, "photo"),
        ({"photo": "http://169.254.169.254/latest"}, "photo"),
        ({"photo": "../../../etc/passwd"}, "photo"),
        ({"photo": base64.b64encode(b"<svg onload=alert(1)>").decode()}, "photo"),
        ({"photo": data_address(picture(40, 40)[:60])}, "photo"),
        ({"photo": data_address(picture(40, 40)), "x_offset": 30, "crop_width": 20, "crop_height": 20}, "photo"),
        ({"photo": data_address(picture(40, 40)), "x_offset": 5}, "photo"),
    ],
)
async def test_invalid_input_names_its_field_and_stores_no_file(
    world: World, asha: Caller, own: str, body: dict[str, Any], field: str
) -> None:
    assert set(await asha.put(own, body, 400)) == {field}
    assert photos(world) == []


async def test_every_size_of_the_photo_is_created(world: World, asha: Caller, own: str) -> None:
    echo = await asha.put(own, {"photo": data_address(picture(400, 300, "JPEG"), "jpeg")})
    assert_shape(echo, PROFILE)
    assert (await fetched(world, echo["photo"])).size == (400, 300)
    for field, size in SIZES.items():
        small = await fetched(world, echo[field])
        assert (small.size, small.format) == ((int(size), int(size)), "JPEG")
        red, blue = small.getpixel((1, 5)), small.getpixel((int(size) - 2, 5))
        assert isinstance(red, tuple)
        assert isinstance(blue, tuple)
        assert red[0] > 200 > blue[0]
    me = await asha.get("/api/v2.2/me/")
    assert {name: me[name] for name in PICTURES} == {name: echo[name] for name in PICTURES}


async def test_the_given_crop_is_shown(world: World, asha: Caller, own: str) -> None:
    part = {"x_offset": 210, "y_offset": 10, "crop_width": 100, "crop_height": 100}
    echo = await asha.put(own, {"photo": data_address(picture(400, 300)), **part})
    assert {name: echo[name] for name in part} == part
    assert only_colour(await fetched(world, echo["large_image"])) == "blue"
    moved = await asha.put(own, {"x_offset": 0})
    assert (moved["x_offset"], moved["crop_width"]) == (0, 100)
    assert moved["large_image"] != echo["large_image"], "what a browser keeps for a year must have another name"
    assert only_colour(await fetched(world, moved["large_image"])) == "red"
    assert len(photos(world)) == 1
    assert await asha.put(own, moved) == moved
    await asha.put(own, {"crop_width": 500}, 400)
    assert (await asha.get("/api/v2.2/me/"))["large_image"] == moved["large_image"]


async def test_a_new_photo_shows_its_middle(world: World, asha: Caller, own: str) -> None:
    part = {"x_offset": 210, "y_offset": 10, "crop_width": 100, "crop_height": 100}
    first = await asha.put(own, {"photo": data_address(picture(400, 300)), **part})
    second = await asha.put(own, {"photo": data_address(picture(50, 60))})
    assert second["crop_width"] == 0
    assert (await world.http.get(first["photo"])).status_code == 404
    assert len(photos(world)) == 1


async def test_a_removed_photo_leaves_no_file(world: World, asha: Caller, own: str) -> None:
    await asha.put(own, {"photo": data_address(picture(50, 60))})
    echo = await asha.put(own, {"photo": ""})
    assert {echo[name] for name in PICTURES} == {""}
    assert photos(world) == []


async def test_a_deleted_user_leaves_no_photo(world: World, asha: Caller, own: str) -> None:
    await asha.put(own, {"photo": data_address(picture(50, 60))})
    admin = person(world, "head", "admin")
    await admin.send("DELETE", f"/api/v2.2/admin/users/{own.rsplit('/', 1)[1]}")
    assert photos(world) == []


async def test_camera_metadata_is_used_but_not_stored(world: World, asha: Caller, own: str) -> None:
    image = Image.open(io.BytesIO(picture(60, 40, "JPEG")))
    exif = Image.Exif()
    exif[274] = 6  # a camera that was held upright
    exif[271] = "Canary"
    out = io.BytesIO()
    image.save(out, "JPEG", exif=exif)
    echo = await asha.put(own, {"photo": data_address(out.getvalue())})
    kept = await fetched(world, echo["photo"])
    assert kept.size == (40, 60)
    assert b"Canary" not in (await world.http.get(echo["photo"])).content


async def test_transparency_is_kept(world: World, asha: Caller, own: str) -> None:
    echo = await asha.put(own, {"photo": data_address(picture(30, 30, mode="RGBA"))})
    assert echo["photo"].endswith("/original.png")
    assert (await fetched(world, echo["mini_image"])).mode == "RGBA"


async def test_a_photo_with_a_too_long_side_is_refused(asha: Caller, own: str) -> None:
    refused = await asha.put(own, {"photo": data_address(picture(65_535, 1))}, 400)
    assert refused == {"photo": ["The photo has a side of more than 20,000 pixels."]}


async def test_a_small_file_with_huge_dimensions_is_not_decoded(asha: Caller, own: str) -> None:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 30_000, 30_000, 8, 2, 0, 0, 0))
    bomb = b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(b"\0" * 1000)) + chunk(b"IEND", b"")
    answered = await asha.put(own, {"photo": data_address(bomb)}, 400)
    assert answered == {"photo": ["The photo has more than 12 million pixels."]}


async def test_a_photo_may_be_larger_than_other_bodies_up_to_its_own_limit(asha: Caller, own: str) -> None:
    noise = Image.effect_noise((400, 400), 90)
    out = io.BytesIO()
    noise.save(out, "PNG")
    assert len(out.getvalue()) > 64 * 1024
    await asha.put(own, {"photo": data_address(out.getvalue())})
    await asha.put(own, {"photo": "x" * (5 * 1024 * 1024)}, 413)
    await asha.put("/api/v2.5/admin/users/1", {"photo": "x" * 70_000}, 413)


@pytest.mark.parametrize(
    "name",
    ["../service.sqlite3", "%2e%2e/secret.key", "..%2fsecret.key", ".new-x/256.jpg", "x/..%2f..%2fsecret.key", "x/y"],
)
async def test_media_paths_stay_in_their_folder(world: World, asha: Caller, own: str, name: str) -> None:
    await asha.put(own, {"photo": data_address(picture(30, 30))})
    response = await world.http.get(f"http://lms.test/media/photos/{name}")
    assert (response.status_code, response.json()) == (404, {"detail": "Not found"})


async def test_a_symbolic_link_in_the_media_folder_is_not_followed(world: World, asha: Caller, own: str) -> None:
    await asha.put(own, {"photo": data_address(picture(30, 30))})
    (folder,) = photos(world)
    (folder / "link.jpg").symlink_to(world.settings.data_dir / "secret.key")
    assert (await world.http.get(f"/media/photos/{folder.name}/link.jpg")).status_code == 404
