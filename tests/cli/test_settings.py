from pathlib import Path

import pytest

from lms_tui.common.settings import Maths, Paths, SettingsError, find_paths, load


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths(tmp_path / "data", tmp_path / "config", tmp_path / "downloads")


def write(paths: Paths, text: str | bytes) -> None:
    paths.config.mkdir()
    paths.settings.write_bytes(text.encode() if isinstance(text, str) else text)


def test_without_a_settings_file_the_defaults_apply(paths: Paths) -> None:
    settings = load(paths, {})
    assert settings.appearance.theme == "dark"
    assert settings.network.timeout == 20
    assert not paths.data.exists()


def test_options_override_the_environment_and_the_environment_the_file(paths: Paths) -> None:
    write(paths, '[appearance]\ntheme = "light"\nascii = true\nmaths = "line"\n[network]\ntimeout = 5\n')
    assert load(paths, {}).appearance.theme == "light"
    from_environment = {"LMS_TUI_THEME": "high-contrast", "LMS_TUI_ASCII": "off", "LMS_TUI_TIMEOUT": "7.5"}
    settings = load(paths, from_environment, {"theme": "dark", "ascii": None})
    assert (settings.appearance.theme, settings.appearance.ascii, settings.appearance.maths) == (
        "dark",
        False,
        Maths.LINE,
    )
    assert settings.network.timeout == 7.5


def test_key_settings_are_read(paths: Paths) -> None:
    write(paths, '[keys]\nmark = "f2,m"\n')
    assert dict(load(paths, {}).keys) == {"mark": "f2,m"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("theme = ", "not valid TOML"),
        (b"\xff\xfe", "not valid TOML"),
        ("[" * 5000, "not valid TOML"),
        ("x" * 300_000, "too large"),
        ('appearance = "dark"', r"\[appearance\] should be"),
        ('[look]\ntheme = "dark"', "'look'"),
        ('[appearance]\ncolour = "red"', "'colour' in \\[appearance\\]"),
        ("[appearance]\ntheme = 5", "theme .* must be a text"),
        ('[appearance]\nascii = "yes"', "ascii .* true or false"),
        ('[appearance]\nmaths = "big"', "layout, line, source"),
        ("[network]\ntimeout = 0", "1 to 300"),
        ("[network]\ntimeout = nan", "1 to 300"),
        ("[network]\ntimeout = true", "1 to 300"),
        ("[network]\nca_file = 5", "path of a file"),
        ("[keys]\nmark = 5", r"\[keys\]"),
        ('keys = "x"', r"\[keys\]"),
    ],
)
def test_an_invalid_settings_file_is_explained_and_not_changed(paths: Paths, text: str | bytes, words: str) -> None:
    write(paths, text)
    before = paths.settings.read_bytes()
    with pytest.raises(SettingsError, match=words) as refused:
        load(paths, {})
    assert refused.value.advice
    assert "\n" not in str(refused.value)
    assert paths.settings.read_bytes() == before


def test_an_invalid_variable_is_named(paths: Paths) -> None:
    with pytest.raises(SettingsError, match="LMS_TUI_TIMEOUT must be"):
        load(paths, {"LMS_TUI_TIMEOUT": "soon"})
    with pytest.raises(SettingsError, match="LMS_TUI_ASCII must be"):
        load(paths, {"LMS_TUI_ASCII": "maybe"})


def test_data_directory_comes_from_option_then_environment_then_system(tmp_path: Path) -> None:
    environment = {"LMS_TUI_DATA_DIR": str(tmp_path / "environment"), "LMS_TUI_CONFIG_DIR": str(tmp_path / "config")}
    assert find_paths(tmp_path / "option", environment).data == tmp_path / "option"
    assert find_paths(None, environment).data == tmp_path / "environment"
    assert find_paths(None, environment).config == tmp_path / "config"
    assert find_paths(None, {}).data.name == "lms-tui"


def test_every_path_of_data_is_inside_the_data_directory(tmp_path: Path) -> None:
    paths = Paths(tmp_path / "data", tmp_path / "config", tmp_path)
    places = (
        paths.profiles,
        paths.secrets,
        paths.journals,
        paths.exports,
        paths.service,
        paths.log,
        paths.crash_report,
    )
    assert all(place.is_relative_to(paths.data) for place in places)
