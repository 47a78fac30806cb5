"""Remove secrets from logs. httpx logs addresses and headers, and some of them contain tokens."""

import logging
import re
from typing import Final

from lms_tui.common.cleaning import clean_line

_SECRETS: Final = (
    re.compile(r"(?i)(\b(?:JWT|Bearer)\s+)[^\s'\",;\\]+"),
    re.compile(r"(?i)([?&](?:access_token|token|code|password)=)[^&\s'\"]+"),
    re.compile(
        r"(?i)(\\?[\"'](?:access_token|token|password|access_code|code|authorization)\\?[\"']\s*[:,]\s*b?\\?[\"'])[^\"'\\]+"
    ),
    re.compile(r"(?i)(/(?:access-tokens|playback)/)[^/\s'\"?]+"),
    # Only at the start of a word. A search from each letter would take quadratic time.
    re.compile(r"()(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]*"),
)
_LOGGERS: Final = ("httpx", "httpcore.connection", "httpcore.http11", "httpcore.http2", "httpcore.proxy")


def redact(text: str) -> str:
    """Replace tokens, passwords and signed addresses with three dots."""
    for pattern in _SECRETS:
        text = pattern.sub(r"\1…", text)
    return text


def safe_line(text: str) -> str:
    """Return text of a server on one line, without control characters and secrets."""
    return redact(clean_line(text))


class RedactingFilter(logging.Filter):
    """Remove secrets from log records. It works on loggers and on handlers."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = redact(record.getMessage()), None
        return True


def guard_logs() -> None:
    """Add the filter to every logger of httpx once. The filter of a logger does not apply to its children."""
    for name in _LOGGERS:
        logger = logging.getLogger(name)
        if not any(isinstance(present, RedactingFilter) for present in logger.filters):
            logger.addFilter(RedactingFilter())
