"""Makes one archive with the program and its own Python, for computers without Python:

    uv run python scripts/bundle.py [--out dist]

PyInstaller collects the wheel, the libraries of uv.lock and the Python that runs this script. The archive works on this
system and kind of processor, with a C library that is as new as the one here.
"""

import argparse
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
UV: Final = os.environ.get("UV") or shutil.which("uv") or "uv"
_PACKER: Final = "pyinstaller>=6.22,<7"
_COLLECTED: Final = (
    "--collect-all=lms_tui",  # Alembic and the styles read files
    "--collect-all=textual",
    "--collect-submodules=uvicorn",  # imported by name
    "--collect-submodules=anyio",
    "--hidden-import=sqlalchemy.dialects.sqlite",
)

_STRIP: Final = ("--strip",) if sys.platform == "linux" else ()
"""Leave out the symbols for debuggers, which are most of some Pythons."""


def run(*command: str | Path, folder: Path = ROOT) -> str:
    """Run a program and return its output. A failure ends this script with what it said."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def environment(folder: Path) -> Path:
    """Return the folder of the commands of a new environment with the wheel, the locked libraries and the packer."""
    locked, venv = folder / "locked.txt", folder / "venv"
    export = ("export", "--quiet", "--frozen", "--no-emit-project", "--no-hashes", "--no-dev")
    locked.write_text(run(UV, *export), encoding="utf-8")
    run(UV, "build", "--quiet", "--wheel", "--out-dir", folder, ROOT)
    run(UV, "venv", "--quiet", "--python", sys.executable, venv)
    (wheel,) = folder.glob("*.whl")
    run(UV, "pip", "install", "--quiet", "--python", venv, "--constraint", locked, wheel, _PACKER)
    return venv / ("Scripts" if sys.platform == "win32" else "bin")


def copy_licences(commands: Path, target: Path) -> None:
    """Copy the licences of Python and of each library."""
    code = (
        "from importlib.metadata import distributions\n"
        "for each in distributions():\n"
        "    for file in each.files or ():\n"
        "        if '.dist-info' in str(file) and file.stem.upper().startswith(('LICEN', 'COPYING', 'NOTICE')):\n"
        "            print(each.name, file.locate(), sep='\\t')\n"
    )
    for line in run(commands / "python", "-c", code).splitlines():
        name, file = line.split("\t")
        shutil.copyfile(file, _free(target, f"{name}-{Path(file).name}"))
    python = Path(sysconfig.get_path("stdlib")) / "LICENSE.txt"
    if python.is_file():
        shutil.copyfile(python, target / "Python-LICENSE.txt")


def _free(folder: Path, name: str) -> Path:
    """Return the path of a name that is not taken in a folder."""
    folder.mkdir(exist_ok=True)
    number = 1
    while (path := folder / (name if number == 1 else f"{name}.{number}")).exists():
        number += 1
    return path


def bundle(out: Path) -> Path:
    """Return the folder of the program, beside its archive."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        commands = environment(folder)
        version = run(commands / "lms-tui", "--version").split()[-1]
        target = out / f"lms-tui-{version}-{sys.platform}-{platform.machine().lower()}"
        run(
            *(commands / "pyinstaller", "--onedir", "--noconfirm", "--name", "lms-tui", *_COLLECTED, *_STRIP),
            *("--distpath", folder / "made", "--workpath", folder / "work", "--specpath", folder),
            ROOT / "scripts" / "bundle_entry.py",
            folder=folder,  # beside the project, its source would be taken in place of the wheel
        )
        out.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(target, ignore_errors=True)
        shutil.move(folder / "made" / "lms-tui", target)
        copy_licences(commands, target / "licenses")
    with tarfile.open(f"{target}.tar.gz", "w:gz") as archive:
        archive.add(target, target.name)
    return target


def main() -> int:
    parser = argparse.ArgumentParser(description="Make one archive with the program and its own Python.")
    parser.add_argument("--out", type=Path, default=Path("dist"), metavar="DIR", help="default: dist")
    if not sysconfig.get_config_var("Py_ENABLE_SHARED") and sys.platform == "linux":
        sys.exit("This Python has no shared library, which PyInstaller needs. Use the Python of the system.")
    target = bundle(parser.parse_args().out.absolute())
    size = sum(path.stat().st_size for path in target.rglob("*") if path.is_file() and not path.is_symlink())
    archive = Path(f"{target}.tar.gz")
    print(f"{archive}: {archive.stat().st_size / 1e6:.0f} MB, {size / 1e6:.0f} MB unpacked")
    return 0


if __name__ == "__main__":
    sys.exit(main())
