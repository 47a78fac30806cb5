"""A connection: its sign-in, its limits and its one session. This process runs no code of a session."""

import asyncio
import logging
import re
from contextlib import suppress
from typing import Final

import asyncssh

from lms_tui.runtime.sessions.hosted import LAST_WORDS, HostedSession, HostState, TerminalOf
from lms_tui.runtime.sessions.limits import Connections, Place
from lms_tui.runtime.sessions.messages import LONGEST_END
from lms_tui.runtime.sessions.sign_in import SignedInUser
from lms_tui.runtime.ssh.flow import Flow
from lms_tui.wire.errors import ApiError, Invalid, Unreachable

_ODD: Final = re.compile(r"[^A-Za-z0-9_.@+:-]")
_LONGEST_VALUE: Final = 64
_END_OF_FILE: Final = b"\x04"
"""The byte that a terminal with lines takes for the end of a file."""
_ASKED_EVERY: Final = 1
_ASKED: Final = 3
"""Seconds between two questions to a client that may be gone, and how many it may leave without an answer."""

_log = logging.getLogger(__name__)


class SshConnection(asyncssh.SSHServer):
    """Checks the sign-in at the service and opens one session. `place`: with the address of the person's computer."""

    def __init__(self, host_state: HostState, connections: Connections, place: Place, flow: Flow) -> None:
        self._host = host_state
        self._waiting = connections
        self._place = place
        self._address = place.address
        self.flow = flow
        self._connection: asyncssh.SSHServerConnection | None = None
        self._guesses = self._keys = 0
        self._username = ""
        self._user: SignedInUser | None = None
        self._by_key: dict[str, SignedInUser] = {}
        """The owners of keys whose signature asyncssh has yet to check, by user name."""
        self._limit: asyncio.TimerHandle | None = None
        self._opened = False

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        self._connection = conn

    def connection_lost(self, *_error: object) -> None:
        self._waiting.signed_in(self._place)
        self.session_began()

    def begin_auth(self, username: str) -> bool:
        self._username = username
        return True

    def public_key_auth_supported(self) -> bool:
        return True

    async def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        """Return whether the user has registered this key. asyncssh then checks the signature."""
        self._keys += 1
        if self._keys > self._host.limits.keys:
            return self.refuse("too many keys on one connection")
        try:
            user = await self._host.sign_in.by_key(username, key.get_fingerprint(), self._address)
        except ApiError:
            return False
        self._by_key[username] = user
        return True

    def password_auth_supported(self) -> bool:
        return True

    async def validate_password(self, username: str, password: str) -> bool:
        connection = self._connection
        if connection is None or self._guesses >= self._host.limits.guesses:
            self.refuse("too many passwords on one connection")
            return False
        self._guesses += 1
        try:
            self._user = await self._host.sign_in.by_password(username, password, self._address)
        except ApiError as error:
            if not isinstance(error, Invalid):
                connection.send_auth_banner(_why_not_now(error))
            self.log("a sign-in was refused" if not isinstance(error, Unreachable) else "a sign-in had to wait")
            if self._guesses >= self._host.limits.guesses:
                connection.disconnect(asyncssh.DISC_NO_MORE_AUTH_METHODS_AVAILABLE, "Too many wrong passwords.")
            return False
        return True

    def auth_completed(self) -> None:
        self._waiting.signed_in(self._place)
        self.flow.signed_in()
        self._user = self._user or self._by_key.get(self._username)
        self._limit = asyncio.get_running_loop().call_later(self._host.limits.start, self._too_late)

    def session_requested(self) -> "TerminalSession | bool":
        if self._user is None or self._opened or self._connection is None:
            self.log("a second session on one connection was refused")
            return False
        self._opened = True
        return TerminalSession(self._host, self, self._user, self._address)

    def session_began(self) -> None:
        """Stop the clock that runs from the sign-in."""
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None

    def connection_requested(self, *_places: object) -> bool:
        return self.refuse("forwarding")

    def server_requested(self, *_places: object) -> bool:
        return self.refuse("forwarding")

    def unix_connection_requested(self, *_places: object) -> bool:
        return self.refuse("forwarding")

    def unix_server_requested(self, *_places: object) -> bool:
        return self.refuse("forwarding")

    def tun_requested(self, *_places: object) -> bool:
        return self.refuse("forwarding")

    def tap_requested(self, *_places: object) -> bool:
        return self.refuse("forwarding")

    def refuse(self, what: str) -> bool:
        self.log(f"refused: {what}")
        return False

    def log(self, what: str) -> None:
        """Log an event with its address. User names stay out, because people type passwords there."""
        _log.info("%s: %s", self._address, what)

    def ask_soon(self) -> None:
        """End this connection in seconds if its client does not answer."""
        if self._connection is not None:
            self._connection.set_keepalive(_ASKED_EVERY, _ASKED)

    def end(self) -> None:
        """Close the connection. The rest is dropped if the client does not read it in seconds."""
        if self._connection is not None:
            self._connection.close()
            asyncio.get_running_loop().call_later(LAST_WORDS, self.flow.cut)

    def _too_late(self) -> None:
        self.log("no session was started")
        self.end()


class TerminalSession(asyncssh.SSHServerSession[bytes]):
    """Connects the channel of a connection with a session of this host."""

    def __init__(self, host_state: HostState, connection: SshConnection, user: SignedInUser, address: str) -> None:
        self.address = address
        self._connection = connection
        self._session = HostedSession(host_state, user, self)
        self._channel: asyncssh.SSHServerChannel[bytes] | None = None
        self._plain = self._over = self._held = False
        self._starting: asyncio.Task[None] | None = None

    # Requests of the client.

    def connection_made(self, chan: "asyncssh.SSHServerChannel[bytes]") -> None:
        self._channel = chan

    def pty_requested(self, *_told: object) -> bool:
        return True

    def shell_requested(self) -> bool:
        return True

    def exec_requested(self, command: str) -> bool:
        self._plain = command.strip() == "plain"
        return self._plain or self._connection.refuse("a command")

    def subsystem_requested(self, *_name: object) -> bool:
        return self._connection.refuse("a subsystem")

    def session_started(self) -> None:
        self._connection.session_began()
        channel = self._channel
        if channel is None:
            return
        term = channel.get_terminal_type()
        if not term:
            self._session.say("This program needs a terminal. Connect with ssh -t.")
            return
        self._plain = self._plain or term == "dumb"
        self._connection.flow.when_full(self._client_full)
        self._let_on()
        self._starting = asyncio.get_running_loop().create_task(self._session.begin(self._terminal(channel, term)))

    def _terminal(self, channel: "asyncssh.SSHServerChannel[bytes]", term: str) -> TerminalOf:
        told: dict[str, str] = {}
        for name in (b"LANG", b"COLORTERM"):
            told[name.decode()] = _value(channel.get_environment_bytes().get(name, b"").decode("ascii", "ignore"))
        columns, rows = channel.get_terminal_size()[:2]
        return TerminalOf(columns, rows, _value(term) or "xterm", told["LANG"], told["COLORTERM"], self._plain)

    def data_received(self, data: bytes, *_kind: object) -> None:
        self._connection.flow.typed(len(data))
        self._session.type(data)

    def eof_received(self) -> bool:
        """No key comes any more. Lines end as with the end of a file, and the app as if the line were cut."""
        if self._plain:
            self.data_received(_END_OF_FILE)
        elif self._session.running:
            self._session.hang_up()
            self.exit(1)
        else:
            self._connection.end()
        return True

    def terminal_size_changed(self, width: int, height: int, *_pixels: object) -> None:
        self._session.resize(width, height)

    def pause_writing(self) -> None:
        self._held = True
        self._let_on()

    def resume_writing(self) -> None:
        self._held = False
        self._let_on()

    def connection_lost(self, *_error: object) -> None:
        self._over = True
        self._session.cut()

    def _client_full(self, _full: bool) -> None:
        self._let_on()

    def _let_on(self) -> None:
        """Read the output of the program while the client reads."""
        self._session.read(not (self._held or self._connection.flow.full))

    # The line of the session.

    def show(self, data: bytes) -> None:
        if self._channel is not None:
            self._connection.flow.shown(len(data))
            with suppress(BrokenPipeError):  # the client has closed its half
                self._channel.write(data)

    def hold(self, full: bool, /) -> None:
        if self._channel is not None and not self._over:
            (self._channel.pause_reading if full else self._channel.resume_reading)()

    def exit(self, status: int) -> None:
        """Send the exit code, and give the client some seconds to read it."""
        if self._channel is not None and not self._over:
            self._channel.exit(status)
            asyncio.get_running_loop().call_later(LONGEST_END, self._connection.end)

    def ask_soon(self) -> None:
        self._connection.ask_soon()


def _why_not_now(error: ApiError) -> str:
    wait = getattr(error, "retry_after", None)
    when = f"in {wait:.0f} seconds" if wait else "in a minute"
    return f"The sign-in has to wait. Try again {when}.\r\n"


def _value(told: str) -> str:
    return _ODD.sub("", told)[:_LONGEST_VALUE]
