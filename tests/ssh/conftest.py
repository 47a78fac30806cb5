from collections.abc import Iterator

import pytest

from tests.ssh.ssh_world import Host, running


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """A host whose service has a slow clock, so that the limit on guesses lasts longer than a test."""
    with running(tmp_path_factory.mktemp("ssh") / "data", "--clock-speed", "0.1") as started:
        yield started
