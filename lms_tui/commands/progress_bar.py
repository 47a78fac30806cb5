"""A bar on the terminal for files whose reading takes long."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Final, TypeVar

from lms_tui.banks.progress import Progress, untold
from lms_tui.common.cleaning import clean_line

_LARGE: Final = 2_000_000
"""Bytes of a file whose reading takes more than about a second."""
_MANY: Final = 1_000
"""Attempts whose results, or questions whose file, take more than about a second to write."""
T = TypeVar("T")


@contextmanager
def progress_of(name: str, size: int, *, quiet: bool = False) -> Iterator[Progress]:
    """Show a bar on standard error for a large file, if that is a terminal and the command is not quiet."""
    with _bar(name, shown=size >= _LARGE and not quiet) as progress:
        yield progress


@contextmanager
def progress_of_questions(name: str, count: int, *, quiet: bool = False) -> Iterator[Progress]:
    """Show a bar as above for work on many questions."""
    with _bar(name, shown=count >= _MANY and not quiet) as progress:
        yield progress


@contextmanager
def progress_when_told(name: str, *, quiet: bool = False) -> Iterator[Progress]:
    """Show a bar as above as soon as the work tells of its progress, which it does where it takes long."""
    with ExitStack() as stack:
        bars: list[Progress] = []

        def told(words: str, share: float) -> None:
            if not bars:
                bars.append(stack.enter_context(_bar(name, shown=not quiet)))
            bars[0](words, share)

        yield told


def counted_off(name: str, rows: Iterable[T], total: int, *, quiet: bool = False) -> Iterator[T]:
    """Yield rows with a bar as above, if they are many. `total`: how many they are."""
    with _bar(name, shown=total >= _MANY and not quiet) as progress:
        for number, row in enumerate(rows):
            progress(f"{number} of {total}", number / total if total else 1.0)
            yield row


@contextmanager
def _bar(name: str, *, shown: bool) -> Iterator[Progress]:
    if not shown or not sys.stderr.isatty():
        yield untold
        return
    from rich.console import Console
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn
    from rich.progress import Progress as Bars

    text = TextColumn("{task.description}", markup=False)
    with Bars(text, BarColumn(), TaskProgressColumn(), console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(clean_line(name), total=1.0)

        def told(words: str, share: float) -> None:
            bars.update(task, description=f"{clean_line(name)}: {words}", completed=share)

        yield told
