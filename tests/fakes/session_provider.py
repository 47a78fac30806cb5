"""The ways in, in memory, and everything else the app is given."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from lms_tui.attempt.clock import SystemClock
from lms_tui.attempt.journal.memory import MemoryJournals
from lms_tui.attempt.ports import Journals
from lms_tui.common.settings import Paths, Profile, Settings
from lms_tui.views.ports import Dependencies, OnStep, UserSession
from lms_tui.wire.errors import ApiError, Invalid, Unreachable
from tests.fakes.lms import FakeLms


class FakeSessionProvider:
    """Knows one user, `asha` with the password `practice`; `kept`: profiles with a token that is still good."""

    def __init__(self, lms: FakeLms | None = None, *profiles: Profile, kept: bool = False) -> None:
        self.lms = lms or FakeLms()
        self.known = profiles
        self.kept = kept
        self.error: ApiError | None = None
        self.unreachable: Unreachable | None = None
        """Why the token of `kept` cannot be verified."""
        self.busy: asyncio.Event | None = None
        """A sign-in waits for this event, as for a busy server."""
        self.asked: list[tuple[str, ...]] = []

    def profiles(self) -> tuple[Profile, ...]:
        return self.known

    async def sign_in(
        self, base_url: str, username: str, password: str, *, keep: bool, on_wait: Callable[[float], None] | None = None
    ) -> UserSession:
        self.asked.append((base_url, username, password, str(keep)))
        if self.busy is not None and on_wait is not None:
            on_wait(11.5)
            await self.busy.wait()
        self._fail()
        if (username, password) != ("asha", "practice"):
            words = "Unable to sign in with these credentials."
            raise Invalid(words, advice="Correct the user name or the password.", fields={"": (words,)})
        return await self._session(Profile(username, base_url, username))

    async def sign_in_with_token(self, base_url: str, token: str, *, keep: bool) -> UserSession:
        self.asked.append((base_url, token, str(keep)))
        self._fail()
        return await self._session(Profile("asha", base_url, "asha"))

    async def resume(self, profile: Profile) -> UserSession | None:
        self.asked.append((profile.base_url, profile.username))
        self._fail()
        session = await self._session(profile) if self.kept else None
        return session and replace(session, unreachable=self.unreachable)

    async def forget(self, session: UserSession) -> None:
        self.asked.append(("forget",))
        self._fail()

    async def remove(self, profile: Profile) -> None:
        self.asked.append(("remove", profile.username))
        self._fail()
        self.known = tuple(known for known in self.known if known != profile)

    async def practice(self, username: str = "asha", *, on_step: OnStep | None = None) -> UserSession:
        self.asked.append(("practice", username))
        self._fail()
        return await self._session()

    async def close(self) -> None:
        pass

    async def _session(self, profile: Profile | None = None) -> UserSession:
        return UserSession(self.lms, await self.lms.me(), profile)

    def _fail(self) -> None:
        if self.error is not None:
            raise self.error


def dependencies(
    provider: FakeSessionProvider, folder: Path, *, journals: Journals | None = None, **settings: object
) -> Dependencies:
    paths = Paths(folder / "data", folder / "config", folder / "downloads")
    return Dependencies(
        session_provider=provider,
        journals=journals or MemoryJournals(),
        clock=SystemClock(),
        settings=Settings(paths, **settings),  # type: ignore[arg-type]  # a test's shorthand
    )
