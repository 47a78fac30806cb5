"""Results of tests as JUnit XML, which Jenkins, GitLab and editors read."""

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from xml.etree import ElementTree as ET

from lms_tui.common.cleaning import clean, clean_line
from lms_tui.common.frozen import frozen


class Result(StrEnum):
    """The values are the names of the elements. A test that passed has none."""

    PASSED = ""
    FAILED = "failure"
    COULD_NOT_RUN = "error"
    NOT_RUN = "skipped"


@frozen
class Case:
    """One test. `message` is a line about its result, and `text` gives details."""

    classname: str
    name: str
    seconds: float = 0.0
    result: Result = Result.PASSED
    message: str = ""
    text: str = ""


@frozen
class Suite:
    """Tests that ran together. `began` is None if nothing was sent."""

    name: str
    cases: tuple[Case, ...]
    seconds: float
    began: datetime | None = None


def to_junit(suites: Iterable[Suite]) -> bytes:
    """Return the content of an XML file. Times are in seconds."""
    whole = ET.Element("testsuites")
    whole.extend(_suite(suite) for suite in suites)
    return bytes(ET.tostring(whole, encoding="utf-8", xml_declaration=True))


def _suite(suite: Suite) -> ET.Element:
    element = ET.Element("testsuite", name=clean_line(suite.name), tests=str(len(suite.cases)))
    for name, result in (
        ("failures", Result.FAILED),
        ("errors", Result.COULD_NOT_RUN),
        ("skipped", Result.NOT_RUN),
    ):
        element.set(name, str(sum(case.result is result for case in suite.cases)))
    element.set("time", f"{suite.seconds:.3f}")
    if suite.began is not None:
        element.set("timestamp", suite.began.isoformat(timespec="seconds"))
    element.extend(_case(case) for case in suite.cases)
    return element


def _case(case: Case) -> ET.Element:
    name = clean_line(case.name)
    element = ET.Element("testcase", classname=clean_line(case.classname), name=name, time=f"{case.seconds:.3f}")
    if case.result is not Result.PASSED:
        told = ET.SubElement(element, case.result, message=clean_line(case.message))
        told.text = clean(case.text) or None
    elif case.text:
        ET.SubElement(element, "system-out").text = clean(case.text)
    return element
