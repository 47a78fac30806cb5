"""The writer under strace: which system calls it makes, and how it is killed at one of them."""

import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
WRITER = "tests.crash.writer"
MUTATING = (
    "write",
    "pwrite64",
    "fsync",
    "fdatasync",
    "ftruncate",
    "fallocate",
    "rename",
    "unlink",
    "mkdir",
    "openat",
    "close",
    "lseek",
)
"""Every call that changes a file or makes a change durable, and those that name files or places in them."""
WRITES = tuple(call for call in MUTATING if call not in {"openat", "close", "lseek"})


def missing() -> str:
    """Why system calls cannot be traced here, in words; "" where they can."""
    strace = shutil.which("strace")
    if strace is None:
        return "strace is not installed"
    tried = subprocess.run([strace, "-o", "/dev/null", "true"], capture_output=True, text=True, check=False)
    return "" if tried.returncode == 0 else f"strace may not trace here: {tried.stderr.strip()[-200:]}"


def traced(
    options: list[str], folder: Path, answers: int, variant: str, writer: str = WRITER
) -> subprocess.CompletedProcess[str]:
    """Run the writer; `stdout` holds what was acknowledged before it ended, however it ended."""
    command = [sys.executable, "-m", writer, str(folder), str(answers), variant]
    return subprocess.run(
        [shutil.which("strace") or "strace", "-f", *options, *command],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def trace(folder: Path, log: Path, answers: int, variant: str, *, stop_at: int = 0) -> str:
    """Run the writer and return every call with all of its data; `stop_at`: kill it at this `write`, 0 for never."""
    options = ["-e", f"trace={','.join(MUTATING)}", "-xx", "-s", "1000000", "-o", str(log)]
    if stop_at:
        options += ["-e", f"inject=write:signal=SIGKILL:when={stop_at}"]
    done = traced(options, folder, answers, variant)
    if done.returncode != 0 and not stop_at:
        raise RuntimeError(done.stderr[-2000:])
    return log.read_text(encoding="ascii")


def counted(folder: Path, log: Path, answers: int, variant: str, writer: str = WRITER) -> Counter[str]:
    """Run the writer to its end and count its write-like calls by name."""
    done = traced(["-e", f"trace={','.join(WRITES)}", "-s", "0", "-o", str(log)], folder, answers, variant, writer)
    if done.returncode != 0:
        raise RuntimeError(done.stderr[-2000:])
    names = (line.split(maxsplit=1)[1].partition("(")[0] for line in log.read_text(encoding="ascii").splitlines())
    return Counter(name for name in names if name in WRITES)


def killed(
    folder: Path, answers: int, variant: str, call: str, number: int, writer: str = WRITER
) -> tuple[bool, list[str]]:
    """Kill the writer with SIGKILL as it enters this call for the n-th time.

    Return whether it came that far, and what it had acknowledged.
    """
    options = ["-e", f"trace={call}", "-e", f"inject={call}:signal=SIGKILL:when={number}", "-o", "/dev/null"]
    done = traced(options, folder, answers, variant, writer)
    return done.returncode != 0, done.stdout.splitlines()
