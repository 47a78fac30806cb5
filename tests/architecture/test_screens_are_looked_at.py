"""No screen comes into the program without a picture of it that somebody looked at."""

import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.screen import Screen

import lms_tui.tui
from tests.fakes.looks import FOLDER, SIZES, THEMES

BASES = {
    *("CommandScreen", "ListScreen", "FilteredScreen", "SortedScreen", "BrowseScreen", "ExamsScreen", "_CourseBrowser"),
    *("KeyedModal", "DialogBox"),
    *(
        "ViewCommands",
        "AidCommands",
        "AnswerCommands",
        "HighlightCommands",
        "LeaveCommands",
        "MoveCommands",
        "NoteCommands",
    ),
}
"""Screens that are never shown themselves."""
TESTS = Path(__file__).parents[1] / "tui"


def known(base: type[object]) -> Iterator[str]:
    kinds: list[type[object]] = base.__subclasses__()
    for kind in kinds:
        if kind.__module__.startswith("lms_tui."):
            yield kind.__name__
        yield from known(kind)


def kept() -> dict[str, list[str]]:
    return {file.stem: file.read_text(encoding="utf-8").splitlines() for file in FOLDER.glob("*.txt")}


@pytest.mark.parametrize("size", SIZES)
def test_every_screen_class_has_a_snapshot_at_each_size_in_each_theme(size: tuple[int, int]) -> None:
    for module in pkgutil.walk_packages(lms_tui.tui.__path__, "lms_tui.tui."):
        importlib.import_module(module.name)
    looked_at = {
        lines[0]
        for name, lines in kept().items()
        if name.endswith(f"-{size[0]}x{size[1]}") and all(f"═══ {theme}" in lines for theme in THEMES)
    }
    assert set(known(Screen)) - BASES <= looked_at


def test_every_snapshot_is_compared_by_a_test() -> None:
    names = {stem.rpartition("-")[0].removeprefix("institute-").removeprefix("exam-") for stem in kept()}
    source = "".join(file.read_text(encoding="utf-8") for file in TESTS.glob("test_*.py"))
    assert not [name for name in names if f'"{name}"' not in source and f'-{name}"' not in source]
