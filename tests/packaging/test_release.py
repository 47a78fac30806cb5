"""`scripts/release.py` on a copy of the repository."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lms_tui import __version__

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow


def git(folder: Path, *words: str) -> str:
    command = ("git", "-c", "user.name=Tester", "-c", "user.email=tester@school.example", *words)
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a clean copy of the repository, with the changes that are not committed yet."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a git repository")
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],  # noqa: S607 - the git of the path
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    folder = tmp_path / "copy"
    for name in listed.stdout.splitlines():
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    git(folder.parent, "init", "--quiet", "--initial-branch", "main", str(folder))
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "start: a copy")
    return folder


def release(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    author = {
        f"GIT_{who}_{what}": "tester@school.example" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
    }
    return subprocess.run(
        [sys.executable, "scripts/release.py", *words, "--date", "2026-12-01"],
        cwd=folder, env={**os.environ, **author}, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_a_release_has_its_files_its_heading_and_its_tag(copy: Path) -> None:
    done = release(copy, __version__)
    assert done.returncode == 0, done.stderr
    assert "To publish" in done.stdout
    names = {path.name for path in (copy / "dist").iterdir()}
    files = {f"lms_tui-{__version__}{end}" for end in ("-py3-none-any.whl", ".tar.gz", ".cdx.json")}
    assert names == {*files, "SHA256SUMS"}
    for line in (copy / "dist" / "SHA256SUMS").read_text().splitlines():
        digest, name = line.split()
        assert hashlib.sha256((copy / "dist" / name).read_bytes()).hexdigest() == digest
    libraries = json.loads((copy / "dist" / f"lms_tui-{__version__}.cdx.json").read_text("utf-8"))
    assert libraries["bomFormat"] == "CycloneDX"
    assert libraries["metadata"]["component"]["name"] == "lms-tui"
    assert {"textual", "httpx", "sqlalchemy"} <= {part["name"].lower() for part in libraries["components"]}
    assert f"## {__version__} (2026-12-01)" in (copy / "CHANGELOG.md").read_text("utf-8")
    assert git(copy, "status", "--porcelain") == ""
    assert git(copy, "rev-parse", f"v{__version__}^{{commit}}") == git(copy, "rev-parse", "HEAD")
    again = release(copy, __version__)
    assert again.returncode == 1
    assert "already" in again.stderr


def test_a_release_is_refused_and_changes_nothing(copy: Path) -> None:
    for version, reason in (("1", "not a version"), ("0.2", "not a version")):
        assert reason in release(copy, version).stderr
    (copy / "new.txt").touch()
    assert "not committed" in release(copy, "0.2.0").stderr
    (copy / "new.txt").unlink()
    changes = copy / "CHANGELOG.md"
    changes.write_text(changes.read_text("utf-8").replace(" (not yet released)", " (2020-01-01)"), "utf-8")
    git(copy, "commit", "--quiet", "--all", "--message", "changes: none")
    assert "not yet released" in release(copy, "0.2.0").stderr
    assert git(copy, "status", "--porcelain") == ""
    assert git(copy, "tag", "--list") == ""


def test_a_release_that_fails_leaves_the_repository_as_it_was(copy: Path) -> None:
    head = git(copy, "rev-parse", "HEAD")
    project = copy / "pyproject.toml"
    project.write_text(project.read_text("utf-8").replace("hatchling.build", "hatchling.missing"), "utf-8")
    git(copy, "commit", "--quiet", "--all", "--message", "build: break it")
    broken = git(copy, "rev-parse", "HEAD")
    assert broken != head
    done = release(copy, __version__)
    assert done.returncode == 1
    assert "uv build" in done.stderr or "hatchling" in done.stderr
    assert git(copy, "rev-parse", "HEAD") == broken
    assert git(copy, "status", "--porcelain") == ""
    assert git(copy, "tag", "--list") == ""
