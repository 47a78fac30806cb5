"""Reads a file that a student adds to an answer, and says why it cannot be added."""

import os
import shlex
import stat
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlsplit

from lms_tui.attempt.answer_files import files_of
from lms_tui.attempt.values import Item
from lms_tui.common.cleaning import clean_line
from lms_tui.common.frozen import frozen
from lms_tui.common.private_files import BINARY
from lms_tui.common.sizes import bytes_of
from lms_tui.common.user_errors import AdvisedError
from lms_tui.wire.files import LONGEST_NAME, AttemptFiles, FileReference, FileRules, is_name
from lms_tui.wire.question_types import QuestionType

if TYPE_CHECKING:
    from lms_tui.attempt.keeper import Keeper

_SHOWN: Final = 80
"""Characters of a path in a message."""


class FileChoiceError(AdvisedError):
    """A file cannot be added. `str(error)` says why, and `advice` says what to do."""


@frozen
class ChosenFile:
    """The content of a file, and the name that it has in the answer."""

    name: str
    content: bytes


def file_reader(keeper: "Keeper", item: Item) -> Callable[[str], ChosenFile]:
    """Return a function that reads the file at a path for an answer of an attempt. Both raise FileChoiceError.

    The function uses nothing of the attempt, so it can run in a thread.
    """
    accepted = keeper.files.accepted(item.question_id)
    if accepted is None:
        raise FileChoiceError("This question takes no files.", "Continue with another question.")
    rules, limits = accepted
    asked = (other for other in keeper.session.items if other.kind == QuestionType.FILES)
    others = [file for other in asked for file in files_of(other.answer)]
    return partial(read_choice, rules=rules, limits=limits, present=files_of(item.answer), others=others)


def read_choice(
    typed: str,
    rules: FileRules,
    limits: AttemptFiles,
    present: Iterable[FileReference],
    others: Iterable[FileReference],
) -> ChosenFile:
    """Read the file at a path that was typed, pasted or dropped. Raise FileChoiceError.

    `present`: the files of this answer. `others`: those of the other answers, for the limit of the attempt.
    """
    present = tuple(present)
    if len(present) >= rules.most:
        most = "1 file" if rules.most == 1 else f"{rules.most} files"
        raise FileChoiceError(f"This question takes {most} at most.", "Remove one first.")
    path = path_of(typed)
    with suppress(OSError, ValueError):
        if path.is_dir():
            raise _folder(path)
    name = _name_of(path.name)
    accepted = tuple(kind.lower() for kind in rules.types)
    if accepted and FileReference("", 0, name).type not in accepted:
        raise FileChoiceError(f"This question takes these files: {', '.join(accepted)}.", "Choose one of them.")
    content = _content(path, limits.largest)
    size = len(content)
    room = limits.total - sum(each.size for each in {*present, *others})
    if limits.total and size > room:
        raise FileChoiceError(
            f"The files of an exam may have {bytes_of(limits.total)} together.", "Remove another file first."
        )
    if any(each.name == name for each in present):
        raise FileChoiceError(f"{clean_line(name)} is added already.", "Remove it first, or rename this file.")
    return ChosenFile(name, content)


def path_of(typed: str) -> Path:
    """Return the path that was typed. A terminal writes a file that is dropped on it quoted, escaped or as an address.

    Raise FileChoiceError for an empty text.
    """
    text = typed.strip()
    if not text:
        raise FileChoiceError("No path was typed.", "Type the path of a file.")
    if text.startswith("file://"):
        return Path(unquote(urlsplit(text).path))
    with suppress(OSError, ValueError):
        if not (plain := Path(text).expanduser()).exists():
            parts = shlex.split(text)
            if len(parts) == 1 and Path(parts[0]).expanduser().exists():
                return Path(parts[0]).expanduser()
        return plain
    return Path(text)


def _content(path: Path, largest: int) -> bytes:
    """Read a regular file. A pipe or a device is not opened for reading, because it may have no end."""
    shown = _shown(path)
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | BINARY)
        with os.fdopen(descriptor, "rb") as stream:
            told = os.fstat(descriptor)
            if not stat.S_ISREG(told.st_mode):
                raise FileChoiceError(f"{shown} is not a regular file.", "Choose another file.")
            if told.st_size > largest:
                raise _too_large(shown, told.st_size, largest)
            content = stream.read(largest + 1)
    except IsADirectoryError:
        raise _folder(path) from None
    except FileNotFoundError:
        raise FileChoiceError(f"There is no file {shown}.", "Check the path.") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "the path is not valid"
        raise FileChoiceError(f"{shown} cannot be read ({reason}).", "Choose another file.") from error
    if len(content) > largest:
        raise _too_large(shown, len(content), largest)
    return content


def _shown(path: Path) -> str:
    return clean_line(str(path))[-_SHOWN:]


def _folder(path: Path) -> FileChoiceError:
    return FileChoiceError(f"{_shown(path)} is a folder.", "Choose a file in it.")


def _too_large(shown: str, size: int, largest: int) -> FileChoiceError:
    message = f"{shown} is larger than {bytes_of(largest)} ({bytes_of(size)})."
    return FileChoiceError(message, "Make it smaller, or choose another file.")


def _name_of(name: str) -> str:
    """Return the name of a file without what a name in an answer cannot have. Its end, which tells the type, stays."""
    kept = clean_line("".join(char if char.isprintable() and is_name(f"a{char}") else "-" for char in name)).strip()
    stem, dot, end = kept.rpartition(".")
    if len(kept) > LONGEST_NAME:
        kept = (
            f"{stem[: LONGEST_NAME - len(end) - 1]}{dot}{end}"
            if stem and len(end) < LONGEST_NAME
            else kept[:LONGEST_NAME]
        )
    return kept if is_name(kept) else "file"
