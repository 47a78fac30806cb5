import os
from collections.abc import Callable
from dataclasses import field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from lms_tui.common.frozen import frozen

if TYPE_CHECKING:
    from sqlalchemy.engine import URL

Clock = Callable[[], datetime]
"""Returns the current time in UTC."""


def system_clock() -> datetime:
    return datetime.now(UTC)


def sped_up(speed: float, since: datetime, begun: datetime) -> Clock:
    """Return a clock that showed `since` when the system clock showed `begun`, and runs `speed` times as fast."""
    return lambda: since + (system_clock() - begun) * speed


@frozen
class Limits:
    """Limits of one process of the service.

    `body`, `post_body`, `photo_body`: bytes of a request body, of a body with a post, of a body with a photo.
    `file_part`: bytes of a body with a part of a file. `file`: bytes of a file of an answer.
    `files`, `files_total`: how many files an attempt has, and the bytes of all of them.
    `concurrent_uploads`: parts of files that are stored at a time.
    `body_deadline`, `head_deadline`: seconds in which the body and the head of a request must arrive.
    `head`, `header_lines`: bytes and lines of a head.
    `send_deadline`: seconds in which a client must read some of the response that waits for it.
    `pipelined`: requests that may wait on a connection for the one before them.
    `idle`: seconds that a connection may wait for its first byte or its next request. httpx uses a connection
    again for 5 seconds. With the same time, the service would close some connections while a request is on its way.
    `connections`: open at a time, `share`: of one address. Idle ones close for new ones. If none is idle, further
    requests get status 503.
    `password`: bytes. `concurrent_hashes`: passwords hashed at a time, by default on half of the cores. Each takes
    19 MiB and a core for about 20 ms.
    `waiting_sign_ins`: sign-ins that may wait for their turn. `sign_in_patience`: seconds that each may wait.
    """

    body: int = 64 * 1024
    post_body: int = 1024 * 1024
    photo_body: int = 4 * 1024 * 1024
    file_part: int = 256 * 1024
    file: int = 10_000_000
    files: int = 50
    files_total: int = 50_000_000
    concurrent_uploads: int = 1
    body_deadline: float = 30.0
    head: int = 16 * 1024
    header_lines: int = 100
    head_deadline: float = 10.0
    send_deadline: float = 60.0
    pipelined: int = 8
    password: int = 4096
    concurrent_hashes: int = field(default_factory=lambda: max(1, (os.cpu_count() or 1) // 2))
    waiting_sign_ins: int = 600
    sign_in_patience: float = 30.0
    idle: float = 7.0
    connections: int = 1000
    share: int = 600


@frozen
class Timing:
    """Times of attempts and tokens.

    `grace`: how long after the end of the time an answer on its way is still accepted.
    `pause_after`: a longer gap between two contacts is a pause, which start does not charge. Heartbeats are due every
    60 s.
    `begins_with`: the time left when an attempt begins, as if the rest were used up, or None for the whole time.
    """

    grace: timedelta = timedelta(seconds=10)
    pause_after: timedelta = timedelta(seconds=90)
    token_lifetime: timedelta = timedelta(days=30)
    sweep_every: timedelta | None = timedelta(seconds=30)
    begins_with: timedelta | None = None

    def sped_up(self, speed: float) -> "Timing":
        """Scale the times that a clock `speed` times as fast shortens. An answer takes as long as before to arrive."""
        return replace(self, grace=self.grace * speed, token_lifetime=self.token_lifetime * speed)


@frozen
class FaultSettings:
    """Faults to inject from the start, as testers write them, and the seed of their random choices."""

    faults: tuple[str, ...] = ()
    seed: int = 0


@frozen
class ServiceSettings:
    """How one process of the service runs.

    `database_url`: empty for SQLite in the data directory.
    `demo`: serve the demo institute, which has public passwords, on loopback only.
    `exam_files`: exams of a dry run, imported at start for `practice_user`, the first as `practice_slug`.
    `exam_given`: the exam of a dry run comes on standard input, as `lms_tui.banks.exam_transfer` sends it.
    `for_others`: other computers reach the service by ssh or in browsers, although it listens on loopback.
    `end_with_stdin`: end when standard input closes, which leaves no orphan after a killed parent.
    `tell_steps`: print what is done before the service listens, a line for each step.
    `workers`: processes on this computer. More than one needs PostgreSQL.
    `trusted_proxies`: addresses or networks whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed.
    `log_file`: None for `service.log` in the data directory.
    `media_dir`: None for `media` in the data directory. Machines that serve one institute share it.
    `video_embedding`: videos can be played on other websites, of `embed_origins` only unless that is empty.
    `speed`, `since`: how fast the time of a dry run passes, and from which moment. None: from now.
    `begun`: the system time at `since`, which lets a restarted service continue with the same time. None: now.
    `fault_injection`: faults to inject and a clock that a tester can move, on loopback only.
    """

    data_dir: Path
    host: str = "127.0.0.1"
    port: int = 0
    database_url: str = ""
    demo: bool = False
    exam_files: tuple[Path, ...] = ()
    exam_given: bool = False
    practice_user: str = "asha"
    practice_slug: str = ""
    for_others: bool = False
    end_with_stdin: bool = False
    tell_steps: bool = False
    workers: int = 1
    trusted_proxies: tuple[str, ...] = ("127.0.0.1", "::1")
    log_file: Path | None = None
    media_dir: Path | None = None
    video_embedding: bool = True
    embed_origins: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    timing: Timing = field(default_factory=Timing)
    speed: float = 1.0
    since: datetime | None = None
    begun: datetime | None = None
    fault_injection: FaultSettings | None = None

    @property
    def clock(self) -> Clock:
        """Return a new clock, which one process shares among all its parts."""
        if self.since is None and self.speed == 1.0:
            return system_clock
        begun = self.begun or system_clock()
        return sped_up(self.speed, self.since or begun, begun)

    @property
    def is_dry_run(self) -> bool:
        return self.exam_given or bool(self.exam_files)

    @property
    def is_practice(self) -> bool:
        """A dry run or the demo institute, which must start fast."""
        return self.is_dry_run or self.demo

    @property
    def address(self) -> "str | URL":
        """The address of the database as it was given, or the file in the folder of the institute."""
        from sqlalchemy.engine import URL  # noqa: PLC0415  # SQLAlchemy takes 120 ms to import, after the first lists

        return self.database_url or URL.create("sqlite", database=str(self.database_file))

    @property
    def database_file(self) -> Path:
        """The SQLite database of an institute without a `database_url`."""
        return self.data_dir / "service.sqlite3"

    @property
    def database(self) -> "URL":
        from sqlalchemy.engine import make_url  # noqa: PLC0415  # as above

        return make_url(self.address)

    @property
    def key_file(self) -> Path:
        return self.data_dir / "secret.key"

    @property
    def epoch_mark(self) -> Path:
        return self.data_dir / "epoch.mark"

    @property
    def media(self) -> Path:
        return self.media_dir or self.data_dir / "media"

    @property
    def log(self) -> Path:
        return self.log_file or self.data_dir / "service.log"
