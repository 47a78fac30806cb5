"""Sign in to servers, and to the practice service on this computer.

HTTP and models are imported in a thread at the first sign-in. The first screen does not wait for them.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from lms_tui.client.port import TOKEN_PATH
from lms_tui.client.recording import Recording
from lms_tui.common.settings import Profile, Settings
from lms_tui.runtime.profiles import ProfileList
from lms_tui.runtime.secrets import UnsafeSecretError, find_tokens
from lms_tui.runtime.service_process import ServiceProcess
from lms_tui.wire.errors import Refused, SignInNeeded

if TYPE_CHECKING:
    from lms_tui.client.auth import SignedIn
    from lms_tui.client.connection import Access
    from lms_tui.client.port import Lms

PRACTICE_PASSWORD: Final = "practice"  # noqa: S105 - public, and the service listens on this computer only
PRACTICE_ORIGIN: Final = "practice on this computer"
"""The name of the practice service in journals, because its port changes with each start."""


_log = logging.getLogger(__name__)
Remember = Callable[[str, str, str], Awaitable[None]]


class HttpSessionProvider:
    """Signs in over HTTP. `practice` is started at the first use. `recording` holds all requests, newest last."""

    def __init__(self, settings: Settings, profiles: ProfileList, practice: ServiceProcess) -> None:
        self._settings = settings
        self._profiles = profiles
        self._practice = practice
        self._opened: list[Lms] = []
        self._whose: dict[int, Profile] = {}
        self._watch: asyncio.Task[None] | None = None
        self.recording = Recording()

    def profiles(self) -> tuple[Profile, ...]:
        return self._profiles.all()

    async def sign_in(self, base_url: str, username: str, password: str, *, keep: bool) -> "Lms":
        auth, access = await self._client(base_url)
        options = self._sign_in_options(base_url, access, keep=keep)
        return self._own(await auth.sign_in(base_url, username, password, access=access, **options))

    async def sign_in_with_token(self, base_url: str, token: str, *, keep: bool) -> "Lms":
        auth, access = await self._client(base_url)
        options = self._sign_in_options(base_url, access, keep=keep)
        return self._own(await auth.sign_in_with_token(base_url, token, access=access, **options))

    async def resume(self, profile: Profile) -> "Lms | None":
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
            return await self.sign_in_with_token(profile.base_url, token, keep=True)
        except SignInNeeded:
            await asyncio.to_thread(store.forget, profile)
            return None

    async def forget(self, lms: "Lms") -> None:
        """Delete the saved token of this session. The next start then asks for the password."""
        profile = self._whose.pop(id(lms), None)
        if profile is None:
            return
        try:
            store = await asyncio.to_thread(find_tokens, self._settings.paths.secrets)
            await asyncio.to_thread(store.forget, profile)
        except OSError as error:
            words = f"The saved token could not be deleted ({error.strerror})."
            raise Refused(words, advice=f"Delete it yourself: {self._settings.paths.secrets}") from error

    async def remove(self, profile: Profile) -> None:
        """Delete the token first. A token without a profile would never be deleted."""
        try:
            store = await asyncio.to_thread(find_tokens, self._settings.paths.secrets)
            await asyncio.to_thread(store.forget, profile)
            await asyncio.to_thread(self._profiles.remove, profile)
        except OSError as error:
            words = f"It could not be removed ({error.strerror})."
            raise Refused(words, advice=f"Delete it yourself: {self._settings.paths.profiles}") from error

    async def practice(self, username: str = "asha") -> "Lms":
        starting = asyncio.create_task(self._practice.start())
        await self._client()  # its import takes 200 ms, while the service starts
        await asyncio.to_thread(import_module("lms_tui.client.connection").warm)
        base_url = await starting
        if self._watch is None or self._watch.done():
            self._watch = asyncio.create_task(self._practice.keep_running())
        auth, access = await self._client()
        signed_in = await auth.sign_in(base_url, username, PRACTICE_PASSWORD, access=access)
        signed_in.lms.origin = PRACTICE_ORIGIN
        return self._own(signed_in)

    async def close(self) -> None:
        if self._watch is not None:
            self._watch.cancel()
        for lms in self._opened:
            await lms.close()
        self._opened.clear()
        self._whose.clear()
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

    def _sign_in_options(self, base_url: str, access: "Access", *, keep: bool) -> dict[str, Any]:
        """Return where this server issues tokens and a callback that saves the profile. Raises Invalid."""
        from lms_tui.client.address import parse_base_url  # noqa: PLC0415 - the first paint needs no address

        base_url = parse_base_url(base_url, allow_plain_http=access.allow_plain_http)
        token_path = next((known.token_path for known in self.profiles() if known.base_url == base_url), "")
        remember = self._remember(token_path, access.ca_file, keep=keep)
        return {"token_path": token_path or TOKEN_PATH, "remember": remember}

    def _remember(self, token_path: str, ca_file: Path | None, *, keep: bool) -> Remember:
        own_ca = None if ca_file == self._settings.network.ca_file else ca_file

        def write(profile: Profile, token: str) -> None:
            try:
                self._profiles.remember(profile)
                store = find_tokens(self._settings.paths.secrets)
                if keep:
                    store.keep(profile, token)
                else:
                    store.forget(profile)
            except OSError as error:
                # A sign-in that is not saved is still a sign-in.
                _log.warning("the sign-in was not saved: %s", error.strerror)

        async def remember(base_url: str, username: str, token: str) -> None:
            name = f"{username} at {base_url.partition('://')[2]}"
            await asyncio.to_thread(write, Profile(name, base_url, username, token_path, own_ca), token)

        return remember

    def _own(self, signed_in: "SignedIn") -> "Lms":
        self._opened.append(signed_in.lms)
        if signed_in.lms.origin != PRACTICE_ORIGIN:
            username = signed_in.user.username
            self._whose[id(signed_in.lms)] = Profile(username, signed_in.base_url, username)
        return signed_in.lms
