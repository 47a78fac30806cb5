"""A forked process that only uses objects does not copy their pages, on each Python of this computer that allows it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from lms_tui.runtime.sessions import sharing
from scripts.environments import PYTHONS, found

SCRIPT = r"""
import gc, json, os, re, runpy, sys

class Record:
    def __init__(self, number):
        self.number = number
        self.name = f"record number {number}"

def private():
    with open("/proc/self/smaps_rollup") as rolled:
        return sum(int(kib) for kib in re.findall(r"Private_\w+:\s+(\d+)", rolled.read())) / 1024

records = [Record(number) for number in range(100_000)]
share_memory = runpy.run_path(sys.argv[1])["share_memory"]
made = share_memory()
receive, send = os.pipe()
if (pid := os.fork()) == 0:
    before = private()
    used = sum(len(record.name) for record in records)
    grown = private() - before
    class Later(Record):
        pass
    records[0].number = [Later(used)]
    records.clear()
    gc.collect()
    os.write(send, json.dumps({"made": made, "grown": grown}).encode())
    sys.exit(0)
_, status = os.waitpid(pid, 0)
assert status == 0, status
print(os.read(receive, 1000).decode())
"""
MIB_OF_RECORDS = 10
"""What the records take at least."""


@pytest.mark.skipif(sys.platform != "linux", reason="sessions over ssh and in browsers need Linux")
@pytest.mark.parametrize("version", PYTHONS)
def test_using_objects_copies_no_pages_from_python_3_12_on(version: str) -> None:
    python = found(version)
    if python is None:
        pytest.skip(f"Python {version} is not on this computer")
    command = [python, "-c", SCRIPT, str(Path(sharing.__file__))]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    told = json.loads(done.stdout)
    if version == "3.11":
        assert told["made"] == 0
        assert told["grown"] > MIB_OF_RECORDS
    else:
        assert told["made"] > 2 * 100_000
        assert told["grown"] < 1
