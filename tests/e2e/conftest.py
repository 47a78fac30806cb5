import os
import shutil
import subprocess
from collections.abc import Iterator

import pytest


@pytest.fixture
def display() -> Iterator[str]:
    """A screen for windows that nobody sees."""
    if (program := shutil.which("Xvfb")) is None:
        pytest.skip("Xvfb is not installed")
    read, write = os.pipe()
    server = subprocess.Popen(
        [program, "-displayfd", str(write), "-screen", "0", "1280x1024x24", "-nolisten", "tcp", "-noreset"],
        pass_fds=(write,),
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    with os.fdopen(read) as told:
        number = told.readline().strip()
    if not number:
        server.wait()
        pytest.skip("Xvfb does not start here")
    yield f":{number}"
    server.terminate()
    server.wait()
