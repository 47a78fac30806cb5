"""What a host says about its service."""

from pathlib import Path

import pytest

from lms_tui.runtime.service_process import ServiceProcess
from lms_tui.wire.errors import ServerFault


@pytest.mark.parametrize(
    ("names", "words"),
    [((), "The practice service on this computer did not start"), (("service",), "The service did not start")],
)
async def test_a_service_that_does_not_start_is_called_by_its_name(
    tmp_path: Path, names: tuple[str, ...], words: str
) -> None:
    service = ServiceProcess(("--trust-proxy", "nowhere at all"), tmp_path / "service.log", *names)
    with pytest.raises(ServerFault, match=words):
        await service.start()
