"""Playback tokens of a video: list, details, QR code and form (pure)."""

from datetime import datetime
from typing import Final
from urllib.parse import urlsplit

from lms_tui.common.cleaning import clean_line
from lms_tui.views import format as say
from lms_tui.views import forms
from lms_tui.views.forms import FieldKind, FieldSpec, Values
from lms_tui.views.listing import Column, Listing
from lms_tui.views.rows import EMPTY, Row, Span, pairs, row, wrapped
from lms_tui.wire.videos import PlaybackToken, PlaybackTokenInput

_BLACK, _WHITE = 0x000000, 0xFFFFFF
_QUIET: Final = 2
"""White modules around a QR code. Readers need some, and the window is small."""


def listing(now: datetime) -> Listing[PlaybackToken]:
    def cells(token: PlaybackToken) -> tuple[str, ...]:
        created = say.moment_near(token.created, now) if token.created else ""
        return _state(token, now), "once" if token.expires_after_first_usage else "many", until(token, now), created

    columns = (Column("plays", 5, 30), Column("until", 16, 40), Column("created", 12, 56, right=True))
    return Listing("Token", columns, cells)


def active(token: PlaybackToken, now: datetime) -> bool:
    """Whether the token still works, by its status and its end."""
    return token.status.casefold() == "active" and (token.valid_until is None or token.valid_until > now)


def _state(token: PlaybackToken, now: datetime) -> str:
    return "✓ active" if active(token, now) else "✗ expired"


def until(token: PlaybackToken, now: datetime) -> str:
    """`10 min left`, `since today 15:00`, `no limit`, `used up`."""
    if token.valid_until is None:
        return "no limit" if active(token, now) else "used up"
    left = (token.valid_until - now).total_seconds()
    if left > 0 and not active(token, now):
        return "used up"
    return f"{say.seconds(left)} left" if left > 0 else f"since {say.moment_near(token.valid_until, now)}"


def masked(token: PlaybackToken) -> str:
    """The link without its secret part."""
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
                ("plays", "once" if token.expires_after_first_usage else "any number of times"),
                ("created", say.moment_near(token.created, now) if token.created else ""),
                ("link", masked(token)),
            ],
            room,
        ),
        EMPTY,
    ]
    if not alive:
        return [*rows, *wrapped("This token no longer works. Press n to create another.", room, "dim")]
    rows += wrapped("Anyone with the link can watch the video. Give it only to people who may watch.", room)
    return [
        *rows,
        EMPTY,
        *wrapped("Press o to open the link, c to show a QR code, y to copy the link.", room, "accent"),
    ]


def token_form() -> tuple[FieldSpec, ...]:
    return (
        FieldSpec(
            "time_to_live", "Valid for", "10 min", hint="10 min, 2 h, 1 day; empty: no limit", check=forms.lifetime
        ),
        FieldSpec("expires_after_first_usage", "Plays once", forms.TICKED, FieldKind.TICK),
    )


def token_input(values: Values) -> PlaybackTokenInput:
    return PlaybackTokenInput(
        time_to_live=forms.seconds_of(values["time_to_live"]),
        expires_after_first_usage=values["expires_after_first_usage"] == forms.TICKED,
    )


def code_rows(link: str, room: int, height: int) -> list[Row]:
    """The link as a QR code, two modules in a cell, dark on light. A sentence if it does not fit."""
    import segno  # noqa: PLC0415 - only codes need it

    code = segno.make_qr(link, error="l", boost_error=False)
    lines = [list(line) for line in code.matrix_iter(border=_QUIET)]
    size, rows = len(lines[0]), (len(lines) + 1) // 2
    if size > room or rows > height:
        words = f"The QR code needs {size} columns and {rows + 2} lines. Enlarge the window or use a smaller font."
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
