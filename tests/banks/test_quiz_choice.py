"""One quiz of a package is read without the others."""

import pytest

from lms_tui.banks.file_options import FileOptions
from lms_tui.banks.model import NotAnExam, Reading
from lms_tui.banks.reader import read_exam
from tests.banks.test_package import TEST, item, manifest, packed, paper

UNITS: dict[str, str | bytes] = {
    "imsmanifest.xml": manifest((TEST, "one/test.xml"), (TEST, "two/test.xml")),
    "one/test.xml": paper("a.xml").replace("Paper", "Unit 1"),
    "one/a.xml": item("a"),
    "two/test.xml": paper("b.xml", "c.xml").replace("Paper", "Unit 2"),
    "two/b.xml": item("b"),
    "two/c.xml": item("c"),
}
TEXTS: dict[str, str | bytes] = {"Optics.gift": "::o:: 1+1? {=2}", "Waves.gift": "::w:: 2+2? {=4}"}


def read(members: dict[str, str | bytes], *quizzes: str) -> Reading:
    return read_exam(packed(members), "course.zip", FileOptions(quizzes=quizzes))


def titles(reading: Reading) -> list[str]:
    return [question.title for question in reading.exam.questions]


def test_all_quizzes_are_read_if_none_is_named() -> None:
    assert titles(read(UNITS)) == ["a", "b", "c"]
    assert titles(read(TEXTS)) == ["o", "w"]


@pytest.mark.parametrize(("members", "title", "found"), [(UNITS, "unit 2", ["b", "c"]), (TEXTS, "Waves", ["w"])])
def test_a_named_quiz_is_read_alone_and_the_others_are_counted(
    members: dict[str, str | bytes], title: str, found: list[str]
) -> None:
    reading = read(members, title)
    assert titles(reading) == found
    told = [finding.message for finding in reading.findings]
    assert told == ["1 other quiz of the package left out, as --quiz asks."]


def test_the_quiz_gives_its_own_title() -> None:
    assert read(UNITS, "Unit 2").exam.title == "Unit 2"


def test_several_quizzes_can_be_named() -> None:
    reading = read(UNITS, "Unit 2", "Unit 1")
    assert titles(reading) == ["a", "b", "c"]
    assert reading.findings == ()


@pytest.mark.parametrize(
    ("members", "advice"), [(UNITS, "Its quizzes: Unit 1; Unit 2."), (TEXTS, "Its quizzes: Optics; Waves.")]
)
def test_an_unknown_title_names_the_quizzes(members: dict[str, str | bytes], advice: str) -> None:
    with pytest.raises(NotAnExam) as error:
        read(members, "Unit\x1b[31m 3")
    assert (str(error.value), error.value.advice) == ("course.zip has no quiz “Unit␛[31m 3”.", advice)


def test_a_file_that_is_no_package_has_no_quizzes() -> None:
    with pytest.raises(NotAnExam) as error:
        read_exam(b"::o:: 1+1? {=2}", "unit.gift", FileOptions(quizzes=("Unit 1",)))
    assert str(error.value) == "unit.gift is no package of quizzes."
