"""Secrets stay out of logs: the HTTP library writes addresses and headers, and some of them let someone in."""

import logging
import re
from typing import Final

_SECRETS: Final = (
    re.compile(r"(?i)(\b(?:JWT|Bearer)\s+)[^\s'\",;\\]+"),
    re.compile(r"(?i)([?&](?:access_token|token|code|password)=)[^&\s'\"]+"),
    re.compile(
        r"(?i)(\\?[\"'](?:access_token|token|password|code|authorization)\\?[\"']\s*[:,]\s*b?\\?[\"'])[^\"'\\]+"
    ),
    re.compile(r"(?i)(/(?:access-tokens|playback)/)[^/\s'\"?]+"),
    # From the beginning of a word only: each beginning inside one would be searched to the end of the word again.
    re.compile(r"()(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]*"),
)
_LOGGERS: Final = ("httpx", "httpcore.connection", "httpcore.http11", "httpcore.http2", "httpcore.proxy")


def redact(text: str) -> str:
    """Replace tokens, passwords and signed addresses by three dots."""
    for pattern in _SECRETS:
        text = pattern.sub(r"\1…", text)
    return text


class RedactingFilter(logging.Filter):
    """Redacts a record in place; safe on a logger and on a handler."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = redact(record.getMessage()), None
        return True


def guard_logs() -> None:
    """Put the filter on every logger of the HTTP library, once; a logger's filter does not reach its children."""
    for name in _LOGGERS:
        logger = logging.getLogger(name)
        if not any(isinstance(present, RedactingFilter) for present in logger.filters):
            logger.addFilter(RedactingFilter())
