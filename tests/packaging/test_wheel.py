"""The wheel and the source archive, installed as a person installs them: without the project beside them."""

import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Sequence
from email import message_from_bytes
from pathlib import Path

import pytest

from lms_tui import __version__

ROOT = Path(__file__).parents[2]
PATIENCE = 300
UV = os.environ.get("UV") or shutil.which("uv") or "uv"
"""`uv run` names itself in the variable."""
EXAM = "::Sum::1 + 1? {=2 ~3}\n"

pytestmark = pytest.mark.slow


def run(command: Sequence[str | Path], folder: Path, said: str = "") -> str:
    """Run a command outside the project and return its output."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if name in {"PATH", "HOME", "LANG", "TMPDIR"} or name.startswith(("UV_", "PIP_", "SSL_"))
    }
    done = subprocess.run(
        command, cwd=folder, env=environment, input=said, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, f"{command}:\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a wheel that was built from the source archive, and of the archive."""
    folder = tmp_path_factory.mktemp("dist")
    run([UV, "build", "--quiet", "--out-dir", folder, ROOT], folder)
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    (found,) = built.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def tracked() -> list[str]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S607 - the git of the path
    if listed.returncode:
        pytest.skip("not a git repository")
    return listed.stdout.splitlines()


def test_the_wheel_holds_every_file_of_the_package_and_nothing_else(wheel: Path, tracked: list[str]) -> None:
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    package = {name for name in tracked if name.startswith("lms_tui/")}
    assert package <= held
    shared = f"lms_tui-{__version__}.data/data/share"
    assert {name for name in held - package if not name.startswith("lms_tui/pages/")} == {
        f"{shared}/man/man1/lms-tui.1",
        f"{shared}/bash-completion/completions/lms-tui",
        f"{shared}/zsh/site-functions/_lms-tui",
        f"{shared}/fish/vendor_completions.d/lms-tui.fish",
    }
    assert "lms_tui/py.typed" in held


def test_the_metadata_says_what_an_index_shows(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    told = message_from_bytes(archive.read(f"lms_tui-{__version__}.dist-info/METADATA"))
    assert told["Version"] == __version__
    assert told["License-Expression"] == "MIT AND OFL-1.1"
    assert {"LICENSE", "lms_tui/service/papers/fonts/OFL.txt"} == set(told.get_all("License-File", []))
    assert told["Keywords"]
    classifiers = told.get_all("Classifier", [])
    assert "Typing :: Typed" in classifiers
    assert "Programming Language :: Python :: 3.11" in classifiers
    assert not [name for name in classifiers if name.startswith("License ::")], "the expression says it"


def test_the_source_archive_holds_the_tests_and_no_working_files(built: Path, tracked: list[str]) -> None:
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        held = {name.partition("/")[2] for name in opened.getnames()}
    assert held <= {*tracked, "PKG-INFO"}
    assert {"tests/packaging/test_wheel.py", "CHANGELOG.md", "uv.lock", "docs/student.md"} <= held


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the commands of a new environment with the wheel and what it needs."""
    folder = tmp_path_factory.mktemp("clean")
    locked = run([UV, "export", "--quiet", "--frozen", "--no-emit-project", "--no-hashes", "--no-dev"], ROOT)
    (folder / "locked.txt").write_text(locked, encoding="utf-8")
    run([UV, "venv", "--quiet", "--python", sys.executable, folder / "venv"], folder)
    options: list[str | Path] = ["--quiet", "--python", folder / "venv", "--constraint", folder / "locked.txt"]
    run([UV, "pip", "install", *options, wheel], folder)
    return folder / "venv" / "bin"


def test_the_program_runs_without_the_project(installed: Path, tmp_path: Path) -> None:
    program = installed / "lms-tui"
    assert run([program, "--version"], tmp_path).strip() == f"lms-tui {__version__}"
    (tmp_path / "sum.gift").write_text(EXAM)
    assert "1 question" in run([program, "exam", "check", "sum.gift"], tmp_path)
    run([program, "exam", "new", "new.yaml"], tmp_path)
    assert "0 errors" in run([program, "exam", "check", "new.yaml"], tmp_path)
    assert "# " not in run([program, "help", "student"], tmp_path)[:2]
    where = run([installed / "python", "-c", "import lms_tui; print(lms_tui.__file__)"], tmp_path)
    assert where.startswith(str(installed.parent))


def test_the_demo_runs_as_lines(installed: Path, tmp_path: Path) -> None:
    said = run([installed / "lms-tui", "demo", "--plain", "--data-dir", tmp_path / "data"], tmp_path, said="q\n")
    assert "Number Sense" in said


def test_a_walk_holds_every_rule(installed: Path, tmp_path: Path) -> None:
    said = run([installed / "lms-tui", "walk", "--json", "--data-dir", tmp_path / "data"], tmp_path)
    assert json.loads(said)["holds"]
