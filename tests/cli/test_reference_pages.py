"""The reference pages of `docs/` say what the program does, and every example of a command can be typed."""

import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from lms_tui.cli import build_parser, main
from lms_tui.commands.examples import examples
from lms_tui.reference.command_pages import every_command
from lms_tui.reference.pages import made_pages

ROOT = Path(__file__).parents[2]
MADE = ["docs/api.md", "docs/commands.md", "docs/json.md", "docs/keys.md", "man/lms-tui.1"]
COMMANDS = list(every_command(build_parser()))
LINES = [line for lines in examples().values() for line in lines.splitlines()]


@pytest.fixture(scope="module")
def made() -> dict[str, str]:
    return made_pages()


@pytest.mark.parametrize("name", MADE)
def test_the_page_equals_the_made_page(made: dict[str, str], name: str) -> None:
    told = (ROOT / name).read_text(encoding="utf-8")
    assert told == made[name], "run `make reference` and look at what changed"


def test_there_is_a_test_for_every_made_page(made: dict[str, str]) -> None:
    assert sorted(made) == MADE


def test_every_command_that_does_something_has_an_example() -> None:
    doing = [parser.prog for parser in COMMANDS if not parser.commands]
    assert [prog for prog in doing if prog not in examples()] == []
    assert set(examples()) <= {parser.prog for parser in COMMANDS}


@pytest.mark.parametrize("line", LINES)
def test_every_example_can_be_typed(line: str) -> None:
    program, *words = shlex.split(line, comments=True)
    typed = words[: next((place for place, word in enumerate(words) if word in {"<", ">"}), len(words))]
    assert program == "lms-tui"
    options = build_parser().parse(typed)
    assert callable(options.run)


def test_every_example_is_below_its_command() -> None:
    for prog, lines in examples().items():
        assert all(f"{line} ".startswith(f"{prog} ") for line in lines.splitlines()), prog
        assert max(map(len, lines.splitlines())) <= 100, prog


def test_help_ends_with_the_examples(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "exam", "time"]) == 0
    shown = capsys.readouterr().out
    assert "\nexamples:\n  lms-tui exam time final --add 10 " in shown


def test_the_manual_page_has_every_command_and_no_text_that_roff_obeys(made: dict[str, str]) -> None:
    page = made["man/lms-tui.1"]
    assert page.isascii()
    assert page.count("\n.SS ") == len(COMMANDS) - 1
    requests = {line.split()[0] for line in page.splitlines() if line.startswith((".", "'"))}
    assert requests == {".TH", ".SH", ".SS", ".TP", ".PP", ".B", ".nf", ".fi"}


@pytest.mark.skipif(shutil.which("groff") is None, reason="needs groff")
def test_groff_reads_the_manual_page_without_warnings() -> None:
    command = ["groff", "-ww", "-man", "-Tutf8", str(ROOT / "man/lms-tui.1")]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ended.stderr == ""
    assert "real timed exams in the terminal" in ended.stdout


def test_every_option_is_on_the_page_of_commands(made: dict[str, str]) -> None:
    page = made["docs/commands.md"]
    for parser in COMMANDS:
        section = page.partition(f"## `{parser.prog}")[2].partition("\n## ")[0]
        names = [option for each in parser.arguments for option in each.option_strings]
        assert [
            name for name in names if name not in {"-h", "--help", "--data-dir", "--verbose"} and name not in section
        ] == []
