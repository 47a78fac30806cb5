"""Sign in to servers, and to the practice service on this computer.

HTTP and models are imported in a thread at the first sign-in. The first screen does not wait for them.
"""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from lms_tui.client.port import TOKEN_PATH
from lms_tui.client.recording import Recording
from lms_tui.common.settings import Profile, Settings
from lms_tui.runtime.profiles import ProfileList
from lms_tui.runtime.secrets import UnsafeSecretError, find_tokens
from lms_tui.runtime.service_process import ServiceProcess
from lms_tui.views.ports import OnStep, UserSession
from lms_tui.wire.errors import Invalid, Refused, SignInNeeded, TimedOut, Unreachable

if TYPE_CHECKING:
    from lms_tui.client.auth import SignedIn
    from lms_tui.client.connection import Access
    from lms_tui.client.port import Lms
    from lms_tui.runtime.kept_lists import KeptLists
    from lms_tui.wire.users import CurrentUser

PRACTICE_PASSWORD: Final = "practice"  # noqa: S105 - public, and the service listens on this computer only
PRACTICE_ORIGIN: Final = "practice on this computer"
"""The name of the practice service in journals, because its port changes with each start."""
PATIENCE: Final = 10.0
"""Seconds after which a saved sign-in goes on without a server that does not reply."""


_log = logging.getLogger(__name__)


class HttpSessionProvider:
    """Signs in over HTTP. `practice` is started at the first use. `recording` holds all requests, newest last.

    `lists`: where the home screens of the practice service are kept, or None to keep none.
    """

    def __init__(
        self,
        settings: Settings,
        profiles: ProfileList,
        practice: ServiceProcess,
        lists: "KeptLists | None" = None,
    ) -> None:
        self._settings = settings
        self._profiles = profiles
        self._practice = practice
        self._lists = lists
        self._opened: list[Lms] = []
        self._watch: asyncio.Task[None] | None = None
        self.recording = Recording()

    def profiles(self) -> tuple[Profile, ...]:
        return self._profiles.all()

    async def sign_in(
        self, base_url: str, username: str, password: str, *, keep: bool, on_wait: Callable[[float], None] | None = None
    ) -> UserSession:
        auth, access = await self._client(base_url)
        server = self._server(base_url, access)
        options = self._sign_in_options(server, keep=keep)
        entered = await auth.sign_in(base_url, username, password, access=access, on_wait=on_wait, **options)
        return self._own(entered, server, keep=keep)

    async def sign_in_with_token(self, base_url: str, token: str, *, keep: bool) -> UserSession:
        auth, access = await self._client(base_url)
        server = self._server(base_url, access)
        options = self._sign_in_options(server, keep=keep)
        return self._own(await auth.sign_in_with_token(base_url, token, access=access, **options), server, keep=keep)

    async def resume(self, profile: Profile) -> UserSession | None:
        try:
            store = await asyncio.to_thread(find_tokens, self._settings.paths.secrets)
            token = await asyncio.to_thread(store.read, profile)
        except UnsafeSecretError as error:
            raise SignInNeeded(str(error), advice=error.advice) from error
        except OSError as error:
            raise SignInNeeded(f"The saved token cannot be read ({error.strerror}).") from error
        if token is None:
            return None
        try:
            # A server that hangs must not keep a student from an exam that is in progress.
            async with asyncio.timeout(PATIENCE if profile.user_id else None):
                return await self.sign_in_with_token(profile.base_url, token, keep=True)
        except SignInNeeded:
            with suppress(OSError):  # a token that was refused stays, and is refused again
                await asyncio.to_thread(self._forget, profile)
            return None
        except TimeoutError:
            silent = TimedOut(f"The server did not reply within {PATIENCE:.0f} s.")
            return await self._without_server(profile, token, silent)
        except Unreachable as error:
            if not profile.user_id:
                raise
            return await self._without_server(profile, token, error)

    async def _without_server(self, profile: Profile, token: str, error: Unreachable) -> UserSession:
        """Return the session of the user that was kept with the token."""
        from lms_tui.wire.users import CurrentUser  # noqa: PLC0415 - the first paint needs no models

        auth, access = await self._client(profile.base_url)
        server = self._server(profile.base_url, access)
        user = CurrentUser(id=profile.user_id, username=profile.username, display_name=profile.display_name)
        options = self._sign_in_options(server, keep=True)
        signed_in = auth.sign_in_later(profile.base_url, token, user, access=access, **options)
        return replace(self._own(signed_in, server, keep=True), unreachable=error)

    async def forget(self, session: UserSession) -> None:
        """Delete the saved token of this session and its user. The next start then asks for the password."""
        try:
            if self._lists is not None and session.profile is None and session.kept_for is not None:
                self._lists.forget(session.kept_for)
            if session.profile is None:
                return
            await asyncio.to_thread(self._forget, session.profile)
        except OSError as error:
            words = f"The saved token could not be deleted ({error.strerror})."
            raise Refused(words, advice=f"Delete it yourself: {self._settings.paths.secrets}") from error

    def _forget(self, profile: Profile) -> None:
        find_tokens(self._settings.paths.secrets).forget(profile)
        self._profiles.forget_user(profile)

    async def remove(self, profile: Profile) -> None:
        """Delete the token first. A token without a profile would never be deleted."""
        try:
            store = await asyncio.to_thread(find_tokens, self._settings.paths.secrets)
            await asyncio.to_thread(store.forget, profile)
            await asyncio.to_thread(self._profiles.remove, profile)
        except OSError as error:
            words = f"It could not be removed ({error.strerror})."
            raise Refused(words, advice=f"Delete it yourself: {self._settings.paths.profiles}") from error

    async def practice(self, username: str = "asha", *, on_step: OnStep | None = None) -> UserSession:
        tell = on_step or _ignore
        tell("Starting the service")
        self._practice.follow(tell)
        starting = asyncio.create_task(self._practice.start())
        await self._client()  # its import takes 200 ms, while the service starts
        await asyncio.to_thread(import_module("lms_tui.client.connection").import_early)
        base_url = await starting
        self._practice.follow(None)
        tell("Signing in")
        if self._watch is None or self._watch.done():
            self._watch = asyncio.create_task(self._practice.keep_running())
        auth, access = await self._client()
        try:
            signed_in = await auth.sign_in(base_url, username, PRACTICE_PASSWORD, access=access)
        except Invalid as error:
            words = "Use one of its accounts: asha, ravi, mentor, staff or admin."
            raise Invalid(f"The demo institute does not let “{username}” in.", advice=words) from error
        signed_in.lms.origin = PRACTICE_ORIGIN
        session = self._own(signed_in)
        return session if self._lists is None else replace(session, kept_for=practice_profile(username))

    async def close(self) -> None:
        if self._watch is not None:
            self._watch.cancel()
        for lms in self._opened:
            await lms.close()
        self._opened.clear()
        await asyncio.to_thread(self._practice.stop)

    def end_practice(self) -> None:
        """Kill the practice service."""
        self._practice.kill()

    async def _client(self, base_url: str = "") -> "tuple[ModuleType, Access]":
        """Import the client in a thread (200 ms) and return it with the certificates of this server's profile."""
        auth = await asyncio.to_thread(import_module, "lms_tui.client.auth")
        connection = import_module("lms_tui.client.connection")
        network = self._settings.network
        ca_file = self._profiles.ca_file(base_url.strip().rstrip("/")) or network.ca_file
        return auth, connection.Access(network.timeout, ca_file, network.allow_plain_http, recorder=self.recording)

    def _server(self, base_url: str, access: "Access") -> Profile:
        """Return the profile of this server without a user. Raises Invalid."""
        from lms_tui.client.address import parse_base_url  # noqa: PLC0415 - the first paint needs no address

        base_url = parse_base_url(base_url, allow_plain_http=access.allow_plain_http)
        token_path = next((known.token_path for known in self.profiles() if known.base_url == base_url), "")
        own_ca = None if access.ca_file == self._settings.network.ca_file else access.ca_file
        return Profile("", base_url, "", token_path, own_ca)

    def _sign_in_options(self, server: Profile, *, keep: bool) -> dict[str, Any]:
        """Return where this server issues tokens, and callbacks that save the profile and know the device."""

        def device_of(username: str) -> str:
            return self._profiles.device(server.base_url, username)

        def write(profile: Profile, token: str) -> None:
            try:
                self._profiles.remember(profile if keep else profile.without_user())
                store = find_tokens(self._settings.paths.secrets)
                if keep:
                    store.keep(profile, token)
                else:
                    store.forget(profile)
            except OSError as error:
                # A sign-in that is not saved is still a sign-in.
                _log.warning("the sign-in was not saved: %s", error.strerror)

        async def remember(_base_url: str, user: "CurrentUser", token: str, device: str) -> None:
            profile = replace(_profile_of(user, server), device=device or device_of(user.username))
            await asyncio.to_thread(write, profile, token)

        return {"token_path": server.token_path or TOKEN_PATH, "remember": remember, "device_of": device_of}

    def _own(self, signed_in: "SignedIn", server: Profile | None = None, *, keep: bool = False) -> UserSession:
        self._opened.append(signed_in.lms)
        profile = None if server is None else self._saved(signed_in.user, server)
        return UserSession(signed_in.lms, signed_in.user, profile, kept_for=profile if keep else None)

    def _saved(self, user: "CurrentUser", server: Profile) -> Profile:
        """Return the saved profile with the server's name for this device."""
        return replace(_profile_of(user, server), device=self._profiles.device(server.base_url, user.username))


def practice_profile(username: str) -> Profile:
    """Return the profile under which the home screen of a practice user is kept."""
    return Profile(f"{username} in practice", PRACTICE_ORIGIN, username)


def _ignore(_step: str) -> None:
    pass


def _profile_of(user: "CurrentUser", server: Profile) -> Profile:
    name = f"{user.username} at {server.base_url.partition('://')[2]}"
    return replace(server, name=name, username=user.username, user_id=user.id, display_name=user.display_name)
