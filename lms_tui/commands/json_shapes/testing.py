"""The JSON of the commands for testers."""

from typing import Literal

from lms_tui.commands.json_shapes.base import Moment, Shape

Verdict = Literal["holds", "broken", "not judged", "differs", "known", "vanished"]


class Problem(Shape):
    """`request`: the request whose reply shows it."""

    found: str
    request: str


class WalkedRule(Shape):
    """A rule of the API document. `judged`: how often it was judged. `reason`: why it was not."""

    id: str
    verdict: str
    source: str
    under: str
    quote: str
    expect: str
    judged: int
    problems: list[Problem]
    reason: str
    seconds: float


class Walk(Shape):
    """A walk. `stopped`, `advice`: why it could not go on. `replies`: the fields of each reply with their types."""

    base_url: str
    server: str
    user: str
    exam: str
    holds: bool
    stopped: str
    advice: str
    requests: int
    bytes: int
    seconds: float
    versions: dict[str, str]
    repeated: int
    left: list[str]
    rules: list[WalkedRule]
    replies: dict[str, dict[str, list[str]]]


class EndpointTimes(Shape):
    """Times are in seconds: the median and the 95th and 99th percentile."""

    requests: int
    failed: int
    p50: float
    p95: float
    p99: float


class LoadedRule(Shape):
    id: str
    verdict: str
    problems: list[str]


class Load(Shape):
    """A walk with `--load`."""

    base_url: str
    server: str
    examinees: int
    attempts: int
    seconds: float
    bytes: int
    repeated: int
    endpoints: dict[str, EndpointTimes]
    rules: list[LoadedRule]
    failures: list[str]


class ScenarioStep(Shape):
    step: str
    passed: bool
    problems: list[str]
    request: str
    seconds: float


class Scenario(Shape):
    """`reason`: why it could not run."""

    name: str
    title: str
    result: Literal["passed", "failed", "could not run", "not run"]
    reason: str
    seconds: float
    steps: list[ScenarioStep]


class ScenarioRun(Shape):
    server: str
    passed: bool
    scenarios: list[Scenario]


class Rule(Shape):
    """A rule of the walk. `request`: with curl."""

    id: str
    source: str
    under: str
    quote: str
    expect: str
    request: str


class WalkDifference(Shape):
    """Two walks. `rules`, `replies`: a line for each difference."""

    rules: list[str]
    replies: list[str]


class Fault(Shape):
    """`active`: whether it is in its time. `hits`: the number of requests that it has hit."""

    fault: str
    active: bool
    hits: int


class Faults(Shape):
    faults: list[str]
    rows: list[Fault]


class ClockTime(Shape):
    now: Moment


class FaultReport(Shape):
    """`delays`: the seconds after which each failed request came again."""

    requests: int
    faults: dict[str, int]
    answers_offered: int
    questions_answered: int
    answers_kept: int
    sent_again: int
    never_sent_again: int
    delays: list[float]
