"""The session of the one user who has connected. There is no other server and no other user."""

from contextlib import suppress
from typing import TYPE_CHECKING, Final

from lms_tui.client.auth import sign_in_with_token
from lms_tui.client.connection import Access
from lms_tui.client.recording import Recording
from lms_tui.common.settings import Profile
from lms_tui.runtime.kept_lists import KeptLists
from lms_tui.runtime.sessions.messages import Start
from lms_tui.views.ports import OnStep, UserSession
from lms_tui.wire.errors import Refused

if TYPE_CHECKING:
    import httpx

    from lms_tui.client.port import Lms

ORIGIN: Final = "your institute"
"""The name of the service in journals, because its port can change."""


class OneUser:
    """Opens sessions with the token of the connection. `transport` replaces the network."""

    def __init__(
        self,
        base_url: str,
        start: Start,
        timeout: float,
        lists: KeptLists,
        *,
        transport: "httpx.AsyncBaseTransport | None" = None,
    ) -> None:
        self._base_url = base_url
        self._token = start.token
        self._lists = lists
        self._opened: list[Lms] = []
        self.recording = Recording()
        self.profile = Profile(f"{start.username} at your institute", ORIGIN, start.username, user_id=start.user_id)
        self._access = Access(timeout, recorder=self.recording, forwarded_for=start.address, transport=transport)

    async def enter(self, *, on_step: OnStep | None = None) -> UserSession:
        if on_step is not None:
            on_step("Signing in")
        signed_in = await sign_in_with_token(self._base_url, self._token, access=self._access)
        signed_in.lms.origin = ORIGIN
        self._opened.append(signed_in.lms)
        return UserSession(signed_in.lms, signed_in.user, kept_for=self.profile)

    def profiles(self) -> tuple[Profile, ...]:
        return ()

    async def sign_in(self, *_given: object, **_named: object) -> UserSession:
        raise Refused("This session is for one user of one institute.", advice="End the session, and sign in again.")

    sign_in_with_token = resume = practice = sign_in

    async def forget(self, _session: UserSession) -> None:
        """Delete the kept home screen. The token ends with this process."""
        with suppress(OSError):  # the next session replaces it
            self._lists.forget(self.profile)

    async def remove(self, _profile: Profile) -> None:
        pass

    async def close(self) -> None:
        for lms in self._opened:
            await lms.close()
        self._opened.clear()

    def end_practice(self) -> None:
        pass
