"""`lms-tui help TOPIC`: pages of the manual, sections of them, and what is near a wrong topic."""

import os
import pty
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from lms_tui.cli import main
from lms_tui.commands.manual import Page, near, pages, text_of
from lms_tui.commands.manual_text import for_terminals

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "lms_tui").rglob("*.py"))
DOCS = sorted((ROOT / "docs").glob("*.md"))
TABLE = """# Page

<!-- Made by a program. -->
| ![One](one.svg) | ![Two](two.svg) |
|---|---|
| ![Three](three.svg) | |

![A picture](../screenshots/home.svg)

Read [the walk](walk.md#time) and [a page](https://example.org/).

```
![not a picture](x.svg)
```
"""


def test_every_page_is_listed_with_its_title(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help"]) == 0
    listed = capsys.readouterr().out.partition("pages of the manual:\n")[2]
    assert [line.split()[0] for line in listed.splitlines()] == [path.stem for path in DOCS]
    assert re.search(r"^  student +Taking an exam$", listed, re.MULTILINE)


@pytest.mark.parametrize("path", DOCS, ids=lambda path: path.stem)
def test_every_page_is_shown_as_plain_text(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", path.stem]) == 0
    shown = capsys.readouterr().out
    assert path.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ").replace("`", "") in shown
    assert "\x1b" not in shown
    assert "🌆" not in shown
    assert [line for line in shown.splitlines() if line != line.rstrip()] == []


def test_a_section_is_a_topic(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "Certificates"]) == 0
    shown = capsys.readouterr().out
    assert "--ca-file" in shown
    assert "Exam files" not in shown


def test_a_command_and_a_page_with_one_name_are_both_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "walk"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("usage: lms-tui walk")
    assert "Test a server with a walk" in shown


@pytest.mark.parametrize(
    ("topic", "told"),
    [
        ("exma", "No help on “exma”. Did you mean exam?"),
        ("studnet", "No help on “studnet”. Near it: student."),
        ("haproxy", "No help on “haproxy”. Near it: replication."),
        ("xyzzy", "No help on “xyzzy”.\n`lms-tui help` lists commands and pages."),
    ],
)
def test_a_wrong_topic_gets_what_is_near_it(topic: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["help", topic])
    assert ended.value.code == 2
    assert told in capsys.readouterr().err


def test_pictures_and_comments_are_left_out_and_links_name_topics() -> None:
    shown = for_terminals(TABLE)
    assert "<!--" not in shown
    assert "|" not in shown
    assert "A picture" not in shown
    assert "Read the walk (`lms-tui help walk`) and [a page](https://example.org/)." in shown
    assert "![not a picture](x.svg)" in shown


def test_a_section_ends_at_the_next_heading_of_its_level_and_code_has_no_headings() -> None:
    page = Page("one", "# One\n\n## First\ntext\n\n```\n# no heading\n```\n### Inner\nmore\n## Second\nend\n")
    assert [heading.text for heading in page.headings] == ["One", "First", "Inner", "Second"]
    assert page.section("first").endswith("### Inner\nmore")
    assert page.section("none") == ""


def test_a_section_name_of_two_pages_is_no_topic() -> None:
    known = (Page("one", "# One\n## Keys\n"), Page("two", "# Two\n## Keys\n"))
    assert text_of("keys", known) == ""
    assert near("keys", known) == ["one", "two"]


def test_every_topic_that_a_message_names_exists() -> None:
    text = "\n".join(source.read_text(encoding="utf-8") for source in SOURCES)
    named = set(re.findall(r"`lms-tui help ([a-z][a-z -]*)`", text))
    assert {"certificates", "extras", "exam-files"} <= named
    assert [topic for topic in named if not text_of(topic, pages())] == []
    messages = re.findall(r"(?<!\")\"[^\"\n]+ docs/[a-z-]+\.md", text)
    assert messages == []


def test_a_terminal_gets_colours_and_the_pager_of_the_user(tmp_path: Path) -> None:
    pager = tmp_path / "pager"
    pager.write_text("#!/bin/sh\necho PAGED\ncat\n", encoding="utf-8")
    pager.chmod(0o755)
    leader, follower = pty.openpty()
    environment = {**os.environ, "PAGER": str(pager), "TERM": "xterm-256color", "COLUMNS": "80"}
    environment.pop("NO_COLOR", None)
    command = [sys.executable, "-m", "lms_tui", "help", "certificates"]
    with subprocess.Popen(command, cwd=ROOT, stdin=follower, stdout=follower, stderr=follower, env=environment) as run:
        os.close(follower)
        shown = b""
        with os.fdopen(leader, "rb", buffering=0) as stream:
            try:
                while piece := stream.read(4096):
                    shown += piece
            except OSError:  # the last writer has closed the terminal
                pass
        assert run.wait(60) == 0
    assert b"PAGED" in shown
    assert b"\x1b[" in shown
    assert b"Certificates" in shown


@pytest.mark.slow
def test_the_wheel_has_every_page_and_shows_them_without_a_checkout(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    assert [path.name for path in sorted((tmp_path / "installed/lms_tui/pages").iterdir())] == [p.name for p in DOCS]
    assert list((tmp_path / "installed").glob("*.data/data/share/man/man1/lms-tui.1"))
    code = "import sys; from lms_tui.cli import main; sys.exit(main(['help', 'student']))"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "installed")}
    ended = subprocess.run(
        [sys.executable, "-P", "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    assert "Taking an exam" in ended.stdout
