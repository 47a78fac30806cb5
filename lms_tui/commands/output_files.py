"""Files that a command writes: never half of one, and never over another without --force."""

import logging
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from lms_tui.common.cleaning import clean_line
from lms_tui.common.private_files import refuse_special
from lms_tui.common.user_errors import AdvisedError

_log = logging.getLogger(__name__)
_PUBLIC: Final = 0o644


class CannotWriteError(AdvisedError):
    """The file cannot be written."""


def refuse_existing(target: Path, *, force: bool) -> None:
    """Raise CannotWriteError for a file that exists, unless it may be overwritten, and for a folder or a device."""
    with _refusals(target):
        refuse_special(target)
    if target.exists() and not force:
        raise CannotWriteError(
            f"{clean_line(str(target))} exists already.", "Choose another name, or overwrite it with --force."
        )


@contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """Yield a new private file, which replaces `target` when the block ends. Raises CannotWriteError."""
    with _refusals(target):
        refuse_special(target)
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        os.close(handle)
        try:
            yield Path(name)
            size = Path(name).stat().st_size
            Path(name).replace(target)
            _log.info("wrote %s, %d bytes", clean_line(str(target)), size)
        except BaseException:
            with suppress(OSError):
                Path(name).unlink()
            raise


@contextmanager
def _refusals(target: Path) -> Iterator[None]:
    """Turn an OSError into CannotWriteError."""
    shown = clean_line(str(target))
    try:
        yield
    except FileExistsError as error:
        raise CannotWriteError(f"{shown} is not a file.", "Choose another name.") from error
    except OSError as error:
        raise CannotWriteError(f"{shown} cannot be written ({error.strerror}).", "Choose another folder.") from error


def replace_file(target: Path, data: bytes) -> None:
    """Replace a file that everybody may read, because a full disk must not leave half of it."""
    with replacing(target) as new:
        new.write_bytes(data)
        new.chmod(_PUBLIC)
