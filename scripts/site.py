"""Build the site of docs/ in build/site. A link or a picture that does not exist fails the build.

The pages are read on code hosts as they are, so they link to pictures and pages beside docs/. The site has one folder.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGES = ROOT / "build" / "pages"
BESIDE = re.compile(r"\]\(\.\./((?:screenshots/[^)]+)|(?:CHANGELOG|CONTRIBUTING)\.md[^)]*)\)")
BELOW = re.compile(r"\]\(docs/")
PICTURES = re.compile(r"!\[[^\]]*\]\((?!https?:)([^)\s]+)\)")


def prepare() -> None:
    """Copy pages and pictures into one folder, with their links changed."""
    shutil.rmtree(PAGES, ignore_errors=True)
    shutil.copytree(ROOT / "docs", PAGES)
    shutil.copytree(ROOT / "screenshots", PAGES / "screenshots", ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    for name in ("CHANGELOG.md", "CONTRIBUTING.md"):
        shutil.copy(ROOT / name, PAGES / name)
    for page in PAGES.glob("*.md"):
        text = BELOW.sub("](", BESIDE.sub(r"](\1)", page.read_text(encoding="utf-8")))
        page.write_text(text, encoding="utf-8")


def missing_pictures() -> list[str]:
    """Return each picture that a page shows and that is not there."""
    shown = ((page, name) for page in PAGES.glob("*.md") for name in PICTURES.findall(page.read_text(encoding="utf-8")))
    return [f"{page.name}: {name}" for page, name in shown if not (PAGES / name).is_file()]


def main() -> int:
    prepare()
    if missing := missing_pictures():
        sys.stderr.write("Missing pictures:\n" + "\n".join(missing) + "\n")
        return 1
    # Zensical is strict about links and headings, and does not look at pictures.
    build = [sys.executable, "-m", "zensical", "build", "--strict"]
    return subprocess.run(build, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
