"""How long `lms-tui exam check` takes for large files, and how much memory, in processes of their own.

`python -m benchmarks.banks [RUNS]`. 10,000 questions in GIFT and 5,000 in Moodle XML, with formulas, tables, weights,
tolerances and feedback. Where `pygiftparser` is installed (`uv run --with pygiftparser python -m benchmarks.banks`) it
reads the same GIFT in turn with us; it only reads, where `check` also looks at every formula, table and key. There is
no library that reads Moodle XML. Then `lms-tui try` with 300 questions, in a pty, from the command to the rules on the
screen. Exit status 1 where a target is missed; wants a quiet machine.
"""

import importlib.util
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.figures import Target, heading, judged, row
from benchmarks.terminal import Terminal

GIFT, MOODLE, TRIED = 10_000, 5_000, 300
OPENING_S = 2.0
LIMIT_S = 10.0
LIMIT_GROWTH = 2.3
"""Memory for twice the questions, as a multiple of that for once; 2 is a straight line."""
_CHECK = "import sys; from lms_tui.cli import main; sys.exit(main(['exam', 'check', sys.argv[1], '--json']))"
_OTHER = """\
import sys, logging
logging.disable(logging.CRITICAL)
from pygiftparser import parser
print(len(parser.parseFile(open(sys.argv[1], encoding="utf-8"))))
"""


def gift(count: int) -> str:
    """Choices with formulas, weights and feedback; numbers; short answers; matches."""
    return "\n\n".join(_gift(number) for number in range(count))


def _gift(number: int) -> str:
    match number % 6:
        case 3:
            return f"::Q{number}:: How many are {number} and {number + 1}? {{#{2 * number + 1}:0.5}}"
        case 4:
            return f"::Q{number}:: Name the unit of force {number}. {{=newton =%50%N}}"
        case 5:
            return f"::Q{number}:: Match units {number}. {{=force -> newton =energy -> joule =power -> watt}}"
        case _:
            stem = (
                f"A body of mass \\\\({number} \\\\, kg\\\\) is moving; what is "
                f"$\\\\frac\\{{m v^2\\}}\\{{{number + 2}\\}}$?"
            )
            keys = f"={number * 2} J ~{number} W ~%-25%{number + 3} N#You halved. ~none of these"
            return f"::Q{number}:: {stem} {{{keys} #### Kinetic energy.}}"


def moodle_xml(count: int) -> str:
    """Choices with formulas and a table, and numbers with a tolerance."""
    return f'<?xml version="1.0" encoding="UTF-8"?><quiz>{"".join(_moodle(number) for number in range(count))}</quiz>'


def _moodle(number: int) -> str:
    if number % 3 == 2:
        stem, kind = f"<p>How many are {number} &amp; 1?</p>", "numerical"
        keys = f'<answer fraction="100"><text>{number + 1}</text><tolerance>0.5</tolerance></answer>'
    else:
        formulas = f"\\({number}\\,kg\\) and \\(\\frac{{m v^2}}{{{number + 2}}}\\)"
        stem, kind = f"<p>What is {formulas}?</p><table><tr><td>a<td>{number}</table>", "multichoice"
        keys = "<single>true</single>" + "".join(
            f'<answer fraction="{share}" format="html"><text>{number + at} J</text></answer>'
            for at, share in enumerate((100, 0, -25))
        )
    text = f'<questiontext format="html"><text><![CDATA[{stem}]]></text></questiontext>'
    return f'<question type="{kind}"><name><text>Q{number}</text></name>{text}{keys}</question>\n'


def run(code: str, file: Path) -> tuple[float, float]:
    """Seconds from exec to exit, and MiB at the peak."""
    with Path(os.devnull).open("wb") as nowhere:
        began = time.perf_counter()
        process = subprocess.Popen([sys.executable, "-c", code, str(file)], stdout=nowhere)
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{file.name} ended with {process.returncode}")
    return time.perf_counter() - began, used.ru_maxrss / 1024


def opened(file: Path, folder: Path) -> float:
    """Seconds from the command to the rules of the exam, read from its service, on the screen."""
    terminal = Terminal([sys.executable, "-m", "lms_tui", "try", str(file), "--data-dir", str(folder)])
    try:
        return terminal.wait("Press enter to start", 120.0) - terminal.started
    finally:
        terminal.close()


def main() -> int:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    known = importlib.util.find_spec("pygiftparser") is not None
    times: dict[str, list[float]] = {"GIFT, exam check": [], "Moodle XML, exam check": []}
    if known:
        times["GIFT, pygiftparser reads only"] = []
    peaks: dict[int, float] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "bank.gift").write_text(gift(GIFT), "utf-8")
        (folder / "bank.xml").write_text(moodle_xml(MOODLE), "utf-8")
        (folder / "one.gift").write_text(gift(1), "utf-8")
        (folder / "half.gift").write_text(gift(GIFT // 2), "utf-8")
        for _ in range(runs):
            seconds, peaks[GIFT] = run(_CHECK, folder / "bank.gift")
            times["GIFT, exam check"].append(seconds)
            times["Moodle XML, exam check"].append(run(_CHECK, folder / "bank.xml")[0])
            if known:
                times["GIFT, pygiftparser reads only"].append(run(_OTHER, folder / "bank.gift")[0])
        (folder / "tried.gift").write_text(gift(TRIED), "utf-8")
        times[f"{TRIED} questions in `try`"] = [opened(folder / "tried.gift", folder / "data") for _ in range(runs)]
        _, peaks[1] = run(_CHECK, folder / "one.gift")
        _, peaks[GIFT // 2] = run(_CHECK, folder / "half.gift")
    print(heading(f"{GIFT} GIFT, {MOODLE} Moodle XML, s"))
    for what, taken in times.items():
        print(row(what, taken))
    print("peak, MiB: " + ", ".join(f"{count} questions {peak:.0f}" for count, peak in sorted(peaks.items())))
    both = sum(statistics.median(times[what]) for what in ("GIFT, exam check", "Moodle XML, exam check"))
    growth = (peaks[GIFT] - peaks[1]) / max(1.0, peaks[GIFT // 2] - peaks[1])
    return judged(
        (
            Target("both files, one after the other", both, LIMIT_S, "s"),
            Target(
                f"{TRIED} questions open in `try`",
                statistics.median(times[f"{TRIED} questions in `try`"]),
                OPENING_S,
                "s",
            ),
            Target("memory for twice the questions", growth, LIMIT_GROWTH, of="that for once"),
        )
    )


if __name__ == "__main__":
    sys.exit(main())
