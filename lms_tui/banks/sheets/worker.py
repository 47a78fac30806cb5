"""Read the cells of a workbook in a separate process: `python -m lms_tui.banks.sheets.worker < FILE`.

A hostile workbook can ask for more memory than there is, and the library does not check. The process has a limit.
"""

import json
import sys
from datetime import date, datetime, time, timedelta
from io import BytesIO
from typing import Final

_MEMORY: Final = 1024 * 1024 * 1024
_SECONDS: Final = 20
MOST_ROWS: Final = 100_000
MOST_COLUMNS: Final = 200


def main() -> None:
    """Write the sheets as JSON: a list of names with their rows of texts."""
    _limit()
    from python_calamine import CalamineWorkbook  # noqa: PLC0415 - after the limit

    workbook = CalamineWorkbook.from_filelike(BytesIO(sys.stdin.buffer.read()))
    sheets = []
    for name in workbook.sheet_names:
        rows = workbook.get_sheet_by_name(name).to_python(skip_empty_area=False, nrows=MOST_ROWS)
        sheets.append([name, [[_text(cell) for cell in row[:MOST_COLUMNS]] for row in rows]])
    json.dump(sheets, sys.stdout)


def _text(cell: str | float | bool | date | time | datetime | timedelta) -> str:
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    return str(cell)


def _limit() -> None:
    try:
        import resource  # noqa: PLC0415 - missing on Windows
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS + 5))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    main()
