"""Users in a CSV file: read it, and name every line that cannot be used."""

import csv
import io
import re
from collections.abc import Iterator
from typing import Final

from pydantic import ValidationError

from lms_tui.common.frozen import frozen
from lms_tui.service.admin.administration import AdminError
from lms_tui.service.core.bodies import Body, Email, Line150, Username, problem_of
from lms_tui.service.core.principal import Role

LARGEST: Final = 8 * 1024 * 1024
_COLUMNS: Final = ("username", "first_name", "last_name", "email", "role", "batches")
_SEPARATORS: Final = ",;\t"
_BETWEEN_BATCHES: Final = re.compile(r"[;|]")


class Person(Body):
    """A line of the file. A field is None if the file has no such column, or the cell is empty."""

    username: Username
    first_name: Line150 | None = None
    last_name: Line150 | None = None
    email: Email | None = None
    role: Role | None = None
    batches: tuple[str, ...] = ()


@frozen
class Line:
    number: int
    person: Person


def read_people(data: bytes) -> tuple[list[Line], list[str]]:
    """Return the usable lines of a file, and an error for each other one. Raises AdminError for no such list."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise AdminError("The file is not UTF-8 text.", "Save it as CSV in UTF-8.") from None
    first = text.split("\n", 1)[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(_SEPARATORS, key=first.count), strict=True)
    try:
        header = [name.strip().casefold().replace(" ", "_") for name in next(reader, [])]
        _check(header)
        lines, errors = [], []
        for number, found in _people(reader, header):
            if isinstance(found, Person):
                lines.append(Line(number, found))
            else:
                errors.append(f"line {number}: {found}")
    except csv.Error as error:
        raise AdminError(f"Line {reader.line_num} is not CSV: {error}.", "Correct the quotes of that line.") from None
    return _each_once(lines, errors), errors


def _check(header: list[str]) -> None:
    known = f"Its first line names the columns: {', '.join(_COLUMNS)}. Only username is needed."
    if "username" not in header:
        raise AdminError("The file has no column username.", known)
    unknown = next((name for name in header if name not in _COLUMNS), None)
    if unknown is not None:
        raise AdminError(f"The column “{unknown}” is unknown.", known)
    if len(set(header)) < len(header):
        raise AdminError("The file has a column twice.", known)


def _people(reader: Iterator[list[str]], header: list[str]) -> Iterator[tuple[int, Person | str]]:
    for row in reader:
        number: int = reader.line_num  # type: ignore[attr-defined]  # the type of a csv reader is private
        if not any(cell.strip() for cell in row):
            continue
        if len(row) > len(header):
            yield number, f"It has {len(row)} cells, and the first line names {len(header)} columns."
            continue
        cells = {name: cell.strip() for name, cell in zip(header, row, strict=False) if cell.strip()}
        batches = tuple(name for one in _BETWEEN_BATCHES.split(cells.pop("batches", "")) if (name := one.strip()))
        if "role" in cells:
            cells["role"] = cells["role"].casefold()
        try:
            yield number, Person.model_validate({"username": "", **cells, "batches": batches})
        except ValidationError as error:
            yield number, problem_of(error)


def _each_once(lines: list[Line], errors: list[str]) -> list[Line]:
    """Return the lines without those whose user name came before."""
    seen: dict[str, int] = {}
    kept = []
    for line in lines:
        before = seen.setdefault(line.person.username.casefold(), line.number)
        if before == line.number:
            kept.append(line)
        else:
            errors.append(f"line {line.number}: The user name {line.person.username} is on line {before} too.")
    return kept
