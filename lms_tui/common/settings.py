"""Settings and paths of the program. Start-up imports this module, so it uses light libraries only.

An option wins over the environment, and the environment wins over `settings.toml` in the configuration directory:

    [appearance]
    theme = "dark"            # dark, light, high-contrast, or any theme Textual knows
    maths = "layout"          # layout (two-dimensional), picture, line, source
    reduced_motion = false
    ascii = false             # draw without box characters and symbols
    pictures = "auto"         # auto, blocks, kitty, iterm, sixel: how pictures are drawn
    mouse = true              # false: the terminal selects text

    [runner]
    pace_line = false         # show how much time this question has used
    show_clock = true
    time_signal = "none"      # none, bell, notice: what tells of the last minutes besides the screen

    [network]
    timeout = 20.0            # seconds to wait for the server, 1 to 300
    ca_file = "/path/ca.pem"  # certificates to trust besides the system's
    allow_plain_http = false  # send passwords to other computers without encryption

    [keys]
    "mark" = "f2,m"           # command id = keys

The environment variable of a setting is its name in capitals after `LMS_TUI_`, such as `LMS_TUI_THEME=light`. There is
none for `[keys]`.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import field, fields, replace
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TypeVar, get_type_hints

from lms_tui.common.cleaning import clean_line
from lms_tui.common.frozen import frozen
from lms_tui.common.user_errors import AdvisedError

PREFIX: Final = "LMS_TUI_"
_LARGEST_FILE: Final = 256 * 1024
_TRUTH: Final = MappingProxyType(
    {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
)


class SettingsError(AdvisedError):
    """A setting cannot be used. The settings file is not changed."""


class Drawing(StrEnum):
    """How pictures are drawn: by the best way, with half blocks of text, or by a graphics protocol."""

    AUTO = "auto"
    BLOCKS = "blocks"
    KITTY = "kitty"
    ITERM = "iterm"
    SIXEL = "sixel"


class Maths(StrEnum):
    """How formulas are drawn: in two dimensions, as pictures, in one line, or as their source."""

    PICTURE = "picture"
    LAYOUT = "layout"
    LINE = "line"
    SOURCE = "source"


class TimeSignal(StrEnum):
    """How the app announces the last minutes besides the screen: by the terminal's bell or a notice (OSC 9)."""

    NONE = "none"
    BELL = "bell"
    NOTICE = "notice"


@frozen
class Paths:
    """Every path of the program. Reading a path creates nothing. `downloads`: the user's own folder for downloads."""

    data: Path
    config: Path
    downloads: Path

    @property
    def settings(self) -> Path:
        return self.config / "settings.toml"

    @property
    def profiles(self) -> Path:
        return self.data / "profiles.json"

    @property
    def secrets(self) -> Path:
        """Directory of saved tokens, mode 0700."""
        return self.data / "secrets"

    @property
    def journals(self) -> Path:
        """Directory of answers, with one file for each attempt."""
        return self.data / "journals"

    @property
    def pictures(self) -> Path:
        """Directory of pictures from the web."""
        return self.data / "pictures"

    @property
    def exports(self) -> Path:
        """Directory of refused answers and of network logs."""
        return self.data / "exports"

    @property
    def service(self) -> Path:
        """Data directory of the embedded service."""
        return self.data / "service"

    @property
    def logs(self) -> Path:
        return self.data / "logs"

    @property
    def log(self) -> Path:
        return self.logs / "lms-tui.log"

    @property
    def service_log(self) -> Path:
        return self.logs / "service.log"

    @property
    def crash_report(self) -> Path:
        return self.logs / "crash.log"


@frozen
class Appearance:
    theme: str = "dark"
    maths: Maths = Maths.LAYOUT
    reduced_motion: bool = False
    ascii: bool = False
    pictures: Drawing = Drawing.AUTO
    mouse: bool = True


@frozen
class Runner:
    pace_line: bool = False
    show_clock: bool = True
    time_signal: TimeSignal = TimeSignal.NONE


@frozen
class Network:
    """`timeout` is in seconds. Proxies come from the environment, and passwords never come from .netrc."""

    timeout: float = 20.0
    ca_file: Path | None = None
    allow_plain_http: bool = False


Section = TypeVar("Section", Appearance, Runner, Network)


@frozen
class Settings:
    """`keys`: for a command id, the keys that replace its default keys, separated by commas.

    `fixed`: for a setting whose value is not the file's, the variable or option that sets it. `local`: False where the
    person sits at another computer, as over ssh and in a browser. The files of this one are not theirs then.
    """

    paths: Paths
    appearance: Appearance = Appearance()
    runner: Runner = Runner()
    network: Network = Network()
    keys: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    fixed: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    local: bool = True


@frozen
class Profile:
    """A server and a user name. A profile never holds a password or a token.

    `base_url`: as `lms_tui.client.address` returns it. `token_path`: where this server issues tokens, empty for the
    path in the API document. `ca_file`: certificates to trust for this server besides the system's. `user_id` and
    `display_name`: the user of the saved token, for a start without the server. They are 0 and "" without a token.
    `device`: the name that the server gave this computer when the user signed in. It lets nobody in.
    """

    name: str
    base_url: str
    username: str
    token_path: str = ""
    ca_file: Path | None = None
    user_id: int = 0
    display_name: str = ""
    device: str = ""

    def without_user(self) -> "Profile":
        return replace(self, user_id=0, display_name="")

    @property
    def identity(self) -> tuple[str, str]:
        return self.base_url, self.username


def find_paths(data_dir: Path | None = None, environment: Mapping[str, str] = os.environ) -> Paths:
    """Return the paths by the option, else by `LMS_TUI_DATA_DIR` and `LMS_TUI_CONFIG_DIR`, else by the system."""
    import platformdirs  # noqa: PLC0415 - costs 20 ms that --help and a given directory need not pay

    data = data_dir or _directory(environment, "DATA_DIR") or platformdirs.user_data_path("lms-tui", appauthor=False)
    config = _directory(environment, "CONFIG_DIR") or platformdirs.user_config_path("lms-tui", appauthor=False)
    downloads = platformdirs.user_downloads_path()
    return Paths(data.expanduser().absolute(), config.expanduser().absolute(), downloads)


def load(
    paths: Paths, environment: Mapping[str, str] = os.environ, options: Mapping[str, object] | None = None
) -> Settings:
    """Read the file, the environment and the options. Raises SettingsError.

    `options` holds values by field name, such as `{"theme": "light"}`. An option that was not given is None.
    """
    tables = _read_toml(paths.settings)
    if unknown := sorted(set(tables) - {"appearance", "runner", "network", "keys"}):
        raise _unknown(paths.settings, unknown[0])

    fixed: dict[str, str] = {}
    given = {key: value for key, value in (options or {}).items() if value is not None}

    def section(name: str, defaults: Section) -> Section:
        read = _read_section(paths.settings, name, defaults, tables.get(name, {}))
        variables = _from_environment(read, environment)
        fixed.update({key: _variable(key) for key in variables} | {key: _option(key) for key in given})
        return _override(_override(read, variables, _variable), given, _option)

    return Settings(
        paths,
        section("appearance", Appearance()),
        section("runner", Runner()),
        section("network", Network()),
        _read_keys(paths.settings, tables.get("keys", {})),
        MappingProxyType(fixed),
    )


def checked(section: Section, name: str, value: object) -> Section:
    """Return the section with another value of one setting. Raises SettingsError."""
    return _override(section, {name: value}, str)


def _variable(name: str) -> str:
    return f"{PREFIX}{name.upper()}"


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _directory(environment: Mapping[str, str], name: str) -> Path | None:
    given = environment.get(PREFIX + name, "")
    return Path(given) if given else None


def _wrong(file: Path, what: str) -> SettingsError:
    return SettingsError(
        f"The settings file {what}.", f"Correct or remove it, then start again: {clean_line(str(file))}"
    )


def _unknown(file: Path, name: str, where: str = "") -> SettingsError:
    return SettingsError(
        f"The settings file has no setting called {clean_line(name)!r}{where}.",
        f"Correct or remove it, or start the newer version that wrote it: {clean_line(str(file))}",
    )


def _read_toml(file: Path) -> dict[str, Any]:
    try:
        raw = file.read_bytes()
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise _wrong(file, f"cannot be read ({error.strerror})") from error
    if len(raw) > _LARGEST_FILE:
        raise _wrong(file, "is too large")
    import tomllib  # noqa: PLC0415 - most people have no settings file

    try:
        return tomllib.loads(raw.decode("utf-8-sig"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise _wrong(file, f"is not valid TOML ({clean_line(str(error))})") from error


def _read_section(file: Path, name: str, defaults: Section, table: object) -> Section:
    if not isinstance(table, dict):
        raise _wrong(file, f"has a value where the table [{name}] should be")
    known = {spec.name for spec in fields(defaults)}
    if unknown := sorted(set(table) - known):
        raise _unknown(file, unknown[0], f" in [{name}]")
    return _override(defaults, table, lambda key: f"{key} in [{name}] of {file}")


def _from_environment(section: object, environment: Mapping[str, str]) -> dict[str, object]:
    """Return the value of each variable of this section, as TOML would give it."""
    found: dict[str, object] = {}
    for name, kind in get_type_hints(type(section)).items():
        text = environment.get(_variable(name))
        if text is None:
            continue
        if kind is bool:
            found[name] = _TRUTH.get(text.strip().lower(), text)
        elif kind is float:
            found[name] = _number(text)
        else:
            found[name] = text
    return found


def _number(text: str) -> object:
    try:
        return float(text)
    except ValueError:
        return text


def _override(section: Section, values: Mapping[str, object], place: Callable[[str], str]) -> Section:
    kinds = get_type_hints(type(section))
    changes: dict[str, Any] = {}
    for key, value in values.items():
        if key not in kinds:
            continue
        try:
            changes[key] = _READERS[kinds[key]](value)
        except ValueError as error:
            where = clean_line(place(key))
            raise SettingsError(f"The setting {where} {error}.", "Correct it, then start again.") from error
    return replace(section, **changes) if changes else section


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError("must be true or false")  # noqa: TRY004 - one kind of error for every reader
    return value


def _text(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError("must be a text")
    return clean_line(value)


def _seconds(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 1 <= value <= 300:
        raise ValueError("must be a number of seconds from 1 to 300")
    return float(value)


def _one_of(choices: type[Maths | Drawing | TimeSignal]) -> Callable[[object], object]:
    def read(value: object) -> object:
        if value not in set(choices):
            raise ValueError(f"must be one of {', '.join(choices)}")
        return choices(str(value))

    return read


def _file(value: object) -> Path | None:
    if not isinstance(value, str):
        raise ValueError("must be the path of a file")  # noqa: TRY004 - one kind of error for every reader
    return Path(value).expanduser() if value else None


_READERS: Final[Mapping[object, Callable[[object], object]]] = {
    bool: _flag,
    str: _text,
    float: _seconds,
    Maths: _one_of(Maths),
    Drawing: _one_of(Drawing),
    TimeSignal: _one_of(TimeSignal),
    Path | None: _file,
}


def _read_keys(file: Path, table: object) -> Mapping[str, str]:
    if not isinstance(table, dict) or not all(isinstance(value, str) and value.strip() for value in table.values()):
        raise _wrong(file, 'needs lines such as "mark" = "f2,m" in [keys]')
    return MappingProxyType({clean_line(name): clean_line(keys) for name, keys in table.items()})
