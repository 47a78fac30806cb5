"""The emulator that keeps the screen of a program."""

import pytest

from lms_tui.qa.scenarios.emulator import Emulator


def test_a_wide_character_that_is_half_painted_over_can_be_read() -> None:
    screen = Emulator(6, 1)
    screen.feed("ab漢c".encode())
    assert screen.text() == "ab漢c "
    screen.feed(b"\x1b[1;3Hx")
    assert screen.text() == "abxc "


@pytest.mark.parametrize("sequence", ["\x1b[1m", "\x1b[?2026$p", "\x1b[>4;2m", "\x1bP+q544e\x1b\\", "\x1b]11;?\x07"])
def test_an_escape_sequence_in_any_two_parts_is_no_text(sequence: str) -> None:
    for cut in range(len(sequence) + 1):
        screen = Emulator(4, 1)
        screen.feed(b"a" + sequence[:cut].encode())
        screen.feed(sequence[cut:].encode() + b"b")
        assert screen.text() == "ab  ", cut
