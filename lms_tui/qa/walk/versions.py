"""Find the version under which a server has each resource of the API."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from lms_tui.qa.walk.address_style import resource_of
from lms_tui.qa.walk.user_client import ATTEMPTS, EXAMS, ME, STATS, UserClient
from lms_tui.wire.versions import VERSIONS

_READABLE: Final = (ME, STATS, ATTEMPTS, EXAMS)
_ABSENT: Final = frozenset({404, 405, 410})


async def probe_sign_in(client: UserClient, token_path: str) -> None:
    """Find the version of the sign-in, and use it from now on. No password is sent."""
    await _probe(client, "POST", token_path, {})


async def probe_resources(client: UserClient) -> None:
    """Find the version of each resource that a signed-in user can read, and use it from now on."""
    for path in _READABLE:
        await _probe(client, "GET", path, None)


async def _probe(client: UserClient, method: str, path: str, body: Mapping[str, object] | None) -> None:
    """Try the version of the document, then the newest. The first stays if the server has none."""
    first = client.style
    for version in ("", *reversed(VERSIONS)):
        if version:
            client.style = replace(first, versions={**first.versions, resource_of(path): version})
        reply = await client.send(method, path, body=body)
        if reply.status not in _ABSENT:
            return
    client.style = first
