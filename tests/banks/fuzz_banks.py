"""Exam files of every format, damaged by chance: read or refused with words, never a crash, never for long.

`python -m tests.banks.fuzz_banks [COUNT] [SEED] [FORMAT,FORMAT]`; what is printed on a failure repeats it.
"""

import random
import sys
import time
import zipfile
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Final

from lms_tui.banks.report import as_json, check
from tests.banks.format_samples import BY_HAND, FULL, WRITTEN, sample

LONGEST_S: Final = 20.0
"""Far above what a small file takes on a busy computer; what loops or explodes takes longer."""
CASES: Final = Path(__file__).parents[3] / "shared" / "cases"
FEARS: Final = (
    b"<", b"]]>", b"&x;", b"{", b"}", b"\0", b"\xff\xfe", b"- ", b"\n\n", b"%", b"#", b'"', b"<!DOCTYPE a [",
    b"PK\5\6", b"\\", b"=", b"~", b"->", b"[[1]]", b"$", b"data:image/png;base64,", b"\r", b"&#0;",
    b"{1:NM:=5:", b"1e999",
)  # fmt: skip


def samples(columns: Sequence[str] = (*WRITTEN, *BY_HAND)) -> Iterator[tuple[bytes, str]]:
    """A small file for each construct of each format."""
    for column in columns:
        for row in BY_HAND.get(column, FULL):
            found = sample(row, column)
            if found is not None:
                yield found


def damaged(data: bytes, dice: random.Random) -> bytes:
    """The file with bytes changed, taken out, doubled, or swapped for what readers fear.

    Of a zip file, one of the files inside is damaged three times in four, and else the zip file itself.
    """
    if data.startswith(b"PK\3\4") and dice.randrange(4):
        return _damaged_inside(data, dice)
    changed = bytearray(data)
    for _ in range(dice.randint(1, 8)):
        at = dice.randrange(len(changed) + 1)
        match dice.randrange(4):
            case 0:
                changed[at:at] = dice.choice(FEARS)
            case 1:
                del changed[at : at + dice.randint(1, 200)]
            case 2:
                changed[at:at] = changed[at : at + dice.randint(1, 200)]
            case _:
                changed[at : at + 1] = bytes([dice.randrange(256)])
    return bytes(changed)


def _damaged_inside(data: bytes, dice: random.Random) -> bytes:
    stream = BytesIO()
    with zipfile.ZipFile(BytesIO(data)) as whole, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as broken:
        names = whole.namelist()
        chosen = dice.choice([name for name in names if name.endswith((".xml", ".json", ".rels"))] or names)
        for name in names:
            content = whole.read(name)
            broken.writestr(name, damaged(content, dice) if name == chosen else content)
    return stream.getvalue()


def look(data: bytes, name: str) -> float:
    """Check a file as `lms-tui exam check` does; return the seconds it took."""
    began = time.perf_counter()
    report = check(data, name)
    assert as_json(report)
    assert all(found.message.strip() and "Traceback" not in found.message for found in report.errors)
    return time.perf_counter() - began


def main() -> int:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    seed = sys.argv[2] if len(sys.argv) > 2 else "1"
    columns = sys.argv[3].split(",") if len(sys.argv) > 3 else []
    files = list(samples(columns or (*WRITTEN, *BY_HAND)))
    if CASES.is_dir() and not columns:
        small = (path for path in sorted(CASES.rglob("*")) if path.is_file() and path.stat().st_size < 100_000)
        files += [(path.read_bytes(), path.name) for path in small]
    longest = 0.0
    for number in range(count):
        dice = random.Random(f"{seed}.{number}")
        data, name = files[number % len(files)]
        broken = damaged(data, dice)
        try:
            taken = look(broken, name)
        except BaseException:
            print(f"seed {seed}.{number}, {name}: {broken!r}", file=sys.stderr)  # noqa: T201 - for whoever repeats it
            raise
        if taken > LONGEST_S:
            print(f"seed {seed}.{number}, {name}: took {taken:.1f} s", file=sys.stderr)  # noqa: T201 - the same
            return 1
        longest = max(longest, taken)
    took = f"the longest took {longest:.2f} s"
    print(f"{count} damaged files of {len(files)} read or refused; {took}")  # noqa: T201 - what it is run for
    return 0


if __name__ == "__main__":
    sys.exit(main())
