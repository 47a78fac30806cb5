"""Playback tokens: what is told of one, its link as a code to be photographed, and the form of a new one (pure)."""

from datetime import datetime
from typing import Final
from urllib.parse import urlsplit

from lms_tui.common.cleaning import clean_line
from lms_tui.views import format as say
from lms_tui.views import forms
from lms_tui.views.forms import FieldKind, FieldSpec, Values
from lms_tui.views.listing import Column, heading_row, line_row
from lms_tui.views.rows import EMPTY, Row, Span, pairs, row, wrapped
from lms_tui.wire.videos import PlaybackToken, PlaybackTokenInput

_COLUMNS: Final = (Column("plays", 5, 30), Column("until", 16, 40), Column("made", 12, 56, right=True))
_BLACK, _WHITE = 0x000000, 0xFFFFFF
_QUIET: Final = 2
"""Modules of white around a code; readers ask for some, and a terminal is dear."""


def heading(room: int) -> Row:
    return heading_row("Token", _COLUMNS, room)


def line(token: PlaybackToken, room: int, now: datetime) -> Row:
    plays = "once" if token.expires_after_first_usage else "often"
    made = say.moment_near(token.created, now) if token.created else ""
    return line_row(_state(token, now), (plays, until(token, now), made), _COLUMNS, room)


def active(token: PlaybackToken, now: datetime) -> bool:
    """Whether it may still play, as far as anyone can tell from here."""
    return token.status.casefold() == "active" and (token.valid_until is None or token.valid_until > now)


def _state(token: PlaybackToken, now: datetime) -> str:
    return "✓ active" if active(token, now) else "✗ expired"


def until(token: PlaybackToken, now: datetime) -> str:
    """`10 min left`, `expired today 15:00`, "no end"."""
    if token.valid_until is None:
        return "no end" if active(token, now) else "used up"
    left = (token.valid_until - now).total_seconds()
    if left > 0 and not active(token, now):
        return "used up"
    return f"{say.seconds(left)} left" if left > 0 else f"since {say.moment_near(token.valid_until, now)}"


def masked(token: PlaybackToken) -> str:
    """The link without what lets anyone play it."""
    parts = urlsplit(token.playback_url)
    return clean_line(f"{parts.scheme}://{parts.netloc}/••••")


def details(token: PlaybackToken, room: int, now: datetime) -> list[Row]:
    alive = active(token, now)
    rows = [
        row((_state(token, now), "good" if alive else "dim")),
        EMPTY,
        *pairs(
            [
                ("until", until(token, now)),
                ("plays", "once" if token.expires_after_first_usage else "as often as one likes"),
                ("made", say.moment_near(token.created, now) if token.created else ""),
                ("link", masked(token)),
            ],
            room,
        ),
        EMPTY,
    ]
    if not alive:
        return [*rows, *wrapped("It plays nothing any more. n makes another.", room, "dim")]
    rows += wrapped("Whoever has the link may watch: give it to those who may, and to nobody else.", room)
    return [*rows, EMPTY, *wrapped("o opens it, c shows it as a QR code, y copies it", room, "accent")]


def token_form() -> tuple[FieldSpec, ...]:
    return (
        FieldSpec(
            "time_to_live", "Lives for", "10 min", hint="10 min, 2 h, 1 day; empty: no end", check=forms.lifetime
        ),
        FieldSpec("expires_after_first_usage", "Plays once", forms.TICKED, FieldKind.TICK),
    )


def token_input(values: Values) -> PlaybackTokenInput:
    return PlaybackTokenInput(
        time_to_live=forms.seconds_of(values["time_to_live"]),
        expires_after_first_usage=values["expires_after_first_usage"] == forms.TICKED,
    )


def code_rows(link: str, room: int, height: int) -> list[Row]:
    """The link as a QR code, two modules to a cell, dark on light in every theme; words where it does not fit."""
    import segno  # noqa: PLC0415 - only codes need it

    code = segno.make_qr(link, error="l", boost_error=False)
    lines = [list(line) for line in code.matrix_iter(border=_QUIET)]
    size, rows = len(lines[0]), (len(lines) + 1) // 2
    if size > room or rows > height:
        words = f"The code needs {size} columns and {rows + 2} lines. Make the window larger, or the letters smaller."
        return wrapped(words, room, "warning")
    lines += [[0] * size] * (len(lines) % 2)
    margin = Span(" " * ((room - size) // 2))
    return [(margin, *_modules(lines[y], lines[y + 1])) for y in range(0, len(lines), 2)]


def _modules(upper: list[int], lower: list[int]) -> list[Span]:
    spans: list[Span] = []
    for above, below in zip(upper, lower, strict=True):
        colours = (_BLACK if above else _WHITE, _BLACK if below else _WHITE)
        spans.append(Span(" " if colours[0] == colours[1] else "▀", colours=colours))
    return spans
