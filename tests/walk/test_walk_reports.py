"""What a walk writes for test runners and for GitHub."""

import re
from xml.etree import ElementTree as ET

import pytest

from lms_tui.commands.github import plain_output, print_annotations
from lms_tui.qa.walk.report import to_annotations, to_junit
from lms_tui.qa.walk.walking import Report
from tests.walk.changes import each
from tests.walk.deviations import DEVIATIONS, END
from tests.walk.walk_world import replayed
from tests.walk.wrong_server import Answering, Deviation, Heard, WrongServer


async def walk_of_a_wrong_score(heard: list[Heard]) -> Report:
    change = each("score", "100%,\n::notice::all is well")
    return await replayed(WrongServer(Answering(heard), Deviation("", frozenset(), END, change)))


async def test_junit_tells_how_long_the_requests_of_each_rule_took(heard: list[Heard]) -> None:
    report = await walk_of_a_wrong_score(heard)
    suite = ET.fromstring(to_junit(report)).find("testsuite")  # noqa: S314 - written by us
    assert suite is not None
    assert [float(case.get("time", "")) for case in suite] == [round(line.seconds, 3) for line in report.lines]
    assert all((line.seconds > 0) is (line.judged > 0) for line in report.lines)
    assert float(suite.get("time", "")) == round(sum(one.seconds for one in report.exchanges), 3)
    assert suite.get("timestamp") == report.exchanges[0].began.isoformat(timespec="seconds")
    assert int(suite.get("failures", "")) == len(suite.findall("./testcase/failure")) > 0


async def test_each_broken_rule_is_one_annotation_whatever_the_server_says(heard: list[Heard]) -> None:
    report = await walk_of_a_wrong_score(heard)
    *errors, counts = to_annotations(report)
    assert len(errors) == sum(bool(line.problems) for line in report.lines) > 0
    for line in errors:
        assert re.fullmatch(r"::(error|warning) title=[^:,\n]+::[^\n\r]+", line)
    wrong = next(line for line in errors if "end.score" in line)
    assert wrong.startswith("::error title=end.score%3A ")
    assert "%0A“" in wrong
    assert counts.startswith("::notice title=lms-tui walk::Server: ")


async def test_a_difference_from_the_notes_is_a_warning_unless_strict(heard: list[Heard]) -> None:
    (other_status,) = (one for one in DEVIATIONS if one.rules == {"end.status"})
    report = await replayed(WrongServer(Answering(heard), other_status))
    levels = [[line.split(" ")[0] for line in to_annotations(report, strict=strict)] for strict in (False, True)]
    assert levels == [["::warning", "::notice"], ["::error", "::notice"]]


def test_github_takes_nothing_of_a_report_for_an_annotation(capsys: pytest.CaptureFixture[str]) -> None:
    with plain_output(github=True):
        print("  ::error::of a server")  # noqa: T201 - the output under test
    print_annotations(["::error::ours"], as_json=False)
    stop, quoted, resume, ours = capsys.readouterr().out.splitlines()
    found = re.fullmatch(r"::stop-commands::(\w{32})", stop)
    assert found is not None
    assert (quoted, resume, ours) == ("  ::error::of a server", f"::{found[1]}::", "::error::ours")


def test_json_keeps_standard_output_for_itself(capsys: pytest.CaptureFixture[str]) -> None:
    print_annotations(["::error::ours"], as_json=True)
    assert capsys.readouterr() == ("", "::error::ours\n")
