"""A disk that loses power: from the system calls of a real run to every state that the files may be left in.

The model is POSIX at its strictest. Data of a file is safe after fsync or fdatasync of that file; a name in a folder is
safe after fsync of that folder. What is not safe yet survives sector by sector, in any order, or not at all; where a
sector of a new block was lost, zeros or rubbish may stand in its place.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

SECTOR = 512
_END = -1
"""Where a file that was opened for appending is written."""
_CALL = re.compile(r"^\d+ +(\w+)\((.*)\)\s+= (-?\d+)")
_STRING = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')


@dataclass(frozen=True, slots=True)
class Call:
    """One successful system call. `text`: its first path, or the bytes it wrote; `numbers`: what follows them."""

    name: str
    fd: int
    text: tuple[bytes, ...]
    numbers: tuple[int, ...]
    flags: str
    result: int


def parse(trace: str) -> Iterator[Call]:
    """Read what `strace -xx` wrote; calls that failed did nothing and are left out."""
    for line in trace.splitlines():
        found = _CALL.match(line)
        if found is None or int(found[3]) < 0:
            continue
        texts = tuple(bytes.fromhex(text.replace("\\x", "")) for text in _STRING.findall(found[2]))
        rest = _STRING.sub("", found[2])
        first = re.match(r"\d+", rest)
        numbers = tuple(int(number) for number in re.findall(r"(?<=, )\d+(?=,|$)", rest))
        yield Call(found[1], int(first[0]) if first else -1, texts, numbers, rest, int(found[3]))


@dataclass(eq=False)
class Inode:
    """A file (`data` is what is safe) or a folder (`names` is what is safe), and what was done since, in order."""

    folder: bool
    data: bytes = b""
    pending: list[tuple[int, bytes]] = field(default_factory=list)
    """(offset, bytes) of each write since; (size, b"") of a truncation."""
    names: dict[str, "Inode"] = field(default_factory=dict)
    changes: list[tuple[str, "Inode | None"]] = field(default_factory=list)
    """(name, what it names now) of each change of the folder since."""

    def sync(self) -> None:
        if self.folder:
            self.names = self.now()
            self.changes.clear()
        else:
            self.data = self.torn(None)
            self.pending.clear()

    def now(self) -> dict[str, "Inode"]:
        names: dict[str, Inode | None] = {**self.names, **dict(self.changes)}
        return {name: inode for name, inode in names.items() if inode is not None}

    def left(self, random: Random, share: float) -> dict[str, "Inode"]:
        """The names after a power cut: each name keeps some of its own changes, oldest first."""
        names: dict[str, Inode | None] = dict(self.names)
        stopped: set[str] = set()
        for name, inode in self.changes:
            if name in stopped or random.random() >= share:
                stopped.add(name)
            else:
                names[name] = inode
        return {name: inode for name, inode in names.items() if inode is not None}

    def torn(self, random: Random | None, share: float = 1.0, *, rubbish: bool = False) -> bytes:
        """The data after a power cut in which this share of the sectors written since was saved; None: all of it."""
        content = bytearray(self.data)
        for offset, written in self.pending:
            if not written:
                if random is None or random.random() < share:
                    del content[offset:]
                    content.extend(bytes(max(0, offset - len(content))))
                continue
            for start, end in _sectors(offset, len(written)):
                piece = written[start - offset : end - offset]
                if random is not None and random.random() >= share:
                    if not rubbish or start < len(self.data):
                        continue
                    piece = random.randbytes(len(piece))
                content.extend(bytes(max(0, end - len(content))))
                content[start:end] = piece
        return bytes(content)


def _sectors(offset: int, size: int) -> Iterator[tuple[int, int]]:
    start, stop = offset, offset + size
    while start < stop:
        end = min(stop, (start // SECTOR + 1) * SECTOR)
        yield start, end
        start = end


class Disk:
    """The folder `root` and everything below, as the calls of a run change it; other paths are not of interest."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._top = Inode(folder=True)
        self._open: dict[int, tuple[Inode, int]] = {}
        self.acknowledged: list[str] = []

    def restart(self) -> None:
        """The process has died and another begins: files stay as they are, open or not."""
        self._open.clear()

    def apply(self, call: Call) -> bool:  # noqa: PLR0911 - one return a call, read as a table
        """Take one call; return whether it changed a file here or acknowledged something."""
        match call.name:
            case "openat":
                return self._opened(call)
            case "close":
                self._open.pop(call.fd, None)
                return False
            case "mkdir":
                return self._name(call.text[0], Inode(folder=True))
            case "unlink":
                return self._name(call.text[0], None)
            case "rename":
                return self._renamed(call)
            case "write" if call.fd == 1:
                self.acknowledged += call.text[0].decode().split("\n")[:-1]
                return True
            case _:
                return call.fd in self._open and self._changed(call)

    def _place(self, path: bytes) -> tuple[Inode, str] | None:
        """The folder of a path and the name in it; None outside of the root."""
        where = Path(path.decode())
        if where == self._root or not where.is_relative_to(self._root):
            return None
        folder = self._top
        for part in where.relative_to(self._root).parts[:-1]:
            folder = folder.now()[part]
        return folder, where.name

    def _opened(self, call: Call) -> bool:
        if call.text[0].decode() == str(self._root):
            self._open[call.result] = self._top, 0
            return False
        place = self._place(call.text[0])
        if place is None:
            return False
        folder, name = place
        inode = folder.now().get(name)
        made = inode is None
        if inode is None:
            inode = Inode(folder=False)
            folder.changes.append((name, inode))
        if "O_TRUNC" in call.flags and not made:
            inode.pending.append((0, b""))
        self._open[call.result] = inode, _END if "O_APPEND" in call.flags else 0
        return made

    def _name(self, path: bytes, inode: Inode | None) -> bool:
        place = self._place(path)
        if place is not None:
            place[0].changes.append((place[1], inode))
        return place is not None

    def _renamed(self, call: Call) -> bool:
        old, new = (self._place(path) for path in call.text)
        if old is None or new is None:
            return False
        inode = old[0].now()[old[1]]
        old[0].changes.append((old[1], None))
        new[0].changes.append((new[1], inode))
        return True

    def _changed(self, call: Call) -> bool:
        inode, at = self._open[call.fd]
        match call.name:
            case "write":
                written = call.text[0][: call.result]
                start = len(inode.torn(None)) if at == _END else at
                inode.pending.append((start, written))
                self._open[call.fd] = inode, at if at == _END else at + len(written)
            case "lseek":
                self._open[call.fd] = inode, call.result
                return False
            case "pwrite64":
                inode.pending.append((call.numbers[-1], call.text[0][: call.result]))
            case "ftruncate":
                inode.pending.append((call.numbers[-1], b""))
            case "fsync" | "fdatasync":
                inode.sync()
            case other:
                raise ValueError(f"{other} is not in the model")
        return True

    def cut(self, folder: Path, random: Random) -> None:
        """Lay down in a new folder one state that a power cut at this moment may leave."""
        share = random.choice((0.0, 0.0, 0.1, 0.5, 0.9, 1.0))
        _lay(self._top, folder, random, share, rubbish=random.random() < 0.3)


def _lay(inode: Inode, path: Path, random: Random, share: float, *, rubbish: bool) -> None:
    if not inode.folder:
        path.write_bytes(inode.torn(random, share, rubbish=rubbish))
        return
    path.mkdir(mode=0o700)
    for name, below in inode.left(random, share).items():
        _lay(below, path / name, random, share, rubbish=rubbish)
