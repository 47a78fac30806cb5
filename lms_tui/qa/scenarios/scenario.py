"""Scenarios as files: steps of a story, each with what it is expected to lead to; and the list a person can tick."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import yaml

from lms_tui.common.cleaning import clean_line
from lms_tui.common.user_errors import AdvisedError

_LARGEST: Final = 256 * 1024
_UNITS: Final = {"s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
_TIME: Final = re.compile(r"(\d+(?:\.\d+)?) ?(s|min|h|d)")
_TIMES: Final = re.compile(r"\d+(?:\.\d+)? ?(?:s|min|h|d)(?: \d+(?:\.\d+)? ?(?:s|min|h|d))*")
VERBS: Final = frozenset(
    {
        "start", "resume", "heartbeat", "answer", "end", "read", "list", "wait", "fault", "clear faults",
        "sign in", "sign-in expires", "end section", "note", "app",
    }
)  # fmt: skip
READABLE: Final = frozenset({"attempt", "questions", "review", "subjects", "stats", "me", "attempts"})
_BESIDE: Final = frozenset({"as", "attempt of", "expect"})


class ScenarioError(AdvisedError):
    """A file that is no scenario; `advice` says where to look."""

    def __init__(self, message: str, advice: str = "See docs/walk.md for what a scenario may say.") -> None:
        super().__init__(message, advice)


@dataclass(frozen=True, slots=True)
class Step:
    """`who`: `asha`, or `asha@phone` for a sign-in of its own. `owner`: whose attempt, "" for their own.

    `expect`: "accepted", "refused", or what is to be found by name.
    """

    verb: str
    given: Any
    who: str
    owner: str = ""
    expect: Any = "accepted"

    @property
    def user(self) -> str:
        return self.who.partition("@")[0]


@dataclass(frozen=True, slots=True)
class Scenario:
    title: str
    about: str
    steps: tuple[Step, ...]

    @property
    def needs_app(self) -> bool:
        """Whether it looks at the app's screen, and not at the server alone."""
        return any(step.verb == "app" for step in self.steps)


def shipped() -> tuple[Path, ...]:
    """The scenarios of this program."""
    folder = Path(str(files(__package__)))
    return tuple(sorted(folder.glob("*.yaml")))


def read_scenario(file: Path) -> Scenario:
    """Read a file, or a shipped scenario by its name without an ending; raises ScenarioError."""
    known = {path.stem: path for path in shipped()}
    file = file if file.exists() else known.get(str(file), file)
    try:
        with file.open("rb") as stream:
            text = stream.read(_LARGEST + 1)
    except OSError as error:
        words = f"The scenario {clean_line(str(file))} cannot be read ({error.strerror})."
        raise ScenarioError(words, f"Give a file, or one of: {', '.join(known)}.") from error
    if len(text) > _LARGEST:
        raise ScenarioError(f"{clean_line(file.name)} is too large to be a scenario.")
    try:
        return parse_scenario(yaml.safe_load(text))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        place = getattr(error, "problem_mark", None)
        where = f", line {place.line + 1}" if place is not None else ""
        raise ScenarioError(f"{clean_line(file.name)}{where}: this is no YAML.") from error


def parse_scenario(tree: object) -> Scenario:
    """Raises ScenarioError with the number of the step that is wrong."""
    if not isinstance(tree, Mapping) or not isinstance(tree.get("steps"), list) or not tree["steps"]:
        raise ScenarioError("A scenario has a title and steps.")
    who = str(tree.get("as", "asha"))
    steps = tuple(_step(number, raw, who) for number, raw in enumerate(tree["steps"], start=1))
    return Scenario(clean_line(str(tree.get("title", "Scenario"))), clean_line(str(tree.get("about", ""))), steps)


def _step(number: int, raw: object, who: str) -> Step:
    if isinstance(raw, str):
        raw = {raw: None}
    if not isinstance(raw, Mapping):
        raise ScenarioError(f"Step {number} is neither a word nor a word with what belongs to it.")
    verbs = [str(name) for name in raw if name not in _BESIDE]
    if len(verbs) != 1 or verbs[0] not in VERBS:
        named = ", ".join(clean_line(name) for name in verbs) or "nothing"
        raise ScenarioError(f"Step {number} says {named}, and has to say one of: {', '.join(sorted(VERBS))}.")
    step = Step(
        verbs[0], raw[verbs[0]], str(raw.get("as", who)), str(raw.get("attempt of", "")), raw.get("expect", "accepted")
    )
    problem = _problem(step)
    if problem:
        raise ScenarioError(f"Step {number}: {problem}.")
    return step


def _problem(step: Step) -> str:
    given, told = step.given, ""
    if step.verb == "answer" and not (isinstance(given, Mapping) and isinstance(given.get("question"), int)):
        told = "an answer needs the number of its question"
    elif step.verb == "read" and given not in READABLE:
        told = f"one can read {', '.join(sorted(READABLE))}"
    elif step.verb == "wait" and time_of(given) is None:
        told = "a wait is written as 90 s, 5 min or 1 h 30 min"
    elif step.verb in {"start", "fault", "list", "note"} and not isinstance(given, str):
        told = f"{step.verb} needs a word"
    elif step.verb == "app" and not _is_for_app(given):
        told = "the app can open, close, or be killed, or one can press or type something in it or see it"
    elif step.verb == "end section" and not isinstance(given, int):
        told = "a section is ended by its number"
    elif not isinstance(step.expect, Mapping) and step.expect not in {"accepted", "refused"}:
        told = "expect is accepted, refused, or what is to be found by name"
    return told


def _is_for_app(given: object) -> bool:
    if isinstance(given, Mapping):
        return len(given) == 1 and all(
            name in {"press", "type", "see"} and isinstance(value, str) for name, value in given.items()
        )
    return given in {"open", "kill", "close"}


def time_of(value: object) -> float | None:
    """Seconds of `90 s` or `1 h 30 min`; None where it tells no time."""
    if not isinstance(value, str) or not _TIMES.fullmatch(value):
        return None
    return sum(float(number) * _UNITS[unit] for number, unit in _TIME.findall(value))


# In words, for a person who follows it by hand.


def checklist(scenario: Scenario) -> Iterator[str]:
    """Yield the lines of a list that can be ticked."""
    yield scenario.title
    if scenario.about:
        yield scenario.about
    yield ""
    for number, step in enumerate(scenario.steps, start=1):
        yield f"[ ] {number:>2}. {in_words(step)}"
        wanted = expected(step.expect)
        if (
            step.verb not in {"app", "wait", "note", "fault", "clear faults", "sign-in expires"}
            or step.expect != "accepted"
        ):
            yield f"        -> {wanted}"


def in_words(step: Step) -> str:
    """What happens in a step, in a sentence."""
    who = step.who.replace("@", " on the ")
    whose = f"{step.owner}'s attempt" if step.owner else "the attempt"
    given = step.given
    match step.verb:
        case "answer":
            words = _answer_in_words(who, given)
        case "read" if given in {"stats", "me", "attempts"}:
            named = {"stats": "the statistics", "me": "the profile", "attempts": "the list of attempts"}
            words = f"{who} reads {named[given]}"
        case "read":
            words = f"{who} reads {whose if given == 'attempt' else f'the {given} of {whose}'}"
        case "app":
            words = _app_in_words(given)
        case verb:
            words = {
                "start": f"{who} starts the exam {given}",
                "resume": f"{who} comes back to {whose} (start)",
                "heartbeat": f"{who} sends a heartbeat for {whose}",
                "end": f"{who} ends {whose}",
                "list": f"{who} lists the exams that are {given}",
                "wait": f"{given} pass",
                "fault": f"put a fault on: {given}",
                "clear faults": "take every fault off",
                "sign in": f"{who} signs in again",
                "sign-in expires": f"the sign-in of {who} expires",
                "end section": f"{who} ends section {given}",
                "note": str(given),
            }[verb]
    return clean_line(words) + ("" if words.endswith(".") else ".")


def _app_in_words(given: object) -> str:
    if isinstance(given, Mapping):
        name, value = next(iter(given.items()))
        return {"press": "press", "type": "type", "see": "the app shows"}[str(name)] + f" {value}"
    return {"open": "the app is opened", "kill": "the app is killed (kill -9)", "close": "the app is closed"}[
        str(given)
    ]


def _answer_in_words(who: str, given: Mapping[str, Any]) -> str:
    parts = []
    if "choose" in given:
        parts.append(f"with {given['choose']}" if given["choose"] != "none" else "with nothing, taking it back")
    parts += [f"with “{given[name]}”" for name in ("text", "essay") if name in given]
    if "gaps" in given:
        parts.append(f"with {', '.join(map(str, given['gaps']))} in its gaps")
    if "mark" in given:
        parts.append("and marks it for review" if given["mark"] else "and takes its mark away")
    return f"{who} answers question {given['question']} {' '.join(parts)}"


def expected(expect: object) -> str:
    """What has to come of it, in words."""
    if not isinstance(expect, Mapping):
        return {"accepted": "it is accepted", "refused": "it is refused"}[str(expect)]
    return "; ".join(_told(str(name), value) for name, value in expect.items())


def _told(name: str, value: object) -> str:
    if name == "answers" and isinstance(value, Mapping):
        return "answers: " + ", ".join(f"{number} {chosen}" for number, chosen in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"{name}: {', '.join(map(str, value)) or 'none'}"
    words = "empty" if value is None else str(value).lower() if isinstance(value, bool) else value
    return f"{name} {'about ' if time_of(value) else ''}{words}"
