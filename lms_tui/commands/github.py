"""Print a report together with annotations for GitHub Actions."""

import secrets
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager


@contextmanager
def plain_output(*, github: bool) -> Iterator[None]:
    """Let GitHub take nothing that is printed meanwhile for an annotation. Reports quote texts of servers."""
    if not github:
        yield
        return
    word = secrets.token_hex(16)
    print(f"::stop-commands::{word}")
    try:
        yield
    finally:
        print(f"::{word}::")


def print_annotations(annotations: Iterable[str], *, as_json: bool) -> None:
    """Print annotations. JSON keeps standard output for itself, and GitHub reads both streams."""
    for line in annotations:
        print(line, file=sys.stderr if as_json else sys.stdout)
