"""A private PostgreSQL for a test session: its own cluster in a folder of its own, on a Unix socket only."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import psycopg
from sqlalchemy.engine import URL

_ACCOUNT: Final = "postgres"
_TEMPLATE: Final = "prepared"
_HAS_STRATEGIES: Final = 150_000
# Nothing here outlives the session, so nothing waits for the disk; what durability is worth is measured elsewhere.
_NOT_DURABLE: Final = ("fsync=off", "full_page_writes=off", "autovacuum=off", "max_wal_size=128MB")
_SETTINGS: Final = (
    "listen_addresses=",
    "max_connections=200",
    "shared_buffers=32MB",
)


def binaries() -> Path | None:
    """The folder of the newest PostgreSQL that Debian's package installed, None without one."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: float(path.parts[-3]))
    return found[-1].parent if found else None


@dataclass
class Cluster:
    folder: Path
    connection: "psycopg.Connection[Any]"
    """To the database `postgres`, for statements about other databases."""
    start: Callable[[], None]
    """Starts the server again, which has ended."""
    made: int = 0

    def has_ended(self) -> bool:
        """Return whether the server has ended by itself."""
        return not (self.folder / "data" / "postmaster.pid").exists()

    def url(self, name: str) -> URL:
        return URL.create("postgresql+psycopg", username=_ACCOUNT, database=name, query={"host": str(self.folder)})

    def ask(self, statement: str) -> None:
        self.connection.execute(statement.encode())

    def empty(self) -> str:
        """Make a database without a table and return its address."""
        return self._create("template0")

    def prepared(self) -> str:
        """Make a database at the newest migration and return its address."""
        return self._create(_TEMPLATE)

    @contextmanager
    def lent(self, copied: str = "") -> Iterator[str]:
        """Make a prepared database, or a copy of one, yield its address, and drop it."""
        address = self.copy(copied) if copied else self.prepared()
        yield address
        self.drop(address)

    def template(self) -> URL:
        """Make the database that prepared ones are copies of."""
        self.ask(f"CREATE DATABASE {_TEMPLATE} TEMPLATE template0")
        return self.url(_TEMPLATE)

    def _create(self, template: str) -> str:
        self.made += 1
        name = f"test{self.made}"
        # The default since PostgreSQL 15 takes twice as long for a small database.
        strategy = "STRATEGY FILE_COPY" if self.connection.info.server_version >= _HAS_STRATEGIES else ""
        self.ask(f"CREATE DATABASE {name} TEMPLATE {template} {strategy}")
        return self.url(name).render_as_string()

    def copy(self, address: str) -> str:
        """Copy a database to which nobody is connected, and return the address of the copy."""
        return self._create(_name(address))

    def drop(self, address: str) -> None:
        self.ask(f"DROP DATABASE {_name(address)} WITH (FORCE)")


def _name(address: str) -> str:
    return address.partition("?")[0].rpartition("/")[2]


@contextmanager
def cluster(programs: Path, *, durable: bool = False, disk: Path | None = None) -> Iterator[Cluster]:
    """Start a cluster and stop it in the end; PostgreSQL refuses root, who starts it as its own account.

    `durable`: as it is set up by default, for measuring. `disk`: where its folder lies.
    """
    account = _ACCOUNT if os.geteuid() == 0 else None
    with tempfile.TemporaryDirectory(prefix="pg-", dir=disk, ignore_cleanup_errors=True) as name:
        folder = Path(name)
        if account:
            shutil.chown(folder, account, account)
        data = folder / "data"

        def run(program: str, *arguments: str) -> None:
            subprocess.run(
                [programs / program, "-D", data, *arguments],
                check=True,
                stdout=subprocess.DEVNULL,
                user=account,
                group=account,
                extra_groups=[] if account else None,
                cwd=folder,
            )

        run("initdb", "--auth=trust", f"--username={_ACCOUNT}", "--no-sync", "--encoding=UTF8", "--locale=C.UTF-8")
        settings = (*(() if durable else _NOT_DURABLE), *_SETTINGS)
        options = " ".join([f"-k {folder}", *(f"-c {setting}" for setting in settings)])

        def start() -> None:
            run("pg_ctl", "start", "-w", "-t", "300", "-s", "-l", str(folder / "log"), "-o", options)

        start()
        try:
            with psycopg.connect(f"host={folder} user={_ACCOUNT} dbname=postgres", autocommit=True) as connection:
                yield Cluster(folder, connection, start)
        finally:
            run("pg_ctl", "stop", "-m", "immediate", "-s")
