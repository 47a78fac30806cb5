"""A service that takes files in memory, as the embedded service does, or takes none."""

from functools import cached_property
from hashlib import sha256

from lms_tui.wire.errors import Invalid, NotFound
from lms_tui.wire.files import AttemptFiles, FileReference, UploadedFile


class FilesInMemory:
    """The endpoints of files. `accepts`: what the service accepts, None where it takes no files."""

    accepts: AttemptFiles | None = None

    @cached_property
    def stored(self) -> dict[str, bytearray]:
        """The content of each file that the service has so far, by its digest."""
        return {}

    @cached_property
    def sizes(self) -> dict[str, int]:
        return {}

    async def files(self, attempt_id: int) -> AttemptFiles:
        if self.accepts is None:
            raise NotFound(f"Attempt {attempt_id} takes no files.")
        found = (
            UploadedFile(digest=digest, size=self.sizes[digest], received=len(content))
            for digest, content in self.stored.items()
        )
        return self.accepts.model_copy(update={"files": tuple(found)})

    async def send_file(self, attempt_id: int, reference: FileReference, offset: int, content: bytes) -> UploadedFile:
        if self.accepts is None:
            raise NotFound(f"Attempt {attempt_id} takes no files.")
        stored = self.stored.setdefault(reference.digest, bytearray())
        self.sizes[reference.digest] = reference.size
        if offset == len(stored):
            stored += content
        if len(stored) == reference.size and sha256(stored).hexdigest() != reference.digest:
            del self.stored[reference.digest]
            raise Invalid("The file arrived damaged. Send it again.")
        return UploadedFile(digest=reference.digest, size=reference.size, received=len(stored))
