"""From a key to its paint in the runner beside a row move in a bare list of 1,000; CPU beside a bare clock's, and
memory, when left alone.

And from a key to its paint at the end of an essay beside the same essay in a bare field, with what an essay costs that
arrives as keys at once.

Run it with the environment's own interpreter: `.venv/bin/python -m benchmarks.keys [KEYS] [IDLE SECONDS]`. The runner
is the real program over its real service and journal, with an exam of 200 questions; both programs run at once and get
their keys in turn, so that what else the computer does slows both. Exit status 1 where a target is missed.

What is timed is the paint of the watched rows: everything but the header, where clock and save light go on by
themselves, and the last line.
"""

import compileall
import itertools
import sys
import tempfile
from pathlib import Path

from benchmarks import exam
from benchmarks.figures import Target, heading, judged, p, row
from benchmarks.terminal import Cost, Failed, Terminal

HERE = Path(__file__).parent
BODY = range(2, 39)
WARM = 4
"""Rounds before the measured ones, until both programs have their code and their pages."""


def started(file: Path, sign: str) -> Terminal:
    """The program in the exam of a file, when it shows a sign of its first question."""
    terminal = Terminal([sys.executable, "-m", "lms_tui", "try", str(file), "--data-dir", str(file.parent)])
    try:
        terminal.wait("Press enter", 60)
        terminal.press("enter")
        terminal.wait(sign, 60)
    except BaseException:
        terminal.close()
        raise
    return terminal


def runner(folder: str) -> Terminal:
    """The program at the first question of the exam."""
    file = Path(folder) / "exam.xml"
    exam.write(file)
    return started(file, f"Question 1 of {exam.QUESTIONS}")


def measured(bare: Terminal, ours: Terminal, count: int) -> dict[str, list[Cost]]:
    """Row moves, choices and next questions in turn; a key that painted nothing is a failure of the program."""
    costs: dict[str, list[Cost]] = {"row": [], "choose": [], "next": []}
    options = itertools.cycle("abcd")
    for number in range(WARM + count):
        for terminal, name, key in (
            (bare, "row", "down"),
            (ours, "choose", next(options)),
            (bare, "row", "down"),
            (ours, "next", "n"),
        ):
            cost = terminal.press(key, BODY if terminal is ours else None, limit=2.0)
            if number < WARM:
                continue
            if cost is None:
                raise Failed(f"{key!r} painted nothing (round {number}).\n{terminal.text()}")
            costs[name].append(cost)
    return costs


def writer(folder: str) -> Terminal:
    """The program in the empty field of an essay."""
    file = Path(folder) / "essay.yaml"
    exam.write_essay(file)
    terminal = started(file, "Type your answer")
    terminal.press("enter")
    return terminal


def written(bare: Terminal, ours: Terminal, count: int) -> tuple[dict[str, list[Cost]], dict[str, float]]:
    """The last keys of an essay, in turn. Those before come at once: their milliseconds each."""
    costs: dict[str, list[Cost]] = {"bare": [], "ours": []}
    at_once = {}
    first = exam.ESSAY[: -count - 1].replace("\n", "\r").encode() + b"#"
    for name, terminal in (("bare", bare), ("ours", ours)):
        begun = terminal.write(first)
        at_once[name] = (terminal.wait("#", 120) - begun) * 1000 / len(first)
    for key in exam.ESSAY[-count:].rstrip():
        for name, terminal in (("bare", bare), ("ours", ours)):
            cost = terminal.press(key, BODY if terminal is ours else None, limit=2.0)
            if key != " ":  # it paints only the cursor
                if cost is None:
                    raise Failed(f"{key!r} painted nothing.\n{terminal.text()}")
                costs[name].append(cost)
    return costs, at_once


def left_alone(ours: Terminal, seconds: float) -> dict[str, float]:
    """Milliseconds of CPU a minute of the runner and of a bare clock, measured in turn and in the same minutes."""
    clock = Terminal([sys.executable, str(HERE / "baseline_clock.py")])
    try:
        clock.wait("Second 3")
        found = {"clock": clock.idle(seconds / 2), "runner": ours.idle(seconds / 2)}
        found["clock"] = (found["clock"] + clock.idle(seconds / 2)) / 2
        found["runner"] = (found["runner"] + ours.idle(seconds / 2)) / 2
    finally:
        clock.close()
    return found


def essay(count: int) -> tuple[Target, ...]:
    """Print what an essay costs; the targets."""
    with tempfile.TemporaryDirectory() as folder:
        ours = writer(folder)
        bare = Terminal([sys.executable, str(HERE / "baseline_text_area.py")])
        try:
            bare.wait("Type your answer")
            ours.settle(2)
            costs, at_once = written(bare, ours, count)
        finally:
            bare.close()
            ours.close()
    painted = {name: [cost.painted for cost in found] for name, found in costs.items()}
    print(row(f"bare field: key {len(exam.ESSAY):,}", painted["bare"]))
    print(row(f"runner: key {len(exam.ESSAY):,} of an essay", painted["ours"]))
    print(row("bare field: a key of many at once", [at_once["bare"]]))
    print(row("runner: a key of many at once", [at_once["ours"]]))
    return (
        *(
            Target(f"key of an essay, {name}", p(painted["ours"], share) / p(painted["bare"], share), 1.2, of="bare")
            for name, share in (("p50", 0.5), ("p95", 0.95))
        ),
        Target("a key of many at once", at_once["ours"], 4, "ms"),
    )


def main() -> int:
    count = min(int(sys.argv[1]) if len(sys.argv) > 1 else 150, exam.QUESTIONS - WARM - 2)
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 60.0
    compileall.compile_dir(HERE.parent / "lms_tui", quiet=1)
    with tempfile.TemporaryDirectory() as folder:
        ours = runner(folder)
        bare = Terminal([sys.executable, str(HERE / "baseline_list.py")])
        try:
            bare.wait("Row 30")
            ours.settle(2)
            costs = measured(bare, ours, count)
            memory = ours.memory()
            idle = left_alone(ours, seconds)
        finally:
            bare.close()
            ours.close()
    painted = {name: [cost.painted for cost in found] for name, found in costs.items()}
    print(heading("key to paint, ms (in turn)"))
    print(row("bare list of 1,000: row move", painted["row"]))
    print(row("runner: choose an option", painted["choose"]))
    print(row("runner: next question", painted["next"]))
    written_targets = essay(count)

    def ratio(name: str, share: float) -> float:
        return p(painted[name], share) / p(painted["row"], share)

    return judged(
        (
            Target("choose, p50", ratio("choose", 0.5), 1.2, of="row move"),
            Target("choose, p95", ratio("choose", 0.95), 2.0, of="row move"),
            Target("next question, p50", ratio("next", 0.5), 2.0, of="row move"),
            Target("next question, p95", ratio("next", 0.95), 3.0, of="row move"),
            *written_targets,
            Target("CPU of an exam left alone", idle["runner"] / idle["clock"], 1.5, of="a bare clock"),
            Target("CPU of an exam left alone", idle["runner"], 250, "ms", f"a minute (measured {seconds:g} s)"),
            Target("memory with 200 questions", memory, 75, "MiB"),
        )
    )


if __name__ == "__main__":
    sys.exit(main())
