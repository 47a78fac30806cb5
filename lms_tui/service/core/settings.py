from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy.engine import URL, make_url

Clock = Callable[[], datetime]
"""What time it is, in UTC."""


def system_clock() -> datetime:
    return datetime.now(UTC)


def sped_up(speed: float, since: datetime, begun: datetime) -> Clock:
    """A dry run's clock: `since` when the computer's said `begun`, and `speed` times faster from then on."""
    return lambda: since + (system_clock() - begun) * speed


@dataclass(frozen=True, slots=True)
class Limits:
    """`body`, `post_body`, `photo_body`: bytes of a request, of one with a post and of one with a photo.

    `body_deadline`: seconds until it must have arrived, `head_deadline`: until its head must have. `head`: bytes of a
    head, and at most `header_lines`. `send_deadline`: seconds in which a client has to take some of what waits for it.
    `pipelined`: requests that may wait for the one before them on a connection. `connections`: open at a time; more
    are answered 503. `password`: bytes.

    `concurrent_hashes`: how many passwords are hashed at a time; each takes 19 MiB and a core for some 20 ms.
    """

    body: int = 64 * 1024
    post_body: int = 1024 * 1024
    photo_body: int = 4 * 1024 * 1024
    body_deadline: float = 30.0
    head: int = 16 * 1024
    header_lines: int = 100
    head_deadline: float = 10.0
    send_deadline: float = 60.0
    pipelined: int = 8
    password: int = 4096
    concurrent_hashes: int = 2
    connections: int = 1000


@dataclass(frozen=True, slots=True)
class Timing:
    """`grace`: how long after the time is over an answer on its way is still taken.

    `pause_after`: a silence longer than this (a heartbeat is due each 60 s) is a pause, which start forgives.
    `begins_with`: the time that is left when an attempt begins, the rest is used up already; None: all of it.
    """

    grace: timedelta = timedelta(seconds=10)
    pause_after: timedelta = timedelta(seconds=90)
    token_lifetime: timedelta = timedelta(days=30)
    sweep_every: timedelta | None = timedelta(seconds=30)
    begins_with: timedelta | None = None

    def sped_up(self, speed: float) -> "Timing":
        """The same for a clock that runs `speed` times faster; the way of an answer takes as long as ever."""
        return replace(self, grace=self.grace * speed, token_lifetime=self.token_lifetime * speed)


@dataclass(frozen=True, slots=True)
class FaultSettings:
    """Faults to inject from the start, as testers write them, and the seed of their random choices."""

    faults: tuple[str, ...] = ()
    seed: int = 0


@dataclass(frozen=True, slots=True)
class ServiceSettings:
    """How one process of the service runs.

    `database_url` empty: SQLite in the data directory. `demo`: the demo institute and its public passwords, for
    loopback only. `exam_files`: imported at start for `practice_user` (a dry run), the first as `practice_slug`.
    `exam_given`: the exam of a dry run comes on standard input instead, as `lms_tui.banks.exam_transfer` sends it.
    `end_with_stdin`: end when standard input closes, so that a killed parent leaves no orphan. `log_file` None:
    `service.log` in the data directory.
    `workers`: processes on this computer, several on PostgreSQL only. `trusted_proxies`: addresses or networks whose
    `X-Forwarded-For` and `X-Forwarded-Proto` are believed.
    `media_dir` None: `media` in the data directory; where several machines serve one institute, a folder they share.
    `video_embedding`: videos can be played from pages of others; `embed_origins`: from theirs only, empty from any.
    `speed`, `since`: how fast a dry run's time passes, and from when on; None: from now. `begun`: when the computer's
    clock said so, that a service that is started again goes on with the same time; None: now.
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
    end_with_stdin: bool = False
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
        """A new clock that begins now, for one process to hand to everything in it."""
        if self.since is None and self.speed == 1.0:
            return system_clock
        begun = self.begun or system_clock()
        return sped_up(self.speed, self.since or begun, begun)

    @property
    def is_dry_run(self) -> bool:
        return self.exam_given or bool(self.exam_files)

    @property
    def is_practice(self) -> bool:
        """Whether somebody waits for it at each start, a dry run or the demo institute."""
        return self.is_dry_run or self.demo

    @property
    def database(self) -> URL:
        if self.database_url:
            return make_url(self.database_url)
        return URL.create("sqlite", database=str(self.data_dir / "service.sqlite3"))

    @property
    def key_file(self) -> Path:
        return self.data_dir / "secret.key"

    @property
    def media(self) -> Path:
        return self.media_dir or self.data_dir / "media"

    @property
    def log(self) -> Path:
        return self.log_file or self.data_dir / "service.log"
