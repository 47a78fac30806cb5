"""Machines for databases on one computer: network namespaces, each with etcd, Patroni and PostgreSQL of its own."""

import asyncio
import http.client
import json
import os
import shutil
import signal
import subprocess
import urllib.request
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import psycopg

from tests.failover.recipe import environment_of, file_of
from tests.service.postgres import binaries

NAMES: Final = ("db1", "db2", "db3")
PACKAGES: Final = {
    "patroni": "patroni",
    "etcd": "etcd-server",
    "haproxy": "haproxy",
    "ip": "iproute2",
    "setpriv": "util-linux",
}
"""Programs and the packages of Debian that have them."""
SUPERUSER_PASSWORD: Final = "superuser"
_RESTART_SECONDS: Final = 2.0


def missing() -> str:
    """Return why the machines cannot run here, or ""."""
    packages = [package for program, package in PACKAGES.items() if _program(program) is None]
    if binaries() is None:
        packages.append("postgresql")
    if packages:
        return f"needs the packages {' '.join(sorted(packages))} (apt-get install)"
    if os.geteuid() != 0:
        return "needs root, for network namespaces"
    trial = f"lms{os.getpid()}"
    made = _ip("netns", "add", trial, check=False)
    _ip("netns", "delete", trial, check=False)
    return "needs network namespaces, which this computer does not allow" if made.returncode else ""


def _program(name: str) -> str | None:
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")


class Unit:
    """A program that is started again two seconds after it ended, as systemd does."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], log: Path) -> None:
        self._command = command
        self._environment = dict(environment)
        self._log = log
        self._task: asyncio.Task[None] | None = None
        self.process: asyncio.subprocess.Process | None = None

    def start(self) -> None:
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def _run(self) -> None:
        while True:
            with self._log.open("ab") as log:
                self.process = await asyncio.create_subprocess_exec(
                    *self._command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=self._environment
                )
            await self.process.wait()
            await asyncio.sleep(_RESTART_SECONDS)

    async def stop(self) -> None:
        """Kill the program and leave it ended."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        if self.process is not None:
            self.kill()
            await self.process.wait()

    def kill(self) -> None:
        if self.process is not None:
            with suppress(ProcessLookupError):
                self.process.kill()


@dataclass
class Machine:
    """`address`: in the network of the machines. `link`: the end of its cable outside."""

    name: str
    address: str
    namespace: str
    link: str
    folder: Path
    units: list[Unit] = field(default_factory=list)

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def start(self) -> None:
        for unit in self.units:
            unit.start()

    async def lose(self) -> None:
        """Kill every program of the machine at once, and remove the database."""
        self._kill()
        for unit in self.units:
            await unit.stop()
        shutil.rmtree(self.data, ignore_errors=True)

    def _kill(self) -> None:
        for pid in map(int, _ip("netns", "pids", self.namespace).stdout.split()):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def cut(self) -> None:
        """Pull the cable."""
        _ip("link", "set", self.link, "down")

    def plug(self) -> None:
        _ip("link", "set", self.link, "up")


class Machines:
    """Three machines of a cluster, with the files of docs/replication.md."""

    def __init__(self, folder: Path) -> None:
        self._id = f"lms{os.getpid()}"
        self._network = f"10.{60 + os.getpid() % 150}.{os.getpid() // 150 % 250}"
        self.all = [
            Machine(name, f"{self._network}.1{place}", f"{self._id}-{place}", f"l{os.getpid()}-{place}", folder / name)
            for place, name in enumerate(NAMES, 1)
        ]

    @property
    def url(self) -> str:
        hosts = "&".join(f"host={machine.address}:5432" for machine in self.all)
        return f"postgresql+psycopg://lms@/lms?{hosts}"

    def start(self) -> None:
        _ip("link", "add", self._id, "type", "bridge")
        _ip("address", "add", f"{self._network}.1/24", "dev", self._id)
        _ip("link", "set", self._id, "up")
        for machine in self.all:
            self._connect(machine)
            self._install(machine)
            machine.start()

    async def stop(self) -> None:
        for machine in self.all:
            with suppress(subprocess.CalledProcessError):
                await machine.lose()
            _ip("netns", "delete", machine.namespace, check=False)
        _ip("link", "delete", self._id, check=False)

    def _connect(self, machine: Machine) -> None:
        _ip("netns", "add", machine.namespace)
        _ip("link", "add", machine.link, "type", "veth", "peer", "name", "eth0", "netns", machine.namespace)
        _ip("link", "set", machine.link, "master", self._id, "up")
        _ip("-n", machine.namespace, "address", "add", f"{machine.address}/24", "dev", "eth0")
        for device in ("lo", "eth0"):
            _ip("-n", machine.namespace, "link", "set", device, "up")

    def _install(self, machine: Machine) -> None:
        machine.folder.mkdir(mode=0o700)
        programs = binaries()
        assert programs is not None
        addresses = {f"10.0.0.1{place}": other.address for place, other in enumerate(self.all, 1)}
        own = {"10.0.0.11": machine.address}
        etcd = environment_of(
            file_of("/etc/default/etcd", {**addresses, "/var/lib/etcd/lms": str(machine.folder / "etcd")})
        )
        cluster = etcd["ETCD_INITIAL_CLUSTER"]
        etcd = {name: value.replace(self.all[0].address, machine.address) for name, value in etcd.items()}
        etcd |= {"ETCD_NAME": machine.name, "ETCD_INITIAL_CLUSTER": cluster, "ETCD_LOG_LEVEL": "warn"}
        hosts = "10.0.0.11:2379,10.0.0.12:2379,10.0.0.13:2379"
        configuration = file_of(
            "/etc/patroni/config.yml",
            {
                **own,
                hosts: ",".join(f"{other.address}:2379" for other in self.all),
                "name: db1": f"name: {machine.name}",
                "/var/lib/postgresql/15/lms": str(machine.data),
                "/usr/lib/postgresql/15/bin": str(programs),
                "/var/lib/postgresql/patroni.pgpass": str(machine.folder / "pgpass"),
                "/var/run/postgresql": str(machine.folder),
                "10.0.0.0/24": f"{self._network}.0/24",
                "SUPERUSER-PASSWORD": SUPERUSER_PASSWORD,
                "REPLICATION-PASSWORD": "replication",
                "REWIND-PASSWORD": "rewind",
                "mode: automatic": "mode: 'off'",
            },
        )
        file = machine.folder / "patroni.yml"
        file.write_text(configuration, "utf-8")
        for path in (machine.folder, file):
            shutil.chown(path, "postgres", "postgres")
        inside = ["ip", "netns", "exec", machine.namespace, "setpriv", "--reuid=postgres", "--regid=postgres"]
        inside.append("--clear-groups")
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8", "HOME": str(machine.folder)}
        machine.units = [
            Unit([*inside, "etcd"], environment | etcd, machine.folder / "etcd.log"),
            Unit([*inside, "patroni", str(file)], environment, machine.folder / "patroni.log"),
        ]

    def members(self) -> list[dict[str, Any]]:
        """Return what the first machine that answers tells about all of them."""
        for machine in self.all:
            with (
                suppress(OSError, ValueError, http.client.HTTPException),  # it may die in the middle
                urllib.request.urlopen(f"http://{machine.address}:8008/cluster", timeout=1) as reply,
            ):
                return list(json.load(reply)["members"])
        return []

    def having(self, role: str) -> Machine | None:
        """Return the machine that has this role now: `leader` or `sync_standby`."""
        names = {member["name"] for member in self.members() if member["role"] == role}
        return next((machine for machine in self.all if machine.name in names), None)

    def whole(self) -> bool:
        """Return whether there is a primary and both others follow it, one of them synchronously."""
        members = self.members()
        lines = {member.get("timeline") for member in members}
        roles = sorted(member["role"] for member in members)
        running = all(member["state"] in {"running", "streaming"} and not member.get("lag") for member in members)
        return roles == ["leader", "replica", "sync_standby"] and running and len(lines) == 1

    def ask(self, statement: str) -> None:
        """Run a statement on the primary as the superuser."""
        with self._connected("postgres") as connection:
            connection.execute(statement.encode())

    def rows(self, query: str, database: str) -> list[Any]:
        """Return the rows of a query on the primary."""
        with self._connected(database) as connection:
            return connection.execute(query.encode()).fetchall()

    def _connected(self, database: str) -> psycopg.Connection[Any]:
        return psycopg.connect(
            host=",".join(machine.address for machine in self.all),
            dbname=database,
            user="postgres",
            password=SUPERUSER_PASSWORD,
            target_session_attrs="read-write",
            connect_timeout=3,
            autocommit=True,
        )


def _ip(*words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    return subprocess.run([_program("ip") or "ip", *words], check=check, capture_output=True, text=True)
