"""The report of a walk as a table, as JSON and as JUnit XML."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from textwrap import wrap
from typing import Any, Final

from lms_tui.client.redaction import safe_line
from lms_tui.qa import junit
from lms_tui.qa.annotations import Level, annotation
from lms_tui.qa.junit import Case, Result, Suite
from lms_tui.qa.walk.reply_shapes import reply_shapes
from lms_tui.qa.walk.rules import Rule, Source
from lms_tui.qa.walk.verdicts import RuleResult, Verdict
from lms_tui.qa.walk.walking import Report

_SIGNS: Final = {Verdict.HOLDS: "✓", Verdict.BROKEN: "✗", Verdict.DIFFERS: "~", Verdict.KNOWN: "="}
_NOT_JUDGED: Final = frozenset({Verdict.UNTESTED, Verdict.ABSENT})
_MARGIN: Final = 36
_MOST_NAMES: Final = 5
SOURCES: Final = {Source.DOCUMENT: "the document", Source.NOTES: "the notes"}


def to_table(report: Report, *, quotes: bool = False, quiet: bool = False, width: int = 100) -> Iterator[str]:
    """Yield lines of text with the quotes of broken rules, or with all quotes. With `quiet`, no rule that holds."""
    yield f"{walked(report)}, exam {report.exam or 'none'}"
    area = ""
    for line in report.lines:
        if line.verdict in _NOT_JUDGED or (quiet and line.verdict is Verdict.HOLDS):
            continue
        if area != (area := line.rule.id.partition(".")[0]):
            yield ""
        yield from _row(line, quotes=quotes, width=max(width, 60))
    yield ""
    if not quiet:
        yield from _untested(report.lines, max(width, 60))
    yield summary(report)
    if report.left:
        yield f"The API cannot delete attempts, so these stay: {'; '.join(map(safe_line, report.left))}."
    yield _effort(report)
    if report.versions:
        found = ", ".join(f"{safe_line(resource)} {version}" for resource, version in report.versions)
        yield f"Paths with another version than in the document: {found}."
    if report.stopped:
        yield f"The walk stopped early: {safe_line(report.stopped)} {safe_line(report.advice)}"
    yield walked(report)


def walked(report: Report) -> str:
    """Return the server that was walked, and the user."""
    return f"Server: {safe_line(report.server or report.base_url)}, as {safe_line(report.user)}"


def _effort(report: Report) -> str:
    size = _size(report)
    again = f", {report.repeated} of them sent again after a lost or busy reply" if report.repeated else ""
    return f"{len(report.exchanges)} requests{again}, {size:,} bytes of replies, {report.seconds:.0f} s."


def _size(report: Report) -> int:
    return sum(exchange.size for exchange in report.exchanges)


def summary(report: Report) -> str:
    """Return a line such as `76 rules hold, 0 broken, 1 differs from the notes, 2 not tested.`"""
    counts = {verdict: sum(line.verdict is verdict for line in report.lines) for verdict in Verdict}
    differs = "1 differs" if counts[Verdict.DIFFERS] == 1 else f"{counts[Verdict.DIFFERS]} differ"
    holds = "1 rule holds" if counts[Verdict.HOLDS] == 1 else f"{counts[Verdict.HOLDS]} rules hold"
    words = f"{holds}, {counts[Verdict.BROKEN]} broken, {differs} from the notes, {counts[Verdict.UNTESTED]} not tested"
    expected = (Verdict.KNOWN, Verdict.ABSENT)
    return ", ".join([words, *(f"{counts[verdict]} {verdict}" for verdict in expected if counts[verdict])]) + "."


def _row(line: RuleResult, *, quotes: bool, width: int) -> Iterator[str]:
    head = f"{_SIGNS[line.verdict]} {line.verdict:<10} {line.rule.id:<22} "
    words = wrap(line.rule.expect, width - _MARGIN) or [""]
    yield f"{head:<{_MARGIN}}{words[0]}"
    rest = list(words[1:])
    if line.verdict is Verdict.KNOWN:
        rest += wrap(f"known: {safe_line(line.reason)}", width - _MARGIN)
    for problem in line.shown_problems:
        rest += wrap(f"found: {safe_line(problem.words)}", width - _MARGIN)
        if problem.request:
            rest.append(f"in {safe_line(problem.request)}")
    if quotes or line.problems:
        rest += wrap(f"“{line.rule.quote}” - {SOURCES[line.rule.source]}, {line.rule.under}", width - _MARGIN)
    for words_ in rest:
        yield f"{'':<{_MARGIN}}{words_}"


def _untested(lines: Iterable[RuleResult], width: int) -> Iterator[str]:
    """Yield one line for each reason, with the names of its rules, or with their number if there are many."""
    reasons: dict[tuple[Verdict, str], list[str]] = {}
    for line in lines:
        if line.verdict in _NOT_JUDGED:
            reasons.setdefault((line.verdict, line.reason), []).append(line.rule.id)
    for (verdict, reason), rules in reasons.items():
        names = ", ".join(rules) if len(rules) <= _MOST_NAMES else f"{len(rules)} rules"
        yield from wrap(f"- {names} {verdict}: {safe_line(reason)}", width, subsequent_indent="  ")


def to_json(report: Report) -> str:
    return json.dumps(
        {
            "base_url": report.base_url,
            "server": safe_line(report.server or report.base_url),
            "user": safe_line(report.user),
            "exam": report.exam,
            "holds": report.holds() and not report.stopped,
            "stopped": safe_line(report.stopped),
            "advice": safe_line(report.advice),
            "requests": len(report.exchanges),
            "bytes": _size(report),
            "seconds": round(report.seconds, 3),
            "versions": dict(report.versions),
            "repeated": report.repeated,
            "left": [safe_line(words) for words in report.left],
            "rules": [_rule(line) for line in report.lines],
            "replies": reply_shapes(report.exchanges),
        },
        ensure_ascii=False,
        indent=2,
    )


def _rule(line: RuleResult) -> dict[str, Any]:
    return {
        "id": line.rule.id,
        "verdict": line.verdict.value,
        "source": line.rule.source.value,
        "under": line.rule.under,
        "quote": line.rule.quote,
        "expect": line.rule.expect,
        "judged": line.judged,
        "problems": [{"found": safe_line(one.words), "request": safe_line(one.request)} for one in line.shown_problems],
        "reason": safe_line(line.reason),
        "seconds": round(line.seconds, 3),
    }


def to_junit(report: Report, *, strict: bool = False) -> bytes:
    """Return one test case for each rule. A difference from the notes fails with `strict` only."""
    cases = [_case(line, strict=strict) for line in report.lines]
    if report.stopped:
        message = safe_line(f"{report.stopped} {report.advice}")
        cases.append(Case("walk", "reaches its end", result=Result.COULD_NOT_RUN, message=message))
    seconds = sum(exchange.seconds for exchange in report.exchanges)
    began = report.exchanges[0].began if report.exchanges else None
    return junit.to_junit([Suite("lms-tui walk", tuple(cases), seconds, began)])


def _case(line: RuleResult, *, strict: bool) -> Case:
    case = Case(f"walk.{line.rule.area}", f"{line.rule.id.partition('.')[2]}: {line.rule.expect}", line.seconds)
    match line.verdict:
        case Verdict.UNTESTED | Verdict.ABSENT | Verdict.KNOWN:
            return replace(case, result=Result.NOT_RUN, message=safe_line(f"{line.verdict}: {line.reason}"))
        case Verdict.DIFFERS if not strict:
            return replace(case, text=_told(line))
        case Verdict.BROKEN | Verdict.DIFFERS:
            return replace(case, result=Result.FAILED, message=safe_line(line.problems[0].words), text=_told(line))
        case _:
            return case


def _told(line: RuleResult) -> str:
    """Return the problems of a rule and its quote."""
    found = [safe_line(f"{problem.words} ({problem.request})") for problem in line.shown_problems]
    return "\n".join([*found, f"“{line.rule.quote}” - {SOURCES[line.rule.source]}, {line.rule.under}"])


def to_annotations(report: Report, *, strict: bool = False) -> Iterator[str]:
    """Yield annotations for GitHub: an error for each broken rule, a warning for each difference, and the counts."""
    for line in report.lines:
        if line.verdict in {Verdict.BROKEN, Verdict.DIFFERS}:
            level = Level.ERROR if strict or line.verdict is Verdict.BROKEN else Level.WARNING
            yield annotation(level, f"{line.rule.id}: {line.rule.expect}", _told(line))
    if report.stopped:
        yield annotation(Level.ERROR, "The walk stopped early", safe_line(f"{report.stopped} {report.advice}"))
    yield annotation(Level.NOTICE, "lms-tui walk", f"{walked(report)}\n{summary(report)}")


def rules_table(rules: Iterable[Rule]) -> str:
    """Return every rule as the Markdown table of `docs/walk.md`."""
    rows = [
        f"| `{rule.id}` | {rule.expect} | {_cell(rule.quote)} | {rule.source.value}: {_cell(rule.under)} |"
        for rule in rules
    ]
    return "\n".join(["| rule | check | quote | source |", "|---|---|---|---|", *rows])


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
