"""Annotations of GitHub Actions: lines of output that GitHub shows beside a run."""

from enum import StrEnum

from lms_tui.common.cleaning import clean_line


class Level(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    NOTICE = "notice"


def annotation(level: Level, title: str, message: str) -> str:
    """Return the line that annotates a run."""
    name = _escaped(clean_line(title)).replace(":", "%3A").replace(",", "%2C")
    return f"::{level} title={name}::{_escaped(message)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
