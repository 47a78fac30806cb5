"""Messages between the host of sessions and the warmed parent: one JSON text a packet (standard library only)."""

import json
from dataclasses import asdict
from typing import Final

from lms_tui.common.frozen import frozen

LARGEST: Final = 32 * 1024
"""Bytes of a message. A token has at most 8 KiB."""
LONGEST_END: Final = 10.0
"""Seconds after which a session without a terminal is killed. The app saves and ends in three."""


@frozen
class Setup:
    """The settings of all sessions of a run. `uid` and `gid`: 0 keeps the user who started the program."""

    base_url: str
    folder: str
    uid: int
    gid: int


@frozen
class Start:
    """Start a session. Its terminal comes with the message. `address`: of the person's computer."""

    number: int
    user_id: int
    username: str
    token: str
    address: str
    term: str
    lang: str
    colorterm: str
    plain: bool

    def __repr__(self) -> str:
        return f"Start({self.number})"  # the token appears in no log


@frozen
class Kill:
    """End a session that is still running."""

    number: int


@frozen
class Ready:
    """The parent can start sessions. `trouble`: why it cannot, else ""."""

    trouble: str = ""


@frozen
class Ended:
    """A session has ended. `status`: its exit code, or the negative number of a signal."""

    number: int
    status: int


Message = Start | Kill | Ready | Ended
_KINDS: Final = {kind.__name__: kind for kind in (Start, Kill, Ready, Ended)}


def pack(message: Message) -> bytes:
    return json.dumps([type(message).__name__, asdict(message)]).encode()


def unpack(packet: bytes) -> Message:
    name, values = json.loads(packet)
    return _KINDS[name](**values)
