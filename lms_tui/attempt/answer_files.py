"""The files in the answers of an attempt: what the server accepts, what is kept here, and what is sent."""

from collections.abc import Iterable
from hashlib import sha256
from typing import Final, Protocol

from lms_tui.attempt.desk import FILES, Desk
from lms_tui.attempt.ports import FileStore
from lms_tui.attempt.told import Told
from lms_tui.attempt.values import Answer, Item
from lms_tui.wire.errors import Refused, ServerFault, SignInNeeded, Unreachable
from lms_tui.wire.files import AttemptFiles, FileReference, FileRules, UploadedFile
from lms_tui.wire.question_types import QuestionType

_PART: Final = 65_536
"""Bytes of a part, where the server names no number."""
_LONGEST_PART: Final = 1 << 20
_LEAST_PART: Final = 8_192


class FileService(Protocol):
    """The endpoints of files, as `lms_tui.client.port.Attempts` has them."""

    async def files(self, attempt_id: int) -> AttemptFiles: ...
    async def send_file(
        self, attempt_id: int, reference: FileReference, offset: int, content: bytes
    ) -> UploadedFile: ...


def files_of(answer: Answer) -> tuple[FileReference, ...]:
    """Return the files of an answer to a question that asks for files. A text that names no file is left out."""
    return tuple(found for _, text in answer.gaps if (found := FileReference.read(text)) is not None)


def _asked_for(item: Item) -> tuple[FileReference, ...]:
    return files_of(item.answer) if item.kind == QuestionType.FILES else ()


class AnswerFiles:
    """The files of one attempt. A server without these endpoints takes none."""

    def __init__(self, service: FileService, attempt_id: int, store: FileStore, desk: Desk) -> None:
        self._service = service
        self._attempt_id = attempt_id
        self._store = store
        self._told = Told(desk, FILES, self._rules, AttemptFiles())
        self._received: dict[str, int] | None = None
        """How many bytes of each file the server has, None while that is not known."""
        self._part = _PART
        self._longest = _LONGEST_PART
        """Bytes of a part at most. A part that does not arrive halves it, because the line may be slow."""
        self._sent = False
        """Whether a part was sent since the server told what it has."""

    @property
    def known(self) -> AttemptFiles | None:
        """The reply of the server, None before it."""
        return self._told.known

    def told(self, question_id: int) -> bool:
        """Return whether it is known what a question that asks for files accepts, or that the server takes none."""
        known = self.known
        return known is not None and (not known.largest or self.rules_of(question_id) is not None)

    async def read(self, questions: Iterable[int] = ()) -> None:
        """Ask the server what it accepts, unless that is known for these questions, which ask for files.

        A server may tell it of the questions of a section only when that has started.
        """
        await self._told.read(again=not all(self.told(question) for question in questions))

    def rules_of(self, question_id: int) -> FileRules | None:
        """Return what a question accepts, or None if it takes no files or that is not known."""
        known = self.known
        return None if known is None else next((r for r in known.questions if r.question_id == question_id), None)

    def accepted(self, question_id: int) -> tuple[FileRules, AttemptFiles] | None:
        """Return what a question accepts, with the limits of all files, or None where `rules_of` returns None."""
        rules, limits = self.rules_of(question_id), self.known
        return None if rules is None or limits is None else (rules, limits)

    async def _rules(self) -> AttemptFiles:
        """Ask for what the server accepts. The files that it has by now are not kept."""
        told = await self._service.files(self._attempt_id)
        return told.model_copy(update={"files": ()})

    def keep(self, name: str, content: bytes) -> FileReference:
        """Make the content of a file durable and return what names it in an answer. Raise JournalError."""
        reference = FileReference(sha256(content).hexdigest(), len(content), name)
        self._store.keep(reference.digest, content)
        return reference

    def received(self, reference: FileReference) -> int:
        """Return how many bytes of a file the server is known to have."""
        return (self._received or {}).get(reference.digest, 0)

    async def deliver(self, item: Item) -> bool:
        """Send the next missing part of the files of an answer. Return whether the server has all of them.

        Raise ApiError. Each call sends one part, so heartbeats and other answers go between the parts. The server is
        asked again after the last part, because it may have been restored from a copy.
        """
        references = _asked_for(item)
        if not references:
            return True
        if self._received is None:
            told = await self._service.files(self._attempt_id)
            self._received = {file.digest: file.received for file in told.files}
            self._part = told.part or _PART
        for reference in references:
            offset = self._received.get(reference.digest)
            if offset is None or offset < reference.size:
                await self._send(reference, offset or 0, self._received)
                self._sent = True
                return False
        sent, self._received, self._sent = self._sent, None, False
        return not sent

    async def lost(self, items: Iterable[Item]) -> set[int]:
        """Return the questions whose files the server has lost and this computer still has. Raise ApiError."""
        answered = {item.question_id: files for item in items if not item.unsent and (files := _asked_for(item))}
        if not answered:
            return set()
        await self.read()
        if not self.known or not self.known.largest:
            return set()
        try:
            told = await self._service.files(self._attempt_id)
        except SignInNeeded:
            raise
        except Refused:  # the attempt goes on, whatever became of the files
            return set()
        there = {file.digest for file in told.files if file.received >= file.size}
        return {
            question
            for question, files in answered.items()
            if any(file.digest not in there and self._store.part(file.digest, 0, 1) is not None for file in files)
        }

    async def _send(self, reference: FileReference, offset: int, received: dict[str, int]) -> None:
        content = self._store.part(reference.digest, offset, min(self._part, self._longest))
        if content is None or (not content and reference.size):
            raise Refused(f"The file {reference.name} is missing on this computer.", advice="Add it again.")
        try:
            told = await self._service.send_file(self._attempt_id, reference, offset, content)
        except Unreachable:
            self._longest = max(_LEAST_PART, len(content) // 2)
            raise
        if told.received < offset:  # restored from a copy: what it has is asked after a pause
            self._received = None
            raise ServerFault(f"The server has lost a part of the file {reference.name}.")
        if told.received == offset and reference.size:
            raise Refused(f"The server did not take the file {reference.name}.")
        received[reference.digest] = told.received
