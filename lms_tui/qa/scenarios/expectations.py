"""Compare a reply of the server with what a step of a scenario expects."""

from collections.abc import Iterator, Mapping
from string import ascii_lowercase
from typing import Any, Final

from lms_tui.client.recording import Exchange
from lms_tui.qa.scenarios.scenario import time_of
from lms_tui.qa.walk.values import Tree, as_rows, at, seconds, shown

_SLACK: Final = 5.0
"""Seconds by which a time may differ."""


def problems_of(reply: Exchange, rows: tuple[Tree, ...], expect: object) -> Iterator[str]:
    """Yield a sentence for each expectation that the reply does not meet. `rows`: those of all pages."""
    if expect == "refused":
        if reply.status < 400:
            yield f"the server answered {reply.outcome} instead of refusing"
        return
    wanted = expect if isinstance(expect, Mapping) else {}
    if "status" not in wanted and not reply.succeeded:
        yield f"the server answered {reply.outcome}"
        return
    for name, value in wanted.items():
        yield from _problems(reply, rows, str(name), value)


def _problems(reply: Exchange, rows: tuple[Tree, ...], name: str, value: Any) -> Iterator[str]:
    match name:
        case "answers":
            yield from _answer_problems(rows, value)
        case "has" | "has not":
            listed = value in [row.get("slug") or row.get("id") for row in rows]
            if listed is not (name == "has"):
                yield f"{value} is {'' if listed else 'not '}in the list"
        case _:
            found = _found(reply, rows, name)
            duration = time_of(value)
            if duration is None:
                if found != value:
                    yield f"{name} is {found if isinstance(found, list) else shown(found)}, not {value}"
            elif (actual := seconds(found)) is None or abs(actual - duration) > _SLACK:
                yield f"{name} is {shown(found)}, not about {value}"


def _found(reply: Exchange, rows: tuple[Tree, ...], name: str) -> object:
    match name:
        case "status":
            return reply.status
        case "rows":
            return len(rows)
        case "marked":
            return [number for number, row in enumerate(rows, start=1) if row.get("review") is True]
    found = at(reply.tree(), *name.split("."))
    return [row.get("state") for row in as_rows(found)] if name.endswith("sections") else found


def _answer_problems(rows: tuple[Tree, ...], wanted: Mapping[int, str]) -> Iterator[str]:
    for number, expected in wanted.items():
        if not 1 <= number <= len(rows):
            yield f"there is no question {number}"
        elif (found := _answer_of(rows[number - 1])) != str(expected):
            yield f"the answer to question {number} is {found}, not {expected}"


def _answer_of(row: Tree) -> str:
    """Return the letters of the chosen options, else the text, else `none`."""
    options = [option.get("id") for option in as_rows(at(row, "question", "answers"))]
    chosen = row.get("selected_answers")
    letters = [
        ascii_lowercase[options.index(one)] if one in options else "?"
        for one in (chosen if isinstance(chosen, list) else [])
    ]
    gaps = ", ".join(str(gap.get("answer")) for gap in as_rows(row.get("gap_fill_responses")))
    return "".join(sorted(letters)) or str(row.get("short_text") or row.get("essay_text") or gaps or "none")
