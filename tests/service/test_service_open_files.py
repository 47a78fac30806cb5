"""The service makes room for its connections when it starts."""

import resource
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from lms_tui.service.core.settings import Limits
from tests.service.test_service_process import Starter, first_line, start
from tests.waiting import PATIENCE, process_status

__all__ = ["start"]
CONNECTIONS = 300
QUESTION = b"GET /api/v2.2/me/ HTTP/1.1\r\nHost: a\r\n\r\n"


@pytest.fixture
def _few_open_files() -> Iterator[None]:
    """Let programs that this test starts open 128 files, as long as they do not ask for more."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (128, hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.usefixtures("_few_open_files")
def test_the_service_takes_more_connections_than_a_low_limit_of_open_files_allows(
    tmp_path: Path, start: Starter
) -> None:
    port = int(first_line(start(f"Path({str(tmp_path)!r})")).rsplit(":", 1)[-1])
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))  # for this end of the connections
    with ExitStack() as stack:
        lines = [stack.enter_context(socket.create_connection(("127.0.0.1", port))) for _ in range(CONNECTIONS)]
        for one in lines:
            one.settimeout(PATIENCE)
            one.sendall(QUESTION)
        assert {one.recv(1000).split()[1] for one in lines} == {b"401"}


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system does not tell the size of the table")
def test_the_table_of_descriptors_never_grows_while_answers_arrive(tmp_path: Path, start: Starter) -> None:
    process = start(f"Path({str(tmp_path)!r})")
    first_line(process)
    assert process_status(process.pid, "FDSize") > Limits().connections
