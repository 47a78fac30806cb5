"""Makes a release on this computer, and publishes nothing:

    uv run python scripts/release.py 0.2.0

It sets the version and the heading of CHANGELOG.md, keeps the files of this version as test data, builds the wheel and
the source archive, writes a list of the libraries (SBOM, CycloneDX) and the checksums, commits, and tags the commit. If
a step fails, the repository is as it was.
"""

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final

_VERSION: Final = re.compile(r"\d+\.\d+\.\d+(?:(?:a|b|rc)\d+)?")
_HEADING: Final = re.compile(r"^## \S+ \(not yet released\)$", re.MULTILINE)
_CODE: Final = re.compile(r'^__version__ = "([^"]+)"$', re.MULTILINE)
_FILES: Final = ("lms_tui/__init__.py", "CHANGELOG.md", "tests/upgrades/kept")
_LISTER: Final = "cyclonedx-bom>=7.5,<8"
UV: Final = os.environ.get("UV") or shutil.which("uv") or "uv"
"""`uv run` names itself in the variable."""


class ReleaseError(Exception):
    """The release cannot be made. The repository is as it was."""


def run(*command: str | Path, folder: Path, environment: Mapping[str, str] | None = None) -> str:
    """Run a program and return its output. Raises ReleaseError with what it said."""
    known = {**os.environ, **(environment or {})}
    done = subprocess.run(command, cwd=folder, env=known, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ReleaseError(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def check(root: Path, version: str) -> None:
    """Refuse what cannot be undone later: a dirty tree, a known tag, a version without changes."""
    if not _VERSION.fullmatch(version):
        raise ReleaseError(f"{version!r} is not a version. Write it like 0.2.0 or 0.2.0rc1.")
    if changed := run("git", "status", "--porcelain", folder=root):
        raise ReleaseError(f"There are changes that are not committed. Commit or remove them:\n{changed}")
    if run("git", "tag", "--list", f"v{version}", folder=root):
        raise ReleaseError(f"There is a tag v{version} already. Choose another version.")
    if not _HEADING.search((root / "CHANGELOG.md").read_text("utf-8")):
        raise ReleaseError("CHANGELOG.md has no heading “## VERSION (not yet released)”. Write what has changed.")


def set_version(root: Path, version: str, day: date) -> None:
    code, changes = root / _FILES[0], root / _FILES[1]
    code.write_text(_CODE.sub(f'__version__ = "{version}"', code.read_text("utf-8")), "utf-8")
    changes.write_text(_HEADING.sub(f"## {version} ({day})", changes.read_text("utf-8"), count=1), "utf-8")


def keep_files(root: Path, version: str) -> None:
    """Let this version write the files that later versions must open, unless they are there."""
    if not (root / _FILES[2] / f"{version}.json").exists():
        run(sys.executable, "-m", "tests.upgrades.make", folder=root)


def build(root: Path, out: Path, day: date) -> list[Path]:
    """Build the source archive, and the wheel from it. Both are the same on every computer."""
    midnight = datetime(day.year, day.month, day.day, tzinfo=UTC)
    run(
        *(UV, "build", "--quiet", "--out-dir", out, root),
        folder=root,
        environment={"SOURCE_DATE_EPOCH": str(int(midnight.timestamp()))},
    )
    return sorted((*out.glob("*.whl"), *out.glob("*.tar.gz")))


def list_libraries(root: Path, wheel: Path, target: Path) -> None:
    """Write the CycloneDX list of the libraries of uv.lock, as an environment with the wheel has them."""
    with tempfile.TemporaryDirectory() as name:
        locked, venv = Path(name, "locked.txt"), Path(name, "venv")
        export = ("export", "--quiet", "--frozen", "--no-emit-project", "--no-hashes", "--no-dev")
        locked.write_text(run(UV, *export, folder=root), "utf-8")
        run(UV, "venv", "--quiet", "--python", sys.executable, venv, folder=root)
        run(
            *(UV, "pip", "install", "--quiet", "--python", venv, "--constraint", locked, wheel),
            folder=root,
        )
        run(
            *(UV, "tool", "run", "--quiet", "--from", _LISTER, "cyclonedx-py", "environment"),
            *("--output-reproducible", "--mc-type", "application"),
            *("--pyproject", root / "pyproject.toml", "--output-file", target, venv),
            folder=root,
        )


def write_checksums(files: list[Path], target: Path) -> None:
    lines = (f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in sorted(files))
    target.write_text("".join(lines), "ascii")


def release(root: Path, version: str, out: Path, day: date) -> list[Path]:
    """Make the release and return its files. Raises ReleaseError."""
    check(root, version)
    with tempfile.TemporaryDirectory() as name:
        drafts = Path(name)
        try:
            set_version(root, version, day)
            keep_files(root, version)
            files = build(root, drafts, day)
            wheel = next(file for file in files if file.suffix == ".whl")
            libraries = drafts / f"lms_tui-{version}.cdx.json"
            list_libraries(root, wheel, libraries)
            files.append(libraries)
            write_checksums(files, drafts / "SHA256SUMS")
            run("git", "add", *_FILES, folder=root)
            run("git", "commit", "--quiet", "--message", f"release: version {version}", folder=root)
        except BaseException:
            run("git", "reset", "--quiet", "--hard", folder=root)
            run("git", "clean", "--quiet", "--force", "-d", _FILES[2], folder=root)
            raise
        run("git", "tag", "--annotate", f"v{version}", "--message", f"Version {version}", folder=root)
        out.mkdir(parents=True, exist_ok=True)
        return [Path(shutil.copy(file, out)) for file in (*files, drafts / "SHA256SUMS")]


def main() -> int:
    parser = argparse.ArgumentParser(description="Make a release on this computer. Nothing is published.")
    parser.add_argument("version", help="such as 0.2.0")
    parser.add_argument("--out", type=Path, default=Path("dist"), metavar="DIR", help="default: dist")
    today = datetime.now(UTC).date()
    parser.add_argument("--date", type=date.fromisoformat, default=today, metavar="DAY", help="default: today (UTC)")
    options = parser.parse_args()
    root = Path.cwd()
    try:
        files = release(root, options.version, root / options.out, options.date)
    except ReleaseError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    for file in files:
        print(file.relative_to(root) if file.is_relative_to(root) else file)
    print(f"Committed, and tagged as v{options.version}. To publish, push the tag and upload these files.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
