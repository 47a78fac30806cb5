"""The report of a load: the times of each endpoint, and the rules that broke."""

import json
from collections.abc import Iterator
from typing import Final

from lms_tui.client.redaction import safe_line
from lms_tui.common.cleaning import clean_line
from lms_tui.qa.walk.load import LoadReport
from lms_tui.qa.walk.verdicts import Verdict

_SHARES: Final = (0.5, 0.95, 0.99)
_MOST_FAILURES: Final = 5


def to_table(report: LoadReport) -> Iterator[str]:
    """Yield lines of text. Times are in milliseconds."""
    yield f"Server: {safe_line(report.server or report.base_url)}"
    requests = sum(len(times.seconds) for times in report.times)
    attempts = "1 attempt" if report.attempts == 1 else f"{report.attempts} attempts"
    yield (
        f"{report.examinees} examinees took {attempts} in {report.seconds:.1f} s: {requests} requests "
        f"({requests / max(report.seconds, 0.001):.0f} a second), {report.repeated} sent again, {report.size:,} bytes."
    )
    width = max((len(times.endpoint) for times in report.times), default=0)
    yield ""
    yield f"{'endpoint':<{width}} {'requests':>9} {'failed':>7} {'p50 ms':>8} {'p95 ms':>8} {'p99 ms':>8}"
    for times in report.times:
        shown = " ".join(f"{times.percentile(share) * 1000:>8.0f}" for share in _SHARES)
        yield f"{clean_line(times.endpoint):<{width}} {len(times.seconds):>9} {times.failed:>7} {shown}"
    yield ""
    for line in report.broken:
        yield f"✗ broken {line.rule.id}: {line.rule.expect}"
        yield f"  found: {safe_line(line.problems[0].words)} in {safe_line(line.problems[0].request)}"
    for failure in report.failures[:_MOST_FAILURES]:
        yield f"✗ an examinee stopped: {safe_line(failure)}"
    if len(report.failures) > _MOST_FAILURES:
        yield f"  and {len(report.failures) - _MOST_FAILURES} more"
    holding = sum(line.verdict is Verdict.HOLDS for line in report.lines)
    yield (
        f"{holding} rules hold under this load, {len(report.broken)} broken, "
        f"{len(report.failures)} of {report.examinees} examinees stopped early."
    )


def to_json(report: LoadReport) -> str:
    endpoints = {
        clean_line(times.endpoint): {
            "requests": len(times.seconds),
            "failed": times.failed,
            **{f"p{share * 100:.0f}": round(times.percentile(share), 4) for share in _SHARES},
        }
        for times in report.times
    }
    tree = {
        "base_url": report.base_url,
        "server": safe_line(report.server or report.base_url),
        "examinees": report.examinees,
        "attempts": report.attempts,
        "seconds": round(report.seconds, 3),
        "bytes": report.size,
        "repeated": report.repeated,
        "endpoints": endpoints,
        "rules": [
            {
                "id": line.rule.id,
                "verdict": line.verdict.value,
                "problems": [safe_line(one.words) for one in line.shown_problems],
            }
            for line in report.lines
        ],
        "failures": [safe_line(failure) for failure in report.failures],
    }
    return json.dumps(tree, ensure_ascii=False, indent=2)
