"""Changes single values of `settings.toml`. The comments and the order of a person's own file stay."""

import json
import re
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from lms_tui.common.cleaning import clean_line
from lms_tui.common.private_files import make_private_folder, replace_file
from lms_tui.common.settings import SettingsError

Value = str | bool | float
_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")
_HEADER: Final = re.compile(r"\s*\[\s*(\w+)\s*\]\s*(#.*)?")
_ENTRY: Final = re.compile(
    r"""(\s*(?:"(?P<quoted>[^"]*)"|'(?P<single>[^']*)'|(?P<bare>[\w-]+))\s*=\s*)"""
    r"""("(?:[^"\\]|\\.)*"|'[^']*'|[^\s#]+)(\s*(?:\#.*)?)"""
)


def change(file: Path, section: str, name: str, value: Value | None) -> None:
    """Write one value into the file, or remove it with None. Raises SettingsError."""
    try:
        file = file.resolve()  # a link to a person's own folder stays a link
        text = file.read_bytes().decode("utf-8-sig") if file.exists() else ""
        before, after = tomllib.loads(text), _changed(text, section, name, value)
        if not _says(after, _expected(before, section, name, value)):
            raise _refused(file, f"has [{section}] in a form that only an editor can change")
        make_private_folder(file.parent)
        replace_file(file, after.encode())
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise _refused(file, "is not valid TOML") from error
    except OSError as error:
        raise _refused(file, f"cannot be written ({error.strerror})") from error


def _refused(file: Path, what: str) -> SettingsError:
    return SettingsError(f"The settings file {what}.", f"Change it with an editor: {clean_line(str(file))}")


def _says(text: str, tables: dict[str, Any]) -> bool:
    try:
        return tomllib.loads(text) == tables
    except tomllib.TOMLDecodeError:
        return False


def _expected(tables: dict[str, Any], section: str, name: str, value: Value | None) -> dict[str, Any]:
    table = tables.setdefault(section, {})
    if value is None:
        table.pop(name, None)
    else:
        table[name] = value
    return tables


def _changed(text: str, section: str, name: str, value: Value | None) -> str:
    end = "\r\n" if "\r\n" in text else "\n"
    lines = text.splitlines()
    _change_lines(lines, _entries(lines, section), name, value)
    return "".join(f"{line}{end}" for line in lines)


def _entries(lines: list[str], section: str) -> range:
    """Return the places of the lines of a section. A section that is not there is added at the end."""
    headers = [place for place, line in enumerate(lines) if line.lstrip().startswith("[")]
    for place, after in pairwise([*headers, len(lines)]):
        found = _HEADER.fullmatch(lines[place])
        if found and found[1] == section:
            return range(place + 1, after)
    lines += [*([""] if lines else []), f"[{section}]"]
    return range(len(lines), len(lines))


def _change_lines(lines: list[str], places: range, name: str, value: Value | None) -> None:
    for place in places:
        found = _ENTRY.fullmatch(lines[place])
        if found and name in {found["quoted"], found["single"], found["bare"]}:
            lines[place : place + 1] = [] if value is None else [f"{found[1]}{_written(value)}{found[6]}"]
            return
    if value is not None:
        filled = next((place for place in reversed(places) if lines[place].strip()), places.start - 1)
        lines.insert(filled + 1, f"{name if _BARE.fullmatch(name) else json.dumps(name)} = {_written(value)}")


def _written(value: Value) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)
