"""The files of answers in the database, which holds their content in parts."""

from collections.abc import Collection, Iterator, Sequence
from hashlib import sha256

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.tables import AttemptFile, AttemptFilePart, AttemptQuestion, Question
from lms_tui.service.core.errors import Forbidden, Invalid, NotFound
from lms_tui.service.core.settings import Limits
from lms_tui.wire.files import FileReference, FileRules
from lms_tui.wire.question_types import QuestionType


def files_of(session: Session, attempt_id: int) -> list[AttemptFile]:
    """Return the files of an attempt, the oldest first."""
    statement = select(AttemptFile).where(AttemptFile.attempt_id == attempt_id).order_by(AttemptFile.id)
    return [*session.scalars(statement)]


def find_file(session: Session, attempt_id: int, digest: str, *, lock: bool = False) -> AttemptFile | None:
    """Return a file of an attempt, complete or not. With `lock`, its row is locked until the transaction ends."""
    statement = select(AttemptFile).where(AttemptFile.attempt_id == attempt_id, AttemptFile.digest == digest)
    if lock:
        statement = statement.with_for_update().execution_options(populate_existing=True)
    return session.scalar(statement)


def complete_file(session: Session, attempt_id: int, digest: str) -> AttemptFile:
    """Return a complete file of an attempt. Raises NotFound."""
    file = find_file(session, attempt_id, digest)
    if file is None or file.received < file.size:
        raise NotFound
    return file


def rules_of(session: Session, attempt_id: int, sections: Collection[int] | None = None) -> tuple[FileRules, ...]:
    """Return what the questions of an attempt that ask for files accept. `sections`: None for all questions."""
    statement = (
        select(AttemptQuestion.id, Question.most_files, Question.file_types)
        .join(Question, Question.id == AttemptQuestion.question_id)
        .where(AttemptQuestion.attempt_id == attempt_id, Question.kind == QuestionType.FILES)
        .order_by(AttemptQuestion.order)
    )
    rows = session.execute(statement if sections is None else statement.where(AttemptQuestion.section_id.in_(sections)))
    return tuple(FileRules(question_id=id_, most=most, types=tuple(types)) for id_, most, types in rows)


def remove_unused(session: Session, attempt_id: int) -> None:
    """Remove the files of an attempt that no answer names."""
    _remove(session, _unused(session, attempt_id, files_of(session, attempt_id)))


def make_room(session: Session, attempt_id: int, size: int, limits: Limits) -> None:
    """Check that an attempt can have one more file. Files that no answer names make room, the oldest first.

    Raises a refusal if the attempt asks for no files, or if the files of its answers leave no room.
    """
    if not rules_of(session, attempt_id):
        raise Forbidden("This exam does not ask for files.")
    files = files_of(session, attempt_id)
    count, total = len(files) + 1, sum(file.size for file in files) + size
    removed = []
    for file in _unused(session, attempt_id, files):
        if count <= limits.files and total <= limits.files_total:
            break
        count, total = count - 1, total - file.size
        removed.append(file)
    if count > limits.files:
        raise Invalid({"size": [f"An attempt has at most {limits.files} files."]})
    if total > limits.files_total:
        raise Invalid({"size": [f"All files of an attempt have at most {limits.files_total:,} bytes together."]})
    _remove(session, removed)


def digest_with(session: Session, file: AttemptFile | None, last: bytes) -> str:
    """Return the SHA-256 of the stored parts of a file and its last part."""
    digest = sha256()
    if file is not None:
        parts = select(AttemptFilePart.content).where(AttemptFilePart.file_id == file.id)
        for content in session.scalars(parts.order_by(AttemptFilePart.offset).execution_options(yield_per=4)):
            digest.update(content)
    digest.update(last)
    return digest.hexdigest()


def content_of(database: Database, file_id: int) -> Iterator[bytes]:
    """Yield the parts of a file. No connection is held while the receiver of a part is slow."""
    offset = AttemptFilePart.offset
    with database.read() as session:
        offsets = session.scalars(select(offset).where(AttemptFilePart.file_id == file_id).order_by(offset)).all()
    for place in offsets:
        with database.read() as session:
            part = session.get(AttemptFilePart, (file_id, place))
        if part is None:
            return  # the file was removed meanwhile
        yield part.content


def _unused(session: Session, attempt_id: int, files: Sequence[AttemptFile]) -> list[AttemptFile]:
    if not files:
        return []
    answers = session.scalars(
        select(AttemptQuestion.gap_fill_responses)
        .join(Question, Question.id == AttemptQuestion.question_id)
        .where(AttemptQuestion.attempt_id == attempt_id, Question.kind == QuestionType.FILES)
    )
    named = {found.digest for gaps in answers for gap in gaps if (found := FileReference.read(gap["answer"]))}
    return [file for file in files if file.digest not in named]


def _remove(session: Session, files: Sequence[AttemptFile]) -> None:
    if files:
        session.execute(delete(AttemptFile).where(AttemptFile.id.in_([file.id for file in files])))
