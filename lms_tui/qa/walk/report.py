"""The report of a walk as a table, as JSON and as JUnit XML."""

import json
from collections.abc import Iterable, Iterator
from textwrap import wrap
from typing import Any, Final
from xml.etree import ElementTree as ET

from lms_tui.client.redaction import redact
from lms_tui.common.cleaning import clean, clean_line
from lms_tui.qa.walk.rules import Rule, Source
from lms_tui.qa.walk.verdicts import RuleResult, Verdict
from lms_tui.qa.walk.walking import Report

_SIGNS: Final = {Verdict.HOLDS: "✓", Verdict.BROKEN: "✗", Verdict.DIFFERS: "~", Verdict.UNTESTED: "-"}
_MARGIN: Final = 36
_MOST_NAMES: Final = 5
SOURCES: Final = {Source.DOCUMENT: "the document", Source.NOTES: "the notes"}


def to_table(report: Report, *, quotes: bool = False, width: int = 100) -> Iterator[str]:
    """Yield lines of text with the quotes of broken rules, or with all quotes."""
    yield f"{walked(report)}, exam {report.exam or 'none'}"
    area = ""
    for line in report.lines:
        if line.verdict is Verdict.UNTESTED:
            continue
        if area != (area := line.rule.id.partition(".")[0]):
            yield ""
        yield from _row(line, quotes=quotes, width=max(width, 60))
    yield ""
    yield from _untested(report.lines, max(width, 60))
    yield summary(report)
    if report.left:
        yield f"The API cannot delete attempts, so these stay: {'; '.join(map(_safe, report.left))}."
    yield _effort(report)
    if report.stopped:
        yield f"The walk stopped early: {_safe(report.stopped)} {_safe(report.advice)}"
    yield walked(report)


def walked(report: Report) -> str:
    """Return the server that was walked, and the user."""
    return f"Server: {_safe(report.server or report.base_url)}, as {_safe(report.user)}"


def _effort(report: Report) -> str:
    size = sum(exchange.size for exchange in report.exchanges)
    again = f", {report.repeated} of them sent again after a lost or busy reply" if report.repeated else ""
    return f"{len(report.exchanges)} requests{again}, {size:,} bytes of replies."


def summary(report: Report) -> str:
    """Return a line such as `76 rules hold, 0 broken, 1 differs from the notes, 2 not tested.`"""
    counts = {verdict: sum(line.verdict is verdict for line in report.lines) for verdict in Verdict}
    differs = "1 differs" if counts[Verdict.DIFFERS] == 1 else f"{counts[Verdict.DIFFERS]} differ"
    holds = "1 rule holds" if counts[Verdict.HOLDS] == 1 else f"{counts[Verdict.HOLDS]} rules hold"
    return f"{holds}, {counts[Verdict.BROKEN]} broken, {differs} from the notes, {counts[Verdict.UNTESTED]} not tested."


def _row(line: RuleResult, *, quotes: bool, width: int) -> Iterator[str]:
    head = f"{_SIGNS[line.verdict]} {line.verdict:<10} {line.rule.id:<22} "
    words = wrap(line.rule.expect, width - _MARGIN) or [""]
    yield f"{head:<{_MARGIN}}{words[0]}"
    rest = list(words[1:])
    for problem in line.problems:
        rest += wrap(f"found: {_safe(problem.words)}", width - _MARGIN)
        if problem.request:
            rest.append(f"in {_safe(problem.request)}")
    if quotes or line.problems:
        rest += wrap(f"“{line.rule.quote}” - {SOURCES[line.rule.source]}, {line.rule.under}", width - _MARGIN)
    for words_ in rest:
        yield f"{'':<{_MARGIN}}{words_}"


def _untested(lines: Iterable[RuleResult], width: int) -> Iterator[str]:
    """Yield one line for each reason, with the names of its rules, or with their number if there are many."""
    reasons: dict[str, list[str]] = {}
    for line in lines:
        if line.verdict is Verdict.UNTESTED:
            reasons.setdefault(line.reason, []).append(line.rule.id)
    for reason, rules in reasons.items():
        names = ", ".join(rules) if len(rules) <= _MOST_NAMES else f"{len(rules)} rules"
        yield from wrap(f"- {names} not tested: {_safe(reason)}", width, subsequent_indent="  ")


def to_json(report: Report) -> str:
    return json.dumps(
        {
            "base_url": report.base_url,
            "server": _safe(report.server or report.base_url),
            "user": _safe(report.user),
            "exam": report.exam,
            "holds": report.holds() and not report.stopped,
            "stopped": _safe(report.stopped),
            "advice": _safe(report.advice),
            "requests": len(report.exchanges),
            "repeated": report.repeated,
            "left": [_safe(words) for words in report.left],
            "rules": [_rule(line) for line in report.lines],
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
        "problems": [{"found": _safe(one.words), "request": _safe(one.request)} for one in line.problems],
        "reason": _safe(line.reason),
    }


def to_junit(report: Report, *, strict: bool = False) -> bytes:
    """Return one test case for each rule. A difference from the notes fails with `strict` only."""
    cases = [_case(line, strict=strict) for line in report.lines]
    suite = ET.Element("testsuite", name="lms-tui walk", tests=str(len(cases)))
    suite.extend(cases)
    if report.stopped:
        stopped = ET.SubElement(suite, "testcase", classname="walk", name="reaches its end")
        ET.SubElement(stopped, "error", message=_safe(f"{report.stopped} {report.advice}"))
        suite.set("tests", str(len(cases) + 1))
    for name, tag in (("failures", "failure"), ("skipped", "skipped"), ("errors", "error")):
        suite.set(name, str(len(suite.findall(f"./testcase/{tag}"))))
    whole = ET.Element("testsuites")
    whole.append(suite)
    return bytes(ET.tostring(whole, encoding="utf-8", xml_declaration=True))


def _case(line: RuleResult, *, strict: bool) -> ET.Element:
    area, _, name = line.rule.id.partition(".")
    case = ET.Element("testcase", classname=f"walk.{area}", name=f"{name}: {line.rule.expect}")
    found = "\n".join(_safe(f"{problem.words} ({problem.request})") for problem in line.problems)
    told = f"{found}\n“{line.rule.quote}” - {SOURCES[line.rule.source]}, {line.rule.under}"
    match line.verdict:
        case Verdict.UNTESTED:
            ET.SubElement(case, "skipped", message=_safe(line.reason))
        case Verdict.DIFFERS if not strict:
            ET.SubElement(case, "system-out").text = clean(told)
        case Verdict.BROKEN | Verdict.DIFFERS:
            message = _safe(line.problems[0].words) if line.problems else ""
            ET.SubElement(case, "failure", message=message).text = clean(told)
        case _:
            pass
    return case


def _safe(text: str) -> str:
    """Return text of a server on one line, without control characters and secrets."""
    return redact(clean_line(text))


def rules_table(rules: Iterable[Rule]) -> str:
    """Return every rule as the Markdown table of `docs/walk.md`."""
    rows = [
        f"| `{rule.id}` | {rule.expect} | {_cell(rule.quote)} | {rule.source.value}: {_cell(rule.under)} |"
        for rule in rules
    ]
    return "\n".join(["| rule | check | quote | source |", "|---|---|---|---|", *rows])


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
