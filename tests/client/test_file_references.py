"""How an answer names its files (`lms_tui.wire.files`)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lms_tui.wire.files import LONGEST_NAME, FileReference

_DIGEST = "0123456789abcdef" * 4


@given(name=st.text(min_size=1, max_size=LONGEST_NAME), size=st.integers(min_value=0, max_value=10**12 - 1))
def test_every_reference_that_is_read_is_written_the_same(name: str, size: int) -> None:
    found = FileReference.read(f"{_DIGEST} {size} {name}")
    assert found is None or (found.text, found.size) == (f"{_DIGEST} {size} {name}", size)


def test_a_name_may_have_blanks_and_letters_of_every_script() -> None:
    assert FileReference.read(f"{_DIGEST} 12 मेरा उत्तर 2.pdf") == FileReference(_DIGEST, 12, "मेरा उत्तर 2.pdf")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "essay.pdf",
        f"{_DIGEST} 12 ",
        f"{_DIGEST} 12  ",
        f"{_DIGEST} 012 a.pdf",
        f"{_DIGEST} -1 a.pdf",
        f"{_DIGEST.upper()} 12 a.pdf",
        f"{_DIGEST[1:]} 12 a.pdf",
        f"{_DIGEST} 12 ../a.pdf",
        f"{_DIGEST} 12 a\\b.pdf",
        f"{_DIGEST} 12 ..",
        f"{_DIGEST} 12 a\nb.pdf",
        f"{_DIGEST} 12 a\x1b[2J.pdf",
        f"{_DIGEST} 12 a\u202e.pdf",
        f"{_DIGEST} 12 {'a' * LONGEST_NAME}a",
    ],
)
def test_a_text_that_names_no_file_is_none(text: str) -> None:
    assert FileReference.read(text) is None


@pytest.mark.parametrize(
    ("name", "kind"), [("a.PDF", ".pdf"), ("a.tar.gz", ".gz"), (".profile", ""), ("notes", ""), ("a.", ".")]
)
def test_the_type_is_the_end_of_the_name(name: str, kind: str) -> None:
    assert FileReference(_DIGEST, 1, name).type == kind
