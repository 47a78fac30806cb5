"""The command `lms-tui walk diff`, which compares two walks."""

import argparse
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from lms_tui.commands.parser import print_json
from lms_tui.common.cleaning import clean_line
from lms_tui.common.reading import read_file
from lms_tui.common.user_errors import UsageError
from lms_tui.qa.walk.diff import WalkOutput, changed_replies, changed_rules

_LARGEST: Final = 64 * 1024 * 1024


def print_diff(options: argparse.Namespace) -> int:
    """Return 0 if the walks are the same, and 1 if they differ. Raises AdvisedError for a file that cannot be read."""
    walks = before, after = _read(options.before), _read(options.after)
    changes = {"rules": tuple(changed_rules(before, after)), "replies": tuple(changed_replies(before, after))}
    rules, replies = len(changes["rules"]), len(changes["replies"])
    if options.as_json:
        print_json(changes)
        return 1 if rules or replies else 0
    for letter, walk in zip("AB", walks, strict=True):
        print(f"{letter}: {clean_line(walk.server)}, as {clean_line(walk.user)}")
    for lines in changes.values():
        if lines:
            print("", *lines, sep="\n")
    print(
        f"\n{rules} {'rule differs' if rules == 1 else 'rules differ'}, {replies} differences in the shapes of replies."
    )
    return 1 if rules or replies else 0


def _read(file: Path) -> WalkOutput:
    try:
        return WalkOutput.model_validate_json(read_file(file, _LARGEST))
    except ValidationError:
        name = clean_line(file.name)
        raise UsageError(
            f"{name} is not the output of a walk.", "Write it with `lms-tui walk --json > FILE`."
        ) from None
