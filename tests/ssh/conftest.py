import gc
import warnings
from collections.abc import Iterator

import pytest

from tests.ssh.ssh_world import Host, running


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """A host whose service has a slow clock, so that the limit on guesses lasts longer than a test."""
    with running(tmp_path_factory.mktemp("ssh") / "data", "--clock-speed", "0.1") as started:
        yield started


@pytest.fixture(scope="module", autouse=True)
def cut_connections() -> Iterator[None]:
    """Collect the connections that tests have cut. Their event loop ended before it could close them.

    The garbage collector would name them in a later test.
    """
    yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()
