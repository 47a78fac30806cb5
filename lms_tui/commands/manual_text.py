"""Print a page of the manual: in the pager of a terminal, as plain text elsewhere."""

import os
import re
import sys
from collections.abc import Iterator, Mapping
from typing import Final

_PICTURE: Final = re.compile(r"!\[[^\]]*\]\([^)]*\)")
_COMMENT: Final = re.compile(r"<!--.*?-->\n?", re.DOTALL)
_LINK: Final = re.compile(r"(?<!!)\[([^\]]+)\]\((?!https?:)([^)]*)\)")
_EMPTY_ROW: Final = re.compile(r"[|\s:-]*\|[|\s:-]*")
_FENCE: Final = "```"
_WIDEST: Final = 100


def for_terminals(markdown: str) -> str:
    """Return the Markdown without pictures and comments. Links to pages name the topic of `lms-tui help`."""
    return "\n".join(_lines(_COMMENT.sub("", markdown))) + "\n"


def _lines(markdown: str) -> Iterator[str]:
    in_code = False
    table: list[str] = []
    for line in [*markdown.splitlines(), ""]:
        in_code ^= line.lstrip().startswith(_FENCE)
        if not in_code and line.startswith("|"):
            table.append(line)
            continue
        yield from _table(table)
        table = []
        if in_code:
            yield line
        elif not (_PICTURE.search(line) and not _PICTURE.sub("", line).strip()):
            yield _reworded(line)


def _table(rows: list[str]) -> list[str]:
    """Return the rows, or nothing if a table has only pictures."""
    shown = [_reworded(_PICTURE.sub("", row)) for row in rows]
    return [] if all(_EMPTY_ROW.fullmatch(row) for row in shown) else shown


def _reworded(line: str) -> str:
    return _LINK.sub(_link, _PICTURE.sub("", line))


def _link(found: re.Match[str]) -> str:
    words, target = found.groups()
    page = target.partition("#")[0]
    if page.endswith(".md") and "/" not in page:
        return f"{words} (`lms-tui help {page.removesuffix('.md')}`)"
    return words


def show(before: str, markdown: str, environment: Mapping[str, str] = os.environ) -> None:
    """Print a plain text, and a page of Markdown below it."""
    from rich.console import Console
    from rich.markdown import Markdown

    page = Markdown(for_terminals(markdown), hyperlinks=False, code_theme="ansi_dark")
    if not sys.stdout.isatty():
        plain = Console(width=80, color_system=None, legacy_windows=False)
        with plain.capture() as drawn:
            plain.print(page)
        lines = (line.rstrip() for line in drawn.get().splitlines())
        print(f"{before}\n" if before else "", end="")
        print("\n".join(lines))
        return
    console = Console()
    console.width = min(console.width, _WIDEST)
    if "LESS" not in environment:
        os.environ["LESS"] = "FRX"  # colours, and no pager for what fits on the screen, as for git
    with console.pager(styles="NO_COLOR" not in environment):
        if before:
            console.print(before, markup=False, highlight=False)
        console.print(page)
