"""Runs the quick tests in new environments:

uv run python scripts/environments.py lowest     the oldest libraries that pyproject.toml allows, on Python 3.11
uv run python scripts/environments.py pythons    the newest libraries, on each Python from 3.11 to 3.14 here
uv run python scripts/environments.py debian     all quick tests on the Python of Debian's testing release, as root
"""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
UV: Final = os.environ.get("UV") or shutil.which("uv") or "uv"
PYTHONS: Final = ("3.11", "3.12", "3.13", "3.14")
_PACKAGES: Final = ("python3", "python3-venv", "ca-certificates", "git")
_TESTS: Final = ("tests/attempt", "tests/cli", "tests/client")


def found(version: str) -> str | None:
    """Return the interpreter of a version on this computer, also one of pyenv that is not on the path."""
    command = (UV, "python", "find", "--no-python-downloads", "--no-project", "--system", version)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return done.stdout.strip()
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    return next((str(path) for path in sorted(pyenv.glob(f"versions/{version}.*/bin/python"))), None)


def tested(python: str, resolution: str) -> bool:
    """Return whether the quick tests pass in a new environment."""
    with tempfile.TemporaryDirectory() as folder:
        venv = Path(folder, "venv")
        install = (UV, "pip", "install", "--quiet", "--python", venv)
        steps = (
            (UV, "venv", "--quiet", "--python", python, venv),
            (*install, "--resolution", resolution, "--all-extras", "--requirement", "pyproject.toml"),
            (*install, "--group", "dev"),  # keeps what is installed where that fits
            (venv / "bin" / "python", "-m", "pytest", "-n", "2", "-m", "not slow", *_TESTS),
        )
        return all(subprocess.run(step, cwd=ROOT, check=False).returncode == 0 for step in steps)


@contextlib.contextmanager
def debian() -> Iterator[Path]:
    """Install Debian's testing release into a folder. Needs root, debootstrap and the network."""
    with tempfile.TemporaryDirectory(prefix="debian-", dir="/var/tmp") as name:
        # The script of `sid` serves every newer release, also one that this debootstrap does not know by name.
        install = ("debootstrap", "--variant=minbase", f"--include={','.join(_PACKAGES)}", "testing", name)
        run(*install, "http://deb.debian.org/debian", "/usr/share/debootstrap/scripts/sid")
        for file in ("/etc/resolv.conf", os.environ.get("SSL_CERT_FILE", "")):
            if file:
                shutil.copy(file, f"{name}{file}")
        with contextlib.ExitStack() as stack:
            for kind, place in (("proc", "proc"), ("devpts", "dev/pts"), ("tmpfs", "dev/shm")):
                run("mount", "-t", kind, kind, Path(name, place))
                stack.callback(run, "umount", "--lazy", Path(name, place))
            yield Path(name)


def run(*command: str | Path, environment: Mapping[str, str] | None = None) -> None:
    """Run a command to its end. Raises CalledProcessError if it fails."""
    subprocess.run(command, check=True, env=environment)


def test_on_debian() -> None:
    """Run all quick tests on the Python of Debian's testing release. Raises CalledProcessError if one fails."""
    steps: Sequence[str] = (
        "python3 --version",
        "python3 -m venv /root/tools",
        "/root/tools/bin/pip install --quiet uv",
        "/root/tools/bin/uv venv --quiet --python /usr/bin/python3 /root/venv",
        "export VIRTUAL_ENV=/root/venv",
        "/root/tools/bin/uv pip install --quiet --all-extras --requirement pyproject.toml",
        "/root/tools/bin/uv pip install --quiet --group dev",
        '/root/venv/bin/python -m pytest -n 2 -m "not slow"',
    )
    with debian() as root:
        run("git", "clone", "--quiet", ROOT, root / "root" / "lms-tui")
        script = " && ".join(("cd /root/lms-tui", *steps))
        environment = {"HOME": "/root", "LANG": "C.UTF-8", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
        if certificates := os.environ.get("SSL_CERT_FILE"):
            environment["SSL_CERT_FILE"] = environment["PIP_CERT"] = certificates
        run("chroot", root, "sh", "-c", script, environment=environment)


def main() -> int:
    if sys.argv[1:] == ["debian"]:
        test_on_debian()
        return 0
    if sys.argv[1:] not in (["lowest"], ["pythons"]):
        sys.exit(__doc__)
    lowest = sys.argv[1] == "lowest"
    outcomes = []
    for version in PYTHONS[:1] if lowest else PYTHONS:
        python, begun = found(version), time.monotonic()
        passed = None if python is None else tested(python, "lowest-direct" if lowest else "highest")
        outcomes.append(passed)
        told = {None: "not on this computer", True: "passed", False: "FAILED"}[passed]
        print(f"Python {version}: {told} ({time.monotonic() - begun:.0f} s)", flush=True)
    return 1 if False in outcomes or not any(outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
