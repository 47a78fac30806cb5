"""`docs/settings.md` says what the program reads."""

import re
from dataclasses import fields
from pathlib import Path

from lms_tui.cli import build_parser
from lms_tui.commands.settings_page import page
from lms_tui.common.settings import Paths, Settings, load
from lms_tui.tui.commands import known_ids
from lms_tui.views.settings import OPTIONS, SECTIONS

PAGE = Path(__file__).parents[2] / "docs" / "settings.md"


def test_the_page_equals_the_generated_page() -> None:
    told = PAGE.read_text(encoding="utf-8")
    assert told == page(), "run `uv run python -m lms_tui.commands.settings_page` and look at what changed"


def test_the_page_has_every_section_of_the_settings() -> None:
    sections = {name for name, _ in SECTIONS} | {"keys"}
    assert sections == {spec.name for spec in fields(Settings)} - {"paths", "fixed", "local"}


def test_every_command_on_the_page_can_be_given_keys() -> None:
    named = set(re.findall(r"^\| `([a-z_]+(?:\.\d+)?)` \|", page().partition("## `[keys]`")[2], re.MULTILINE))
    assert named == known_ids()


def test_the_defaults_on_the_page_are_the_defaults(tmp_path: Path) -> None:
    lines = []
    for name, model in SECTIONS:
        lines.append(f"[{name}]")
        part = page().partition(f"## `[{name}]`")[2].partition("## ")[0]
        told = dict(re.findall(r"^\| `(\w+)` \| .*? \| `([^`]+)` \|", part, re.MULTILINE))
        assert set(told) == {spec.name for spec in fields(model)}
        lines += [f"{key} = {value}" for key, value in told.items()]
    paths = Paths(tmp_path / "data", tmp_path / "config", tmp_path)
    paths.config.mkdir()
    paths.settings.write_text("\n".join(lines))
    assert load(paths, {}) == Settings(paths)


def test_the_page_names_existing_options_only(tmp_path: Path) -> None:
    words = [f"--{name.replace('_', '-')}" for name in sorted(OPTIONS - {"theme"})]
    options = build_parser().parse_args(["demo", *words, "--theme", "light"])
    assert all(hasattr(options, name) for name in OPTIONS)
