"""Makes a Debian package from a bundle of `scripts/bundle.py`:

    uv run python scripts/deb.py [BUNDLE]

The package holds the program, its manual page, the completion of three shells, the licences and the changes. It needs
the C library only. DEBFULLNAME and DEBEMAIL name the maintainer, as for the tools of Debian.
"""

import argparse
import gzip
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from email.utils import formatdate
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
_COPIED: Final = {
    "completion/lms-tui.bash": "usr/share/bash-completion/completions/lms-tui",
    "completion/_lms-tui": "usr/share/zsh/vendor-completions/_lms-tui",
    "completion/lms-tui.fish": "usr/share/fish/vendor_completions.d/lms-tui.fish",
}
_CONTROL: Final = """Package: lms-tui
Version: {version}
Architecture: {architecture}
Maintainer: {maintainer}
Installed-Size: {size}
Depends: libc6 (>= {libc})
Section: education
Priority: optional
Description: timed exams in the terminal
 A student signs in to an institute, takes timed exams with the keyboard,
 and reads results and reviews. An answer shows as saved when it is durable
 on the computer, and as sent when the server has confirmed it.
 .
 The package also has the service for an institute, tools for exam files,
 and tools that test a server.
"""
_COPYRIGHT: Final = """Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: lms-tui
Comment: The folder /usr/lib/lms-tui holds Python and the libraries of the
 program. Their licences are in /usr/lib/lms-tui/licenses.

Files: *
Copyright: 2026 The lms-tui authors
License: Expat

License: Expat
{licence}
"""
_CHANGES: Final = """lms-tui ({version}) unstable; urgency=medium

  * The changes of this version are in changelog.gz.

 -- {maintainer}  {date}
"""
_OVERRIDES: Final = """# The program is tested with these versions of Python and of its libraries.
lms-tui: embedded-library
lms-tui: library-not-linked-against-libc
# PyInstaller made the folder /usr/lib/lms-tui. Its libraries find each other by their place in it.
lms-tui: custom-library-search-path
lms-tui: shared-library-lacks-prerequisites
# Wheels are built with other flags than those of Debian.
lms-tui: hardening-no-fortify-functions
lms-tui: hardening-no-bindnow
lms-tui: hardening-no-pie
# A printed review looks the same on every computer.
lms-tui: duplicate-font-file
# Debian does not distribute the package.
lms-tui: initial-upload-closes-no-bugs
"""


def newest_bundle() -> Path:
    found = sorted(ROOT.glob("dist/lms-tui-*/lms-tui"), key=lambda path: path.stat().st_mtime)
    if not found:
        sys.exit("There is no bundle. Run `make bundle` first.")
    return found[-1].parent


def write(file: Path, data: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)


def compressed(text: str) -> bytes:
    return gzip.compress(text.encode(), 9, mtime=0)


def fill(tree: Path, bundle: Path, version: str, maintainer: str) -> None:
    """Put all files into the tree of the package."""
    program = tree / "usr/lib/lms-tui"
    shutil.copytree(bundle, program, symlinks=True)
    (tree / "usr/bin").mkdir(parents=True)
    (tree / "usr/bin/lms-tui").symlink_to("../lib/lms-tui/lms-tui")
    for source, target in _COPIED.items():
        write(tree / target, (ROOT / source).read_bytes())
    write(tree / "usr/share/man/man1/lms-tui.1.gz", compressed((ROOT / "man/lms-tui.1").read_text("utf-8")))
    doc = tree / "usr/share/doc/lms-tui"
    licence = "".join(f" {line.strip() or '.'}\n" for line in (ROOT / "LICENSE").read_text("utf-8").splitlines()[2:])
    write(doc / "copyright", _COPYRIGHT.format(licence=licence.strip("\n").removeprefix(" .\n")).encode())
    write(doc / "changelog.gz", compressed((ROOT / "CHANGELOG.md").read_text("utf-8")))
    date = formatdate(float(os.environ.get("SOURCE_DATE_EPOCH", time.time())))
    changes = _CHANGES.format(version=version, maintainer=maintainer, date=date)
    write(doc / "changelog.Debian.gz", compressed(changes))
    write(tree / "usr/share/lintian/overrides/lms-tui", _OVERRIDES.encode())
    for path in (tree, *tree.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path == program / "lms-tui" else 0o644)


def control(tree: Path, version: str, architecture: str, maintainer: str) -> None:
    """Describe the package, and list the digests of its files."""
    files = sorted(path for path in tree.rglob("*") if path.is_file() and not path.is_symlink())
    size = sum(-(-path.stat().st_size // 1024) for path in files)
    text = _CONTROL.format(
        version=version, architecture=architecture, maintainer=maintainer, size=size, libc=platform.libc_ver()[1]
    )
    sums = [f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(tree)}\n" for path in files]  # noqa: S324 - dpkg reads these
    (tree / "DEBIAN").mkdir(mode=0o755)
    for name, content in (("control", text), ("md5sums", "".join(sums))):
        write(tree / "DEBIAN" / name, content.encode())
        (tree / "DEBIAN" / name).chmod(0o644)


def run(*command: str | Path) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def package(bundle: Path, out: Path) -> Path:
    """Return the package of a bundle."""
    told = run(bundle / "lms-tui", "--version").split()[-1]
    version = re.sub(r"(?<=[0-9])(a|b|rc)", r"~\1", told) + "-1"  # ~: before the version itself
    architecture = run("dpkg", "--print-architecture")
    name, address = os.environ.get("DEBFULLNAME", "The lms-tui authors"), os.environ.get("DEBEMAIL", "root@localhost")
    maintainer = f"{name} <{address}>"
    file = out / f"lms-tui_{version}_{architecture}.deb"
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "lms-tui"
        tree.mkdir()
        fill(tree, bundle, version, maintainer)
        control(tree, version, architecture, maintainer)
        run("dpkg-deb", "--root-owner-group", "-Zxz", "--build", tree, file)
    return file


def main() -> int:
    parser = argparse.ArgumentParser(description="Make a Debian package from a bundle.")
    parser.add_argument("bundle", type=Path, nargs="?", help="default: the newest in dist/")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", metavar="DIR", help="default: dist")
    if not shutil.which("dpkg-deb"):
        sys.exit("dpkg-deb is missing. Install the package dpkg.")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    file = package(given.bundle or newest_bundle(), given.out)
    print(f"{file}: {file.stat().st_size / 1e6:.0f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
