"""Large XML is read element by element, and nothing about its content changes by that."""

import tracemalloc
from collections.abc import Callable
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from lms_tui.banks.reader import read_exam
from lms_tui.banks.report import check
from lms_tui.banks.writers import Target, write
from tests.banks.format_samples import FULL, QTI12
from tests.banks.test_left_out import essay


def items(count: int) -> bytes:
    one = QTI12["explanation"].partition("<questestinterop>")[2].removesuffix("</questestinterop>")
    return f"<questestinterop><section title=''>{one * count}</section></questestinterop>".encode()


def questions(count: int) -> bytes:
    whole = write(FULL["explanation"][0], Target.MOODLE_XML).data.decode()
    at, end = whole.rindex("<question "), whole.rindex("</question>") + len("</question>")
    return (whole[:at] + whole[at:end] * count + whole[end:]).encode()


@pytest.mark.parametrize("many", [items, questions])
def test_the_tree_of_a_large_file_is_never_whole_in_memory(many: Callable[[int], bytes]) -> None:
    peaks = []
    for count in (400, 1200):
        data = many(count)
        tracemalloc.start()
        assert len(read_exam(data, "bank").exam.questions) == count
        peaks.append(tracemalloc.get_traced_memory()[1] - 3 * len(data))
        tracemalloc.stop()
    assert (peaks[1] - peaks[0]) / 800 < 4000


def package(count: int) -> bytes:
    """Items of QTI 2.1 in files of their own, each with 20 kB that no question needs."""
    one = """<assessmentItem identifier="i{0}" title="Q{0}"><!--{1}--><responseDeclaration identifier="R"
        cardinality="single" baseType="identifier"><correctResponse><value>a</value></correctResponse>
        </responseDeclaration><itemBody><choiceInteraction responseIdentifier="R" maxChoices="1"><prompt>Q{0}</prompt>
        <simpleChoice identifier="a">A</simpleChoice><simpleChoice identifier="b">B</simpleChoice></choiceInteraction>
        </itemBody></assessmentItem>"""
    stream = BytesIO()
    with ZipFile(stream, "w", ZIP_DEFLATED) as file:
        for number in range(count):
            file.writestr(f"{number}.xml", one.format(number, "x" * 20_000))
    return stream.getvalue()


def test_the_files_of_a_package_are_not_all_in_memory() -> None:
    peaks = []
    for count in (400, 1200):
        data = package(count)
        tracemalloc.start()
        assert len(read_exam(data, "items.zip").exam.questions) == count
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert (peaks[1] - peaks[0]) / 800 < 10_000


def test_the_bar_moves_through_the_steps_of_reading() -> None:
    told: list[tuple[str, float]] = []
    check(items(400), "bank", progress=lambda words, share: told.append((words, share)))
    assert list(dict.fromkeys(words for words, _ in told)) == [
        "checking the XML",
        "reading questions",
        "checking texts",
    ]
    assert all(0 <= share <= 1 for _, share in told)


def test_items_in_unknown_places_do_not_shift_the_others() -> None:
    inside = essay("outer").replace("<presentation>", f"{essay('inner')}<presentation>")
    text = f"<questestinterop><other>{essay('lost')}</other>{inside}{essay('last')}</questestinterop>"
    assert [question.title for question in check(text.encode(), "bank").questions] == ["outer", "last"]


@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"])
def test_lines_count_the_same_with_the_line_ends_of_windows(start: bytes) -> None:
    text = f"<questestinterop>\r\n{essay('é')}\r\n{essay('two')}</questestinterop>"
    found = check(start + text.encode(), "bank").questions
    assert [(question.line, question.title) for question in found] == [(2, "é"), (3, "two")]
