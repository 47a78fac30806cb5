"""The README and the pages of docs/ name only what exists."""

import re
from pathlib import Path

import pytest
import yaml

from lms_tui.cli import build_parser
from lms_tui.tui.commands import COMMANDS, Where

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_picture_and_page_that_a_page_links_to_exists(page: Path) -> None:
    links = re.findall(r"\]\(((?!https?:)[^)#]+)\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_readme_fits_on_120_lines_and_links_to_every_page() -> None:
    assert len(README.splitlines()) <= 120
    assert [page.name for page in PAGES[2:] if f"(docs/{page.name})" not in README] == []


def test_the_index_and_the_site_have_every_page() -> None:
    names = {page.name for page in PAGES[2:]}
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    site = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"]
    listed = [name for part in site for name in ([part] if isinstance(part, str) else next(iter(part.values())))]
    assert {name for name in names if f"]({name})" not in index} == {"index.md"}
    assert sorted(listed) == sorted({*names, "CHANGELOG.md", "CONTRIBUTING.md"})


def test_every_picture_of_a_screen_is_shown_on_a_page() -> None:
    shown = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert [p.name for p in sorted((ROOT / "screenshots").glob("*.svg")) if p.name not in shown] == []


def test_every_picture_loads_nothing_from_elsewhere() -> None:
    pictures = sorted((ROOT / "screenshots").glob("*.svg"))
    assert pictures
    assert [p.name for p in pictures if "url(" in re.sub(r"url\(#[^)]*\)", "", p.read_text(encoding="utf-8"))] == []


def test_ci_runs_the_test_command_of_the_readme() -> None:
    command = re.search(r"^python3 -m pip install .* pytest -n 2$", README, re.MULTILINE)
    assert command
    assert command[0] in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "command",
    sorted(
        {
            name
            for page in PAGES
            for name in re.findall(r"^lms-tui ([a-z][a-z-]*)", page.read_text("utf-8"), re.MULTILINE)
        }
    ),
)
def test_every_command_that_a_page_names_is_known(command: str) -> None:
    with pytest.raises(SystemExit) as ended:
        build_parser().parse_args([command, "--help"])
    assert ended.value.code == 0


def test_every_key_of_the_students_table_is_a_key_of_the_exam() -> None:
    student = (ROOT / "docs" / "student.md").read_text(encoding="utf-8")
    table = student.partition("## Keys of an exam")[2].partition("\n\nAll keys")[0]
    shown = {key for row in re.findall(r"^\|(.+)\|$", table, re.MULTILINE)[2:] for key in re.findall(r"`([^`]+)`", row)}
    known = {"a", "e", "1", "9"}
    for command in COMMANDS:
        if {Where.RUNNER, Where.EVERYWHERE}.intersection(command.where):
            known |= {*command.keys.split(","), command.sequence, command.keys_label()}
    assert shown - known - {"?"} == set()


def test_every_module_that_the_makefile_runs_exists() -> None:
    modules = re.findall(r"-m ((?:tests|benchmarks)\.[a-z]+)", README)
    assert len(modules) >= 4
    for module in modules:
        path = ROOT / module.replace(".", "/")
        assert path.with_suffix(".py").is_file() or (path / "__main__.py").is_file()
