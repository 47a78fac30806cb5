"""The benchmarks of the screens find what they measure. Their figures depend on the computer and are not judged."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PATIENCE = 400.0


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the benchmarks use ptys and /proc as Linux has them")
@pytest.mark.parametrize(("name", "targets"), [("startup", 9), ("screens", 3)])
def test_a_benchmark_measures_all_that_has_a_target(name: str, targets: int) -> None:
    command = [sys.executable, "-m", f"benchmarks.{name}", "1"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=False)
    judged = [line for line in ended.stdout.splitlines() if line.startswith(("reached", "MISSED"))]
    assert len(judged) == targets, ended.stdout + ended.stderr
    assert ended.returncode in {0, 1}
