"""What the app is given by whoever starts it: how to get a service, where answers are kept, what time it is."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from lms_tui.attempt.ports import Clock, Journals
    from lms_tui.client.port import Lms
    from lms_tui.client.recording import Recording
    from lms_tui.common.settings import Profile, Settings


class SessionProvider(Protocol):
    """The ways in. Every method raises an error of `lms_tui.wire.errors` with words for people, and nothing else."""

    def profiles(self) -> "tuple[Profile, ...]":
        """Known servers and users, last used first."""
        ...

    async def sign_in(self, base_url: str, username: str, password: str, *, keep: bool) -> "Lms": ...
    async def sign_in_with_token(self, base_url: str, token: str, *, keep: bool) -> "Lms": ...
    async def resume(self, profile: "Profile") -> "Lms | None":
        """Sign in with a kept token; None where there is none or it has expired."""
        ...

    async def forget(self, lms: "Lms") -> None:
        """Forget the token that was kept for whoever signed in here; raises Refused where it cannot be removed."""
        ...

    async def remove(self, profile: "Profile") -> None:
        """Forget a profile and its token; raises Refused where they cannot be removed."""
        ...

    async def practice(self, username: str = "asha") -> "Lms":
        """Start the embedded demo service, when it is not running, and sign in to it."""
        ...

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Opening:
    """Where the app opens. `enter` gives the signed-in service without a question asked; None: the sign-in screen.

    `exam_slug`: go straight to the instructions of this exam (a dry run); `badge`: shown at the top right, "dry run".
    """

    enter: "Callable[[], Awaitable[Lms]] | None" = None
    exam_slug: str = ""
    badge: str = ""


class ImageCache(Protocol):
    """Pictures kept on this computer by their address, and the servers that a person agreed to ask for some."""

    def find(self, url: str) -> bytes | None: ...
    def keep(self, url: str, data: bytes) -> None: ...
    def allows(self, host: str) -> bool: ...
    def allow(self, host: str) -> None: ...


@dataclass(frozen=True, slots=True)
class Dependencies:
    """`image_cache`: where pictures from addresses are kept; `recording`: what went over the wire; None: nowhere."""

    session_provider: SessionProvider
    journals: "Journals"
    clock: "Clock"
    settings: "Settings"
    image_cache: ImageCache | None = None
    recording: "Recording | None" = None
