"""Scenarios as files: steps with their expected outcomes, and the same steps in words for a checklist."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import yaml

from lms_tui.common.cleaning import clean_line
from lms_tui.common.frozen import frozen
from lms_tui.common.user_errors import AdvisedError
from lms_tui.qa.walk.values import at

_LARGEST: Final = 256 * 1024
_UNITS: Final = MappingProxyType({"s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0})
_TIME: Final = re.compile(r"(\d+(?:\.\d+)?) ?(s|min|h|d)")
_TIMES: Final = re.compile(rf"{_TIME.pattern}(?: {_TIME.pattern})*")
_OPTIONS: Final = frozenset({"as", "attempt of", "expect"})
READABLE: Final = MappingProxyType(
    {
        "attempt": "{whose}",
        "questions": "the questions of {whose}",
        "review": "the review of {whose}",
        "subjects": "the subjects of {whose}",
        "stats": "the statistics",
        "me": "the profile",
        "attempts": "the list of attempts",
    }
)


class ScenarioError(AdvisedError):
    """The file is not a scenario."""

    def __init__(self, message: str, advice: str = "`lms-tui help scenarios` describes the format.") -> None:
        super().__init__(message, advice)


@frozen
class Step:
    """One action of a scenario.

    `who` is a name such as `asha`, or `asha@phone` for a second sign-in. `owner` is the student whose attempt it is,
    empty for the same user. `expect` is `accepted`, `refused`, or expected values by name.
    """

    verb: str
    given: Any
    who: str
    owner: str = ""
    expect: Any = "accepted"

    @property
    def user(self) -> str:
        return self.who.partition("@")[0]


@frozen
class Scenario:
    """`name` is the name of the file without its suffix."""

    title: str
    about: str
    steps: tuple[Step, ...]
    name: str = ""

    @property
    def needs_app(self) -> bool:
        return any(step.verb == "app" for step in self.steps)


@frozen
class _Verb:
    """`words`: the step for a checklist. `example`: a value that `accepts` accepts. `sends`: it is a request."""

    words: str
    example: str = ""
    accepts: Callable[[Any], bool] = lambda _: True
    sends: bool = True


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_for_app(value: object) -> bool:
    if isinstance(value, Mapping):
        return len(value) == 1 and value.keys() <= {"press", "type", "see"} and all(map(_is_text, value.values()))
    return value in ("open", "kill", "close")


_VERBS: Final = MappingProxyType(
    {
        "start": _Verb("{who} starts the exam {given}", "number-sense", _is_text),
        "resume": _Verb("{who} resumes {whose}"),
        "heartbeat": _Verb("{who} sends a heartbeat for {whose}"),
        "answer": _Verb(
            "{who} answers {values}", "{question: 1, choose: a}", lambda given: isinstance(at(given, "question"), int)
        ),
        "end": _Verb("{who} ends {whose}"),
        "end section": _Verb("{who} ends section {given}", "1", lambda given: isinstance(given, int)),
        "read": _Verb("{who} reads {part}", " or ".join(READABLE), READABLE.__contains__),
        "list": _Verb("{who} lists the exams that are {given}", "available", _is_text),
        "sign in": _Verb("{who} signs in again"),
        "sign-in expires": _Verb("the sign-in of {who} expires", sends=False),
        "wait": _Verb("wait {given}", "90 s, 5 min or 1 h 30 min", lambda given: time_of(given) is not None, False),
        "fault": _Verb("add the fault {given}", "drop 5%", _is_text, False),
        "clear faults": _Verb("remove all faults", sends=False),
        "note": _Verb("{given}", "a text", _is_text, False),
        "app": _Verb("the app: {values}", "open, kill, close, {press: enter} or {see: Resume}", _is_for_app, False),
    }
)


def included_scenarios() -> tuple[Path, ...]:
    """Return the files of the included scenarios."""
    return tuple(sorted(Path(str(files(__package__))).glob("*.yaml")))


def read_scenario(file: Path) -> Scenario:
    """Read a file, or an included scenario by its name. Raises ScenarioError."""
    included = {path.stem: path for path in included_scenarios()}
    file = file if file.exists() else included.get(str(file), file)
    try:
        with file.open("rb") as stream:
            text = stream.read(_LARGEST + 1)
    except OSError as error:
        words = f"The scenario {clean_line(str(file))} cannot be read ({error.strerror})."
        raise ScenarioError(words, f"Give a file, or one of: {', '.join(included)}.") from error
    if len(text) > _LARGEST:
        raise ScenarioError(f"{clean_line(file.name)} is too large for a scenario.")
    try:
        return replace(parse_scenario(yaml.safe_load(text)), name=clean_line(file.stem))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f", line {mark.line + 1}" if mark is not None else ""
        if isinstance(error, yaml.composer.ComposerError) and "single document" in str(error.context):
            message = f"{clean_line(file.name)}{where}: a second scenario begins here. Only one can be played."
            raise ScenarioError(message, "Write each scenario into a file of its own.") from error
        raise ScenarioError(f"{clean_line(file.name)}{where}: this is not YAML.") from error


def parse_scenario(tree: object) -> Scenario:
    """Raises ScenarioError with the number of the wrong step."""
    if not isinstance(tree, Mapping) or not isinstance(tree.get("steps"), list) or not tree["steps"]:
        raise ScenarioError("A scenario needs a title and steps.")
    user = str(tree.get("as", "asha"))
    steps = tuple(_step(number, raw, user) for number, raw in enumerate(tree["steps"], start=1))
    return Scenario(clean_line(str(tree.get("title", "Scenario"))), clean_line(str(tree.get("about", ""))), steps)


def _step(number: int, raw: object, user: str) -> Step:
    step = {raw: None} if isinstance(raw, str) else raw
    if not isinstance(step, Mapping):
        raise ScenarioError(f"Step {number} is not an action.")
    names = [str(name) for name in step if name not in _OPTIONS]
    if len(names) != 1 or names[0] not in _VERBS:
        named = ", ".join(map(clean_line, names)) or "nothing"
        raise ScenarioError(f"Step {number} names {named} instead of one of: {', '.join(sorted(_VERBS))}.")
    verb, given, expect = names[0], step[names[0]], step.get("expect", "accepted")
    if not _VERBS[verb].accepts(given):
        raise ScenarioError(f"Step {number}: write {verb} like this: {_VERBS[verb].example}.")
    if not isinstance(expect, Mapping) and expect not in ("accepted", "refused"):
        raise ScenarioError(f"Step {number}: expect needs accepted, refused, or values by name.")
    return Step(verb, given, str(step.get("as", user)), str(step.get("attempt of", "")), expect)


def time_of(value: object) -> float | None:
    """Return the seconds of a time such as `90 s` or `1 h 30 min`, else None."""
    if not isinstance(value, str) or not _TIMES.fullmatch(value):
        return None
    return sum(float(number) * _UNITS[unit] for number, unit in _TIME.findall(value))


def checklist(scenario: Scenario) -> Iterator[str]:
    """Yield the lines of a checklist for a person."""
    yield scenario.title
    if scenario.about:
        yield scenario.about
    yield ""
    for number, step in enumerate(scenario.steps, start=1):
        yield f"[ ] {number:>2}. {in_words(step)}"
        if _VERBS[step.verb].sends or step.expect != "accepted":
            yield f"        -> {_expected(step.expect)}"


def in_words(step: Step) -> str:
    """Return the step as a sentence."""
    whose = f"{step.owner}'s attempt" if step.owner else "the attempt"
    part = READABLE[step.given].format(whose=whose) if step.verb == "read" else ""
    words = _VERBS[step.verb].words.format(
        who=step.who.replace("@", " on the "), whose=whose, given=step.given, part=part, values=_listed(step.given)
    )
    return clean_line(words) + ("" if words.endswith(".") else ".")


def _expected(expect: object) -> str:
    if not isinstance(expect, Mapping):
        return f"the request is {expect}"
    return "; ".join(f"{name}: {_listed(value)}" for name, value in expect.items())


def _listed(value: object) -> str:
    match value:
        case Mapping():
            return ", ".join(f"{name} {_listed(one)}" for name, one in value.items())
        case list():
            return ", ".join(map(str, value)) or "none"
        case None:
            return "empty"
        case bool():
            return str(value).lower()
        case _:
            return f"about {value}" if time_of(value) else str(value)
