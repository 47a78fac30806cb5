"""The commands that help to write an exam file: a template, a schema for editors, and a check at each change."""

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from lms_tui.commands.parser import Subcommands, add_command, reading_of
from lms_tui.commands.prompts import ask
from lms_tui.common.cleaning import clean_line
from lms_tui.common.user_errors import UsageError

_SCHEMA: Final = "exam.schema.json"
_PAUSE: Final = 0.3
"""Seconds between two looks at a file."""
_CLEAR: Final = "\x1b[H\x1b[2J"


def register(actions: Subcommands) -> None:
    new = add_command(actions, "new", "write a new exam file with an example of each type of question", _new)
    new.add_argument("file", type=Path, metavar="FILE", help="a file to write, such as physics.yaml")
    words = f"also write {_SCHEMA} beside it, from which editors complete names"
    new.add_argument("--schema", action="store_true", help=words)
    new.add_argument("--force", action="store_true", help="overwrite a file that exists")
    edit = add_command(actions, "edit", "open an exam file in your editor, then check and print it", _edit)
    edit.add_argument("file", type=Path, metavar="FILE")
    add_command(actions, "schema", "print the JSON Schema of the YAML format, for editors", _print_schema)


def watched(file: Path, wait: Callable[[], object]) -> Iterator[None]:
    """Yield at once and after each change of a file. `wait` is called between two looks at the file."""
    seen: object = ...
    while True:
        try:
            status = file.stat()
            found: object = (status.st_mtime_ns, status.st_size, status.st_ino)
        except OSError:
            found = None  # editors replace a file, and for a moment there is none
        if found != seen and (found or seen is ...):
            seen = found
            yield
        wait()


def look_of(options: argparse.Namespace) -> dict[str, Any]:
    """Return how `exam show` prints questions."""
    return {name: getattr(options, name) for name in ("question", "width", "maths", "plain", "key")}


def watch_show(options: argparse.Namespace) -> int:
    """Print the questions of a file now and after each change, until ctrl+c: a preview beside an editor."""
    from lms_tui.commands.show import opened, show
    from lms_tui.common.user_errors import AdvisedError, two_sentences

    file: Path = options.file
    if options.json:
        raise UsageError("--watch prints text.", "Leave out --json.")
    if not file.is_file():
        raise UsageError(
            f"There is no file {clean_line(str(file))}.",
            "Name an exam file. --watch does not follow an exam of the institute.",
        )

    def print_once() -> int:
        try:
            return show(opened(file, reading_of(options)), file.name, **look_of(options))
        except AdvisedError as error:  # in the middle of a change, a file may have no questions
            print(two_sentences(str(error), error.advice))
            return 1

    return _at_each_change(file, print_once, "It is printed again at each change. Press ctrl+c to end.")


def watch_check(options: argparse.Namespace) -> int:
    """Check a file now and after each change, until ctrl+c. Return 1 if it has errors then."""
    from lms_tui.commands.exam_files import run_check

    if len(options.files) > 1 or options.json:
        raise UsageError("--watch checks one file and prints text.", "Give one FILE, without --json.")

    def check() -> int:
        return run_check(options.files, as_data=False, options=reading_of(options), quiet=options.quiet)

    return _at_each_change(options.files[0], check, "It is checked again at each change. Press ctrl+c to end.")


def _at_each_change(file: Path, work: Callable[[], int], words: str) -> int:
    code = 0
    try:
        for _ in watched(file, lambda: time.sleep(_PAUSE)):
            print(_CLEAR if sys.stdout.isatty() else "", end="")
            code = work()
            print(words, flush=True)
    except KeyboardInterrupt:
        print()
    return code


def _new(options: argparse.Namespace) -> int:
    from importlib.resources import files

    from lms_tui.commands.output_files import refuse_existing, replace_file

    file: Path = options.file
    if file.suffix.lower() not in {".yaml", ".yml"}:
        raise UsageError(f"{file} is not the name of a YAML file.", "Choose a name such as physics.yaml.")
    beside = file.with_name(_SCHEMA)
    text = (files("lms_tui.banks") / "template.yaml").read_text("utf-8")
    written = [(file, text)]
    if options.schema:
        written = [(file, f"# yaml-language-server: $schema={_SCHEMA}\n{text}"), (beside, _schema())]
    for target, _ in written:
        refuse_existing(target, force=options.force)
    for target, content in written:
        replace_file(target, content.encode())
        print(f"Written to {clean_line(str(target))}.")
    return 0


def _edit(options: argparse.Namespace) -> int:
    """Open the editor again and again, while there are errors and the person wants to mend them."""
    import shlex
    import subprocess

    from lms_tui.commands.exam_files import run_check
    from lms_tui.commands.show import opened, show

    file: Path = options.file
    command = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    while True:
        try:
            subprocess.run([*shlex.split(command), str(file)], check=True)  # noqa: S603 - the editor of this person
        except (OSError, ValueError, subprocess.CalledProcessError) as error:
            raise UsageError(
                f"The editor {command} did not work ({error}).", "Set EDITOR to the name of your editor."
            ) from None
        code = run_check([file], as_data=False)
        if not code:
            return show(opened(file), file.name, key=True)
        if not sys.stdin.isatty() or ask("Open the editor again? [Y/n] ").lower() in {"n", "no"}:
            return code


def _schema() -> str:
    import json

    from lms_tui.banks.yaml_schema import schema

    return json.dumps(schema(), ensure_ascii=False, indent=2) + "\n"


def _print_schema(_options: argparse.Namespace) -> int:
    print(_schema(), end="")
    return 0
