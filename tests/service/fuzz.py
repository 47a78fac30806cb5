"""Every operation of the OpenAPI document under Schemathesis: `python -m tests.service.fuzz [EXAMPLES] [SEED]`.

The real process with the demo institute, once as its administrator and once as a student; all checks, valid and invalid
data. `--postgresql`: on a PostgreSQL of its own in place of SQLite. Schemathesis gets all other options. Exit status 0
without a failure.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.service.postgres import binaries, cluster
from tests.temporary import use_memory

_SETTINGS = """
[checks]
# A body may fit its schema and still ask for what is not there: a batch of no name, a username that is taken.
# A body that breaks its schema by its size is refused for its size.
negative_data_rejection.expected-statuses = ["400", "401", "403", "404", "405", "413", "429", "431"]
positive_data_acceptance.expected-statuses = ["2xx", "400", "401", "403", "404", "429"]

# What is deleted here is what the body names. The list itself can still be read.
[[operations]]
include-path-regex = "/(students|ssh-keys)/?$"
checks.use_after_free.enabled = false
"""


def ask(url: str, body: dict[str, str] | None = None) -> Any:
    request = urllib.request.Request(  # noqa: S310  # our own service
        url, json.dumps(body).encode() if body else None, {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=60) as response:  # noqa: S310  # our own service
        return json.load(response)


def fuzz(examples: int, options: Sequence[str], database_url: str = "") -> int:
    """Run it and return the exit status. `database_url`: an empty database, "" for SQLite."""
    with tempfile.TemporaryDirectory(prefix="fuzz-") as name:
        folder = Path(name)
        settings = folder / "schemathesis.toml"
        settings.write_text(_SETTINGS, "utf-8")
        command = [sys.executable, "-m", "lms_tui", "serve", "--demo", "--data-dir", str(folder / "data")]
        command += ["--database-url", database_url] if database_url else []
        service = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            line = service.stdout.readline() if service.stdout is not None else ""
            base = line.split()[-1]
            worst = 0
            for who in ("asha", "admin"):
                token = ask(f"{base}/api/v2.5/auth-token/", {"username": who, "password": "practice"})["token"]
                worst = max(worst, run(base, token, examples, settings, options))
                worst = max(worst, defects(folder / "data"))
            return worst
        finally:
            service.kill()
            service.communicate()


def run(base: str, token: str, examples: int, settings: Path, options: Sequence[str]) -> int:
    return subprocess.run(
        [
            *(Path(sys.executable).with_name("schemathesis"), "--config-file", settings, "run", f"{base}/api/schema/"),
            *("--checks", "all", "--max-examples", str(examples), "--header", f"Authorization: JWT {token}"),
            *("--suppress-health-check", "all", "--continue-on-failure", "--warnings", "off", *options),
        ],
        check=False,
    ).returncode


def defects(data: Path) -> int:
    """Print what the service logged as its own defects; 1 where there was one."""
    found = re.findall(r"^\S+ \S+ ERROR .*$", (data / "service" / "service.log").read_text("utf-8"), re.MULTILINE)
    print("\n".join(found[:20]) or "no defect was logged")  # noqa: T201  # what it is run for
    return 1 if found else 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.service.fuzz")
    parser.add_argument("examples", type=int, nargs="?", default=100)
    parser.add_argument("seed", nargs="?", default="")
    parser.add_argument("--postgresql", action="store_true")
    wanted, options = parser.parse_known_args()
    options += ["--seed", wanted.seed] if wanted.seed else []
    if not wanted.postgresql:
        return fuzz(wanted.examples, options)
    programs = binaries()
    if programs is None:
        parser.error("PostgreSQL is not installed here (apt-get install postgresql)")
    with cluster(programs) as running:
        return fuzz(wanted.examples, options, running.empty())


if __name__ == "__main__":
    use_memory()
    sys.exit(main())
