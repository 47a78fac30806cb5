"""A stranger's server, and the client signed in to it."""

from collections.abc import AsyncIterator

import pytest

from lms_tui.client.api import HttpLms
from lms_tui.client.auth import sign_in
from tests.client.stranger import BASE, Stranger, signed_in_stranger


@pytest.fixture
def stranger() -> Stranger:
    return signed_in_stranger()


@pytest.fixture
async def lms(stranger: Stranger) -> AsyncIterator[HttpLms]:
    """Signed in; the requests that this took are not remembered."""
    signed_in = await sign_in(BASE, "asha", "practice", access=stranger.access())
    stranger.requests.clear()
    yield signed_in.lms
    await signed_in.lms.close()
