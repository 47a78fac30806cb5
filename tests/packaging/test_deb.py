"""The Debian package of a bundle, installed in a folder. `make deb` makes both and runs this test.

LMS_TUI_DEB names the package. Without it, the newest one in dist/ is tested.
"""

import gzip
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from lms_tui import __version__

ROOT = Path(__file__).parents[2]
_OWN_ADDRESS = "bogus-mail-host,bogus-mail-host-in-debian-changelog,root-in-contact"
"""Complaints about the address of the maintainer, which DEBEMAIL gives."""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def package() -> Path:
    found = sorted(ROOT.glob("dist/lms-tui_*.deb"), key=lambda path: path.stat().st_mtime)
    package = Path(os.environ.get("LMS_TUI_DEB") or (found[-1] if found else ""))
    if not package.is_file():
        pytest.skip("there is no Debian package: make deb")
    return package


@pytest.fixture(scope="module")
def installed(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder in which the package is unpacked."""
    folder = tmp_path_factory.mktemp("root")
    subprocess.run(["dpkg-deb", "--extract", package, folder], check=True)  # noqa: S607 - the dpkg of the path
    return folder


def test_the_program_runs_from_its_command_without_python(installed: Path) -> None:
    environment = {"PATH": "/nowhere", "LANG": "C.UTF-8"}
    said = subprocess.run(
        [installed / "usr/bin/lms-tui", "--version"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    assert said.stdout == f"lms-tui {__version__}\n"


def test_the_package_has_the_manual_the_completion_and_the_licences(installed: Path) -> None:
    manual = gzip.decompress((installed / "usr/share/man/man1/lms-tui.1.gz").read_bytes())
    assert manual == (ROOT / "man/lms-tui.1").read_bytes()
    for shell in ("bash-completion/completions/lms-tui", "zsh/vendor-completions/_lms-tui"):
        assert (installed / "usr/share" / shell).is_file()
    assert (installed / "usr/share/fish/vendor_completions.d/lms-tui.fish").is_file()
    assert "License: Expat" in (installed / "usr/share/doc/lms-tui/copyright").read_text()
    licences = {path.name.partition("-")[0] for path in (installed / "usr/lib/lms-tui/licenses").iterdir()}
    assert {"Python", "textual", "SQLAlchemy", "cryptography"} <= licences


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root installs packages")
def test_dpkg_installs_and_removes_it(package: Path, tmp_path: Path) -> None:
    admin = tmp_path / "var/lib/dpkg"
    for folder in ("info", "updates", "triggers"):
        (admin / folder).mkdir(parents=True)
    for file in ("status", "available"):
        (admin / file).touch()
    dpkg = ["dpkg", f"--root={tmp_path}", f"--log={tmp_path}/log", "--force-depends", "--force-not-root"]
    subprocess.run([*dpkg, "--install", package], check=True, capture_output=True)
    assert (tmp_path / "usr/bin/lms-tui").resolve() == tmp_path / "usr/lib/lms-tui/lms-tui"
    subprocess.run([*dpkg, "--remove", "lms-tui"], check=True, capture_output=True)
    assert not (tmp_path / "usr/lib/lms-tui").exists()


@pytest.mark.skipif(shutil.which("lintian") is None, reason="lintian is not installed here (apt-get install lintian)")
def test_lintian_finds_nothing(package: Path) -> None:
    command = ["lintian", "--no-cfg", "--allow-root", "--suppress-tags", _OWN_ADDRESS, str(package)]
    found = subprocess.run(command, capture_output=True, text=True, check=False, timeout=3000)
    assert found.stdout == ""
    assert found.returncode == 0, found.stderr
