"""Room for the descriptors of a process, made before it has connections."""

import os
import sys
from contextlib import suppress
from pathlib import Path


def make_room(count: int) -> None:
    """Let this process have `count` open files and connections, as far as the system allows it.

    Linux doubles the table of descriptors at 64, 256, 512 and so on. If the process has threads, it stops each time for
    10 ms and more, in which no answer is saved. The table never shrinks, so one high descriptor makes it large enough.
    """
    if sys.platform == "win32":
        return
    import fcntl  # noqa: PLC0415  # not on Windows
    import resource  # noqa: PLC0415  # not on Windows

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = count if hard == resource.RLIM_INFINITY else min(count, hard)
    with suppress(OSError, ValueError):  # a system may allow less than it says, as macOS does
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        with Path(os.devnull).open() as file:
            os.close(fcntl.fcntl(file, fcntl.F_DUPFD_CLOEXEC, wanted - 1))
