"""The dependencies of both front ends, the screens and the dialogue of lines."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Protocol

from lms_tui.common.frozen import frozen

if TYPE_CHECKING:
    from lms_tui.attempt.ports import Clock, Journals
    from lms_tui.client.port import Lms
    from lms_tui.client.recording import Recording
    from lms_tui.common.settings import Profile, Settings
    from lms_tui.practice.decks import Decks
    from lms_tui.practice.run import PracticeRun
    from lms_tui.views.first_pages import FirstExam, FirstPages
    from lms_tui.views.kept_list import KeptList
    from lms_tui.wire.errors import Unreachable
    from lms_tui.wire.users import CurrentUser


@frozen
class UserSession:
    """A signed-in user. `user` is what the server sent at sign-in.

    `profile`: the saved server and user that a saved token belongs to. None for practice. `unreachable`: why the server
    could not check a saved token. `user` then comes from the last sign-in, and `lms` checks the token before its first
    request. `kept_for`: the profile whose home screen is kept on this computer, or None to keep none.
    `first_pages` and `first_exam`: the requests of the first screen that are under way already, or None.
    """

    lms: "Lms"
    user: "CurrentUser"
    profile: "Profile | None" = None
    unreachable: "Unreachable | None" = None
    kept_for: "Profile | None" = None
    first_pages: "FirstPages | None" = None
    first_exam: "FirstExam | None" = None


OnStep = Callable[[str], None]
"""Gets the program's next step in plain words."""


class Entrance(Protocol):
    """Opens a session."""

    def __call__(self, *, on_step: OnStep | None = None) -> Awaitable[UserSession]: ...


class SessionProvider(Protocol):
    """Opens sessions with servers. Every method raises only errors of `lms_tui.wire.errors`."""

    def profiles(self) -> "tuple[Profile, ...]":
        """Known servers and users, last used first."""
        ...

    async def sign_in(
        self, base_url: str, username: str, password: str, *, keep: bool, on_wait: Callable[[float], None] | None = None
    ) -> UserSession:
        """`on_wait` gets the seconds after which a busy server is tried again."""
        ...

    async def sign_in_with_token(self, base_url: str, token: str, *, keep: bool) -> UserSession: ...
    async def resume(self, profile: "Profile") -> UserSession | None:
        """Sign in with a saved token. Return None without a valid one.

        Without the server this is the session of the user that was kept with the token.
        """
        ...

    async def forget(self, session: UserSession) -> None:
        """Forget the token of this session. Raises Refused if it cannot be removed."""
        ...

    async def remove(self, profile: "Profile") -> None:
        """Forget a profile and its token. Raises Refused if they cannot be removed."""
        ...

    async def practice(self, username: str = "asha", *, on_step: OnStep | None = None) -> UserSession:
        """Sign in to the demo service on this computer. Starts it if it is not running."""
        ...

    async def close(self) -> None: ...


class KeptLists(Protocol):
    """The home screens that are kept on this computer."""

    def keep(self, profile: "Profile", kept: "KeptList") -> None:
        """Replace the kept list of this user. Raises OSError."""
        ...

    def forget(self, profile: "Profile") -> None:
        """Delete the kept list of this user. Raises OSError."""
        ...


@frozen
class Opening:
    """The first screen.

    `enter` opens a session without the sign-in screen. `title` says what it opens. `exam_slug` names the exam of a dry
    run, whose instructions are opened first. `settings`: open the settings, and end with them. `badge` is shown at the
    top right. `kept`: the home screen to show until the server has answered. `practice`: open this session of practice,
    and end with it.
    """

    enter: Entrance | None = None
    exam_slug: str = ""
    badge: str = ""
    title: str = ""
    kept: "KeptList | None" = None
    settings: bool = False
    practice: "PracticeRun | None" = None


class ImageCache(Protocol):
    """Pictures kept on this computer by their address, and the other servers that the user allowed."""

    def find(self, url: str) -> bytes | None: ...
    def keep(self, url: str, data: bytes) -> None: ...
    def allows(self, host: str) -> bool: ...
    def allow(self, host: str) -> None: ...


@frozen
class Dependencies:
    """`image_cache`: None keeps no pictures. `recording`: None keeps no network log.

    `kept_lists`: None keeps no home screen. `decks` opens the decks of practice. None: there is no practice.
    """

    session_provider: SessionProvider
    journals: "Journals"
    clock: "Clock"
    settings: "Settings"
    image_cache: ImageCache | None = None
    recording: "Recording | None" = None
    kept_lists: KeptLists | None = None
    decks: "Callable[[], Decks] | None" = None
