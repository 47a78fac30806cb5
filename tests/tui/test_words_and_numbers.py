from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal

import pytest

from lms_tui.attempt.ports import JournalError
from lms_tui.views import charts
from lms_tui.views import format as say
from lms_tui.views.error_messages import error_message, field_words, review_message
from lms_tui.views.forms import FieldSpec, assign_errors
from lms_tui.views.rows import cells, fitted, padded, pairs, plain, row, wrapped
from lms_tui.views.to_ascii import to_ascii
from lms_tui.wire.base import parse_instant
from lms_tui.wire.errors import (
    ApiError,
    Busy,
    Defect,
    Forbidden,
    Invalid,
    NotFound,
    NotTheService,
    Offline,
    ServerFault,
    SignInNeeded,
    TimedOut,
)

INDIA = timezone(timedelta(hours=5, minutes=30))
NOW = datetime(2026, 3, 14, 9, 30, tzinfo=UTC)

# ErrorMessage of errors.


@pytest.mark.parametrize(
    "kind", [Offline, TimedOut, Busy, ServerFault, NotTheService, SignInNeeded, Forbidden, NotFound, Invalid, Defect]
)
def test_every_error_says_what_happened_and_what_to_do(kind: type[ApiError]) -> None:
    told = error_message(kind("The server cannot be reached."))
    assert told.what == "The server cannot be reached."
    assert told.advice.endswith(".")


def test_an_error_keeps_its_own_advice() -> None:
    error = NotTheService("The server cannot prove that it is the right one.", advice="Check this computer's date.")
    assert error_message(error).advice == "Check this computer's date."


def test_the_advice_to_retry_is_shown_only_if_it_can_help() -> None:
    assert "Press r" in error_message(Offline("No network."), retry="Press r to try again.").advice
    assert "Press r" not in error_message(Forbidden("Not yours."), retry="Press r to try again.").advice


def test_a_review_that_the_institute_shows_later_asks_for_nothing() -> None:
    assert review_message(Forbidden("The answers are shown after it closes.")).text == (
        "The answers are shown after it closes."
    )
    assert "Press r" in review_message(Offline("No network."), retry="Press r to try again.").text


def test_terminal_codes_in_an_error_become_marks() -> None:
    assert "\x1b" not in error_message(Forbidden("\x1b[2J[/b] no")).text


def test_an_internal_error_shows_no_data() -> None:
    assert "secret" not in error_message(RuntimeError("secret")).text


def test_journal_errors_have_messages() -> None:
    assert error_message(JournalError("The disk is full.")).what == "The disk is full."


def test_errors_of_fields_are_shown_at_their_fields() -> None:
    error = Invalid("x", fields={"username": ("Too short.",), "colour": ("Unknown.",)})
    assert field_words(error, ("username",)) == {"username": "Too short.", "": "Unknown."}
    assert field_words(Offline("x"), ("username",)) == {}


def test_messages_of_a_form_name_fields_by_their_labels() -> None:
    specs = (
        FieldSpec("title", "Title"),
        FieldSpec("batches", "Batches"),
        FieldSpec("state", "State", aliases=("state_code",)),
    )
    fields = {"state_code": ("Unknown.",), "batches.0": ("There is nothing named “x”.",), "batches.1": ("Nor “y”.",)}
    found, told = assign_errors(specs, fields)
    assert found == {"state": "Unknown.", "batches": "There is nothing named “x”. Nor “y”."}
    assert told == "Batches: There is nothing named “x”. Nor “y”."
    assert assign_errors(specs, {"title": ("Too long.",), "": ("Twice the same.",)})[1] == "Twice the same."
    assert assign_errors(specs, {}) == ({}, "")


# Numbers and moments.


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (None, "no time limit"),
        (timedelta(), "no time limit"),
        (timedelta(minutes=20), "20 min"),
        (timedelta(hours=3), "3 h"),
        (timedelta(hours=2, minutes=41, seconds=20), "2 h 41 min"),
        (timedelta(hours=13), "13 h"),
        (timedelta(days=20, hours=4), "20 days 4 h"),
        (timedelta(seconds=45), "45 s"),
        (timedelta(seconds=80), "1 min 20 s"),
    ],
)
def test_durations_have_units(value: timedelta | None, told: str) -> None:
    assert say.duration(value) == told


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (None, "untimed"),
        (timedelta(hours=3), "3 h"),
        (timedelta(minutes=150), "150 min"),
        (timedelta(seconds=45), "45 s"),
        (timedelta(days=20), "20 d"),
    ],
)
def test_durations_in_a_column_take_at_most_seven_cells(value: timedelta | None, told: str) -> None:
    assert say.short_duration(value) == told
    assert len(told) <= 7


@pytest.mark.parametrize(
    ("value", "told"),
    [(None, "–"), (Decimal("4.00"), "4"), (Decimal("-0.25"), "−0.25"), (12.5, "12.5"), (-0.0, "0"), (200, "200")],
)
def test_numbers_have_no_trailing_zeros(value: Decimal | float | None, told: str) -> None:
    assert say.number(value) == told


@pytest.mark.parametrize(("value", "told"), [(0.5, "0.50"), (-0.25, "−0.25"), (-0.001, "0.00"), (1, "1.00")])
def test_two_decimal_places_are_kept_with_one_minus_sign(value: float, told: str) -> None:
    assert say.two_places(value) == told


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("69.33", "69.33 %"),
        (" 50 ", "50 %"),
        (50, "50 %"),
        ("", "–"),
        ("NA", "–"),
        (None, "–"),
        ("nan", "–"),
        ("-Infinity", "–"),
        ("1e300", "–"),
        (float("inf"), "–"),
    ],
)
def test_missing_percentages_are_a_dash(value: str | float | None, told: str) -> None:
    assert say.percent(value) == told


@pytest.mark.parametrize(
    ("moment", "told"),
    [
        (NOW, "today 15:00"),
        (NOW + timedelta(hours=10), "tomorrow 01:00"),
        (NOW - timedelta(days=1), "yesterday"),
        (NOW + timedelta(days=3), "17 Mar 15:00"),
        (NOW - timedelta(days=30), "12 Feb"),
        (NOW - timedelta(days=400), "7 Feb 2025"),
        (None, "–"),
    ],
)
def test_moments_are_shown_in_the_zone_of_the_user(moment: datetime | None, told: str) -> None:
    assert say.moment_near(moment, NOW, INDIA) == told


@pytest.mark.parametrize("text", ["0001-01-02T00:00:00Z", "9999-12-30T23:59:59Z"])
@pytest.mark.parametrize("hours", [-23.9, 0, 23.9])
def test_the_first_and_last_moment_can_be_shown_in_every_zone(text: str, hours: float) -> None:
    moment, zone = parse_instant(text), timezone(timedelta(hours=hours))
    assert moment is not None
    assert say.day(moment, zone).split()[-1] == say.moment_near(moment, NOW, zone).split()[-1]


def test_clocks_over_twelve_hours_keep_their_hours() -> None:
    assert say.clock(timedelta(hours=27, seconds=7)) == "27:00:07"


# Rows.


@pytest.mark.parametrize("room", [1, 2, 5, 9, 30])
def test_padded_text_takes_exactly_its_cells(room: int) -> None:
    for text in ("", "plain", "भौतिक विज्ञान", "漢字かな交じり文", "a" * 50):
        assert cells(row(padded(text, room))) == room


def test_cut_text_ends_with_an_ellipsis() -> None:
    assert fitted("numerical", 6) == "numer…"
    assert fitted("漢字漢字", 4) == "漢…"


@pytest.mark.parametrize("room", [1, 4, 11, 40])
def test_wrapped_text_keeps_every_letter_and_no_line_is_too_long(room: int) -> None:
    text = "Every answer is kept 漢字漢字 at once"
    lines = wrapped(text, max(room, 2))
    assert all(cells(line) <= max(room, 2) for line in lines)
    assert "".join(plain(line) for line in lines).replace(" ", "") == text.replace(" ", "")


def test_pairs_leave_out_empty_values_and_are_aligned() -> None:
    told = [plain(line) for line in pairs([("rank", "4"), ("speed", ""), ("percentile", "96")], 30)]
    assert told == ["rank        4", "percentile  96"]


# Charts.


@pytest.mark.parametrize("room", [4, 10, 33])
@pytest.mark.parametrize(("value", "most"), [(0, 10), (1, 1000), (5, 10), (10, 10), (12, 10), (0, 0), (-3, 10)])
def test_a_bar_fills_its_width_and_shows_small_values(value: float, most: float, room: int) -> None:
    drawn = charts.bar(value, most, room)
    assert cells(drawn) == room
    assert ("─" * room == plain(drawn)) is (value <= 0 or most <= 0)


@pytest.mark.parametrize("counts", [(52, 13, 10), (1, 0, 999), (0, 0, 0), (1, 1, 1), (0, 5, 0)])
@pytest.mark.parametrize("room", [3, 10, 71])
def test_stacked_shares_add_up_and_show_small_values(counts: tuple[int, ...], room: int) -> None:
    given = charts.shares(counts, room)
    assert sum(given) == (room if any(counts) else 0)
    assert all(bool(share) == bool(count) for share, count in zip(given, counts, strict=True))


def test_a_sparkline_shows_the_newest_values_that_fit() -> None:
    assert charts.sparkline([1, 2, 3], 10) == "▁▅█"
    assert charts.sparkline([9, 1, 2, 3], 3) == "▁▅█"
    assert charts.sparkline([5, 5], 10) == "▄▄"
    assert charts.sparkline([], 10) == ""


def test_a_range_shows_lowest_average_and_highest() -> None:
    drawn = plain(charts.span_of(0, 50, 100, (0, 100), 11))
    assert drawn == "├────●────┤"
    assert plain(charts.span_of(7, 7, 7, (7, 7), 5)).strip() == "●"


def test_every_symbol_has_an_ascii_replacement_of_one_cell() -> None:
    signs = f"{charts.PARTS}{charts.LEVELS}{charts.GROUND}{''.join(charts.FILLS)}├●┤✓✗○◷◆▶▸◂…·–−“”•←→↑↓"
    assert to_ascii(signs).isascii()
    assert len(to_ascii(signs)) == len(signs)
    assert to_ascii("भौतिक ✓") == "भौतिक +"


def test_a_product_in_ascii_is_no_difference_and_no_decimal_number() -> None:
    assert to_ascii("W = F · s = 2·3 kg·m") == "W = F . s = 2*3 kg.m"
