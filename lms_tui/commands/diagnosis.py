"""The checks of `lms-tui doctor`."""

import asyncio
import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from enum import StrEnum
from importlib.metadata import version
from pathlib import Path
from typing import Final

from lms_tui import __version__
from lms_tui.commands.parser import print_json
from lms_tui.common.cleaning import clean_line
from lms_tui.common.frozen import frozen
from lms_tui.common.private_files import make_private_folder
from lms_tui.common.settings import Paths, Profile, Settings, SettingsError, find_paths, load
from lms_tui.runtime.profiles import ProfileList
from lms_tui.runtime.secrets import FileTokens, find_tokens
from lms_tui.wire.errors import ApiError, SignInNeeded

_SMALLEST: Final = (40, 12)
_DESIGNED: Final = (80, 24)


class Health(StrEnum):
    GOOD = "ok"
    HINT = "hint"
    BAD = "problem"


@frozen
class Row:
    """The result of a check. `advice` is empty if there is nothing to do."""

    health: Health
    subject: str
    finding: str
    advice: str = ""


def examine(data_dir: Path | None, environment: Mapping[str, str] = os.environ, *, as_json: bool = False) -> int:
    """Print a table, or JSON. Return 1 if something does not work, else 0."""
    paths = find_paths(data_dir, environment)
    rows = [*_program(), *_terminal(environment), *_places(paths)]
    settings = None
    try:
        settings = load(paths, environment)
        rows += _settings(settings)
    except SettingsError as error:
        rows.append(Row(Health.BAD, "settings", str(error), error.advice))
    rows += [*_secrets(paths), *_servers(paths, settings)]
    if as_json:
        print_json([asdict(row) for row in rows])
    for row in [] if as_json else rows:
        print(f"{row.health:<8} {row.subject:<10} {clean_line(row.finding)}")
        if row.advice:
            print(f"{'':<19} {clean_line(row.advice)}")
    return 1 if any(row.health is Health.BAD for row in rows) else 0


def _settings(settings: Settings) -> list[Row]:
    """Return a hint for each name in the settings that the program does not know."""
    from textual.theme import BUILTIN_THEMES

    from lms_tui.tui.commands import known_ids
    from lms_tui.tui.commands.conflicts import conflicts
    from lms_tui.tui.themes import NAMES

    file, theme = settings.paths.settings, settings.appearance.theme
    hints = []
    if theme not in {*NAMES, *BUILTIN_THEMES}:
        advice = f"Use {', '.join((*NAMES, *sorted(BUILTIN_THEMES)))}."
        hints.append(Row(Health.HINT, "settings", f"unknown theme “{theme}”", advice))
    for name in sorted(set(settings.keys) - known_ids()):
        advice = "`lms-tui help settings` lists the commands."
        hints.append(Row(Health.HINT, "settings", f"unknown command “{name}” under [keys]", advice))
    known = {name: keys for name, keys in settings.keys.items() if name in known_ids()}
    hints += [
        Row(Health.HINT, "settings", f"a key means two things: {twice.words}", "Change it with `lms-tui settings`.")
        for twice in conflicts(known)
    ]
    found = str(file) if file.exists() else "no settings file, so the defaults apply"
    return hints or [Row(Health.GOOD, "settings", found)]


def _program() -> Iterator[Row]:
    python = ".".join(map(str, sys.version_info[:3]))
    yield Row(Health.GOOD, "program", f"lms-tui {__version__}, Textual {version('textual')}, Python {python}")


def _terminal(environment: Mapping[str, str]) -> Iterator[Row]:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        yield Row(Health.HINT, "terminal", "this is not a terminal", "Run lms-tui in a terminal to take an exam.")
        return
    columns, lines = shutil.get_terminal_size()
    size = f"{columns} columns, {lines} lines"
    if columns < _SMALLEST[0] or lines < _SMALLEST[1]:
        yield Row(Health.BAD, "terminal", size, "Make the window at least 40 columns wide and 12 lines high.")
    elif columns < _DESIGNED[0] or lines < _DESIGNED[1]:
        yield Row(Health.HINT, "terminal", size, "80 columns and 24 lines show more.")
    else:
        yield Row(Health.GOOD, "terminal", size)
    yield _colours(environment)
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    if encoding != "utf8":
        yield Row(Health.BAD, "encoding", f"the terminal uses {encoding}", "Set LANG to a locale that ends in UTF-8.")


def _colours(environment: Mapping[str, str]) -> Row:
    term = environment.get("TERM", "")
    if environment.get("NO_COLOR"):
        return Row(Health.GOOD, "colours", "off, because NO_COLOR is set")
    if environment.get("COLORTERM", "").lower() in {"truecolor", "24bit"}:
        return Row(Health.GOOD, "colours", "all")
    if term in {"", "dumb"}:
        return Row(Health.BAD, "colours", f"TERM is {term or 'not set'}", "Use a terminal such as xterm.")
    if "256color" in term or "direct" in term:
        return Row(Health.GOOD, "colours", "256")
    return Row(Health.HINT, "colours", f"few ({term})", "If the terminal supports more, set COLORTERM=truecolor.")


def _places(paths: Paths) -> Iterator[Row]:
    try:
        make_private_folder(paths.data)
        probe = paths.data / f".doctor.{os.getpid()}"
        probe.touch(mode=0o600)
        probe.unlink()
    except OSError as error:
        finding = f"{paths.data} cannot be written ({error.strerror})"
        yield Row(Health.BAD, "data", finding, "Choose another directory with --data-dir.")
        return
    free = shutil.disk_usage(paths.data).free // 1024 // 1024
    if free < 50:
        yield Row(Health.BAD, "data", f"{paths.data}, {free} MiB free", "Free some space for your answers.")
    else:
        yield Row(Health.GOOD, "data", f"{paths.data}")
    if paths.crash_report.exists():
        advice = "Report it, then delete the file."
        yield Row(Health.HINT, "crash", f"{paths.crash_report} describes an earlier crash", advice)


def _secrets(paths: Paths) -> Iterator[Row]:
    if isinstance(find_tokens(paths.secrets), FileTokens):
        yield Row(Health.GOOD, "tokens", "saved in files that only you can read")
    else:
        yield Row(Health.GOOD, "tokens", "saved in the keyring of this computer")


def _servers(paths: Paths, settings: Settings | None) -> Iterator[Row]:
    profiles = ProfileList(paths.profiles).all()
    if not profiles:
        yield Row(
            Health.GOOD,
            "servers",
            "no profiles",
            "Sign in with `lms-tui login SERVER`, or practise with `lms-tui demo`.",
        )
    for profile in profiles[:5]:
        yield _server(profile, settings or Settings(paths))


def _server(profile: Profile, settings: Settings) -> Row:
    """Send a request without a token. Only a service with this API answers with its own 401."""
    from lms_tui.client.connection import Access, Connection

    network = settings.network

    async def ask() -> None:
        access = Access(min(network.timeout, 5.0), profile.ca_file or network.ca_file, network.allow_plain_http)
        connection = Connection(profile.base_url, access)
        try:
            await connection.send("GET", "/api/v2.2/me/")
        finally:
            await connection.close()

    try:
        asyncio.run(ask())
    except SignInNeeded:
        return Row(Health.GOOD, "server", profile.name)
    except ApiError as error:
        return Row(Health.BAD, "server", f"{profile.name}: {error}", error.advice)
    return Row(Health.HINT, "server", f"{profile.name}: answers without a sign-in", "Check the address.")
