"""Numbers, dates and times as text for people, with their units (pure)."""

from datetime import datetime, timedelta, tzinfo
from decimal import Decimal
from string import ascii_uppercase
from typing import Final

NOTHING: Final = "–"
LETTERS: Final = ascii_uppercase
"""Letters of the first 26 options."""
_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_NO_SHARE: Final = 1e12


def letter(place: int) -> str:
    """`C` for the third option. Options after the 26th get a number."""
    return LETTERS[place] if place < len(LETTERS) else str(place + 1)


def duration(value: timedelta | None) -> str:
    """Return a duration such as `2 h 41 min` or `45 s`, or "no time limit" for None and zero."""
    if not value:
        return "no time limit"
    return seconds(value.total_seconds())


def short_duration(value: timedelta | None) -> str:
    """Like `duration` for a narrow column: `3 h`, `150 min`, `45 s`, `20 d`, `untimed`."""
    whole = round(value.total_seconds()) if value else 0
    if not whole:
        return "untimed"
    if whole >= 259_200:
        return f"{whole // 86_400} d"
    if whole % 3_600 == 0:
        return f"{whole // 3_600} h"
    return f"{whole // 60} min" if whole >= 60 else f"{whole} s"


def seconds(value: float) -> str:
    """`45 s`, `1 min 20 s`, `20 min`, `2 h 41 min`, `3 days`."""
    whole = max(0, round(value))
    days, rest = divmod(whole, 86_400)
    hours, rest = divmod(rest, 3_600)
    minutes, left = divmod(rest, 60)
    if days:
        return f"{days} {'day' if days == 1 else 'days'}" + (f" {hours} h" if hours else "")
    if hours:
        return f"{hours} h" + (f" {minutes} min" if minutes else "")
    if minutes:
        return f"{minutes} min" + (f" {left} s" if left and minutes < 10 else "")
    return f"{left} s"


def clock(value: timedelta | float | None) -> str:
    """`1:12:07` or `4:05`, rounded down. A dash for None. `value`: a number counts seconds."""
    if value is None:
        return NOTHING
    whole = max(0, int(value.total_seconds() if isinstance(value, timedelta) else value))
    hours, rest = divmod(whole, 3_600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"


def number(value: Decimal | float | None) -> str:
    """Return a number such as `184` or `−0.25`, with the minus sign U+2212, or a dash for None."""
    if value is None:
        return NOTHING
    return two_places(value).rstrip("0").rstrip(".")


def two_places(value: Decimal | float) -> str:
    """Return a number with two decimal places such as `0.50` or `−0.25`, with the minus sign U+2212."""
    text = f"{value:.2f}"
    return "0.00" if text == "-0.00" else text.replace("-", "−")


def signed(value: Decimal | float | None) -> str:
    """`+4`, `−1`, `0`, with the minus sign U+2212."""
    if value is None:
        return NOTHING
    text = number(value)
    return f"+{text}" if value > 0 and text != "0" else text


def percent(value: Decimal | float | str | None) -> str:
    """`69.33 %`, or a dash for text that is not a number."""
    if value is None:
        return NOTHING
    try:
        share = float(value)
    except ValueError:
        return NOTHING
    return f"{number(share)} %" if abs(share) < _NO_SHARE else NOTHING


def day(moment: datetime | None, zone: tzinfo | None = None) -> str:
    """Return a date such as `14 Mar 2026`, in `zone` or in the time zone of this computer."""
    if moment is None:
        return NOTHING
    local = moment.astimezone(zone)
    return f"{local.day} {_MONTHS[local.month - 1]} {local.year}"


def moment_near(moment: datetime | None, now: datetime, zone: tzinfo | None = None) -> str:
    """`yesterday`, `today 15:00`, `tomorrow 09:30`, `17 Mar 15:00`, `17 Mar 2027`: less exact when further away."""
    if moment is None:
        return NOTHING
    local, today = moment.astimezone(zone), now.astimezone(zone)
    apart = (local.date() - today.date()).days
    time = f"{local.hour:02}:{local.minute:02}"
    near = {-1: "yesterday", 0: f"today {time}", 1: f"tomorrow {time}"}
    if apart in near:
        return near[apart]
    if local.year == today.year or 0 < apart < 180:
        return f"{local.day} {_MONTHS[local.month - 1]}" + (f" {time}" if 0 < apart < 60 else "")
    return day(moment, zone)


def until(moment: datetime | None, now: datetime, most: timedelta = timedelta.max) -> str:
    """Return the time to a moment with its two largest units, such as `2 d 3 h`, `5 h 12 min` or `4 min`.

    "" for a moment that is over, or further away than `most`.
    """
    left = moment - now if moment else timedelta()
    if not timedelta() < left <= most:
        return ""
    minutes = max(1, round(left.total_seconds() / 60))
    days, hours = minutes // 1440, minutes // 60 % 24
    parts = ((days, "d"), (hours, "h"), (0 if days else minutes % 60, "min"))
    return " ".join(f"{count} {unit}" for count, unit in parts if count)


def counted(count: int, one: str, many: str = "") -> str:
    """`1 question`, `12 questions`."""
    return f"{count} {one if count == 1 else many or one + 's'}"


def spoken(seconds: float) -> str:
    """Return a duration with its two largest units, such as `1 hour 42 minutes` or `45 seconds`."""
    whole = max(0, int(seconds))
    parts = (
        (whole // 86400, "day"),
        (whole // 3600 % 24, "hour"),
        (whole // 60 % 60, "minute"),
        (whole % 60, "second"),
    )
    named = [counted(count, unit) for count, unit in parts if count]
    return " ".join(named[:2]) or "0 seconds"


def holds(text: str, wanted: str) -> bool:
    """Return whether a text has every word of a search. Case does not matter."""
    text = text.casefold()
    return all(word in text for word in wanted.casefold().split())
