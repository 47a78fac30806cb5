"""The upload of the files of answers, part by part."""

from typing import Final

from sqlalchemy.orm import Session

from lms_tui.common.frozen import frozen
from lms_tui.service.attempts.files import digest_with, files_of, find_file, make_room, rules_of
from lms_tui.service.attempts.lifecycle import StudentAttempts
from lms_tui.service.attempts.records import begun_sections, own_attempt, running_attempt
from lms_tui.service.core.database.tables import AttemptFile, AttemptFilePart
from lms_tui.service.core.errors import Invalid
from lms_tui.service.core.settings import Limits
from lms_tui.wire.attempt_states import AttemptState
from lms_tui.wire.files import AttemptFiles, UploadedFile

_DAMAGED: Final = "The file arrived damaged. Send it again."


@frozen
class Part:
    """A part of a file. `digest` and `size` are those of the whole file. `offset`: the bytes before the part."""

    digest: str
    size: int
    offset: int
    content: bytes

    @property
    def is_last(self) -> bool:
        return self.offset + len(self.content) == self.size


@frozen
class Uploads:
    """The files of a student's attempts."""

    student: StudentAttempts
    limits: Limits

    def of(self, attempt_id: int) -> AttemptFiles:
        """Return the files of an attempt, and while it runs what its questions accept that the student may see."""
        self.student.close_overdue()
        with self.student.database.read() as session:
            attempt = own_attempt(session, self.student.user_id, attempt_id)
            runs = attempt.state == AttemptState.RUNNING
            return AttemptFiles(
                largest=self.limits.file,
                part=self.limits.file_part,
                total=self.limits.files_total,
                questions=rules_of(session, attempt_id, begun_sections(attempt, self.student.now)) if runs else (),
                files=tuple(
                    UploadedFile(digest=file.digest, size=file.size, received=file.received)
                    for file in files_of(session, attempt_id)
                ),
            )

    def receive(self, attempt_id: int, part: Part) -> UploadedFile:
        """Store the next part of a file, and return how much of the file is stored. Any other part changes nothing.

        The last part is stored only if the whole content has the digest. Otherwise the file is removed.
        """
        self.student.close_overdue()
        self._check(part)
        user_id = self.student.user_id
        with self.student.database.read() as session:
            running_attempt(session, user_id, attempt_id)
            seen = find_file(session, attempt_id, part.digest)
            # Outside the transaction that writes, because others wait for its lock.
            is_whole = part.is_last and _follows(part, seen) and digest_with(session, seen, part.content) == part.digest
        with self.student.database.write() as session:
            file = self._locked(session, attempt_id, part)
            if not _follows(part, file) or _state(file) != _state(seen):
                return _told(part, 0 if file is None else file.received)
            if is_whole or not part.is_last:
                self._append(session, attempt_id, file, part)
                return _told(part, part.offset + len(part.content))
            if file is not None:
                session.delete(file)
        raise Invalid({"digest": [_DAMAGED]})

    def _check(self, part: Part) -> None:
        if part.size > self.limits.file:
            raise Invalid({"size": [f"A file has at most {self.limits.file:,} bytes."]})
        if part.offset + len(part.content) > part.size:
            raise Invalid({"offset": ["The part ends after the end of the file."]})

    def _locked(self, session: Session, attempt_id: int, part: Part) -> AttemptFile | None:
        """Return a file of a running attempt, locked. If it is new, the attempt is locked."""
        file = find_file(session, attempt_id, part.digest, lock=True)
        running_attempt(session, self.student.user_id, attempt_id, lock=file is None)
        file = file or find_file(session, attempt_id, part.digest, lock=True)
        if file is not None and file.size != part.size:
            raise Invalid({"size": [f"The first part of this file gave {file.size:,} bytes as its size."]})
        return file

    def _append(self, session: Session, attempt_id: int, file: AttemptFile | None, part: Part) -> None:
        if file is None:
            make_room(session, attempt_id, part.size, self.limits)
            file = AttemptFile(attempt_id=attempt_id, digest=part.digest, size=part.size, received=0)
            session.add(file)
            session.flush()
        if part.content:
            session.add(AttemptFilePart(file_id=file.id, offset=part.offset, content=part.content))
        file.received = part.offset + len(part.content)


def _follows(part: Part, file: AttemptFile | None) -> bool:
    """Return whether a part follows what is stored of a file."""
    return part.offset == 0 if file is None else part.offset == file.received < file.size


def _state(file: AttemptFile | None) -> tuple[int, int] | None:
    """Return what changes when another request stores a part or removes the file."""
    return None if file is None else (file.id, file.received)


def _told(part: Part, received: int) -> UploadedFile:
    return UploadedFile(digest=part.digest, size=part.size, received=received)
