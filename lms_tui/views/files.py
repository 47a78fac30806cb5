"""The words about files in answers (pure)."""

from collections.abc import Callable, Sequence
from typing import Final

from lms_tui.attempt.answer_files import AnswerFiles, files_of
from lms_tui.attempt.values import Item
from lms_tui.common.cleaning import clean_line
from lms_tui.common.sizes import bytes_of
from lms_tui.views.format import counted
from lms_tui.views.glyphs import Glyphs
from lms_tui.wire.files import AttemptFiles, FileReference, FileRules

NOT_HERE: Final = (
    "Files cannot be added over ssh or in a browser. Open this exam with lms-tui on the computer with the file."
)
UNKNOWN: Final = "The server has not told yet which files it takes. Try again."
NONE_TAKEN: Final = "This server takes no files. An earlier answer is kept."


def in_words(text: str) -> str:
    """Return `report.pdf (12 KB)` for a text that names a file, and another text as it is."""
    file = FileReference.read(text)
    return text if file is None else file.words


def why_none(files: AnswerFiles, question_id: int, *, local: bool) -> str:
    """Return why no file can be added to a question, or "". `local`: the files are on the computer of the student."""
    if not files.told(question_id):
        return UNKNOWN
    if files.rules_of(question_id) is None:
        return NONE_TAKEN
    return "" if local else NOT_HERE


def accepted(rules: FileRules, limits: AttemptFiles, separator: str) -> str:
    """Return what a question takes: `At most 2 files · .pdf, .jpg · 10 MB each`."""
    parts = [f"At most {counted(rules.most, 'file')}", ", ".join(map(clean_line, rules.types))]
    return separator.join(part for part in (*parts, f"{bytes_of(limits.largest)} each") if part)


def state_of(item: Item, file: FileReference, received: Callable[[FileReference], int]) -> str:
    """Return whether a file is saved and sent. `received`: the bytes that the server has."""
    if item.here < item.latest:
        return "not saved yet"
    if item.refused:
        return "not accepted"
    if not item.unsent:
        return "sent"
    part = received(file)
    return f"saved, {100 * part // file.size} % sent" if part and file.size else "saved, not sent yet"


def lines(item: Item, received: Callable[[FileReference], int], glyphs: Glyphs) -> Sequence[str]:
    """Return a line for each file of an answer, with its number, size and state."""
    return tuple(
        f"{number}  {file.name} {glyphs.dot} {bytes_of(file.size)} {glyphs.dot} {state_of(item, file, received)}"
        for number, file in enumerate(files_of(item.answer), 1)
    )
