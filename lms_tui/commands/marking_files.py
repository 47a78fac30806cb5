"""The files of answers to mark, which `lms-tui exam mark --files` writes into a folder."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lms_tui.commands.output_files import CannotWriteError
from lms_tui.common.cleaning import clean_line
from lms_tui.common.file_names import name_of_answer_file
from lms_tui.common.private_files import write_new

if TYPE_CHECKING:
    from lms_tui.service.admin.administration import Administration
    from lms_tui.service.grading.marking import Paper


def write_files(admin: "Administration", paper: "Paper", folder: Path, *, with_name: bool) -> Iterator[dict[str, Any]]:
    """Write the files of an answer into a folder, and yield a row for each. Raises CannotWriteError.

    Only the owner can read them. A file that exists is never replaced. `with_name`: rows name the student.
    """
    from lms_tui.service.admin.grading import files_of_answer

    for number, (file, content) in enumerate(files_of_answer(admin, paper.answer_id), 1):
        target = folder / name_of_answer_file(paper.attempt, paper.question, number, file.name)
        yield {
            "question": paper.question,
            "attempt": paper.attempt,
            **({"name": paper.name, "username": paper.username} if with_name else {}),
            "file": file.name,
            "bytes": file.size,
            "state": "missing" if content is None else _write(target, content),
            "path": None if content is None else str(target),
        }


def _write(target: Path, content: bytes) -> str:
    """Write a new file, and return whether it was written or is there already."""
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            write_new(target, content)
        except FileExistsError:
            if target.is_file() and target.read_bytes() == content:
                return "already there"
            raise
        except OSError:
            target.unlink(missing_ok=True)  # a full disk must not leave half of it
            raise
    except FileExistsError as error:
        words = f"{clean_line(str(target))} exists already with another content."
        raise CannotWriteError(words, "Choose another folder.") from error
    except OSError as error:
        words = f"{clean_line(str(target))} cannot be written ({error.strerror})."
        raise CannotWriteError(words, "Choose another folder.") from error
    return "written"
