"""Attack an SSH host with the demo institute: `python -m tests.ssh [TIMES] [SEED]`, each TIMES as often as in CI."""

import asyncio
import sys
import tempfile
import time
from pathlib import Path

from tests.ssh.attacks import attack
from tests.ssh.ssh_world import Host, running


async def _attack(host: Host, times: int, seed: int) -> None:
    since = time.monotonic()
    async for name in attack(host, seed=seed, times=times):
        print(f"{time.monotonic() - since:6.0f} s  host {host.memory():4.0f} MiB  {name}", flush=True)  # noqa: T201 - a command


def main() -> int:
    times, seed = [*(int(word) for word in sys.argv[1:]), *(10, 1)[len(sys.argv) - 1 :]]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, running(Path(folder) / "data") as host:
        asyncio.run(_attack(host, times, seed))
    return 0


if __name__ == "__main__":
    sys.exit(main())
