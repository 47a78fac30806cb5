"""The last home screen of each saved sign-in, in a private file beside its token. Sign-out deletes both."""

from contextlib import suppress
from pathlib import Path

from lms_tui.common.private_files import write_private
from lms_tui.common.settings import Profile
from lms_tui.runtime.secrets import UnsafeSecretError, list_file, read_private
from lms_tui.views.kept_list import KeptList, read, written


class KeptLists:
    """Files with mode 0600 in the directory of the saved tokens."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, profile: Profile) -> KeptList | None:
        """Return the kept list, None if there is none or if other users could read it."""
        with suppress(OSError, UnsafeSecretError):
            if (data := read_private(list_file(self._folder, profile))) is not None:
                return read(data)
        return None

    def keep(self, profile: Profile, kept: KeptList) -> None:
        """Replace the kept list. Raises OSError."""
        write_private(list_file(self._folder, profile), written(kept))

    def forget(self, profile: Profile) -> None:
        """Delete the kept list. Raises OSError."""
        list_file(self._folder, profile).unlink(missing_ok=True)
