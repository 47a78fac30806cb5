"""The results of scenarios as lines, as JSON, as JUnit XML and as annotations."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from lms_tui.client.recording import Exchange
from lms_tui.client.redaction import safe_line
from lms_tui.common.frozen import frozen
from lms_tui.qa import junit
from lms_tui.qa.annotations import Level, annotation
from lms_tui.qa.junit import Case, Result, Suite
from lms_tui.qa.scenarios.player import Outcome
from lms_tui.qa.scenarios.scenario import Scenario


@frozen
class Played:
    """A scenario with the results of its steps. `stopped` says why not all of them were played.

    `skipped`: the scenario was not begun, because something is not installed.
    """

    scenario: Scenario
    outcomes: tuple[Outcome, ...] = ()
    exchanges: tuple[Exchange, ...] = ()
    stopped: str = ""
    skipped: bool = False

    @property
    def result(self) -> Result:
        if any(outcome.problems for outcome in self.outcomes):
            return Result.FAILED
        if self.skipped:
            return Result.NOT_RUN
        return Result.COULD_NOT_RUN if self.stopped else Result.PASSED

    @property
    def seconds(self) -> float:
        return sum(outcome.seconds for outcome in self.outcomes)


def to_lines(played: Played) -> Iterator[str]:
    """Yield the title, and a line for each step with what was wrong."""
    yield played.scenario.title
    for number, outcome in enumerate(played.outcomes, start=1):
        yield f"  {'✗' if outcome.problems else '✓'} {number:>2}. {outcome.words}"
        for problem in outcome.problems:
            yield f"        {safe_line(problem)}"
        if outcome.problems and outcome.request:
            yield f"        in {safe_line(outcome.request)}"
    if played.skipped:
        yield "  - not run"
    elif played.stopped:
        yield f"  - stopped: {safe_line(played.stopped)}"


def to_json(server: str, runs: Iterable[Played]) -> str:
    listed = [_tree(played) for played in runs]
    passed = all(one["result"] == "passed" for one in listed)
    return json.dumps({"server": server, "passed": passed, "scenarios": listed}, ensure_ascii=False, indent=2)


def _tree(played: Played) -> dict[str, Any]:
    words = {Result.PASSED: "passed", Result.FAILED: "failed", Result.COULD_NOT_RUN: "could not run"}
    return {
        "name": played.scenario.name,
        "title": played.scenario.title,
        "result": words.get(played.result, "not run"),
        "reason": safe_line(played.stopped),
        "seconds": round(played.seconds, 3),
        "steps": [
            {
                "step": outcome.words,
                "passed": not outcome.problems,
                "problems": [safe_line(problem) for problem in outcome.problems],
                "request": safe_line(outcome.request),
                "seconds": round(outcome.seconds, 3),
            }
            for outcome in played.outcomes
        ],
    }


def to_junit(runs: Iterable[Played]) -> bytes:
    """Return a test suite for each scenario with a test case for each step."""
    return junit.to_junit(_suite(played) for played in runs)


def _suite(played: Played) -> Suite:
    name = f"scenario.{played.scenario.name}"
    cases = [_case(name, number, outcome) for number, outcome in enumerate(played.outcomes, start=1)]
    if played.stopped:
        result = Result.NOT_RUN if played.skipped else Result.COULD_NOT_RUN
        cases.append(Case(name, "reaches its end", result=result, message=safe_line(played.stopped)))
    began = played.exchanges[0].began if played.exchanges else None
    return Suite(played.scenario.title, tuple(cases), played.seconds, began)


def _case(classname: str, number: int, outcome: Outcome) -> Case:
    name = f"{number}. {outcome.words}"
    if not outcome.problems:
        return Case(classname, name, outcome.seconds)
    problems = [safe_line(problem) for problem in outcome.problems]
    return Case(classname, name, outcome.seconds, Result.FAILED, problems[0], _told(outcome))


def to_annotations(runs: Iterable[Played]) -> Iterator[str]:
    """Yield an error for each failed step and for each scenario that could not run."""
    for played in runs:
        for outcome in played.outcomes:
            if outcome.problems:
                yield annotation(Level.ERROR, f"{played.scenario.title}: {outcome.words}", _told(outcome))
        if played.stopped:
            level = Level.WARNING if played.skipped else Level.ERROR
            yield annotation(level, f"{played.scenario.title}: not run", safe_line(played.stopped))


def _told(outcome: Outcome) -> str:
    return "\n".join(safe_line(words) for words in (*outcome.problems, outcome.request) if words)
