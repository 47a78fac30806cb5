"""A changed setting is written into a person's own file, whose comments and order stay."""

import stat
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lms_tui.common.settings import Paths, SettingsError, load
from lms_tui.common.settings_file import Value, change

OWN = """\
# my settings
[appearance]   # colours and such
  theme = 'light' # bright rooms
ascii=false

[keys]
"mark" = "f5,m"  # [not a table]

[runner]
# nothing yet
"""


def settings_file(folder: Path, text: str = OWN) -> Path:
    file = folder / "config" / "settings.toml"
    file.parent.mkdir(mode=0o700)
    file.write_text(text)
    return file


def test_a_value_is_replaced_in_its_line(tmp_path: Path) -> None:
    file = settings_file(tmp_path)
    change(file, "appearance", "theme", "nord")
    assert file.read_text() == OWN.replace("'light'", '"nord"')
    change(file, "keys", "mark", "f6")
    assert file.read_text() == OWN.replace("'light'", '"nord"').replace('"f5,m"', '"f6"')


def test_a_new_value_stands_at_the_end_of_its_table(tmp_path: Path) -> None:
    file = settings_file(tmp_path)
    change(file, "appearance", "reduced_motion", True)
    change(file, "keys", "choose.1", "f7")
    change(file, "network", "timeout", 5.0)
    added = OWN.replace("ascii=false\n", "ascii=false\nreduced_motion = true\n")
    added = added.replace("table]\n", 'table]\n"choose.1" = "f7"\n') + "\n[network]\ntimeout = 5.0\n"
    assert file.read_text() == added


def test_a_removed_value_leaves_the_rest(tmp_path: Path) -> None:
    file = settings_file(tmp_path)
    change(file, "appearance", "ascii", None)
    change(file, "runner", "pace_line", None)
    assert file.read_text() == OWN.replace("ascii=false\n", "")


def test_the_first_value_makes_a_private_file(tmp_path: Path) -> None:
    file = tmp_path / "config" / "settings.toml"
    change(file, "appearance", "theme", "light")
    assert load(Paths(tmp_path, file.parent, tmp_path), {}).appearance.theme == "light"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(file.parent.iterdir()) == [file]


@pytest.mark.parametrize("text", ["appearance = {theme = 'light'}\n", 'appearance.theme = "light"\n', "[broken\n"])
def test_a_file_that_cannot_be_changed_in_lines_stays_as_it_is(tmp_path: Path, text: str) -> None:
    file = settings_file(tmp_path, text)
    with pytest.raises(SettingsError, match="settings file"):
        change(file, "appearance", "theme", "dark")
    assert file.read_text() == text


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    own = tmp_path / "dotfiles.toml"
    own.write_text(OWN)
    file = tmp_path / "config" / "settings.toml"
    file.parent.mkdir()
    file.symlink_to(own)
    change(file, "appearance", "ascii", True)
    assert file.is_symlink()
    assert "ascii=true" in own.read_text()


NAMES = st.sampled_from(["theme", "ascii", "choose.1", "it's", 'a"b'])
VALUES = st.one_of(st.none(), st.booleans(), st.text(max_size=8), st.floats(allow_nan=False, allow_infinity=False))


@given(st.lists(st.tuples(st.sampled_from(["appearance", "keys", "network"]), NAMES, VALUES), max_size=6))
def test_any_changes_leave_a_file_with_these_values_or_are_refused(
    tmp_path_factory: pytest.TempPathFactory, changes: list[tuple[str, str, Value | None]]
) -> None:
    file = settings_file(tmp_path_factory.mktemp("any"))
    expected = tomllib.loads(file.read_text())
    for section, name, value in changes:
        try:
            change(file, section, name, value)
        except (SettingsError, ValueError):
            continue
        expected.setdefault(section, {})
        expected[section].pop(name, None)
        if value is not None:
            expected[section][name] = value
    assert tomllib.loads(file.read_text()) == expected
    removed = any((section, name, value) == ("appearance", "theme", None) for section, name, value in changes)
    assert removed or "# bright rooms" in file.read_text()
