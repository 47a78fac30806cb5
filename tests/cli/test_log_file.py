"""The log of the app, in a process of its own because the log is one for a process."""

import subprocess
import sys
from pathlib import Path

PREPARED = """
import logging, shutil, sys
from pathlib import Path
from lms_tui.runtime.bootstrap import prepare
paths = prepare(Path(sys.argv[1]), {"plain": True}).paths
"""


def run(script: str, data: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", PREPARED + script, str(data)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_warning_is_written_to_a_private_file_without_tokens(tmp_path: Path) -> None:
    ended = run("logging.warning('Authorization: JWT abc.def.ghi')\nprint(paths.log)", tmp_path)
    assert (ended.returncode, ended.stderr) == (0, "")
    log = Path(ended.stdout.strip())
    assert log.stat().st_mode & 0o777 == 0o600
    assert "WARNING root: " in log.read_text("utf-8")
    assert "abc.def.ghi" not in log.read_text("utf-8")


def test_a_log_that_cannot_be_written_disturbs_nothing(tmp_path: Path) -> None:
    ended = run("shutil.rmtree(paths.logs)\nlogging.warning('one')\nlogging.warning('two')\nprint('went on')", tmp_path)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "went on\n", "")
